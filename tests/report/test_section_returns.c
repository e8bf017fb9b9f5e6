// test_section_returns.c - mean returns and trajectories.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static void returns_are_compared_at_shares_of_the_final_one(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 5);
    hand_study_windows(&study);
    hand_study_text(&study);
    // marl ends at 1, so 0.5, 0.8 and 0.9 are wanted; local is at 0.09, 0.18, ... 0.9; random ends
    // at 0.8
    assert_string_equal(hand_csv(&study, "returns-layer0-latency"),
                        "row,final,to 50 %,of marl,to 80 %,of marl,to 90 %,of marl\n"
                        "marl,1.000,500,1.0,800,1.0,900,1.0\n"
                        "local,0.900,600,1.2,900,1.1,1000,1.1\n"
                        "random,0.800,700,1.4,1000,1.2,>1000,≥ 1.1\n");
    assert_true(hand_says(&study, "cut into 10 stretches"));
    assert_non_null(strstr(hand_figure(&study, "returns"), "mean return"));
    hand_study_free(&study);
}

static void a_row_that_is_there_before_the_reference_has_a_factor_below_one(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 1);
    hand_study_windows(&study);
    // the reference gets there in its last stretch, the other is optimal at once
    SlWindow *own = (SlWindow *)hand_record(&study, 0, 0, 0)->windows;
    SlWindow *other = (SlWindow *)hand_record(&study, 0, 1, 0)->windows;
    for (int w = 0; w < 10; w++) {
        own[w].mean_inverse = w < 9 ? 0.1 / 1000 : 0.5 / 1000;
        other[w].mean_inverse = 1.0 / 1000;
    }
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "returns-layer0-latency"),
                           "\nlocal,1.000,100,0.10,100,0.10,100,0.10\n"));
    hand_study_free(&study);
}

static void rows_with_a_budget_of_their_own_have_their_own_stretches(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    hand_study_windows(&study);
    // local stops after 400 samples: four stretches of 100
    study.plan.stretch = 100;
    study.plan.rows[1].samples = 400;
    for (int s = 0; s < 3; s++) {
        hand_record(&study, 0, 1, s)->n_windows = 4;
        hand_record(&study, 0, 1, s)->budget = hand_record(&study, 0, 1, s)->samples = 400;
    }
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "returns-layer0-latency"),
                        "row,final,to 50 %,of marl,to 80 %,of marl,to 90 %,of marl\n"
                        "marl,1.000,500,1.0,800,1.0,900,1.0\n"
                        "local,0.360,>400,≥ 0.80,>400,≥ 0.50,>400,≥ 0.44\n");
    assert_true(hand_says(&study, "cut into stretches of 100"));
    hand_study_free(&study);
}

static void many_stretches_are_drawn_as_few_points(void **state) {
    (void)state;
    enum { MANY = 640 };
    HandStudy study;
    hand_study_make(&study, 1, 1, 1);
    SlWindow *windows = SL_NEW(&study.arena, MANY, SlWindow);
    for (int w = 0; w < MANY; w++) windows[w] = (SlWindow){w + 1, 0.0005};
    hand_record(&study, 0, 0, 0)->n_windows = MANY;
    hand_record(&study, 0, 0, 0)->windows = windows;
    hand_study_text(&study);
    size_t many = strlen(hand_figure(&study, "returns"));
    hand_record(&study, 0, 0, 0)->n_windows = MANY / 10;
    study.doc = sl_doc_make(&study.arena, "study-report", 1);
    hand_study_text(&study);
    assert_in_range(many, 1000, 2 * strlen(hand_figure(&study, "returns")));
    hand_study_free(&study);
}

static void runs_without_windows_have_no_section(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    assert_null(strstr(hand_study_text(&study), "Mean return"));
    hand_study_free(&study);
}

static void every_parameter_has_a_panel(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 3, 2, 3);
    hand_study_windows(&study);
    hand_study_text(&study);
    const char *svg = hand_figure(&study, "trajectories-layer0-latency");
    assert_non_null(strstr(svg, "parameter 1"));
    assert_non_null(strstr(svg, "parameter 2"));
    hand_figure(&study, "trajectories-layer0-edp");
    // two tasks are enough
    assert_null(hand_find(&study, "trajectories-layer1-latency"));
    hand_study_free(&study);
}

static void parameters_have_the_names_of_the_plans_space(void **state) {
    (void)state;
    HandStudy study;
    SlParam params[2] = {{.name = "L2 K", .kind = SL_ORDINAL, .n = 4},
                         {.name = "L2 order", .kind = SL_PERMUTATION, .n = 1}};
    SlSpace space = {.n_params = 2, .params = params};
    hand_study_make(&study, 1, 2, 3);
    hand_study_windows(&study);
    study.plan.tasks[0].setup.space = &space;
    hand_study_text(&study);
    const char *svg = hand_figure(&study, "trajectories-layer0-latency");
    assert_non_null(strstr(svg, "L2 K, place"));
    assert_null(strstr(svg, "L2 order")); // it has one value
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returns_are_compared_at_shares_of_the_final_one),
        cmocka_unit_test(a_row_that_is_there_before_the_reference_has_a_factor_below_one),
        cmocka_unit_test(rows_with_a_budget_of_their_own_have_their_own_stretches),
        cmocka_unit_test(many_stretches_are_drawn_as_few_points),
        cmocka_unit_test(runs_without_windows_have_no_section),
        cmocka_unit_test(every_parameter_has_a_panel),
        cmocka_unit_test(parameters_have_the_names_of_the_plans_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
