// test_section_factors.c - samples of rows over those of others; what rows cost.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static const SlPlanFactor pairs[] = {
    {"more of it", "random", "marl"}, {"less of it", "marl", "local"}, {"gone", "bo", "marl"}};

static void factors(HandStudy *study, int n_tasks) {
    hand_study_make(study, n_tasks, 3, 5);
    hand_study_windows(study);
    study->plan.n_factors = 3;
    study->plan.factors = (SlPlanFactor *)pairs;
    hand_study_text(study);
}

static void every_yardstick_has_a_table(void **state) {
    (void)state;
    HandStudy study;
    factors(&study, 1);
    // random is 8 % above in the end and never within 5 %, the others from 500 on; a pair whose row
    // the quick form has dropped is left out
    assert_string_equal(hand_csv(&study, "factors-5"),
                        "what,samples of,over those of,all tasks,never,other never\n"
                        "more of it,random,marl,≥ 2.0 × (2.0–2.0),100,0\n"
                        "less of it,marl,local,1.0 × (1.0–1.0),0,0\n");
    assert_string_equal(hand_csv(&study, "factors-1"),
                        "what,samples of,over those of,all tasks,never,other never\n"
                        "more of it,random,marl,≥ 2.0 × (2.0–2.0),100,0\n"
                        "less of it,marl,local,≤ 0.50 × (0.50–0.50),0,100\n");
    // 90 % of the 1 of marl: local gets there at its end, random never
    assert_string_equal(hand_csv(&study, "factors-return"),
                        "what,samples of,over those of,all tasks,never,other never\n"
                        "more of it,random,marl,≥ 1.1 × (1.1–1.1),100,0\n"
                        "less of it,marl,local,0.90 × (0.90–0.90),0,0\n");
    // of their own all have 90 % at the same time
    assert_string_equal(hand_csv(&study, "factors-converged"),
                        "what,samples of,over those of,all tasks,never,other never\n"
                        "more of it,random,marl,1.0 × (1.0–1.0),0,0\n"
                        "less of it,marl,local,1.0 × (1.0–1.0),0,0\n");
    hand_study_free(&study);
}

static void objectives_have_columns(void **state) {
    (void)state;
    HandStudy study;
    factors(&study, 4);
    assert_non_null(strstr(hand_csv(&study, "factors-5"),
                           "what,samples of,over those of,all tasks,latency,edp,never"));
    hand_study_free(&study);
}

static void a_study_that_is_not_complete_has_no_factors(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 5);
    study.plan.n_factors = 3;
    study.plan.factors = (SlPlanFactor *)pairs;
    study.results.n_missing = 1;
    assert_null(strstr(hand_study_text(&study), "Which factor"));
    hand_study_free(&study);
}

static void costs_stand_beside_what_is_reached(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 3);
    hand_study_windows(&study);
    for (int i = 0; i < 6; i++)
        hand_record(&study, i / 3, 1, i % 3)->detail =
            i % 3 ? "{\"n_agents\": 6, \"weights\": 1200, \"state_bytes\": 20480}"
                  : "{\"n_agents\": 6, \"weights\": 900, \"state_bytes\": 10240}";
    hand_study_text(&study);
    // 10, 20 and 30 ms for 1,000 samples
    assert_string_equal(hand_csv(&study, "costs"),
                        "row,agents,weights,\"memory, KiB\",µs per sample,final mean return,of "
                        "the reference,over optimum,samples to 5 %\n"
                        "marl,,,,10,1.000,,1.001,500\n"
                        "local,6,1200,20,20,0.900,0.900 (0.900–0.900),1.041,500\n"
                        "random,,,,30,0.800,0.800 (0.800–0.800),1.081,>1000\n");
    hand_study_free(&study);
}

static void runs_without_a_footprint_have_no_costs(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    assert_null(strstr(hand_study_text(&study), "What rows cost"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_yardstick_has_a_table),
        cmocka_unit_test(objectives_have_columns),
        cmocka_unit_test(a_study_that_is_not_complete_has_no_factors),
        cmocka_unit_test(costs_stand_beside_what_is_reached),
        cmocka_unit_test(runs_without_a_footprint_have_no_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
