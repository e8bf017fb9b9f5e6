// counts.c - all counts of a nest from the factors of its dims: a scan over the loop order.
//
// count = V - sum over temporal loops j of OV(j): the words of all steps minus what the old tile
// and the new one share when j advances. Both are products over dims (docs/model.md).
#include "counts.h"

#include <assert.h>
#include <string.h>

// factors with every loop kept are always there, those with wrapped loops when first needed
INLINE Lanes kept(const Tables *tables, int d, int level, int tensor) {
    return tables->entries[tables->dims[d].levels[level].entry].factor[tensor];
}

INLINE Lanes factor(Tables *tables, int d, int level, int wrapped, int tensor) {
    Entry *entry = &tables->entries[tables->dims[d].levels[level].entry + wrapped];
    if (!(entry->ready >> tensor & 1)) sl_dim_factor(tables, d, level, wrapped, tensor);
    return entry->factor[tensor];
}

INLINE Lanes window(Tables *tables, int group, int level, int state_a, int state_b) {
    WindowMemo *memo = tables->windows[group].memo;
    int across = 2 * tables->dims[WINDOW_DIMS[group][1]].levels[level].temporal + 1;
    int slot = state_a * across + state_b;
    if (!memo) {
        Lanes value;
        sl_window_factor(tables, group, level, state_a, state_b, &value);
        return value;
    }
    if (memo->stamp[level][slot] != memo->age) {
        sl_window_factor(tables, group, level, state_a, state_b, &memo->slot[level][slot]);
        memo->stamp[level][slot] = memo->age;
    }
    return memo->slot[level][slot];
}

// no lane sums over more instances than `fill` does
INLINE bool all_zero(Lanes x) {
    return x[LANE_FILL] == 0;
}

INLINE int wrapped_in(uint64_t mask, uint64_t below) {
    return __builtin_popcountll(mask & below);
}

// bits of the positions inside of the first loop in `mask`; all bits if there is none
INLINE uint64_t inside_first(uint64_t mask) {
    return mask ? (mask & -mask) - 1 : ~UINT64_C(0);
}

static const uint8_t RELEVANT[SL_N_TENSORS][5] = {
    {SL_G, SL_K, SL_C, SL_R, SL_S},
    {SL_N, SL_G, SL_C}, // and the windows
    {SL_N, SL_G, SL_K, SL_P, SL_Q},
};
static const uint8_t IRRELEVANT[SL_N_TENSORS][3] = {
    {SL_N, SL_P, SL_Q},
    {SL_K},
    {SL_C, SL_R, SL_S},
};

// W and O. A relevant loop that advances moves to a disjoint tile, so only irrelevant loops
// overlap, and a run of them telescopes: the sum over its loops is R x (C before - C after).
INLINE Lanes count_plain(Tables *tables, int level, int tensor) {
    const uint8_t *relevant = RELEVANT[tensor], *irrelevant = IRRELEVANT[tensor];
    int inside = tables->inside[level];
    uint64_t loops = 0, mask[3];
    for (int i = 0; i < 5; i++) loops |= tables->mask[relevant[i]];
    for (int i = 0; i < 3; i++) mask[i] = tables->mask[irrelevant[i]] >> inside;
    loops >>= inside;
    uint64_t below = inside_first(loops);
    Lanes others = factor(tables, irrelevant[0], level, wrapped_in(mask[0], below), tensor) *
                   factor(tables, irrelevant[1], level, wrapped_in(mask[1], below), tensor) *
                   factor(tables, irrelevant[2], level, wrapped_in(mask[2], below), tensor);
    Lanes count = tables->prepared.reach[level][tensor] * others;
    uint8_t wrapped[SL_N_DIMS] = {0};
    while (loops) {
        // the next relevant loop wraps; with exact tiles nothing overlaps from here on
        int d = tables->dim_at[inside + __builtin_ctzll(loops)];
        loops &= loops - 1;
        wrapped[d]++;
        if (all_zero(factor(tables, d, level, wrapped[d], tensor))) break;
        Lanes product = {1, 1, 1, 1}, next = {1, 1, 1, 1};
        for (int i = 0; i < 5; i++)
            product *= factor(tables, relevant[i], level, wrapped[relevant[i]], tensor);
        below = inside_first(loops);
        for (int i = 0; i < 3; i++)
            next *= factor(tables, irrelevant[i], level, wrapped_in(mask[i], below), tensor);
        count -= product * (others - next);
        others = next;
    }
    return count;
}

