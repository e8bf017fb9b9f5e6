// test_gp.c - Gaussian processes against numbers computed elsewhere, finite differences, and what
// must hold for any of them.
#include "approx/gp_inside.h"
#include "starling/approx.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

// the same code for the plain instruction set: gp_names.h
SlGp *plain_gp_make(const SlGpShape *shape, SlArena *arena);
void plain_gp_add(SlGp *gp, const double *x);
void plain_gp_teach(SlGp *gp, const double *y);
double plain_gp_fit(SlGp *gp, int evaluations);
void plain_gp_gradient(SlGp *gp, double *grad);
void plain_gp_predict(SlGp *gp, int m, const double *x, double *mean, double *variance);

static const SlGpPrior NO_PRIOR = {.length_deviation = INFINITY, .noise_deviation = INFINITY};

enum { N_INPUTS = 7, MAX_N = 80 };

// A process with data; the inputs are three numbers apart, two together, and two labels.
typedef struct {
    SlArena arena;
    SlGpShape shape;
    SlGp *gp;
    int n;
    double x[MAX_N * N_INPUTS], y[MAX_N];
} Case;

static double wavy(const double *x) {
    return sin(4 * x[0]) + x[1] * x[1] + 0.3 * x[3] + (x[5] == 1 ? 0.5 : 0);
}

static void draw_point(SlRng *rng, double *x) {
    for (int c = 0; c < 5; c++) x[c] = sl_rng_uniform(rng);
    x[5] = (double)sl_rng_below(rng, 3);
    x[6] = (double)sl_rng_below(rng, 2);
}

static void begin(Case *c, int n, SlGpPrior prior) {
    static const int group[N_INPUTS] = {0, 1, 2, 3, 3, 4, 5};
    static const bool label[N_INPUTS] = {false, false, false, false, false, true, true};
    c->shape = (SlGpShape){N_INPUTS, group, label, MAX_N, prior};
    SlRng rng;
    sl_rng_init(&rng, (uint64_t)n, "gp");
    sl_arena_init(&c->arena, 0);
    c->gp = sl_gp_make(&c->shape, &c->arena);
    assert_non_null(c->gp);
    c->n = n;
    for (int i = 0; i < n; i++) {
        draw_point(&rng, c->x + (ptrdiff_t)i * N_INPUTS);
        c->y[i] = wavy(c->x + (ptrdiff_t)i * N_INPUTS);
        sl_gp_add(c->gp, c->x + (ptrdiff_t)i * N_INPUTS);
    }
    sl_gp_teach(c->gp, c->y);
}

static void expect_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance)) fail_msg("%.17g, not %.17g", found, expected);
}

// Six points with two numbers and a label; the formulas of gp.c in fifty decimal digits, with
// Gauss-Jordan elimination instead of factors (Python's decimal module).
static void it_agrees_with_the_formulas_in_fifty_digits(void **state) {
    (void)state;
    static const double x[6 * 3] = {0.1, 0.7, 0, 0.4, 0.2, 1, 0.9,  0.5, 0,
                                    0.3, 0.9, 2, 0.6, 0.1, 1, 0.75, 0.8, 2};
    static const double y[6] = {1.2, -0.4, 0.7, 2.1, -1.0, 0.3};
    static const double at[4 * 3] = {0.5, 0.5, 1, 0.1, 0.7, 0, 0.95, 0.05, 2, 0.2, 0.3, 3};
    static const double means[4] = {-0.04765098291012803, 1.2061220328483198, -0.1289370803321819,
                                    0.6272783698064823};
    static const double variances[4] = {0.27903086555837314, 0.015795147105616116,
                                        0.8402526291715299, 0.7211203025035399};
    static const int group[3] = {0, 1, 2};
    static const bool label[3] = {false, false, true};
    const SlGpShape shape = {3, group, label, 6, NO_PRIOR};
    const double params[4] = {log(0.5), log(0.8), log(1.5), log(0.01)};
    double mean[4], variance[4];
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlGp *gp = sl_gp_make(&shape, &arena);
    for (int i = 0; i < 6; i++) sl_gp_add(gp, x + (ptrdiff_t)i * 3);
    sl_gp_set(gp, params);
    sl_gp_teach(gp, y);
    expect_near(sl_gp_evidence(gp), -8.255938966472348, 1e-11);
    sl_gp_predict(gp, 4, at, mean, variance);
    for (int i = 0; i < 4; i++) {
        expect_near(mean[i], means[i], 1e-12);
        expect_near(variance[i], variances[i], 1e-12);
    }
    sl_arena_free(&arena);
}

