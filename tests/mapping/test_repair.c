// test_repair.c - nests that do not fit, mended.
#include "support/check.h"

#include <string.h>

#include "nest_cases.h"

static const char *const presets[] = {"eyeriss", "golden", "flex256", "flex1024",
                                      "nvdla",   "tpu",    "gemmini", "simba"};
enum { N_PRESETS = sizeof presets / sizeof presets[0] };

static void expect_repair(const SlLayer *layer, const SlAccel *accel, const char *nest,
                          const char *mended) {
    char text[SL_NEST_TEXT_MAX];
    SlError err = {.text = ""};
    SlMapping mapping = nest_of(nest);
    if (sl_mapping_repair(layer, accel, &mapping, &err) != SL_OK) fail_msg("%s", err.text);
    assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), mended);
}

// can the smallest tiles be held by what the nest keeps?
static bool ones_fit(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping) {
    SlMapping ones = *mapping;
    SlFit fit;
    int n = accel->n_levels - 1;
    for (int b = 0; b < n; b++) {
        int keep = b < mapping->n_boundaries ? mapping->keep[b] : SL_KEEP_ALL;
        ones.at[b] = ones.n_loops;
        ones.keep[b] = (uint8_t)(keep & accel->levels[b + 1].keep);
    }
    ones.n_boundaries = (uint8_t)n;
    for (int i = 0; i < ones.n_loops; i++) ones.loops[i].spatial = false;
    return sl_mapping_fit(layer, accel, &ones, &fit);
}

// returns whether the nest was mended
static bool check_one(const SlLayer *layer, const SlAccel *accel, const SlMapping *broken) {
    SlMapping mapping = *broken;
    SlError err = {.text = ""};
    SlFit fit;
    bool fitted = sl_mapping_fit(layer, accel, broken, &fit);
    SlStatus status = sl_mapping_repair(layer, accel, &mapping, &err);
    if (status != SL_OK) {
        assert_int_equal(status, SL_EINPUT);
        assert_non_null(strstr(err.text, " even for the smallest tile"));
        assert_false(ones_fit(layer, accel, broken));
        assert_memory_equal(&mapping, broken, sizeof mapping);
        return false;
    }
    assert_null(sl_mapping_check(layer, &mapping));
    assert_true(sl_mapping_fit(layer, accel, &mapping, &fit));
    if (fitted) assert_memory_equal(&mapping, broken, sizeof mapping);
    SlMapping again = mapping;
    assert_int_equal(sl_mapping_repair(layer, accel, &again, &err), SL_OK);
    assert_memory_equal(&mapping, &again, sizeof mapping);
    return !fitted;
}

static void any_nest_can_be_mended_on_the_presets(void **state) {
    (void)state;
    SlAccel accels[N_PRESETS];
    SlRng rng;
    int n_mended = 0;
    for (int i = 0; i < N_PRESETS; i++) accels[i] = accel_of(presets[i]);
    sl_rng_init(&rng, 1, "repair");
    for (int i = 0; i < 8000; i++) {
        SlLayer layer;
        SlMapping mapping;
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        n_mended += check_one(&layer, &accels[i % N_PRESETS], &mapping);
    }
    assert_true(n_mended > 5000);
}

static void any_nest_is_mended_or_refused_on_any_machine(void **state) {
    (void)state;
    SlRng rng;
    int n_mended = 0;
    sl_rng_init(&rng, 2, "repair");
    for (int i = 0; i < 8000; i++) {
        SlLayer layer;
        SlAccel accel;
        SlMapping mapping;
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        nest_sample(&rng, &layer, &mapping);
        n_mended += check_one(&layer, &accel, &mapping);
    }
    assert_true(n_mended > 3000);
}

static void levels_are_added_inside_or_dropped_from_inside(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4,C=3");
    SlAccel eyeriss = accel_of("eyeriss");
    expect_repair(&layer, &eyeriss, "K:1 @7 C:1", "K:1 @7 C:1 @7");
    expect_repair(&layer, &eyeriss, "K:1 @6 C:1 @5 @4 @1", "K:1 @6 C:1 @5");
}

static void levels_give_up_what_they_cannot_hold(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4,C=3");
    SlAccel gemmini = accel_of("gemmini");
    expect_repair(&layer, &gemmini, "@7 K:1 @7 C:1 @5", "@3 K:1 @4 C:1 @1");
}

