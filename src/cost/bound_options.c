// bound_options.c - what every tile size of a dim contributes at a level, below given tiles.
//
// The factors of a dim depend on its own tiles and spread alone, so a list of options is shared by
// all branches and nodes in which the dim has the same role and the same tiles outside.
#include "bound_blocks.h"

#include <math.h>
#include <string.h>

INLINE Lanes factor_of(Tables *tables, int d, int level, int wrapped, int tensor) {
    Entry *entry = &tables->entries[tables->dims[d].levels[level].entry + wrapped];
    if (!(entry->ready >> tensor & 1)) sl_dim_factor(tables, d, level, wrapped, tensor);
    return entry->factor[tensor];
}

int sl_wrapped_from(const DimTable *dim, int level, int s) {
    int n = 0;
    for (int i = 0; i < dim->levels[level].above; i++)
        n += !dim->loops[i].spatial && dim->loops[i].segment >= s;
    return n;
}

bool sl_loop_in(const DimTable *dim, int level, int s) {
    return sl_wrapped_from(dim, level, s) > sl_wrapped_from(dim, level, s + 1);
}

static void take_least(Factors *a, const Factors *b) {
    for (int t = 0; t < SL_N_TENSORS; t++) {
        SL_LEAST(a->plain[t], b->plain[t]);
        SL_LEAST(a->near[t], b->near[t]);
        SL_LEAST(a->still[t], b->still[t]);
        SL_LEAST(a->mac[t], b->mac[t]);
        if (b->first[t] < a->first[t]) a->first[t] = b->first[t];
    }
    if (b->first_more < a->first_more) a->first_more = b->first_more;
}

// a relevant tensor: what is fetched anew when the innermost loop of the dim wraps, at least
static void set_near(Tables *tables, int d, int level, int tensor, Option *option) {
    int n = tables->dims[d].levels[level].temporal;
    Lanes most = {0, 0, 0, 0};
    for (int w = 1; w <= n; w++) {
        Lanes stays = factor_of(tables, d, level, w, tensor);
        for (int k = 0; k < N_LANES; k++)
            if (stays[k] > most[k]) most[k] = stays[k];
    }
    option->own.near[tensor] = option->own.plain[tensor] - most;
    option->ratio[tensor] = 1;
    for (int k = 0; k < N_LANES; k++) {
        double plain = option->own.plain[tensor][k], near = option->own.near[tensor][k];
        if (near < option->ratio[tensor] * plain) option->ratio[tensor] = near / plain;
        if (near < 0) option->own.near[tensor][k] = 0;
    }
    if (option->ratio[tensor] < 0) option->ratio[tensor] = 0;
}

static void set_tensor(Tables *tables, int d, int level, int tensor, Option *option) {
    const DimTable *dim = &tables->dims[d];
    bool window = tensor == SL_I && d >= SL_P; // its factors come in pairs
    for (int s = level; s >= 0; s--)
        option->state[s][tensor] =
            factor_of(tables, d, level, window ? 0 : sl_wrapped_from(dim, level, s), tensor);
    Factors *own = &option->own;
    own->plain[tensor] = own->near[tensor] = own->still[tensor] = option->state[level][tensor];
    option->ratio[tensor] = 0;
    if (is_relevant(d, tensor)) {
        if (!window && option->active) set_near(tables, d, level, tensor, option);
    } else {
        own->near[tensor] = option->state[level - 1][tensor];
        own->still[tensor] = option->state[0][tensor];
    }
}

void sl_build_loops(SlBoundWork *work, int d, int level, const int64_t *tiles) {
    const SlBounds *bounds = work->bounds;
    DimLoop loops[SL_MAX_LOOPS];
    int upto = level == bounds->n_chip ? level + 1 : level;
    int n = sl_chain_loops(bounds, d, sl_work_role(work, d), tiles, upto, loops);
    sl_dim_build(&work->tables, d, bounds->layer->dims[d], n, loops);
}

// The extents that instance 0 of a level sees, and how often.
typedef struct {
    int n;
    double extent[SL_MAX_LOOPS + 1], times[SL_MAX_LOOPS + 1];
} FirstContexts;