static double evidence_at(SlGp *gp, const double *params, int changed, double by) {
    double moved[16];
    memcpy(moved, params, (size_t)sl_gp_n_params(gp) * sizeof *params);
    moved[changed] += by;
    sl_gp_set(gp, moved);
    return sl_gp_evidence(gp);
}

static void check_gradient(int n, SlGpPrior prior, const double *params) {
    const double step = 1e-5;
    double grad[16], steep = 0;
    Case c;
    begin(&c, n, prior);
    sl_gp_set(c.gp, params);
    sl_gp_gradient(c.gp, grad);
    for (int i = 0; i < sl_gp_n_params(c.gp); i++) {
        double slope = evidence_at(c.gp, params, i, step) - evidence_at(c.gp, params, i, -step);
        slope /= 2 * step;
        if (fabs(grad[i] - slope) > 1e-5 * (1 + fabs(slope)))
            fail_msg("%d points, parameter %d: %g, differences %g", n, i, grad[i], slope);
        steep += fabs(slope);
    }
    assert_true(n == 1 || steep > 0.5);
    sl_arena_free(&c.arena);
}

static void the_gradient_is_that_of_finite_differences(void **state) {
    (void)state;
    const double params[] = {-0.5, 0.3, 0.8, 0.1, 0.4, 1.1, -4};
    const double others[] = {-1.5, 0.9, -0.2, 1.4, 0, -0.6, -2};
    const SlGpPrior prior = {0.7, 1.2, -5, 2};
    for (int n = 1; n <= 33; n += n < 9 ? 1 : 8) {
        check_gradient(n, NO_PRIOR, params);
        check_gradient(n, prior, others);
    }
}

// points added after the hyper-parameters were set count in the gradient
static void the_gradient_knows_points_added_later(void **state) {
    (void)state;
    double grad[16], again[16];
    Case c;
    begin(&c, 30, NO_PRIOR);
    sl_gp_gradient(c.gp, grad);
    sl_gp_set(c.gp, sl_gp_params(c.gp));
    sl_gp_gradient(c.gp, again);
    for (int i = 0; i < sl_gp_n_params(c.gp); i++) expect_near(grad[i], again[i], 1e-8);
    sl_arena_free(&c.arena);
}

// begin adds one by one; setting the hyper-parameters factors everything at once
static void points_one_by_one_are_as_good_as_all_at_once(void **state) {
    (void)state;
    enum { M = 70 };
    double x[M * N_INPUTS], mean[2][M], variance[2][M];
    SlRng rng;
    sl_rng_init(&rng, 1, "candidates");
    for (int i = 0; i < M; i++) draw_point(&rng, x + (ptrdiff_t)i * N_INPUTS);
    for (int n = 1; n <= MAX_N; n += 1 + n / 7) {
        Case c;
        begin(&c, n, (SlGpPrior){0.2, 1, -6, 1});
        double evidence = sl_gp_evidence(c.gp);
        sl_gp_predict(c.gp, M, x, mean[0], variance[0]);
        sl_gp_set(c.gp, sl_gp_params(c.gp));
        sl_gp_predict(c.gp, M, x, mean[1], variance[1]);
        expect_near(evidence, sl_gp_evidence(c.gp), 1e-8);
        for (int i = 0; i < M; i++) {
            expect_near(mean[0][i], mean[1][i], 1e-9);
            expect_near(variance[0][i], variance[1][i], 1e-9);
            assert_true(n < 10 || fabs(mean[0][i]) > 1e-6);
        }
        sl_arena_free(&c.arena);
    }
}

