// test_huge.c - layers at the limit of 2^53 MACs: no overflow, no endless time, and the exact
// numbers wherever arithmetic can say them.
#include <string.h>

#include "random_nest.h"
#include "support/check.h"

static SlCounts count(const char *ext, const char *conv, const char *nest) {
    Case c;
    SlCounts counts;
    case_parse(ext, conv, "1.1", nest, &c);
    assert_null(sl_layer_check(&c.layer));
    assert_null(sl_mapping_check(&c.layer, &c.mapping));
    sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
    return counts;
}

static void expect(const SlCount got[SL_N_TENSORS], double w, double i, double o) {
    assert_true(got[SL_W] == w);
    assert_true(got[SL_I] == i);
    assert_true(got[SL_O] == o);
}

// --- perfect tilings: counts are products of trip counts

// random factors of 2..13 dealt to dims and loops until just below 2^53 MACs
static void sample_perfect(SlRng *rng, Case *c) {
    static const int64_t primes[] = {2, 2, 3, 5, 7, 11, 13};
    int64_t macs = 1, trips[SL_MAX_LOOPS];
    memset(c, 0, sizeof *c);
    sl_layer_init(&c->layer);
    SlMapping *m = &c->mapping;
    while (m->n_loops < SL_MAX_LOOPS) {
        int64_t factor = primes[sl_rng_below(rng, 7)];
        if (macs * factor >= SL_MACS_LIMIT) break;
        int dim = (int)sl_rng_below(rng, SL_N_DIMS);
        macs *= factor;
        c->layer.dims[dim] *= factor;
        trips[m->n_loops] = factor;
        m->loops[m->n_loops++] =
            (SlLoop){.dim = (uint8_t)dim, .spatial = sl_rng_below(rng, 4) == 0};
    }
    int64_t inside[SL_N_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = m->n_loops - 1; i >= 0; i--) {
        m->loops[i].tile = inside[m->loops[i].dim];
        inside[m->loops[i].dim] *= trips[i];
    }
    m->n_boundaries = 1;
    m->at[0] = (uint8_t)sl_rng_below(rng, m->n_loops + 1u);
    m->keep[0] = SL_KEEP_ALL;
    c->net = (SlNet){sl_rng_below(rng, 2) ? 255 : 0, sl_rng_below(rng, 2) ? 255 : 0};
}

static const unsigned relevant[SL_N_TENSORS] = {
    [SL_W] = 1u << SL_G | 1u << SL_K | 1u << SL_C | 1u << SL_R | 1u << SL_S,
    [SL_O] = 1u << SL_N | 1u << SL_G | 1u << SL_K | 1u << SL_P | 1u << SL_Q,
};

// elements of W or O in a tile of the one buffer
static int64_t tile_size(const Case *c, int tensor) {
    int64_t size = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t extent = c->layer.dims[d];
        for (int i = 0; i < c->mapping.at[0]; i++) {
            if (c->mapping.loops[i].dim == d) extent = c->mapping.loops[i].tile;
        }
        if (relevant[tensor] >> d & 1) size *= extent;
    }
    return size;
}

// how often the tile of one instance changes, and how many instances there are or are told apart
static void walk_above(const Case *c, int tensor, int64_t *changes, int64_t *all, int64_t *apart) {
    int64_t extent[SL_N_DIMS], steps = 1;
    memcpy(extent, c->layer.dims, sizeof extent);
    *changes = *all = *apart = 1;
    for (int i = 0; i < c->mapping.at[0]; i++) {
        SlLoop loop = c->mapping.loops[i];
        int64_t trips = extent[loop.dim] / loop.tile;
        bool matters = relevant[tensor] >> loop.dim & 1;
        extent[loop.dim] = loop.tile;
        if (loop.spatial) {
            *all *= trips;
            bool merged = !matters && (tensor == SL_O ? c->net.reduction : c->net.multicast);
            *apart *= merged ? 1 : trips;
        } else {
            steps *= trips;
            if (matters && trips > 1) *changes = steps; // loops further in change nothing
        }
    }
}

