// test_section_wins.c - wins, ties and losses, and the cells where the reference is not best.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static void set_value(HandStudy *study, int task, int row, int seed, int point, double value) {
    SlCurvePoint *curve = (SlCurvePoint *)hand_record(study, task, row, seed)->curve;
    curve[point].value = value;
}

static void a_reference_that_is_always_best_wins_everywhere(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 6);
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "wins"),
                        "against,wins,ties,losses,untested,50,100,250,500,1000\n"
                        "local,10,0,0,0,2/0/0,2/0/0,2/0/0,2/0/0,2/0/0\n"
                        "random,10,0,0,0,2/0/0,2/0/0,2/0/0,2/0/0,2/0/0\n");
    assert_true(hand_says(&study,
                          "marl is the best or statistically tied with the best of all other "
                          "rows in 100 % of the cells (10 of 10: best in 10, tied in 0)."));
    assert_null(hand_find(&study, "not-best"));
    hand_study_free(&study);
}

static void cells_where_another_row_is_better_are_listed(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 6);
    // local is better from sample 500 on in the second task
    for (int s = 0; s < 6; s++)
        for (int i = 2; i < 4; i++) {
            set_value(&study, 1, 1, s, i, 1000 + s);
            set_value(&study, 1, 0, s, i, 2 * (1000 + s));
        }
    hand_study_text(&study);
    assert_true(hand_says(&study, "80 % of the cells (8 of"));
    assert_string_equal(hand_csv(&study, "not-best"), "task,samples,better row,marl over it,p\n"
                                                      "layer0 edp,500,local,2.000,0.031\n"
                                                      "layer0 edp,1000,local,2.000,0.031\n");
    hand_study_free(&study);
}

static void a_tie_with_a_better_median_is_no_loss(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 6);
    // a better median in the end, but three seeds against three
    for (int s = 0; s < 6; s++) set_value(&study, 0, 0, s, 3, s % 2 ? 1000 : 1100 + s);
    for (int s = 0; s < 6; s++) set_value(&study, 0, 1, s, 3, 1020 + s);
    hand_study_text(&study);
    assert_true(hand_says(&study, "100 % of the cells (5 of 5:"));
    assert_true(hand_says(&study, "best in 4, tied in 1)"));
    assert_null(hand_find(&study, "not-best"));
    hand_study_free(&study);
}

static void rows_of_the_same_method_are_counted_apart(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 6);
    study.plan.rows[1].method = study.plan.rows[0].method; // "local" is a variant of marl
    for (int s = 0; s < 6; s++)
        for (int i = 0; i < 4; i++) set_value(&study, 0, 1, s, i, 999);
    hand_study_text(&study);
    assert_true(hand_says(&study, "best of all other rows in 0 % of the cells"));
    assert_true(hand_says(&study, "best of all other methods (rows of the method marl left out)"));
    assert_true(hand_says(&study, "100 % of the cells (5 of 5: best in 5, tied in 0)"));
    assert_non_null(hand_find(&study, "not-best"));
    assert_null(hand_find(&study, "not-best-methods"));
    hand_study_free(&study);
}

static void with_few_seeds_nothing_is_tested(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    for (int s = 0; s < 3; s++) set_value(&study, 0, 1, s, 3, 1000);
    for (int s = 0; s < 3; s++) set_value(&study, 0, 0, s, 3, 1001);
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "wins"), "\nlocal,0,0,0,5,"));
    assert_non_null(
        strstr(hand_csv(&study, "not-best"), "layer0 latency,1000,local,1.001,untested"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_that_is_always_best_wins_everywhere),
        cmocka_unit_test(cells_where_another_row_is_better_are_listed),
        cmocka_unit_test(a_tie_with_a_better_median_is_no_loss),
        cmocka_unit_test(rows_of_the_same_method_are_counted_apart),
        cmocka_unit_test(with_few_seeds_nothing_is_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
