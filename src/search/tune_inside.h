// tune_inside.h - inside search: the tuners.
#pragma once

#include "starling/search.h"
#include "tune_points.h"

extern const SlTuner sl_random_tuner, sl_grid_tuner, sl_ga_tuner, sl_autotvm_tuner, sl_draft_tuner,
    sl_oracle_tuner;

// Bring points (n) to the front that add most pairs of a knob and its value to those before them,
// until n_first are chosen; ties: the earlier one. What is not chosen keeps its order.
void sl_diverse_first(const SlKnobs *knobs, int n, int n_first, int64_t *indices);

// One of n by its share of the scores of all but `without` (-1 = of all); where these are all 0,
// any of them.
int sl_roulette(int n, const double *scores, int without, SlRng *rng);
