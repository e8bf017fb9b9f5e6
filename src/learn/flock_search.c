// flock_search.c - a flock taught before, on a task it never saw.
//
// What it believes of a point: the central critic's guess, plus what a Gaussian process learns of
// its error on this task's own samples, minus `optimism` deviations of that process. It dreams:
// agents deviate, one by one or together, from the points believed best (those of earlier dreams,
// of the samples, of similar tasks), which costs no sample; what is believed best of all is
// evaluated. The first sample is the default point where the critic guesses that lower than
// anything it dreamt of. After `points` samples what was taught before has nothing to add to what
// the task has shown, and `marl` goes on from all of it. docs/methods/flock.md.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"
#include "learn_inside.h"
#include "starling/approx/kriging.h"

enum { BATCH = 64, MOST_POOL = 256, MOST_SEEDS = 256, MOST_TREES = 256 };
static const double LEVEL2 = 1, NOISE2 = 1e-5; // variances: of the level of a task, of a value
static const double LEAST_ERROR = 0.01;

typedef struct {
    int64_t first, later; // rounds of dreaming
    int64_t pool;         // points that are deviated from
    double optimism;
    double error; // of the critic
    double doubt; // of the critics, added to a guess
    double fresh; // share of dreams that start from nothing
    double more;  // chance of one more agent that deviates
    double near;
    int64_t reach;
    int64_t portfolio; // points of similar tasks
    int64_t points;    // samples before marl goes on
    bool residual;
    int policy;    // 0 none, then one more than its number in the flock
    double taught; // share of what is drawn that the policy draws
} Options;

static const char *const policy_names[] = {"none", "agents", "joint", NULL};

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "first", first, "32", 1, 100000, "N",
                 "rounds of 64 dreams before the first sample"),
    SL_OPT_WHOLE(Options, "later", later, "6", 1, 100000, "N",
                 "rounds of 64 dreams before every later one"),
    SL_OPT_WHOLE(Options, "pool", pool, "48", 1, MOST_POOL, "N",
                 "points believed best, from which agents deviate"),
    SL_OPT_REAL(Options, "optimism", optimism, "2", 0, 100, "X",
                "deviations of the process taken off a belief"),
    SL_OPT_REAL(
        Options, "error", error, "8", 0, 100, "X",
        "deviation of the critic's error, in units of what it was on tasks it had not seen"),
    SL_OPT_REAL(Options, "doubt", doubt, "0.5", -100, 100, "X",
                "disagreement of the critics added to a guess"),
    SL_OPT_REAL(Options, "fresh", fresh, "0.1", 0, 1, "X",
                "share of dreams that start from nothing"),
    SL_OPT_REAL(Options, "more", more, "0.5", 0, 0.99, "X",
                "chance that one more agent deviates, again and again"),
    SL_OPT_REAL(Options, "near", near, "0.7", 0, 1, "X",
                "share of changes of a size that go a few steps, of an order that swap two loops"),
    SL_OPT_WHOLE(Options, "reach", reach, "6", 1, 1000000, "N", "most of these steps"),
    SL_OPT_WHOLE(Options, "portfolio", portfolio, "64", 0, MOST_SEEDS, "N",
                 "best points of similar tasks that dreams begin with"),
    SL_OPT_WHOLE(Options, "points", points, "128", 8, 1024, "N",
                 "samples after which marl goes on"),
    SL_OPT_FLAG(Options, "residual", residual, "learn the critic's error on this task",
                .fallback = "true"),
    SL_OPT_CHOICE(Options, "policy", policy, "none", policy_names, "WORD",
                  "policy that draws values, of a flock that was taught one"),
    SL_OPT_REAL(Options, "taught", taught, "0.5", 0, 1, "X",
                "share of fresh dreams and deviations drawn by the policy"),
    {0},
};

// A point that was dreamt of.
typedef struct {
    int32_t point[SL_MAX_PARAMS];
    uint64_t key;
    float guess;   // of the critic, with its doubt
    float believe; // with what was learnt since
} Dream;