// Where the scan stands in one window group.
typedef struct {
    int state[2]; // twice the wrapped loops of each dim
    bool stale;   // `value` is still to be found
    Lanes value;  // overlap with these loops wrapped
} WindowScan;

INLINE Lanes window_now(Tables *tables, int group, int level, bool lazy, WindowScan *scan) {
    if (lazy && scan->stale) {
        scan->value = window(tables, group, level, scan->state[0], scan->state[1]);
        scan->stale = false;
    }
    return scan->value;
}

// I: dims N, G, C alone, K irrelevant, P with R and Q with S as windows. `lazy`: overlaps that must
// be computed wait until a loop asks for them; looking them up at once is cheaper than waiting.
INLINE Lanes count_input(Tables *tables, int level, bool lazy) {
    const Prepared *prepared = &tables->prepared;
    int inside = tables->inside[level], wrapped[SL_P] = {0};
    Lanes base = prepared->reach[level][SL_I], k = kept(tables, SL_K, level, SL_I);
    WindowScan scan[2] = {{.value = prepared->window[level][0]},
                          {.value = prepared->window[level][1]}};
    Lanes count = base * k * scan[0].value * scan[1].value;
    uint64_t loops = 0;
    for (int d = 0; d < SL_N_DIMS; d++) loops |= tables->mask[d];
    for (loops >>= inside; loops; loops &= loops - 1) {
        int d = tables->dim_at[inside + __builtin_ctzll(loops)];
        if (d == SL_K) {
            Lanes next = factor(tables, SL_K, level, ++wrapped[SL_K], SL_I);
            count -= base * (k - next) * window_now(tables, 0, level, lazy, &scan[0]) *
                     window_now(tables, 1, level, lazy, &scan[1]);
            k = next;
        } else if (d < SL_P) {
            if (all_zero(factor(tables, d, level, ++wrapped[d], SL_I))) break;
            base = (Lanes){1, 1, 1, 1};
            for (int i = 0; i < 3; i++) {
                int x = RELEVANT[SL_I][i];
                base *= factor(tables, x, level, wrapped[x], SL_I);
            }
        } else {
            int group = d == SL_Q || d == SL_S, second = d >= SL_R;
            WindowScan *own = &scan[group];
            int *state = own->state;
            Lanes moved = window(tables, group, level, state[0] + !second, state[1] + second);
            count -= base * k * moved * window_now(tables, !group, level, lazy, &scan[!group]);
            state[second] += 2;
            if (lazy)
                own->stale = true;
            else
                own->value = window(tables, group, level, state[0], state[1]);
        }
    }
    return count;
}

INLINE void put_lanes(SlLevelCounts *out, int tensor, Lanes lanes) {
    out->fill[tensor] = lanes[LANE_FILL];
    out->pread[tensor] = lanes[LANE_PREAD];
    out->own0[tensor] = lanes[LANE_OWN0];
    out->srv0[tensor] = lanes[LANE_SRV0];
}

// O: updates at the parent, and partial sums read back for all but the first update of an element
INLINE void put_output(const Tables *tables, int level, Lanes lanes, SlLevelCounts *out) {
    int parent = tables->parent[level][SL_O];
    double firsts = tables->prepared.words_out;
    if (parent > 0)
        for (int i = 0; i < 3; i++) firsts *= tables->dims[IRRELEVANT[SL_O][i]].levels[parent].inst;
    put_lanes(out, SL_O, lanes);
    out->upd = lanes[LANE_PREAD];
    out->upd0 = lanes[LANE_SRV0];
    out->pread[SL_O] = lanes[LANE_PREAD] - firsts;
    out->srv0[SL_O] = lanes[LANE_SRV0] - tables->prepared.reach[level][SL_O][LANE_SRV0];
    out->cov0 = tables->prepared.reach[level][SL_O][LANE_OWN0];
}