static void spread_beyond_the_instances_happens_in_turns(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=24,C=32");
    SlAccel eyeriss = accel_of("eyeriss");
    // 12 x 16 instances of 168: C comes first, K gets 10 and needs two turns
    expect_repair(&layer, &eyeriss, "@7 K*2 C*2 @7 K:1 C:1", "@7 K*4 K:2 C*2 @7 K:1 C:1");
    // nothing is spread below DRAM
    expect_repair(&layer, &eyeriss, "K*2 @7 C*2 @7 K:1 C:1", "K:2 @7 C*2 @7 K:1 C:1");
}

static void tiles_are_cut_just_above_the_level_that_is_full(void **state) {
    (void)state;
    SlAccel eyeriss = accel_of("eyeriss");
    SlLayer layer = layer_of("conv:K=600");
    // W 600 + I 1 + O 600 bytes in 512: three balanced tiles
    expect_repair(&layer, &eyeriss, "@7 @7 K:1", "@7 K:200 @7 K:1");
    // the segment's own loop does it where there is one
    expect_repair(&layer, &eyeriss, "@7 K:300 @7 K:1", "@7 K:150 @7 K:1");
}

// 40 loops over K, boundary b before loop at[b]
static SlMapping full_nest(int at0, int at1) {
    SlMapping mapping = {.n_loops = SL_MAX_LOOPS, .n_boundaries = 2};
    for (int i = 0; i < SL_MAX_LOOPS; i++)
        mapping.loops[i] = (SlLoop){.tile = i < 19 ? 999999 - i : 119 - i, .dim = SL_K};
    mapping.loops[SL_MAX_LOOPS - 1].tile = 1;
    mapping.keep[0] = mapping.keep[1] = SL_KEEP_ALL;
    mapping.at[0] = (uint8_t)at0;
    mapping.at[1] = (uint8_t)at1;
    return mapping;
}

static void full_nests_are_cut_without_new_loops(void **state) {
    (void)state;
    SlAccel accel = accel_of("eyeriss");
    SlLayer layer = layer_of("conv:K=1000000");
    SlMapping mapping = full_nest(0, 20), mended = mapping;
    SlError err;
    // L1 holds its 100 already; L2 is cut by a loop that came from below it
    assert_int_equal(sl_mapping_repair(&layer, &accel, &mended, &err), SL_OK);
    assert_int_equal(mended.loops[0].tile, 52632);
    assert_int_equal(mended.loops[1].tile, 100);
    assert_int_equal(mended.at[0], 1);
    assert_int_equal(mended.at[1], 2);
    assert_int_equal(mended.n_loops, 22);

    // no space for turns beside 10,000 instances: all of them in time
    mapping = full_nest(0, 20);
    mapping.loops[19].spatial = true;
    assert_true(check_one(&layer, &accel, &mapping));

    static const int at[][2] = {{0, 0}, {10, 20}, {19, 19}, {0, 19}, {5, 40}, {40, 40}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        mapping = full_nest(at[i][0], at[i][1]);
        check_one(&layer, &accel, &mapping);
        for (int l = 0; l < SL_MAX_LOOPS; l++) mapping.loops[l].spatial = l % 3 == 0;
        check_one(&layer, &accel, &mapping);
    }
}

static void what_no_tile_can_meet_is_refused_with_the_inequality(void **state) {
    (void)state;
    SlAccel accel = accel_of("eyeriss");
    SlLayer layer = layer_of("conv:K=4");
    SlMapping mapping = nest_of("@7 K:1 @7");
    SlError err;
    accel.levels[2].capacity_bytes = 2;
    assert_int_equal(sl_mapping_repair(&layer, &accel, &mapping, &err), SL_EINPUT);
    assert_string_equal(err.text,
                        "L1 needs 3 B (W 1, I 1, O 1), has 2 B even for the smallest tile");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_nest_can_be_mended_on_the_presets),
        cmocka_unit_test(any_nest_is_mended_or_refused_on_any_machine),
        cmocka_unit_test(levels_are_added_inside_or_dropped_from_inside),
        cmocka_unit_test(levels_give_up_what_they_cannot_hold),
        cmocka_unit_test(spread_beyond_the_instances_happens_in_turns),
        cmocka_unit_test(tiles_are_cut_just_above_the_level_that_is_full),
        cmocka_unit_test(full_nests_are_cut_without_new_loops),
        cmocka_unit_test(what_no_tile_can_meet_is_refused_with_the_inequality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
