// test_local.c - local search finds good mappings sooner than chance, and does not ask twice.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

static uint64_t key_of(const MethodRun *run, int64_t i) {
    const World *world = run->world;
    SlMapping mapping;
    sl_space_mapping(&world->space, run->points + i * world->space.n_params, true, &mapping);
    return sl_mapping_key(&world->layer, &mapping);
}

static int64_t count_repeats(const MethodRun *run, SlArena *arena) {
    SlKeySet *seen = sl_keyset_make(0, arena);
    int64_t n = 0;
    for (int64_t i = 0; i < run->n_points; i++) n += !sl_keyset_add(seen, key_of(run, i));
    return n;
}

static void it_beats_random_clearly(void **state) {
    (void)state;
    double log_ratio = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        World world;
        MethodRun local, random;
        world_make(&world, RES18, "eyeriss");
        method_begin(&local, &world, "local", NULL, seed);
        method_begin(&random, &world, "random", NULL, seed);
        method_continue(&local, 500, 1);
        method_continue(&random, 500, 1);
        log_ratio +=
            log(sl_task_best(random.task)->outcome.value / sl_task_best(local.task)->outcome.value);
        world_free(&world);
    }
    assert_true(exp(log_ratio / 6) > 1.15);
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run, careless;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", NULL, 1);
    method_begin(&careless, &world, "local", "redraws=0", 1);
    method_continue(&run, 3000, 16);
    method_continue(&careless, 3000, 16);
    assert_int_equal(count_repeats(&run, &world.arena), 0);
    assert_true(count_repeats(&careless, &world.arena) > 30);
    world_free(&world);
}

// a space of few nests is asked for as a whole, then repeated
static void a_small_space_is_exhausted(void **state) {
    (void)state;
    World world;
    MethodRun local, random;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&local, &world, "local", NULL, 1);
    method_begin(&random, &world, "random", NULL, 1);
    method_continue(&random, 15000, 64);
    int64_t n_nests = random.n_points - count_repeats(&random, &world.arena);
    assert_in_range(n_nests, 5, 500);
    method_continue(&local, 20 * n_nests, 1);
    assert_int_equal(local.n_points - count_repeats(&local, &world.arena), n_nests);
    world_free(&world);
}

// single changes soon lead nowhere new in a small space; then uniform points do
static void where_the_neighbourhood_is_used_up_others_are_drawn(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&run, &world, "local", "more=0 starts=1 redraws=500 patience=100000", 1);
    method_continue(&run, 45, 1);
    assert_int_equal(count_repeats(&run, &world.arena), 0);
    world_free(&world);
}

// no parameter has a choice
static void a_single_point_is_asked_for_again_and_again(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    for (int p = 0; p < world.space.n_params; p++) world.space.params[p].n = 1;
    method_begin(&run, &world, "local", NULL, 1);
    method_continue(&run, 1000, 5);
    assert_int_equal(count_repeats(&run, &world.arena), 999);
    world_free(&world);
}

// differences from the point told first: a climb begins there, not at random points
static void a_point_told_before_the_first_ask_is_the_incumbent(void **state) {
    (void)state;
    World world;
    MethodRun run;
    SlRng rng;
    int32_t start[SL_MAX_PARAMS];
    SlSample outcome;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", "more=0", 4);
    sl_rng_init(&rng, 1, "start");
    sl_space_sample(&world.space, &rng, start);
    sl_task_eval(run.task, 1, start, &outcome);
    sl_method_meet(run.method, run.state, 1, start, &outcome);
    method_continue(&run, 1, 1);
    int differing = 0;
    for (int i = 0; i < world.space.n_params; i++) differing += run.points[i] != start[i];
    assert_int_equal(differing, 1);
    // and its nest counts as seen
    SlMapping mapping;
    sl_space_mapping(&world.space, start, true, &mapping);
    uint64_t key = sl_mapping_key(&world.layer, &mapping);
    method_continue(&run, 300, 1);
    for (int64_t i = 0; i < run.n_points; i++) assert_true(key_of(&run, i) != key);
    world_free(&world);
}

// tell outcomes of our own: after `patience` samples that do not improve, `starts` uniform points
static void it_starts_anew_when_nothing_improves(void **state) {
    (void)state;
    enum { STARTS = 4, PATIENCE = 50 };
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", "starts=4 patience=50 more=0 redraws=0", 4);
    int n_params = world.space.n_params;
    int32_t points[STARTS * SL_MAX_PARAMS], incumbent[SL_MAX_PARAMS];
    for (int round = 0; round < 3; round++) {
        const SlSample outcomes[STARTS] = {{.score = 5}, {.score = 3}, {.score = 4}, {.score = 6}};
        assert_int_equal(run.method->ask(run.state, STARTS, points), STARTS);
        memcpy(incumbent, points + n_params, sizeof incumbent / SL_MAX_PARAMS * (size_t)n_params);
        run.method->tell(run.state, STARTS, points, outcomes);
        // two starting points came after the best; neighbours of it until patience ends
        for (int i = STARTS - 2; i < PATIENCE; i++) {
            assert_int_equal(run.method->ask(run.state, STARTS, points), 1);
            int differing = 0;
            for (int p = 0; p < n_params; p++) differing += points[p] != incumbent[p];
            assert_int_equal(differing, 1);
            run.method->tell(run.state, 1, points, &outcomes[3]);
        }
    }
    world_free(&world);
}

