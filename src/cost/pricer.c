// pricer.c - the search path: keep the factors of every dim, rebuild those of the dim that changed.
#include "price.h"

#include <assert.h>
#include <string.h>

struct SlPricer {
    const SlLayer *layer;
    const SlAccel *accel;
    SlNet net;
    Rates rates;
    Tables tables;
    SplitNest nest;
    uint64_t active[SL_N_DIMS];  // temporal loops of a dim that iterate, outermost first
    int n_temporal;              // in all
    int n_above;                 // above the innermost level
    uint8_t order[SL_MAX_LOOPS]; // their dims, outermost first
    uint8_t n_boundaries, keep[SL_MAX_BOUNDARIES];
    WindowMemo memo[2];
};

SlPricer *sl_pricer_make(const SlLayer *layer, const SlAccel *accel, SlArena *arena) {
    SlPricer *pricer = SL_NEW(arena, 1, SlPricer);
    if (!pricer) return NULL;
    pricer->layer = layer;
    pricer->accel = accel;
    pricer->net = sl_accel_net(accel);
    pricer->n_boundaries = UINT8_MAX; // no nest yet
    sl_rates_init(&pricer->rates, layer, accel);
    for (int g = 0; g < 2; g++) pricer->memo[g].age = 1;
    return pricer;
}

static bool same_levels(const SlPricer *pricer, const SlMapping *mapping) {
    return pricer->n_boundaries == mapping->n_boundaries &&
           memcmp(pricer->keep, mapping->keep, mapping->n_boundaries) == 0;
}

static bool same_loops(const SplitNest *a, const SplitNest *b, int d) {
    if (a->n[d] != b->n[d]) return false;
    for (int i = 0; i < a->n[d]; i++) {
        const DimLoop *x = &a->loops[d][i], *y = &b->loops[d][i];
        if (x->tile != y->tile || x->segment != y->segment || x->spatial != y->spatial)
            return false;
    }
    return true;
}

static void build_dim(SlPricer *pricer, int d) {
    const SplitNest *nest = &pricer->nest;
    uint64_t active =
        sl_dim_build(&pricer->tables, d, pricer->layer->dims[d], nest->n[d], nest->loops[d]);
    pricer->active[d] = 0;
    for (int i = 0, k = 0; i < nest->n[d]; i++)
        if (!nest->loops[d][i].spatial) pricer->active[d] |= (active >> i & 1) << k++;
}

// put the loops over one dim into the order masks
static void place_dim(SlPricer *pricer, int d) {
    uint64_t mask = 0, active = pricer->active[d];
    for (int i = 0; i < pricer->n_above; i++) {
        if (pricer->order[i] != d) continue;
        mask |= (active & 1) << (pricer->n_temporal - 1 - i);
        active >>= 1;
    }
    pricer->tables.mask[d] = mask;
}

// keep the pair factors of windows only where their states can be told apart in the memo
static void attach_memo(SlPricer *pricer) {
    const SplitNest *nest = &pricer->nest;
    for (int g = 0; g < 2; g++) {
        int n = 1;
        for (int k = 0; k < 2; k++) n *= 2 * nest->n[WINDOW_DIMS[g][k]] + 1;
        pricer->tables.windows[g].memo = n <= MEMO_SLOTS ? &pricer->memo[g] : NULL;
    }
}

static void take_order(SlPricer *pricer, const SlMapping *mapping) {
    int last = mapping->n_boundaries - 1;
    pricer->n_temporal = pricer->n_above = 0;
    for (int i = 0; i < mapping->n_loops; i++) {
        if (mapping->loops[i].spatial) continue;
        pricer->order[pricer->n_temporal++] = mapping->loops[i].dim;
        if (last >= 0 && i < mapping->at[last]) pricer->n_above++;
    }
}

void sl_pricer_set_nest(SlPricer *pricer, const SlMapping *mapping) {
    Tables *tables = &pricer->tables;
    SplitNest old = pricer->nest;
    bool all = !same_levels(pricer, mapping);
    if (all) {
        sl_tables_levels(tables, pricer->layer, pricer->net, mapping);
        pricer->n_boundaries = mapping->n_boundaries;
        memcpy(pricer->keep, mapping->keep, sizeof pricer->keep);
    }
    sl_nest_split(mapping, tables, &pricer->nest);
    attach_memo(pricer);
    take_order(pricer, mapping);
    int n_entries = 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        int before = tables->dims[d].levels[1].entry;
        n_entries = sl_tables_reserve(tables, d, &pricer->nest, n_entries);
        bool moved = before != tables->dims[d].levels[1].entry;
        if (all || moved || !same_loops(&old, &pricer->nest, d)) build_dim(pricer, d);
        place_dim(pricer, d);
    }
}

void sl_pricer_set_tiles(SlPricer *pricer, SlDim dim, const int64_t *tiles) {
    SplitNest *nest = &pricer->nest;
    for (int i = 0; i < nest->n[dim]; i++) {
        assert(tiles[i] >= 1);
        nest->loops[dim][i].tile = tiles[i];
    }
    build_dim(pricer, dim);
    place_dim(pricer, dim);
}

void sl_pricer_set_order(SlPricer *pricer, const uint8_t *dims) {
    Tables *tables = &pricer->tables;
    uint64_t mask[SL_N_DIMS] = {0}, active[SL_N_DIMS];
    memcpy(active, pricer->active, sizeof active);
    memcpy(pricer->order, dims, (size_t)pricer->n_temporal);
    // what is inside the innermost level changes nothing
    for (int i = 0; i < pricer->n_above; i++) {
        int d = dims[i], position = pricer->n_temporal - 1 - i;
        mask[d] |= (active[d] & 1) << position;
        active[d] >>= 1;
        tables->dim_at[position] = (uint8_t)d;
    }
    memcpy(tables->mask, mask, sizeof mask);
}

void sl_pricer_eval(SlPricer *pricer, SlCost *out) {
    sl_tables_count(&pricer->tables, &out->counts);
    sl_price(&pricer->tables, pricer->accel, &pricer->rates, out);
}

// append the spatial loops of a dim that come next in it and belong to this segment
static void put_spatial(const SplitNest *nest, int d, int segment, int next[SL_N_DIMS],
                        SlMapping *out) {
    for (; next[d] < nest->n[d]; next[d]++) {
        const DimLoop *loop = &nest->loops[d][next[d]];
        if (!loop->spatial || loop->segment != segment) return;
        out->loops[out->n_loops++] = (SlLoop){loop->tile, (uint8_t)d, true};
    }
}

void sl_pricer_mapping(const SlPricer *pricer, SlMapping *out) {
    const SplitNest *nest = &pricer->nest;
    int next[SL_N_DIMS] = {0}, i = 0;
    memset(out, 0, sizeof *out);
    out->n_boundaries = pricer->n_boundaries;
    memcpy(out->keep, pricer->keep, sizeof out->keep);
    for (int s = 0; s <= pricer->n_boundaries; s++) {
        int inside = s < pricer->n_boundaries ? pricer->tables.inside[s + 1] : 0;
        for (int d = 0; d < SL_N_DIMS; d++) put_spatial(nest, d, s, next, out);
        for (; i < pricer->n_temporal - inside; i++) {
            int d = pricer->order[i];
            const DimLoop *loop = &nest->loops[d][next[d]++];
            out->loops[out->n_loops++] = (SlLoop){loop->tile, (uint8_t)d, false};
            put_spatial(nest, d, s, next, out);
        }
        if (s < pricer->n_boundaries) out->at[s] = out->n_loops;
    }
}
