// bench_particles.c - `starling bench particles`: steps per second of particle worlds on one
// thread.
//
// A pass is whole episodes with random actions, new worlds after each; with observations written
// and without, in turn. The best pass counts, and the best number of envs.
#include <jansson.h>
#include <math.h>

#include "bench.h"
#include "starling/task/particle.h"
#include "text_table.h"

enum { STEPS = 25, N_SETS = 5, PARTICLE_REPEATS = 9 }; // of an episode; of actions, used in turn
static const int n_agents[] = {3, 6, 12, 24, 48}, n_envs[] = {16, 64, 256};
enum { N_SIZES = sizeof n_agents / sizeof *n_agents, N_ENVS = sizeof n_envs / sizeof *n_envs };
typedef struct {
    const SlWorld *world;
    int n_agents, n_envs;
    double per_second, unseen_per_second; // env steps with observations, without
} ParticleRow;

// All that is measured: every world with every number of agents.
typedef struct {
    int n;
    ParticleRow *rows;
} ParticleTable;

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
    flock->particles = command_need(sl_particles_make(&setup, arena));
    flock->shape = sl_particles_shape(flock->particles);
    const size_t rows = (size_t)row->n_envs * (size_t)row->n_agents;
    flock->actions = command_need(SL_NEW(arena, N_SETS * rows * SL_PARTICLE_ACTIONS, float));
    draw_actions(flock->shape, seed, flock->actions);
    flock->buffers = (SlParticleBuffers){
        .observations = command_need(SL_NEW(arena, rows * (size_t)flock->shape->n_observed, float)),
        .rewards = command_need(SL_NEW(arena, rows, float)),
        .ended = command_need(SL_NEW(arena, row->n_envs, uint8_t)),
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

static void measure_best(const SlWorld *world, int agents, uint64_t seed, int64_t repeats,
                         ParticleRow *best) {
    *best = (ParticleRow){0};
    for (int i = 0; i < N_ENVS; i++) {
        ParticleRow row = {.world = world, .n_agents = agents, .n_envs = n_envs[i]};
        if (agents > 12 && row.n_envs > 64) continue; // too large for the caches
        measure(&row, seed, repeats);
        if (row.per_second > best->per_second) *best = row;
    }
}

// share of the time that goes into observations
static double seen_share(const ParticleRow *row) {
    return fmax(0, 1 - row->per_second / row->unseen_per_second);
}

static void show_rows(const ParticleTable *measured, SlArena *arena, SlText *out) {
    TextTable table;
    char text[32];
    sl_text_add(
        out,
        "Env steps per second on one thread, openai rules, own scripts, new worlds every %d "
        "steps\n\n",
        STEPS);
    table_init(&table, arena,
               "<env|agents|envs|steps/s|agent steps/s|without observations|observations");
    for (int i = 0; i < measured->n; i++) {
        const ParticleRow *row = &measured->rows[i];
        table_row(&table);
        table_cell(&table, "%s", row->world->name);
        table_cell(&table, "%d", row->n_agents);
        table_cell(&table, "%d", row->n_envs);
        table_cell(&table, "%s", sl_show_count(round(row->per_second), text));
        table_cell(&table, "%s", sl_show_count(round(row->per_second * row->n_agents), text));
        table_cell(&table, "%s", sl_show_count(round(row->unseen_per_second), text));
        table_cell(&table, "%.0f %%", 100 * seen_share(row));
    }
    table_draw(&table, out);
}

static json_t *rows_json(const BenchOptions *options, const ParticleTable *measured) {
    json_t *document = command_need(sl_json_document("bench-particles", 1));
    json_t *items = command_need(json_array());
    for (int i = 0; i < measured->n; i++) {
        const ParticleRow *row = &measured->rows[i];
        json_t *to = command_need(json_object());
        json_put_text(to, "env", row->world->name);
        json_put_number(to, "agents", row->n_agents);
        json_put_number(to, "envs", row->n_envs);
        json_put_number(to, "steps_per_second", row->per_second);
        json_put_number(to, "steps_per_second_without_observations", row->unseen_per_second);
        json_put_number(to, "observation_share", seen_share(row));
        json_add(items, to);
    }
    json_put(document, "seed", json_integer(options->seed));
    json_put(document, "repeats", json_integer(options->repeats));
    json_put(document, "rows", items);
    return document;
}

static void measure_all(const BenchOptions *options, SlArena *arena, ParticleTable *table) {
    int n_worlds = 0;
    while (sl_worlds[n_worlds]) n_worlds++;
    table->n = n_worlds * N_SIZES;
    table->rows = command_need(SL_NEW(arena, table->n, ParticleRow));
    for (int i = 0; i < table->n; i++)
        measure_best(sl_worlds[i / N_SIZES], n_agents[i % N_SIZES], (uint64_t)options->seed,
                     options->repeats, &table->rows[i]);
}

int bench_particles(const BenchOptions *given) {
    SlArena arena;
    SlText text;
    BenchOptions options = *given;
    ParticleTable table;
    if (options.repeats == 0) options.repeats = PARTICLE_REPEATS;
    sl_arena_init(&arena, 0);
    measure_all(&options, &arena, &table);
    sl_text_init(&text, &arena);
    show_rows(&table, &arena, &text);
    json_t *json = command_wants_json(&options.common) ? rows_json(&options, &table) : NULL;
    int code = command_deliver(&options.common, "bench-particles", &text, json, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}
