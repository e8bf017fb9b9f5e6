// test_report_training.c - a training as a document: the verdict, the curve, the clock.
#include <stdio.h>
#include <string.h>

#include "doc_help.h"
#include "starling/report/training_doc.h"
#include "support/check.h"

static SlTraining training_against(SlScript prey, int64_t episodes, int64_t warm) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    sl_engine_init(&setup);
    setup.world.script = prey;
    setup.hidden = 4;
    setup.batch = 8;
    setup.capacity = 10000;
    setup.warm = warm;
    if (sl_engine_make(&setup, &engine, &err) != SL_OK) fail_msg("%s", err.text);
    sl_engine_run(engine, episodes, NULL, NULL, NULL);
    SlTraining training = {.engine = engine, .episodes = 250, .trials = 4, .seconds = 2};
    sl_training_evaluate(&training);
    return training;
}

static SlTraining training_of(int64_t episodes, int64_t warm) {
    return training_against(SL_SCRIPT_RANDOM, episodes, warm);
}

static void let_go(SlTraining *training) {
    sl_engine_free((SlEngine *)training->engine);
}

static void a_training_without_update_says_so(void **state) {
    Paper *paper = *state;
    SlTraining training = training_of(30, 5000);
    paper->doc = sl_report_training(&training, "abc", &paper->arena);
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"key\": \"abc\""));
    assert_non_null(strstr(json, "\"finished\": false"));
    assert_non_null(strstr(json, "\"verdict\": \"no-update\""));
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "No update was made: 750 steps are fewer than the 5,000 before"));
    // a terminal is told that alone, other forms have the rest
    assert_null(strstr(text, "steps/s"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "375 steps/s"));
    let_go(&training);
}

static void blocks_of_a_hundred_episodes_make_the_curve(void **state) {
    Paper *paper = *state;
    SlTraining training = training_of(250, 100);
    const float *returns = sl_engine_returns(training.engine, 0);
    char last[64];
    double sum = 0;
    paper->doc = sl_report_training(&training, NULL, &paper->arena);
    const char *csv = paper_form(paper, SL_FORM_CSV);
    for (int e = 200; e < 250; e++) sum += returns[e];
    snprintf(last, sizeof last, "250,%.9g", sum / 50);
    assert_int_equal(count_of(csv, "\n"), 4); // heads, 100, 200, 250
    assert_non_null(strstr(csv, last));
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"finished\": true"));
    assert_non_null(strstr(json, "\"key\": null"));
    let_go(&training);
}

static void both_teams_are_told_where_both_learn(void **state) {
    Paper *paper = *state;
    SlTraining training = training_against(SL_SCRIPT_LEARN, 250, 100);
    paper->doc = sl_report_training(&training, NULL, &paper->arena);
    const char *csv = paper_form(paper, SL_FORM_CSV);
    assert_non_null(strstr(csv, "episodes,mean_return,opponents_return"));
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, "tag, predators (3) and prey (1), maddpg"));
    assert_non_null(strstr(text, "Prey are "));
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "random predators"));
    const char *json = paper_form(paper, SL_FORM_JSON);
    assert_non_null(strstr(json, "\"name\": \"prey\""));
    assert_int_equal(count_of(json, "\"verdict\""), 3); // the first is the sentence of both
    assert_int_equal(count_of(json, "\"random\""), 2);
    assert_int_equal(count_of(json, "\"against_random\""), 2);
    let_go(&training);
}

static SlDoc *make(const void *of, SlArena *arena) {
    return sl_report_training(of, "key", arena);
}

static void little_memory_is_no_crash(void **state) {
    (void)state;
    SlTraining training = training_of(250, 100);
    assert_survives_little_memory(make, &training);
    let_go(&training);
    training = training_against(SL_SCRIPT_LEARN, 250, 100);
    assert_survives_little_memory(make, &training);
    let_go(&training);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_training_without_update_says_so, paper_make, paper_free),
        cmocka_unit_test_setup_teardown(blocks_of_a_hundred_episodes_make_the_curve, paper_make,
                                        paper_free),
        cmocka_unit_test_setup_teardown(both_teams_are_told_where_both_learn, paper_make,
                                        paper_free),
        cmocka_unit_test(little_memory_is_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
