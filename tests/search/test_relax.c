// test_relax.c - points as real vectors and back.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/relax.h"
#include "support/world.h"

static void a_point_comes_back_as_it_was(void **state) {
    (void)state;
    static const char *const accels[] = {"eyeriss", "simba", "nvdla"};
    for (int a = 0; a < 3; a++) {
        World world;
        SlRelax relax;
        SlRng rng;
        int32_t point[SL_MAX_PARAMS], back[SL_MAX_PARAMS];
        double x[SL_MAX_RELAXED];
        world_make(&world, "conv:K=64,C=48,P=28,Q=28,R=3,S=3", accels[a]);
        assert_true(sl_relax_init(&relax, &world.space));
        assert_true(relax.n > 10);
        sl_rng_init(&rng, 1, "relax");
        for (int i = 0; i < 500; i++) {
            sl_space_sample(&world.space, &rng, point);
            sl_relax_point(&relax, point, x);
            for (int k = 0; k < relax.n; k++) assert_true(x[k] >= 0 && x[k] <= 1);
            // a small push changes nothing
            for (int k = 0; k < relax.n; k++) x[k] += 1e-4 * (sl_rng_uniform(&rng) - 0.5);
            sl_relax_round(&relax, x, back);
            assert_memory_equal(point, back, (size_t)world.space.n_params * sizeof *point);
        }
        world_free(&world);
    }
}

static void any_numbers_are_a_point(void **state) {
    (void)state;
    World world;
    SlRelax relax;
    SlRng rng;
    int32_t point[SL_MAX_PARAMS];
    double x[SL_MAX_RELAXED];
    world_make(&world, "conv:K=64,C=48,P=28,Q=28,R=3,S=3", "eyeriss");
    assert_true(sl_relax_init(&relax, &world.space));
    sl_rng_init(&rng, 2, "relax");
    for (int i = 0; i < 500; i++) {
        for (int k = 0; k < relax.n; k++) x[k] = 5 * sl_rng_normal(&rng);
        sl_relax_round(&relax, x, point);
        for (int p = 0; p < world.space.n_params; p++)
            assert_in_range(point[p], 0, world.space.params[p].n - 1);
    }
    world_free(&world);
}

static void parameters_without_a_choice_have_no_column(void **state) {
    (void)state;
    World world;
    SlRelax relax;
    int32_t point[SL_MAX_PARAMS];
    double x[1] = {0};
    world_make(&world, "conv:K=1", "eyeriss");
    assert_true(sl_relax_init(&relax, &world.space));
    int n = 0;
    for (int p = 0; p < world.space.n_params; p++) n += world.space.params[p].n > 1;
    if (n == 0) assert_int_equal(relax.n, 0);
    if (relax.n == 0) sl_relax_round(&relax, x, point);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_comes_back_as_it_was),
        cmocka_unit_test(any_numbers_are_a_point),
        cmocka_unit_test(parameters_without_a_choice_have_no_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
