// bench_replay.c - `starling bench replay`: milliseconds to gather the batches of one round of
// updates from replay, on one thread, in its processor time.
//
// A round is a batch for every agent, each with its own rows, as in the original MADDPG. All
// layouts hold the same transitions of the first world and take turns, so that what else the
// machine does strikes all of them alike; rows are drawn anew for every round and are not part of
// the time.
#include <math.h>

#include "bench.h"
#include "number_list.h"
#include "starling/learn/replay.h"

typedef struct {
    CommonOptions common;
    const char *agents; // a list
    int64_t rows, memory, repeats, seed;
    int pages; // a PageSize
} ReplayOptions;

typedef enum { PAGES_HUGE, PAGES_SMALL } PageSize;
static const char *const page_names[] = {"huge", "small", NULL};

static const SlOption options_table[] = {
    SL_OPT_WHOLE(ReplayOptions, "rows", rows, "200000", 100, 1e7, "N",
                 "replay capacity in transitions; less if --memory does not suffice"),
    SL_OPT_TEXT(ReplayOptions, "agents", agents, "3,6,12,24", "LIST",
                "numbers of agents, at most 256 each"),
    SL_OPT_WHOLE(ReplayOptions, "memory", memory, "6000", 1, 1e9, "MB",
                 "memory limit for the three layouts together"),
    SL_OPT_CHOICE(ReplayOptions, "pages", pages, "huge", page_names, "SIZE",
                  "page size of the replay: huge (2 MiB if available) or small (the system's own)"),
    BENCH_REPEATS(ReplayOptions, "15", "rounds of measurements; medians count"),
    BENCH_SEED(ReplayOptions),
    COMMON_OPTIONS,
    {0},
};

enum { BATCH = 1024, NEIGHBORS = 3, EPISODE = 25 };
enum { MOST_SIZES = 16, N_DRAWS = 2 }; // uniform, neighbor

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
    int n_agents;
    int64_t n_rows; // held
    size_t row_bytes[N_KINDS];
    bool huge_pages;
    BenchSpread ms[N_KINDS][N_DRAWS]; // milliseconds per round
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

static SlReplaySetup setup_of(const Barn *barn, SlReplayLayout layout, const SlObserved *map,
                              bool small_pages) {
    return (SlReplaySetup){.layout = layout,
                           .small_pages = small_pages,
                           .n_agents = barn->shape.n_agents,
                           .n_observed = barn->shape.n_observed,
                           .n_state = barn->shape.n_state,
                           .n_fixed = barn->shape.n_fixed,
                           .map = map,
                           .capacity = 2};
}

// all layouts with as many rows as were asked for, or as memory allows
static void make_replays(Barn *barn, const ReplayOptions *options, SizeRow *row) {
    SlReplaySetup setups[SL_N_LAYOUTS];
    const size_t n_seen = (size_t)barn->shape.n_agents * (size_t)barn->shape.n_observed;
    SlObserved *map = call_need(SL_NEW(&barn->arena, n_seen, SlObserved));
    size_t bytes = 0;
    sl_particle_map(sl_worlds[0], &barn->shape, map);
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        setups[l] = setup_of(barn, (SlReplayLayout)l, map, options->pages == PAGES_SMALL);
        bytes += sl_replay_row_bytes(&setups[l]);
    }
    const double fit = floor(1e6 * (double)options->memory / (double)bytes);
    row->n_rows = (int64_t)fmin((double)options->rows, fmax(fit, 2));
    row->huge_pages = true;
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        setups[l].capacity = row->n_rows;
        barn->replays[l] = call_need(sl_replay_make(&setups[l]));
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
        barn->samplers[d] = call_need(sl_replay_make(&small));
    }
}

static SlReal *numbers(Barn *barn, size_t n) {
    return call_need(SL_NEW(&barn->arena, n, SlReal));
}

static void make_batch(Barn *barn) {
    const size_t room = (size_t)sl_replay_room(barn->samplers[SL_SAMPLE_NEIGHBOR], BATCH);
    const size_t agents = (size_t)barn->shape.n_agents, n_state = (size_t)barn->shape.n_state;
    const size_t n_seen = agents * (size_t)barn->shape.n_observed;
    barn->rows = call_need(SL_NEW(&barn->arena, agents * room, uint32_t));
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
    return call_need(SL_NEW(&barn->arena, n, float));
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
    const double begun = bench_processor_seconds();
    for (batch.agent = 0; batch.agent < barn->shape.n_agents; batch.agent++)
        sl_replay_gather(replay, n[batch.agent], barn->rows + (ptrdiff_t)batch.agent * room,
                         &batch);
    return 1e3 * (bench_processor_seconds() - begun);
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
    for (int i = 0; i < N_KINDS * N_DRAWS; i++)
        row->ms[i / N_DRAWS][i % N_DRAWS] =
            bench_spread(repeats, barn->ms + (ptrdiff_t)i * repeats);
}

