// annealer.h - inside search: the best new points of a cost model, by simulated annealing.
//
// Flow: sl_annealer_make -> sl_annealer_find whenever the model has changed.
#pragma once

#include "fresh.h"
#include "starling/task/codesign.h"

typedef struct {
    int chains;   // walks side by side; they go on where the last search left them
    int steps;    // most
    int patience; // steps without a new point among the best
    int most;     // points to find
} SlAnnealerSetup;

typedef struct SlAnnealer SlAnnealer;

// NULL without memory.
SlAnnealer *sl_annealer_make(const SlSpace *space, const SlAnnealerSetup *setup, SlArena *arena);

// Whether a walk goes from one score to another at a temperature: u < exp(min((to - from) /
// (temperature + 1e-5), 1)), u uniform in [0, 1).
bool sl_anneal_accepts(double from, double to, double temperature, double u);

// Up to `setup.most` points that the walks came by, distinct, not among those seen and where
// `seen->check` is set passing the check: those that the model likes best, best first (equal
// scores: the smaller key first). Points into `found` (most, n_params); returns how many. Random
// numbers are those of `seen`.
int sl_annealer_find(SlAnnealer *annealer, SlFresh *seen, SlPointModel *model, void *context,
                     int32_t *found);

// How many steps the last search took.
int sl_annealer_steps(const SlAnnealer *annealer);
