// engine_make.c - the memory of the training engine and its first weights.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_inside.h"
#include "engine_size.h"

// ---- networks ----

static SlMlpShape three_layers(int in, int hidden, int out) {
    return (SlMlpShape){.n_layers = 3, .width = {in, hidden, hidden, out}, .activation = SL_RELU};
}

static bool make_nets(SlEngine *engine) {
    const SlEngineSetup *setup = &engine->setup;
    const SlParticleShape *shape = &engine->shape;
    SlNets *nets = &engine->nets;
    int n = shape->n_agents, inputs = n * (shape->n_observed + SL_PARTICLE_ACTIONS);
    int hidden = (int)setup->hidden;
    bool folded = sl_engine_is_folded(setup), soft = setup->algo == SL_MASAC;
    *nets = (SlNets){.algo = (SlAlgo)setup->algo,
                     .folded = folded,
                     .n_agents = n,
                     .n_observed = shape->n_observed,
                     .n_state = shape->n_state,
                     .n_critics = soft ? 2 : 1,
                     .n_seen = folded ? shape->n_state : n * shape->n_observed,
                     .hidden = hidden,
                     .actor = three_layers(shape->n_observed, hidden, SL_PARTICLE_ACTIONS),
                     .critic = three_layers(inputs, hidden, 1),
                     .gamma = setup->gamma,
                     .tau = setup->tau,
                     .regulariser = setup->regulariser,
                     .entropy = setup->entropy,
                     .train = {.rate = setup->rate,
                               .beta1 = 0.9,
                               .beta2 = 0.999,
                               .epsilon = soft ? 1e-7 : 1e-8,
                               .most = setup->clip,
                               .form = SL_ADAM_TF1}};
    nets->n_first = nets->n_seen + n * SL_PARTICLE_ACTIONS;
    nets->actor_params = sl_mlp_params(&nets->actor);
    nets->critic_params = sl_mlp_params(&nets->critic);
    nets->map = SL_NEW(&engine->arena, n * shape->n_observed, SlObserved);
    if (nets->map) sl_particle_map(setup->world.world, shape, nets->map);
    return nets->map != NULL;
}

// numbers of one agent's networks; its Adam has as many
static size_t weights_of_one(const SlNets *nets) {
    return 2 * nets->actor_params + 2 * nets->critic_params * (size_t)nets->n_critics;
}

// Networks must fit into the machine: systems that promise more memory than there is would end the
// process while weights are drawn.
static SlStatus check_memory(const SlEngine *engine, SlError *err) {
    const SlEngineSetup *setup = &engine->setup;
    const double each = 2. * (double)weights_of_one(&engine->nets) * sizeof(SlReal);
    const double all = each * engine->nets.n_agents;
    const double held = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!(held > 0) || all < held) return SL_OK;
    return sl_fail(err, SL_ENOMEM,
                   "the networks of %d agents with %lld hidden units take %.1f GB, and this "
                   "machine has %.1f GB: expected fewer agents or hidden units",
                   engine->nets.n_agents, (long long)setup->hidden, all / 1e9, held / 1e9);
}

static SlReal *take(SlReal **at, size_t n) {
    SlReal *piece = *at;
    *at += n;
    return piece;
}

// every network a piece of one block
static bool make_learners(SlEngine *engine) {
    const SlNets *nets = &engine->nets;
    size_t actor = nets->actor_params, critic = nets->critic_params;
    engine->n_weights = engine->n_moments = weights_of_one(nets) * (size_t)nets->n_agents;
    engine->learners = SL_NEW(&engine->arena, nets->n_agents, SlLearner);
    engine->weights = SL_NEW(&engine->arena, engine->n_weights, SlReal);
    engine->moments = SL_NEW(&engine->arena, engine->n_moments, SlReal);
    if (!engine->learners || !engine->weights || !engine->moments) return false;
    SlReal *weights = engine->weights, *moments = engine->moments;
    for (int i = 0; i < nets->n_agents; i++) {
        SlLearner *learner = &engine->learners[i];
        learner->actor = take(&weights, actor);
        learner->target_actor = take(&weights, actor);
        learner->actor_mean = take(&moments, actor);
        learner->actor_square = take(&moments, actor);
        for (int c = 0; c < nets->n_critics; c++) {
            learner->critic[c] = take(&weights, critic);
            learner->target_critic[c] = take(&weights, critic);
            learner->critic_mean[c] = take(&moments, critic);
            learner->critic_square[c] = take(&moments, critic);
        }
    }
    return true;
}

