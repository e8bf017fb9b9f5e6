// tuner_run.h - drive a tuner on a task, as study does, and check what every tuner promises.
#pragma once

#include "starling/search.h"
#include "support/check.h"
#include "support/toy_tuning.h"

typedef struct {
    SlArena arena;
    SlTuning *tuning;
    const SlTuner *tuner;
    void *state;
    double *table; // (n_points) values that were measured before, 0 = not yet; NULL = none
    SlKeySet *asked;
    int64_t n;        // measurements
    int64_t n_failed; // of them
    int32_t *points;  // (n, n_knobs)
    double *values;   // (n)
    double best;      // least value
    bool over;        // asking returned 0
} TunerRun;

enum { TUNER_RUN_MOST = 4096 }; // measurements

const SlTuner *tuner_named(const char *name);

// The tuner with its defaults and `changes` ("name=value ..."), which may be NULL.
void tuner_begin(TunerRun *run, SlTuning *tuning, const char *name, const char *changes,
                 uint64_t seed, const SlTuningHistory *history);
// Ask with at most `room` points at a time, measure, tell, for up to n measurements or until there
// are none left. Points must be within the knobs, new, and no more than there is room for.
void tuner_continue(TunerRun *run, int64_t n, int room);
void tuner_end(TunerRun *run);
