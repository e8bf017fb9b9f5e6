// test_wilcoxon.c - the signed-rank test against SciPy and against all signs one by one.
#include "support/check.h"

#include <math.h>

#include "core/sweep.h"
#include "starling/core/stats.h"

static double test_p(int n, const double *d) {
    SlArena scratch;
    double p = NAN;
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_wilcoxon(n, d, &scratch, &p), SL_OK);
    assert_int_equal(scratch.used, 0);
    sl_arena_free(&scratch);
    return p;
}

static void assert_p(double p, double expected) {
    if (!(fabs(p - expected) <= 1e-12 * expected)) fail_msg("%.17g is not %.17g", p, expected);
}

static void without_ties_it_is_that_of_scipy(void **state) {
    (void)state;
    // scipy.stats.wilcoxon(d, mode="exact").pvalue, SciPy 1.10
    const double d[] = {1.1, -0.4, 2.3, 0.7, -1.9, 3.1, 0.2, 5.0, -0.3, 4.4, 1.7, 2.9};
    assert_p(test_p(12, d), 0.0341796875);
    const double six[] = {1, 2, 3, 4, 5, 6}, mixed[] = {1, 2, 3, 4, 5, -6};
    assert_p(test_p(6, six), 0.03125); // 2 / 2^6
    assert_p(test_p(5, six), 0.0625);
    assert_p(test_p(6, mixed), 0.4375);
    assert_p(test_p(1, six), 1);
    static const struct {
        int n, modulus;
        double p;
    } many[] = {
        {10, 5, 1},
        {20, 7, 0.2942523956298828},
        {30, 5, 0.4161298982799053},
        {50, 7, 0.34720687274462314},
        {100, 9, 0.3260640488020817},
    };
    for (int i = 0; i < 5; i++) {
        double x[100];
        for (int j = 0; j < many[i].n; j++) {
            x[j] = (j * j % many[i].modulus < 2 ? -1.0 : 1.0) * (j * 37 % 101 + 1);
        }
        assert_p(test_p(many[i].n, x), many[i].p);
    }
}

// the definition: of all 2^n signs, the share whose sum of ranks is as far from the middle
static double all_signs(int n, const double *d) {
    double size[12] = {0}, ranks[12], middle = 0, seen = 0;
    int order[12], as_far = 0;
    for (int i = 0; i < n; i++) size[i] = fabs(d[i]);
    sl_ranks(n, size, order, ranks);
    for (int i = 0; i < n; i++) {
        middle += 0.5 * ranks[i];
        if (d[i] > 0) seen += ranks[i];
    }
    for (int signs = 0; signs < 1 << n; signs++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            if (signs >> i & 1) sum += ranks[i];
        }
        as_far += fabs(sum - middle) >= fabs(seen - middle);
    }
    return as_far / (double)(1 << n);
}

static void with_ties_it_is_that_of_all_signs(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "wilcoxon");
    for (int i = 0; i < 200; i++) {
        double d[12], with_zeros[24];
        int n = (int)sl_rng_range(&rng, 1, 12);
        for (int j = 0; j < n; j++) {
            d[j] = (double)sl_rng_range(&rng, 1, 5) * (sl_rng_below(&rng, 3) ? 1 : -1);
            // the largest size may be infinite, on both sides
            if (fabs(d[j]) == 5) d[j] *= INFINITY;
            with_zeros[2 * j] = d[j];
            with_zeros[2 * j + 1] = 0;
        }
        assert_p(test_p(n, d), all_signs(n, d));
        assert_p(test_p(2 * n, with_zeros), all_signs(n, d));
    }
}

static void where_nothing_differs_it_is_one(void **state) {
    (void)state;
    const double zeros[] = {0, 0, -0.0};
    assert_p(test_p(3, zeros), 1);
    assert_p(test_p(0, zeros), 1);
}

static void signs_may_be_swapped(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 2, "wilcoxon");
    for (int n = 1; n <= 1000; n = n * 3 + 1) {
        double d[1000], swapped[1000];
        for (int i = 0; i < n; i++) swapped[i] = -(d[i] = sl_rng_normal(&rng) + 0.1);
        assert_true(test_p(n, d) == test_p(n, swapped));
    }
}

static void beyond_a_hundred_the_normal_approximation_follows(void **state) {
    (void)state;
    // scipy.stats.wilcoxon(d, mode="approx", correction=True).pvalue; 6 of the 150 are 0
    double d[150];
    for (int i = 0; i < 150; i++) d[i] = i * 37 % 23 - 8;
    assert_p(test_p(150, d), 1.9510709337796783e-06);
    // close to the exact value where it takes over: scipy.stats.wilcoxon(d, mode="exact").pvalue
    for (int i = 0; i < 101; i++) d[i] = i % 3 == 0 ? -(i + 1) : i + 1;
    double p = test_p(101, d);
    assert_true(fabs(p / 0.0033767911258989645 - 1) < 0.1);
}

static void under_fair_coins_p_is_as_often_small_as_it_says(void **state) {
    (void)state;
    enum { N_RUNS = 20000, N = 12 };
    SlRng rng;
    int below = 0;
    sl_rng_init(&rng, 3, "wilcoxon");
    for (int i = 0; i < N_RUNS; i++) {
        double d[N];
        for (int j = 0; j < N; j++) d[j] = sl_rng_normal(&rng);
        below += test_p(N, d) <= 0.05;
    }
    // the largest level at or below 5 % that n = 12 has is 0.0425 (W <= 13: 87 of 2^11 sums)
    double share = below / (double)N_RUNS, sigma = sqrt(0.0425 * 0.9575 / N_RUNS);
    assert_true(fabs(share - 0.0425) < 4 * sigma);
}

static SlStatus wilcoxon(SlArena *scratch) {
    const double d[] = {1, 2, -3, 4, 5, 6, -7};
    double p;
    return sl_wilcoxon(7, d, scratch, &p);
}

static void without_scratch_it_says_so(void **state) {
    (void)state;
    assert_true(sweep_memory(wilcoxon, true) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_ties_it_is_that_of_scipy),
        cmocka_unit_test(with_ties_it_is_that_of_all_signs),
        cmocka_unit_test(where_nothing_differs_it_is_one),
        cmocka_unit_test(signs_may_be_swapped),
        cmocka_unit_test(beyond_a_hundred_the_normal_approximation_follows),
        cmocka_unit_test(under_fair_coins_p_is_as_often_small_as_it_says),
        cmocka_unit_test(without_scratch_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
