// test_mapping_env.c - the vectorised environment: shapes, shared rewards, one counter, and the
// same buffers whatever the threads.
#include "support/check.h"
#include "support/world.h"

#include <math.h>
#include <string.h>

#include "starling/task/env.h"

enum { N_ENVS = 150, MAX_OBSERVED = 64 }; // more than there are groups of environments

typedef struct {
    int32_t actions[N_ENVS * SL_MAX_PARAMS];
    float observations[N_ENVS * SL_MAX_PARAMS * MAX_OBSERVED];
    float rewards[N_ENVS * SL_MAX_PARAMS];
    uint8_t dones[N_ENVS];
    SlSample outcomes[N_ENVS];
} Memory;

static SlEnvBuffers buffers_of(Memory *memory) {
    memset(memory, 0xAA, sizeof *memory); // every number must be written
    return (SlEnvBuffers){memory->actions, memory->observations, memory->rewards, memory->dones,
                          memory->outcomes};
}

typedef struct {
    World world;
    SlAgents agents;
    SlMappingEnvSetup setup;
    SlEnv *env;
    Memory memory;
    SlEnvBuffers buffers;
    SlRng rng;
} Scene;

static void scene_make(Scene *scene, SlReward reward, SlObserve observe, int episode_steps) {
    world_make(&scene->world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    sl_agents_each(&scene->world.space, &scene->agents);
    scene->setup = (SlMappingEnvSetup){
        .task = {.space = &scene->world.space, .goal = world_goal("edp")},
        .agents = &scene->agents,
        .n_envs = N_ENVS,
        .episode_steps = episode_steps,
        .reward = reward,
        .observe = observe,
    };
    scene->buffers = buffers_of(&scene->memory);
    sl_rng_init(&scene->rng, 11, "actions");
}

static void scene_begin(Scene *scene) {
    scene->env = sl_mapping_env_make(&scene->setup, &scene->world.arena);
    assert_non_null(scene->env);
    sl_env_reset(scene->env, 1, &scene->buffers);
}

static void draw_actions(Scene *scene) {
    const SlEnvShape *shape = sl_env_shape(scene->env);
    for (int e = 0; e < shape->n_envs; e++)
        sl_space_sample(&scene->world.space, &scene->rng,
                        scene->memory.actions + e * shape->n_heads);
}

static void scene_step(Scene *scene, SlPool *pool) {
    draw_actions(scene);
    sl_env_step(scene->env, pool, &scene->buffers);
}

static void shapes_follow_from_space_and_agents(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_PAPER, 100);
    SlAgents three = {.n_agents = 3};
    for (int i = 0; i < scene->world.space.n_params; i++) three.agent[i] = i % 3;
    scene->setup.agents = &three;
    scene_begin(scene);
    memset(&three, 0xFF, sizeof three); // agents were copied
    const SlEnvShape *shape = sl_env_shape(scene->env);
    assert_int_equal(shape->n_envs, N_ENVS);
    assert_int_equal(shape->n_agents, 3);
    assert_int_equal(shape->n_observed, 4);
    assert_int_equal(shape->n_heads, scene->world.space.n_params);
    assert_int_equal(shape->episode_steps, 100);
    for (int i = 0; i < shape->n_heads; i++) {
        assert_int_equal(shape->agent[i], i % 3);
        assert_int_equal(shape->n_choices[i], scene->world.space.params[i].n);
    }
    assert_null(sl_env_best(scene->env));
    assert_int_equal(sl_env_samples(scene->env), 0);
    world_free(&scene->world);
}

static void agents_share_the_reward_and_samples_add_up(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_PAPER, 100);
    scene_begin(scene);
    SlFloor bottom;
    sl_floor_eval(&scene->world.layer, &scene->world.accel, &bottom);
    double best = INFINITY;
    int64_t best_sample = 0;
    int n_agents = sl_env_shape(scene->env)->n_agents;
    size_t used = scene->world.arena.used;
    for (int step = 0; step < 3; step++) {
        scene_step(scene, NULL);
        assert_int_equal(scene->world.arena.used, used);
        assert_int_equal(sl_env_samples(scene->env), (step + 1) * N_ENVS);
        for (int e = 0; e < N_ENVS; e++) {
            const SlSample *outcome = &scene->memory.outcomes[e];
            float want = (float)(log(bottom.value[SL_EDP]) - outcome->score);
            for (int a = 0; a < n_agents; a++)
                assert_true(scene->memory.rewards[e * n_agents + a] == want);
            if (outcome->value < best) best_sample = step * N_ENVS + e + 1;
            best = fmin(best, outcome->value);
            assert_int_equal(scene->memory.dones[e], 0);
        }
    }
    assert_true(sl_env_best(scene->env)->outcome.value == best);
    assert_int_equal(sl_env_best(scene->env)->sample, best_sample);
    world_free(&scene->world);
}

