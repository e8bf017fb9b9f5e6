// scheme.c - from a point to tiles, orders and spreads, and from those to a loop nest.
//
// Outermost first, for every storage level l on chip (native model; spaces of docs/spaces.md):
//   a dim over the clusters below level l-1    d * tile[l-1]
//   the loops of order[l]                      d : tile[l] x clusters x instances of the axes
//   the axes above level l                     d * tile[l] x clusters
//   @ level l
// and below the innermost level what is left, down to tiles of one.
#include "space_inside.h"

#include <assert.h>
#include <string.h>

static int32_t clamp_value(const SlParam *param, int32_t value) {
    return value < 0 ? 0 : value >= param->n ? param->n - 1 : value;
}

static void decode_order(const SlParam *param, int32_t value, SlScheme *scheme) {
    uint8_t order[SL_N_DIMS], *out = scheme->order[param->level];
    int n = 0;
    sl_permutation(param->n_items, value, order);
    for (int i = 0; i < param->n_before; i++) out[n++] = param->before[i];
    for (int i = 0; i < param->n_items; i++) out[n++] = param->items[order[i]];
    for (int i = 0; i < param->n_after; i++) out[n++] = param->after[i];
    scheme->n_order[param->level] = (uint8_t)n;
}

static void decode_parallel(const SlAccel *accel, const SlParam *param, int32_t value,
                            SlScheme *scheme) {
    int l = param->level;
    uint8_t set = param->spreads[value];
    if (sl_fanout_clusters(accel, l) && param->axis == 0)
        scheme->clusters[l] = set ? (uint8_t)__builtin_ctz(set) : SL_N_DIMS;
    else
        scheme->spread[l][sl_fanout_clusters(accel, l) ? 0 : param->axis] = set;
}

// nothing spread, one cluster, every axis with all its instances
static void start_scheme(const SlSpace *space, SlScheme *scheme) {
    const SlAccel *accel = space->accel;
    memset(scheme, 0, sizeof *scheme);
    for (int d = 0; d < SL_N_DIMS; d++)
        scheme->tile[0][d] = space->outermost & SL_BIT(d) ? 1 : space->layer->dims[d];
    for (int l = 0; l < accel->n_levels; l++) {
        scheme->clusters[l] = SL_N_DIMS;
        scheme->n_clusters[l] = 1;
        for (int a = 0; a < accel->fanouts[l].n_axes; a++)
            scheme->axis[l][a] = accel->fanouts[l].axes[a].size;
    }
}

void sl_space_decode(const SlSpace *space, const int32_t *point, SlScheme *scheme) {
    start_scheme(space, scheme);
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        int32_t value = clamp_value(param, point[i]);
        if (param->role == SL_ROLE_ORDER)
            decode_order(param, value, scheme);
        else if (param->role == SL_ROLE_PARALLEL)
            decode_parallel(space->accel, param, value, scheme);
        else if (param->role == SL_ROLE_TILE)
            scheme->tile[param->level][param->dim] = param->sizes[value];
        else {
            scheme->axis[param->level][0] = param->sizes[value];
            scheme->n_clusters[param->level] =
                space->accel->fanouts[param->level].axes[0].size / param->sizes[value];
        }
    }
    if (space->n_derived > 0) {
        sl_scheme_derive_clusters(space, scheme);
        sl_scheme_derive_tiles(space, scheme);
    }
    for (int l = 1; l < space->accel->n_levels; l++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            int64_t *tile = &scheme->tile[l][d];
            if (*tile == 0 || *tile > scheme->tile[l - 1][d]) *tile = scheme->tile[l - 1][d];
        }
    }
}

void sl_scheme_smallest(const SlSpace *space, SlScheme *scheme) {
    start_scheme(space, scheme);
    for (int l = 1; l < space->accel->n_levels; l++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            int i = space->tile_param[l][d];
            scheme->tile[l][d] =
                i < 0 ? scheme->tile[l - 1][d]
                      : sl_smaller(space->params[i].sizes[0], scheme->tile[l - 1][d]);
        }
    }
}

