// space_point.c - points of a space: drawn at random, and shown value by value.
#include "space_inside.h"

#include <stdio.h>

void sl_space_sample(const SlSpace *space, SlRng *rng, int32_t *point) {
    for (int i = 0; i < space->n_params; i++)
        point[i] = (int32_t)sl_rng_below(rng, (uint64_t)space->params[i].n);
}

// dims one after the other, with spaces between; `used` is what `out` holds already
static size_t add_dim(int d, size_t n, size_t used, char *out) {
    if (used >= n) return used;
    return used + (size_t)snprintf(out + used, n - used, used ? " %s" : "%s", sl_dim_names[d]);
}

static void order_text(const SlParam *param, int32_t value, size_t n, char *out) {
    uint8_t order[SL_N_DIMS];
    size_t used = 0;
    sl_permutation(param->n_items, value, order);
    for (int i = 0; i < param->n_before; i++) used = add_dim(param->before[i], n, used, out);
    for (int i = 0; i < param->n_items; i++) used = add_dim(param->items[order[i]], n, used, out);
    for (int i = 0; i < param->n_after; i++) used = add_dim(param->after[i], n, used, out);
}

const char *sl_param_text(const SlParam *param, int32_t value, size_t n, char *out) {
    if (n == 0) return out;
    out[0] = '\0';
    value = value < 0 ? 0 : value >= param->n ? param->n - 1 : value;
    if (param->role == SL_ROLE_KNOB) {
        sl_knob_text(param, value, n, out);
    } else if (param->kind == SL_PERMUTATION) {
        order_text(param, value, n, out);
    } else if (param->kind == SL_CATEGORICAL) {
        size_t used = 0;
        for (int d = 0; d < SL_N_DIMS; d++)
            if (param->spreads[value] & SL_BIT(d)) used = add_dim(d, n, used, out);
    } else {
        snprintf(out, n, "%lld", (long long)param->sizes[value]);
    }
    if (out[0] == '\0') snprintf(out, n, "-");
    return out;
}
