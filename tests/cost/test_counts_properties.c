// test_counts_properties.c - what must hold of the counts of any nest: floors and orders,
// invariances, dominance.
#include <stdio.h>
#include <string.h>

#include "count_fields.h"
#include "random_nest.h"
#include "support/check.h"

enum { N_NESTS = 10000, MAX_MACS = 300000 };

static SlCounts count(const Case *c) {
    SlCounts counts;
    sl_counts_eval(&c->layer, c->net, &c->mapping, &counts);
    return counts;
}

// a property that holds for every random case, or the nest that breaks it
typedef bool Property(Case *c, SlRng *rng);

static void holds(Property *property, const char *stream) {
    SlRng rng;
    sl_rng_init(&rng, 5, stream);
    for (int i = 0; i < N_NESTS; i++) {
        Case c, before;
        char text[CASE_TEXT_MAX];
        if (i % 10 == 0)
            case_sample_huge(&rng, &c);
        else
            case_sample(&rng, MAX_MACS, &c);
        before = c;
        if (property(&c, &rng)) continue;
        fail_msg("broken by %s", case_text(&before, sizeof text, text));
    }
}

#define PROPERTY(sentence)                                                                         \
    static bool holds_##sentence(Case *c, SlRng *rng);                                             \
    static void sentence(void **state) {                                                           \
        (void)state;                                                                               \
        holds(holds_##sentence, #sentence);                                                        \
    }                                                                                              \
    static bool holds_##sentence(Case *c, SlRng *rng)

static bool same(const SlCounts *a, const SlCounts *b) {
    char why[256];
    if (!counts_differ(a, b, false, sizeof why, why)) return true;
    print_error("%s\n", why);
    return false;
}

static bool keeps(const Case *c, int level, int tensor) {
    return level > c->mapping.n_boundaries || (c->mapping.keep[level - 1] >> tensor & 1);
}

// --- floors and orders

PROPERTY(cycles_times_instances_are_at_least_the_macs) {
    (void)rng;
    SlCounts counts = count(c);
    return counts.cycles * counts.level[counts.n_levels].inst >= counts.macs;
}

// make every tile a divisor of what it cuts
static void tile_exactly(Case *c) {
    int64_t extent[SL_N_DIMS];
    memcpy(extent, c->layer.dims, sizeof extent);
    for (int i = 0; i < c->mapping.n_loops; i++) {
        SlLoop *loop = &c->mapping.loops[i];
        int64_t *e = &extent[loop->dim], tries = 0;
        if (loop->tile > *e) loop->tile = *e;
        for (; *e % loop->tile; tries++) loop->tile = tries < 1000 ? loop->tile - 1 : *e;
        *e = loop->tile;
    }
}

PROPERTY(exact_tilings_have_no_idle_instances) {
    (void)rng;
    tile_exactly(c);
    SlCounts counts = count(c);
    const SlLevelCounts *mac = &counts.level[counts.n_levels];
    return counts.cycles * mac->inst == counts.macs && mac->inst == mac->grid;
}

PROPERTY(every_parent_serves_each_element_at_least_once) {
    (void)rng;
    SlCounts counts = count(c);
    for (int l = 1; l <= counts.n_levels; l++) {
        const SlLevelCounts *level = &counts.level[l];
        for (int t = 0; t < SL_N_TENSORS; t++) {
            double served = t == SL_O ? level->upd : level->pread[t];
            if (keeps(c, l, t) && served < (double)sl_layer_words(&c->layer, (SlTensor)t))
                return false;
        }
    }
    return true;
}

PROPERTY(tile_own_fill_and_macs_are_in_order) {
    (void)rng;
    SlCounts counts = count(c);
    for (int l = 1; l <= counts.n_levels; l++) {
        const SlLevelCounts *level = &counts.level[l];
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (level->tile[t] > level->own0[t] || level->own0[t] > level->fill[t] ||
                level->fill[t] > counts.macs)
                return false;
        }
        if (level->inst > level->grid) return false;
    }
    return true;
}