// MADDPG's targets begin with weights of their own, MASAC's as copies
static void start_target(const SlNets *nets, const SlMlpShape *shape, SlRng *rng,
                         const SlReal *params, SlReal *target) {
    if (nets->algo == SL_MADDPG)
        sl_mlp_init_uniform(shape, rng, target);
    else
        memcpy(target, params, sl_mlp_params(shape) * sizeof *params);
}

static void start_learners(SlEngine *engine) {
    const SlNets *nets = &engine->nets;
    SlRng rng;
    sl_rng_init(&rng, (uint64_t)engine->setup.seed, "engine weights");
    for (int i = 0; i < nets->n_agents; i++) {
        SlLearner *learner = &engine->learners[i];
        sl_mlp_init_uniform(&nets->actor, &rng, learner->actor);
        start_target(nets, &nets->actor, &rng, learner->actor, learner->target_actor);
        for (int c = 0; c < nets->n_critics; c++) {
            sl_mlp_init_uniform(&nets->critic, &rng, learner->critic[c]);
            start_target(nets, &nets->critic, &rng, learner->critic[c], learner->target_critic[c]);
        }
    }
}

// ---- memory of steps and rounds ----

static bool make_steps(SlEngine *engine) {
    SlArena *arena = &engine->arena;
    const SlParticleShape *shape = &engine->shape;
    size_t envs = (size_t)shape->n_envs, agents = envs * (size_t)shape->n_agents;
    size_t observed = agents * (size_t)shape->n_observed, hidden = (size_t)engine->setup.hidden;
    engine->observations = SL_NEW(arena, observed, float);
    engine->next_observations = SL_NEW(arena, observed, float);
    engine->state = SL_NEW(arena, envs * (size_t)shape->n_state, float);
    engine->next_state = SL_NEW(arena, envs * (size_t)shape->n_state, float);
    engine->actions = SL_NEW(arena, agents * SL_PARTICLE_ACTIONS, float);
    engine->rewards = SL_NEW(arena, agents, float);
    const bool shaped = engine->setup.world.shaping != 0;
    engine->shaping = shaped ? SL_NEW(arena, agents, float) : NULL;
    engine->ended = SL_NEW(arena, envs, uint8_t);
    engine->running = SL_NEW(arena, envs * (size_t)sl_engine_teams(engine), double);
    engine->seen = SL_NEW(arena, envs * (size_t)shape->n_observed, SlReal);
    engine->a1 = SL_NEW(arena, envs * hidden, SlReal);
    engine->a2 = SL_NEW(arena, envs * hidden, SlReal);
    engine->logits = SL_NEW(arena, envs * SL_PARTICLE_ACTIONS, SlReal);
    engine->u = SL_NEW(arena, 2 * envs * SL_PARTICLE_ACTIONS, SlReal);
    return engine->observations && engine->next_observations && engine->state &&
           engine->next_state && engine->actions && engine->rewards && engine->ended &&
           (engine->shaping || !shaped) && engine->running && engine->seen && engine->a1 &&
           engine->a2 && engine->logits && engine->u;
}