static void outcomes_are_those_of_a_task(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_INVERSE, SL_OBSERVE_PAPER, 1);
    scene_begin(scene);
    scene_step(scene, NULL);
    SlTask *task = world_task(&scene->world, "edp", SL_ILLEGAL_REPAIR);
    const SlEnvShape *shape = sl_env_shape(scene->env);
    for (int e = 0; e < N_ENVS; e++) {
        SlSample want;
        sl_task_eval(task, 1, scene->memory.actions + e * shape->n_heads, &want);
        assert_memory_equal(&want, &scene->memory.outcomes[e], sizeof want);
        assert_true(scene->memory.rewards[e * shape->n_agents] == (float)(1 / want.value));
    }
    assert_memory_equal(&sl_task_best(task)->mapping, &sl_env_best(scene->env)->mapping,
                        sizeof(SlMapping));
    world_free(&scene->world);
}

static void rank_rewards_rank_among_the_environments_of_a_step(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_RANK, SL_OBSERVE_PAPER, 1);
    scene_begin(scene);
    scene_step(scene, NULL);
    int n_agents = sl_env_shape(scene->env)->n_agents;
    double sum = 0, squares = 0;
    for (int e = 0; e < N_ENVS; e++) {
        double reward = scene->memory.rewards[e * n_agents];
        sum += reward, squares += reward * reward;
    }
    assert_true(fabs(sum / N_ENVS) < 1e-6 && fabs(squares / N_ENVS - 1) < 1e-5);
    world_free(&scene->world);
}

static void episodes_end_after_their_steps_and_begin_with_zeros(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_PAPER, 3);
    scene_begin(scene);
    int n = N_ENVS * sl_env_shape(scene->env)->n_agents * 4;
    for (int i = 0; i < n; i++) assert_true(scene->memory.observations[i] == 0);
    for (int step = 1; step <= 7; step++) {
        scene_step(scene, NULL);
        bool nonzero = false;
        for (int i = 0; i < n; i++) nonzero |= scene->memory.observations[i] != 0;
        for (int e = 0; e < N_ENVS; e++) assert_int_equal(scene->memory.dones[e], step % 3 == 0);
        assert_int_equal(nonzero, step % 3 != 0);
    }
    // a reset begins an episode, but takes no sample back
    sl_env_reset(scene->env, 2, &scene->buffers);
    assert_int_equal(sl_env_samples(scene->env), 7 * N_ENVS);
    scene_step(scene, NULL);
    assert_int_equal(scene->memory.dones[0], 0);
    world_free(&scene->world);
}

// four | own choices, padded | budget left | eight extents | MACs | L2 and L1
static void extended_observations_hold_choices_budget_layer_and_accelerator(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_EXTENDED, 100);
    SlAgents two = {.n_agents = 2};
    two.agent[3] = 1; // a head of its own, the rest is padding
    scene->setup.agents = &two;
    scene->setup.budget = 4 * N_ENVS;
    scene_begin(scene);
    const SlEnvShape *shape = sl_env_shape(scene->env);
    int most = shape->n_heads - 1;
    assert_int_equal(shape->n_observed, 4 + most + 1 + 8 + 1 + 2);
    const float *row = scene->memory.observations;
    for (int i = 0; i < 4 + most; i++) assert_true(row[i] == 0);
    assert_true(row[4 + most] == 1);

    scene_step(scene, NULL);
    const int32_t *actions = scene->memory.actions;
    for (int i = 0; i < shape->n_heads; i++) {
        int place = two.agent[i] == 1 ? shape->n_observed : i - (i > 3);
        float want = shape->n_choices[i] > 1 ? (float)actions[i] / (shape->n_choices[i] - 1) : 0;
        assert_true(fabsf(row[4 + place] - want) < 1e-6);
    }
    const float *second = row + shape->n_observed;
    for (int i = 1; i < most; i++) assert_true(second[4 + i] == 0);
    assert_memory_equal(row, second, 4 * sizeof *row);
    const float *world = second + 4 + most;
    assert_true(world[0] == 0.75f);
    assert_true(world[1 + SL_K] == 6.0f / 16 && world[1 + SL_N] == 0);
    assert_true(fabs(world[9] - log2(168) / 20) < 1e-6);
    assert_true(fabs(world[10] - log2(108000) / 32) < 1e-6 && world[11] == 9.0f / 32);
    world_free(&scene->world);
}