typedef struct {
    SlMethodSetup setup;
    Options options;
    const SlTask *task;
    const SlSpace *space;
    const SlFlock *flock;
    SlAgents agents;
    SlRng rng;
    SlKeySet *seen;
    int n_inputs;
    int64_t samples;

    int n_pool;
    Dream *pool;       // (options.pool) believed best, best first
    float *pool_rows;  // (options.pool, n_inputs)
    Dream *batch;      // (BATCH)
    float *batch_rows; // (BATCH, n_inputs)

    // samples
    int n_told;  // that the process knows
    double best; // score, INFINITY = none
    int32_t best_point[SL_MAX_PARAMS];
    double origin;      // the first error
    double error2;      // variance of the critic's error
    double *error;      // (points) score less guess, less the origin
    SlKriging *process; // of the error
    int n_trees;        // whose leaves say how alike two points are
    struct {
        int member, tree;
    } trees[MOST_TREES];   // (n_trees)
    uint8_t *told_leaves;  // (points, n_trees)
    uint8_t *batch_leaves; // (BATCH, n_trees)
    double *covariance;    // (points + 4, SL_KRIGING_ROWS)
    SlBoundPolicy *policy; // NULL = none
    int32_t *told_points;  // (points, n_params)
    SlSample *told;        // (points)
    void *marl;            // who goes on, NULL = not yet
    SlArena *arena;
} Search;

// ---- making ----

// some trees, evenly over all critics
static void choose_trees(Search *search, int all) {
    for (int k = 0; k < search->n_trees; k++) {
        int tree = (int)((int64_t)k * all / search->n_trees), member = 0;
        while (tree >= search->flock->members[member].n_trees)
            tree -= search->flock->members[member++].n_trees;
        search->trees[k].member = member;
        search->trees[k].tree = tree;
    }
}

static bool make_process(Search *search, SlArena *arena) {
    const SlFlockInfo *info = sl_flock_info(search->flock);
    search->n_trees = info->n_trees < MOST_TREES ? info->n_trees : MOST_TREES;
    choose_trees(search, info->n_trees);
    size_t points = (size_t)search->options.points, trees = (size_t)search->n_trees;
    search->process = sl_kriging_make((int)points, arena);
    search->told_leaves = SL_NEW(arena, points * trees, uint8_t);
    search->batch_leaves = SL_NEW(arena, BATCH * trees, uint8_t);
    search->covariance = SL_NEW(arena, (points + 4) * SL_KRIGING_ROWS, double);
    return search->process && search->told_leaves && search->batch_leaves && search->covariance;
}

static bool make_policy(Search *search, SlArena *arena) {
    if (search->options.policy == 0) return true;
    const SlFlockPolicy *policy = &search->flock->policies[search->options.policy - 1];
    if (policy->n_heads == 0) return true;
    search->policy = SL_NEW(arena, 1, SlBoundPolicy);
    return search->policy && sl_flock_policy_bind(policy, search->task, arena, search->policy) &&
           sl_flock_policy_settle(search->policy, arena);
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Search *search = SL_NEW(arena, 1, Search);
    if (!search) return NULL;
    search->setup = *setup;
    memcpy(&search->options, options, sizeof search->options);
    search->task = setup->task;
    search->space = sl_task_space(setup->task);
    search->flock = setup->flock;
    search->agents = *setup->agents;
    search->arena = arena;
    double deviation =
        search->options.error * fmax(sl_flock_info(setup->flock)->error, LEAST_ERROR);
    search->error2 = deviation * deviation;
    search->best = INFINITY;
    char stream[160];
    snprintf(stream, sizeof stream, "flock %s", setup->stream);
    sl_rng_init(&search->rng, setup->seed, stream);
    search->n_inputs = sl_flock_n_inputs(setup->task);
    size_t width = (size_t)search->n_inputs;
    search->seen = sl_keyset_make(1024, arena);
    search->pool = SL_NEW(arena, search->options.pool + 1, Dream);
    search->pool_rows = SL_NEW(arena, (size_t)(search->options.pool + 1) * width, float);
    search->batch = SL_NEW(arena, BATCH, Dream);
    search->batch_rows = SL_NEW(arena, BATCH * width, float);
    search->error = SL_NEW(arena, search->options.points, double);
    search->told_points = SL_NEW(arena, search->options.points * search->space->n_params, int32_t);
    search->told = SL_NEW(arena, search->options.points, SlSample);
    bool made = search->seen && search->pool && search->pool_rows && search->batch &&
                search->batch_rows && search->error && search->told_points && search->told;
    return made && make_process(search, arena) && make_policy(search, arena) ? search : NULL;
}

