// test_section_head.c - what a report says of its study before any result.
#include <math.h>
#include <string.h>

#include "report_help.h"
#include "support/check.h"

static void the_head_says_what_was_run(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 4, 3, 6);
    hand_study_text(&study);
    assert_true(hand_says(&study, "Its numbers are known."));
    assert_true(hand_says(&study,
                          "4 tasks: 2 layers (layer0 and layer1) on eyeriss, for latency and "
                          "edp."));
    assert_true(hand_says(&study, "3 rows, 6 seeds (1 to 6), 1,000 samples per run; all are "
                                  "compared with marl."));
    assert_true(
        hand_says(&study, "All 72 cells are done, by starling 1.2.3 on a machine, in 1.4 s"));
    assert_true(hand_says(&study, "no mapping of the space is better"));
    hand_study_free(&study);
}

static void the_result_stands_in_short_at_the_top(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 2, 3, 6);
    hand_study_text(&study);
    // in the end marl is 0.25 % above the optimum in the median, local 4.25 %, random 8.25 %
    assert_true(
        hand_says(&study, "In short. After 1,000 samples marl is 0.25 % above the optimum"));
    assert_true(hand_says(&study, "the best row of another method, local, 4.2 %."));
    assert_true(hand_says(&study, "local 1.0 × (1.0–1.0); random ≥ 2.0 ×"));
    hand_study_free(&study);
}

static void missing_and_broken_cells_are_said(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    SlCellRecord broken = {.key = "run/layer0 latency/local/3", .reason = "out of luck"};
    const SlCellRecord *list[] = {&broken};
    const SlCellRecord **runs = (const SlCellRecord **)study.results.runs;
    runs[4] = runs[5] = NULL;
    study.results.n_missing = 1;
    study.results.n_broken = 1;
    study.results.broken = list;
    hand_study_text(&study);
    assert_true(hand_says(&study, "Not complete: 4 of 6 cells are done, 1 missing, 1 broken"));
    assert_non_null(strstr(study.doc->root.first->text, "4 of 6 cells are done")); // first of all
    assert_string_equal(hand_csv(&study, "broken"),
                        "cell,reason\nrun/layer0 latency/local/3,out of luck\n");
    hand_study_free(&study);
}

static void nothing_is_concluded_while_cells_are_missing(void **state) {
    (void)state;
    HandStudy study;
    for (int missing = 0; missing < 2; missing++) {
        hand_study_make(&study, 2, 3, 6);
        study.results.n_missing = missing;
        const char *text = hand_study_text(&study);
        assert_int_equal(hand_says(&study, "In short."), !missing);
        assert_int_equal(hand_says(&study, "all are compared with"), !missing);
        assert_int_equal(hand_find(&study, "wins") != NULL, !missing);
        assert_int_equal(strstr(text, "over marl") != NULL, !missing);
        assert_non_null(strstr(text, "layer0 latency: median best so far"));
        hand_study_free(&study);
    }
}

static void broken_cells_alone_leave_the_conclusions(void **state) {
    (void)state;
    HandStudy study;
    SlCellRecord broken = {.key = "run/layer0 latency/local/3", .reason = "out of luck"};
    const SlCellRecord *list[] = {&broken};
    hand_study_make(&study, 2, 3, 6);
    study.results.n_broken = 1;
    study.results.broken = list;
    hand_study_text(&study);
    assert_true(hand_says(&study, "In short."));
    assert_non_null(hand_find(&study, "wins"));
    hand_study_free(&study);
}

static void the_title_says_what_was_run(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    hand_study_text(&study);
    assert_string_equal(study.doc->title, "A study made by hand (1,000 samples, 3 seeds)");
    hand_study_free(&study);
    hand_study_make(&study, 1, 2, 1);
    study.plan.quick = true;
    study.results.budget = 500;
    hand_study_text(&study);
    assert_string_equal(study.doc->title, "A study made by hand (quick: 500 samples, 1 seed)");
    hand_study_free(&study);
}

static void the_quick_form_is_said(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 2, 3);
    hand_study_text(&study);
    assert_false(hand_says(&study, "quick form"));
    hand_study_free(&study);
    hand_study_make(&study, 1, 2, 3);
    study.plan.quick = true;
    hand_study_text(&study);
    assert_true(hand_says(&study, "quick form"));
    hand_study_free(&study);
}