static void threads_change_nothing(void **state) {
    Scene *one = *state;
    Scene *two = one + 1;
    SlPool *pool = sl_pool_make(2);
    assert_non_null(pool);
    for (int mode = 0; mode < 2; mode++) {
        Scene *scenes[2] = {one, two};
        for (int i = 0; i < 2; i++) {
            scene_make(scenes[i], SL_REWARD_RANK, SL_OBSERVE_EXTENDED, 5);
            scenes[i]->setup.task.illegal = (SlIllegal)mode;
            scene_begin(scenes[i]);
        }
        for (int step = 0; step < 12; step++) {
            scene_step(one, NULL);
            scene_step(two, pool);
            assert_memory_equal(&one->memory, &two->memory, sizeof one->memory);
        }
        assert_memory_equal(sl_env_best(one->env), sl_env_best(two->env), sizeof(SlBest));
        assert_int_equal(sl_env_samples(two->env), 12 * N_ENVS);
        world_free(&one->world);
        world_free(&two->world);
    }
    sl_pool_free(pool);
}

// a goal without floor takes the first legal outcome as its reference
static void without_a_floor_logs_are_relative_to_the_first_outcome(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_PAPER, 1);
    scene->setup.task.goal = world_goal("area");
    scene_begin(scene);
    scene->buffers.outcomes = NULL; // not wanted
    scene_step(scene, NULL);
    assert_true(scene->memory.rewards[0] == 0);
    world_free(&scene->world);
}

static void actions_out_of_range_count_as_the_nearest(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_EXTENDED, 9);
    scene->setup.n_envs = 2;
    scene_begin(scene);
    const SlEnvShape *shape = sl_env_shape(scene->env);
    for (int i = 0; i < shape->n_heads; i++) {
        scene->memory.actions[i] = i % 2 ? INT32_MAX : INT32_MIN;
        scene->memory.actions[shape->n_heads + i] = i % 2 ? shape->n_choices[i] - 1 : 0;
    }
    sl_env_step(scene->env, NULL, &scene->buffers);
    assert_true(scene->memory.outcomes[0].value == scene->memory.outcomes[1].value);
    size_t row = (size_t)shape->n_agents * (size_t)shape->n_observed;
    assert_memory_equal(scene->memory.observations, scene->memory.observations + row,
                        row * sizeof(float));
    world_free(&scene->world);
}

static void without_memory_there_is_no_environment(void **state) {
    Scene *scene = *state;
    scene_make(scene, SL_REWARD_LOG, SL_OBSERVE_PAPER, 1);
    scene->setup.n_envs = 3;
    int failed = 0;
    for (size_t limit = 64;; limit *= 2, failed++) {
        SlArena arena;
        sl_arena_init(&arena, limit);
        SlEnv *env = sl_mapping_env_make(&scene->setup, &arena);
        sl_arena_free(&arena);
        if (env) break;
    }
    assert_true(failed > 5);
    world_free(&scene->world);
}

int main(void) {
    static Scene scenes[2]; // buffers of the caller are large
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(shapes_follow_from_space_and_agents, scenes),
        cmocka_unit_test_prestate(agents_share_the_reward_and_samples_add_up, scenes),
        cmocka_unit_test_prestate(outcomes_are_those_of_a_task, scenes),
        cmocka_unit_test_prestate(rank_rewards_rank_among_the_environments_of_a_step, scenes),
        cmocka_unit_test_prestate(episodes_end_after_their_steps_and_begin_with_zeros, scenes),
        cmocka_unit_test_prestate(extended_observations_hold_choices_budget_layer_and_accelerator,
                                  scenes),
        cmocka_unit_test_prestate(threads_change_nothing, scenes),
        cmocka_unit_test_prestate(without_a_floor_logs_are_relative_to_the_first_outcome, scenes),
        cmocka_unit_test_prestate(actions_out_of_range_count_as_the_nearest, scenes),
        cmocka_unit_test_prestate(without_memory_there_is_no_environment, scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