void sl_scheme_shares(const SlSpace *space, const SlScheme *scheme, int level,
                      int64_t share[SL_MAX_AXES][SL_N_DIMS]) {
    bool macs = level == space->accel->n_levels - 1;
    int n_axes = space->accel->fanouts[level].n_axes;
    int64_t left[SL_N_DIMS]; // pieces of each dim still to be spread
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t unit = macs ? 1 : sl_scheme_extent(scheme, level + 1, d);
        left[d] = sl_ceil_div(scheme->tile[level][d], unit);
    }
    for (int a = 0; a < n_axes; a++) {
        int64_t room = scheme->axis[level][a];
        for (int d = SL_N_DIMS - 1; d >= 0; d--) {
            bool taken = scheme->spread[level][a] & SL_BIT(d);
            share[a][d] = taken ? sl_smaller(room, left[d]) : 1;
            room /= share[a][d];
            left[d] = sl_ceil_div(left[d], share[a][d]);
        }
    }
}

// --- the nest

// A nest that grows; loops that would not iterate are left out.
typedef struct {
    SlMapping *mapping;
    int64_t extent[SL_N_DIMS];
} Nest;

static void put_loop(Nest *nest, int d, int64_t tile, bool spatial) {
    if (tile >= nest->extent[d]) return;
    SlMapping *mapping = nest->mapping;
    assert(mapping->n_loops < SL_MAX_LOOPS);
    mapping->loops[mapping->n_loops++] = (SlLoop){tile, (uint8_t)d, spatial};
    nest->extent[d] = tile;
}

// the axes of a fan-out, each loop over what the axes after it take together
static void put_axes(Nest *nest, int n_axes, int64_t share[SL_MAX_AXES][SL_N_DIMS],
                     const int64_t unit[SL_N_DIMS]) {
    for (int a = 0; a < n_axes; a++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            if (share[a][d] == 1) continue;
            int64_t tile = unit[d];
            for (int b = a + 1; b < n_axes; b++) tile *= share[b][d];
            put_loop(nest, d, tile, true);
        }
    }
}

// the loops below level l - 1 and above level l (below the innermost one: down to tiles of one)
static void put_segment(const SlSpace *space, const SlScheme *scheme, int l, Nest *nest) {
    int above = l - 1, n_axes = space->accel->fanouts[above].n_axes;
    bool macs = l == space->accel->n_levels;
    int64_t share[SL_MAX_AXES][SL_N_DIMS], unit[SL_N_DIMS], step[SL_N_DIMS];
    sl_scheme_shares(space, scheme, above, share);
    for (int d = 0; d < SL_N_DIMS; d++) {
        unit[d] = step[d] = macs ? 1 : sl_scheme_extent(scheme, l, d);
        for (int a = 0; a < n_axes; a++) step[d] *= share[a][d];
    }
    int cluster = scheme->clusters[above];
    if (cluster < SL_N_DIMS) put_loop(nest, cluster, scheme->tile[above][cluster], true);
    if (macs) {
        for (int d = 0; d < SL_N_DIMS; d++) put_loop(nest, d, step[d], false);
    } else {
        for (int i = 0; i < scheme->n_order[l]; i++) {
            int d = scheme->order[l][i];
            put_loop(nest, d, step[d], false);
        }
    }
    put_axes(nest, n_axes, share, unit);
}

void sl_scheme_mapping(const SlSpace *space, const SlScheme *scheme, SlMapping *mapping) {
    const SlAccel *accel = space->accel;
    memset(mapping, 0, sizeof *mapping);
    Nest nest = {.mapping = mapping};
    memcpy(nest.extent, space->layer->dims, sizeof nest.extent);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->outermost & SL_BIT(d)) put_loop(&nest, d, 1, false);
    for (int l = 1; l <= accel->n_levels; l++) {
        put_segment(space, scheme, l, &nest);
        if (l == accel->n_levels) break;
        mapping->at[l - 1] = mapping->n_loops;
        mapping->keep[l - 1] = accel->levels[l].keep;
        mapping->n_boundaries = (uint8_t)l;
    }
    assert(!sl_mapping_check(space->layer, mapping));
}
