// test_fit.c - every violated inequality of a nest on an accelerator, and its sentence.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "nest_cases.h"

// DRAM, L2 (all tensors, 100 B), L1 (W and O, 16 B, double buffered); 12 PEs as clusters for K, C
// and P below L2, a grid of 4 (K) x 3 (C, K) lanes below L1
static SlAccel small_accel(void) {
    SlAccel accel = {.name = "small", .n_levels = 3, .word_bytes = {1, 1, 2}};
    accel.levels[0] = (SlLevel){.name = "DRAM", .keep = SL_KEEP_ALL};
    accel.levels[1] = (SlLevel){.name = "L2", .capacity_bytes = 100, .keep = SL_KEEP_ALL};
    accel.levels[2] = (SlLevel){.name = "L1", .capacity_bytes = 16, .keep = 5};
    accel.levels[2].buffering = SL_BUFFER_DOUBLE;
    accel.fanouts[1].n_axes = 1;
    accel.fanouts[1].axes[0] = (SlAxis){"clusters", 12, 1 << SL_K | 1 << SL_C | 1 << SL_P};
    accel.fanouts[2].n_axes = 2;
    accel.fanouts[2].axes[0] = (SlAxis){"rows", 4, 1 << SL_K};
    accel.fanouts[2].axes[1] = (SlAxis){"columns", 3, 1 << SL_C | 1 << SL_K};
    return accel;
}

// the sentences must be those violated, in order; NULL ends the list
static void expect_fit(const char *layer_text, const char *nest, const char *const *sentences) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = small_accel();
    SlMapping mapping = nest_of(nest);
    SlFit fit;
    assert_null(sl_mapping_check(&layer, &mapping));
    bool fits = sl_mapping_fit(&layer, &accel, &mapping, &fit);
    int n = 0;
    for (; sentences[n]; n++) {
        char text[256];
        if (n >= fit.n) fail_msg("%s: missing: %s", nest, sentences[n]);
        sl_violation_text(&accel, &fit.list[n], sizeof text, text);
        assert_string_equal(text, sentences[n]);
    }
    assert_int_equal(fit.n, n);
    assert_int_equal(fits, n == 0);
}
#define EXPECT_FIT(layer, nest, ...)                                                               \
    expect_fit(layer, nest, (const char *const[]){__VA_ARGS__, NULL})

static void a_nest_that_fits_violates_nothing(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=24,C=3,P=2", "@1 K*2 P:1 @1 K*1 C*1", NULL);
    EXPECT_FIT("conv:K=8,C=6", "K:2 @7 C*3 @1 K*1 C*1", NULL);
}

static void the_number_of_levels_must_match(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=2", "@7 K:1",
               "the nest has 1 storage boundary (@), small has 2 on-chip levels (L2, L1)");
    EXPECT_FIT("conv:K=2", "K:1",
               "the nest has 0 storage boundaries (@), small has 2 on-chip levels (L2, L1)");
}

static void a_level_keeps_only_what_it_can_hold(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=2", "K:1 @7 @7", "L1 keeps W I O, can hold W O");
    EXPECT_FIT("conv:K=2", "K:1 @7 @2", "L1 keeps I, can hold W O");
}

static void capacities_count_kept_tensors_and_both_halves(void **state) {
    (void)state;
    // L2: W 8*3, I 3*5, O 8*5 words of 2 bytes; L1: W 4, O 4*2 bytes, twice
    EXPECT_FIT("conv:K=8,C=3,P=5", "@7 K*4 C:1 P:1 @5 K:1",
               "L2 needs 119 B (W 24, I 15, O 80), has 100 B",
               "L1 needs 24 B (W 8, O 16; double buffered), has 16 B");
    EXPECT_FIT("conv:K=8,C=3,P=5", "@3 K*4 C:1 P:1 @1 K:1", NULL);
}

static void spatial_loops_share_the_instances_of_a_cluster(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=12,C=2", "@1 K*1 C*1 @1",
               "the fan-out below L2 has 12 instances, the spatial loops need 24 (K 12, C 2)");
    EXPECT_FIT("conv:K=12,C=2", "K*6 @1 C:1 K:1 @1",
               "the fan-out below DRAM has 1 instance, the spatial loops need 2 (K 2)");
    EXPECT_FIT("conv:K=16,C=2", "@1 K*8 K:4 K*1 C*1 @1",
               "the fan-out below L2 has 12 instances, the spatial loops need 16 (K 8, C 2)");
}

static void loops_on_a_grid_lie_wholly_on_one_axis(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=12", "@1 @0 K*4 K*1", NULL);
    EXPECT_FIT("conv:K=8", "@1 @1 K*1",
               "no way to lay the spatial loops (K 8) on the axes below L1 (rows 4 for K, columns "
               "3 for K C), each loop wholly on one axis");
    // two loops of 2 share the rows, C has the columns to itself
    EXPECT_FIT("conv:K=4,C=3", "@1 @0 C*1 K*2 K*1", NULL);
    EXPECT_FIT("conv:K=6,C=2", "@1 @0 K*2 K*1 C*1",
               "no way to lay the spatial loops (K 6, C 2) on the axes below L1 (rows 4 for K, "
               "columns 3 for K C), each loop wholly on one axis");
}

