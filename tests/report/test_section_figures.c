// test_section_figures.c - curves, boxes and times; and the page of a whole study.
#include <string.h>

#include "html_check.h"
#include "report_help.h"
#include "support/check.h"

static void few_tasks_have_a_panel_and_a_box_plot_each(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 4);
    hand_study_text(&study);
    const char *svg = hand_figure(&study, "regret");
    assert_non_null(strstr(svg, "layer0 latency"));
    assert_non_null(strstr(svg, "layer0 edp"));
    assert_non_null(strstr(svg, "above the optimum, %"));
    assert_non_null(strstr(svg, "samples"));
    assert_non_null(
        strstr(hand_figure(&study, "boxes-layer0-edp"), "final value over the optimum"));
    assert_non_null(strstr(hand_figure(&study, "boxes-layer0-latency"), "random"));
    hand_study_free(&study);
}

static void many_tasks_have_a_panel_per_objective(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 10, 3, 2);
    hand_study_text(&study);
    const char *svg = hand_figure(&study, "regret");
    assert_non_null(strstr(svg, "latency, 5 tasks"));
    assert_non_null(strstr(svg, "edp, 5 tasks"));
    assert_null(strstr(svg, "layer0 latency"));
    hand_figure(&study, "boxes-latency-5-tasks");
    hand_study_free(&study);
}

static void times_are_medians_over_runs(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 2, 3);
    hand_record(&study, 0, 0, 0)->seconds = 5; // a disturbed run changes no median
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "times"), "row,median,quartiles,all runs,runs\n"
                                                   "marl,10,10–10,5.0 s,6\n"
                                                   "local,20,20–20,0.1 s,6\n");
    assert_non_null(strstr(hand_figure(&study, "sample-times"), "microseconds per sample"));
    hand_study_free(&study);
}

static void the_page_of_a_whole_study_is_well_formed(void **state) {
    (void)state;
    HandStudy study;
    SlText page;
    hand_study_make(&study, 2, 12, 6);
    const char **rows = (const char **)study.results.rows;
    rows[3] = study.plan.rows[3].name = "<script>&\"'";
    hand_study_windows(&study);
    hand_study_text(&study);
    sl_text_init(&page, &study.arena);
    assert_int_equal(sl_doc_write(study.doc, SL_FORM_HTML, &page, NULL), SL_OK);
    assert_page(&page);
    assert_non_null(strstr(page.data, "&lt;script&gt;&amp;&quot;"));
    hand_study_free(&study);
}

static void only_what_the_plan_shows_is_there(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 6);
    for (int i = 0; i < SL_N_SHOWS; i++) study.plan.show[i] = i == SL_SHOW_TIMES;
    const char *text = hand_study_text(&study);
    assert_non_null(strstr(text, "\nTime\n"));
    assert_null(strstr(text, "Results"));
    assert_null(strstr(text, "Quartiles"));
    for (const SlDocNode *node = study.doc->root.first; node; node = node->next)
        assert_true(node->kind != SL_DOC_FIGURE || strcmp(node->key, "sample-times") == 0);
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_tasks_have_a_panel_and_a_box_plot_each),
        cmocka_unit_test(many_tasks_have_a_panel_per_objective),
        cmocka_unit_test(times_are_medians_over_runs),
        cmocka_unit_test(the_page_of_a_whole_study_is_well_formed),
        cmocka_unit_test(only_what_the_plan_shows_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
