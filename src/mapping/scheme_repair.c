// scheme_repair.c - make a scheme fit: smaller tiles from the outside in, then fewer clusters; then
// whole waves where they are free.
#include "space_inside.h"

#include <assert.h>

static double bytes_of(const SlSpace *space, const SlScheme *scheme, int level,
                       const int64_t e[SL_N_DIMS]) {
    const double *word = space->word_bytes[level];
    double groups = (double)e[SL_G];
    double bytes = 0;
    if (space->maestro) return sl_scheme_maestro_bytes(space, scheme, level, NULL);
    if (word[SL_W] > 0)
        bytes += word[SL_W] * groups * (double)(e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S]);
    if (word[SL_I] > 0) {
        int64_t rows = sl_scheme_window(e[SL_P], e[SL_R], space->stride[0], space->dilation[0]);
        int64_t columns = sl_scheme_window(e[SL_Q], e[SL_S], space->stride[1], space->dilation[1]);
        bytes += word[SL_I] * groups * (double)(e[SL_N] * e[SL_C] * rows * columns);
    }
    if (word[SL_O] > 0)
        bytes += word[SL_O] * groups * (double)(e[SL_N] * e[SL_K] * e[SL_P] * e[SL_Q]);
    return bytes;
}

static void extents_of(const SlScheme *scheme, int level, int64_t e[SL_N_DIMS]) {
    for (int d = 0; d < SL_N_DIMS; d++) e[d] = sl_scheme_extent(scheme, level, d);
}

double sl_scheme_bytes(const SlSpace *space, const SlScheme *scheme, int level) {
    int64_t e[SL_N_DIMS];
    extents_of(scheme, level, e);
    return bytes_of(space, scheme, level, e);
}

static bool level_fits(const SlSpace *space, const SlScheme *scheme, int level) {
    int64_t capacity = space->accel->levels[level].capacity_bytes;
    return capacity == 0 || sl_scheme_bytes(space, scheme, level) <= (double)capacity;
}

bool sl_scheme_fits(const SlSpace *space, const SlScheme *scheme) {
    for (int l = 1; l < space->accel->n_levels; l++)
        if (!level_fits(space, scheme, l)) return false;
    return true;
}

// the next smaller size of a tile, 0 if there is none; where every size is listed, one that is 1/16
// smaller
static int64_t next_smaller(const SlSpace *space, int row, int64_t tile) {
    const SlParam *param = &space->params[row];
    int64_t below = space->preset == SL_SPACE_NATIVE ? tile : tile - tile / 16;
    int low = 0, high = param->n; // sizes[low - 1] < below <= sizes[high]
    while (low < high) {
        int middle = (low + high) / 2;
        if (param->sizes[middle] < below)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? param->sizes[low - 1] : 0;
}

// step down the tile whose next smaller size frees most; false if no tile can shrink
static bool step_down(const SlSpace *space, int level, SlScheme *scheme, int64_t smaller[]) {
    int64_t e[SL_N_DIMS];
    extents_of(scheme, level, e);
    int best = -1;
    double least = 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (smaller[d] == 0) continue;
        int64_t tile = scheme->tile[level][d], whole = e[d];
        scheme->tile[level][d] = smaller[d];
        e[d] = sl_scheme_extent(scheme, level, d);
        double bytes = bytes_of(space, scheme, level, e);
        scheme->tile[level][d] = tile;
        e[d] = whole;
        if (best >= 0 && bytes >= least) continue;
        best = d;
        least = bytes;
    }
    if (best < 0) return false;
    scheme->tile[level][best] = smaller[best];
    smaller[best] = next_smaller(space, space->tile_param[level][best], smaller[best]);
    return true;
}

// as many clusters as fit, one if none does; more of them need no fewer bytes, except as MAESTRO
// counts them, where all numbers are tried
static void drop_clusters(const SlSpace *space, int level, SlScheme *scheme) {
    int64_t *n = &scheme->n_clusters[level];
    if (space->maestro) {
        while (*n > 1 && !level_fits(space, scheme, level)) --*n;
        return;
    }
    int64_t low = 1, high = *n; // which does not fit
    while (high - low > 1) {
        *n = low + (high - low) / 2;
        if (level_fits(space, scheme, level))
            low = *n;
        else
            high = *n;
    }
    *n = low;
}

static void shrink_level(const SlSpace *space, int level, SlScheme *scheme) {
    if (level_fits(space, scheme, level)) return;
    int64_t smaller[SL_N_DIMS] = {0};
    for (int d = 0; d < SL_N_DIMS; d++) {
        int i = space->tile_param[level][d];
        if (i >= 0) smaller[d] = next_smaller(space, i, scheme->tile[level][d]);
    }
    while (!level_fits(space, scheme, level))
        if (!step_down(space, level, scheme, smaller)) break;
    if (!level_fits(space, scheme, level)) drop_clusters(space, level, scheme);
    assert(level_fits(space, scheme, level)); // as the making of the space has checked
}

// a tile that is cut further over a fan-out: up to a multiple of what the fan-out takes at a time,
// if the loop above makes no fewer trips and the level still fits
static void round_up(const SlSpace *space, int level, int dim, int64_t wave, SlScheme *scheme) {
    int64_t *tile = &scheme->tile[level][dim], old = *tile, whole = scheme->tile[level - 1][dim];
    int64_t rounded = sl_ceil_div(old, wave) * wave;
    const SlParam *param = &space->params[space->tile_param[level][dim]];
    if (rounded == old || rounded > whole || rounded > param->sizes[param->n - 1]) return;
    if (sl_ceil_div(whole, rounded) != sl_ceil_div(whole, old)) return;
    *tile = rounded;
    if (!level_fits(space, scheme, level)) *tile = old;
}

static void round_level(const SlSpace *space, int level, SlScheme *scheme) {
    bool macs = level == space->accel->n_levels - 1;
    int n_axes = space->accel->fanouts[level].n_axes;
    uint8_t spread = 0;
    for (int a = 0; a < n_axes; a++) spread |= scheme->spread[level][a];
    if (!spread) return;
    int64_t share[SL_MAX_AXES][SL_N_DIMS];
    sl_scheme_shares(space, scheme, level, share);
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (!(spread & SL_BIT(d)) || space->tile_param[level][d] < 0) continue;
        int64_t unit = macs ? 1 : sl_scheme_extent(scheme, level + 1, d), taken = 1;
        for (int a = 0; a < n_axes; a++) taken *= share[a][d];
        if (taken > 1) round_up(space, level, d, unit * taken, scheme);
    }
}

void sl_scheme_repair(const SlSpace *space, SlScheme *scheme) {
    int last = space->accel->n_levels - 1;
    for (int l = 1; l <= last; l++) {
        if (l == 2 && space->n_derived > 0) sl_scheme_derive_tiles(space, scheme);
        for (int d = 0; d < SL_N_DIMS; d++)
            scheme->tile[l][d] = sl_smaller(scheme->tile[l][d], scheme->tile[l - 1][d]);
        shrink_level(space, l, scheme);
    }
    for (int l = last; l >= 1 && space->preset == SL_SPACE_NATIVE; l--)
        round_level(space, l, scheme);
    if (space->maestro && sl_space_is_native(space->preset)) sl_scheme_maestro_mend(space, scheme);
}
