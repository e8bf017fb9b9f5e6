// test_training.c - what a training came to: how far it got, and returns in new episodes.
#include "starling/learn/training.h"

#include "support/check.h"

static SlEngine *trained(int64_t episodes) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    sl_engine_init(&setup);
    setup.hidden = 4;
    setup.batch = 8;
    setup.capacity = 1000;
    if (sl_engine_make(&setup, &engine, &err) != SL_OK) fail_msg("%s", err.text);
    sl_engine_run(engine, episodes, NULL, NULL, NULL);
    return engine;
}

static void it_is_finished_when_all_episodes_are_trained(void **state) {
    (void)state;
    SlEngine *engine = trained(12);
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
    SlEngine *engine = trained(12);
    uint64_t seed = ~(uint64_t)sl_engine_setup(engine)->seed;
    SlTraining one = {.engine = engine, .episodes = 12, .trials = 20}, two = one;
    sl_training_evaluate(&one);
    sl_training_evaluate(&two);
    assert_true(one.noisy.mean == two.noisy.mean && one.greedy.mean == two.greedy.mean);
    assert_true(one.random.mean == sl_engine_evaluate(engine, SL_ACT_RANDOM, 20, seed).mean);
    assert_true(one.random.mean != one.noisy.mean);
    assert_int_equal(one.verdict.learnt, sl_engine_judge(engine, one.random).learnt);
    assert_int_equal(one.verdict.episodes, 12);
    sl_engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_finished_when_all_episodes_are_trained),
        cmocka_unit_test(every_evaluation_sees_the_same_new_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
