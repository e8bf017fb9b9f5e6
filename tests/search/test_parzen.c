// test_parzen.c - kernels are densities, and draws follow them.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/parzen.h"
#include "support/world.h"

static const char *const LAYER = "conv:K=64,C=48,P=28,Q=28,R=3,S=3";
static const SlWidths WIDTHS = {.keep = 0.3, .width = 0.1, .turn = 0.6};

static void begin(World *world, SlParzen *parzen, const char *layer, const SlWidths *widths) {
    world_make(world, layer, "eyeriss");
    assert_true(sl_parzen_init(parzen, &world->space, widths, &world->arena));
}

// the code of one value of a parameter, the others at 0
static uint32_t code(const SlParzen *parzen, int p, int32_t value) {
    int32_t point[SL_MAX_PARAMS] = {0};
    uint32_t codes[SL_MAX_PARAMS];
    point[parzen->free[p]] = value;
    sl_parzen_code(parzen, point, codes);
    return codes[p];
}

static double density(const SlParzen *parzen, int p, int32_t centre, int32_t value) {
    uint32_t at = code(parzen, p, centre);
    return sl_kernel_sum(&parzen->kernels[p], code(parzen, p, value), 1, &at);
}

static void densities_of_all_values_sum_to_one(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    begin(&world, &parzen, LAYER, &WIDTHS);
    assert_int_equal(parzen.n, world.space.n_params);
    for (int p = 0; p < parzen.n; p++) {
        int32_t n = parzen.kernels[p].param->n;
        for (int32_t centre = 0; centre < n; centre += n / 3 + 1) {
            double sum = 0;
            for (int32_t v = 0; v < n; v++) sum += density(&parzen, p, centre, v);
            assert_true(fabs(sum - 1) < 1e-9);
        }
    }
    world_free(&world);
}

static void densities_fall_with_the_distance(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    begin(&world, &parzen, LAYER, &WIDTHS);
    for (int p = 0; p < parzen.n; p++) {
        const SlParam *param = parzen.kernels[p].param;
        assert_true(density(&parzen, p, 1, 1) > WIDTHS.keep);
        double one = density(&parzen, p, 0, 1), two = density(&parzen, p, 0, param->n - 1);
        if (param->kind == SL_CATEGORICAL) {
            assert_true(fabs(one - (1 - WIDTHS.keep) / param->n) < 1e-12);
            assert_true(fabs(two - one) < 1e-12);
        } else {
            assert_true(one > two && two > 0);
        }
    }
    world_free(&world);
}

// order 0 is ascending, the last one is descending: all pairs turned
static void orders_are_as_far_apart_as_pairs_are_turned(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    begin(&world, &parzen, LAYER, &WIDTHS);
    for (int p = 0; p < parzen.n; p++) {
        const SlParam *param = parzen.kernels[p].param;
        if (param->kind != SL_PERMUTATION) continue;
        int n_pairs = param->n_items * (param->n_items - 1) / 2;
        double near = density(&parzen, p, 0, 1), far = density(&parzen, p, 0, param->n - 1);
        assert_true(fabs(far / near / pow(WIDTHS.turn, n_pairs - 1) - 1) < 1e-9);
    }
    world_free(&world);
}

static void logs_are_added_for_every_centre(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    begin(&world, &parzen, LAYER, &WIDTHS);
    for (int p = 0; p < parzen.n; p++) {
        uint32_t centres[3];
        double sums[3] = {1, 2, 3}, sum = 0;
        for (int i = 0; i < 3; i++) centres[i] = code(&parzen, p, i % parzen.kernels[p].param->n);
        sl_kernel_add_logs(&parzen.kernels[p], centres[1], 3, centres, sums);
        for (int i = 0; i < 3; i++) {
            double at = density(&parzen, p, i % parzen.kernels[p].param->n, 1);
            assert_true(fabs(sums[i] - (i + 1) - log(at)) < 1e-12);
            sum += at;
        }
        assert_true(fabs(sl_kernel_sum(&parzen.kernels[p], centres[1], 3, centres) - sum) < 1e-12);
    }
    world_free(&world);
}

// frequencies of 20,000 draws within five standard deviations
static void draws_follow_the_density(void **state) {
    (void)state;
    enum { N_DRAWS = 20000, MOST = 720 };
    World world;
    SlParzen parzen;
    SlRng rng;
    begin(&world, &parzen, LAYER, &WIDTHS);
    sl_rng_init(&rng, 1, "draws");
    for (int p = 0; p < parzen.n; p++) {
        const SlKernel *kernel = &parzen.kernels[p];
        int32_t n = kernel->param->n, centre = n / 3, counts[MOST] = {0};
        assert_true(n <= MOST);
        for (int i = 0; i < N_DRAWS; i++) {
            int32_t value = sl_kernel_sample(kernel, centre, &rng);
            assert_in_range(value, 0, n - 1);
            counts[value]++;
        }
        for (int32_t v = 0; v < n; v++) {
            double expected = N_DRAWS * density(&parzen, p, centre, v);
            assert_true(fabs(counts[v] - expected) < 5 * sqrt(expected) + 2);
        }
    }
    world_free(&world);
}

// 128 sizes and more are seen in 64 bins; every value can still be drawn
static void long_lists_are_seen_in_bins(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    SlRng rng;
    const SlWidths wide = {.keep = 0, .width = 5, .turn = 1};
    begin(&world, &parzen, "conv:K=5000,C=7", &wide);
    sl_rng_init(&rng, 1, "draws");
    int n_long = 0;
    for (int p = 0; p < parzen.n; p++) {
        const SlKernel *kernel = &parzen.kernels[p];
        if (kernel->param->kind != SL_ORDINAL || kernel->param->n <= SL_MAX_BINS) continue;
        uint8_t drawn[512] = {0};
        int32_t n = kernel->param->n, n_drawn = 0;
        assert_true(kernel->n_bins == SL_MAX_BINS && n <= 512);
        for (int i = 0; i < 20000; i++) drawn[sl_kernel_sample(kernel, n / 2, &rng)] = 1;
        for (int32_t v = 0; v < n; v++) n_drawn += drawn[v];
        assert_int_equal(n_drawn, n);
        for (int32_t v = 1; v < n; v++)
            assert_in_range(code(&parzen, p, v) - code(&parzen, p, v - 1), 0, 1);
        assert_int_equal(code(&parzen, p, n - 1), SL_MAX_BINS - 1);
        n_long++;
    }
    assert_true(n_long > 0);
    world_free(&world);
}

static void without_memory_there_are_no_kernels(void **state) {
    (void)state;
    World world;
    SlParzen parzen;
    world_make(&world, LAYER, "eyeriss");
    bool made = false;
    int failed = 0;
    for (size_t limit = 0; !made; limit += 4096, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit + 1);
        made = sl_parzen_init(&parzen, &world.space, &WIDTHS, &arena);
        sl_arena_free(&arena);
    }
    assert_true(failed > 3);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_of_all_values_sum_to_one),
        cmocka_unit_test(densities_fall_with_the_distance),
        cmocka_unit_test(orders_are_as_far_apart_as_pairs_are_turned),
        cmocka_unit_test(logs_are_added_for_every_centre),
        cmocka_unit_test(draws_follow_the_density),
        cmocka_unit_test(long_lists_are_seen_in_bins),
        cmocka_unit_test(without_memory_there_are_no_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