// ---- beliefs ----

// leaves of some trees of all members
static void find_leaves(const Search *search, const float *row, uint8_t *leaves) {
    for (int k = 0; k < search->n_trees; k++)
        leaves[k] = (uint8_t)sl_boost_leaf(&search->flock->members[search->trees[k].member],
                                           search->trees[k].tree, row);
}

static double covariance(const Search *search, const uint8_t *a, const uint8_t *b) {
    int same = 0;
    for (int k = 0; k < search->n_trees; k++) same += a[k] == b[k];
    double share = (double)same / search->n_trees;
    return LEVEL2 + search->error2 * share;
}

static double own_variance(const Search *search) {
    return LEVEL2 + search->error2;
}

// what is believed of dreams (n) with rows (n, n_inputs), n <= BATCH
static void believe(Search *search, int n, const float *rows, Dream *dreams) {
    double mean[BATCH], variance[BATCH], own[BATCH] = {0};
    if (!search->options.residual || search->n_told == 0) {
        for (int i = 0; i < n; i++) dreams[i].believe = dreams[i].guess;
        return;
    }
    for (int i = 0; i < n; i++) {
        uint8_t *leaves = search->batch_leaves + (size_t)i * (size_t)search->n_trees;
        find_leaves(search, rows + (size_t)i * (size_t)search->n_inputs, leaves);
        own[i] = own_variance(search);
        for (int k = 0; k < search->n_told; k++)
            search->covariance[(size_t)k * SL_KRIGING_ROWS + (size_t)i] = covariance(
                search, search->told_leaves + (size_t)k * (size_t)search->n_trees, leaves);
    }
    sl_kriging_predict(search->process, n, search->covariance, own, mean, variance);
    for (int i = 0; i < n; i++)
        dreams[i].believe = (float)((double)dreams[i].guess + mean[i] -
                                    search->options.optimism * sqrt(variance[i]));
}

static void guess(Search *search, int n, const float *rows, Dream *dreams) {
    float value[BATCH], doubt[BATCH];
    sl_flock_guess(search->flock, n, rows, value, doubt);
    for (int i = 0; i < n; i++)
        dreams[i].guess = value[i] + (float)search->options.doubt * doubt[i];
}

// ---- dreaming ----

static bool in_pool(const Search *search, uint64_t key) {
    for (int i = 0; i < search->n_pool; i++)
        if (search->pool[i].key == key) return true;
    return false;
}

static bool in_batch(const Search *search, int n, uint64_t key) {
    for (int i = 0; i < n; i++)
        if (search->batch[i].key == key) return true;
    return false;
}

// a dream of the batch to its place in the pool
static void keep_dream(Search *search, int at) {
    const Dream *dream = &search->batch[at];
    size_t width = (size_t)search->n_inputs;
    int most = (int)search->options.pool, place = search->n_pool;
    if (place == most && dream->believe >= search->pool[most - 1].believe) return;
    if (in_pool(search, dream->key)) return;
    if (place == most) place--;
    search->n_pool = place + 1;
    while (place > 0 && search->pool[place - 1].believe > dream->believe) {
        search->pool[place] = search->pool[place - 1];
        memcpy(search->pool_rows + (size_t)place * width,
               search->pool_rows + (size_t)(place - 1) * width, width * sizeof(float));
        place--;
    }
    search->pool[place] = *dream;
    memcpy(search->pool_rows + (size_t)place * width, search->batch_rows + (size_t)at * width,
           width * sizeof(float));
}

// a batch of points becomes dreams, and the better ones stay
static void take_batch(Search *search, int n) {
    if (n == 0) return;
    guess(search, n, search->batch_rows, search->batch);
    believe(search, n, search->batch_rows, search->batch);
    for (int i = 0; i < n; i++) keep_dream(search, i);
}

// point `n` of the batch as a dream; false where it was evaluated or dreamt of already
static bool see_point(Search *search, int n) {
    SlView view;
    Dream *dream = &search->batch[n];
    sl_task_view(search->task, dream->point, &view);
    dream->key = view.key;
    // whether a program can be made of it is known for free
    if (!search->space->accel && !sl_task_check(search->task, dream->point, NULL)) return false;
    if (sl_keyset_has(search->seen, view.key) || in_pool(search, view.key) ||
        in_batch(search, n, view.key))
        return false;
    sl_flock_see(search->task, dream->point, &view,
                 search->batch_rows + (size_t)n * (size_t)search->n_inputs);
    return true;
}