static void dims_that_may_not_be_spread_are_named_once(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=2,P=4,Q=3", "@1 @1 P*2 K*1 P*1 Q*1",
               "P may not be spread below L1 (allowed: K C)",
               "Q may not be spread below L1 (allowed: K C)",
               "the fan-out below L1 has 12 instances, the spatial loops need 24 (K 2, P 4, Q 3)");
}

static void loops_with_one_trip_ask_for_nothing(void **state) {
    (void)state;
    EXPECT_FIT("conv:K=2", "Q*1 K*2 @1 S*3 @1 Q*5 K:1 K*1", NULL);
}

static void the_layer_decides_word_sizes_where_it_gives_them(void **state) {
    (void)state;
    SlAccel accel = small_accel();
    SlLayer layer = layer_of("conv:K=2");
    accel.word_bytes[SL_I] = 0.5;
    layer.word_bytes[SL_W] = 4;
    assert_true(sl_word_bytes(&layer, &accel, SL_W) == 4);
    assert_true(sl_word_bytes(&layer, &accel, SL_I) == 0.5);
    assert_true(sl_word_bytes(&layer, &accel, SL_O) == 2);

    char text[128];
    SlViolation half = {.rule = SL_RULE_CAPACITY, .level = 1, .need = 1234.5, .have = 1000};
    half.bytes[SL_I] = 1234.5;
    sl_violation_text(&accel, &half, sizeof text, text);
    assert_string_equal(text, "L2 needs 1234.5 B (I 1234.5), has 1,000 B");
    sl_violation_text(&accel, &half, 9, text);
    assert_string_equal(text, "L2 needs");
}

// reference for small cases: try every assignment of loops to axes
static bool some_assignment(const SlFanout *fanout, int n, const int64_t *trips, const int *dims) {
    int64_t all = 1;
    for (int i = 0; i < n; i++) all *= fanout->n_axes;
    for (int64_t code = 0; code < all; code++) {
        int64_t used[SL_MAX_AXES] = {1, 1, 1, 1}, rest = code;
        bool fits = true;
        for (int i = 0; i < n; i++, rest /= fanout->n_axes) {
            int a = (int)(rest % fanout->n_axes);
            used[a] *= trips[i];
            fits = fits && fanout->axes[a].dims >> dims[i] & 1 && used[a] <= fanout->axes[a].size;
        }
        if (fits) return true;
    }
    return n == 0;
}

static void the_assignment_to_axes_is_found_if_there_is_one(void **state) {
    (void)state;
    SlRng rng;
    int n_fit = 0;
    sl_rng_init(&rng, 1, "axes");
    for (int i = 0; i < 5000; i++) {
        SlAccel accel = {.n_levels = 1, .levels = {{.name = "DRAM", .keep = 7}}};
        SlFanout *fanout = &accel.fanouts[0];
        fanout->n_axes = (int)sl_rng_range(&rng, 1, 3);
        for (int a = 0; a < fanout->n_axes; a++)
            fanout->axes[a] = (SlAxis){"a", sl_rng_range(&rng, 1, 24),
                                       (uint8_t)sl_rng_range(&rng, 1, SL_SPREAD_ALL)};
        // up to five spatial loops, each over its own dim
        SlLayer layer;
        SlMapping mapping = {.n_loops = (uint8_t)sl_rng_range(&rng, 0, 5)};
        int64_t trips[5];
        int dims[5];
        sl_layer_init(&layer);
        for (int l = 0; l < mapping.n_loops; l++) {
            dims[l] = l + 1;
            trips[l] = layer.dims[dims[l]] = sl_rng_range(&rng, 2, 6);
            mapping.loops[l] = (SlLoop){1, (uint8_t)dims[l], true};
        }
        SlFit fit;
        bool fits = sl_mapping_fit(&layer, &accel, &mapping, &fit);
        assert_int_equal(fits, some_assignment(fanout, mapping.n_loops, trips, dims));
        n_fit += fits && mapping.n_loops > 1;
    }
    assert_true(n_fit > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nest_that_fits_violates_nothing),
        cmocka_unit_test(the_number_of_levels_must_match),
        cmocka_unit_test(a_level_keeps_only_what_it_can_hold),
        cmocka_unit_test(capacities_count_kept_tensors_and_both_halves),
        cmocka_unit_test(spatial_loops_share_the_instances_of_a_cluster),
        cmocka_unit_test(loops_on_a_grid_lie_wholly_on_one_axis),
        cmocka_unit_test(dims_that_may_not_be_spread_are_named_once),
        cmocka_unit_test(loops_with_one_trip_ask_for_nothing),
        cmocka_unit_test(the_layer_decides_word_sizes_where_it_gives_them),
        cmocka_unit_test(the_assignment_to_axes_is_found_if_there_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
