// profile_measure.c - engines of one world and number of agents take turns, unit by unit, so that
// what else the machine does strikes all of them alike.
#include <math.h>
#include <unistd.h>

#include "profile.h"

enum { STEPS = 100, EPISODE = 25 };

// Cases that are measured together.
typedef struct {
    const Profile *profile;
    SlArena *arena;
    int n;
    ProfileCase *cases;
    SlEngine **engines;   // (n)
    SlCounters *counters; // (n)
    double *ms;           // (n, phases + 1, rounds)
} Group;

static void fill_setup(const ProfileOptions *options, const ProfileCase *one,
                       SlEngineSetup *setup) {
    sl_engine_init(setup);
    sl_world_init(one->env, &setup->world);
    setup->world.n_agents = one->agents;
    setup->algo = one->algo;
    setup->mode = one->mode;
    setup->layout = one->layout;
    setup->sampling = one->sampling;
    setup->neighbors = (int)options->neighbors;
    setup->batch = (int)options->batch;
    setup->hidden = (int)options->hidden;
    setup->update_every = STEPS;
    setup->seed = (uint64_t)options->seed;
    setup->capacity = one->rows;
    setup->warm = 2;
}

// bytes of a transition, from an engine that holds hardly any
static SlStatus find_bytes(const ProfileOptions *options, ProfileCase *one, SlError *err) {
    SlEngineSetup setup;
    SlEngine *engine = NULL;
    fill_setup(options, one, &setup);
    setup.capacity = 2;
    SlStatus status = sl_engine_make(&setup, &engine, err);
    if (status == SL_OK) one->row_bytes = sl_engine_row_bytes(engine);
    sl_engine_free(engine);
    return status;
}

// as many rows for all as were asked for, or as memory allows; whole episodes
static SlStatus settle_rows(Group *group, Profile *profile, SlError *err) {
    const ProfileOptions *options = profile->options;
    double bytes = 0;
    for (int i = 0; i < group->n; i++) {
        SlStatus status = find_bytes(options, &group->cases[i], err);
        if (status != SL_OK) return status;
        bytes += (double)group->cases[i].row_bytes;
    }
    int64_t rows = (int64_t)fmin((double)options->fill, 1e6 * (double)options->memory / bytes);
    profile->fewer |= rows < options->fill;
    rows = rows / EPISODE * EPISODE;
    for (int i = 0; i < group->n; i++) group->cases[i].rows = rows < EPISODE ? EPISODE : rows;
    return SL_OK;
}

// one unit is over
static bool stop(void *context, const SlEngine *engine) {
    (void)context, (void)engine;
    return true;
}

// milliseconds of every phase of one unit, and of all
static void time_unit(SlEngine *engine, SlPool *pool, double ms[static SL_N_PHASES + 1]) {
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

static SlStatus make_engines(Group *group, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < group->n && status == SL_OK; i++) {
        SlEngineSetup setup;
        fill_setup(group->profile->options, &group->cases[i], &setup);
        status = sl_engine_make(&setup, &group->engines[i], err);
        if (status == SL_OK) sl_engine_fill(group->engines[i], group->cases[i].rows);
    }
    return status;
}

static void run_units(Group *group, SlPool *pool) {
    const int rounds = (int)group->profile->options->rounds;
    double ms[SL_N_PHASES + 1];
    // the first of each only warms up
    for (int r = -1; r < rounds; r++) {
        for (int i = 0; i < group->n; i++) {
            time_unit(group->engines[i], pool, ms);
            if (r < 0) sl_engine_count(group->engines[i], &group->counters[i]);
            for (int p = 0; p <= SL_N_PHASES && r >= 0; p++)
                group->ms[(i * (SL_N_PHASES + 1) + p) * rounds + r] = ms[p];
        }
    }
}

static ProfileTime time_of(int n, double *ms) {
    sl_sort(n, ms);
    return (ProfileTime){sl_median_sorted(n, ms), sl_quantile_sorted(n, ms, 0.25),
                         sl_quantile_sorted(n, ms, 0.75)};
}

static void sum_up(Group *group) {
    const int rounds = (int)group->profile->options->rounds;
    for (int i = 0; i < group->n; i++) {
        ProfileCase *one = &group->cases[i];
        double *ms = group->ms + (ptrdiff_t)i * (SL_N_PHASES + 1) * rounds;
        for (int p = 0; p < SL_N_PHASES; p++)
            one->phases[p] = time_of(rounds, ms + (ptrdiff_t)p * rounds);
        one->all = time_of(rounds, ms + (ptrdiff_t)SL_N_PHASES * rounds);
        sl_counters_read(&group->counters[i], one->counts);
        for (int c = 0; c < SL_N_COUNTERS; c++) one->counts[c] /= rounds;
    }
}

static SlStatus measure_group(Profile *profile, Group *group, SlPool *pool, SlError *err) {
    const int rounds = (int)profile->options->rounds;
    char rows[32];
    group->engines = command_need(SL_NEW(group->arena, group->n, SlEngine *));
    group->counters = command_need(SL_NEW(group->arena, group->n, SlCounters));
    group->ms = command_need(SL_NEW(group->arena, group->n * (SL_N_PHASES + 1) * rounds, double));
    SlStatus status = settle_rows(group, profile, err);
    if (status != SL_OK) return status;
    if (isatty(STDERR_FILENO))
        command_note(&profile->options->common, "%s, %d agents: %d engines, %s transitions each",
                     group->cases->env->name, group->cases->agents, group->n,
                     sl_show_count((double)group->cases->rows, rows));
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

SlStatus profile_measure(Profile *profile, SlError *err) {
    SlPool *pool = command_need(sl_pool_make((int)profile->options->threads));
    SlStatus status = SL_OK;
    for (int i = 0, n; i < profile->n && status == SL_OK; i += n) {
        const ProfileCase *first = &profile->cases[i];
        SlArena arena;
        for (n = 1; i + n < profile->n; n++)
            if (first[n].env != first->env || first[n].agents != first->agents) break;
        sl_arena_init(&arena, 0);
        Group group = {.profile = profile, .arena = &arena, .n = n, .cases = &profile->cases[i]};
        status = measure_group(profile, &group, pool, err);
        sl_arena_free(&arena);
    }
    sl_pool_free(pool);
    return status;
}

const ProfileCase *profile_find(const Profile *profile, const ProfileCase *like, int agents,
                                SlSampling sampling) {
    for (int i = 0; i < profile->n; i++) {
        const ProfileCase *one = &profile->cases[i];
        if (one->env == like->env && one->algo == like->algo && one->mode == like->mode &&
            one->layout == like->layout && one->agents == agents && one->sampling == sampling)
            return one;
    }
    return NULL;
}

double profile_update(const ProfileCase *one) {
    double sum = 0;
    for (int p = SL_PHASE_SAMPLE; p <= SL_PHASE_P; p++) sum += one->phases[p].median;
    return sum;
}