static void perfect_tilings_below_2_to_the_53_equal_exact_products(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "huge");
    for (int n = 0; n < 3000; n++) {
        Case c;
        SlCounts counts;
        sample_perfect(&rng, &c);
        sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
        const SlLevelCounts *level = &counts.level[1];
        for (int t = SL_W; t <= SL_O; t += SL_O - SL_W) {
            int64_t changes, all, apart, tile = tile_size(&c, t);
            walk_above(&c, t, &changes, &all, &apart);
            double at_parent = t == SL_O ? level->upd : level->pread[t];
            assert_true(level->tile[t] == (double)tile);
            assert_true(level->own0[t] == (double)(tile * changes));
            assert_true(level->fill[t] == (double)(tile * changes * all));
            assert_true(at_parent == (double)(tile * changes * apart));
        }
        assert_true(level->pread[SL_O] == level->upd - (double)sl_layer_words(&c.layer, SL_O));
        assert_true(counts.cycles * counts.level[2].inst == (double)sl_layer_macs(&c.layer));
    }
}

// --- imperfect tilings

// 40 loops over one dim of a prime number of iterations, each tile about 2/5 of the one outside
static Case forty_loops(int outer, int dim, int64_t extent) {
    Case c;
    memset(&c, 0, sizeof c);
    sl_layer_init(&c.layer);
    c.layer.dims[dim] = extent;
    c.layer.dims[outer] = 2;
    c.mapping.n_loops = SL_MAX_LOOPS;
    c.mapping.loops[0] = (SlLoop){.tile = 1, .dim = (uint8_t)outer};
    for (int i = 1; i < SL_MAX_LOOPS; i++) {
        extent = i + 1 < SL_MAX_LOOPS ? extent / 5 * 2 + 1 : 1;
        c.mapping.loops[i] = (SlLoop){.tile = extent, .dim = (uint8_t)dim};
    }
    return c;
}

// prime, and twice it is below 2^53
#define PRIME INT64_C(4503599627370449)

static void forty_loops_over_one_dim_fetch_each_element_once_per_sweep(void **state) {
    (void)state;
    for (int at = 2; at <= SL_MAX_LOOPS; at++) {
        Case c = forty_loops(SL_C, SL_K, PRIME);
        SlCounts counts;
        c.mapping.n_boundaries = 1;
        c.mapping.at[0] = (uint8_t)at;
        c.mapping.keep[0] = SL_KEEP_ALL;
        assert_null(sl_mapping_check(&c.layer, &c.mapping));
        sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
        expect(counts.level[1].fill, 2.0 * PRIME, 2, 2.0 * PRIME);
        expect(counts.level[1].pread, 2.0 * PRIME, 2, PRIME);
        assert_true(counts.cycles == 2.0 * PRIME && counts.macs == 2.0 * PRIME);
    }
}

static void imperfect_loops_over_rows_and_taps_end_and_stay_in_order(void **state) {
    (void)state;
    Case c;
    SlCounts counts;
    memset(&c, 0, sizeof c);
    sl_layer_init(&c.layer);
    c.layer.dims[SL_P] = INT64_C(94906249);
    c.layer.dims[SL_R] = INT64_C(94906247);
    c.layer.stride[0] = 7;
    c.layer.dilation[0] = 5;
    int64_t p = c.layer.dims[SL_P], r = c.layer.dims[SL_R];
    c.mapping.n_loops = SL_MAX_LOOPS;
    for (int i = 0; i < SL_MAX_LOOPS; i += 2) {
        p = i + 2 < SL_MAX_LOOPS ? p / 7 * 3 + 1 : 1;
        r = i + 2 < SL_MAX_LOOPS ? r / 5 * 2 + 1 : 1;
        c.mapping.loops[i] = (SlLoop){.tile = p, .dim = SL_P};
        c.mapping.loops[i + 1] = (SlLoop){.tile = r, .dim = SL_R};
    }
    c.mapping.n_boundaries = 6;
    for (int b = 0; b < 6; b++) {
        c.mapping.at[b] = (uint8_t)(6 * b + 3);
        c.mapping.keep[b] = SL_KEEP_ALL;
    }
    assert_null(sl_layer_check(&c.layer));
    assert_null(sl_mapping_check(&c.layer, &c.mapping));
    sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
    double words = (double)sl_layer_words(&c.layer, SL_I);
    for (int l = 1; l <= 6; l++) {
        assert_true(counts.level[l].fill[SL_I] >= words);
        assert_true(counts.level[l].fill[SL_I] <= counts.macs);
        if (l > 1) assert_true(counts.level[l].fill[SL_I] >= counts.level[l - 1].fill[SL_I]);
    }
    assert_true(counts.cycles == counts.macs);
}

// --- windows

