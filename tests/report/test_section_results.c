// test_section_results.c - medians, quartiles, ratios; few tasks and many.
#include <string.h>

#include "report/page.h"
#include "report_help.h"
#include "support/check.h"

static void few_tasks_have_a_table_each(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 5);
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "results-layer0-edp"),
                        "row,50,100,250,500,1000\n"
                        "marl,1.500,1.200,1.200,1.002,1.002\n"
                        "local,2.000,1.400,1.400,1.042,1.042\n"
                        "random,2.500,1.600,1.600,1.082,1.082\n");
    assert_string_equal(hand_csv(&study, "end-layer0-latency"),
                        "row,\"median, cycles\",quartiles,over marl,95 %,× floor,runs\n"
                        "marl,1002,1001–1003,1.000,,2.004,5\n"
                        "local,1042,1041–1043,1.040,1.040–1.040,2.084,5\n"
                        "random,1082,1081–1083,1.080,1.080–1.080,2.164,5\n");
    assert_string_equal(hand_csv(&study, "quartiles-layer0-edp"),
                        "row,50,100,250,500,1000\n"
                        "marl,1.500–1.500,1.200–1.200,1.200–1.200,1.001–1.003,1.001–1.003\n"
                        "local,2.000–2.000,1.400–1.400,1.400–1.400,1.041–1.043,1.041–1.043\n"
                        "random,2.500–2.500,1.600–1.600,1.600–1.600,1.081–1.083,1.081–1.083\n");
    hand_study_free(&study);
}

static void the_best_of_every_column_stands_out(void **state) {
    (void)state;
    HandStudy study;
    SlText text;
    hand_study_make(&study, 1, 3, 5);
    hand_study_text(&study);
    sl_text_init(&text, &study.arena);
    sl_table_markdown(hand_block(&study, "results-layer0-latency")->table, &text);
    assert_non_null(strstr(text.data, "| marl | **1.500** | **1.200** | **1.200** | **1.002** |"));
    assert_non_null(strstr(text.data, "| local | 2.000 |"));
    hand_study_free(&study);
}

static void many_tasks_have_means_by_objective_and_one_table(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 8, 3, 5);
    // one task of the second objective where the row "random" is optimal
    for (int s = 0; s < 5; s++) {
        SlCurvePoint *curve = (SlCurvePoint *)hand_record(&study, 1, 2, s)->curve;
        for (int i = 0; i < 4; i++) curve[i].value = 1000;
    }
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "results-latency-4-tasks"), "random,2.500,1.600,"));
    // the fourth root of 2.5 ^ 3
    assert_non_null(strstr(hand_csv(&study, "results-edp-4-tasks"), "random,1.988,1.423,"));
    assert_non_null(strstr(hand_csv(&study, "results-all-tasks"), "marl,1.500,1.200,1.200,1.002,"));
    assert_non_null(strstr(hand_csv(&study, "every-task"), "task,marl,local,random\n"
                                                           "layer0 latency,1.002,1.042,1.082\n"
                                                           "layer0 edp,1.002,1.042,1.000\n"));
    assert_non_null(
        strstr(hand_csv(&study, "end"), "\nlocal,1.042,1.041–1.043,1.040,1.040–1.040,"));
    hand_study_free(&study);
}

static void a_row_without_runs_is_a_line_of_dashes(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 2);
    const SlCellRecord **runs = (const SlCellRecord **)study.results.runs;
    runs[2] = runs[3] = NULL;
    const char *text = hand_study_text(&study);
    assert_non_null(strstr(text, "local       –       –       –       –       –\n"));
    hand_study_free(&study);
}

static void what_has_found_nothing_yet_is_a_dash(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    for (int s = 0; s < 3; s++) {
        SlCellRecord *run = hand_record(&study, 0, 1, s);
        run->curve += 2; // nothing before sample 500
        run->n_curve -= 2;
    }
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "results-layer0-latency"), "\nlocal,,,,1.041,1.041\n"));
    hand_study_free(&study);
}

static void a_study_without_a_reference_has_no_ratios(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    study.results.reference = -1;
    const char *text = hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "end-layer0-latency"),
                           "row,\"median, cycles\",quartiles,× floor,runs\n"));
    assert_null(strstr(text, "Wins"));
    hand_study_free(&study);
}

static void names_with_marks_of_tables_do_no_harm(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 8, 3, 2);
    const char **rows = (const char **)study.results.rows;
    rows[0] = study.plan.rows[0].name = "<a|b";
    rows[1] = study.plan.rows[1].name = "~c,\"d\"";
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "every-task"), "task,a/b,\"c,\"\"d\"\"\",random\n"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_tasks_have_a_table_each),
        cmocka_unit_test(the_best_of_every_column_stands_out),
        cmocka_unit_test(many_tasks_have_means_by_objective_and_one_table),
        cmocka_unit_test(a_row_without_runs_is_a_line_of_dashes),
        cmocka_unit_test(what_has_found_nothing_yet_is_a_dash),
        cmocka_unit_test(a_study_without_a_reference_has_no_ratios),
        cmocka_unit_test(names_with_marks_of_tables_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
