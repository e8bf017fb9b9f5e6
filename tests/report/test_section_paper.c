// test_section_paper.c - published numbers beside ours; the cost of the dataset.
#include <math.h>
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static void every_quantity_has_a_number_of_ours(void **state) {
    (void)state;
    HandStudy study;
    SlPaperNumber numbers[] = {
        {"layer0", "latency", "local", "ratio", 1.33, NAN, NULL},
        {"layer0", "latency", "random", "speedup", 30, NAN, ""},
        {"layer0", "edp", "random", "value", 6.22e-4, NAN, ""},
        {"layer0", "", "", "log10 size", 13, 39, ""},
        {"layer9", "edp", "random", "ratio", 2.5, NAN, ""},
        {"layer0", "edp", "local", "colour", 7, NAN, ""},
    };
    hand_study_make(&study, 2, 3, 5);
    hand_study_windows(&study);
    study.plan.show[SL_SHOW_SIZES] = false;
    study.plan.n_paper = sizeof numbers / sizeof numbers[0];
    study.plan.paper = numbers;
    study.plan.paper_source = "Table III";
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "paper"),
                        "layer,objective,row,what,published,ours,95 %\n"
                        "layer0,latency,local,ratio,1.33,1.040,1.040–1.040\n"
                        "layer0,latency,random,\"speedup, to 5 %\",30,≥ 2.0,2.0–2.0\n"
                        "layer0,latency,random,\"speedup, return\",30,≥ 1.1,1.1–1.1\n"
                        "layer0,edp,random,median value,0.000622,1082,1081–1083\n"
                        "layer0,,,log10 size,13–39,,\n"
                        "layer9,edp,random,ratio,2.5,,\n"
                        "layer0,edp,local,colour,7,,\n");
    assert_true(hand_says(&study, "Published: Table III."));
    assert_non_null(strstr(hand_figure(&study, "paper"), "published"));
    hand_study_free(&study);
}

static void a_number_may_be_over_another_row_than_the_reference(void **state) {
    (void)state;
    HandStudy study;
    SlPaperNumber numbers[] = {
        {"layer0", "latency", "random", "ratio", 1.5, NAN, "local"},
        {"layer0", "latency", "random", "speedup", 30, NAN, "local"},
        {"layer0", "latency", "random", "reward", 2.56, NAN, "local"},
        {"layer0", "latency", "random", "reward", 8, NAN, ""},
        {"layer0", "latency", "unheard of", "reward", 8, NAN, "local"},
    };
    hand_study_make(&study, 1, 3, 5);
    hand_study_windows(&study);
    study.plan.n_paper = sizeof numbers / sizeof numbers[0];
    study.plan.paper = numbers;
    hand_study_text(&study);
    // values 1,082 and 1,042; mean returns end at 0.9 (local), 0.8 (random) and 1 (marl): random
    // never has 90 % of that of local
    assert_string_equal(hand_csv(&study, "paper"),
                        "layer,objective,row,over,what,published,ours,95 %\n"
                        "layer0,latency,random,local,ratio,1.5,1.038,1.038–1.038\n"
                        "layer0,latency,random,local,\"speedup, to 5 %\",30,≥ 2.0,2.0–2.0\n"
                        "layer0,latency,random,local,\"speedup, return\",30,≥ 1.1,1.1–1.1\n"
                        "layer0,latency,random,local,reward,2.56,1.125,1.125–1.125\n"
                        "layer0,latency,random,marl,reward,8,1.250,1.250–1.250\n"
                        "layer0,latency,unheard of,local,reward,8,,\n");
    assert_true(hand_says(&study, "Reward: the final mean return of the other row over that"));
    hand_study_free(&study);
}

static void notes_stand_beside_the_numbers_and_only_there(void **state) {
    (void)state;
    HandStudy study;
    SlPaperNumber number = {"layer0", "latency", "local", "ratio", 1.33, NAN, ""};
    const char *notes[] = {"One honest sentence."};
    hand_study_make(&study, 1, 2, 3);
    study.plan.n_paper = 1;
    study.plan.paper = &number;
    study.plan.n_notes = 1;
    study.plan.notes = notes;
    const char *text = hand_study_text(&study);
    const char *first = strstr(text, "One honest sentence.");
    assert_non_null(first);
    assert_true(first > strstr(text, "Beside the paper") && first < strstr(text, "Results"));
    assert_null(strstr(first + 1, "One honest sentence."));
    hand_study_free(&study);
}

static void the_dataset_is_shown_counted_and_not(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    for (int s = 0; s < 3; s++) hand_record(&study, 0, 1, s)->assign_samples = 400;
    hand_study_text(&study);
    // 400 samples later: the first value after 410, the second after 500, the last after 900
    assert_string_equal(hand_csv(&study, "dataset-all-tasks"),
                        "row,dataset,50,100,250,500,1000,samples to 5 %\n"
                        "marl,none,1.500,1.200,1.200,1.001,1.001,500\n"
                        "local,not counted,2.000,1.400,1.400,1.041,1.041,500\n"
                        "local,400 counted,,,,1.400,1.041,900\n");
    hand_study_free(&study);
}

static void a_study_without_datasets_has_no_such_section(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    assert_null(strstr(hand_study_text(&study), "Cost of the assignment"));
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_quantity_has_a_number_of_ours),
        cmocka_unit_test(a_number_may_be_over_another_row_than_the_reference),
        cmocka_unit_test(notes_stand_beside_the_numbers_and_only_there),
        cmocka_unit_test(the_dataset_is_shown_counted_and_not),
        cmocka_unit_test(a_study_without_datasets_has_no_such_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
