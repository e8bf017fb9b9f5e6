// test_grid.c - the lattice is complete and even, finer ones follow, small spaces are listed whole.
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

// Ask for n points with a budget.
static int32_t *walk(World *world, const char *changes, int64_t budget, uint64_t seed, int n) {
    const SlMethod *method = method_named("grid");
    const SlMethodSetup setup = {.task = world_task(world, "edp", SL_ILLEGAL_REPAIR),
                                 .seed = seed,
                                 .stream = "test",
                                 .budget = budget};
    void *state =
        method->make(&setup, method_options(method, changes, &world->arena), &world->arena);
    assert_non_null(state);
    int32_t *points = SL_NEW(&world->arena, n * world->space.n_params, int32_t);
    for (int done = 0; done < n;)
        done += method->ask(state, n - done, points + (ptrdiff_t)done * world->space.n_params);
    return points;
}

// how many of the first n points have each value of a parameter; returns how many values occur
static int count_values(const World *world, const int32_t *points, int n, int param, int *count) {
    int n_values = 0;
    memset(count, 0, (size_t)world->space.params[param].n * sizeof *count);
    for (int i = 0; i < n; i++) n_values += count[points[i * world->space.n_params + param]]++ == 0;
    return n_values;
}

static int64_t count_different(World *world, const int32_t *points, int n, bool nests) {
    SlKeySet *seen = sl_keyset_make(0, &world->arena);
    int64_t different = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * world->space.n_params;
        SlMapping mapping;
        uint64_t key = 0;
        sl_space_mapping(&world->space, point, true, &mapping);
        if (nests) key = sl_mapping_key(&world->layer, &mapping);
        for (int p = 0; !nests && p < world->space.n_params; p++)
            key = key * (uint64_t)world->space.params[p].n + (uint64_t)point[p];
        different += sl_keyset_add(seen, key);
    }
    return different;
}

// points of the lattice: the product of the values that occur
static int64_t lattice_size(const World *world, const int32_t *points, int n) {
    int count[5040];
    int64_t size = 1;
    for (int p = 0; p < world->space.n_params; p++)
        size *= count_values(world, points, n, p, count);
    return size;
}

static void a_lattice_is_near_the_budget_and_walked_once(void **state) {
    (void)state;
    static const int budgets[] = {7, 100, 2000};
    for (int b = 0; b < 3; b++) {
        World world;
        world_make(&world, RES18, "eyeriss");
        int budget = budgets[b], n = budget;
        int32_t *points = walk(&world, "fill=1 redraws=0", budget, 1, budget);
        // the last points may be of a finer lattice
        while (n > 1 && lattice_size(&world, points, n) != n) n--;
        assert_true(2 * n > budget);
        assert_int_equal(count_different(&world, points, n, false), n);
        world_free(&world);
    }
}

// a quarter of the walk has every level of every parameter about as often
static void every_stretch_of_the_walk_is_even(void **state) {
    (void)state;
    enum { N = 1000 };
    World world;
    world_make(&world, RES18, "eyeriss");
    int32_t *points = walk(&world, "redraws=0", N, 1, N);
    for (int quarter = 0; quarter < 4; quarter++) {
        const int32_t *stretch = points + (ptrdiff_t)quarter * N / 4 * world.space.n_params;
        for (int p = 0; p < world.space.n_params; p++) {
            int count[5040], n_values = count_values(&world, stretch, N / 4, p, count);
            for (int v = 0; v < world.space.params[p].n; v++)
                if (count[v])
                    assert_in_range(count[v], 0.8 * (N / 4) / n_values, 1.2 * (N / 4) / n_values);
        }
    }
    world_free(&world);
}

static int compare_points(const void *a, const void *b) {
    return memcmp(a, b, 15 * sizeof(int32_t));
}

