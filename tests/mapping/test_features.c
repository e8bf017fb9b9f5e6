// test_features.c - the numbers that a critic sees of a nest.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "mapping/nest_inside.h"
#include "nest_cases.h"

enum { ROOM = 512 };

static const float MARK = 12345;

// exactly sl_features_n numbers, all finite and of order one
static void expect_tame(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping) {
    float out[ROOM];
    int n = sl_features_n(accel);
    assert_true(n < ROOM);
    for (int i = 0; i < ROOM; i++) out[i] = MARK;
    sl_mapping_features(layer, accel, mapping, out);
    for (int i = 0; i < n; i++)
        if (!isfinite(out[i]) || fabsf(out[i]) > 12)
            fail_msg("feature %d of %d is %g", i, n, out[i]);
    for (int i = n; i < ROOM; i++) assert_true(out[i] == MARK);
}

static void any_nest_has_as_many_finite_numbers_as_promised(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 4, "features");
    for (int i = 0; i < 20000; i++) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping;
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        do nest_sample(&rng, &layer, &mapping);
        while (mapping.n_boundaries != accel.n_levels - 1);
        expect_tame(&layer, &accel, &mapping);
    }
}

static void edge_layers_have_finite_numbers(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=1", "conv:K=8191,C=127,P=131,Q=3",
                                         "gemm:M=16384,N=8192,K=8192", "linear:K=1,C=7",
                                         "conv:K=1,C=1,P=1,Q=1,R=11,S=13,stride=3,dilation=2"};
    static const char *const accels[] = {"eyeriss", "golden", "nvdla", "tpu", "simba", "gemmini"};
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        for (size_t j = 0; j < sizeof accels / sizeof accels[0]; j++) {
            SlLayer layer = layer_of(layers[i]);
            SlAccel accel = accel_of(accels[j]);
            SlMapping mapping;
            SlError err;
            assert_int_equal(sl_mapping_default(&layer, &accel, &mapping, &err), SL_OK);
            expect_tame(&layer, &accel, &mapping);
        }
    }
}

// --- what the numbers mean, on eyeriss (three levels, one fan-out)

enum {
    TRIPS = SL_N_ESTIMATES, // 3 segments x 6 columns, after latency and energy
    SPACE = TRIPS + 18,     // 6 columns, busy share
    WHOLE = SPACE + 7,      // lanes, share of all, edges
    TILES = WHOLE + 3,      // 2 levels x 5
    REUSE = TILES + 10,     // 2 levels x 3
    CYCLES = REUSE + 6,     // compute, DRAM port, two links
    SPREADS = CYCLES + 4,   // 6 columns
    ORDERS = SPREADS + 6,   // 2 segments x (6 pairs, 6 columns)
    EYERISS_ALL = ORDERS + 24,
};

static void features_of(const char *layer_text, const char *nest, float *out) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = accel_of("eyeriss");
    SlMapping mapping = nest_of(nest);
    assert_null(sl_mapping_check(&layer, &mapping));
    assert_int_equal(sl_features_n(&accel), EYERISS_ALL);
    sl_mapping_features(&layer, &accel, &mapping, out);
}

static void expect_near(float got, double want) {
    if (fabs(got - want) > 1e-6) fail_msg("got %.8f, want %.8f", got, want);
}

static void numbers_say_what_the_nest_does(void **state) {
    (void)state;
    float f[ROOM];
    features_of("conv:K=64,C=32,P=16", "P:4 K:16 @7 K*4 C:8 K:2 @7 K:1 C:1 P:1", f);
    expect_near(f[TRIPS + 0], 0.5 * log(4));         // K above L2
    expect_near(f[TRIPS + 2], 0.5 * log(4));         // P above L2
    expect_near(f[TRIPS + 6], 0.5 * log(2));         // K above L1
    expect_near(f[TRIPS + 12 + 1], 0.5 * log(8));    // C inside L1
    expect_near(f[SPACE + 0], 0.5 * log(4));         // K over the PEs
    expect_near(f[SPACE + 6], 0.5 * log(4 / 168.0)); // busy
    expect_near(f[WHOLE + 0], 0.5 * log(4));
    expect_near(f[WHOLE + 2], 0);                            // no edges
    expect_near(f[TILES + 0], 0.5 * log(16 * 32 / 2048.0));  // W in L2
    expect_near(f[TILES + 5 + 1], 0.5 * log(8 * 4 / 512.0)); // I in L1
    expect_near(f[REUSE + 0], 0.5 * log(4));                 // W comes for every P
    expect_near(f[REUSE + 1], 0);                            // I stays while K advances
    expect_near(f[REUSE + 2], 0);
    // L1: W for every P; I in all four K and both K inside, but the PEs share it
    expect_near(f[REUSE + 3], 0.5 * log(4));
    expect_near(f[REUSE + 4], 0.5 * log(4));
    expect_near(f[REUSE + 5], 0.5 * log(4));         // O for every C
    expect_near(f[CYCLES], 0.5 * log(8192 / 224.0)); // 4 PEs; DRAM alone takes 3584 / 16 cycles
    assert_true(f[SPREADS] == 1 && f[SPREADS + 1] == 0);
}

