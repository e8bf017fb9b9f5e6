// test_section_agreement.c - how far the groups of rows agree, between seeds and with each other.
#include <string.h>

#include "report_help.h"
#include "support/check.h"

// rows of 2 agents; what each run was given
static void give(HandStudy *study, int row, int seed, const char *agents) {
    study->plan.rows[row].agents.n_agents = 2;
    hand_record(study, 0, row, seed)->detail = agents;
}

static void rows_with_as_many_agents_are_compared(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 2);
    study.plan.show[SL_SHOW_AGREEMENT] = true;
    study.plan.rows[0].agents.assign.samples = 10; // two assignments
    study.plan.rows[1].agents.assign.samples = 20;
    give(&study, 0, 0, "{\"agents\": [0, 0, 1, 1]}");
    give(&study, 0, 1, "{\"agents\": [1, 1, 0, 0]}");
    give(&study, 1, 0, "{\"agents\": [0, 0, 1, 1]}");
    give(&study, 1, 1, "{\"agents\": [0, 1, 0, 1]}");
    hand_study_text(&study);
    // the third row has no groups; a row is alike with itself between seeds
    assert_string_equal(hand_csv(&study, "agreement-2-agents"), "row,marl,local\n"
                                                                "marl,1.00,0.25\n"
                                                                "local,0.25,-0.50\n");
    assert_true(hand_says(&study, "1: the same groups; 0: as alike as"));
    hand_study_free(&study);
}

static void one_assignment_is_shown_once(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 2);
    study.plan.show[SL_SHOW_AGREEMENT] = true;
    for (int row = 0; row < 2; row++)
        for (int seed = 0; seed < 2; seed++) give(&study, row, seed, "{\"agents\": [0, 0, 1]}");
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "agreement-2-agents"), "row,marl\nmarl,1.00\n");
    hand_study_free(&study);
}

static void without_groups_there_is_no_section(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 2);
    study.plan.show[SL_SHOW_AGREEMENT] = true;
    hand_study_text(&study);
    assert_false(hand_says(&study, "1: the same groups; 0: as alike as"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_as_many_agents_are_compared),
        cmocka_unit_test(one_assignment_is_shown_once),
        cmocka_unit_test(without_groups_there_is_no_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
