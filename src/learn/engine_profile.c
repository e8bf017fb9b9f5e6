// engine_profile.c - engines take turns, unit by unit, and every phase is timed.
#include "starling/learn/engine_profile.h"

#include <math.h>
#include <unistd.h>

#include "engine_inside.h"
#include "engine_size.h"
#include "replay_inside.h"

enum { N_TIMES = SL_N_PHASES + 1 }; // of every phase, and of all

// Engines that are measured together.
typedef struct {
    int n, rounds;
    const SlEngineSetup *setups; // (n)
    SlEngineProfile *profiles;   // (n)
    SlEngine **engines;          // (n)
    SlCounters *counters;        // (n)
    double *ms;                  // (n, N_TIMES, rounds)
} Group;

// ---- engines ----

static SlStatus make_one(const SlEngineSetup *like, int64_t rows, SlEngine **engine, SlError *err) {
    SlEngineSetup setup = *like;
    setup.capacity = rows;
    setup.warm = 2;
    setup.update_every = SL_PROFILE_STEPS;
    return sl_engine_make(&setup, engine, err);
}

// memory of this machine in bytes; INFINITY where it is unknown
static double machine_bytes(void) {
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGESIZE);
    if (pages > 0 && each > 0) return (double)pages * (double)each;
#endif
    return INFINITY;
}

// bytes of a transition of every engine; all networks must fit, before any is made
static SlStatus find_bytes(const Group *group, SlError *err) {
    double bytes = 0;
    for (int i = 0; i < group->n; i++) {
        const char *reason = sl_engine_check_bare(&group->setups[i]);
        if (reason) return sl_fail(err, SL_EINPUT, "%s", reason);
        const SlEngineSetup setup = sl_engine_settled(&group->setups[i]);
        SlParticleShape shape;
        if (!sl_engine_shape(&setup, &shape))
            return sl_fail(err, SL_ENOMEM, "not enough memory for an environment");
        const SlReplaySetup replay = sl_engine_replay(&setup, &shape);
        group->profiles[i].row_bytes = sl_replay_all_bytes(&replay);
        bytes += sl_engine_bytes(&setup, &shape);
    }
    if (bytes <= machine_bytes()) return SL_OK;
    const SlParticleSetup *world = &group->setups[0].world;
    return sl_fail(
        err, SL_EINPUT,
        "%s, %lld agents: the networks of %d engine%s need %.1f GB, this machine has %.1f "
        "GB: expected fewer agents, engines or hidden units",
        world->world->name, (long long)world->n_agents, group->n, group->n == 1 ? "" : "s",
        bytes / 1e9, machine_bytes() / 1e9);
}

// as many rows for all as were asked for, or as memory allows; whole episodes
static SlStatus settle_rows(const Group *group, const SlProfileSetup *setup, SlError *err) {
    const int64_t episode = group->setups[0].world.episode_steps;
    double bytes = 0;
    SlStatus status = find_bytes(group, err);
    if (status != SL_OK) return status;
    for (int i = 0; i < group->n; i++) bytes += (double)group->profiles[i].row_bytes;
    int64_t rows = (int64_t)fmin((double)setup->fill, setup->bytes / bytes) / episode * episode;
    for (int i = 0; i < group->n; i++) group->profiles[i].rows = rows < episode ? episode : rows;
    return SL_OK;
}

static SlStatus make_engines(const Group *group, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < group->n && status == SL_OK; i++) {
        int64_t rows = group->profiles[i].rows;
        status = make_one(&group->setups[i], rows, &group->engines[i], err);
        if (status != SL_OK) break;
        group->profiles[i].row_bytes = sl_engine_row_bytes(group->engines[i]);
        sl_engine_fill(group->engines[i], rows);
    }
    return status;
}

// ---- units ----

// one unit is over
static bool stop(void *context, const SlEngine *engine) {
    (void)context, (void)engine;
    return true;
}

// milliseconds of every phase of one unit, and of all
static void time_unit(SlEngine *engine, SlPool *pool, double ms[static N_TIMES]) {
    SlEngineState before, after;
    sl_engine_state(engine, &before);
    sl_engine_run(engine, INT64_MAX, pool, stop, NULL);
    sl_engine_state(engine, &after);
    ms[SL_N_PHASES] = 0;
    for (int p = 0; p < SL_N_PHASES; p++) {
        ms[p] = 1e3 * (after.seconds[p] - before.seconds[p]);
        ms[SL_N_PHASES] += ms[p];
    }
}

static void run_units(const Group *group, SlPool *pool) {
    double ms[N_TIMES];
    // the first of each only warms up
    for (int r = -1; r < group->rounds; r++) {
        for (int i = 0; i < group->n; i++) {
            time_unit(group->engines[i], pool, ms);
            if (r < 0) sl_engine_count(group->engines[i], &group->counters[i]);
            for (int p = 0; p < N_TIMES && r >= 0; p++)
                group->ms[((ptrdiff_t)i * N_TIMES + p) * group->rounds + r] = ms[p];
        }
    }
}

