// test_nest.c - what makes a loop list a nest of a layer, and nests without idle loops.
#include "support/check.h"

#include <string.h>

#include "mapping/nest_inside.h"
#include "nest_cases.h"

static void a_nest_finishes_every_dim(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4,C=3,P=5,R=2");
    SlMapping mapping = nest_of("K:2 C:1 P:5 @7 K*1 P:1 R:1");
    assert_null(sl_mapping_check(&layer, &mapping));
    mapping = nest_of("K:2 C:1 P:1 R:1");
    assert_string_equal(sl_mapping_check(&layer, &mapping),
                        "the last loop over K must have tiles of 1");
    mapping = nest_of("K:1 P:1 R:1");
    assert_string_equal(sl_mapping_check(&layer, &mapping),
                        "no loop over C, but C is larger than 1");
}

static void dims_of_one_need_no_loop_and_may_have_any(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=1");
    SlMapping mapping = nest_of("");
    assert_null(sl_mapping_check(&layer, &mapping));
    mapping = nest_of("K:7 C*3 @0 @0");
    assert_null(sl_mapping_check(&layer, &mapping));
}

static void a_broken_struct_gets_its_reason(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4");
    const SlMapping good = nest_of("K:2 @7 K:1 @7");
    SlMapping bad = good;
    bad.n_loops = SL_MAX_LOOPS + 1;
    assert_string_equal(sl_mapping_check(&layer, &bad), "more than 40 loops");
    bad = good;
    bad.n_boundaries = SL_MAX_BOUNDARIES + 1;
    assert_string_equal(sl_mapping_check(&layer, &bad), "more than 6 storage boundaries");
    bad = good;
    bad.at[0] = 2, bad.at[1] = 1;
    assert_string_equal(sl_mapping_check(&layer, &bad), "storage boundaries are not in order");
    bad = good;
    bad.at[1] = 3;
    assert_string_equal(sl_mapping_check(&layer, &bad),
                        "a storage boundary lies beyond the last loop");
    bad = good;
    bad.keep[0] = 8;
    assert_string_equal(sl_mapping_check(&layer, &bad), "a level keeps more than W, I and O");
    bad = good;
    bad.loops[0].dim = SL_N_DIMS;
    assert_string_equal(sl_mapping_check(&layer, &bad), "a loop over an unknown dim");
    bad = good;
    bad.loops[0].tile = 0;
    assert_string_equal(sl_mapping_check(&layer, &bad), "a loop has tiles below 1");
    bad.loops[0].tile = SL_MACS_LIMIT + 1;
    assert_string_equal(sl_mapping_check(&layer, &bad), "a loop has tiles above 2^53");
}

static void expect_simple(const SlLayer *layer, const char *nest, const char *simple) {
    char text[SL_NEST_TEXT_MAX];
    SlMapping mapping = nest_of(nest);
    sl_mapping_simplify(layer, &mapping);
    assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), simple);
}

static void loops_that_never_iterate_are_dropped(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4,C=3");
    expect_simple(&layer, "K:9 @7 K:4 P:1 K:2 C*3 @3 @5 K:2 K:1 C:1 K:1 @1",
                  "@7 K:2 @3 @5 K:1 C:1 @1");
    expect_simple(&layer, "K:1 C:1", "K:1 C:1");
}

static void simplifying_keeps_every_footprint(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "simplify");
    for (int i = 0; i < 2000; i++) {
        SlLayer layer;
        SlMapping mapping, simple;
        SlFootprint before, after;
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        simple = mapping;
        sl_mapping_simplify(&layer, &simple);
        assert_null(sl_mapping_check(&layer, &simple));
        sl_mapping_footprint(&layer, &mapping, &before);
        sl_mapping_footprint(&layer, &simple, &after);
        size_t levels = mapping.n_boundaries + 1u;
        assert_memory_equal(before.extent, after.extent, levels * sizeof before.extent[0]);
        assert_memory_equal(before.words, after.words, levels * sizeof before.words[0]);
        assert_memory_equal(before.grid, after.grid, levels * sizeof before.grid[0]);
        for (int l = 0; l < simple.n_loops; l++) assert_true(after.trips[l] > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nest_finishes_every_dim),
        cmocka_unit_test(dims_of_one_need_no_loop_and_may_have_any),
        cmocka_unit_test(a_broken_struct_gets_its_reason),
        cmocka_unit_test(loops_that_never_iterate_are_dropped),
        cmocka_unit_test(simplifying_keeps_every_footprint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
