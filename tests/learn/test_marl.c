// test_marl.c - the flock: it learns, its critic pays, one seed gives one result, odd spaces do not
// stop it.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/learn_inside.h"
#include "planted.h"
#include "search/task_run.h"
#include "starling/job.h"
#include "support/world.h"

// options as text, "name=value ..."
typedef struct {
    _Alignas(16) char bytes[1024];
} Options;

static Options with(const char *text) {
    Options options;
    SlError err;
    char words[256];
    assert_true(sl_method_marl.options_bytes <= sizeof options);
    sl_options_init(sl_method_marl.options, &options);
    snprintf(words, sizeof words, "%s", text);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value = '\0';
        if (sl_options_set(sl_method_marl.options, &options, word, value + 1, &err) != SL_OK)
            fail_msg("%s", err.text);
    }
    return options;
}

static void policies_alone_find_what_was_planted_because_they_learn(void **state) {
    (void)state;
    Options learns = with("critic=off keep=0 near=0 redraws=0 patience=100000 entropy=0.01");
    Options rests = with("critic=off keep=0 near=0 redraws=0 patience=100000 rate=0");
    double late[2] = {0};
    for (uint64_t seed = 0; seed < 3; seed++) {
        late[0] += planted_run(&sl_method_marl, &learns, NULL, seed, 1500, 8).late;
        late[1] += planted_run(&sl_method_marl, &rests, NULL, seed, 1500, 8).late;
    }
    assert_true(late[0] < 0.2 * late[1]);
}

// --- on mappings

static SlRecord run_once(World *world, const char *method, const void *options, uint64_t seed,
                         int64_t samples) {
    SlRunSetup setup = {.task = world_task(world, "edp", SL_ILLEGAL_REPAIR),
                        .method = sl_method_find(method),
                        .options = options,
                        .seed = seed,
                        .stream = "test",
                        .budget = {.samples = samples},
                        .start = SL_START_NONE};
    SlRecord record;
    SlError err;
    if (sl_run(&setup, NULL, NULL, &world->arena, &record, &err) != SL_OK) fail_msg("%s", err.text);
    assert_int_equal(record.samples, samples);
    return record;
}

// mean log of the best EDP over seeds
static double mean_best(World *world, const char *method, const void *options, int64_t samples) {
    double sum = 0;
    for (uint64_t seed = 1; seed <= 3; seed++)
        sum += log(run_once(world, method, options, seed, samples).best.outcome.value) / 3;
    return sum;
}

static void few_samples_go_further_with_the_critic(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    Options quick = with("critic=on candidates=16 rounds=2"), off = with("critic=off"),
            reuse = with("critic=on candidates=16 rounds=2 sight=reuse");
    double critic = mean_best(&world, "marl", &quick, 120),
           sees_reuse = mean_best(&world, "marl", &reuse, 120);
    double none = mean_best(&world, "marl", &off, 120),
           chance = mean_best(&world, "random", NULL, 120);
    print_message("log EDP: critic %.3f, without estimates %.3f, no critic %.3f, random %.3f\n",
                  critic, sees_reuse, none, chance);
    assert_true(critic < none - 0.05 && sees_reuse < none - 0.05 && none < chance - 0.3);
    world_free(&world);
}

static void one_seed_gives_one_result(void **state) {
    (void)state;
    World world;
    world_make(&world, "gemm:M=64,N=96,K=48", "eyeriss");
    SlRecord a = run_once(&world, "marl", NULL, 9, 150), b = run_once(&world, "marl", NULL, 9, 150);
    SlRecord other = run_once(&world, "marl", NULL, 10, 150);
    assert_int_equal(a.n_curve, b.n_curve);
    assert_memory_equal(a.curve, b.curve, (size_t)a.n_curve * sizeof *a.curve);
    assert_memory_equal(&a.best.mapping, &b.best.mapping, sizeof a.best.mapping);
    assert_true(other.n_curve != a.n_curve ||
                memcmp(a.curve, other.curve, (size_t)a.n_curve * sizeof *a.curve) != 0);
    world_free(&world);
}

static void groups_of_parameters_deviate_together(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=32,C=16,P=14,Q=14,R=3,S=3", "eyeriss");
    SlAgents agents = {.n_agents = 2};
    for (int i = 0; i < world.space.n_params; i++) agents.agent[i] = i % 2;
    Options options = with("critic=off near=0");
    SlMethodSetup setup = {.task = world_task(&world, "edp", SL_ILLEGAL_REPAIR),
                           .agents = &agents,
                           .seed = 4,
                           .stream = "groups",
                           .budget = 100};
    void *marl = sl_method_marl.make(&setup, &options, &world.arena);
    assert_non_null(marl);
    int32_t first[SL_MAX_PARAMS] = {0}, next[SL_MAX_PARAMS];
    SlSample good = {.value = 1, .score = 0}, worse = {.value = 2, .score = 1};
    sl_method_meet(&sl_method_marl, marl, 1, first, &good); // the incumbent from now on
    for (int t = 0; t < 40; t++) {
        sl_method_marl.ask(marl, 1, next);
        int moved[2] = {0};
        for (int i = 0; i < world.space.n_params; i++) moved[i % 2] += next[i] != first[i];
        // an agent that draws moves about all of its parameters, one that keeps moves none
        for (int a = 0; a < 2; a++) assert_true(moved[a] == 0 || moved[a] >= 3);
        assert_true(moved[0] + moved[1] > 0);
        sl_method_marl.tell(marl, 1, next, &worse);
    }
    world_free(&world);
}

static void odd_layers_and_penalties_do_not_stop_it(void **state) {
    (void)state;
    static const char *const layers[] = {"conv:K=1,C=1,P=1,Q=1", "conv:K=13,C=7,P=11,Q=5,R=3,S=2",
                                         "linear:K=10,C=1", "gemm:M=16384,N=8192,K=8192"};
    for (int i = 0; i < 4; i++) {
        World world;
        world_make(&world, layers[i], "eyeriss");
        for (int illegal = 0; illegal < 2; illegal++) {
            SlRunSetup setup = {.task = world_task(&world, "latency", (SlIllegal)illegal),
                                .method = &sl_method_marl,
                                .seed = 1,
                                .stream = "odd",
                                .budget = {.samples = 60},
                                .start = SL_START_DEFAULT};
            SlRecord record;
            SlError err;
            if (sl_run(&setup, NULL, NULL, &world.arena, &record, &err) != SL_OK)
                fail_msg("%s", err.text);
            assert_true(record.floor_multiple >= 1 - 1e-9);
        }
        world_free(&world);
    }
}

// `blind` counts samples that had a value
static void programs_that_cannot_run_are_not_asked_for(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int blind = 0; blind <= 8; blind += 8) {
        TaskRun run;
        SlTask *task = vta_layer_task("conv:K=64,C=64,P=56,Q=56,R=3,S=3", &arena);
        task_run_begin(&run, task, "marl", blind ? "blind=8" : "blind=0", 3, NULL);
        run.repeats = true;
        task_run_continue(&run, 40, 1);
        assert_int_equal(run.n, 40);
        assert_int_equal(run.n_failed, 0);
        task_run_end(&run);
    }
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_alone_find_what_was_planted_because_they_learn),
        cmocka_unit_test(few_samples_go_further_with_the_critic),
        cmocka_unit_test(one_seed_gives_one_result),
        cmocka_unit_test(groups_of_parameters_deviate_together),
        cmocka_unit_test(odd_layers_and_penalties_do_not_stop_it),
        cmocka_unit_test(programs_that_cannot_run_are_not_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
