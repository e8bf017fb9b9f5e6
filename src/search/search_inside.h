// search_inside.h - inside search: what the methods share.
#pragma once

#include "starling/search.h"

extern const SlMethod sl_random_method, sl_local_method, sl_anneal_method, sl_ga_method,
    sl_grid_method, sl_gamma_method, sl_cmaes_method, sl_tpe_method, sl_gradient_method,
    sl_bo_method;
