// test_cma.c - the core of CMA-ES on functions whose optimum is known.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/cma.h"

enum { MOST_N = 220, MOST_LAMBDA = 64 };

typedef double Function(int n, const double *x);

static double sphere(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

// axes of 1 to 1000
static double ellipsoid(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += pow(1e6, (double)i / (n - 1)) * x[i] * x[i];
    return sum;
}

// the same, with axes that are not those of the coordinates
static double turned(int n, const double *x) {
    double y[MOST_N], along = 0;
    for (int i = 0; i < n; i++) along += (i % 3 + 1) * x[i];
    double square = 0;
    for (int i = 0; i < n; i++) square += (i % 3 + 1) * (i % 3 + 1);
    for (int i = 0; i < n; i++) y[i] = x[i] - 2 * along / square * (i % 3 + 1);
    return ellipsoid(n, y);
}

// a bent valley, 0 at (1, ..., 1)
static double rosenbrock(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) sum += 100 * pow(x[i + 1] - x[i] * x[i], 2) + pow(1 - x[i], 2);
    return sum;
}

// samples to get below `target`, at most `most`
static int samples_to(Function *f, int n, double target, int most) {
    static const double from = 3;
    SlArena arena;
    SlCma cma;
    SlRng rng;
    double mean[MOST_N], scores[MOST_LAMBDA];
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 5, "cma");
    assert_true(sl_cma_make(&cma, n, MOST_LAMBDA, &arena));
    int lambda = sl_cma_population(n), samples = 0;
    double *xs = SL_NEW(&arena, lambda * n, double);
    for (int i = 0; i < n; i++) mean[i] = from;
    sl_cma_start(&cma, lambda, mean, 1);
    for (double best = INFINITY; best > target && samples < most; samples += lambda) {
        for (int k = 0; k < lambda; k++) {
            sl_cma_draw(&cma, &rng, xs + k * n);
            scores[k] = f(n, xs + k * n);
            best = fmin(best, scores[k]);
        }
        assert_true(sl_cma_update(&cma, xs, scores));
    }
    sl_arena_free(&arena);
    return samples;
}

// what the literature reports for ten dimensions, with a third to spare (Hansen 2016: about 180 n,
// 450 n, 550 n)
static void it_finds_the_bottom_of_bowls_and_valleys(void **state) {
    (void)state;
    assert_in_range(samples_to(sphere, 10, 1e-10, 100000), 1000, 2400);
    assert_in_range(samples_to(ellipsoid, 10, 1e-10, 100000), 2500, 6000);
    assert_in_range(samples_to(rosenbrock, 10, 1e-10, 100000), 3000, 8000);
}

// what it learns of one set of axes it learns of any other
static void the_axes_do_not_matter(void **state) {
    (void)state;
    assert_in_range(samples_to(turned, 10, 1e-10, 100000), 2500, 6000);
}

static void many_coordinates_have_a_diagonal(void **state) {
    (void)state;
    assert_in_range(samples_to(sphere, SL_CMA_MOST_FULL + 1, 1e-2, 60000), 5000, 40000);
    // without learning the axes the ellipsoid would not be reached in ten times that
    assert_in_range(samples_to(ellipsoid, SL_CMA_MOST_FULL + 1, 1, 200000), 5000, 120000);
}

static void one_coordinate_is_enough(void **state) {
    (void)state;
    assert_in_range(samples_to(sphere, 1, 1e-10, 10000), 30, 600);
}

static void the_weights_are_those_of_the_tutorial(void **state) {
    (void)state;
    SlArena arena;
    SlCma cma;
    double mean[10] = {0}, sum = 0, negative = 0;
    sl_arena_init(&arena, 0);
    assert_true(sl_cma_make(&cma, 10, 10, &arena));
    sl_cma_start(&cma, 10, mean, 1);
    for (int i = 0; i < 10; i++) {
        if (cma.weights[i] > 0)
            sum += cma.weights[i];
        else
            negative -= cma.weights[i];
        if (i > 0) assert_true(cma.weights[i] < cma.weights[i - 1]);
    }
    assert_true(fabs(sum - 1) < 1e-12);
    assert_true(fabs(cma.mu_effective - 3.1672992) < 1e-6); // of 10: computed by hand
    assert_true(negative > 0 && negative < 2);
    assert_true(fabs(cma.weights[0] - 0.4562726) < 1e-6);
    sl_arena_free(&arena);
}

