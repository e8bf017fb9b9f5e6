// test_section_targets.c - samples to a target and factors to the reference.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static void runs_medians_and_factors_stand_in_two_tables(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 5);
    hand_study_text(&study);
    // at 500: marl within 1 %, local within 5 %, random within 10 %
    assert_string_equal(hand_csv(&study, "targets-all-tasks"),
                        "row,10 %: runs,samples,5 %: runs,samples,1 %: runs,samples\n"
                        "marl,100,500,100,500,100,500\n"
                        "local,100,500,100,500,0,>1000\n"
                        "random,100,500,0,>1000,0,>1000\n");
    assert_string_equal(hand_csv(&study, "factors-all-tasks"),
                        "row,to 10 %,95 %,to 5 %,95 %,to 1 %,95 %,tasks\n"
                        "local,1.0,1.0–1.0,1.0,1.0–1.0,≥ 2.0,2.0–2.0,2\n"
                        "random,1.0,1.0–1.0,≥ 2.0,2.0–2.0,≥ 2.0,2.0–2.0,2\n");
    assert_string_equal(hand_csv(&study, "targets-tasks"),
                        "row,layer0 latency,layer0 edp\n"
                        "marl,500 / 500 / 500,500 / 500 / 500\n"
                        "local,500 / 500 / >1000,500 / 500 / >1000\n"
                        "random,500 / >1000 / >1000,500 / >1000 / >1000\n");
    hand_study_free(&study);
}

static void objectives_have_tables_of_their_own(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 2, 3);
    for (int s = 0; s < 3; s++) {
        SlCurvePoint *curve = (SlCurvePoint *)hand_record(&study, 1, 1, s)->curve;
        curve[0].value = 1000; // on the second task local is there at sample 10
        curve[1].value = curve[2].value = curve[3].value = 1000;
    }
    hand_study_text(&study);
    assert_non_null(strstr(hand_csv(&study, "factors-latency"), "\nlocal,1.0,"));
    assert_non_null(strstr(hand_csv(&study, "factors-edp"), "\nlocal,0.02,"));
    hand_study_free(&study);
}

static void factors_are_drawn_as_bars(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 3);
    hand_study_text(&study);
    const char *svg = hand_figure(&study, "target-factors");
    assert_non_null(strstr(svg, "samples over those of marl"));
    assert_non_null(strstr(svg, "random"));
    assert_null(strstr(svg, "nan"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_medians_and_factors_stand_in_two_tables),
        cmocka_unit_test(objectives_have_tables_of_their_own),
        cmocka_unit_test(factors_are_drawn_as_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
