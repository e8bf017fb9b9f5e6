// job_progress.h - what people see while a job runs: one line on a terminal, rewritten.
//
// Flow: ProgressSetup -> progress_make -> progress_event for every event of the job, from any
//       thread -> progress_close, which removes the line.
#pragma once

#include "call.h"
#include "starling/job.h"

typedef struct {
    bool quiet;        // shows nothing; without a terminal a line now and then
    const char *items; // what is counted: "layers", "runs"
    double samples;    // of each, 0 = nobody knows
    double seconds;    // of the whole job, 0 = no limit
    // A value as people read it.
    void (*show)(const void *context, double value, size_t n, char *out);
    const void *context;
} ProgressSetup;

typedef struct Progress Progress;

Progress *progress_make(const ProgressSetup *setup, int n_workers, SlArena *arena);
void progress_event(Progress *progress, const SlEvent *event);
void progress_close(Progress *progress);
