// test_stats.c - small statistics against values computed by hand.
#include "support/check.h"

#include <math.h>

#include "core/sweep.h"
#include "starling/core/stats.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g is not %.17g", value, expected);
}

static void means_and_variance_follow_their_definitions(void **state) {
    (void)state;
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_near(sl_mean(8, x), 5, 0);
    assert_near(sl_variance(8, x), 32.0 / 7, 1e-15);
    assert_near(sl_variance(1, x), 0, 0);
    // a large mean must not swallow the variance
    const double shifted[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    assert_near(sl_variance(3, shifted), 1, 1e-9);
}

static void sorting_orders_any_values(void **state) {
    (void)state;
    SlRng rng;
    double x[1000];
    sl_rng_init(&rng, 1, "sort");
    for (int n = 0; n <= 1000; n = n * 3 + 1) {
        double sum = 0, sorted_sum = 0;
        for (int i = 0; i < n; i++) sum += x[i] = (double)sl_rng_range(&rng, -50, 50);
        sl_sort(n, x);
        for (int i = 0; i < n; i++) sorted_sum += x[i];
        for (int i = 1; i < n; i++) assert_true(x[i - 1] <= x[i]);
        assert_true(sum == sorted_sum);
    }
    double ends[] = {1, INFINITY, -INFINITY};
    sl_sort(3, ends);
    assert_true(ends[0] == -INFINITY && ends[1] == 1 && ends[2] == INFINITY);
}

static void quantiles_interpolate_as_numpy_does(void **state) {
    (void)state;
    // numpy.quantile([1, 2, 4, 8, 16], ...)
    const double x[] = {1, 2, 4, 8, 16};
    assert_near(sl_quantile_sorted(5, x, 0), 1, 0);
    assert_near(sl_quantile_sorted(5, x, 1), 16, 0);
    assert_near(sl_quantile_sorted(5, x, 0.25), 2, 0);
    assert_near(sl_quantile_sorted(5, x, 0.1), 1.4, 1e-15);
    assert_near(sl_quantile_sorted(5, x, 0.9), 12.8, 1e-14);
    assert_near(sl_median_sorted(5, x), 4, 0);
    assert_near(sl_median_sorted(4, x), 3, 0);
    assert_near(sl_median_sorted(1, x), 1, 0);
    const int counts[] = {2, 0, 1, 2, 0}, even[] = {0, 2, 2, 0};
    assert_near(sl_median_counted(5, x, counts), 4, 0); // 1 1 4 8 8
    assert_near(sl_median_counted(4, x, even), 3, 0);   // 2 2 4 4
    const double ends[] = {1, INFINITY, INFINITY};
    assert_true(sl_quantile_sorted(3, ends, 0.75) == INFINITY);
}

static void quantiles_need_no_order(void **state) {
    (void)state;
    SlRng rng;
    double x[200], sorted[200];
    sl_rng_init(&rng, 6, "quantiles");
    for (int n = 1; n <= 200; n++) {
        // few values, so many are equal, and infinite ones
        int64_t most = n % 2 ? 5 : 1000;
        for (int i = 0; i < n; i++) x[i] = 1.0 / (double)sl_rng_range(&rng, 0, most);
        for (int i = 0; i < n; i++) sorted[i] = x[i];
        sl_sort(n, sorted);
        for (int eighths = 0; eighths <= 8; eighths++) {
            double q = 0.125 * eighths;
            assert_true(sl_quantile(n, x, q) == sl_quantile_sorted(n, sorted, q));
        }
    }
}

static void correlation_is_between_minus_one_and_one(void **state) {
    (void)state;
    // sums of squares 10 and 21.2, of products 12
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 1, 4, 3, 7}, down[] = {5, 4, 3, 2, 1};
    const double flat[] = {3, 3, 3, 3, 3};
    assert_near(sl_pearson(5, x, y), 12 / sqrt(212), 1e-15);
    assert_near(sl_pearson(5, x, x), 1, 0);
    assert_near(sl_pearson(5, x, down), -1, 0);
    assert_near(sl_pearson(5, x, flat), 0, 0);
    assert_near(sl_pearson(5, flat, x), 0, 0);
    assert_near(sl_pearson(1, x, y), 0, 0);
    SlRng rng;
    sl_rng_init(&rng, 2, "pearson");
    for (int i = 0; i < 1000; i++) {
        double a[3], b[3];
        for (int j = 0; j < 3; j++) b[j] = 1e-3 * (a[j] = sl_rng_normal(&rng));
        assert_true(sl_pearson(3, a, b) <= 1);
    }
}

static void ranks_share_ties(void **state) {
    (void)state;
    const double x[] = {30, 10, 20, 10, 30, 30};
    int order[6];
    double ranks[6];
    sl_ranks(6, x, order, ranks);
    const double expected[] = {5, 1.5, 3, 1.5, 5, 5};
    for (int i = 0; i < 6; i++) assert_near(ranks[i], expected[i], 0);
}

static void ranks_count_the_smaller_values(void **state) {
    (void)state;
    enum { N = 200 };
    SlRng rng;
    double x[N], ranks[N];
    int order[N];
    sl_rng_init(&rng, 3, "ranks");
    for (int n = 1; n <= N; n += 13) {
        for (int i = 0; i < n; i++) x[i] = (double)sl_rng_below(&rng, (uint64_t)n);
        sl_ranks(n, x, order, ranks);
        for (int i = 0; i < n; i++) {
            int below = 0, equal = 0;
            for (int j = 0; j < n; j++) {
                below += x[j] < x[i];
                equal += x[j] == x[i];
            }
            assert_near(ranks[i], below + 0.5 * (equal + 1), 0);
            if (i > 0) assert_true(x[order[i - 1]] <= x[order[i]]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_variance_follow_their_definitions),
        cmocka_unit_test(sorting_orders_any_values),
        cmocka_unit_test(quantiles_interpolate_as_numpy_does),
        cmocka_unit_test(quantiles_need_no_order),
        cmocka_unit_test(correlation_is_between_minus_one_and_one),
        cmocka_unit_test(ranks_share_ties),
        cmocka_unit_test(ranks_count_the_smaller_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
