// bound_open.c - what tile sizes of a level contribute at least while the tiles outside are open.
#include "bound_blocks.h"

#include <math.h>

// The most of a dim that lies in contexts in which the innermost loop above level 2 has a single
// trip. Below one loop outside there is one such context, the edge of level 1; instance 0 sees at
// least as much of it as the others.
static double most_in_edges(const SlBoundWork *work, int d, int64_t tile) {
    const SlBounds *bounds = work->bounds;
    const Role *role = sl_work_role(work, d);
    const TileSizes *sizes = work->sizes[d];
    int64_t extent = bounds->layer->dims[d], unit = tile * role->clusters[2], most = 0;
    for (int i = 0; i <= sizes->n[1]; i++) {
        int64_t outer = i < sizes->n[1] ? sizes->list[1][i] : bounds->start[d];
        int64_t step = unit, left = ceil_div(outer, unit), chunk = outer * role->clusters[1];
        for (int a = 0; a < bounds->accel->fanouts[1].n_axes; a++) {
            int64_t share = min_size(role->most[1][a], left);
            left = ceil_div(left, share);
            step *= share;
        }
        if (outer <= step || chunk >= extent) continue; // the loop has a single trip everywhere
        int64_t edge = extent % chunk;
        if (edge <= step && edge > most) most = edge;
    }
    return (double)most;
}

// What a tile of `tile` contributes whatever the tiles outside: tiles of the level have at most
// `reach` indices of the dim, so there are at least extent / reach of them in all, and in those of
// instance 0 at least its share.
static void any_factors(const SlBoundWork *work, int d, int level, int64_t tile, Factors *out) {
    const SlBounds *bounds = work->bounds;
    const Role *role = sl_work_role(work, d);
    double extent = (double)bounds->layer->dims[d], reach = (double)(tile * role->clusters[level]);
    double above = sl_role_instances(bounds, role, 1, level - 1);
    double all = ceil(extent / reach), first = ceil(extent / (reach * above));
    double stays = level == 2 ? most_in_edges(work, d, tile) : extent;
    double share = ceil(extent / above), share_moved = above > 1 ? 0 : extent - stays;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        bool shared = work->tables.shared[level][t] != 0;
        if (is_relevant(d, t)) {
            out->plain[t] = out->still[t] = (Lanes){extent, extent, share, share};
            out->near[t] = (Lanes){extent - stays, extent - stays, share_moved, share_moved};
        } else {
            out->plain[t] = (Lanes){all, shared ? first : all, first, first};
            out->near[t] = out->still[t] = (Lanes){1, 1, 1, 1};
        }
        out->mac[t] = (Lanes){0, 0, 0, 0};
        out->first[t] = 0;
    }
    out->first_more = 0;
    out->inst = 1;
}

// every size that a tile of a level up to this one may have
static int any_tiles(const SlBoundWork *work, int d, int level, int64_t *tiles) {
    const TileSizes *sizes = work->sizes[d];
    int n = 0;
    for (int l = 1; l <= level; l++) {
        for (int i = 0; i < sizes->n[l]; i++) tiles[n++] = sizes->list[l][i];
    }
    tiles[n++] = work->bounds->start[d];
    return sl_sort_unique(n, tiles);
}

enum {
    ASK_STEP = 64
}; // options between two questions whether to stop: each looks at all tiles
   // outside

static Block *build_any(SlBoundWork *work, int d, int level) {
    const SlBounds *bounds = work->bounds;
    const Role *role = sl_work_role(work, d);
    int room = 1, n = 0;
    for (int l = 1; l <= level; l++) room += work->sizes[d]->n[l];
    int64_t *tiles = sl_work_take(work, (size_t)room, sizeof *tiles);
    Block *block = sl_work_take(work, 1, sizeof *block);
    if (!tiles || !block) return NULL;
    int n_tiles = any_tiles(work, d, level, tiles);
    while (n < n_tiles && (n == 0 || sl_fits_alone(bounds, d, level, tiles[n]))) n++;
    if (!sl_block_lists(work, n, block)) return NULL;
    double above = sl_role_instances(bounds, role, 1, level - 1) * (double)role->clusters[level];
    block->rest_extent = 0;
    for (int i = n - 1; i >= 0; i--) {
        if (i % ASK_STEP == ASK_STEP - 1 && sl_work_interrupted(work)) return NULL;
        Option *option = &block->list[i];
        option->tile = option->extent = tiles[i];
        option->active = option->moves = tiles[i] < bounds->layer->dims[d];
        option->rests = (double)tiles[i] * above >= (double)bounds->layer->dims[d];
        if (option->rests) block->rest_extent = option->extent;
        any_factors(work, d, level, tiles[i], &option->own);
    }
    sl_block_least(block, false);
    return block;
}

const Block *sl_block_any(SlBoundWork *work, int d, int level) {
    Key key = sl_key(KIND_BLOCK_ANY, d, level, work->branch->role[d]);
    const Block *block = sl_work_recall(work, &key);
    if (block) return block;
    block = build_any(work, d, level);
    if (block) sl_work_keep(work, &key, block);
    return work->failed ? NULL : block;
}

enum { MAX_ANY_PAIRS = 1 << 14 };

// most of sum max(0, tile - reduce) over tiles of at most `reach` that make up `extent`
static double most_excess(double extent, double reach, double reduce) {
    double whole = floor(extent / reach), edge = extent - whole * reach;
    return extent - whole * fmin(reach, reduce) - fmin(edge, reduce);
}

