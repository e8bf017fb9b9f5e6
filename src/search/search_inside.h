// search_inside.h - inside search: what the methods share.
#pragma once

#include "starling/search.h"

extern const SlMethod sl_random_method, sl_local_method, sl_anneal_method, sl_ga_method,
    sl_grid_method, sl_gamma_method, sl_cmaes_method, sl_tpe_method, sl_gradient_method,
    sl_bo_method;

// --- proofs

// What a proof begins with.
typedef struct {
    SlMapping mapping;
    double value; // INFINITY = none that is finite
    bool inside;  // the space has an equal
} SlStart;

typedef bool SlStartStop(void *context); // true = no time left

// The incumbent of the setup, priced; else the best of a local search. SL_EINPUT as sl_prove.
SlStatus sl_start_find(const SlProveSetup *setup, SlTask *task, SlStartStop *stop, void *context,
                       SlArena *scratch, SlStart *start, SlError *err);