static void measure(const ReplayOptions *options, SizeRow *row) {
    Barn barn = {0};
    const SlParticleSetup setup = {
        .world = sl_worlds[0], .n_agents = row->n_agents, .n_envs = 1, .episode_steps = EPISODE};
    sl_arena_init(&barn.arena, 0);
    barn.particles = call_need(sl_particles_make(&setup, &barn.arena));
    barn.shape = *sl_particles_shape(barn.particles);
    barn.ms = call_need(SL_NEW(&barn.arena, N_KINDS * N_DRAWS * options->repeats, double));
    make_replays(&barn, options, row);
    make_batch(&barn);
    fill(&barn, (uint64_t)options->seed, row->n_rows);
    time_all(&barn, (uint64_t)options->seed, (int)options->repeats, row);
    for (int l = 0; l < SL_N_LAYOUTS; l++) sl_replay_free(barn.replays[l]);
    for (int d = 0; d < N_DRAWS; d++) sl_replay_free(barn.samplers[d]);
    sl_arena_free(&barn.arena);
}

// ---- showing it

static void add_title(const ReplayOptions *options, int n, const SizeRow *rows, SlDoc *doc) {
    bool huge = true, fewer = false;
    for (int i = 0; i < n; i++) {
        huge = huge && rows[i].huge_pages;
        fewer = fewer || rows[i].n_rows < options->rows;
    }
    sl_doc_title(doc, "Milliseconds to gather a round of updates of %s", sl_worlds[0]->name);
    sl_doc_words(doc,
                 "A batch of %d rows per agent, one thread, median and quartiles of %d rounds, "
                 "processor time, %s.",
                 BATCH, (int)options->repeats, huge ? "2 MiB pages" : "small pages");
    if (fewer)
        sl_doc_words(doc, "Fewer rows where all layouts together would pass %g GB.",
                     (double)options->memory / 1e3);
}

static void add_times(const char *draw, const BenchSpread *ms, SlDoc *doc) {
    sl_doc_open(doc, draw, NULL);
    bench_fixed(doc, "median_ms", draw, 2, ms->median);
    sl_doc_number(doc, "low_ms", "quartiles", SL_UNIT_PLAIN, ms->p25);
    sl_doc_shown(doc, "%.2f-%.2f", ms->p25, ms->p75);
    sl_doc_plain(doc, "high_ms", ms->p75);
    sl_doc_close(doc);
}

static void add_kind(const SizeRow *row, int k, SlDoc *doc) {
    const BenchSpread *ms = row->ms[k];
    double change = ms[1].median / ms[0].median - 1;
    sl_doc_row(doc);
    bench_fixed(doc, "agents", "agents", 0, row->n_agents);
    sl_doc_string(doc, "layout", "layout", sl_replay_layout_names[kinds[k].layout]);
    sl_doc_shown(doc, "%s", kinds[k].name);
    sl_doc_flag(doc, "observations", NULL, !kinds[k].states);
    sl_doc_number(doc, "rows", "rows", SL_UNIT_COUNT, (double)row->n_rows);
    bench_fixed(doc, "row_bytes", "bytes", 0, (double)row->row_bytes[k]);
    sl_doc_flag(doc, "huge_pages", NULL, row->huge_pages);
    for (int d = 0; d < N_DRAWS; d++) add_times(sl_sampling_names[d], &ms[d], doc);
    sl_doc_number(doc, NULL, "change", SL_UNIT_SHARE, change);
    sl_doc_shown(doc, "%+.0f %%", 100 * change);
}

static void add_rows(int n, const SizeRow *rows, SlDoc *doc) {
    sl_doc_rows(doc, "cases", NULL);
    for (int i = 0; i < n; i++) {
        if (i > 0) sl_doc_rule(doc);
        for (int k = 0; k < N_KINDS; k++) add_kind(&rows[i], k, doc);
    }
    sl_doc_close(doc);
}

static int run(Call *call) {
    const ReplayOptions *options = call->options;
    SizeRow rows[MOST_SIZES];
    int n_agents[MOST_SIZES], n;
    SlError err;
    SlStatus status = number_list_read("agents", options->agents, SL_PARTICLE_MAX_AGENTS,
                                       MOST_SIZES, n_agents, &n, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    for (int i = 0; i < n; i++) {
        rows[i] = (SizeRow){.n_agents = n_agents[i]};
        measure(options, &rows[i]);
    }
    SlDoc *doc = bench_doc(call);
    add_title(options, n, rows, doc);
    sl_doc_plain(doc, "batch", BATCH);
    sl_doc_plain(doc, "neighbors", NEIGHBORS);
    bench_options(call, "seed repeats memory pages", doc);
    add_rows(n, rows, doc);
    return bench_deliver(call, doc);
}

BENCH_ROW(replay, ReplayOptions, "", "time to gather batches from the replay (ms)",
          "Measures the time to gather the batches of one update from the replay, by number of "
          "agents\nand layout.",
          "starling bench replay\n"
          "starling bench replay --rows 20000 --json\n"
          "starling bench replay --agents 24 --rows 300000 --memory 12500 --pages small");
