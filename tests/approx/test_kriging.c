// test_kriging.c - a process of given covariances: it passes through what it was taught, is sure
// there, knows nothing far away, and agrees with the formulas for two points.
#include "support/check.h"

#include <math.h>

#include "starling/approx/kriging.h"

enum { POINTS = 40 };

static double kernel(double a, double b) {
    return exp(-0.5 * (a - b) * (a - b));
}

static SlKriging *taught(SlArena *arena, int n, double noise) {
    SlKriging *kriging = sl_kriging_make(POINTS, arena);
    double y[POINTS], before[POINTS];
    assert_non_null(kriging);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) before[k] = kernel(i, k);
        sl_kriging_add(kriging, before, 1 + noise);
        y[i] = sin(i);
    }
    sl_kriging_teach(kriging, y);
    return kriging;
}

static void ask(SlKriging *kriging, int n, int m, const double *x, double *mean, double *variance) {
    double covariances[(POINTS + 4) * SL_KRIGING_ROWS] = {0}, own[SL_KRIGING_ROWS];
    for (int j = 0; j < m; j++) {
        own[j] = 1;
        for (int i = 0; i < n; i++) covariances[i * SL_KRIGING_ROWS + j] = kernel(i, x[j]);
    }
    sl_kriging_predict(kriging, m, covariances, own, mean, variance);
}

static void it_passes_through_what_it_was_taught(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int n = 1; n <= POINTS; n += 13) {
        SlKriging *kriging = taught(&arena, n, 1e-9);
        double x[3] = {0, n - 1, 1e3}, mean[3], variance[3];
        ask(kriging, n, 3, x, mean, variance);
        assert_true(fabs(mean[0]) < 1e-6 && fabs(mean[1] - sin(n - 1)) < 1e-6);
        assert_true(variance[0] < 1e-6 && variance[1] < 1e-6);
        assert_true(fabs(mean[2]) < 1e-12 && fabs(variance[2] - 1) < 1e-12);
    }
    sl_arena_free(&arena);
}

// of two points the inverse of the covariances can be written down
static void two_points_agree_with_the_formula(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlKriging *kriging = taught(&arena, 2, 0.5);
    double x = 0.25, mean, variance;
    ask(kriging, 2, 1, &x, &mean, &variance);
    const double a = 1.5, c = kernel(0, 1), det = a * a - c * c;
    const double k0 = kernel(0, x), k1 = kernel(1, x), y1 = sin(1);
    assert_true(fabs(mean - (-k0 * c + k1 * a) / det * y1) < 1e-12);
    const double explained = (k0 * (a * k0 - c * k1) + k1 * (a * k1 - c * k0)) / det;
    assert_true(fabs(variance - (1 - explained)) < 1e-12);
    sl_arena_free(&arena);
}

static void twins_do_not_break_it(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlKriging *kriging = sl_kriging_make(3, &arena);
    double ones[3] = {1, 1, 1}, y[3] = {2, 2, 2}, mean, variance;
    for (int i = 0; i < 3; i++) sl_kriging_add(kriging, ones, 1);
    sl_kriging_teach(kriging, y);
    double covariances[(3 + 4) * SL_KRIGING_ROWS] = {0}, own = 1;
    for (int i = 0; i < 3; i++) covariances[i * SL_KRIGING_ROWS] = 1;
    sl_kriging_predict(kriging, 1, covariances, &own, &mean, &variance);
    assert_true(fabs(mean - 2) < 1e-3 && variance >= 0 && variance < 1e-3);
    sl_arena_free(&arena);
}

static void too_little_memory_is_said(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 1 << 10);
    assert_null(sl_kriging_make(POINTS, &arena));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_passes_through_what_it_was_taught),
        cmocka_unit_test(two_points_agree_with_the_formula),
        cmocka_unit_test(twins_do_not_break_it),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