// words at the parent; of O: updates
static double at_parent(const SlLevelCounts *level, int tensor) {
    return tensor == SL_O ? level->upd : level->pread[tensor];
}

PROPERTY(the_parent_never_moves_more_than_is_filled) {
    (void)rng;
    SlCounts counts = count(c);
    for (int l = 1; l <= counts.n_levels; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (at_parent(&counts.level[l], t) > counts.level[l].fill[t]) return false;
        }
    }
    return true;
}

PROPERTY(without_networks_the_parent_moves_what_is_filled) {
    (void)rng;
    c->net = (SlNet){0, 0};
    SlCounts counts = count(c);
    for (int l = 1; l <= counts.n_levels; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (at_parent(&counts.level[l], t) != counts.level[l].fill[t]) return false;
        }
    }
    return true;
}

PROPERTY(a_network_never_adds_words_and_never_changes_fills) {
    Case more = *c;
    more.net.multicast |= (uint8_t)sl_rng_below(rng, 256);
    more.net.reduction |= (uint8_t)sl_rng_below(rng, 256);
    SlCounts off = count(c), on = count(&more);
    for (int l = 1; l <= off.n_levels; l++) {
        for (int i = 0; i < N_COUNT_FIELDS; i++) {
            const char *name = count_fields[i].name;
            SlCount a = count_get(&off.level[l], &count_fields[i]);
            SlCount b = count_get(&on.level[l], &count_fields[i]);
            bool shared = strncmp(name, "pread", 5) == 0 || strncmp(name, "srv0", 4) == 0 ||
                          strncmp(name, "first", 5) == 0 || strncmp(name, "upd", 3) == 0;
            if (shared ? b > a : b != a) return false;
        }
    }
    return on.cycles == off.cycles;
}

PROPERTY(partial_sums_are_at_most_the_updates_beyond_the_first) {
    (void)rng;
    SlCounts counts = count(c);
    for (int l = 1; l <= counts.n_levels; l++) {
        const SlLevelCounts *level = &counts.level[l];
        double outputs = (double)sl_layer_words(&c->layer, SL_O);
        if (keeps(c, l, SL_O) && level->pread[SL_O] > level->upd - outputs) return false;
    }
    return true;
}

// --- invariances

// extents of the largest tile where loop `place` begins
static void extents_at(const Case *c, int place, int64_t extent[SL_N_DIMS]) {
    memcpy(extent, c->layer.dims, SL_N_DIMS * sizeof *extent);
    for (int i = 0; i < place; i++) {
        SlLoop loop = c->mapping.loops[i];
        if (loop.tile < extent[loop.dim]) extent[loop.dim] = loop.tile;
    }
}

// a loop more, before loop `place`; boundaries there may come to lie on either side of it
static void insert_loop(Case *c, int place, bool inside, SlLoop loop) {
    SlMapping *m = &c->mapping;
    memmove(&m->loops[place + 1], &m->loops[place], (m->n_loops - place) * sizeof loop);
    m->loops[place] = loop;
    m->n_loops++;
    for (int b = 0; b < m->n_boundaries; b++)
        m->at[b] += m->at[b] > place || (m->at[b] == place && inside);
}

PROPERTY(a_loop_with_one_trip_changes_nothing) {
    SlCounts before = count(c);
    int64_t extent[SL_N_DIMS];
    int place = (int)sl_rng_below(rng, c->mapping.n_loops + 1u), dim = (int)sl_rng_below(rng, 8);
    if (c->mapping.n_loops == SL_MAX_LOOPS) return true;
    extents_at(c, place, extent);
    int64_t tile = extent[dim] + (extent[dim] > 1 ? sl_rng_range(rng, 0, 3) : 0);
    SlLoop loop = {.tile = tile, .dim = (uint8_t)dim, .spatial = sl_rng_below(rng, 2)};
    insert_loop(c, place, sl_rng_below(rng, 2), loop);
    SlCounts after = count(c);
    return same(&after, &before);
}

