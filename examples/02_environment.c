// 02_environment.c - mapping a layer as a multi-agent environment, with agents that act at random.
//
// Example 01 took one mapping per layer. Here every parameter of a mapping has an agent, 64 copies
// of the environment advance together on all cores, and the environment counts samples and keeps
// the best. Put a policy in the place of the random numbers and it learns.
#include <stdio.h>

#include "starling/task/env.h"

enum { N_ENVS = 64, N_STEPS = 100, MAX_OBSERVED = 4 };

int main(void) {
    static int32_t actions[N_ENVS * SL_MAX_PARAMS];
    static float observations[N_ENVS * SL_MAX_PARAMS * MAX_OBSERVED];
    static float rewards[N_ENVS * SL_MAX_PARAMS];
    static uint8_t dones[N_ENVS];
    SlArena arena;
    SlError err;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlGoal goal;
    sl_arena_init(&arena, 0);

    // the world: a layer, an accelerator, the space of its mappings, and what is to be made small
    SlStatus status = sl_layer_parse("conv:K=64,C=64,P=56,Q=56,R=3,S=3", &layer, &err);
    if (status == SL_OK) status = sl_accel_find("eyeriss", &arena, &accel, &err);
    if (status == SL_OK)
        status = sl_space_make(&layer, &accel, &(SlSpaceOptions){0}, &arena, &space, &err);
    if (status == SL_OK) status = sl_goal_parse("edp", &goal, &err);
    if (status != SL_OK) return fprintf(stderr, "%s\n", err.text), 1;
    SlAgents agents;
    sl_agents_each(&space, &agents);
    SlMappingEnvSetup setup = {.task = {.space = &space, .goal = goal},
                               .agents = &agents,
                               .n_envs = N_ENVS,
                               .episode_steps = 10};
    SlEnv *env = sl_mapping_env_make(&setup, &arena);
    SlPool *pool = sl_pool_make(0);
    if (!env || !pool) return 1;

    // all buffers are ours; a step reads the actions and fills the rest
    SlEnvBuffers buffers = {actions, observations, rewards, dones, NULL};
    SlRng rng;
    sl_rng_init(&rng, 1, "actions");
    sl_env_reset(env, 1, &buffers);
    for (int step = 0; step < N_STEPS; step++) {
        for (int e = 0; e < N_ENVS; e++)
            sl_space_sample(&space, &rng, actions + e * sl_env_shape(env)->n_heads);
        sl_env_step(env, pool, &buffers);
    }
    char nest[SL_NEST_TEXT_MAX];
    const SlBest *best = sl_env_best(env);
    printf("%d agents, %ld samples; best at %ld: %.4g %s\n%s\n", agents.n_agents,
           (long)sl_env_samples(env), (long)best->sample, best->outcome.value, sl_goal_unit(&goal),
           sl_mapping_write(&best->mapping, sizeof nest, nest));
    sl_pool_free(pool);
    sl_arena_free(&arena);
    return 0;
}