// Pairs of tiles with everything outside open: volumes in closed form; what is fetched anew is
// tried for all tiles outside, if they are not too many and lie in one level.
typedef struct {
    int group, level;
    const Block *any[2];
    PairBlock *pair;
    bool walked;
} PairAny;

static double reach_of(const SlBoundWork *work, int d, int level, int64_t tile) {
    return (double)(tile * sl_work_role(work, d)->clusters[level]);
}

static void any_volumes(const SlBoundWork *work, PairAny *any) {
    const SlBounds *bounds = work->bounds;
    const uint8_t *dims = WINDOW_DIMS[any->group];
    double e[2],
        reduce[2] = {(double)bounds->dilation[any->group], (double)bounds->stride[any->group]};
    bool split = false;
    for (int k = 0; k < 2; k++) {
        e[k] = (double)bounds->layer->dims[dims[k]];
        split |= sl_work_role(work, dims[k])->spread_above[any->level];
    }
    for (int i = 0; i < any->pair->n[0]; i++) {
        for (int j = 0; j < any->pair->n[1]; j++) {
            double a = reach_of(work, dims[0], any->level, any->any[0]->list[i].tile);
            double b = reach_of(work, dims[1], any->level, any->any[1]->list[j].tile);
            double words = e[0] * e[1] - most_excess(e[0], fmin(a, e[0]), reduce[0]) *
                                             most_excess(e[1], fmin(b, e[1]), reduce[1]);
            PairFactors *own = &any->pair->own[i * any->pair->n[1] + j];
            own->plain = (Lanes){words, words, split ? 0 : words, split ? 0 : words};
            if (any->walked) continue;
            own->near[0] = own->near[1] = (Lanes){0, 0, 0, 0};
            // one tap: rows are a dim like any other
            if (e[1] == 1) own->near[0] = any->any[0]->list[i].own.near[SL_I];
        }
    }
}

static int index_of(const Block *block, int64_t tile) {
    int low = 0, high = block->n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (block->list[middle].tile < tile)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// one pair of chains: tiles[k][0..level]
static void try_pair(SlBoundWork *work, PairAny *any, int64_t tiles[2][MAX_CHIP + 2]) {
    const uint8_t *dims = WINDOW_DIMS[any->group];
    int level = any->level;
    Lanes states[MAX_STATES * MAX_STATES];
    bool moves[2][MAX_CHIP] = {{false}};
    sl_pair_states(work, any->group, level, states);
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < level; s++)
            moves[k][s] = sl_loop_in(&work->tables.dims[dims[k]], level, s);
    int i = index_of(any->any[0], tiles[0][level]), j = index_of(any->any[1], tiles[1][level]);
    PairFactors *own = &any->pair->own[i * any->pair->n[1] + j];
    for (int k = 0; k < 2; k++) {
        Lanes near;
        sl_window_near(states, level, k, moves, &near);
        SL_LEAST(own->near[k], near);
    }
}

// all tiles of dim k of the group in levels l..; then those of the other dim
static void try_chains(SlBoundWork *work, PairAny *any, int k, int l,
                       int64_t tiles[2][MAX_CHIP + 2]) {
    int d = WINDOW_DIMS[any->group][k];
    const TileSizes *sizes = work->sizes[d];
    const Block *known = any->any[k];
    if (l > any->level) {
        sl_build_loops(work, d, any->level, tiles[k]);
        if (k == 1)
            try_pair(work, any, tiles);
        else
            try_chains(work, any, 1, 1, tiles);
        return;
    }
    int n = sl_sizes_below(sizes, l, tiles[k][l - 1], NULL);
    for (int i = 0; i < n; i++) {
        bool own = i < sizes->n[l] && sizes->list[l][i] < tiles[k][l - 1];
        tiles[k][l] = own ? sizes->list[l][i] : tiles[k][l - 1];
        // beyond the last option nothing fits
        if (l == any->level && tiles[k][l] > known->list[known->n - 1].tile) return;
        try_chains(work, any, k, l + 1, tiles);
    }
}

static double n_chains(const SlBoundWork *work, int d, int level) {
    double n = 1;
    for (int l = 1; l <= level; l++) n *= 1 + work->sizes[d]->n[l];
    return n;
}

const PairBlock *sl_pair_any(SlBoundWork *work, int group, int level) {
    const uint8_t *dims = WINDOW_DIMS[group];
    Key key = sl_key(KIND_PAIR_ANY, group, level, work->branch->role[dims[0]]);
    key.word[2] = work->branch->role[dims[1]];
    const PairBlock *known = sl_work_recall(work, &key);
    if (known) return known;
    PairAny any = {.group = group, .level = level};
    for (int k = 0; k < 2; k++)
        if (!(any.any[k] = sl_block_any(work, dims[k], level))) return NULL;
    any.pair = sl_pair_take(work, any.any[0]->n, any.any[1]->n);
    if (!any.pair) return NULL;
    any.walked = work->bounds->layer->dims[dims[1]] > 1 &&
                 n_chains(work, dims[0], level) * n_chains(work, dims[1], level) <= MAX_ANY_PAIRS;
    int64_t tiles[2][MAX_CHIP + 2] = {{work->bounds->start[dims[0]]},
                                      {work->bounds->start[dims[1]]}};
    if (any.walked) try_chains(work, &any, 0, 1, tiles);
    any_volumes(work, &any);
    sl_pair_least(any.pair);
    sl_work_keep(work, &key, any.pair);
    return work->failed ? NULL : any.pair;
}
