// test_training.c - what a training came to: how far it got, and returns in new episodes.
#include "starling/learn/training.h"

#include <math.h>

#include "support/check.h"

static SlEngine *trained(int64_t episodes, SlScript prey) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    sl_engine_init(&setup);
    setup.world.script = prey;
    setup.hidden = 4;
    setup.batch = 8;
    setup.capacity = 1000;
    if (sl_engine_make(&setup, &engine, &err) != SL_OK) fail_msg("%s", err.text);
    sl_engine_run(engine, episodes, NULL, NULL, NULL);
    return engine;
}

static void it_is_finished_when_all_episodes_are_trained(void **state) {
    (void)state;
    SlEngine *engine = trained(12, SL_SCRIPT_RANDOM);
    SlTraining training = {.engine = engine, .episodes = 12, .trials = 2};
    assert_false(sl_training_is_finished(&training)); // nothing is known yet
    sl_training_evaluate(&training);
    assert_int_equal(training.now.episodes, 12);
    assert_true(sl_training_is_finished(&training));
    training.episodes = 13;
    assert_false(sl_training_is_finished(&training));
    sl_engine_free(engine);
}

static void every_evaluation_sees_the_same_new_worlds(void **state) {
    (void)state;
    SlEngine *engine = trained(12, SL_SCRIPT_RANDOM);
    uint64_t seed = ~(uint64_t)sl_engine_setup(engine)->seed;
    SlTraining one = {.engine = engine, .episodes = 12, .trials = 20}, two = one;
    sl_training_evaluate(&one);
    sl_training_evaluate(&two);
    const SlTrained *a = &one.teams[0], *b = &two.teams[0];
    assert_true(a->noisy.mean == b->noisy.mean && a->greedy.mean == b->greedy.mean);
    assert_true(a->random.mean == sl_engine_evaluate(engine, SL_ACT_RANDOM, 20, seed).mean);
    assert_true(a->random.mean != a->noisy.mean);
    assert_int_equal(a->verdict.learnt, sl_engine_judge(engine, 0, a->random).learnt);
    assert_int_equal(a->verdict.episodes, 12);
    assert_true(one.teams[1].noisy.mean == 0); // nobody else learns
    assert_true(isnan(a->against_random.mean));
    sl_engine_free(engine);
}

static void chance_is_a_team_at_random_against_the_other_as_it_is(void **state) {
    (void)state;
    SlEngine *engine = trained(12, SL_SCRIPT_LEARN);
    SlTraining training = {.engine = engine, .episodes = 12, .trials = 50};
    SlMatch match = {.episodes = 50, .seed = ~(uint64_t)sl_engine_setup(engine)->seed};
    SlReturn returns[SL_ENGINE_TEAMS];
    sl_training_evaluate(&training);
    assert_int_equal(sl_engine_teams(engine), 2);
    assert_int_equal(sl_engine_members(engine, 0), 3);
    assert_int_equal(sl_engine_members(engine, 1), 1);
    match.acting[0] = SL_ACT_RANDOM;
    sl_engine_play(engine, &match, returns);
    assert_true(training.teams[0].random.mean == returns[0].mean);
    assert_true(training.teams[1].against_random.mean == returns[1].mean);
    match.acting[0] = SL_ACT_NOISY;
    match.acting[1] = SL_ACT_RANDOM;
    sl_engine_play(engine, &match, returns);
    assert_true(training.teams[1].random.mean == returns[1].mean);
    assert_true(training.teams[0].against_random.mean == returns[0].mean);
    assert_true(training.teams[1].random.mean != training.teams[1].noisy.mean);
    // what prey lose by touches is what predators win, and prey lose more where they leave
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) match.acting[t] = SL_ACT_RANDOM;
    sl_engine_play(engine, &match, returns);
    assert_true(returns[1].mean < -returns[0].mean);
    sl_engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_finished_when_all_episodes_are_trained),
        cmocka_unit_test(every_evaluation_sees_the_same_new_worlds),
        cmocka_unit_test(chance_is_a_team_at_random_against_the_other_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
