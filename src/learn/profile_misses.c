// profile_misses.c - misses of sampling in simulated caches: the gathers of rounds of updates, one
// behind the other, on a replay that has addresses and no memory.
#include "engine_inside.h"
#include "engine_size.h"
#include "replay_inside.h"
#include "starling/learn/engine_profile.h"

// times the lines of the last cache that are touched before counting, and while counting
enum { FILLS = 2 };

typedef struct {
    ReplayTrace trace;
    SlReplay sampler; // which holds nothing and so can only draw
    SlCaches caches;
    SlRng rng;
    uint32_t *rows; // (room)
    int batch;
    bool shared, list;
} Simulation;

static void draw(Simulation *simulation, int *n) {
    *n =
        sl_replay_draw(&simulation->sampler, simulation->batch, &simulation->rng, simulation->rows);
}

static void gather(Simulation *simulation, int n, int agent, bool all) {
    if (simulation->list)
        sl_trace_list(&simulation->trace, n, simulation->rows);
    else
        sl_trace_gather(&simulation->trace, n, simulation->rows, agent, all);
}

// as engine_round.c samples; rewards of other agents of a shared batch are not part of the phase
static void run_round(Simulation *simulation) {
    const int agents = simulation->trace.setup->n_agents;
    for (int agent = 0, n; agent < (simulation->shared ? 1 : agents); agent++) {
        draw(simulation, &n);
        gather(simulation, n, agent, true);
    }
}

// rounds until so many lines were touched; returns how many
static int run_rounds(Simulation *simulation) {
    const SlCaches *caches = &simulation->caches;
    const double enough = FILLS * (double)caches->levels[SL_CACHE_L3].shape.n_units;
    int rounds = 0;
    sl_caches_forget(&simulation->caches);
    do {
        run_round(simulation);
        rounds++;
    } while (caches->reads + caches->writes < enough);
    return rounds;
}

// all rows are as likely as they are before anything was learnt
static bool weigh(int64_t rows, PriorityTree *tree) {
    if (!sl_priority_make(rows, tree)) return false;
    for (int64_t i = 0; i < rows; i++) tree->nodes[tree->n_leaves + i] = 1;
    sl_priority_rebuild(tree);
    return true;
}

static bool make(const SlReplaySetup *replay, bool folded, SlArena *arena, Simulation *simulation) {
    simulation->sampler = (SlReplay){.setup = *replay, .n = replay->capacity};
    const int room = sl_replay_room(&simulation->sampler, simulation->batch);
    simulation->rows = SL_NEW(arena, room, uint32_t);
    sl_trace_init(replay, folded, room, &simulation->caches, &simulation->trace);
    return simulation->rows && sl_caches_make(&sl_caches_zen5, arena, &simulation->caches) &&
           (replay->sampling != SL_SAMPLE_PRIORITY ||
            weigh(replay->capacity, &simulation->sampler.tree));
}

// the replay was just filled: twice as many of its last rows as the last cache has space for
static void fill(Simulation *simulation, size_t row_bytes) {
    const SlCacheShape *last = &simulation->caches.levels[SL_CACHE_L3].shape;
    const int64_t rows = 2 * (last->n_units << last->unit_bits) / (int64_t)row_bytes + 1;
    const int64_t held = simulation->sampler.n;
    if (simulation->list)
        sl_trace_fill_list(&simulation->trace, rows < held ? rows : held);
    else
        sl_trace_fill(&simulation->trace, rows < held ? rows : held);
}

static void count(Simulation *simulation, SlMisses *out) {
    const SlCaches *caches = &simulation->caches;
    fill(simulation, out->row_bytes);
    run_rounds(simulation); // warms up
    const int rounds = run_rounds(simulation);
    out->reads = caches->reads / rounds;
    out->writes = caches->writes / rounds;
    for (int i = 0; i < SL_N_CACHE_LEVELS; i++) {
        out->read_misses[i] = caches->read_misses[i] / rounds;
        out->write_misses[i] = caches->write_misses[i] / rounds;
    }
}

static bool simulate(const SlEngineSetup *setup, const SlReplaySetup *replay, bool list,
                     SlMisses *out) {
    const int mode = setup->mode;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Simulation simulation = {.batch = (int)setup->batch,
                             .shared = mode == SL_MODE_SHARED || mode == SL_MODE_FOLDED_SHARED,
                             .list = list};
    *out =
        (SlMisses){.rows = replay->capacity,
                   .row_bytes = list ? sl_trace_list_bytes(replay) : sl_replay_all_bytes(replay)};
    sl_rng_init(&simulation.rng, (uint64_t)setup->seed, "simulated draws");
    const bool made = make(replay, sl_engine_is_folded(setup), &arena, &simulation);
    if (made) count(&simulation, out);
    sl_pages_free(&simulation.sampler.tree.pages);
    sl_arena_free(&arena);
    return made;
}

SlStatus sl_engine_misses(const SlEngineSetup *setup, int64_t rows, bool list, SlMisses *out,
                          SlError *err) {
    const char *reason = sl_engine_check_bare(setup);
    if (!reason && (rows < 2 || rows > INT32_MAX))
        reason = "simulated replays must hold 2 to 2147483647 transitions";
    if (reason) return sl_fail(err, SL_EINPUT, "%s", reason);
    const SlEngineSetup settled = sl_engine_settled(setup);
    SlParticleShape shape;
    bool made = sl_engine_shape(&settled, &shape);
    if (made) {
        SlReplaySetup replay = sl_engine_replay(&settled, &shape);
        replay.capacity = rows;
        made = simulate(&settled, &replay, list, out);
    }
    return made ? SL_OK : sl_fail(err, SL_ENOMEM, "no memory for simulated caches");
}
