// flock_search.c - a flock taught before, on a task it never saw.
//
// What it believes of a point: the central critic's guess, plus what a Gaussian process learns of
// its error on this task's own samples, minus `optimism` deviations of that process. It dreams:
// agents deviate, one by one or together, from the points believed best (those of earlier dreams,
// of the samples, of similar tasks), which costs no sample; what is believed best of all is
// evaluated. The first sample is the default point where the critic guesses that lower than
// anything it dreamt of. After `points` samples what was taught before has nothing to add to what
// the task has shown, and `marl` goes on from all of it. docs/methods/flock.md.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dream.h"
#include "learn_inside.h"

enum { MOST_SEEDS = 256 };

typedef struct {
    int64_t first, later; // rounds of dreaming
    int belief;           // number of its name
    int way;              // SlDreamWay
    SlDreamOptions dreams;
    double optimism;
    double error;      // of the critic
    double spread;     // of other processes
    double doubt;      // of the critics, added to a guess
    int64_t portfolio; // points of similar tasks
    int64_t points;    // samples before marl goes on
    bool residual;
    int policy; // 0 none, then one more than its number in the flock
} Options;

static const char *const way_names[] = {"agents", "genes", "portfolio", "slope", NULL};
static const char *const policy_names[] = {"none", "agents", "joint", NULL};

static const SlOption options_table[] = {
    SL_OPT_CHOICE(Options, "belief", belief, "auto", sl_belief_names, "WORD",
                  "estimate of untried points (docs/methods/flock.md); auto: both, or critic for a "
                  "flock of few tasks or without rivals; the others but none need rivals"),
    SL_OPT_CHOICE(Options, "dreams", way, "agents", way_names, "WORD",
                  "source of candidates: agents (deviations), genes (crossover), portfolio (best "
                  "points of similar tasks) or slope (descent)"),
    SL_OPT_WHOLE(Options, "first", first, "32", 1, 100000, "N",
                 "rounds of 64 candidates before the first sample"),
    SL_OPT_WHOLE(Options, "later", later, "6", 1, 100000, "N",
                 "rounds of 64 candidates before every later sample"),
    SL_OPT_WHOLE(Options, "pool", dreams.pool, "48", 1, SL_DREAM_MOST_POOL, "N",
                 "best-estimated points, from which agents deviate"),
    SL_OPT_REAL(Options, "optimism", optimism, "2", 0, 100, "X",
                "standard deviations of the process subtracted from an estimate"),
    SL_OPT_REAL(Options, "error", error, "8", 0, 100, "X",
                "assumed error of the critic, relative to its error on unseen tasks"),
    SL_OPT_REAL(
        Options, "spread", spread, "1", 0, 100, "X",
        "assumed deviation of a process without the critic, relative to its training value"),
    SL_OPT_REAL(Options, "doubt", doubt, "0.5", -100, 100, "X",
                "weight of the critics' disagreement in an estimate"),
    SL_OPT_REAL(Options, "fresh", dreams.fresh, "0.1", 0, 1, "X",
                "share of candidates drawn from scratch"),
    SL_OPT_REAL(Options, "more", dreams.more, "0.5", 0, 0.99, "X",
                "probability that one more agent deviates, applied repeatedly"),
    SL_OPT_REAL(Options, "near", dreams.near, "0.7", 0, 1, "X",
                "share of small changes: a few steps of a size, a swap of two loops of an order"),
    SL_OPT_WHOLE(Options, "reach", dreams.reach, "6", 1, 1000000, "N",
                 "largest such step of a size"),
    SL_OPT_WHOLE(Options, "portfolio", portfolio, "64", 0, MOST_SEEDS, "N",
                 "best points of similar tasks among the first candidates"),
    SL_OPT_WHOLE(Options, "points", points, "128", 8, 1024, "N",
                 "samples after which marl takes over"),
    SL_OPT_FLAG(Options, "residual", residual, "learn the critic's error on this task",
                .fallback = "true"),
    SL_OPT_CHOICE(
        Options, "policy", policy, "none", policy_names, "WORD",
        "trained policy that draws values: none, agents (one per agent) or joint (one for all)"),
    SL_OPT_REAL(Options, "taught", dreams.taught, "0.5", 0, 1, "X",
                "share of new candidates and deviations drawn by the policy"),
    {0},
};

typedef struct {
    SlMethodSetup setup;
    Options options;
    const SlFlock *flock;
    SlAgents agents;
    SlRng rng;
    SlBelief *belief;
    SlBoundPolicy policy;
    SlDreams *dreams;
    int64_t samples;
    double best;          // score, INFINITY = none
    int32_t *told_points; // (points, n_params)
    SlSample *told;       // (points)
    void *marl;           // who goes on, NULL = not yet
    SlArena *arena;
} Search;

// ---- making ----

static const char *lacks(const void *options, const SlFlock *flock) {
    int name = ((const Options *)options)->belief;
    return sl_belief_lack(sl_belief_choose(name, flock), flock);
}

static bool bind_policy(Search *search, SlArena *arena) {
    if (search->options.policy == 0) return true;
    const SlFlockPolicy *policy = &search->flock->policies[search->options.policy - 1];
    if (policy->n_heads == 0) return true;
    search->dreams->policy = &search->policy;
    return sl_flock_policy_bind(policy, search->setup.task, arena, &search->policy) &&
           sl_flock_policy_settle(&search->policy, arena);
}

