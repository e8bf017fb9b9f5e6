// bench_replay.c - `starling bench replay`: milliseconds to gather the batches of one round of
// updates from replay, on one thread, in its processor time.
//
// A round is a batch for every agent, each with its own rows, as in the original MADDPG. All
// layouts hold the same transitions of the first world and take turns, so that what else the
// machine does strikes all of them alike; rows are drawn anew for every round and are not part of
// the time.
#include <jansson.h>
#include <math.h>
#include <time.h>

#include "bench.h"
#include "starling/learn/replay.h"
#include "text_table.h"

enum { BATCH = 1024, NEIGHBORS = 3, REPLAY_REPEATS = 15, EPISODE = 25 };
static const int n_agents[] = {3, 6, 12, 24};
static const double most_bytes = 6e9; // of all replays of a number of agents
enum { N_SIZES = sizeof n_agents / sizeof *n_agents, N_DRAWS = 2 }; // uniform, neighbor

// What is read from, and whether observations are wanted of it, or states.
typedef struct {
    const char *name;
    SlReplayLayout layout;
    bool states;
} Kind;
static const Kind kinds[] = {{"separate", SL_LAYOUT_SEPARATE, false},
                             {"joint", SL_LAYOUT_JOINT, false},
                             {"state, observations", SL_LAYOUT_STATE, false},
                             {"state", SL_LAYOUT_STATE, true}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
    double median, low, high; // milliseconds per round; quartiles
} Times;

typedef struct {
    int n_agents;
    int64_t n_rows; // held
    size_t row_bytes[N_KINDS];
    bool huge_pages;
    Times times[N_KINDS][N_DRAWS];
} SizeRow;

// One number of agents at work.
typedef struct {
    SlArena arena;
    SlParticles *particles;
    SlParticleShape shape;
    SlReplay *replays[SL_N_LAYOUTS];
    SlReplay *samplers[N_DRAWS]; // as long, with hardly anything in a row
    uint32_t *rows;              // (n_agents, room)
    SlReplayBatch batch;
    double *ms; // (N_KINDS, N_DRAWS, repeats)
} Barn;

static SlReplaySetup setup_of(const Barn *barn, SlReplayLayout layout, const SlObserved *map) {
    return (SlReplaySetup){.layout = layout,
                           .n_agents = barn->shape.n_agents,
                           .n_observed = barn->shape.n_observed,
                           .n_state = barn->shape.n_state,
                           .n_fixed = barn->shape.n_fixed,
                           .map = map,
                           .capacity = 2};
}

// all layouts with as many rows as were asked for, or as memory allows
static void make_replays(Barn *barn, int64_t wanted, SizeRow *row) {
    SlReplaySetup setups[SL_N_LAYOUTS];
    const size_t n_seen = (size_t)barn->shape.n_agents * (size_t)barn->shape.n_observed;
    SlObserved *map = command_need(SL_NEW(&barn->arena, n_seen, SlObserved));
    size_t bytes = 0;
    sl_particle_map(sl_worlds[0], &barn->shape, map);
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        setups[l] = setup_of(barn, (SlReplayLayout)l, map);
        bytes += sl_replay_row_bytes(&setups[l]);
    }
    row->n_rows = (int64_t)fmin((double)wanted, floor(most_bytes / (double)bytes));
    row->huge_pages = true;
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        setups[l].capacity = row->n_rows;
        barn->replays[l] = command_need(sl_replay_make(&setups[l]));
        row->huge_pages = row->huge_pages && sl_replay_huge_pages(barn->replays[l]);
    }
    for (int k = 0; k < N_KINDS; k++)
        row->row_bytes[k] = sl_replay_row_bytes(&setups[kinds[k].layout]);
    for (int d = 0; d < N_DRAWS; d++) {
        const SlReplaySetup small = {.layout = SL_LAYOUT_JOINT,
                                     .sampling = (SlSampling)d,
                                     .neighbors = NEIGHBORS,
                                     .capacity = row->n_rows,
                                     .n_agents = 1,
                                     .n_observed = 1};
        barn->samplers[d] = command_need(sl_replay_make(&small));
    }
}

static SlReal *numbers(Barn *barn, size_t n) {
    return command_need(SL_NEW(&barn->arena, n, SlReal));
}

static void make_batch(Barn *barn) {
    const size_t room = (size_t)sl_replay_room(barn->samplers[SL_SAMPLE_NEIGHBOR], BATCH);
    const size_t agents = (size_t)barn->shape.n_agents, n_state = (size_t)barn->shape.n_state;
    const size_t n_seen = agents * (size_t)barn->shape.n_observed;
    barn->rows = command_need(SL_NEW(&barn->arena, agents * room, uint32_t));
    barn->batch = (SlReplayBatch){.observed = numbers(barn, room * n_seen),
                                  .next_observed = numbers(barn, room * n_seen),
                                  .observed_row = n_seen,
                                  .next_row = n_seen,
                                  .state = numbers(barn, room * n_state),
                                  .next_state = numbers(barn, room * n_state),
                                  .state_row = n_state,
                                  .actions = numbers(barn, room * agents * SL_PARTICLE_ACTIONS),
                                  .actions_row = agents * SL_PARTICLE_ACTIONS,
                                  .rewards = numbers(barn, room),
                                  .ended = numbers(barn, room)};
}