static int32_t other_value(SlRng *rng, int32_t n, int32_t value) {
    int32_t other = (int32_t)sl_rng_below(rng, (uint64_t)n - 1);
    return other + (other >= value);
}

static int32_t deviate(Search *search, const SlParam *param, int32_t value) {
    SlRng *rng = &search->rng;
    if (param->n < 2) return value;
    bool near = param->kind != SL_CATEGORICAL && sl_rng_uniform(rng) < search->options.near;
    if (!near) return other_value(rng, param->n, value);
    if (param->kind == SL_PERMUTATION) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(param->n_items, value, order);
        int i = (int)sl_rng_below(rng, (uint64_t)param->n_items);
        int j = other_value(rng, param->n_items, i);
        uint8_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
        return sl_permutation_number(param->n_items, order);
    }
    int64_t step = sl_rng_range(rng, 1, search->options.reach);
    int64_t moved = value + (sl_rng_next(rng) >> 63 ? step : -step);
    return (int32_t)(moved < 0 ? 0 : moved >= param->n ? param->n - 1 : moved);
}

// the policy's turn, now and then
static bool is_taught(Search *search) {
    return search->policy && sl_rng_uniform(&search->rng) < search->options.taught;
}

static int32_t draw_value(Search *search, const int32_t *point, int i) {
    if (is_taught(search) && search->policy->head[i] >= 0)
        return sl_flock_policy_draw(search->policy, point, i, &search->rng);
    return deviate(search, &search->space->params[i], point[i]);
}

// some agents deviate from a point
static void deviate_point(Search *search, const int32_t *from, int32_t *to) {
    const int n_params = search->space->n_params, n_agents = search->agents.n_agents;
    memcpy(to, from, (size_t)n_params * sizeof *to);
    do {
        int agent = (int)sl_rng_below(&search->rng, (uint64_t)n_agents);
        for (int i = 0; i < n_params; i++)
            if (search->agents.agent[i] == agent) to[i] = draw_value(search, to, i);
    } while (sl_rng_uniform(&search->rng) < search->options.more);
}

static void dream_point(Search *search, int32_t *point) {
    SlRng *rng = &search->rng;
    if (search->n_pool == 0 || sl_rng_uniform(rng) < search->options.fresh) {
        if (is_taught(search))
            sl_flock_policy_fresh(search->policy, rng, point);
        else
            sl_space_sample(search->space, rng, point);
        return;
    }
    // the better the more often
    double u = sl_rng_uniform(rng);
    int parent = (int)(u * u * search->n_pool);
    if (isfinite(search->best) && sl_rng_below(rng, 4) == 0)
        deviate_point(search, search->best_point, point);
    else
        deviate_point(search, search->pool[parent].point, point);
}

static void dream_round(Search *search) {
    int n = 0;
    for (int tries = 0; tries < 2 * BATCH && n < BATCH; tries++) {
        dream_point(search, search->batch[n].point);
        n += see_point(search, n);
    }
    take_batch(search, n);
}

// where dreams begin: the default, what was best on similar tasks
static void begin(Search *search) {
    const int n_params = search->space->n_params;
    const size_t bytes = (size_t)n_params * sizeof(int32_t);
    int32_t *points = SL_NEW(search->arena, MOST_SEEDS * n_params, int32_t);
    if (!points) return;
    int n = sl_flock_portfolio(search->flock, search->task, (int)search->options.portfolio, points);
    int filled = 0;
    sl_task_start(search->task, search->batch[0].point);
    filled += see_point(search, 0);
    for (int i = 0; i < n; i++) {
        memcpy(search->batch[filled].point, points + (size_t)i * (size_t)n_params, bytes);
        filled += see_point(search, filled);
        if (filled < BATCH && i + 1 < n) continue;
        take_batch(search, filled);
        filled = 0;
    }
    take_batch(search, filled);
}