// whatever else is asked for at the same time
static void a_prediction_stands_for_itself(void **state) {
    (void)state;
    enum { M = 130 };
    double x[M * N_INPUTS], mean[M], variance[M], one_mean, one_variance;
    SlRng rng;
    sl_rng_init(&rng, 2, "candidates");
    for (int i = 0; i < M; i++) draw_point(&rng, x + (ptrdiff_t)i * N_INPUTS);
    Case c;
    begin(&c, 41, (SlGpPrior){0.2, 1, -6, 1});
    sl_gp_predict(c.gp, M, x, mean, variance);
    for (int i = 0; i < M; i++) {
        sl_gp_predict(c.gp, 1, x + (ptrdiff_t)i * N_INPUTS, &one_mean, &one_variance);
        assert_true(one_mean == mean[i] && one_variance == variance[i]);
    }
    sl_arena_free(&c.arena);
}

static void without_noise_it_goes_through_the_points(void **state) {
    (void)state;
    double mean[MAX_N], variance[MAX_N];
    Case c;
    begin(&c, 50, (SlGpPrior){0, 1, -16, 1});
    sl_gp_predict(c.gp, 50, c.x, mean, variance);
    for (int i = 0; i < 50; i++) {
        expect_near(mean[i], c.y[i], 1e-4);
        assert_true(variance[i] > 0 && variance[i] < 1e-4);
    }
    sl_arena_free(&c.arena);
}

// far away it knows nothing: the mean and the variance of the process
static void variances_are_positive_and_grow_with_distance(void **state) {
    (void)state;
    double x[4 * N_INPUTS], mean[4], variance[4];
    Case c;
    begin(&c, 50, (SlGpPrior){0, 1, -8, 1});
    for (int i = 0; i < 4; i++) {
        memcpy(x + (ptrdiff_t)i * N_INPUTS, c.x, N_INPUTS * sizeof *x);
        x[i * N_INPUTS] += (i == 3 ? 1000 : 0.4 * i);
    }
    sl_gp_predict(c.gp, 4, x, mean, variance);
    for (int i = 0; i < 4; i++) assert_true(variance[i] > (i ? variance[i - 1] : 0));
    x[0] += 2000;
    double first = mean[3], farthest = variance[3];
    sl_gp_predict(c.gp, 1, x, mean, variance);
    expect_near(mean[0], first, 1e-12);
    expect_near(variance[0], farthest, 1e-12);
    sl_arena_free(&c.arena);
}

static void the_same_point_twice_does_no_harm(void **state) {
    (void)state;
    double y[6] = {1, 1.5, 1, 1.5, 1, 1.5}, mean, variance;
    Case c;
    begin(&c, 1, (SlGpPrior){0, 1, -16, 1});
    for (int i = 1; i < 6; i++) sl_gp_add(c.gp, c.x);
    sl_gp_teach(c.gp, y);
    assert_true(isfinite(sl_gp_fit(c.gp, 30)));
    sl_gp_predict(c.gp, 1, c.x, &mean, &variance);
    expect_near(mean, 1.25, 1e-3);
    assert_true(variance > 0 && isfinite(variance));
    sl_arena_free(&c.arena);
}

static void equal_targets_are_predicted_everywhere(void **state) {
    (void)state;
    double mean[2], variance[2];
    Case c;
    begin(&c, 9, (SlGpPrior){0, 1, -8, 1});
    for (int i = 0; i < 9; i++) c.y[i] = 3;
    sl_gp_teach(c.gp, c.y);
    assert_true(isfinite(sl_gp_fit(c.gp, 30)));
    sl_gp_predict(c.gp, 2, c.x, mean, variance);
    expect_near(mean[0], 3, 1e-9);
    assert_true(variance[1] > 0 && variance[1] < 1e-9);
    sl_arena_free(&c.arena);
}

static void before_the_first_point_it_knows_the_prior(void **state) {
    (void)state;
    double x[N_INPUTS] = {0}, mean = 7, variance = 7;
    Case c;
    begin(&c, 0, NO_PRIOR);
    sl_gp_predict(c.gp, 1, x, &mean, &variance);
    assert_true(mean == 0 && variance == 1);
    sl_arena_free(&c.arena);
}

static void add_noise(Case *c, double deviation) {
    SlRng rng;
    sl_rng_init(&rng, 1, "noise");
    for (int i = 0; i < c->n; i++) c->y[i] += deviation * sl_rng_normal(&rng);
    sl_gp_teach(c->gp, c->y);
}

