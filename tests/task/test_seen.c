// test_seen.c - points that were asked for or told: equal nests count as one.
#include "starling/task/seen.h"

#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"
#include "support/world.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

// a tile larger than the one outside it is cut to that one: two points, one nest
static void points_of_one_nest_are_known_together(void **state) {
    (void)state;
    World world;
    SlSeen nests;
    int32_t point[SL_MAX_PARAMS] = {0};
    world_make(&world, RES18, "eyeriss");
    const SlTask *task = world_task(&world, "edp", SL_ILLEGAL_REPAIR);
    assert_true(sl_seen_init(&nests, task, 1000000000000, &world.arena));
    assert_true(sl_seen_add(&nests, point));
    assert_false(sl_seen_add(&nests, point));
    for (int i = 0; i < world.space.n_params; i++)
        if (strcmp(world.space.params[i].name, "L1 K") == 0) point[i] = 5;
    assert_false(sl_seen_add(&nests, point));
    for (int i = 0; i < world.space.n_params; i++)
        if (strcmp(world.space.params[i].name, "L2 K") == 0) point[i] = 5;
    assert_true(sl_seen_add(&nests, point));
    SlArena small;
    sl_arena_init(&small, 64);
    assert_false(sl_seen_init(&nests, task, 1000000000000, &small));
    sl_arena_free(&small);
    world_free(&world);
}

// few points have a bit each, many are in a set of keys, and those without numbers too
static void points_of_programs_are_known_one_by_one(void **state) {
    (void)state;
    static const int small[] = {6, 5}, large[] = {96, 96, 96, 96, 96};
    static const int huge[] = {96, 96, 96, 96, 96, 96, 96, 96, 96, 96};
    static const int *const values[] = {small, large, huge};
    static const int n_knobs[] = {2, 5, 10};
    for (int which = 0; which < 3; which++) {
        ToyTask toy;
        SlArena arena;
        SlSeen seen;
        int32_t point[10] = {0};
        sl_arena_init(&arena, 0);
        toy_task_init(&toy, n_knobs[which], values[which]);
        assert_int_equal(toy.space.n_points == 0, which == 2);
        assert_true(sl_seen_init(&seen, &toy.task, 10, &arena));
        assert_int_equal(seen.bits != NULL, which == 0);
        for (int i = 0; i < 30; i++) {
            point[0] = i / 5, point[n_knobs[which] - 1] = i % 5;
            assert_false(sl_seen_has(&seen, point));
            assert_true(sl_seen_add(&seen, point));
            assert_true(sl_seen_has(&seen, point));
            assert_true(sl_seen_has_key(&seen, sl_task_key(&toy.task, point)));
            assert_false(sl_seen_add(&seen, point));
            assert_int_equal(seen.n, i + 1);
        }
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_one_nest_are_known_together),
        cmocka_unit_test(points_of_programs_are_known_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
