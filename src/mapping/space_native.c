// space_native.c - the native space: useful sizes at every level, orders as permutations. And the
// same with every size.
//
// Of all tiles of a dim that need the same number of trips the smallest takes least space, so a
// tile is one of the sizes ceil(D / n), n = 1..D: about 2 sqrt(D) of them. Where the tile is spread
// over a fan-out the number of waves counts too; repair rounds it up to whole waves
// (scheme_repair.c).
//
// That a smaller tile with as many trips is never worse is a rule of thumb (edges and halos can
// say otherwise), so the space `all` lists every size.
#include "space_inside.h"

#include <stdio.h>

enum {
    MAX_SIZES = 256,      // of one dim; complete up to D = 16,384
    MAX_EXTENT = 1 << 16, // of a dim and of a flexible fan-out where every size is listed
};

// sizes ceil(extent / n), ascending, into `sizes`; returns their number, counted only if NULL
static int useful_sizes(int64_t extent, int64_t *sizes) {
    int n = 0;
    for (int64_t size = 1;; n++) {
        if (sizes) sizes[n] = size;
        if (size == extent) return n + 1;
        // the smallest size with fewer trips
        size = sl_ceil_div(extent, sl_ceil_div(extent, size) - 1);
    }
}

// very long lists are thinned: the smallest sizes and the fewest trips stay, between them every
// size is 1/64 above the one before
static int thin(int n, int64_t *sizes) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool end = i < 32 || i >= n - 32;
        if (end || sizes[i] * 64 >= sizes[kept - 1] * 67) sizes[kept++] = sizes[i];
    }
    return kept;
}

// space for `n` sizes
static int64_t *new_sizes(SlSpaceDraft *draft, int n) {
    int64_t *sizes = SL_NEW(draft->arena, n, int64_t);
    if (!sizes) draft->failed = true;
    return sizes;
}

static const int64_t *count_up(SlSpaceDraft *draft, int64_t last, int *n) {
    *n = (int)last;
    int64_t *sizes = new_sizes(draft, *n);
    for (int i = 0; sizes && i < *n; i++) sizes[i] = i + 1;
    return sizes;
}

static const int64_t *make_sizes(SlSpaceDraft *draft, int64_t extent, int *n) {
    if (draft->space->preset == SL_SPACE_ALL) return count_up(draft, extent, n);
    *n = useful_sizes(extent, NULL);
    int64_t *sizes = new_sizes(draft, *n);
    if (!sizes) return NULL;
    useful_sizes(extent, sizes);
    if (*n > MAX_SIZES) *n = thin(*n, sizes);
    return sizes;
}

// the cluster sizes that waste least: the largest for every number of clusters
static const int64_t *make_cluster_sizes(SlSpaceDraft *draft, int64_t instances, int *n) {
    if (draft->space->preset == SL_SPACE_ALL) return count_up(draft, instances, n);
    *n = 0;
    for (int64_t size = 1; size <= instances; size = instances / (instances / size) + 1) (*n)++;
    int64_t *sizes = new_sizes(draft, *n);
    if (!sizes) return NULL;
    int i = 0;
    for (int64_t size = 1; size <= instances; size++) {
        size = instances / (instances / size);
        sizes[i++] = size;
    }
    if (*n > MAX_SIZES) *n = thin(*n, sizes);
    return sizes;
}

// dims of the space that an axis takes and that have something to spread; filter dims only where
// the axis names its dims or the space opens them
static uint8_t spreadable(const SlSpaceDraft *draft, const SlAxis *axis) {
    const SlSpace *space = draft->space;
    uint8_t filter = SL_BIT(SL_R) | SL_BIT(SL_S), dims = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->layer->dims[d] > 1) dims |= SL_BIT(d);
    dims &= space->dims & axis->dims;
    return axis->dims == SL_SPREAD_ALL ? dims & ~(filter & ~draft->open) : dims;
}

// every set of at most `most` of the dims; the empty one if there are none
static void add_spreads(SlParam *param, uint8_t dims, int most) {
    int n = 0;
    for (unsigned set = 1; set <= dims && n < SL_MAX_SPREADS; set++)
        if (!(set & ~dims) && __builtin_popcount(set) <= most) param->spreads[n++] = (uint8_t)set;
    param->n = n > 0 ? n : 1;
}

static void add_parallel(SlSpaceDraft *draft, int level, int axis, int most, const char *name) {
    SlParam *param = sl_draft_param(draft, SL_ROLE_PARALLEL, level, name);
    if (!param) return;
    const SlFanout *fanout = &draft->space->accel->fanouts[level];
    param->axis = axis;
    // both axes of a flexible fan-out are its one axis
    const SlAxis *taken = &fanout->axes[axis < fanout->n_axes ? axis : 0];
    add_spreads(param, spreadable(draft, taken), most);
}