// equal scores replace the incumbent, lower ones too, higher ones not
static void ties_are_accepted(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", "more=0 redraws=0", 4);
    int32_t incumbent[SL_MAX_PARAMS] = {0}, point[SL_MAX_PARAMS];
    size_t bytes = (size_t)world.space.n_params * sizeof *point;
    SlSample outcome = {.score = 2};
    sl_method_meet(run.method, run.state, 1, incumbent, &outcome);
    for (int i = 0; i < 200; i++) {
        run.method->ask(run.state, 1, point);
        int differing = 0;
        for (int p = 0; p < world.space.n_params; p++) differing += point[p] != incumbent[p];
        assert_int_equal(differing, 1);
        outcome.score = i % 2 ? 2 : 2.5;
        if (i % 2) memcpy(incumbent, point, bytes);
        run.method->tell(run.state, 1, point, &outcome);
    }
    world_free(&world);
}

// orders move by swaps of two loops, sizes by few steps, when all changes are near ones
static void near_changes_are_swaps_and_few_steps(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", "more=0 near=1 reach=2 redraws=0 patience=100000", 4);
    int32_t incumbent[SL_MAX_PARAMS];
    for (int p = 0; p < world.space.n_params; p++) incumbent[p] = world.space.params[p].n / 2;
    SlSample outcome = {.score = 2};
    sl_method_meet(run.method, run.state, 1, incumbent, &outcome);
    outcome.score = 3;
    int swaps = 0, steps = 0;
    for (int i = 0; i < 400; i++) {
        int32_t point[SL_MAX_PARAMS];
        run.method->ask(run.state, 1, point);
        run.method->tell(run.state, 1, point, &outcome);
        for (int p = 0; p < world.space.n_params; p++) {
            const SlParam *param = &world.space.params[p];
            if (point[p] == incumbent[p] || param->kind == SL_CATEGORICAL) continue;
            if (param->kind == SL_ORDINAL) {
                assert_in_range(abs(point[p] - incumbent[p]), 1, 2);
                steps++;
                continue;
            }
            uint8_t a[SL_N_DIMS], b[SL_N_DIMS];
            int moved = 0;
            sl_permutation(param->n_items, point[p], a);
            sl_permutation(param->n_items, incumbent[p], b);
            for (int k = 0; k < param->n_items; k++) moved += a[k] != b[k];
            assert_int_equal(moved, 2);
            swaps++;
        }
    }
    assert_true(swaps > 10 && steps > 100);
    world_free(&world);
}

static void expect_neighbours(const World *world, const int32_t *incumbent, int n,
                              const int32_t *points) {
    for (int i = 0; i < n; i++) {
        int differing = 0;
        for (int p = 0; p < world->space.n_params; p++)
            differing += points[i * world->space.n_params + p] != incumbent[p];
        assert_int_equal(differing, 1);
    }
}

// the best of a round takes over, or nobody
static void of_several_children_the_best_counts(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "local", "children=4 more=0 redraws=0 patience=12", 4);
    int n_params = world.space.n_params;
    int32_t incumbent[SL_MAX_PARAMS] = {0}, points[8 * SL_MAX_PARAMS];
    const SlSample start = {.score = 2};
    sl_method_meet(run.method, run.state, 1, incumbent, &start);
    static const SlSample rounds[][4] = {
        {{.score = 3}, {.score = 1.5}, {.score = 1}, {.score = 1.9}}, // the third
        {{.score = 3}, {.score = 2}, {.score = 1.5}, {.score = 1.9}}, // nobody
        {{.score = 1}, {.score = 2}, {.score = 1.5}, {.score = 1.9}}, // a tie: the first
    };
    static const int heir[] = {2, -1, 0};
    for (int r = 0; r < 3; r++) {
        // a round may be asked for and told in pieces
        assert_int_equal(run.method->ask(run.state, 3, points), 3);
        run.method->tell(run.state, 2, points, rounds[r]);
        assert_int_equal(run.method->ask(run.state, 8, points + (ptrdiff_t)3 * n_params), 1);
        run.method->tell(run.state, 2, points + (ptrdiff_t)2 * n_params, rounds[r] + 2);
        expect_neighbours(&world, incumbent, 4, points);
        if (heir[r] >= 0)
            memcpy(incumbent, points + (ptrdiff_t)heir[r] * n_params,
                   (size_t)n_params * sizeof *points);
    }
    // two rounds brought nothing better, and neither does this one: ten new starting points
    assert_int_equal(run.method->ask(run.state, 8, points), 4);
    run.method->tell(run.state, 4, points, rounds[1]);
    assert_int_equal(run.method->ask(run.state, 8, points), 8);
    world_free(&world);
}

static void rounds_do_not_depend_on_the_room(void **state) {
    (void)state;
    World world;
    MethodRun one, seven;
    world_make(&world, RES18, "eyeriss");
    method_begin(&one, &world, "local", "children=5 patience=60", 1);
    method_begin(&seven, &world, "local", "children=5 patience=60", 1);
    method_continue(&one, 600, 1);
    method_continue(&seven, 600, 7);
    assert_memory_equal(one.points, seven.points,
                        (size_t)(600 * world.space.n_params) * sizeof *one.points);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_beats_random_clearly),
        cmocka_unit_test(no_nest_is_asked_for_twice),
        cmocka_unit_test(a_small_space_is_exhausted),
        cmocka_unit_test(where_the_neighbourhood_is_used_up_others_are_drawn),
        cmocka_unit_test(a_single_point_is_asked_for_again_and_again),
        cmocka_unit_test(a_point_told_before_the_first_ask_is_the_incumbent),
        cmocka_unit_test(it_starts_anew_when_nothing_improves),
        cmocka_unit_test(ties_are_accepted),
        cmocka_unit_test(near_changes_are_swaps_and_few_steps),
        cmocka_unit_test(of_several_children_the_best_counts),
        cmocka_unit_test(rounds_do_not_depend_on_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