// ---- what the order does not change ----

// words of a tile of a window group
INLINE double window_words(const Tables *tables, int g, int level) {
    const DimLevel *a = &tables->dims[WINDOW_DIMS[g][0]].levels[level];
    const DimLevel *b = &tables->dims[WINDOW_DIMS[g][1]].levels[level];
    int64_t more_a = a->tile - tables->windows[g].dilation;
    int64_t more_b = b->tile - tables->windows[g].stride;
    double twice = more_a > 0 && more_b > 0 ? (double)more_a * (double)more_b : 0;
    return (double)a->tile * (double)b->tile - twice;
}

// largest tiles, words of the first step, instances
INLINE void put_sizes(const Tables *tables, int level, SlLevelCounts *out) {
    const DimTable *dims = tables->dims;
    double tile[SL_N_TENSORS] = {1, 1, 1}, first[SL_N_TENSORS] = {1, 1, 1};
    out->inst = out->grid = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        const DimLevel *view = &dims[d].levels[level];
        out->inst *= view->inst;
        out->grid *= view->grid;
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (t == SL_I && d >= SL_P) continue;
            first[t] *= view->first[t];
            if (is_relevant(d, t)) tile[t] *= (double)view->tile;
        }
    }
    for (int g = 0; g < 2; g++) {
        const DimLevel *a = &dims[WINDOW_DIMS[g][0]].levels[level];
        const DimLevel *b = &dims[WINDOW_DIMS[g][1]].levels[level];
        tile[SL_I] *= window_words(tables, g, level);
        first[SL_I] *= a->first[SL_I] * b->first[SL_I] - a->first_excess * b->first_excess;
    }
    memcpy(out->tile, tile, sizeof tile);
    memcpy(out->first, first, sizeof first);
}

INLINE void drop_tensor(SlLevelCounts *out, int tensor) {
    put_lanes(out, tensor, (Lanes){0, 0, 0, 0});
    out->tile[tensor] = out->first[tensor] = 0;
    if (tensor == SL_O) out->upd = out->upd0 = out->cov0 = 0;
}

INLINE void prepare_level(Tables *tables, int level) {
    Prepared *prepared = &tables->prepared;
    SlLevelCounts *out = &prepared->level[level];
    for (int t = 0; t < SL_N_TENSORS; t++) {
        Lanes reach = {1, 1, 1, 1};
        int n = t == SL_I ? 3 : 5;
        for (int i = 0; i < n; i++) reach *= kept(tables, RELEVANT[t][i], level, t);
        prepared->reach[level][t] = reach;
    }
    put_sizes(tables, level, out);
    if (level == tables->n_levels) return;
    for (int g = 0; g < 2; g++) prepared->window[level][g] = window(tables, g, level, 0, 0);
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (!(tables->keep[level] >> t & 1)) drop_tensor(out, t);
}

// the MACs hold nothing, so every iteration at work fetches
INLINE void prepare_macs(Tables *tables) {
    int level = tables->n_levels;
    SlLevelCounts *out = &tables->prepared.level[level];
    for (int t = 0; t < SL_N_TENSORS; t++) {
        Lanes lanes = {1, 1, 1, 1};
        for (int d = 0; d < SL_N_DIMS; d++) lanes *= kept(tables, d, level, t);
        if (t == SL_O)
            put_output(tables, level, lanes, out);
        else
            put_lanes(out, t, lanes);
    }
}

INLINE void prepare(Tables *tables) {
    Prepared *prepared = &tables->prepared;
    prepared->words_out = prepared->macs = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        prepared->macs *= (double)tables->dims[d].extent;
        if (is_relevant(d, SL_O)) prepared->words_out *= (double)tables->dims[d].extent;
    }
    memset(&prepared->level[0], 0, sizeof prepared->level[0]);
    for (int l = 1; l <= tables->n_levels; l++) prepare_level(tables, l);
    prepare_macs(tables);
    prepared->ready = true;
}

