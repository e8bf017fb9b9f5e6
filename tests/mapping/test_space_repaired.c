// test_space_repaired.c - the points of mappings that were made to fit.
#include "support/check.h"

#include <string.h>

#include "starling/mapping.h"
#include "support/world.h"

enum { POINTS = 400 };

static void remake(World *world, SlSpacePreset preset) {
    SlSpaceOptions options = {.preset = preset};
    assert_int_equal(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, NULL),
        SL_OK);
}

static uint64_t key_of(const World *world, const int32_t *point) {
    SlMapping mapping;
    sl_space_mapping(&world->space, point, true, &mapping);
    return sl_mapping_key(&world->layer, &mapping);
}

// how many of the points say all of their mapping; each of those is the same mapping again
static int check_points(const World *world) {
    int n_exact = 0;
    SlRng rng;
    sl_rng_init(&rng, 4, "repaired");
    for (int i = 0; i < POINTS; i++) {
        int32_t point[SL_MAX_PARAMS], repaired[SL_MAX_PARAMS], again[SL_MAX_PARAMS];
        size_t bytes = (size_t)world->space.n_params * sizeof *point;
        sl_space_sample(&world->space, &rng, point);
        bool exact = sl_space_repaired(&world->space, point, repaired);
        n_exact += exact;
        for (int k = 0; k < world->space.n_params; k++)
            if (world->space.params[k].role != SL_ROLE_TILE) assert_true(repaired[k] == point[k]);
        if (!exact) continue;
        assert_true(key_of(world, point) == key_of(world, repaired));
        assert_true(sl_space_repaired(&world->space, repaired, again));
        assert_memory_equal(repaired, again, bytes);
    }
    return n_exact;
}

static void repaired_points_make_the_same_mapping(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=48,P=56,Q=56,R=3,S=3", "eyeriss");
    // every size is listed, so repair always has a point
    remake(&world, SL_SPACE_ALL);
    assert_int_equal(check_points(&world), POINTS);
    remake(&world, SL_SPACE_PAPER);
    assert_int_equal(check_points(&world), POINTS);
    remake(&world, SL_SPACE_PAPER10);
    assert_int_equal(check_points(&world), POINTS);
    // sizes rounded up to whole waves may not be listed
    remake(&world, SL_SPACE_NATIVE);
    assert_in_range(check_points(&world), POINTS / 2, POINTS);
    world_free(&world);
}

static void what_fits_as_it_stands_keeps_its_point(void **state) {
    (void)state;
    World world;
    int32_t point[SL_MAX_PARAMS] = {0}, repaired[SL_MAX_PARAMS];
    world_make(&world, "conv:K=64,C=48,P=56,Q=56,R=3,S=3", "eyeriss");
    remake(&world, SL_SPACE_ALL);
    assert_true(sl_space_repaired(&world.space, point, repaired));
    assert_memory_equal(point, repaired, (size_t)world.space.n_params * sizeof *point);
    // values out of range are those next to it; in place
    point[0] = -3;
    assert_true(sl_space_repaired(&world.space, point, point));
    assert_int_equal(point[0], 0);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repaired_points_make_the_same_mapping),
        cmocka_unit_test(what_fits_as_it_stands_keeps_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