static void order_numbers_tell_who_is_outside(void **state) {
    (void)state;
    float f[ROOM];
    // pairs KC KP KQ CP CQ PQ, then the innermost one of K C P Q R S
    features_of("conv:K=64,C=32,P=16", "P:4 K:16 @7 K*4 C:8 K:2 @7 K:1 C:1 P:1", f);
    static const float want[] = {0,     -0.5F, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
                                 -0.5F, 0,     0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    for (int i = 0; i < 24; i++) assert_true(f[ORDERS + i] == want[i]);

    // groups stand in for K and the batch for P where those are 1
    features_of("dw:G=8,N=6,Q=5", "G:2 N:3 @7 G:1 @7 Q:1 N:1", f);
    assert_true(f[ORDERS + 1] == 0.5F && f[ORDERS + 6 + 2] == 1);
    expect_near(f[TRIPS + 0], 0.5 * log(4));
    expect_near(f[TRIPS + 2], 0.5 * log(2));
}

static void mean_trips_count_edges(void **state) {
    (void)state;
    float f[ROOM];
    // 10 = 4 + 4 + 2, each in twos: 5 pieces after 3
    features_of("conv:K=10", "K:4 @7 K:2 @7 K:1", f);
    expect_near(f[TRIPS], 0.5 * log(3));
    expect_near(f[TRIPS + 6], 0.5 * log(5 / 3.0));
    // 4 PEs for 4 + 4 + 2 channels: 12 slots for 10
    features_of("conv:K=10", "K:4 @7 K*1 @7", f);
    expect_near(f[WHOLE + 2], 0.5 * log(10 / 12.0));
}

// --- equal keys

static void swap_free(SlRng *rng, SlMapping *mapping) {
    int inside = mapping->at[mapping->n_boundaries - 1];
    for (int k = 0; k < 60 && mapping->n_loops > 1; k++) {
        int i = (int)sl_rng_below(rng, (uint64_t)mapping->n_loops - 1);
        SlLoop *a = &mapping->loops[i], *b = a + 1, kept = *a;
        bool apart = false;
        for (int j = 0; j < mapping->n_boundaries; j++) apart |= mapping->at[j] == i + 1;
        if (apart || a->dim == b->dim || (!a->spatial && !b->spatial && i < inside)) continue;
        *a = *b;
        *b = kept;
    }
}

static void nests_of_one_key_have_equal_features(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 5, "features of one key");
    for (int i = 0; i < 20000; i++) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping, other;
        float a[ROOM], b[ROOM];
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        do nest_sample(&rng, &layer, &mapping);
        while (mapping.n_boundaries != accel.n_levels - 1);
        other = mapping;
        if (sl_rng_below(&rng, 2)) sl_mapping_simplify(&layer, &other);
        swap_free(&rng, &other);
        assert_int_equal(sl_mapping_key(&layer, &mapping), sl_mapping_key(&layer, &other));
        sl_mapping_features(&layer, &accel, &mapping, a);
        sl_mapping_features(&layer, &accel, &other, b);
        assert_memory_equal(a, b, (size_t)sl_features_n(&accel) * sizeof a[0]);
    }
}

static void splitting_a_run_below_the_innermost_level_shows_nowhere(void **state) {
    (void)state;
    float a[ROOM], b[ROOM];
    features_of("conv:K=10,C=7", "K:5 @7 C:3 @7 K:3 K:2 C:2 K:1 C:1", a);
    features_of("conv:K=10,C=7", "K:5 @7 C:3 @7 C:1 K:1", b);
    assert_memory_equal(a, b, EYERISS_ALL * sizeof a[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_nest_has_as_many_finite_numbers_as_promised),
        cmocka_unit_test(edge_layers_have_finite_numbers),
        cmocka_unit_test(numbers_say_what_the_nest_does),
        cmocka_unit_test(order_numbers_tell_who_is_outside),
        cmocka_unit_test(mean_trips_count_edges),
        cmocka_unit_test(nests_of_one_key_have_equal_features),
        cmocka_unit_test(splitting_a_run_below_the_innermost_level_shows_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