// the noise wants to be less than what is allowed; the rest is fitted all the same
static void a_limit_holds_up_nothing_else(void **state) {
    (void)state;
    double grad[16];
    Case c;
    begin(&c, 70, (SlGpPrior){0.5, 1.5, -14, 20});
    sl_gp_fit(c.gp, 200);
    sl_gp_gradient(c.gp, grad);
    for (int i = 0; i < sl_gp_n_params(c.gp) - 1; i++) assert_true(fabs(grad[i]) < 0.2);
    assert_true(grad[sl_gp_n_params(c.gp) - 1] < -1);
    assert_true(sl_gp_params(c.gp)[sl_gp_n_params(c.gp) - 1] == -16);
    sl_arena_free(&c.arena);
}

static void a_fit_ends_where_the_gradient_does(void **state) {
    (void)state;
    double grad[16], before, after;
    Case c;
    begin(&c, 70, (SlGpPrior){0.5, 1.5, -6, 2});
    add_noise(&c, 0.05);
    before = sl_gp_evidence(c.gp);
    after = sl_gp_fit(c.gp, 200);
    assert_true(after > before + 20);
    assert_true(after == sl_gp_evidence(c.gp));
    sl_gp_gradient(c.gp, grad);
    for (int i = 0; i < sl_gp_n_params(c.gp); i++) assert_true(fabs(grad[i]) < 0.2);
    sl_arena_free(&c.arena);
}

// inputs 2, 4 (grouped with 3) and 6 play no part
static void a_fit_finds_out_which_inputs_matter(void **state) {
    (void)state;
    enum { M = 40 };
    double x[M * N_INPUTS], mean[M], variance[M], square = 0, spread = 0;
    Case c;
    begin(&c, 70, (SlGpPrior){0.5, 1.5, -6, 2});
    add_noise(&c, 0.02);
    sl_gp_fit(c.gp, 100);
    const double *log_length = sl_gp_params(c.gp);
    assert_true(log_length[2] > log_length[0] + 1.5);
    assert_true(log_length[2] > log_length[1] + 0.7);
    assert_true(log_length[5] > log_length[4] + 0.7);
    SlRng rng;
    sl_rng_init(&rng, 3, "candidates");
    for (int i = 0; i < M; i++) draw_point(&rng, x + (ptrdiff_t)i * N_INPUTS);
    sl_gp_predict(c.gp, M, x, mean, variance);
    for (int i = 0; i < M; i++) {
        double error = mean[i] - wavy(x + (ptrdiff_t)i * N_INPUTS);
        square += error * error / M;
        spread += variance[i] / M;
    }
    assert_true(square < 0.05 * 0.05); // of a function with deviation 0.7
    assert_true(square > 0.2 * spread && square < 5 * spread);
    sl_arena_free(&c.arena);
}

static void no_evaluations_change_nothing(void **state) {
    (void)state;
    Case c;
    begin(&c, 20, (SlGpPrior){0.5, 1.5, -6, 2});
    sl_gp_fit(c.gp, 0);
    for (int i = 0; i < 6; i++) assert_true(sl_gp_params(c.gp)[i] == 0.5);
    sl_arena_free(&c.arena);
}

static void cleared_it_starts_afresh_with_its_length_scales(void **state) {
    (void)state;
    double mean[2], variance[2], params[16];
    Case c, fresh;
    begin(&c, 60, (SlGpPrior){0.5, 1.5, -6, 2});
    sl_gp_fit(c.gp, 10);
    memcpy(params, sl_gp_params(c.gp), 7 * sizeof *params);
    sl_gp_clear(c.gp);
    assert_int_equal(sl_gp_n(c.gp), 0);
    begin(&fresh, 0, (SlGpPrior){0.5, 1.5, -6, 2});
    sl_gp_set(fresh.gp, params);
    for (int i = 0; i < 11; i++) {
        sl_gp_add(c.gp, c.x + (ptrdiff_t)i * N_INPUTS);
        sl_gp_add(fresh.gp, c.x + (ptrdiff_t)i * N_INPUTS);
    }
    sl_gp_teach(c.gp, c.y);
    sl_gp_teach(fresh.gp, c.y);
    sl_gp_predict(c.gp, 1, c.x + 20 * N_INPUTS, mean, variance);
    sl_gp_predict(fresh.gp, 1, c.x + 20 * N_INPUTS, mean + 1, variance + 1);
    assert_true(mean[0] == mean[1] && variance[0] == variance[1]);
    sl_arena_free(&c.arena);
    sl_arena_free(&fresh.arena);
}