// equal scores share: their order changes nothing, and a flat function does not shrink sigma fast
static void ties_share_their_weights(void **state) {
    (void)state;
    enum { N = 5, LAMBDA = 8 };
    SlArena arena;
    SlCma one, two;
    SlRng rng;
    double mean[N] = {0}, xs[LAMBDA * N], swapped[LAMBDA * N];
    const double scores[LAMBDA] = {1, 1, 1, 0, 2, 2, 1, 3}, flat[LAMBDA] = {0};
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 1, "ties");
    assert_true(sl_cma_make(&one, N, LAMBDA, &arena) && sl_cma_make(&two, N, LAMBDA, &arena));
    sl_cma_start(&one, LAMBDA, mean, 1);
    sl_cma_start(&two, LAMBDA, mean, 1);
    for (int k = 0; k < LAMBDA; k++) sl_cma_draw(&one, &rng, xs + k * N);
    memcpy(swapped, xs, sizeof xs);
    memcpy(swapped, xs + 2 * N, N * sizeof *xs);
    memcpy(swapped + 2 * N, xs, N * sizeof *xs);
    assert_true(sl_cma_update(&one, xs, scores) && sl_cma_update(&two, swapped, scores));
    for (int i = 0; i < N; i++) assert_true(fabs(one.mean[i] - two.mean[i]) < 1e-12);
    assert_true(fabs(one.sigma - two.sigma) < 1e-12);

    sl_cma_start(&one, LAMBDA, mean, 1);
    for (int g = 0; g < 200; g++) {
        for (int k = 0; k < LAMBDA; k++) sl_cma_draw(&one, &rng, xs + k * N);
        assert_true(sl_cma_update(&one, xs, flat));
    }
    assert_true(isfinite(one.sigma) && one.sigma > 0);
    sl_arena_free(&arena);
}

static void deviations_follow_the_distribution(void **state) {
    (void)state;
    enum { N = 3, DRAWS = 20000 };
    SlArena arena;
    SlCma cma;
    SlRng rng;
    const double mean[N] = {1, 2, 3};
    double x[N], square = 0, between = 0;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 1, "draw");
    assert_true(sl_cma_make(&cma, N, 6, &arena));
    sl_cma_start(&cma, 6, mean, 0.5);
    cma.stretch[1] = 3;
    for (int i = 0; i < DRAWS; i++) {
        sl_cma_draw(&cma, &rng, x);
        square += (x[1] - 2) * (x[1] - 2) / DRAWS;
        between += (x[1] - x[0] - 1) * (x[1] - x[0] - 1) / DRAWS;
    }
    assert_true(fabs(sl_cma_deviation(&cma, 1) - 1.5) < 1e-12);
    assert_true(fabs(sqrt(square) - 1.5) < 0.03);
    assert_true(fabs(sqrt(between) - sl_cma_deviation_between(&cma, 0, 1)) < 0.03);
    sl_arena_free(&arena);
}

static void without_memory_there_is_none(void **state) {
    (void)state;
    int failed = 0;
    for (size_t limit = 64;; limit += 64, failed++) {
        SlArena arena;
        SlCma cma;
        sl_arena_init(&arena, limit);
        bool made = sl_cma_make(&cma, 7, 9, &arena);
        sl_arena_free(&arena);
        if (made) break;
    }
    assert_true(failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_the_bottom_of_bowls_and_valleys),
        cmocka_unit_test(the_axes_do_not_matter),
        cmocka_unit_test(many_coordinates_have_a_diagonal),
        cmocka_unit_test(one_coordinate_is_enough),
        cmocka_unit_test(the_weights_are_those_of_the_tutorial),
        cmocka_unit_test(ties_share_their_weights),
        cmocka_unit_test(deviations_follow_the_distribution),
        cmocka_unit_test(without_memory_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
