// mapped_help.h - a small job that maps a workload onto eyeriss, for EDP, by local search.
#pragma once

#include "starling/job.h"

// Everything but the job: the workload, the machine and what is to be done.
void mapped_plan(const char *workload, SlArena *arena, SlMapped *mapped);
// The job, run to its end and priced.
void mapped_run(SlMapped *mapped);