// what the library has compiled for this processor, and plain C (gp_names.h)
static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    enum { M = 75 };
    double x[M * N_INPUTS], mean[2][M], variance[2][M], grad[2][16];
    SlRng rng;
    sl_rng_init(&rng, 4, "candidates");
    for (int i = 0; i < M; i++) draw_point(&rng, x + (ptrdiff_t)i * N_INPUTS);
    for (int n = 1; n <= 78; n += 7) {
        Case c;
        begin(&c, n, (SlGpPrior){0.5, 1.5, -6, 2});
        SlGp *plain = plain_gp_make(&c.shape, &c.arena);
        for (int i = 0; i < n; i++) plain_gp_add(plain, c.x + (ptrdiff_t)i * N_INPUTS);
        plain_gp_teach(plain, c.y);
        assert_true(sl_gp_fit(c.gp, 12) == plain_gp_fit(plain, 12));
        sl_gp_gradient(c.gp, grad[0]);
        plain_gp_gradient(plain, grad[1]);
        assert_memory_equal(grad[0], grad[1], 7 * sizeof grad[0][0]);
        sl_gp_predict(c.gp, M, x, mean[0], variance[0]);
        plain_gp_predict(plain, M, x, mean[1], variance[1]);
        assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
        assert_memory_equal(variance[0], variance[1], sizeof variance[0]);
        sl_arena_free(&c.arena);
    }
}

// dropped points leave no trace
static void a_point_may_be_dropped_again(void **state) {
    (void)state;
    double mean[3], variance[3];
    const double *at = NULL;
    Case c;
    begin(&c, 30, (SlGpPrior){0.2, 1, -6, 1});
    at = c.x + 10 * N_INPUTS;
    double moved[N_INPUTS];
    memcpy(moved, at, sizeof moved);
    moved[0] += 0.2;
    c.y[30] = c.y[31] = 9;
    sl_gp_predict(c.gp, 1, moved, &mean[0], &variance[0]);
    sl_gp_add(c.gp, moved);
    sl_gp_add(c.gp, at);
    sl_gp_teach(c.gp, c.y);
    sl_gp_predict(c.gp, 1, moved, &mean[1], &variance[1]);
    sl_gp_drop(c.gp);
    sl_gp_drop(c.gp);
    sl_gp_teach(c.gp, c.y);
    sl_gp_predict(c.gp, 1, moved, &mean[2], &variance[2]);
    assert_true(mean[1] > mean[0] + 1);
    assert_true(mean[2] == mean[0] && variance[2] == variance[0]);
    sl_arena_free(&c.arena);
}

static void without_memory_there_is_no_process(void **state) {
    (void)state;
    static const int group[2] = {0, 1};
    const SlGpShape shape = {.n_inputs = 2, .group = group, .room = 10};
    SlGp *made = NULL;
    int failed = 0;
    for (size_t limit = 32; !made; limit += 32, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        made = sl_gp_make(&shape, &arena);
        sl_arena_free(&arena);
    }
    assert_true(failed > 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_agrees_with_the_formulas_in_fifty_digits),
        cmocka_unit_test(the_gradient_is_that_of_finite_differences),
        cmocka_unit_test(the_gradient_knows_points_added_later),
        cmocka_unit_test(points_one_by_one_are_as_good_as_all_at_once),
        cmocka_unit_test(a_prediction_stands_for_itself),
        cmocka_unit_test(without_noise_it_goes_through_the_points),
        cmocka_unit_test(variances_are_positive_and_grow_with_distance),
        cmocka_unit_test(the_same_point_twice_does_no_harm),
        cmocka_unit_test(equal_targets_are_predicted_everywhere),
        cmocka_unit_test(before_the_first_point_it_knows_the_prior),
        cmocka_unit_test(a_fit_ends_where_the_gradient_does),
        cmocka_unit_test(a_limit_holds_up_nothing_else),
        cmocka_unit_test(a_fit_finds_out_which_inputs_matter),
        cmocka_unit_test(no_evaluations_change_nothing),
        cmocka_unit_test(cleared_it_starts_afresh_with_its_length_scales),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(a_point_may_be_dropped_again),
        cmocka_unit_test(without_memory_there_is_no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