static float *floats(Barn *barn, int n) {
    return command_need(SL_NEW(&barn->arena, n, float));
}

// transitions of random actions, into all replays
static void fill(Barn *barn, uint64_t seed, int64_t n_rows) {
    const int agents = barn->shape.n_agents, n_seen = agents * barn->shape.n_observed;
    float *seen[2] = {floats(barn, n_seen), floats(barn, n_seen)};
    float *states[2] = {floats(barn, barn->shape.n_state), floats(barn, barn->shape.n_state)};
    float *actions = floats(barn, agents * SL_PARTICLE_ACTIONS), *rewards = floats(barn, agents);
    uint8_t ended = 0;
    SlRng rng;
    sl_rng_init(&rng, seed, "bench replay fill");
    SlParticleBuffers buffers = {
        .actions = actions, .rewards = rewards, .ended = &ended, .state = states[0]};
    buffers.observations = seen[0];
    sl_particles_reset(barn->particles, seed, &buffers);
    for (int64_t i = 0; i < n_rows; i++) {
        const int now = (int)(i % 2), then = 1 - now;
        buffers.observations = seen[now];
        buffers.state = states[now];
        if (ended) sl_particles_restart(barn->particles, 0, &buffers);
        for (int a = 0; a < agents * SL_PARTICLE_ACTIONS; a++)
            actions[a] = (float)sl_rng_uniform(&rng);
        buffers.observations = seen[then];
        buffers.state = states[then];
        sl_particles_step(barn->particles, NULL, &buffers);
        const SlTransition one = {seen[now], seen[then], states[now], states[then],
                                  actions,   rewards,    false};
        for (int l = 0; l < SL_N_LAYOUTS; l++) sl_replay_add(barn->replays[l], &one);
        for (int d = 0; d < N_DRAWS; d++) sl_replay_add(barn->samplers[d], &one);
    }
}

// of this thread, which does not run all the time
static double thread_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// one round; milliseconds
static double time_round(Barn *barn, const Kind *kind, const SlReplay *sampler, SlRng *rng) {
    const SlReplay *replay = barn->replays[kind->layout];
    const int room = sl_replay_room(sampler, BATCH);
    SlReplayBatch batch = barn->batch;
    int n[SL_PARTICLE_MAX_AGENTS];
    if (kind->states) {
        batch.observed = batch.next_observed = NULL;
    } else {
        batch.state = batch.next_state = NULL;
    }
    for (int a = 0; a < barn->shape.n_agents; a++)
        n[a] = sl_replay_draw(sampler, BATCH, rng, barn->rows + (ptrdiff_t)a * room);
    const double begun = thread_ms();
    for (batch.agent = 0; batch.agent < barn->shape.n_agents; batch.agent++)
        sl_replay_gather(replay, n[batch.agent], barn->rows + (ptrdiff_t)batch.agent * room,
                         &batch);
    return thread_ms() - begun;
}

static void time_all(Barn *barn, uint64_t seed, int repeats, SizeRow *row) {
    SlRng rng;
    sl_rng_init(&rng, seed, "bench replay");
    // the first round of each only warms up
    for (int r = -1; r < repeats; r++) {
        for (int i = 0; i < N_KINDS * N_DRAWS; i++) {
            const double ms =
                time_round(barn, &kinds[i / N_DRAWS], barn->samplers[i % N_DRAWS], &rng);
            if (r >= 0) barn->ms[i * repeats + r] = ms;
        }
    }
    for (int i = 0; i < N_KINDS * N_DRAWS; i++) {
        double *ms = barn->ms + (ptrdiff_t)i * repeats;
        row->times[i / N_DRAWS][i % N_DRAWS] = (Times){.median = sl_quantile(repeats, ms, 0.5),
                                                       .low = sl_quantile(repeats, ms, 0.25),
                                                       .high = sl_quantile(repeats, ms, 0.75)};
    }
}

