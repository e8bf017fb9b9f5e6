// bench_particles.c - `starling bench particles`: steps per second of particle worlds on one
// thread.
//
// A pass is whole episodes with random actions, new worlds after each; with observations written
// and without, in turn. The best pass counts, and the best number of envs.
#include <math.h>

#include "bench.h"
#include "starling/task/particle.h"

typedef struct {
    CommonOptions common;
    int64_t repeats, seed;
} ParticleOptions;

static const SlOption options_table[] = {
    BENCH_REPEATS(ParticleOptions, "9", BENCH_PASSES),
    BENCH_SEED(ParticleOptions),
    COMMON_OPTIONS,
    {0},
};

enum { STEPS = 25, N_SETS = 5 }; // of an episode; of actions, used in turn
static const int n_agents[] = {3, 6, 12, 24, 48}, n_envs[] = {16, 64, 256};
enum { N_SIZES = sizeof n_agents / sizeof *n_agents, N_ENVS = sizeof n_envs / sizeof *n_envs };

typedef struct {
    const SlWorld *world;
    int n_agents, n_envs;
    double per_second, unseen_per_second; // env steps with observations, without
} ParticleRow;

typedef struct {
    SlParticles *particles;
    const SlParticleShape *shape;
    float *actions; // (N_SETS, n_envs, n_agents, 5)
    SlParticleBuffers buffers;
} Flock;

// choices that sum to 1, as a policy gives them
static void draw_actions(const SlParticleShape *shape, uint64_t seed, float *actions) {
    SlRng rng;
    sl_rng_init(&rng, seed, "bench particles");
    for (int i = 0; i < N_SETS * shape->n_envs * shape->n_agents; i++) {
        double sum = 0, draws[SL_PARTICLE_ACTIONS];
        for (int a = 0; a < SL_PARTICLE_ACTIONS; a++)
            sum += draws[a] = -log(1 - sl_rng_uniform(&rng));
        for (int a = 0; a < SL_PARTICLE_ACTIONS; a++) *actions++ = (float)(draws[a] / sum);
    }
}

static void make_flock(const ParticleRow *row, uint64_t seed, SlArena *arena, Flock *flock) {
    const SlParticleSetup setup = {.world = row->world,
                                   .n_agents = row->n_agents,
                                   .n_envs = row->n_envs,
                                   .episode_steps = STEPS};
    flock->particles = call_need(sl_particles_make(&setup, arena));
    flock->shape = sl_particles_shape(flock->particles);
    const size_t rows = (size_t)row->n_envs * (size_t)row->n_agents;
    flock->actions = call_need(SL_NEW(arena, N_SETS * rows * SL_PARTICLE_ACTIONS, float));
    draw_actions(flock->shape, seed, flock->actions);
    flock->buffers = (SlParticleBuffers){
        .observations = call_need(SL_NEW(arena, rows * (size_t)flock->shape->n_observed, float)),
        .rewards = call_need(SL_NEW(arena, rows, float)),
        .ended = call_need(SL_NEW(arena, row->n_envs, uint8_t)),
    };
}

// env steps per second of some episodes
static double time_episodes(const Flock *flock, int n_episodes, bool observed) {
    const SlParticleShape *shape = flock->shape;
    const size_t set = (size_t)(shape->n_envs * shape->n_agents) * SL_PARTICLE_ACTIONS;
    SlParticleBuffers buffers = flock->buffers;
    if (!observed) buffers.observations = NULL;
    double begun = sl_clock_seconds();
    for (int step = 0; step < n_episodes * STEPS; step++) {
        buffers.actions = flock->actions + (size_t)(step % N_SETS) * set;
        sl_particles_step(flock->particles, NULL, &buffers);
        for (int e = 0; e < shape->n_envs; e++)
            if (buffers.ended[e]) sl_particles_restart(flock->particles, e, &buffers);
    }
    return (double)n_episodes * STEPS * shape->n_envs / (sl_clock_seconds() - begun);
}

static void measure(ParticleRow *row, uint64_t seed, int64_t repeats) {
    SlArena arena;
    Flock flock;
    sl_arena_init(&arena, 0);
    make_flock(row, seed, &arena, &flock);
    // about as much work in every pass
    const int pairs = row->n_agents * row->n_agents;
    const int n_episodes = 1 + 400000 / (pairs * row->n_envs * STEPS);
    sl_particles_reset(flock.particles, seed, &flock.buffers);
    for (int64_t i = 0; i < repeats; i++) {
        row->per_second = fmax(row->per_second, time_episodes(&flock, n_episodes, true));
        row->unseen_per_second =
            fmax(row->unseen_per_second, time_episodes(&flock, n_episodes, false));
    }
    sl_arena_free(&arena);
}

// with the best number of envs
static ParticleRow measure_best(const SlWorld *world, int agents, const ParticleOptions *options) {
    ParticleRow best = {.world = world};
    for (int i = 0; i < N_ENVS; i++) {
        ParticleRow row = {.world = world, .n_agents = agents, .n_envs = n_envs[i]};
        if (agents > 12 && row.n_envs > 64) continue; // too large for the caches
        measure(&row, (uint64_t)options->seed, options->repeats);
        if (row.per_second > best.per_second) best = row;
    }
    return best;
}

static void add_row(const ParticleRow *row, SlDoc *doc) {
    double unseen = row->unseen_per_second;
    sl_doc_row(doc);
    sl_doc_string(doc, "env", "env", row->world->name);
    bench_fixed(doc, "agents", "agents", 0, row->n_agents);
    bench_fixed(doc, "envs", "envs", 0, row->n_envs);
    sl_doc_number(doc, "steps_per_second", "steps/s", SL_UNIT_RATE, row->per_second);
    sl_doc_number(doc, NULL, "agent steps/s", SL_UNIT_RATE, row->per_second * row->n_agents);
    sl_doc_number(doc, "steps_per_second_without_observations", "without observations",
                  SL_UNIT_RATE, unseen);
    // share of the time that goes into observations
    sl_doc_number(doc, "observation_share", "observations", SL_UNIT_SHARE,
                  fmax(0, 1 - row->per_second / unseen));
}

static int run(Call *call) {
    const ParticleOptions *options = call->options;
    SlDoc *doc = bench_doc(call);
    sl_doc_title(doc,
                 "Env steps per second on one thread, openai rules, own scripts, new worlds every "
                 "%d steps",
                 STEPS);
    bench_options(call, "seed repeats", doc);
    sl_doc_rows(doc, "rows", NULL);
    for (int w = 0; sl_worlds[w]; w++) {
        for (int i = 0; i < N_SIZES; i++) {
            ParticleRow row = measure_best(sl_worlds[w], n_agents[i], options);
            add_row(&row, doc);
        }
    }
    sl_doc_close(doc);
    return bench_deliver(call, doc);
}

BENCH_ROW(
    particles, ParticleOptions, "", "steps per second of the particle environments",
    "Measures environment steps per second of every environment on one thread, for 3 to 48 agents.",
    "starling bench particles\nstarling bench particles --json");