PROPERTY(splitting_a_temporal_loop_by_multiples_changes_nothing) {
    SlCounts before = count(c);
    if (c->mapping.n_loops == 0 || c->mapping.n_loops == SL_MAX_LOOPS) return true;
    int place = (int)sl_rng_below(rng, c->mapping.n_loops);
    SlLoop loop = c->mapping.loops[place];
    if (loop.spatial) return true;
    loop.tile *= sl_rng_range(rng, 1, 6);
    insert_loop(c, place, false, loop); // the boundary stays above both halves
    SlCounts after = count(c);
    return same(&after, &before);
}

static void swap_loops(Case *c, int i) {
    SlLoop loop = c->mapping.loops[i];
    c->mapping.loops[i] = c->mapping.loops[i + 1];
    c->mapping.loops[i + 1] = loop;
}

PROPERTY(the_order_inside_the_innermost_level_changes_nothing) {
    SlCounts before = count(c);
    SlMapping *m = &c->mapping;
    int from = m->n_boundaries ? m->at[m->n_boundaries - 1] : 0;
    for (int i = 0; m->n_loops - from >= 2 && i < 100; i++) {
        int place = (int)sl_rng_range(rng, from, m->n_loops - 2);
        if (m->loops[place].dim != m->loops[place + 1].dim) swap_loops(c, place);
    }
    SlCounts after = count(c);
    return same(&after, &before);
}

static bool boundary_between(const SlMapping *mapping, int i) {
    for (int b = 0; b < mapping->n_boundaries; b++) {
        if (mapping->at[b] == i + 1) return true;
    }
    return false;
}

PROPERTY(spatial_and_temporal_neighbours_of_other_dims_may_swap) {
    (void)rng;
    SlCounts before = count(c);
    for (int i = 0; i + 1 < c->mapping.n_loops; i++) {
        SlLoop a = c->mapping.loops[i], b = c->mapping.loops[i + 1];
        if (a.dim == b.dim || a.spatial == b.spatial || boundary_between(&c->mapping, i)) continue;
        swap_loops(c, i);
    }
    SlCounts after = count(c);
    return same(&after, &before);
}

static void exchange(int64_t *a, int64_t *b) {
    int64_t old = *a;
    *a = *b;
    *b = old;
}

static void exchange_dims(Case *c, SlDim a, SlDim b) {
    exchange(&c->layer.dims[a], &c->layer.dims[b]);
    for (int i = 0; i < c->mapping.n_loops; i++) {
        SlLoop *loop = &c->mapping.loops[i];
        loop->dim = (uint8_t)(loop->dim == a ? b : loop->dim == b ? a : loop->dim);
    }
}

PROPERTY(rows_and_columns_may_be_exchanged) {
    (void)rng;
    SlCounts before = count(c);
    SlLayer old = c->layer;
    exchange_dims(c, SL_P, SL_Q);
    exchange_dims(c, SL_R, SL_S);
    for (int i = 0; i < 2; i++) {
        c->layer.stride[i] = old.stride[1 - i];
        c->layer.dilation[i] = old.dilation[1 - i];
    }
    SlCounts after = count(c);
    return same(&after, &before);
}

static uint8_t exchange_operands(uint8_t keep) {
    return (uint8_t)((keep & 4) | (keep >> 1 & 1) | (keep << 1 & 2));
}

static void exchange_counts(SlCount pair[SL_N_TENSORS]) {
    SlCount w = pair[SL_W];
    pair[SL_W] = pair[SL_I];
    pair[SL_I] = w;
}