static void seeds_begin_elsewhere_in_the_same_lattice(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "eyeriss");
    assert_int_equal(world.space.n_params, 15);
    int n = 1000;
    int32_t *one = walk(&world, "fill=1 redraws=0", n, 1, n);
    int32_t *two = walk(&world, "fill=1 redraws=0", n, 2, n);
    while (n > 1 && lattice_size(&world, one, n) != n) n--;
    size_t bytes = (size_t)n * 15 * sizeof *one;
    assert_true(n > 500 && memcmp(one, two, bytes) != 0);
    qsort(one, (size_t)n, 15 * sizeof *one, compare_points);
    qsort(two, (size_t)n, 15 * sizeof *two, compare_points);
    assert_memory_equal(one, two, bytes);
    // or none of them anywhere
    one = walk(&world, "shuffle=false", 1000, 1, 1000);
    two = walk(&world, "shuffle=false", 1000, 2, 1000);
    assert_memory_equal(one, two, 15000 * sizeof *one);
    world_free(&world);
}

static void finer_lattices_follow(void **state) {
    (void)state;
    World world;
    world_make(&world, RES18, "eyeriss");
    int64_t last = 0;
    int32_t *points = walk(&world, "redraws=0 fill=1", 10, 1, 16000);
    for (int n = 10; n <= 16000; n *= 4) {
        int64_t different = count_different(&world, points, n, false);
        assert_true(different > 2 * last);
        last = different;
    }
    world_free(&world);
}

static void weights_say_what_varies(void **state) {
    (void)state;
    static const char *const settings[] = {"fill=1 redraws=0 spread=0 order=0",
                                           "fill=1 redraws=0 spread=0 size=0 order=1",
                                           "fill=1 redraws=0 size=0 order=0"};
    for (int s = 0; s < 3; s++) {
        World world;
        world_make(&world, RES18, "eyeriss");
        const int32_t *points = walk(&world, settings[s], 10, 1, 10);
        for (int p = 0; p < world.space.n_params; p++) {
            static const SlParamKind kinds[] = {SL_ORDINAL, SL_PERMUTATION, SL_CATEGORICAL};
            int count[5040], n_values = count_values(&world, points, 10, p, count);
            if (world.space.params[p].kind == kinds[s] && kinds[s] != SL_ORDINAL)
                assert_true(n_values > 1);
            if (world.space.params[p].kind != kinds[s]) assert_int_equal(n_values, 1);
        }
        world_free(&world);
    }
}

// every nest of a small space, no nest twice before
static void a_small_space_is_listed(void **state) {
    (void)state;
    World world;
    MethodRun random;
    world_make(&world, "conv:K=3,C=2", "eyeriss");
    method_begin(&random, &world, "random", NULL, 1);
    method_continue(&random, 15000, 64);
    int64_t n_nests = count_different(&world, random.points, 15000, true);
    assert_in_range(n_nests, 5, 500);
    const int32_t *points = walk(&world, "redraws=1000000", 100, 1, (int)n_nests);
    assert_int_equal(count_different(&world, points, (int)n_nests, true), n_nests);
    points = walk(&world, "redraws=1000000", 100, 1, 15000); // and on and on, as quickly
    assert_int_equal(count_different(&world, points, 15000, true), n_nests);
    world_free(&world);
}

static void a_budget_without_end_is_no_trouble(void **state) {
    (void)state;
    World world;
    world_make(&world, "gemm:M=16384,N=8192,K=8192", "simba");
    const int32_t *points = walk(&world, "fill=1e15", 1000000000000, 1, 500);
    assert_int_equal(count_different(&world, points, 500, true), 500);
    points = walk(&world, "fill=0 growth=1.001", 1, 1, 500);
    assert_true(count_different(&world, points, 500, true) > 250);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_is_near_the_budget_and_walked_once),
        cmocka_unit_test(every_stretch_of_the_walk_is_even),
        cmocka_unit_test(seeds_begin_elsewhere_in_the_same_lattice),
        cmocka_unit_test(finer_lattices_follow),
        cmocka_unit_test(weights_say_what_varies),
        cmocka_unit_test(a_small_space_is_listed),
        cmocka_unit_test(a_budget_without_end_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