static void what_is_known_of_every_optimum_is_said(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 4, 2, 3);
    study.tasks[1].gap = 0.003;
    study.tasks[2].proven = false;
    study.tasks[2].gap = 0.12;
    study.tasks[3].proven = false;
    study.tasks[3].gap = INFINITY;
    study.tasks[3].floor = NAN;
    hand_study_text(&study);
    assert_string_equal(hand_csv(&study, "tasks"),
                        "task,optimum,unit,status,× floor\n"
                        "layer0 latency,1000,cycles,proven,2.000\n"
                        "layer0 edp,1000,pJ x cycles,proven to 0.3 %,2.000\n"
                        "layer1 latency,1000,cycles,\"best known, at most 12 % above the optimum\","
                        "2.000\n"
                        "layer1 edp,1000,pJ x cycles,\"best known, no bound\",\n");
    assert_true(hand_says(
        &study, "Of 4 tasks 1 is proven exactly; 1 is proven to a small gap; 1 has a lower bound "
                "below it; 1 is the best of this study, with nothing proven."));
    hand_study_free(&study);
}

static void the_optima_of_many_tasks_are_a_detail(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 8, 2, 3);
    assert_null(strstr(hand_study_text(&study), "\nTasks\n"));
    assert_non_null(strstr(hand_csv(&study, "tasks"), "layer3 edp"));
    hand_study_free(&study);
}

static void rows_say_what_they_changed(void **state) {
    (void)state;
    HandStudy study;
    SlError err = {0};
    hand_study_make(&study, 1, 2, 3);
    SlPlanRow *row = &study.plan.rows[0];
    void *options = sl_arena_alloc(&study.arena, row->method->options_bytes, 1);
    sl_options_init(row->method->options, options);
    assert_int_equal(sl_options_set(row->method->options, options, "critic", "off", &err), SL_OK);
    row->options = options;
    row->agents.n_agents = 6;
    hand_study_text(&study);
    const char *rows = hand_csv(&study, "rows");
    assert_non_null(strstr(rows, ",\"6 agents, critic off\"\n"));
    hand_study_free(&study);
}

static void a_row_with_a_budget_of_its_own_is_named(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 3, 3);
    study.plan.rows[1].samples = 500;
    assert_non_null(strstr(hand_study_text(&study), "1,000 samples per run; local stops at 500"));
    hand_study_free(&study);
}

static void names_with_commas_are_kept_apart(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 4, 2, 3);
    for (int t = 0; t < 4; t++) study.tasks[t].layer = t < 2 ? "linear, small" : "linear, large";
    assert_non_null(
        strstr(hand_study_text(&study), "2 layers (linear, small; linear, large) on eyeriss"));
    hand_study_free(&study);
}

static void a_study_without_runs_has_a_head_and_its_notes(void **state) {
    (void)state;
    HandStudy study;
    hand_study_make(&study, 1, 0, 0);
    const char *notes[] = {"One honest sentence."};
    study.plan.n_notes = 1;
    study.plan.notes = notes;
    const char *text = hand_study_text(&study);
    assert_true(hand_says(&study, "1 task: 1 layer (layer0) on eyeriss."));
    assert_true(hand_says(&study, "One honest sentence."));
    assert_null(strstr(text, "Results"));
    hand_study_free(&study);
}

static void without_memory_the_report_fails_and_nothing_breaks(void **state) {
    (void)state;
    HandStudy study;
    SlError err;
    int n_failed = 0;
    hand_study_make(&study, 2, 2, 2);
    hand_study_windows(&study);
    for (size_t limit = 64; limit < 600000; limit += limit < 4096 ? 512 : 39989) {
        SlArena little;
        sl_arena_init(&little, limit);
        SlDoc *doc = sl_doc_make(&little, "study-report", 1);
        SlStatus status = sl_report_study(&study.plan, &study.results, doc, &err);
        assert_true(status == SL_OK || status == SL_ENOMEM);
        assert_true((status == SL_ENOMEM) == (!doc || doc->failed));
        n_failed += status == SL_ENOMEM;
        sl_arena_free(&little);
    }
    assert_true(n_failed > 3);
    hand_study_free(&study);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_says_what_was_run),
        cmocka_unit_test(the_result_stands_in_short_at_the_top),
        cmocka_unit_test(missing_and_broken_cells_are_said),
        cmocka_unit_test(nothing_is_concluded_while_cells_are_missing),
        cmocka_unit_test(broken_cells_alone_leave_the_conclusions),
        cmocka_unit_test(the_title_says_what_was_run),
        cmocka_unit_test(the_quick_form_is_said),
        cmocka_unit_test(what_is_known_of_every_optimum_is_said),
        cmocka_unit_test(the_optima_of_many_tasks_are_a_detail),
        cmocka_unit_test(rows_say_what_they_changed),
        cmocka_unit_test(a_row_with_a_budget_of_its_own_is_named),
        cmocka_unit_test(names_with_commas_are_kept_apart),
        cmocka_unit_test(a_study_without_runs_has_a_head_and_its_notes),
        cmocka_unit_test(without_memory_the_report_fails_and_nothing_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
