// test_memory.c - what a flock learnt on one layer helps it on the next.
#include "support/check.h"

#include <math.h>

#include "learn/learn_inside.h"
#include "learn/marl_options.h"
#include "starling/job.h"
#include "support/world.h"

static SlMarlOptions sees_reuse(void) {
    SlMarlOptions options;
    sl_options_init(sl_marl_options, &options);
    options.sight = 1;
    options.rounds = 3;
    return options;
}

static SlRecord run_once(World *world, const SlMarlOptions *options, const SlMemory *memory,
                         uint64_t seed, int64_t samples) {
    SlRunSetup setup = {.task = world_task(world, "edp", SL_ILLEGAL_REPAIR),
                        .method = &sl_method_marl,
                        .options = options,
                        .memory = memory,
                        .seed = seed,
                        .stream = "memory",
                        .budget = {.samples = samples},
                        .start = SL_START_NONE};
    SlRecord record;
    SlError err;
    if (sl_run(&setup, NULL, NULL, &world->arena, &record, &err) != SL_OK) fail_msg("%s", err.text);
    return record;
}

static void lessons_of_other_layers_help_in_the_first_samples(void **state) {
    (void)state;
    World first, second, third;
    world_make(&first, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    world_make(&second, "conv:K=256,C=128,P=28,Q=28,R=3,S=3", "eyeriss");
    world_make(&third, "conv:K=128,C=128,P=28,Q=28,R=3,S=3", "eyeriss");
    SlMarlOptions options = sees_reuse();
    SlRecord one = run_once(&first, &options, NULL, 1, 80);
    assert_non_null(one.memory);
    SlRecord two = run_once(&second, &options, one.memory, 1, 80);
    assert_non_null(two.memory);

    double cold = 0, warm = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        cold += log(run_once(&third, &options, NULL, seed, 25).best.outcome.value) / 6;
        warm += log(run_once(&third, &options, two.memory, seed, 25).best.outcome.value) / 6;
    }
    print_message("log EDP after 25 samples: cold %.3f, warm %.3f\n", cold, warm);
    assert_true(warm < cold - 0.02);
    world_free(&third);
    world_free(&second);
    world_free(&first);
}

static void a_memory_of_another_machine_does_no_harm(void **state) {
    (void)state;
    World here, there;
    world_make(&here, "conv:K=32,C=16,P=14,Q=14,R=3,S=3", "simba");
    world_make(&there, "conv:K=32,C=16,P=14,Q=14,R=3,S=3", "eyeriss");
    SlMarlOptions options = sees_reuse();
    SlRecord one = run_once(&here, &options, NULL, 1, 20);
    SlRecord two = run_once(&there, &options, one.memory, 1, 20);
    assert_true(isfinite(two.best.outcome.value));
    options.critic = SL_CRITIC_OFF;
    two = run_once(&there, &options, two.memory, 1, 20);
    assert_true(isfinite(two.best.outcome.value));
    world_free(&there);
    world_free(&here);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_of_other_layers_help_in_the_first_samples),
        cmocka_unit_test(a_memory_of_another_machine_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
