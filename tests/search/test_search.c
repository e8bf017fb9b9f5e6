// test_search.c - what holds for every method of the table.
#include "support/check.h"

#include <string.h>

#include "search/method_run.h"

static const char *const LAYER = "conv:K=64,C=48,P=28,Q=28,R=3,S=3";

static void methods_have_names_sources_and_valid_defaults(void **state) {
    (void)state;
    assert_string_equal(sl_search_methods[0]->name, "random");
    assert_string_equal(sl_search_methods[1]->name, "local");
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int i = 0; sl_search_methods[i]; i++) {
        const SlMethod *method = sl_search_methods[i];
        assert_true(method->title && method->source && method->options);
        assert_false(method->learns);
        method_options(method, NULL, &arena); // asserts that the defaults are valid
    }
    sl_arena_free(&arena);
}

// those that need floors have none of mappings, and say so
static bool suits(World *world, const SlMethod *method) {
    const char *reason = sl_method_check(method, world_task(world, "edp", SL_ILLEGAL_REPAIR));
    assert_int_equal(reason != NULL, strcmp(method->name, "oracle") == 0);
    if (reason) assert_non_null(strstr(reason, "lower bound of every point"));
    return !reason;
}

static void expect_same(const MethodRun *a, const MethodRun *b, bool same) {
    assert_int_equal(a->n_points, b->n_points);
    size_t bytes = (size_t)a->n_points * (size_t)a->world->space.n_params * sizeof *a->points;
    if ((memcmp(a->points, b->points, bytes) == 0) != same)
        fail_msg("%s: %s points", a->method->name, same ? "other" : "the same");
}

static void a_seed_names_a_run_whatever_the_room(void **state) {
    (void)state;
    for (int i = 0; sl_search_methods[i]; i++) {
        const char *name = sl_search_methods[i]->name;
        World world;
        MethodRun one, again, other;
        world_make(&world, LAYER, "eyeriss");
        if (!suits(&world, sl_search_methods[i])) {
            world_free(&world);
            continue;
        }
        method_begin(&one, &world, name, NULL, 1);
        method_begin(&again, &world, name, NULL, 1);
        method_begin(&other, &world, name, NULL, 2);
        // draft guesses thousands of values per batch of 8, and fits only between two asks
        const bool drafts = strcmp(name, "draft") == 0;
        const int n = drafts ? 24 : 150;
        method_continue(&one, n, 1);
        method_continue(&again, n, drafts ? 4 : 7);
        method_continue(&other, n, 1);
        expect_same(&one, &again, true);
        expect_same(&one, &other, false);
        world_free(&world);
    }
}

// one MAC: no parameter has a choice, every sample is a repeat; who never repeats a point ends
static void a_space_of_one_point_is_asked_for_again_and_again(void **state) {
    (void)state;
    for (int i = 0; sl_search_methods[i]; i++) {
        World world;
        MethodRun run;
        const char *name = sl_search_methods[i]->name;
        const bool ends = strncmp(name, "autotvm", 7) == 0 || strcmp(name, "draft") == 0;
        world_make(&world, "conv:K=1", "eyeriss");
        if (suits(&world, sl_search_methods[i])) {
            method_begin(&run, &world, name, "", 1);
            run.may_end = ends;
            method_continue(&run, 200, 3);
            assert_int_equal(sl_task_samples(run.task), ends ? 1 : 200);
            assert_int_equal(sl_task_best(run.task)->sample, 1);
        }
        world_free(&world);
    }
}

static void odd_layers_are_searched(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=2", "linear:K=127,C=1009",
                                         "dw:G=7,P=5,Q=3,R=3,S=3", "gemm:M=16384,N=8192,K=8192"};
    for (int i = 0; sl_search_methods[i]; i++) {
        for (int l = 0; l < 4; l++) {
            World world;
            MethodRun run;
            world_make(&world, layers[l], l % 2 ? "simba" : "eyeriss");
            if (suits(&world, sl_search_methods[i])) {
                method_begin(&run, &world, sl_search_methods[i]->name, NULL, 1);
                run.may_end = l == 0; // few points
                method_continue(&run, strcmp(sl_search_methods[i]->name, "draft") ? 60 : 16, 10);
                assert_non_null(sl_task_best(run.task));
            }
            world_free(&world);
        }
    }
}

static void without_memory_there_is_no_state(void **state) {
    (void)state;
    World world;
    world_make(&world, LAYER, "eyeriss");
    for (int i = 0; sl_search_methods[i]; i++) {
        const SlMethod *method = sl_search_methods[i];
        if (!suits(&world, method)) continue;
        void *options = method_options(method, NULL, &world.arena), *made = NULL;
        const SlMethodSetup setup = {
            .task = world_task(&world, "edp", SL_ILLEGAL_REPAIR), .stream = "test", .budget = 100};
        int failed = 0;
        for (size_t limit = 32; !made; limit += 32 + limit / 16, failed++) {
            SlArena arena;
            sl_arena_init(&arena, limit);
            made = method->make(&setup, options, &arena);
            sl_arena_free(&arena);
        }
        assert_true(failed > 1);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_names_sources_and_valid_defaults),
        cmocka_unit_test(a_seed_names_a_run_whatever_the_room),
        cmocka_unit_test(a_space_of_one_point_is_asked_for_again_and_again),
        cmocka_unit_test(odd_layers_are_searched),
        cmocka_unit_test(without_memory_there_is_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