// each row is fetched once while a window slides over it, whatever the tile
static void sliding_windows_fetch_each_row_once(void **state) {
    (void)state;
    static const char *const convs[] = {"1.1.1.1", "3.1.1.1", "64.1.1.1", "512.1.1.1"};
    static const char *const nests[] = {"P:1000003 @7 P:1 R:1", "P:7 @7 P:1 R:1", "P:1 @7 R:1",
                                        "P:99999999 P:12345 P:3 @7 P:1 R:1", "@7 P:1 R:1"};
    for (int i = 0; i < 4; i++) {
        double stride = (double[]){1, 3, 64, 512}[i], rows = 17592186044415.0;
        double words = stride < 511 ? (rows - 1) * stride + 511 : rows * 511;
        for (int k = 0; k < 5; k++) {
            SlCounts counts = count("1.1.1.1.17592186044415.1.511.1", convs[i], nests[k]);
            assert_true(counts.level[1].fill[SL_I] == words);
            assert_true(counts.level[1].fill[SL_O] == rows);
        }
    }
}

// rows h = p*s + r*d collide when (p, r) differ by multiples of (d', -s'), s' = s/gcd, d' = d/gcd
static void the_whole_input_of_huge_windows_is_exact(void **state) {
    (void)state;
    SlCounts counts = count("1.1.1.1.94906265.1.94906265.1", "6.1.4.1", "@7 P:1 R:1");
    double all = 94906265.0 * 94906265.0;
    assert_true(counts.level[1].fill[SL_I] == all - (94906265.0 - 2) * (94906265.0 - 3));
    counts = count("1.1.1.1.1000000.1.1000000.1", "1048576.1.1048575.1", "@7 P:1 R:1");
    assert_true(counts.level[1].fill[SL_I] == 1e12); // both larger than the extents: no collision
    counts =
        count("1.1.1.1.1048576.1.1048576.1", "1048576.1.1048575.1", "P:300000 R:400000 @7 P:1 R:1");
    assert_true(counts.level[1].fill[SL_I] == 1099511627776.0); // tiles share nothing
    counts = count("1.1.1.1.8589934591.1.1.1", "1048576.1.1048576.1", "P:10 @7 P:1");
    expect(counts.level[1].fill, 1, 8589934591.0, 8589934591.0);
}

static void layers_of_2_to_the_53_macs_are_refused_and_one_less_is_counted(void **state) {
    (void)state;
    SlLayer layer;
    sl_layer_init(&layer);
    layer.dims[SL_K] = SL_MACS_LIMIT;
    assert_non_null(sl_layer_check(&layer));
    SlCounts counts = count("9007199254740991.1.1.1.1.1.1.1", "1.1.1.1", "N*3 N:1 @7");
    assert_true(counts.macs == 9007199254740991.0);
    assert_true(counts.cycles == 3);
    assert_true(counts.level[1].inst == (double)((INT64_C(9007199254740991) + 2) / 3));
    expect(counts.level[1].pread, 1, 9007199254740991.0, 0);
}

// --- everything at once

static void random_huge_nests_stay_whole_and_in_order(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 9, "random huge");
    for (int n = 0; n < 3000; n++) {
        Case c;
        SlCounts counts;
        case_sample_huge(&rng, &c);
        assert_null(sl_layer_check(&c.layer));
        sl_counts_eval(&c.layer, c.net, &c.mapping, &counts);
        for (int l = 1; l <= counts.n_levels; l++) {
            const SlLevelCounts *level = &counts.level[l];
            for (int t = 0; t < SL_N_TENSORS; t++) {
                double words = (double)sl_layer_words(&c.layer, (SlTensor)t), fill = level->fill[t];
                assert_true(fill == (double)(int64_t)fill && fill <= counts.macs);
                assert_true(fill == 0 || fill >= words);
                assert_true(level->own0[t] <= fill && level->tile[t] <= level->own0[t]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfect_tilings_below_2_to_the_53_equal_exact_products),
        cmocka_unit_test(forty_loops_over_one_dim_fetch_each_element_once_per_sweep),
        cmocka_unit_test(imperfect_loops_over_rows_and_taps_end_and_stay_in_order),
        cmocka_unit_test(sliding_windows_fetch_each_row_once),
        cmocka_unit_test(the_whole_input_of_huge_windows_is_exact),
        cmocka_unit_test(layers_of_2_to_the_53_macs_are_refused_and_one_less_is_counted),
        cmocka_unit_test(random_huge_nests_stay_whole_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
