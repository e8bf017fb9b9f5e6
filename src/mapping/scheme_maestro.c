// scheme_maestro.c - tiles as MAESTRO sees them: how much space they take, and where it would lose
// work at their edges.
#include "space_inside.h"

// Inputs along one axis in L2, of which `extent` outputs are cut into pieces of `tile`, one per
// cluster: neighbours do not share halos.
static int64_t apart(int64_t extent, int64_t tile, int64_t taps, int64_t stride) {
    int64_t rest = extent % tile, full = extent / tile * sl_scheme_window(tile, taps, stride, 1);
    return rest > 0 ? full + sl_scheme_window(rest, taps, stride, 1) : full;
}

double sl_scheme_maestro_bytes(const SlSpace *space, const SlScheme *scheme, int level,
                               double share[SL_N_TENSORS]) {
    const double *word = space->word_bytes[level];
    bool innermost = level == space->accel->n_levels - 1;
    int64_t e[SL_N_DIMS], tile[SL_N_DIMS]; // of the level, of one cluster
    for (int d = 0; d < SL_N_DIMS; d++) {
        e[d] = tile[d] = sl_scheme_extent(scheme, level, d);
        if (scheme->clusters[level] == d) tile[d] = sl_smaller(scheme->tile[level][d], e[d]);
    }
    double rows = (double)apart(e[SL_P], tile[SL_P], e[SL_R], space->stride[0]);
    double columns = (double)apart(e[SL_Q], tile[SL_Q], e[SL_S], space->stride[1]);
    // outputs take as much space as inputs in L1, and lie at stride 1 in L2; those of groups are
    // apart for every input channel
    double outputs = rows * columns;
    if (!innermost)
        outputs = (double)(e[SL_P] * e[SL_Q]) * (double)(space->stride[0] * space->stride[1]);
    if (space->layer->dims[SL_G] > 1) outputs *= (double)e[SL_C];
    double groups = (double)e[SL_G], bytes[SL_N_TENSORS];
    bytes[SL_W] = word[SL_W] * groups * (double)(e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S]);
    bytes[SL_I] = word[SL_I] * groups * (double)(e[SL_N] * e[SL_C]) * rows * columns;
    bytes[SL_O] = word[SL_O] * groups * (double)(e[SL_N] * e[SL_K]) * outputs;
    for (int t = 0; t < SL_N_TENSORS && share; t++) share[t] = bytes[t];
    return bytes[SL_W] + bytes[SL_I] + bytes[SL_O];
}

// --- edges

static bool slides(const SlSpace *space, int dim) {
    const int64_t *e = space->layer->dims;
    return (dim == SL_P && e[SL_R] > 1) || (dim == SL_Q && e[SL_S] > 1);
}

// Are MACs miscounted if `n` clusters walk over an extent in tiles of `tile`? In the last step
// a partial tile is forgotten unless it is alone, and a window that is alone is taken for its
// inputs.
static bool loses_work(int64_t extent, int64_t tile, int64_t n, bool window) {
    int64_t rest = extent % (tile * n);
    if (extent <= tile * n || rest == 0) return false;
    if (window && rest < 2 * tile) return true;
    return rest > tile && rest % tile != 0;
}

enum { MOST_STEPS = 4096 }; // smaller tiles that are looked at

// what the parameters allow, and how far to look
static int64_t least_tile(const SlSpace *space, const SlScheme *scheme, int level, int d) {
    int i = space->tile_param[level][d];
    if (i < 0) return INT64_MAX;
    int64_t least = space->params[i].sizes[0], near = scheme->tile[level][d] - MOST_STEPS;
    return near > least ? near : least;
}

// the next smaller tile of the clusters that loses nothing
static void mend_clusters(const SlSpace *space, int level, SlScheme *scheme) {
    int d = scheme->clusters[level];
    int64_t n = scheme->n_clusters[level], whole = scheme->tile[level - 1][d];
    int64_t least = least_tile(space, scheme, level, d);
    bool window = slides(space, d);
    for (int64_t tile = scheme->tile[level][d]; tile >= least; tile--) {
        if (loses_work(whole, tile, n, window)) continue;
        scheme->tile[level][d] = tile;
        return;
    }
}

// Does a PE seem to be done too early if it walks over an extent in tiles of `tile`, `n` PEs side
// by side? The edge of the full extent stands for that of a smaller one, and a partial tile for the
// full one before it.
static bool ends_early(int64_t extent, int64_t edge, int64_t tile, int64_t n) {
    int64_t rest = extent % tile, step = tile * n;
    if (rest > 0 && edge % tile > rest) return true;
    if (n == 1 || extent <= step) return false;
    int64_t left = extent % step;
    return left > tile && left < 2 * tile;
}

static void mend_inside(const SlSpace *space, int level, int d, SlScheme *scheme) {
    int64_t whole = scheme->tile[level - 1][d], outer = scheme->tile[level - 2][d];
    bool over = scheme->clusters[level - 1] == d, inside = scheme->spread[level - 1][0] & SL_BIT(d);
    int64_t n = inside ? scheme->axis[level - 1][0] : 1;
    int64_t edge = outer % (over ? whole * scheme->n_clusters[level - 1] : whole);
    if (over) edge %= whole;
    int64_t least = least_tile(space, scheme, level, d);
    for (int64_t tile = scheme->tile[level][d]; tile >= least; tile--) {
        if (ends_early(whole, edge, tile, n)) continue;
        scheme->tile[level][d] = tile;
        return;
    }
}

void sl_scheme_maestro_mend(const SlSpace *space, SlScheme *scheme) {
    int last = space->accel->n_levels - 1;
    if (last != 2) return;
    if (scheme->clusters[1] < SL_N_DIMS && scheme->n_clusters[1] > 1)
        mend_clusters(space, 1, scheme);
    for (int d = 0; d < SL_N_DIMS; d++) {
        scheme->tile[2][d] = sl_smaller(scheme->tile[2][d], scheme->tile[1][d]);
        if (scheme->tile[2][d] > 1) mend_inside(space, 2, d, scheme);
    }
}
