// test_engine_release.c - agents learn: both algorithms, every world, clearly better than chance
// after a fixed number of episodes.
#include <math.h>

#include "starling/learn/engine.h"
#include "support/check.h"

// by how many standard errors training beats random actions; the first update is after `warm` steps
static double lead(const char *world, SlAlgo algo, SlEngineMode mode, SlSampling sampling,
                   int64_t warm, int64_t episodes) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    sl_engine_init(&setup);
    sl_world_init(sl_world_find(world), &setup.world);
    setup.algo = algo;
    setup.mode = mode;
    setup.sampling = sampling;
    setup.layout = SL_LAYOUT_STATE;
    setup.capacity = 300000;
    setup.warm = warm;
    assert_int_equal(sl_engine_make(&setup, &engine, &err), SL_OK);
    sl_engine_run(engine, episodes, NULL, NULL, NULL);
    SlReturn now = sl_engine_evaluate(engine, SL_ACT_NOISY, 2000, 77);
    SlReturn chance = sl_engine_evaluate(engine, SL_ACT_RANDOM, 2000, 77);
    sl_engine_free(engine);
    double sigma = sqrt(now.error * now.error + chance.error * chance.error);
    print_message("%s %s: %.2f +- %.2f, by chance %.2f +- %.2f\n", world, sl_algo_names[algo],
                  now.mean, now.error, chance.mean, chance.error);
    return (now.mean - chance.mean) / sigma;
}

static void agents_learn_to_spread(void **state) {
    (void)state;
    assert_true(lead("spread", SL_MADDPG, SL_MODE_FOLDED, SL_SAMPLE_UNIFORM, 5000, 3000) > 10);
    assert_true(lead("spread", SL_MASAC, SL_MODE_FOLDED_SHARED, SL_SAMPLE_NEIGHBOR, 5000, 3000) >
                10);
}

// catching is rare at first, so this takes longer
static void predators_learn_to_catch(void **state) {
    (void)state;
    assert_true(lead("tag", SL_MADDPG, SL_MODE_FOLDED, SL_SAMPLE_UNIFORM, 25600, 6000) > 5);
    assert_true(lead("tag", SL_MASAC, SL_MODE_FOLDED_SHARED, SL_SAMPLE_UNIFORM, 25600, 10000) > 5);
}

static void agents_learn_to_deceive(void **state) {
    (void)state;
    assert_true(lead("adversary", SL_MADDPG, SL_MODE_FOLDED, SL_SAMPLE_UNIFORM, 5000, 3000) > 5);
    assert_true(lead("adversary", SL_MASAC, SL_MODE_FOLDED_SHARED, SL_SAMPLE_UNIFORM, 5000, 3000) >
                5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_learn_to_spread),
        cmocka_unit_test(predators_learn_to_catch),
        cmocka_unit_test(agents_learn_to_deceive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
