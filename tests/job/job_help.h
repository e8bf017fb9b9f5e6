// job_help.h - runs of tests: the task of a run is made anew for every one.
#pragma once

#include "starling/job.h"
#include "support/world.h"

typedef struct {
    SlTaskSetup task; // vta, cpu: its layer and options are those below
    SlRunSetup run;   // without the task
    SlLayer layer;
    SlVtaOptions vta;
    SlCpuOptions cpu;
} Job;

// A method with its default options, 500 samples, seed 1, the default start, by the native model.
Job world_job(const World *world, const char *goal, const char *method);
// A method on VTA's usual core, seed 1, without a start.
Job vta_job(const char *layer, SlHardware hardware, const char *method, int64_t samples);
// One on this processor that needs no compiler until something is measured.
Job cpu_job(const char *layer);

SlTask *job_task(const Job *job, SlArena *arena); // its task; must work
// One run with a task of its own.
SlStatus job_try(const Job *job, SlWatch *watch, void *context, SlArena *arena, SlRecord *record,
                 SlError *err);
// One that must work.
SlRecord job_watched(const Job *job, SlWatch *watch, void *context, SlArena *arena);
SlRecord job_run(const Job *job, SlArena *arena);

// Fails the test unless all but the seconds (and what came from a log) is the same.
void assert_same_record(const SlRecord *a, const SlRecord *b);

// Fails the test unless the curve falls from the first legal sample to the last one.
void assert_good_curve(const SlRecord *record);

// Methods that learn little; the others have tests of their own.
enum { N_QUICK_METHODS = 5 };
extern const char *const quick_methods[N_QUICK_METHODS];
