// bound_chain.c - the loops of one dim from its tiles, level by level, as a scheme's nest has them.
#include "bound_inside.h"

#include <math.h>

int64_t sl_chain_extent(const Role *role, int level, const int64_t *tiles) {
    int64_t n = role->clusters[level], whole = tiles[level - 1], tile = tiles[level];
    return tile >= ceil_div(whole, n) ? whole : tile * n;
}

double sl_role_instances(const SlBounds *bounds, const Role *role, int from, int to) {
    double n = 1;
    for (int f = from; f <= to; f++) {
        n *= (double)role->clusters[f];
        for (int a = 0; a < bounds->accel->fanouts[f].n_axes; a++) n *= (double)role->most[f][a];
    }
    return n;
}

void sl_role_macs(const SlBounds *bounds, int d, const Role *role, double steps, Lanes *out) {
    double extent = (double)bounds->layer->dims[d];
    int macs = bounds->n_chip + 1;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        // one read may serve all instances below the level that is read
        int parent = bounds->parent[macs][t];
        double sharing = parent > 0 ? sl_role_instances(bounds, role, parent, bounds->n_chip)
                                    : sl_role_instances(bounds, role, 1, bounds->n_chip);
        double once = is_relevant(d, t) ? extent : ceil(extent / sharing);
        out[t] = (Lanes){extent, once, steps, steps};
    }
}

// The loops so far and the extent inside them.
typedef struct {
    DimLoop *loops;
    int n;
    int64_t extent;
} Chain;

static void put(Chain *chain, int64_t tile, int segment, bool spatial) {
    if (tile >= chain->extent) return;
    chain->loops[chain->n++] = (DimLoop){tile, (uint8_t)segment, spatial};
    chain->extent = tile;
}

// the loops between level l - 1 and level l; `unit` is the extent of what is inside
static void put_segment(const SlAccel *accel, const Role *role, const int64_t *tiles, int l,
                        int64_t unit, Chain *chain) {
    int above = l - 1, n_axes = accel->fanouts[above].n_axes;
    int64_t share[SL_MAX_AXES], left = ceil_div(tiles[above], unit), step = unit;
    for (int a = 0; a < n_axes; a++) {
        share[a] = min_size(role->most[above][a], left);
        left = ceil_div(left, share[a]);
        step *= share[a];
    }
    if (role->clusters[above] > 1) put(chain, tiles[above], above, true);
    put(chain, step, above, false);
    for (int a = 0; a < n_axes; a++) {
        if (share[a] == 1) continue;
        int64_t tile = unit;
        for (int b = a + 1; b < n_axes; b++) tile *= share[b];
        put(chain, tile, above, true);
    }
}

int sl_chain_loops(const SlBounds *bounds, int d, const Role *role, const int64_t *tiles, int level,
                   DimLoop *loops) {
    Chain chain = {loops, 0, bounds->layer->dims[d]};
    if (has(bounds->space->outermost, d)) put(&chain, 1, 0, false);
    for (int l = 1; l <= level; l++) {
        int64_t unit = l > bounds->n_chip ? 1 : sl_chain_extent(role, l, tiles);
        put_segment(bounds->accel, role, tiles, l, unit, &chain);
    }
    return chain.n;
}
