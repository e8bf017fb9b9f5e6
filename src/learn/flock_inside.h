// flock_inside.h - inside learn: the parts of a flock.
#pragma once

#include "flock_policy.h"
#include "rivals.h"
#include "starling/approx/boost.h"
#include "starling/learn/flock.h"

// A point that was among the best of its task.
typedef struct {
    int32_t task;   // of the flock
    float distance; // log of value over the best of the task
    int32_t first;  // of its choices
} SlBestPoint;

struct SlFlock {
    SlFlockInfo info;
    double cap, bend;
    SlBoostTrees members[SL_FLOCK_MAX_MEMBERS];
    float *deviation;  // (n_inputs) of every input over all samples, at least a little
    float *tasks;      // (n_tasks, n_context)
    int n_params;      // choices of a point
    SlBestPoint *best; // (n_best) by task, best first
    SlChoice *choices; // (n_best, n_params)
    SlFlockPolicy policies[SL_N_FLOCK_POLICIES]; // of the agents, of one agent; no heads = none
    SlRivals rivals;                             // no nets = none
};

// Works 0..n-1, side by side where there is a pool.
void sl_flock_run(SlPool *pool, int n, SlWork *work, void *context);

// log of value over the best <-> what trees are taught
double sl_flock_bend(double distance, double cap, double bend);
double sl_flock_unbend(double target, double bend);

bool sl_choice_suits(const SlChoice *choice, const SlParam *param); // of the same parameter
void sl_choices_of(const SlSpace *space, const int32_t *point, SlChoice *choices);
// The point of this space nearest to choices (n) of another.
void sl_choices_place(const SlSpace *space, int n, const SlChoice *choices, int32_t *point);

// squared distance of two contexts
double sl_flock_apart(int n, const float *deviation, const float *a, const float *b);

void sl_flock_put(const SlFlock *flock, SlText *out); // the bytes of its file