CLONES static void tables_count(Tables *tables, SlCounts *out) {
    int n = tables->n_levels;
    bool known = tables->windows[0].memo && tables->windows[1].memo;
    if (!tables->prepared.ready) prepare(tables);
    out->n_levels = n;
    out->macs = tables->prepared.macs;
    memcpy(out->level, tables->prepared.level, (size_t)(n + 1) * sizeof out->level[0]);
    for (int l = 1; l < n; l++) {
        SlLevelCounts *level = &out->level[l];
        int keep = tables->keep[l];
        if (keep >> SL_W & 1) put_lanes(level, SL_W, count_plain(tables, l, SL_W));
        if (keep >> SL_I & 1)
            put_lanes(level, SL_I,
                      known ? count_input(tables, l, false) : count_input(tables, l, true));
        if (keep >> SL_O & 1) put_output(tables, l, count_plain(tables, l, SL_O), level);
    }
    out->cycles = out->level[n].own0[SL_W];
}

void sl_tables_count(Tables *tables, SlCounts *out) {
    tables_count(tables, out);
}

// ---- any nest ----

// loops by dim, and where the temporal ones stand in the order
void sl_nest_split(const SlMapping *mapping, Tables *tables, SplitNest *nest) {
    int n_temporal = 0, segment = 0;
    for (int i = 0; i < mapping->n_loops; i++) n_temporal += !mapping->loops[i].spatial;
    int position = n_temporal;
    memset(nest->n, 0, sizeof nest->n);
    for (int i = 0; i < mapping->n_loops; i++) {
        while (segment < mapping->n_boundaries && mapping->at[segment] <= i)
            tables->inside[++segment] = (uint8_t)position;
        const SlLoop *loop = &mapping->loops[i];
        int d = loop->dim, k = nest->n[d]++;
        nest->loops[d][k] = (DimLoop){loop->tile, (uint8_t)segment, loop->spatial};
        nest->position[d][k] = SL_MAX_LOOPS;
        if (loop->spatial) continue;
        nest->position[d][k] = (uint8_t)--position;
        tables->dim_at[position] = (uint8_t)d;
    }
    while (segment < mapping->n_boundaries) tables->inside[++segment] = 0;
    tables->inside[tables->n_levels] = 0;
}

int sl_tables_reserve(Tables *tables, int d, const SplitNest *nest, int n_entries) {
    int above = 0, k = 0;
    for (int l = 1; l <= tables->n_levels; l++) {
        for (; k < nest->n[d] && nest->loops[d][k].segment < l; k++)
            above += !nest->loops[d][k].spatial;
        tables->dims[d].levels[l].entry = n_entries;
        n_entries += l < tables->n_levels ? above + 1 : 1;
    }
    assert(n_entries <= MAX_ENTRIES);
    return n_entries;
}

void sl_tables_place(Tables *tables, int d, const SplitNest *nest, uint64_t active) {
    uint64_t mask = 0;
    for (; active; active &= active - 1) {
        int position = nest->position[d][__builtin_ctzll(active)];
        if (position < SL_MAX_LOOPS) mask |= UINT64_C(1) << position;
    }
    tables->mask[d] = mask;
}

void sl_tables_build(Tables *tables, const SlLayer *layer, SlNet net, const SlMapping *mapping) {
    SplitNest nest;
    int n_entries = 0;
    sl_tables_levels(tables, layer, net, mapping);
    sl_nest_split(mapping, tables, &nest);
    for (int d = 0; d < SL_N_DIMS; d++) {
        n_entries = sl_tables_reserve(tables, d, &nest, n_entries);
        uint64_t active = sl_dim_build(tables, d, layer->dims[d], nest.n[d], nest.loops[d]);
        sl_tables_place(tables, d, &nest, active);
    }
}

void sl_counts_eval(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlCounts *out) {
    Tables tables;
    sl_tables_build(&tables, layer, net, mapping);
    sl_tables_count(&tables, out);
}
