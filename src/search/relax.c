// relax.c - points as real vectors and back.
#include "relax.h"

#include <math.h>
#include <string.h>

static int n_columns(const SlParam *param) {
    if (param->n < 2) return 0;
    if (param->kind == SL_ORDINAL) return 1;
    return param->kind == SL_PERMUTATION ? param->n_items : param->n;
}

bool sl_relax_init(SlRelax *relax, const SlSpace *space) {
    *relax = (SlRelax){.space = space};
    for (int i = 0; i < space->n_params; i++) {
        relax->first[i] = relax->n;
        relax->n += n_columns(&space->params[i]);
    }
    relax->first[space->n_params] = relax->n;
    return relax->n <= SL_MAX_RELAXED;
}

double sl_relax_size(const SlParam *param, int64_t size) {
    double shift = param->sizes[0] < 1; // knobs may be 0
    double low = log((double)param->sizes[0] + shift);
    double high = log((double)param->sizes[param->n - 1] + shift);
    return (log((double)size + shift) - low) / (high - low);
}

static double value_share(const SlParam *param, int32_t value) {
    return sl_relax_size(param, param->sizes[value]);
}

void sl_relax_point(const SlRelax *relax, const int32_t *point, double *x) {
    memset(x, 0, (size_t)relax->n * sizeof *x);
    for (int i = 0; i < relax->space->n_params; i++) {
        const SlParam *param = &relax->space->params[i];
        double *at = x + relax->first[i];
        if (param->n < 2) continue;
        if (param->kind == SL_ORDINAL) {
            *at = value_share(param, point[i]);
        } else if (param->kind == SL_CATEGORICAL) {
            at[point[i]] = 1;
        } else {
            uint8_t order[SL_N_DIMS];
            sl_permutation(param->n_items, point[i], order);
            for (int k = 0; k < param->n_items; k++)
                at[order[k]] = (double)k / (param->n_items - 1);
        }
    }
}

// sizes ascend, so do their shares: the first one at or above, or the one before it if nearer
static int32_t nearest_size(const SlParam *param, double share) {
    int32_t low = 0, high = param->n - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (value_share(param, middle) < share)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return 0;
    bool before = share - value_share(param, low - 1) < value_share(param, low) - share;
    return low - before;
}

static int32_t sorted_order(const SlParam *param, const double *keys) {
    uint8_t order[SL_N_DIMS];
    for (int k = 0; k < param->n_items; k++) {
        int place = k;
        for (; place > 0 && keys[k] < keys[order[place - 1]]; place--)
            order[place] = order[place - 1];
        order[place] = (uint8_t)k;
    }
    return sl_permutation_number(param->n_items, order);
}

static int32_t largest(int32_t n, const double *x) {
    int32_t best = 0;
    for (int32_t i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    return best;
}

void sl_relax_round(const SlRelax *relax, const double *x, int32_t *point) {
    for (int i = 0; i < relax->space->n_params; i++) {
        const SlParam *param = &relax->space->params[i];
        const double *at = x + relax->first[i];
        if (param->n < 2)
            point[i] = 0;
        else if (param->kind == SL_ORDINAL)
            point[i] = nearest_size(param, *at);
        else if (param->kind == SL_CATEGORICAL)
            point[i] = largest(param->n, at);
        else
            point[i] = sorted_order(param, at);
    }
}