PROPERTY(a_gemm_may_exchange_its_operands) {
    (void)rng;
    static const SlDim unused[] = {SL_N, SL_G, SL_Q, SL_R, SL_S};
    for (int i = 0; i < 5; i++) c->layer.dims[unused[i]] = 1;
    SlCounts before = count(c);
    exchange_dims(c, SL_K, SL_P);
    for (int b = 0; b < c->mapping.n_boundaries; b++)
        c->mapping.keep[b] = exchange_operands(c->mapping.keep[b]);
    SlCounts after = count(c);
    for (int l = 1; l <= after.n_levels; l++) {
        SlLevelCounts *level = &after.level[l];
        exchange_counts(level->fill);
        exchange_counts(level->pread);
        exchange_counts(level->own0);
        exchange_counts(level->srv0);
        exchange_counts(level->tile);
        exchange_counts(level->first);
    }
    return same(&after, &before);
}

// --- dominance

PROPERTY(a_larger_tile_never_adds_traffic_at_its_parent) {
    SlMapping *m = &c->mapping;
    if (m->n_boundaries == 0) return true;
    SlCounts small = count(c);
    int b = (int)sl_rng_below(rng, m->n_boundaries), above = b > 0 ? m->at[b - 1] : 0;
    if (m->at[b] == above) return true;
    m->at[b]--;
    SlCounts large = count(c);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        const SlLevelCounts *after = &large.level[b + 1], *before = &small.level[b + 1];
        if (after->pread[t] > before->pread[t] || after->upd > before->upd) return false;
    }
    return true;
}

// reads and updates at DRAM for a tensor, by whoever has it as parent
static double dram_words(const Case *c, const SlCounts *counts, int tensor) {
    int child = 1;
    while (!keeps(c, child, tensor)) child++;
    const SlLevelCounts *level = &counts->level[child];
    return level->pread[tensor] + (tensor == SL_O ? level->upd : 0);
}

PROPERTY(one_more_level_never_adds_dram_traffic) {
    SlMapping *m = &c->mapping;
    if (m->n_boundaries == SL_MAX_BOUNDARIES) return true;
    c->net.multicast = c->net.multicast & 1 ? 255 : 0; // the same networks with one level more
    c->net.reduction = c->net.reduction & 1 ? 255 : 0;
    Case more = *c;
    SlMapping *to = &more.mapping;
    int b = (int)sl_rng_range(rng, 0, m->n_boundaries);
    int lo = b > 0 ? m->at[b - 1] : 0, hi = b < m->n_boundaries ? m->at[b] : m->n_loops;
    for (int i = m->n_boundaries; i > b; i--) {
        to->at[i] = m->at[i - 1];
        to->keep[i] = m->keep[i - 1];
    }
    to->at[b] = (uint8_t)sl_rng_range(rng, lo, hi);
    to->keep[b] = SL_KEEP_ALL;
    to->n_boundaries++;
    SlCounts without = count(c), with = count(&more);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (dram_words(&more, &with, t) > dram_words(c, &without, t)) return false;
    }
    return true;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_times_instances_are_at_least_the_macs),
        cmocka_unit_test(exact_tilings_have_no_idle_instances),
        cmocka_unit_test(every_parent_serves_each_element_at_least_once),
        cmocka_unit_test(tile_own_fill_and_macs_are_in_order),
        cmocka_unit_test(the_parent_never_moves_more_than_is_filled),
        cmocka_unit_test(without_networks_the_parent_moves_what_is_filled),
        cmocka_unit_test(a_network_never_adds_words_and_never_changes_fills),
        cmocka_unit_test(partial_sums_are_at_most_the_updates_beyond_the_first),
        cmocka_unit_test(a_loop_with_one_trip_changes_nothing),
        cmocka_unit_test(splitting_a_temporal_loop_by_multiples_changes_nothing),
        cmocka_unit_test(the_order_inside_the_innermost_level_changes_nothing),
        cmocka_unit_test(spatial_and_temporal_neighbours_of_other_dims_may_swap),
        cmocka_unit_test(rows_and_columns_may_be_exchanged),
        cmocka_unit_test(a_gemm_may_exchange_its_operands),
        cmocka_unit_test(a_larger_tile_never_adds_traffic_at_its_parent),
        cmocka_unit_test(one_more_level_never_adds_dram_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