static const char *level_name(const SlSpaceDraft *draft, int level) {
    const SlAccel *accel = draft->space->accel;
    return level < accel->n_levels ? accel->levels[level].name : "MAC";
}

// the axes just above level `below` (the MACs after the last): one dim inside a cluster, up to
// three on an axis of a fixed grid
static void add_axes_above(SlSpaceDraft *draft, int below) {
    const SlAccel *accel = draft->space->accel;
    const SlFanout *fanout = &accel->fanouts[below - 1];
    char name[64];
    if (fanout->n_axes == 1) {
        snprintf(name, sizeof name, "%s parallel", level_name(draft, below));
        add_parallel(draft, below - 1, sl_fanout_clusters(accel, below - 1),
                     sl_fanout_clusters(accel, below - 1) ? 1 : 2, name);
        return;
    }
    for (int a = 0; a < fanout->n_axes; a++) {
        snprintf(name, sizeof name, "%s %s", level_name(draft, below), fanout->axes[a].name);
        add_parallel(draft, below - 1, a, 3, name);
    }
}

static void add_level(SlSpaceDraft *draft, int level, const int64_t *const sizes[],
                      const int *n_sizes) {
    const SlSpace *space = draft->space;
    bool innermost = level == space->accel->n_levels - 1;
    uint8_t filter = SL_BIT(SL_R) | SL_BIT(SL_S);
    uint8_t tiled = innermost ? space->dims : space->dims & (uint8_t) ~(filter & ~draft->open);
    uint8_t moving = 0; // dims whose loops can iterate here
    for (int d = 0; d < SL_N_DIMS; d++)
        if (tiled & SL_BIT(d) && space->layer->dims[d] > 1) moving |= SL_BIT(d);

    char name[64];
    snprintf(name, sizeof name, "%s order", level_name(draft, level));
    sl_draft_order(draft, level, moving, name);
    if (sl_fanout_clusters(space->accel, level)) {
        snprintf(name, sizeof name, "%s parallel", level_name(draft, level));
        add_parallel(draft, level, 0, 1, name);
    }
    add_axes_above(draft, level);
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (!(tiled & SL_BIT(d))) continue;
        snprintf(name, sizeof name, "%s %s", level_name(draft, level), sl_dim_names[d]);
        sl_draft_tile(draft, level, d, name, n_sizes[d], sizes[d]);
    }
}

static void add_cluster_size(SlSpaceDraft *draft, int level) {
    const SlAccel *accel = draft->space->accel;
    int n;
    const int64_t *sizes = make_cluster_sizes(draft, sl_fanout_size(&accel->fanouts[level]), &n);
    char name[64];
    snprintf(name, sizeof name, "%s cluster", level_name(draft, level));
    SlParam *param = sl_draft_param(draft, SL_ROLE_CLUSTER, level, name);
    if (!param) return;
    param->n = n;
    param->sizes = sizes;
}

// every accelerator has a native space; lists of every size must stay short
static SlStatus check_lengths(const SlSpace *space, SlError *err) {
    const SlAccel *accel = space->accel;
    if (space->preset != SL_SPACE_ALL) return SL_OK;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->dims & SL_BIT(d) && space->layer->dims[d] > MAX_EXTENT)
            return sl_fail(err, SL_EINPUT,
                           "the all space lists every tile size, and %s = %lld is above %d; use "
                           "native",
                           sl_dim_names[d], (long long)space->layer->dims[d], MAX_EXTENT);
    for (int l = 1; l < accel->n_levels; l++)
        if (sl_fanout_clusters(accel, l) && sl_fanout_size(&accel->fanouts[l]) > MAX_EXTENT)
            return sl_fail(err, SL_EINPUT,
                           "the all space lists every cluster size, and the %lld instances below "
                           "%s are more than %d; use native",
                           (long long)sl_fanout_size(&accel->fanouts[l]), accel->levels[l].name,
                           MAX_EXTENT);
    return SL_OK;
}

SlStatus sl_space_native(SlSpaceDraft *draft, SlError *err) {
    const SlSpace *space = draft->space;
    const SlAccel *accel = space->accel;
    SlStatus status = check_lengths(space, err);
    if (status != SL_OK) return status;
    const int64_t *sizes[SL_N_DIMS] = {0};
    int n_sizes[SL_N_DIMS] = {0};
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->dims & SL_BIT(d))
            sizes[d] = make_sizes(draft, space->layer->dims[d], &n_sizes[d]);
    if (draft->failed) return SL_OK;

    for (int l = 1; l < accel->n_levels; l++) add_level(draft, l, sizes, n_sizes);
    add_axes_above(draft, accel->n_levels);
    for (int l = 1; l < accel->n_levels; l++)
        if (sl_fanout_clusters(accel, l)) add_cluster_size(draft, l);
    return SL_OK;
}
