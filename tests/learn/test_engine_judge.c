// test_engine_judge.c - verdicts on trainings: no update, no better than chance, better.
#include <math.h>

#include "starling/learn/engine.h"
#include "support/check.h"

// one agent that learns to reach its landmark, with the first round after `warm` steps
static SlEngine *trained(int64_t warm, int64_t episodes) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    sl_engine_init(&setup);
    sl_world_init(sl_world_find("spread"), &setup.world);
    setup.world.n_agents = 1;
    setup.hidden = 4;
    setup.batch = 8;
    setup.capacity = 100000;
    setup.update_every = 250;
    setup.warm = warm;
    if (sl_engine_make(&setup, &engine, &err) != SL_OK) fail_msg("%s", err.text);
    sl_engine_run(engine, episodes, NULL, NULL, NULL);
    return engine;
}

static void without_an_update_nothing_was_learnt(void **state) {
    (void)state;
    SlEngine *engine = trained(100000, 30);
    SlEngineVerdict verdict = sl_engine_judge(engine, 0, (SlReturn){-1e9, 0});
    assert_int_equal(verdict.learnt, SL_LEARNT_NO_UPDATE);
    assert_string_equal(sl_learnt_names[verdict.learnt], "no-update");
    assert_int_equal(verdict.episodes, 30);
    sl_engine_free(engine);
    engine = trained(100000, 0);
    verdict = sl_engine_judge(engine, 0, (SlReturn){0, 1});
    assert_int_equal(verdict.episodes, 0);
    assert_true(isnan(verdict.last.mean));
    sl_engine_free(engine);
}

static void the_last_tenth_is_judged_but_at_least_100_episodes(void **state) {
    (void)state;
    static const int64_t cases[][2] = {{40, 40}, {500, 100}, {1200, 120}};
    for (int i = 0; i < 3; i++) {
        SlEngine *engine = trained(100000, cases[i][0]);
        SlEngineVerdict verdict = sl_engine_judge(engine, 0, (SlReturn){0, 1});
        const float *returns = sl_engine_returns(engine, 0);
        double sum = 0;
        assert_int_equal(verdict.episodes, cases[i][1]);
        for (int64_t e = cases[i][0] - cases[i][1]; e < cases[i][0]; e++) sum += returns[e];
        assert_true(fabs(verdict.last.mean - sum / (double)cases[i][1]) < 1e-9);
        assert_true(verdict.last.error > 0);
        sl_engine_free(engine);
    }
}

static void better_is_more_than_two_standard_errors_above_chance(void **state) {
    (void)state;
    SlEngine *engine = trained(250, 200);
    SlReturn last = sl_engine_judge(engine, 0, (SlReturn){0, 0}).last;
    // errors of equal size: the difference has one of sqrt(2) times that
    double margin = 2 * sqrt(2) * last.error;
    SlReturn below = {last.mean - 1.01 * margin, last.error};
    SlReturn near = {last.mean - 0.99 * margin, last.error};
    assert_int_equal(sl_engine_judge(engine, 0, below).learnt, SL_LEARNT_BETTER);
    assert_int_equal(sl_engine_judge(engine, 0, near).learnt, SL_LEARNT_CHANCE);
    sl_engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_update_nothing_was_learnt),
        cmocka_unit_test(the_last_tenth_is_judged_but_at_least_100_episodes),
        cmocka_unit_test(better_is_more_than_two_standard_errors_above_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
