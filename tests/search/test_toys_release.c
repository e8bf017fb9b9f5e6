// test_toys_release.c - every method of the table on functions with a known optimum, and against
// random on a mapping task.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "search/toy.h"

enum { N_SEEDS = 3 };

static const char *const LAYER = "conv:K=64,C=48,P=28,Q=28,R=3,S=3";

static bool is(const char *name, const char *other) {
    return strcmp(name, other) == 0;
}

// methods that do not look at outcomes, and the one that needs floors
static bool blind(const char *name) {
    return is(name, "random") || is(name, "grid") || is(name, "oracle");
}

// a guess of mappings says nothing of toys
static bool misled(const char *name) {
    return blind(name) || is(name, "draft");
}

// generations of 100 are few
static double lenience(const char *name) {
    return is(name, "autotvm-ga") ? 0.8 : 0;
}

static double mean_best(Toy toy, World *world, const char *method, int64_t samples) {
    double sum = 0;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++)
        sum += toy_best(toy, world, method, NULL, seed, samples);
    return sum / N_SEEDS;
}

// random gets within about 0.16 of the target (0 = there, 1 = as far as can be)
static void methods_come_near_a_target_that_parameters_reach_one_by_one(void **state) {
    (void)state;
    World world;
    world_make(&world, LAYER, "eyeriss");
    double random = mean_best(TOY_APART, &world, "random", 1000);
    for (int i = 0; sl_search_methods[i]; i++) {
        const char *name = sl_search_methods[i]->name;
        if (misled(name)) continue;
        double found = mean_best(TOY_APART, &world, name, 1000);
        if (found > fmax(0.09, lenience(name)) || found > fmax(0.5, lenience(name)) * random)
            fail_msg("%s: %.3f (random %.3f)", name, found, random);
    }
    world_free(&world);
}

static void methods_come_near_a_target_that_neighbours_reach_together(void **state) {
    (void)state;
    World world;
    world_make(&world, LAYER, "eyeriss");
    double random = mean_best(TOY_LINKED, &world, "random", 1000);
    for (int i = 0; sl_search_methods[i]; i++) {
        const char *name = sl_search_methods[i]->name;
        if (misled(name)) continue;
        double found = mean_best(TOY_LINKED, &world, name, 1000);
        if (found > fmax(0.6, lenience(name)) * random)
            fail_msg("%s: %.3f (random %.3f)", name, found, random);
    }
    world_free(&world);
}

static void a_plain_function_trips_nobody(void **state) {
    (void)state;
    World world;
    world_make(&world, LAYER, "eyeriss");
    for (int i = 0; sl_search_methods[i]; i++)
        if (!is(sl_search_methods[i]->name, "oracle") && !is(sl_search_methods[i]->name, "draft"))
            assert_true(mean_best(TOY_PLAIN, &world, sl_search_methods[i]->name, 700) > 0.49);
    world_free(&world);
}

static double mapped(World *world, const char *method, int64_t samples) {
    double sum = 0;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        MethodRun run;
        method_begin(&run, world, method, NULL, seed);
        method_continue(&run, samples, 16);
        sum += log(sl_task_best(run.task)->outcome.value);
    }
    return sum / N_SEEDS;
}

static void methods_map_better_than_random(void **state) {
    (void)state;
    World world;
    world_make(&world, LAYER, "eyeriss");
    double random = mapped(&world, "random", 1000);
    for (int i = 0; sl_search_methods[i]; i++) {
        const char *name = sl_search_methods[i]->name;
        if (blind(name)) continue;
        double found = mapped(&world, name, is(name, "draft") ? 64 : 1000); // a batch takes long
        if (found > random - log(1.05)) fail_msg("%s: %g (random %g)", name, found, random);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_come_near_a_target_that_parameters_reach_one_by_one),
        cmocka_unit_test(methods_come_near_a_target_that_neighbours_reach_together),
        cmocka_unit_test(a_plain_function_trips_nobody),
        cmocka_unit_test(methods_map_better_than_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