// ---- what came of it ----

static SlPhaseTime time_of(int n, double *ms) {
    sl_sort(n, ms);
    return (SlPhaseTime){sl_median_sorted(n, ms), sl_quantile_sorted(n, ms, 0.25),
                         sl_quantile_sorted(n, ms, 0.75)};
}

static void sum_up(const Group *group) {
    const int rounds = group->rounds;
    for (int i = 0; i < group->n; i++) {
        SlEngineProfile *one = &group->profiles[i];
        double *ms = group->ms + (ptrdiff_t)i * N_TIMES * rounds;
        for (int p = 0; p < SL_N_PHASES; p++)
            one->phases[p] = time_of(rounds, ms + (ptrdiff_t)p * rounds);
        one->all = time_of(rounds, ms + (ptrdiff_t)SL_N_PHASES * rounds);
        sl_counters_read(&group->counters[i], one->counts);
        for (int c = 0; c < SL_N_COUNTERS; c++) one->counts[c] /= rounds;
    }
}

// ---- simulated caches ----

// whether two engines of a group sample the same addresses, but for their draws
static bool sample_alike(const SlEngineSetup *a, const SlEngineSetup *b) {
    return a->mode == b->mode && a->layout == b->layout && a->sampling == b->sampling;
}

static SlStatus simulate_one(const Group *group, int i, int64_t rows, SlError *err) {
    const SlEngineSetup *setup = &group->setups[i];
    SlEngineProfile *one = &group->profiles[i];
    // algorithms differ in what they learn from a batch alone
    for (int k = 0; k < i; k++) {
        if (!sample_alike(&group->setups[k], setup)) continue;
        one->misses = group->profiles[k].misses;
        one->list = group->profiles[k].list;
        return SL_OK;
    }
    SlStatus status = sl_engine_misses(setup, rows, false, &one->misses, err);
    if (status == SL_OK && setup->layout == SL_LAYOUT_SEPARATE && setup->mode == SL_MODE_FAITHFUL)
        status = sl_engine_misses(setup, rows, true, &one->list, err);
    return status;
}

static SlStatus simulate(const Group *group, int64_t rows, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < group->n; i++)
        group->profiles[i].misses.rows = group->profiles[i].list.rows = 0;
    for (int i = 0; i < group->n && rows > 0 && status == SL_OK; i++)
        status = simulate_one(group, i, rows, err);
    return status;
}

static SlStatus measure(const Group *group, const SlProfileSetup *setup, SlPool *pool,
                        SlError *err) {
    SlStatus status = settle_rows(group, setup, err);
    if (status != SL_OK) return status;
    for (int i = 0; i < group->n; i++) sl_counters_open(&group->counters[i]);
    status = make_engines(group, err);
    if (status == SL_OK) {
        run_units(group, pool);
        sum_up(group);
    }
    for (int i = 0; i < group->n; i++) {
        sl_counters_close(&group->counters[i]);
        sl_engine_free(group->engines[i]);
    }
    return status == SL_OK ? simulate(group, setup->simulate, err) : status;
}

SlStatus sl_engine_profile(int n, const SlEngineSetup *setups, const SlProfileSetup *profile,
                           SlPool *pool, SlEngineProfile *out, SlError *err) {
    SlArena arena;
    if (profile->rounds < 1 || profile->rounds > 1000000)
        return sl_fail(err, SL_EINPUT, "expected 1 to 1000000 rounds");
    sl_arena_init(&arena, 0);
    Group group = {.n = n, .rounds = (int)profile->rounds, .setups = setups, .profiles = out};
    group.engines = SL_NEW(&arena, n, SlEngine *);
    group.counters = SL_NEW(&arena, n, SlCounters);
    group.ms = SL_NEW(&arena, (size_t)n * N_TIMES * (size_t)group.rounds, double);
    SlStatus status = group.engines && group.counters && group.ms
                          ? measure(&group, profile, pool, err)
                          : sl_fail(err, SL_ENOMEM, "no memory for a profile");
    sl_arena_free(&arena);
    return status;
}

double sl_profile_share(const SlEngineProfile *profile, SlPhase phase) {
    double sum = 0;
    for (int p = 0; p < SL_N_PHASES; p++) sum += profile->phases[p].median;
    return profile->phases[phase].median / sum;
}

double sl_profile_update(const SlEngineProfile *profile) {
    double sum = 0;
    for (int p = SL_PHASE_SAMPLE; p <= SL_PHASE_P; p++) sum += profile->phases[p].median;
    return sum;
}
