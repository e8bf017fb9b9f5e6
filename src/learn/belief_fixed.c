// belief_fixed.c - beliefs that samples do not change: the native cost's quantities with weights
// taught across tasks, and none: all points are as good, so they are asked as they come.
#include "belief.h"
#include "flock_inside.h"

static void *make(const SlBeliefSetup *setup, SlArena *arena) {
    const SlFlock **flock = SL_NEW(arena, 1, const SlFlock *);
    if (flock) *flock = setup->flock;
    return (void *)flock;
}

static void guess_calibrated(const void *state, int n, const float *rows, float *guess,
                             float *doubt) {
    const SlFlock *flock = *(const SlFlock *const *)state;
    for (int i = 0; i < n; i++) {
        const float *row = rows + (size_t)i * (size_t)flock->info.n_inputs;
        guess[i] = (float)sl_rivals_weigh(&flock->rivals.calibration, row);
        if (doubt) doubt[i] = 0;
    }
}

static bool has_calibration(const SlFlock *flock) {
    return flock->rivals.calibration.n > 0;
}

const SlBeliefRow sl_belief_calibration = {
    .name = "calibration",
    .lack = SL_LACKS_RIVALS("calibration of the native cost"),
    .taught = has_calibration,
    .make = make,
    .guess = guess_calibrated,
};

static void guess_nothing(const void *state, int n, const float *rows, float *guess, float *doubt) {
    (void)state;
    (void)rows;
    for (int i = 0; i < n; i++) {
        guess[i] = 0;
        if (doubt) doubt[i] = 0;
    }
}

const SlBeliefRow sl_belief_none = {.name = "none", .make = make, .guess = guess_nothing};
