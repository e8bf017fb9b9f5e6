// engine.c - worlds stepped by their agents, transitions kept, rounds of learning now and then.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_inside.h"

enum { ACTIONS = SL_PARTICLE_ACTIONS, RECENT = 100 };

// ---- acting ----

// Buffers for acting: all (n, ...) of one agent.
typedef struct {
    int n; // envs
    SlReal *seen, *a1, *a2, *logits, *u;
} Acting;

static void choose(const SlNets *nets, const SlLearner *learner, const Acting *acting) {
    const SlMlpShape *shape = &nets->actor;
    const SlReal *at = learner->actor, *x = acting->seen;
    SlReal *to[3] = {acting->a1, acting->a2, acting->logits};
    for (int l = 0; l < 3; l++) {
        size_t in = (size_t)shape->width[l], out = (size_t)shape->width[l + 1];
        sl_dense_forward(&(SlDense){.rows = acting->n,
                                    .in = (int)in,
                                    .out = (int)out,
                                    .x = x,
                                    .x_row = in,
                                    .w = at,
                                    .bias = at + in * out,
                                    .y = to[l],
                                    .y_row = out,
                                    .relu = l < 2});
        at += in * out + out;
        x = to[l];
    }
}

// the observations of one agent in every env
static void look(const SlParticleShape *shape, const float *observations, int agent, SlReal *seen) {
    size_t n = (size_t)shape->n_observed, row = n * (size_t)shape->n_agents;
    for (int e = 0; e < shape->n_envs; e++) {
        const float *from = observations + (size_t)e * row + (size_t)agent * n;
        for (size_t o = 0; o < n; o++) seen[(size_t)e * n + o] = (SlReal)from[o];
    }
}

static void greedy(int n, const SlReal *logits, SlReal *p) {
    for (int e = 0; e < n; e++) {
        int best = 0;
        for (int a = 1; a < ACTIONS; a++)
            if (logits[e * ACTIONS + a] > logits[e * ACTIONS + best]) best = a;
        for (int a = 0; a < ACTIONS; a++) p[e * ACTIONS + a] = a == best;
    }
}

// actions of all agents in all envs, by how their team acts; acting->u has twice the size of the
// noise
static void act(const SlNets *nets, const SlLearner *learners, const SlParticleShape *shape,
                const float *observations, const SlActing *teams, SlNoise *noise,
                const Acting *acting, float *actions) {
    size_t n = (size_t)shape->n_envs * ACTIONS, row = (size_t)shape->n_agents * ACTIONS;
    SlReal *p = acting->u + n;
    for (int i = 0; i < shape->n_agents; i++) {
        const SlActing how = teams[i >= shape->n_team];
        if (how == SL_ACT_RANDOM) {
            memset(acting->logits, 0, n * sizeof *acting->logits);
        } else {
            look(shape, observations, i, acting->seen);
            choose(nets, &learners[i], acting);
        }
        if (how == SL_ACT_GREEDY) {
            greedy(shape->n_envs, acting->logits, p);
        } else {
            sl_noise_uniform(noise, n, acting->u);
            sl_gumbel_softmax(shape->n_envs, ACTIONS, acting->logits, acting->u, p, ACTIONS);
        }
        for (int e = 0; e < shape->n_envs; e++)
            for (int a = 0; a < ACTIONS; a++)
                actions[(size_t)e * row + (size_t)(i * ACTIONS + a)] = (float)p[e * ACTIONS + a];
    }
}

static void act_all(SlEngine *engine, SlActing how) {
    Acting acting = {engine->shape.n_envs, engine->seen,   engine->a1,
                     engine->a2,           engine->logits, engine->u};
    const SlActing teams[SL_ENGINE_TEAMS] = {how, how};
    act(&engine->nets, engine->learners, &engine->shape, engine->observations, teams, &engine->act,
        &acting, engine->actions);
}

// ---- steps ----

static void remember(SlEngine *engine, int env) {
    const SlParticleShape *shape = &engine->shape;
    size_t agents = (size_t)env * (size_t)shape->n_agents;
    size_t observed = agents * (size_t)shape->n_observed;
    size_t state = (size_t)env * (size_t)shape->n_state;
    float *told = engine->rewards + agents;
    if (engine->shaping) {
        told = engine->shaping + agents;
        for (int i = 0; i < shape->n_agents; i++) told[i] += engine->rewards[agents + (size_t)i];
    }
    // the end of time is no end of the world
    SlTransition transition = {.observations = engine->observations + observed,
                               .next_observations = engine->next_observations + observed,
                               .state = engine->state + state,
                               .next_state = engine->next_state + state,
                               .actions = engine->actions + agents * ACTIONS,
                               .rewards = told};
    sl_replay_add(engine->replay, &transition);
}

// ---- returns ----

int sl_engine_teams(const SlEngine *engine) {
    return engine->shape.n_agents > engine->shape.n_team ? 2 : 1;
}

