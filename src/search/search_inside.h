// search_inside.h - inside search: what the methods share.
#pragma once

#include "starling/search.h"

extern const SlMethod sl_random_method, sl_local_method, sl_anneal_method, sl_ga_method,
    sl_grid_method, sl_gamma_method, sl_cmaes_method, sl_tpe_method, sl_gradient_method,
    sl_bo_method, sl_autotvm_method, sl_autotvm_ga_method, sl_draft_method, sl_oracle_method;

// Bring points (n, n_params) to the front that add most pairs of a parameter and its value to those
// before them, until n_first are chosen; ties: the earlier one. What is not chosen keeps its order.
void sl_diverse_first(int n_params, int n, int n_first, int32_t *points);

// One of n by its share of the scores of all but `without` (-1 = of all); where these are all 0,
// any of them.
int sl_roulette(int n, const double *scores, int without, SlRng *rng);
