// test_assign_top.c - the best share of a dataset, best first.
#include "support/check.h"

#include <math.h>

#include "starling/assign.h"

static void the_best_come_first_and_ties_go_to_the_earlier(void **state) {
    (void)state;
    const double scores[] = {3, 1, 2, 1, INFINITY, 0.5};
    const int expected[] = {5, 1, 3, 2, 0, 4};
    int rows[6];
    assert_int_equal(sl_assign_top(6, scores, 1, rows), 6);
    for (int i = 0; i < 6; i++) assert_int_equal(rows[i], expected[i]);
    assert_int_equal(sl_assign_top(6, scores, 0.5, rows), 3);
    assert_int_equal(rows[2], 3);
}

static void the_share_is_rounded_up_but_not_by_the_rounding_of_doubles(void **state) {
    (void)state;
    double scores[2000] = {0};
    int rows[2000];
    assert_int_equal(sl_assign_top(2000, scores, 0.15, rows), 300);
    assert_int_equal(sl_assign_top(100, scores, 0.07, rows), 7); // 0.07 * 100 > 7
    assert_int_equal(sl_assign_top(10, scores, 0.15, rows), 2);
    assert_int_equal(sl_assign_top(10, scores, 1e-12, rows), 1);
    assert_int_equal(sl_assign_top(1, scores, 0.15, rows), 1);
    assert_int_equal(sl_assign_top(0, scores, 0.15, rows), 0);
}

static void many_scores_with_ties_are_in_a_stable_order(void **state) {
    (void)state;
    enum { N = 1500 };
    static double scores[N];
    static int rows[N];
    SlRng rng;
    sl_rng_init(&rng, 7, "scores");
    for (int i = 0; i < N; i++) scores[i] = (double)sl_rng_below(&rng, 40);
    assert_int_equal(sl_assign_top(N, scores, 1, rows), N);
    for (int i = 1; i < N; i++) {
        int a = rows[i - 1], b = rows[i];
        assert_true(scores[a] < scores[b] || (scores[a] == scores[b] && a < b));
    }
}

static void scores_that_are_no_numbers_come_last(void **state) {
    (void)state;
    const double scores[] = {NAN, 2, NAN, INFINITY, 1};
    const int expected[] = {4, 1, 3, 0, 2};
    int rows[5];
    sl_assign_top(5, scores, 1, rows);
    for (int i = 0; i < 5; i++) assert_int_equal(rows[i], expected[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_come_first_and_ties_go_to_the_earlier),
        cmocka_unit_test(the_share_is_rounded_up_but_not_by_the_rounding_of_doubles),
        cmocka_unit_test(many_scores_with_ties_are_in_a_stable_order),
        cmocka_unit_test(scores_that_are_no_numbers_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
