// lens.c - points, and the nests that they become, as inputs of a network.
#include "lens.h"

#include <string.h>

bool sl_lens_init(SlLens *lens, const SlTask *task) {
    *lens = (SlLens){.task = task, .repair = sl_task_setup(task)->illegal == SL_ILLEGAL_REPAIR};
    if (!sl_relax_init(&lens->relax, sl_task_space(task))) return false;
    lens->n = 2 * lens->relax.n;
    return true;
}

// places of the loops that iterate, counted from the innermost; the others stay at 0, outermost
static void see_order(const SlParam *param, const SlMapping *mapping, double *x) {
    int begin = param->level > 1 ? mapping->at[param->level - 2] : 0;
    int place = param->n_items - 1;
    for (int i = mapping->at[param->level - 1] - 1; i >= begin; i--) {
        if (mapping->loops[i].spatial) continue;
        for (int k = 0; k < param->n_items; k++)
            if (param->items[k] == mapping->loops[i].dim)
                x[k] = (double)place-- / (param->n_items - 1);
    }
}

static void see_param(const SlParam *param, const SlScheme *scheme, const SlMapping *mapping,
                      double *x) {
    if (param->kind == SL_PERMUTATION)
        see_order(param, mapping, x);
    else if (param->role == SL_ROLE_TILE)
        *x = sl_relax_size(param, scheme->tile[param->level][param->dim]);
    else if (param->role == SL_ROLE_CLUSTER)
        *x = sl_relax_size(param, scheme->axis[param->level][0]);
}

uint64_t sl_lens_point(const SlLens *lens, const int32_t *point, double *inputs) {
    const SlRelax *relax = &lens->relax;
    double *nest = inputs + relax->n;
    SlScheme scheme;
    SlMapping mapping;
    if (!relax->space->accel) { // nothing is decoded: both blocks show the point
        sl_relax_point(relax, point, inputs);
        memcpy(nest, inputs, (size_t)relax->n * sizeof *nest);
        return sl_task_key(lens->task, point);
    }
    sl_space_decode(relax->space, point, &scheme);
    if (lens->repair) sl_scheme_repair(relax->space, &scheme);
    sl_scheme_mapping(relax->space, &scheme, &mapping);
    sl_relax_point(relax, point, inputs);
    memset(nest, 0, (size_t)relax->n * sizeof *nest);
    for (int i = 0; i < relax->space->n_params; i++) {
        const SlParam *param = &relax->space->params[i];
        if (param->n > 1) see_param(param, &scheme, &mapping, nest + relax->first[i]);
    }
    return sl_mapping_key(relax->space->layer, &mapping);
}

void sl_lens_slope(const SlLens *lens, const double *by_inputs, double *slope) {
    int n = lens->relax.n;
    for (int i = 0; i < n; i++) slope[i] = by_inputs[i] + by_inputs[n + i];
}