// the agents of a team
static void find_team(const SlParticleShape *shape, int team, int *first, int *last) {
    *first = team == 0 ? 0 : shape->n_team;
    *last = team == 0 ? shape->n_team : shape->n_agents;
}

int sl_engine_members(const SlEngine *engine, int team) {
    int first, last;
    find_team(&engine->shape, team, &first, &last);
    return last - first;
}

// what a team got in one step, from the rewards of all agents of a world; mean over its members
static double team_reward(const SlParticleShape *shape, int team, const float *rewards) {
    int first, last;
    double sum = 0;
    find_team(shape, team, &first, &last);
    for (int i = first; i < last; i++) sum += rewards[i];
    return sum / (last - first);
}

static double mean_recent(const SlEngine *engine, int team) {
    int64_t n = engine->so_far.episodes, first = n > RECENT ? n - RECENT : 0;
    double sum = 0;
    for (int64_t i = first; i < n; i++) sum += engine->returns[team][i];
    return n > 0 ? sum / (double)(n - first) : NAN;
}

static bool more_returns(SlEngine *engine) {
    int64_t acting = 2 * engine->so_far.episodes + 1024;
    for (int t = 0; t < sl_engine_teams(engine); t++) {
        float *more = realloc(engine->returns[t], (size_t)acting * sizeof *more);
        if (!more) return false;
        engine->returns[t] = more;
    }
    engine->room_returns = acting;
    return true;
}

// an episode of one env is over
static bool note_return(SlEngine *engine, int env) {
    int64_t n = engine->so_far.episodes;
    int teams = sl_engine_teams(engine);
    if (n == engine->room_returns && !more_returns(engine)) return false;
    for (int t = 0; t < teams; t++)
        engine->returns[t][n] = (float)engine->running[t * engine->shape.n_envs + env];
    engine->so_far.episodes++;
    for (int t = 0; t < teams; t++) engine->so_far.recent[t] = mean_recent(engine, t);
    return true;
}

// rewards of a step, and new worlds where an episode ended
static bool close_episodes(SlEngine *engine, bool noted) {
    const SlParticleShape *shape = &engine->shape;
    SlParticleBuffers buffers = {.observations = engine->observations, .state = engine->state};
    int teams = sl_engine_teams(engine);
    for (int e = 0; e < shape->n_envs; e++) {
        const float *rewards = engine->rewards + (size_t)e * (size_t)shape->n_agents;
        for (int t = 0; t < teams; t++)
            engine->running[t * shape->n_envs + e] += team_reward(shape, t, rewards);
        if (!engine->ended[e]) continue;
        if (noted && !note_return(engine, e)) return false;
        for (int t = 0; t < teams; t++) engine->running[t * shape->n_envs + e] = 0;
        sl_particles_restart(engine->world, e, &buffers);
    }
    return true;
}

static void swap(float **a, float **b) {
    float *c = *a;
    *a = *b;
    *b = c;
}

// one step of every env; false without memory
static bool step(SlEngine *engine, SlPool *pool, SlActing how, bool noted) {
    double begun = sl_clock_seconds();
    act_all(engine, how);
    sl_engine_spend(engine, SL_PHASE_ACT, &begun);
    SlParticleBuffers buffers = {.actions = engine->actions,
                                 .observations = engine->next_observations,
                                 .state = engine->next_state,
                                 .rewards = engine->rewards,
                                 .shaping = engine->shaping,
                                 .ended = engine->ended};
    sl_particles_step(engine->world, pool, &buffers);
    sl_engine_spend(engine, SL_PHASE_ENV, &begun);
    for (int e = 0; e < engine->shape.n_envs; e++) remember(engine, e);
    swap(&engine->observations, &engine->next_observations);
    swap(&engine->state, &engine->next_state);
    bool good = close_episodes(engine, noted);
    if (noted) engine->so_far.steps += engine->shape.n_envs;
    sl_engine_spend(engine, SL_PHASE_REST, &begun);
    return good;
}

// does this many steps hold a moment to learn or to report?
static bool passes(int64_t before, int64_t after, int64_t every) {
    return before / every != after / every;
}

void sl_engine_run(SlEngine *engine, int64_t episodes, SlPool *pool, SlEngineWatch *watch,
                   void *context) {
    const SlEngineSetup *setup = &engine->setup;
    int workers = pool ? sl_pool_threads(pool) : 1;
    if (!sl_agent_work_widen(&engine->nets, workers, &engine->arena, &engine->work)) pool = NULL;
    while (engine->so_far.episodes < episodes) {
        int64_t before = engine->so_far.steps;
        if (!step(engine, pool, SL_ACT_NOISY, true)) return;
        if (!passes(before, engine->so_far.steps, setup->update_every)) continue;
        if (sl_replay_n(engine->replay) >= setup->warm) sl_engine_round(engine, pool);
        if (watch && watch(context, engine)) return;
    }
}