static void contexts_of_first(const DimTable *dim, int level, FirstContexts *out) {
    out->n = 1;
    out->extent[0] = (double)dim->extent;
    out->times[0] = 1;
    for (int i = 0; i < dim->levels[level].above; i++) {
        double tile = (double)dim->loops[i].tile, full = 0;
        int n = 0;
        for (int k = 0; k < out->n; k++) {
            double whole = floor(out->extent[k] / tile), edge = out->extent[k] - whole * tile;
            if (dim->loops[i].spatial) {
                out->extent[k] = fmin(tile, out->extent[k]);
                continue;
            }
            full += out->times[k] * whole;
            if (edge == 0) continue;
            out->extent[n] = edge;
            out->times[n++] = out->times[k];
        }
        if (dim->loops[i].spatial) continue;
        if (full > 0) {
            out->extent[n] = tile;
            out->times[n++] = full;
        }
        out->n = n;
    }
}

// The MACs with deeper tiles open. Instance 0 of the level goes through its contexts; in each its
// first cluster has at most a tile, shared by no more instances than the role allows.
static void least_macs(const SlBoundWork *work, int d, int level, const int64_t *tiles,
                       Lanes out[SL_N_TENSORS]) {
    const SlBounds *bounds = work->bounds;
    const Role *role = sl_work_role(work, d);
    // clusters of the level itself are in its tile already
    double below =
        sl_role_instances(bounds, role, level, bounds->n_chip) / (double)role->clusters[level];
    double steps = 0;
    const DimTable *dim = &work->tables.dims[d];
    FirstContexts contexts;
    contexts_of_first(dim, level, &contexts);
    for (int i = 0; i < contexts.n; i++)
        steps += contexts.times[i] * ceil(fmin((double)tiles[level], contexts.extent[i]) / below);
    sl_role_macs(bounds, d, role, steps, out);
}

static void build_option(SlBoundWork *work, int d, int level, const int64_t *tiles,
                         Option *option) {
    Tables *tables = &work->tables;
    bool last = level == work->bounds->n_chip;
    Lanes below[SL_N_TENSORS];
    sl_build_loops(work, d, level, tiles);
    if (!last) least_macs(work, d, level, tiles, below);
    const DimTable *dim = &tables->dims[d];
    const DimLevel *view = &dim->levels[level];
    option->tile = tiles[level];
    option->extent = sl_chain_extent(sl_work_role(work, d), level, tiles);
    option->active = view->temporal > 0;
    option->rests = !option->active;
    option->moves = sl_loop_in(dim, level, level - 1);
    option->own.inst = view->inst;
    option->own.first_more = view->first_excess;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        set_tensor(tables, d, level, t, option);
        option->own.first[t] = view->first[t];
        option->own.mac[t] = last ? factor_of(tables, d, work->bounds->n_chip + 1, 0, t) : below[t];
    }
}

// ---- lists of options ----

static void set_nothing(Factors *out) {
    for (int t = 0; t < SL_N_TENSORS; t++) {
        out->plain[t] = out->near[t] = out->still[t] = out->mac[t] =
            (Lanes){INFINITY, INFINITY, INFINITY, INFINITY};
        out->first[t] = INFINITY;
    }
    out->first_more = INFINITY;
    out->inst = 0;
}

bool sl_block_lists(SlBoundWork *work, int n, Block *block) {
    block->n = n;
    block->list = sl_work_take(work, (size_t)n, sizeof *block->list);
    Factors *least = sl_work_take(work, 2 * (size_t)n, sizeof *least);
    block->least = least;
    block->least_class = least + n;
    return block->list && least;
}

void sl_block_least(Block *block, bool strict) {
    Factors all, of_class;
    set_nothing(&all);
    set_nothing(&of_class);
    block->first_class = block->n;
    for (int i = 0; i < block->n; i++) {
        const Option *option = &block->list[i];
        bool counts = strict ? option->moves : option->active;
        take_least(&all, &option->own);
        if (counts) take_least(&of_class, &option->own);
        if (counts && block->first_class == block->n) block->first_class = i;
        block->least[i] = all;
        block->least_class[i] = of_class;
    }
}