static bool make_belief(Search *search, SlArena *arena) {
    const Options *options = &search->options;
    const SlBeliefSetup setup = {.task = search->setup.task,
                                 .flock = search->flock,
                                 .room = (int)options->points,
                                 .optimism = options->optimism,
                                 .error = options->error,
                                 .spread = options->spread,
                                 .doubt = options->doubt,
                                 .residual = options->residual};
    const SlBeliefRow *row = sl_belief_choose(options->belief, search->flock);
    search->belief = sl_belief_make(row, &setup, arena);
    if (!search->belief) return false;
    search->dreams = sl_dreams_make(search->setup.task, &search->agents, &options->dreams,
                                    search->belief, &search->rng, arena);
    return search->dreams;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Search *search = SL_NEW(arena, 1, Search);
    if (!search) return NULL;
    search->setup = *setup;
    memcpy(&search->options, options, sizeof search->options);
    search->options.dreams.way = (SlDreamWay)search->options.way;
    search->flock = setup->flock;
    search->agents = *setup->agents;
    search->arena = arena;
    search->best = INFINITY;
    char stream[160];
    snprintf(stream, sizeof stream, "flock %s", setup->stream);
    sl_rng_init(&search->rng, setup->seed, stream);
    const int n_params = sl_task_space(setup->task)->n_params;
    search->told_points = SL_NEW(arena, search->options.points * n_params, int32_t);
    search->told = SL_NEW(arena, search->options.points, SlSample);
    bool made = search->told_points && search->told && make_belief(search, arena);
    return made && bind_policy(search, arena) ? search : NULL;
}

// ---- asking ----

// where dreams begin: the default, what was best on similar tasks; a lookup asks the default last
static void begin(Search *search) {
    const SlTask *task = search->setup.task;
    const int n_params = sl_task_space(task)->n_params;
    const int room = (int)search->options.portfolio;
    const bool last = search->options.dreams.way == SL_DREAM_LOOKUP;
    int32_t *points = SL_NEW(search->arena, (MOST_SEEDS + 1) * n_params, int32_t);
    if (!points) return;
    int n = sl_flock_portfolio(search->flock, task, room, last ? points : points + n_params);
    sl_task_start(task, last ? points + (ptrdiff_t)n * n_params : points);
    sl_dreams_meet(search->dreams, n + 1, points);
}

// marl from here on, with all that was told; false without memory
static bool hand_over(Search *search) {
    void *options = sl_arena_alloc(search->arena, 1, sl_method_marl.options_bytes);
    SlError err;
    if (!options) return false;
    sl_options_init(sl_method_marl.options, options);
    // a flock of programs uses no draft, and so does who goes on
    if (!sl_task_kind(search->setup.task)->maps &&
        sl_options_set(sl_method_marl.options, options, "sight", "reuse", &err) != SL_OK)
        return false;
    search->marl = sl_method_marl.make(&search->setup, options, search->arena);
    if (!search->marl) return false;
    int64_t known =
        search->samples < search->options.points ? search->samples : search->options.points;
    sl_method_marl.meet(search->marl, (int)known, search->told_points, search->told);
    return true;
}

static void dream(Search *search) {
    bool first = search->dreams->n_pool == 0 && search->samples == 0;
    if (first)
        begin(search);
    else
        sl_dreams_rethink(search->dreams);
    int64_t rounds = first ? search->options.first : search->options.later;
    for (int64_t i = 0; i < rounds; i++) sl_dreams_round(search->dreams);
}

static int ask(void *state, int room, int32_t *points) {
    Search *search = state;
    const bool lookup = search->options.dreams.way == SL_DREAM_LOOKUP;
    if (!search->marl && search->samples >= search->options.points) hand_over(search);
    if (!search->marl) dream(search);
    if (!search->marl && lookup && search->dreams->n_pool == 0) hand_over(search);
    if (search->marl) return sl_method_marl.ask(search->marl, room, points);
    if (search->dreams->n_pool == 0) return 0;
    memcpy(points, search->dreams->pool[0].point,
           (size_t)sl_task_space(search->setup.task)->n_params * sizeof *points);
    return 1;
}

// ---- learning ----

static void keep(Search *search, const int32_t *point, const SlSample *sample) {
    const int n_params = sl_task_space(search->setup.task)->n_params;
    if (search->samples < search->options.points) {
        search->told[search->samples] = *sample;
        memcpy(search->told_points + (ptrdiff_t)search->samples * n_params, point,
               (size_t)n_params * sizeof *point);
    }
    search->samples++;
    if (!isfinite(sample->value) || sample->score >= search->best) return;
    search->best = sample->score;
    sl_dreams_best(search->dreams, point);
}

static void tell(void *state, int n, const int32_t *points, const SlSample *samples) {
    Search *search = state;
    const SlTask *task = search->setup.task;
    if (search->marl) {
        sl_method_marl.tell(search->marl, n, points, samples);
        return;
    }
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * sl_task_space(task)->n_params;
        const bool legal = isfinite(samples[i].value);
        float row[SL_FLOCK_MAX_INPUTS];
        SlView view;
        sl_task_view(task, point, &view);
        sl_dreams_seen(search->dreams, view.key);
        keep(search, point, &samples[i]);
        // what failed is as bad as anything the critic was taught; nothing is known before a value
        if (!isfinite(search->best)) continue;
        sl_flock_see(task, point, &view, row);
        sl_belief_learn(search->belief, row,
                        legal ? samples[i].score : search->best + search->flock->cap);
    }
    sl_belief_settle(search->belief);
}

const SlMethod sl_method_flock = {
    .name = "flock",
    .title = "agents and a critic pre-trained on other tasks of the evaluator",
    .source = "centralised training over tasks, decentralised execution; docs/methods/flock.md",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .learns = true,
    .needs = SL_NEEDS_FLOCK,
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
    .lacks = lacks,
};