void sl_engine_fill(SlEngine *engine, int64_t n) {
    int64_t most = engine->setup.capacity < n ? engine->setup.capacity : n;
    while (sl_replay_n(engine->replay) < most) step(engine, NULL, SL_ACT_RANDOM, false);
}

// ---- what came of it ----

void sl_engine_state(const SlEngine *engine, SlEngineState *state) {
    *state = engine->so_far;
}

const float *sl_engine_returns(const SlEngine *engine, int team) {
    return engine->returns[team];
}

size_t sl_engine_weights(const SlEngine *engine, const SlReal **weights) {
    *weights = engine->weights;
    return engine->n_weights;
}

// Worlds of their own to try the actors in.
typedef struct {
    SlParticles *world;
    SlParticleShape shape;
    float *observations, *actions, *rewards;
    Acting acting;
} Trial;

static bool make_trial(const SlEngine *engine, int episodes, SlArena *arena, Trial *trial) {
    SlParticleSetup setup = engine->setup.world;
    setup.n_envs = episodes;
    trial->world = sl_particles_make(&setup, arena);
    if (!trial->world) return false;
    trial->shape = *sl_particles_shape(trial->world);
    size_t n = (size_t)episodes, agents = n * (size_t)trial->shape.n_agents;
    size_t hidden = (size_t)engine->nets.hidden;
    trial->observations = SL_NEW(arena, agents * (size_t)trial->shape.n_observed, float);
    trial->actions = SL_NEW(arena, agents * ACTIONS, float);
    trial->rewards = SL_NEW(arena, agents, float);
    trial->acting = (Acting){.n = episodes,
                             .seen = SL_NEW(arena, n * (size_t)trial->shape.n_observed, SlReal),
                             .a1 = SL_NEW(arena, n * hidden, SlReal),
                             .a2 = SL_NEW(arena, n * hidden, SlReal),
                             .logits = SL_NEW(arena, n * ACTIONS, SlReal),
                             .u = SL_NEW(arena, 2 * n * ACTIONS, SlReal)};
    const Acting *acting = &trial->acting;
    return trial->observations && trial->actions && trial->rewards && acting->seen && acting->a1 &&
           acting->a2 && acting->logits && acting->u;
}

// what a step gave to a team, in every world
static void add_rewards(const Trial *trial, int team, double *returns) {
    int first, last;
    find_team(&trial->shape, team, &first, &last);
    for (int e = 0; e < trial->acting.n; e++) {
        const float *rewards = trial->rewards + (size_t)e * (size_t)trial->shape.n_agents;
        for (int i = first; i < last; i++) returns[e] += (double)rewards[i] / (last - first);
    }
}

// returns (n_teams, episodes)
static void play(const SlEngine *engine, Trial *trial, const SlMatch *match, double *returns) {
    SlNoise noise;
    sl_noise_init(&noise, match->seed, "engine trial");
    SlParticleBuffers buffers = {
        .actions = trial->actions, .observations = trial->observations, .rewards = trial->rewards};
    sl_particles_reset(trial->world, match->seed, &buffers);
    const SlParticleShape *shape = &trial->shape;
    for (int t = 0; t < engine->setup.world.episode_steps; t++) {
        act(&engine->nets, engine->learners, shape, trial->observations, match->acting, &noise,
            &trial->acting, trial->actions);
        sl_particles_step(trial->world, NULL, &buffers);
        for (int team = 0; team < sl_engine_teams(engine); team++)
            add_rewards(trial, team, returns + (ptrdiff_t)team * trial->acting.n);
    }
}

void sl_engine_play(const SlEngine *engine, const SlMatch *match,
                    SlReturn returns[SL_ENGINE_TEAMS]) {
    SlArena arena;
    Trial trial;
    const int n = match->episodes, teams = sl_engine_teams(engine);
    for (int t = 0; t < SL_ENGINE_TEAMS; t++) returns[t] = (SlReturn){NAN, NAN};
    sl_arena_init(&arena, 0);
    double *each = SL_NEW(&arena, teams * n, double);
    if (each && make_trial(engine, n, &arena, &trial)) {
        play(engine, &trial, match, each);
        for (int t = 0; t < teams; t++)
            returns[t] = (SlReturn){.mean = sl_mean(n, each + t * n),
                                    .error = sqrt(sl_variance(n, each + t * n) / n)};
    }
    sl_arena_free(&arena);
}

SlReturn sl_engine_evaluate(const SlEngine *engine, SlActing acting, int episodes, uint64_t seed) {
    SlReturn returns[SL_ENGINE_TEAMS];
    sl_engine_play(engine,
                   &(SlMatch){.acting = {acting, acting}, .episodes = episodes, .seed = seed},
                   returns);
    return returns[0];
}
