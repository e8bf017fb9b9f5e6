// search.c - the table of black-box methods.
#include "search_inside.h"

const SlMethod *const sl_search_methods[] = {
    &sl_random_method, &sl_local_method,   &sl_anneal_method,
    &sl_ga_method,     &sl_grid_method,    &sl_gamma_method,
    &sl_cmaes_method,  &sl_tpe_method,     &sl_gradient_method,
    &sl_bo_method,     &sl_autotvm_method, &sl_autotvm_ga_method,
    &sl_draft_method,  &sl_oracle_method,  NULL};