static void measure(const BenchOptions *options, SizeRow *row) {
    Barn barn = {0};
    const SlParticleSetup setup = {
        .world = sl_worlds[0], .n_agents = row->n_agents, .n_envs = 1, .episode_steps = EPISODE};
    sl_arena_init(&barn.arena, 0);
    barn.particles = command_need(sl_particles_make(&setup, &barn.arena));
    barn.shape = *sl_particles_shape(barn.particles);
    barn.ms = command_need(SL_NEW(&barn.arena, N_KINDS * N_DRAWS * options->repeats, double));
    make_replays(&barn, options->rows, row);
    make_batch(&barn);
    fill(&barn, (uint64_t)options->seed, row->n_rows);
    time_all(&barn, (uint64_t)options->seed, (int)options->repeats, row);
    for (int l = 0; l < SL_N_LAYOUTS; l++) sl_replay_free(barn.replays[l]);
    for (int d = 0; d < N_DRAWS; d++) sl_replay_free(barn.samplers[d]);
    sl_arena_free(&barn.arena);
}

// ---- showing it

static void show_kind(const SizeRow *row, int kind, TextTable *table) {
    const Times *times = row->times[kind];
    char text[32];
    table_row(table);
    table_cell(table, "%d", row->n_agents);
    table_cell(table, "%s", kinds[kind].name);
    table_cell(table, "%s", sl_show_count((double)row->n_rows, text));
    table_cell(table, "%zu", row->row_bytes[kind]);
    for (int d = 0; d < N_DRAWS; d++) {
        table_cell(table, "%.2f", times[d].median);
        table_cell(table, "%.2f-%.2f", times[d].low, times[d].high);
    }
    table_cell(table, "%+.0f %%", 100 * (times[1].median / times[0].median - 1));
}

static void show_rows(const BenchOptions *options, const SizeRow *rows, SlArena *arena,
                      SlText *out) {
    TextTable table;
    bool huge = true, fewer = false;
    for (int i = 0; i < N_SIZES; i++) {
        huge = huge && rows[i].huge_pages;
        fewer = fewer || rows[i].n_rows < options->rows;
    }
    sl_text_add(out,
                "Milliseconds to gather a round of updates of %s: a batch of %d rows per agent, "
                "one thread,\nmedian and quartiles of %d rounds, processor time, %s\n\n",
                sl_worlds[0]->name, BATCH, (int)options->repeats,
                huge ? "2 MiB pages" : "small pages");
    table_init(&table, arena, "agents|<layout|rows|bytes|uniform|quartiles|neighbor|quartiles|");
    for (int i = 0; i < N_SIZES; i++) {
        for (int k = 0; k < N_KINDS; k++) show_kind(&rows[i], k, &table);
        if (i + 1 < N_SIZES) table_rule(&table);
    }
    table_draw(&table, out);
    if (fewer)
        sl_text_add(out, "\nFewer rows where all layouts together would pass %.0f GB.\n",
                    most_bytes / 1e9);
}

static json_t *times_json(const Times *times) {
    json_t *to = command_need(json_object());
    json_put_number(to, "median_ms", times->median);
    json_put_number(to, "low_ms", times->low);
    json_put_number(to, "high_ms", times->high);
    return to;
}

static json_t *rows_json(const BenchOptions *options, const SizeRow *rows) {
    json_t *document = command_need(sl_json_document("bench-replay", 1));
    json_t *items = command_need(json_array());
    for (int i = 0; i < N_SIZES * N_KINDS; i++) {
        const SizeRow *row = &rows[i / N_KINDS];
        const Kind *kind = &kinds[i % N_KINDS];
        json_t *to = command_need(json_object());
        json_put_number(to, "agents", row->n_agents);
        json_put_text(to, "layout", sl_replay_layout_names[kind->layout]);
        json_put(to, "observations", json_boolean(!kind->states));
        json_put_number(to, "rows", (double)row->n_rows);
        json_put_number(to, "row_bytes", (double)row->row_bytes[i % N_KINDS]);
        json_put(to, "huge_pages", json_boolean(row->huge_pages));
        for (int d = 0; d < N_DRAWS; d++)
            json_put(to, sl_sampling_names[d], times_json(&row->times[i % N_KINDS][d]));
        json_add(items, to);
    }
    json_put(document, "batch", json_integer(BATCH));
    json_put(document, "neighbors", json_integer(NEIGHBORS));
    json_put(document, "seed", json_integer(options->seed));
    json_put(document, "repeats", json_integer(options->repeats));
    json_put(document, "cases", items);
    return document;
}

int bench_replay(const BenchOptions *given) {
    SlArena arena;
    SlText text;
    BenchOptions options = *given;
    SizeRow rows[N_SIZES];
    if (options.repeats == 0) options.repeats = REPLAY_REPEATS;
    for (int i = 0; i < N_SIZES; i++) {
        rows[i] = (SizeRow){.n_agents = n_agents[i]};
        measure(&options, &rows[i]);
    }
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    show_rows(&options, rows, &arena, &text);
    json_t *json = command_wants_json(&options.common) ? rows_json(&options, rows) : NULL;
    int code = command_deliver(&options.common, "bench-replay", &text, json, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}