static bool make_round(SlEngine *engine) {
    SlArena *arena = &engine->arena;
    const SlNets *nets = &engine->nets;
    size_t rows = (size_t)sl_replay_room(engine->replay, (int)engine->setup.batch);
    size_t actions = rows * SL_PARTICLE_ACTIONS;
    SlAgentBatch *batch = &engine->batch;
    engine->rows = SL_NEW(arena, rows, uint32_t);
    batch->x = SL_NEW(arena, rows * (size_t)nets->n_first, SlReal);
    batch->next = SL_NEW(arena, rows * (size_t)nets->n_first, SlReal);
    batch->rewards = SL_NEW(arena, rows, SlReal);
    batch->ended = SL_NEW(arena, rows, SlReal);
    batch->u_target = engine->u_target = SL_NEW(arena, actions * (size_t)nets->n_agents, SlReal);
    batch->u_policy = engine->u_policy = SL_NEW(arena, actions, SlReal);
    engine->errors = SL_NEW(arena, rows, SlReal);
    return engine->rows && batch->x && batch->next && batch->rewards && batch->ended &&
           batch->u_target && batch->u_policy && engine->errors;
}

// ---- the engine ----

static bool make_world(SlEngine *engine) {
    const SlEngineSetup *setup = &engine->setup;
    engine->world = sl_particles_make(&setup->world, &engine->arena);
    if (!engine->world) return false;
    engine->shape = *sl_particles_shape(engine->world);
    return true;
}

static bool make_replay(SlEngine *engine) {
    SlReplaySetup replay = sl_engine_replay(&engine->setup, &engine->shape);
    replay.map = engine->nets.map;
    engine->row_bytes = sl_replay_row_bytes(&replay);
    engine->replay = sl_replay_make(&replay);
    return engine->replay != NULL;
}

static void start(SlEngine *engine) {
    uint64_t seed = (uint64_t)engine->setup.seed;
    start_learners(engine);
    sl_rng_init(&engine->draws, seed, "engine draws");
    sl_noise_init(&engine->act, seed, "engine acting");
    sl_noise_init(&engine->train, seed, "engine training");
    SlParticleBuffers buffers = {.observations = engine->observations, .state = engine->state};
    sl_particles_reset(engine->world, seed, &buffers);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) engine->so_far.recent[t] = NAN;
}

// everything behind the world and the shapes of the networks
static bool make_rest(SlEngine *engine) {
    const int batch = (int)engine->setup.batch;
    return make_replay(engine) && make_learners(engine) && make_steps(engine) &&
           make_round(engine) &&
           sl_agent_work_make(&engine->nets, sl_replay_room(engine->replay, batch), &engine->arena,
                              &engine->work) &&
           sl_agent_work_widen(&engine->nets, 1, &engine->arena, &engine->work);
}

static SlStatus make_all(SlEngine *engine, SlError *err) {
    const char *none = "no memory for a training engine";
    if (!make_world(engine) || !make_nets(engine)) return sl_fail(err, SL_ENOMEM, "%s", none);
    SlStatus status = check_memory(engine, err);
    if (status != SL_OK || make_rest(engine)) return status;
    return sl_fail(err, SL_ENOMEM, "%s", none);
}

SlStatus sl_engine_make(const SlEngineSetup *setup, SlEngine **engine, SlError *err) {
    const char *reason = sl_engine_check(setup);
    if (reason) return sl_fail(err, SL_EINPUT, "%s", reason);
    SlEngine *made = calloc(1, sizeof *made);
    *engine = NULL;
    if (!made) return sl_fail(err, SL_ENOMEM, "no memory for a training engine");
    made->setup = sl_engine_settled(setup);
    sl_arena_init(&made->arena, 0);
    SlStatus status = make_all(made, err);
    if (status != SL_OK) {
        sl_engine_free(made);
        return status;
    }
    start(made);
    *engine = made;
    return SL_OK;
}

const SlEngineSetup *sl_engine_setup(const SlEngine *engine) {
    return &engine->setup;
}

size_t sl_engine_row_bytes(const SlEngine *engine) {
    return engine->row_bytes;
}

void sl_engine_free(SlEngine *engine) {
    if (!engine) return;
    if (engine->replay) sl_replay_free(engine->replay);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) free(engine->returns[t]);
    sl_arena_free(&engine->arena);
    free(engine);
}