// beliefs of the pool anew; what was evaluated goes
static void rethink(Search *search) {
    size_t width = (size_t)search->n_inputs;
    int n = search->n_pool;
    search->n_pool = 0;
    for (int first = 0; first < n; first += BATCH) {
        int count = 0;
        for (int i = first; i < n && i < first + BATCH; i++) {
            if (sl_keyset_has(search->seen, search->pool[i].key)) continue;
            search->batch[count] = search->pool[i];
            memcpy(search->batch_rows + (size_t)count * width,
                   search->pool_rows + (size_t)i * width, width * sizeof(float));
            count++;
        }
        believe(search, count, search->batch_rows, search->batch);
        for (int i = 0; i < count; i++) keep_dream(search, i);
    }
}

// marl from here on, with all that was told; false without memory
static bool hand_over(Search *search) {
    void *options = sl_arena_alloc(search->arena, 1, sl_method_marl.options_bytes);
    SlError err;
    if (!options) return false;
    sl_options_init(sl_method_marl.options, options);
    // a flock of programs uses no draft, and so does who goes on
    if (!sl_task_kind(search->task)->maps &&
        sl_options_set(sl_method_marl.options, options, "sight", "reuse", &err) != SL_OK)
        return false;
    search->marl = sl_method_marl.make(&search->setup, options, search->arena);
    if (!search->marl) return false;
    sl_method_marl.meet(search->marl, (int)search->options.points, search->told_points,
                        search->told);
    return true;
}

static int ask(void *state, int room, int32_t *points) {
    Search *search = state;
    if (!search->marl && search->samples >= search->options.points) hand_over(search);
    if (search->marl) return sl_method_marl.ask(search->marl, room, points);
    bool first = search->n_pool == 0 && search->samples == 0;
    if (first)
        begin(search);
    else
        rethink(search);
    int64_t rounds = first ? search->options.first : search->options.later;
    for (int64_t i = 0; i < rounds; i++) dream_round(search);
    if (search->n_pool == 0) return 0;
    memcpy(points, search->pool[0].point, (size_t)search->space->n_params * sizeof *points);
    return 1;
}

// ---- learning ----

// what the critic got wrong about a point
static void learn_error(Search *search, const int32_t *point, const SlView *view, double score) {
    const int at = search->n_told++;
    float *row = search->batch_rows, value;
    uint8_t *leaves = search->told_leaves + (size_t)at * (size_t)search->n_trees;
    double before[SL_KRIGING_MAX_POINTS];
    sl_flock_see(search->task, point, view, row);
    sl_flock_guess(search->flock, 1, row, &value, NULL);
    if (at == 0) search->origin = score - (double)value;
    search->error[at] = score - (double)value - search->origin;
    find_leaves(search, row, leaves);
    for (int k = 0; k < at; k++)
        before[k] =
            covariance(search, search->told_leaves + (size_t)k * (size_t)search->n_trees, leaves);
    sl_kriging_add(search->process, before, own_variance(search) + NOISE2);
}

static void tell(void *state, int n, const int32_t *points, const SlSample *samples) {
    Search *search = state;
    if (search->marl) {
        sl_method_marl.tell(search->marl, n, points, samples);
        return;
    }
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * search->space->n_params;
        const bool legal = isfinite(samples[i].value);
        SlView view;
        sl_task_view(search->task, point, &view);
        sl_keyset_add(search->seen, view.key);
        if (search->samples < search->options.points) {
            search->told[search->samples] = samples[i];
            memcpy(search->told_points + (ptrdiff_t)search->samples * search->space->n_params,
                   point, (size_t)search->space->n_params * sizeof *point);
        }
        search->samples++;
        if (legal && samples[i].score < search->best) {
            search->best = samples[i].score;
            memcpy(search->best_point, point, (size_t)search->space->n_params * sizeof *point);
        }
        // what failed is as bad as anything the critic was taught; nothing is known before a value
        bool teaches = legal || isfinite(search->best);
        if (search->n_told < search->options.points && teaches)
            learn_error(search, point, &view,
                        legal ? samples[i].score : search->best + search->flock->cap);
    }
    if (search->options.residual) sl_kriging_teach(search->process, search->error);
}

const SlMethod sl_method_flock = {
    .name = "flock",
    .title = "agents and a critic taught before on other tasks of the evaluator",
    .source = "centralised training over tasks, decentralised execution; docs/methods/flock.md",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .learns = true,
    .needs = SL_NEEDS_FLOCK,
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};
