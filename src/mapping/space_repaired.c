// space_repaired.c - the point that a mapping has once it was made to fit.
//
// Decoding and repair change tiles alone (and, where no tile can shrink, leave clusters idle):
// orders, parallel dims and the size of a cluster stay as they were chosen. So tiles are read off
// the repaired scheme, and everything else is the point's own.
#include "space_inside.h"

#include <string.h>

// the listed size that is nearest by ratio, of two the smaller; `exact` turns false where the size
// itself is not listed
static int32_t nearest_size(const SlParam *param, int64_t size, bool *exact) {
    int32_t low = 0, high = param->n - 1; // the first size that is not below, or the last
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (param->sizes[middle] < size)
            low = middle + 1;
        else
            high = middle;
    }
    if (param->sizes[low] == size) return low;
    *exact = false;
    if (low == 0 || param->sizes[low] < size) return low;
    double below = (double)size / (double)param->sizes[low - 1];
    return (double)param->sizes[low] / (double)size < below ? low : low - 1;
}

bool sl_space_repaired(const SlSpace *space, const int32_t *point, int32_t *out) {
    SlScheme scheme;
    int64_t n_clusters[SL_MAX_LEVELS];
    sl_space_decode(space, point, &scheme);
    memcpy(n_clusters, scheme.n_clusters, sizeof n_clusters);
    sl_scheme_repair(space, &scheme);
    bool exact = memcmp(n_clusters, scheme.n_clusters, sizeof n_clusters) == 0;
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        int32_t last = param->n - 1;
        out[i] = point[i] < 0 ? 0 : point[i] > last ? last : point[i];
        if (param->role == SL_ROLE_TILE)
            out[i] = nearest_size(param, scheme.tile[param->level][param->dim], &exact);
    }
    return exact;
}
