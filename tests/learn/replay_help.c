// replay_help.c - particle worlds that fill replays.
#include "replay_help.h"

#include "learn/replay_inside.h"
#include "support/check.h"

void filler_make(Filler *filler, const SlWorld *world, int n_agents) {
    const SlParticleSetup setup = {
        .world = world, .n_agents = n_agents, .n_envs = 1, .episode_steps = 25};
    sl_arena_init(&filler->arena, 0);
    filler->particles = sl_particles_make(&setup, &filler->arena);
    assert_non_null(filler->particles);
    const SlParticleShape *shape = filler->shape = sl_particles_shape(filler->particles);
    const int n_seen = n_agents * shape->n_observed;
    filler->map = SL_NEW(&filler->arena, n_seen, SlObserved);
    sl_particle_map(world, shape, filler->map);
    for (int i = 0; i < 2; i++) {
        filler->seen[i] = SL_NEW(&filler->arena, n_seen, float);
        filler->states[i] = SL_NEW(&filler->arena, shape->n_state, float);
    }
    filler->actions = SL_NEW(&filler->arena, 5 * n_agents, float);
    filler->rewards = SL_NEW(&filler->arena, n_agents, float);
    sl_rng_init(&filler->rng, 3, "filler");
    SlParticleBuffers buffers = {.observations = filler->seen[1], .state = filler->states[1]};
    sl_particles_reset(filler->particles, 5, &buffers);
}

void filler_free(Filler *filler) {
    sl_arena_free(&filler->arena);
}

SlReplaySetup filler_setup(const Filler *filler, SlReplayLayout layout, SlSampling sampling,
                           int64_t capacity) {
    return (SlReplaySetup){.layout = layout,
                           .sampling = sampling,
                           .neighbors = 3,
                           .capacity = capacity,
                           .n_agents = filler->shape->n_agents,
                           .n_observed = filler->shape->n_observed,
                           .n_state = filler->shape->n_state,
                           .n_fixed = filler->shape->n_fixed,
                           .map = filler->map,
                           .priority_power = 0.6};
}

static void swap(float **pair) {
    float *first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

SlTransition filler_step(Filler *filler, int step) {
    swap(filler->seen);
    swap(filler->states);
    // a new world counts as what came before, so that transitions begin there
    SlParticleBuffers buffers = {.actions = filler->actions,
                                 .observations = filler->seen[0],
                                 .state = filler->states[0],
                                 .rewards = filler->rewards,
                                 .ended = &filler->ended};
    if (filler->ended) sl_particles_restart(filler->particles, 0, &buffers);
    buffers.observations = filler->seen[1];
    buffers.state = filler->states[1];
    for (int i = 0; i < 5 * filler->shape->n_agents; i++)
        filler->actions[i] = (float)sl_rng_uniform(&filler->rng);
    sl_particles_step(filler->particles, NULL, &buffers);
    return (SlTransition){.observations = filler->seen[0],
                          .next_observations = filler->seen[1],
                          .state = filler->states[0],
                          .next_state = filler->states[1],
                          .actions = filler->actions,
                          .rewards = filler->rewards,
                          .ended = step % 7 == 3};
}

SlReplaySetup counted_setup(SlReplayLayout layout, SlSampling sampling, int64_t capacity) {
    // agent 0 sees state 0, 1 - 0, 3 - 0; agent 1 sees state 1, nothing, 0 - state 2
    static const SlObserved map[6] = {{0, -1}, {1, 0}, {3, 0}, {1, -1}, {-1, -1}, {-1, 2}};
    return (SlReplaySetup){.layout = layout,
                           .sampling = sampling,
                           .neighbors = 3,
                           .capacity = capacity,
                           .n_agents = 2,
                           .n_observed = 3,
                           .n_state = 4,
                           .n_fixed = 1,
                           .map = map,
                           .priority_power = 0.6};
}

static void observe(const SlReplaySetup *setup, const float *state, float *seen) {
    for (int i = 0; i < 6; i++) {
        const SlObserved one = setup->map[i];
        seen[i] = (one.plus < 0 ? 0 : state[one.plus]) - (one.minus < 0 ? 0 : state[one.minus]);
    }
}

void counted_add(SlReplay *replay, int64_t from, int64_t n) {
    const SlReplaySetup setup = counted_setup(SL_LAYOUT_STATE, SL_SAMPLE_UNIFORM, 2);
    for (int64_t step = from; step < from + n; step++) {
        const float x = (float)step;
        const float state[4] = {x + 0.25F, 2 * x, -x, 7 * x};
        const float next[4] = {x + 0.5F, 3 * x, 1 - x, 7 * x};
        float seen[6], seen_next[6], actions[10];
        const float rewards[2] = {x, -2 * x};
        observe(&setup, state, seen);
        observe(&setup, next, seen_next);
        for (int i = 0; i < 10; i++) actions[i] = x + (float)i / 16;
        const SlTransition one = {.observations = seen,
                                  .next_observations = seen_next,
                                  .state = state,
                                  .next_state = next,
                                  .actions = actions,
                                  .rewards = rewards,
                                  .ended = step % 5 == 0};
        sl_replay_add(replay, &one);
    }
}

SlReplay *replay_need(const SlReplaySetup *setup) {
    const char *wrong = sl_replay_check(setup);
    if (wrong) fail_msg("%s", wrong);
    SlReplay *replay = sl_replay_make(setup);
    assert_non_null(replay);
    return replay;
}