bool sl_fits_alone(const SlBounds *bounds, int d, int level, int64_t extent) {
    int64_t e[SL_N_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1},
            room = bounds->accel->levels[level].capacity_bytes;
    e[d] = extent;
    return room == 0 || sl_level_bytes(bounds, level, e) <= (double)room;
}

// Is `a`, the smaller tile, at least as good as `b` in every mapping? Then it takes no more space,
// no more steps, moves no more in any state of a dim that indexes a tensor, and the same where it
// does not. Rows and columns of windows are not compared.
static bool makes_needless(const SlBounds *bounds, int d, const Option *a, const Option *b) {
    if (a->moves != b->moves || a->active != b->active || a->own.inst != b->own.inst) return false;
    if (d >= SL_P || a->extent > b->extent) return false;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (a->own.first[t] > b->own.first[t]) return false;
        bool relevant = is_relevant(d, t);
        for (int k = 0; k < N_LANES; k++) {
            if (a->own.mac[t][k] > b->own.mac[t][k]) return false;
            for (int s = 0; s <= bounds->n_chip; s++) {
                double x = a->state[s][t][k], y = b->state[s][t][k];
                bool good = !relevant ? x == y : s == bounds->n_chip ? x <= y : x >= y;
                if (!good) return false;
            }
        }
    }
    return true;
}

// drop tiles of the innermost level that a smaller one makes needless
static int drop_needless(const SlBounds *bounds, int d, int n, Option *list) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool needless = kept > 0 && makes_needless(bounds, d, &list[kept - 1], &list[i]);
        if (!needless) list[kept++] = list[i];
    }
    return kept;
}

enum { ASK_STEP = 1024 }; // options between two questions whether to stop

static Block *build_block(SlBoundWork *work, int d, int level, const int64_t *tiles) {
    const SlBounds *bounds = work->bounds;
    const Role *role = sl_work_role(work, d);
    int n = sl_sizes_below(work->sizes[d], level, tiles[level - 1], NULL), kept = 0;
    int64_t *sizes = sl_work_take(work, (size_t)n, sizeof *sizes), chain[MAX_CHIP + 2];
    Block *block = sl_work_take(work, 1, sizeof *block);
    if (!sizes || !block) return NULL;
    sl_sizes_below(work->sizes[d], level, tiles[level - 1], sizes);
    memcpy(chain, tiles, (size_t)level * sizeof *chain);
    for (; kept < n; kept++) {
        chain[level] = sizes[kept];
        if (kept > 0 && !sl_fits_alone(bounds, d, level, sl_chain_extent(role, level, chain)))
            break;
    }
    if (!sl_block_lists(work, kept, block)) return NULL;
    for (int i = 0; i < kept; i++) {
        if (i % ASK_STEP == ASK_STEP - 1 && sl_work_interrupted(work)) return NULL;
        chain[level] = sizes[i];
        build_option(work, d, level, chain, &block->list[i]);
    }
    if (level == bounds->n_chip && work->thrifty)
        block->n = kept = drop_needless(bounds, d, kept, block->list);
    block->rest_extent = 0;
    for (int i = kept - 1; i >= 0; i--)
        if (block->list[i].rests) block->rest_extent = block->list[i].extent;
    sl_block_least(block, level == bounds->n_chip);
    return block;
}

const Block *sl_block_get(SlBoundWork *work, int d, int level, const int64_t *tiles) {
    Key key = sl_key(KIND_BLOCK, d, level, work->branch->role[d]);
    for (int l = 1; l < level; l++) key.word[2 + l] = tiles[l];
    key.word[2] = work->thrifty;
    const Block *block = sl_work_recall(work, &key);
    if (block) return block;
    block = build_block(work, d, level, tiles);
    if (block) sl_work_keep(work, &key, block);
    return work->failed ? NULL : block;
}
