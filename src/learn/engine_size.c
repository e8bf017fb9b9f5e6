// engine_size.c - shape, replay and memory of an engine that is not made yet.
#include "engine_size.h"

#include "engine_inside.h"

const char *sl_engine_check_bare(const SlEngineSetup *setup) {
    SlEngineSetup bare = *setup;
    bare.capacity = bare.warm = 2;
    bare.update_every = 1;
    return sl_engine_check(&bare);
}

bool sl_engine_shape(const SlEngineSetup *setup, SlParticleShape *shape) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    const SlParticles *world = sl_particles_make(&setup->world, &arena);
    if (world) *shape = *sl_particles_shape(world);
    sl_arena_free(&arena);
    return world != NULL;
}

SlReplaySetup sl_engine_replay(const SlEngineSetup *setup, const SlParticleShape *shape) {
    return (SlReplaySetup){.layout = (SlReplayLayout)setup->layout,
                           .sampling = (SlSampling)setup->sampling,
                           .neighbors = (int)setup->neighbors,
                           .capacity = setup->capacity,
                           .n_agents = shape->n_agents,
                           .n_observed = shape->n_observed,
                           .n_state = shape->n_state,
                           .n_fixed = shape->n_fixed,
                           .priority_power = 0.6};
}

// weights and biases of a network of two hidden layers
static double params(double in, double hidden, double out) {
    return (in + 1) * hidden + (hidden + 1) * hidden + (hidden + 1) * out;
}

double sl_engine_bytes(const SlEngineSetup *setup, const SlParticleShape *shape) {
    const double agents = shape->n_agents, hidden = (double)setup->hidden;
    const double inputs = agents * (shape->n_observed + SL_PARTICLE_ACTIONS);
    const double critics = setup->algo == SL_MASAC ? 2 : 1;
    const double first =
        sl_engine_is_folded(setup) ? shape->n_state + agents * SL_PARTICLE_ACTIONS : inputs;
    // of every network: weights, target, two moments
    const double nets = 4 * agents *
                        (params(shape->n_observed, hidden, SL_PARTICLE_ACTIONS) +
                         critics * params(inputs, hidden, 1));
    // rows of the batch: seen and done, then; noise; layers of a critic and an actor
    const double batch = (double)setup->batch * (2 * first + agents * SL_PARTICLE_ACTIONS +
                                                 8 * hidden + shape->n_observed);
    const double work = params(inputs, hidden, 1) + 3 * first * hidden;
    return (nets + batch + work) * (double)sizeof(SlReal);
}
