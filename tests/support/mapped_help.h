// mapped_help.h - a small job that maps a workload onto eyeriss, for EDP, by local search.
#pragma once

#include "folder.h"
#include "starling/job.h"

// A network of its own in a folder, planned but not run.
typedef struct {
    Folder folder;
    SlArena arena;
    SlMapped mapped;
} MappedCase;
void mapped_begin(const char *network, MappedCase *c); // YAML text
void mapped_end(MappedCase *c);

// Everything but the job: the workload, the machine and what is to be done.
void mapped_plan(const char *workload, SlArena *arena, SlMapped *mapped);
// The job, run to its end and priced.
void mapped_run(SlMapped *mapped);
