// bound_sizes.c - the tile sizes that a branch leaves to a dim, listed when a walk comes to it.
#include "bound_blocks.h"

#include <stdlib.h>
#include <string.h>

const SlParam *sl_tile_param(const SlSpace *space, int level, int d) {
    int i = space->tile_param[level][d];
    return i < 0 ? NULL : &space->params[i];
}

// what a fan-out takes at a time of a tile cut into pieces of `unit`
static int64_t wave_of(const SlAccel *accel, const Role *role, int level, int64_t tile,
                       int64_t unit) {
    int64_t left = ceil_div(tile, unit), wave = unit;
    for (int a = 0; a < accel->fanouts[level].n_axes; a++) {
        int64_t share = min_size(role->most[level][a], left);
        left = ceil_div(left, share);
        wave *= share;
    }
    return wave;
}

static bool on_axes(const SlAccel *accel, const Role *role, int level) {
    for (int a = 0; a < accel->fanouts[level].n_axes; a++)
        if (role->most[level][a] > 1) return true;
    return false;
}

int sl_sort_unique(int n, int64_t *list) {
    for (int gap = n / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < n; i++) {
            int64_t x = list[i];
            int j = i;
            for (; j >= gap && list[j - gap] > x; j -= gap) list[j] = list[j - gap];
            list[j] = x;
        }
    }
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
    return kept;
}

// the sizes of the space and whole waves of each, into `list`; returns how many differ
static int list_waves(const SlBoundWork *work, int d, int level, const TileSizes *known,
                      int64_t *list) {
    const SlBounds *bounds = work->bounds;
    const SlParam *param = sl_tile_param(bounds->space, level, d);
    const Role *role = sl_work_role(work, d);
    bool last = level == bounds->n_chip;
    int n = param->n, n_units = last ? 1 : known->n[level + 1];
    int64_t most = param->sizes[param->n - 1];
    memcpy(list, param->sizes, (size_t)n * sizeof *list);
    for (int i = 0; i < param->n; i++) {
        for (int j = 0; j < n_units; j++) {
            int64_t unit = last ? 1 : known->list[level + 1][j] * role->clusters[level + 1];
            int64_t wave = wave_of(bounds->accel, role, level, param->sizes[i], unit);
            int64_t rounded = ceil_div(param->sizes[i], wave) * wave;
            if (rounded <= most) list[n++] = rounded;
        }
    }
    return sl_sort_unique(n, list);
}

static bool keep_waves(SlBoundWork *work, int d, int level, TileSizes *known) {
    const SlParam *param = sl_tile_param(work->bounds->space, level, d);
    size_t n_units = level == work->bounds->n_chip ? 1 : (size_t)known->n[level + 1];
    int64_t *list = malloc((size_t)param->n * (1 + n_units) * sizeof *list), *kept = NULL;
    int n = list ? list_waves(work, d, level, known, list) : 0;
    if (list) kept = sl_work_take(work, (size_t)n, sizeof *kept);
    if (kept) memcpy(kept, list, (size_t)n * sizeof *kept);
    free(list);
    known->n[level] = n;
    known->list[level] = kept;
    return kept;
}

// the list of the space, and whole waves where the tile is spread further
static bool list_sizes(SlBoundWork *work, int d, int level, TileSizes *known) {
    const SlBounds *bounds = work->bounds;
    const SlParam *param = sl_tile_param(bounds->space, level, d);
    const Role *role = sl_work_role(work, d);
    known->n[level] = 0;
    known->list[level] = NULL;
    if (!param) return true;
    bool waves = bounds->space->preset == SL_SPACE_NATIVE && on_axes(bounds->accel, role, level);
    if (waves) return keep_waves(work, d, level, known);
    known->n[level] = param->n;
    known->list[level] = param->sizes;
    return true;
}

const TileSizes *sl_sizes_get(SlBoundWork *work, int d) {
    Key key = sl_key(KIND_SIZES, d, 0, work->branch->role[d]);
    const TileSizes *kept = sl_work_recall(work, &key);
    if (kept) return kept;
    TileSizes *known = sl_work_take(work, 1, sizeof *known);
    bool listed = known != NULL;
    for (int l = work->bounds->n_chip; l >= 1 && listed; l--)
        listed = list_sizes(work, d, l, known);
    work->failed |= !listed;
    if (listed) sl_work_keep(work, &key, known);
    return work->failed ? NULL : known;
}

int sl_sizes_below(const TileSizes *known, int level, int64_t whole, int64_t *sizes) {
    int n = 0;
    for (; n < known->n[level] && known->list[level][n] < whole; n++)
        if (sizes) sizes[n] = known->list[level][n];
    if (n < known->n[level] || known->n[level] == 0) {
        if (sizes) sizes[n] = whole;
        n++;
    }
    // a list that ends below the whole still offers its sizes
    return n;
}

int sl_bounds_sizes(SlBoundWork *work, int i, int level, int dim, int64_t whole, int64_t *sizes) {
    work->failed = false;
    work->branch = &work->bounds->branches[i];
    const TileSizes *known = sl_sizes_get(work, dim);
    return known ? sl_sizes_below(known, level, whole, sizes) : -1;
}
