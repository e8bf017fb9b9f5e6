// engine_profile.c - engines take turns, unit by unit, and every phase is timed.
#include "starling/learn/engine_profile.h"

#include <math.h>

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

// bytes of a transition, from an engine that holds hardly any
static SlStatus find_bytes(const SlEngineSetup *setup, size_t *bytes, SlError *err) {
    SlEngine *engine = NULL;
    SlStatus status = make_one(setup, 2, &engine, err);
    if (status == SL_OK) *bytes = sl_engine_row_bytes(engine);
    sl_engine_free(engine);
    return status;
}

// as many rows for all as were asked for, or as memory allows; whole episodes
static SlStatus settle_rows(const Group *group, const SlProfileSetup *setup, SlError *err) {
    const int64_t episode = group->setups[0].world.episode_steps;
    double bytes = 0;
    for (int i = 0; i < group->n; i++) {
        SlStatus status = find_bytes(&group->setups[i], &group->profiles[i].row_bytes, err);
        if (status != SL_OK) return status;
        bytes += (double)group->profiles[i].row_bytes;
    }
    int64_t rows = (int64_t)fmin((double)setup->fill, setup->bytes / bytes) / episode * episode;
    for (int i = 0; i < group->n; i++) group->profiles[i].rows = rows < episode ? episode : rows;
    return SL_OK;
}

static SlStatus make_engines(const Group *group, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < group->n && status == SL_OK; i++) {
        int64_t rows = group->profiles[i].rows;
        status = make_one(&group->setups[i], rows, &group->engines[i], err);
        if (status == SL_OK) sl_engine_fill(group->engines[i], rows);
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
    return status;
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
