// dcoc.c - DCOC: Fayyazi, Kamal, Pedram, Dynamic co-optimization compiler (ASP-DAC 2025). Its code
// and most of its settings are not public; docs/methods/dcoc.md says what is reconstruction.
//
// Rounds of: fit a cost model to what was measured; three agents (hardware, scheduling, mapping)
// walk the knobs and learn from the model's rewards with one central critic; of all points they
// passed, Confidence Sampling picks a batch, which is measured.
#include "dcoc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELITE = 8, PROMISING = 32, DRAWS_MOST = 64, BESIDE = 4096, MEMBERS = 4 };

// What the walks of a round came by.
typedef struct {
    SlKeySet *seen;
    int32_t *points; // (room, n_params)
    double *values;  // (room)
    int n, room;
} Candidates;

typedef struct {
    SlMethodSetup setup;
    SlDcocOptions o;
    const SlSpace *space;
    SlArena *arena;
    SlRng rng;
    SlKeySet *asked;
    SlTrees *trees;
    SlEnv *env;
    SlMappo *mappo;
    int64_t told;
    int stale;                // rounds in a row that brought nothing better
    double best, best_before; // value; that of the round before

    // the plan: points that are still to be handed out
    int32_t *plan; // (batch, n_params)
    int n_plan, at_plan;

    // where walks begin: the best measured ones, and those that the model thought best in the round
    // before
    int32_t elite[ELITE][SL_MAX_PARAMS]; // best first
    double elite_value[ELITE];
    int n_elite;
    int32_t promising[PROMISING][SL_MAX_PARAMS];
    int n_promising;
    Candidates *candidates; // of the round at hand
} Dcoc;

// ---- what the environment asks ----

static void model(void *context, int n, const int32_t *points, double *scores) {
    sl_trees_predict(((Dcoc *)context)->trees, n, points, scores);
}

static void random_point(const Dcoc *d, SlRng *rng, int32_t *point) {
    for (int k = 0; k < d->space->n_params; k++)
        point[k] = (int32_t)sl_rng_below(rng, (uint64_t)d->space->params[k].n);
}

// ---- candidates ----

static bool candidates_make(const Dcoc *d, Candidates *c) {
    *c = (Candidates){.room = (int)(d->o.walkers * d->o.steps * d->o.rollouts) + BESIDE};
    c->seen = sl_keyset_make((size_t)c->room, d->arena);
    c->points = SL_NEW(d->arena, (size_t)c->room * (size_t)d->space->n_params, int32_t);
    c->values = SL_NEW(d->arena, (size_t)c->room, double);
    return c->seen && c->points && c->values;
}

static bool wanted(const Dcoc *d, const int32_t *point) {
    if (sl_keyset_has(d->asked, sl_task_key(d->setup.task, point))) return false;
    return !d->o.check || sl_task_check(d->setup.task, point, NULL);
}

static void collect(const Dcoc *d, int n, const int32_t *points, Candidates *c) {
    int n_params = d->space->n_params;
    for (ptrdiff_t i = 0; i < n && c->n < c->room; i++) {
        const int32_t *point = points + i * n_params;
        if (!sl_keyset_add(c->seen, sl_task_key(d->setup.task, point))) continue;
        if (!wanted(d, point)) continue;
        memcpy(c->points + (ptrdiff_t)c->n++ * n_params, point, (size_t)n_params * sizeof *point);
    }
}

// ---- where walks begin ----

// the one of a few random points that the model thinks best
static void promising_draw(Dcoc *d, SlRng *rng, int32_t *point) {
    int32_t points[DRAWS_MOST * SL_MAX_PARAMS];
    double scores[DRAWS_MOST];
    int n_params = d->space->n_params, n = (int)d->o.draws, best = 0;
    random_point(d, rng, points); // there is at least one
    for (ptrdiff_t i = 1; i < n; i++) random_point(d, rng, points + i * n_params);
    sl_trees_predict(d->trees, n, points, scores);
    for (int i = 1; i < n; i++)
        if (scores[i] > scores[best]) best = i;
    memcpy(point, points + (ptrdiff_t)best * n_params, (size_t)n_params * sizeof *point);
    if (n > 1 && d->candidates) collect(d, 1, point, d->candidates);
}

static void start(void *context, SlRng *rng, int32_t *point) {
    Dcoc *d = context;
    int n = d->n_elite + d->n_promising;
    if (n == 0 || sl_rng_uniform(rng) >= d->o.elite) {
        promising_draw(d, rng, point);
        return;
    }
    int i = (int)sl_rng_below(rng, (uint64_t)n);
    const int32_t *from = i < d->n_elite ? d->elite[i] : d->promising[i - d->n_elite];
    memcpy(point, from, (size_t)d->space->n_params * sizeof *point);
}

// ---- making ----

static bool make_model(Dcoc *d) {
    SlBoostOptions boost = sl_boost_defaults();
    boost.loss = SL_BOOST_SQUARED; // rewards need values, not an order
    boost.rounds = 200;
    boost.rate = 0.2;
    SlTreesSetup setup = {.sight = (SlTreeSight)d->o.sight,
                          .boost = boost,
                          .draft = d->o.prior == 1 && sl_task_has_draft(d->setup.task),
                          .check = d->o.check,
                          .members = d->o.trust == SL_TRUST_SPREAD ? MEMBERS : 0,
                          .history = d->o.transfer ? d->setup.history : NULL};
    d->trees = sl_trees_make(d->setup.task, &setup, d->setup.budget + d->o.batch, d->arena);
    return d->trees;
}

static bool make_agents(Dcoc *d) {
    SlCodesignEnvSetup env = {.task = d->setup.task,
                              .n_envs = (int)d->o.walkers,
                              .episode_steps = (int)d->o.steps,
                              .single = d->o.agents == 1,
                              .model = model,
                              .context = d,
                              .resources = 1,
                              .buffers = 1,
                              .structure = 1,
                              .start = start};
    SlMappoOptions mappo = {.steps = (int)d->o.steps,
                            .hidden = (int)d->o.hidden,
                            .actor_layers = 2,
                            .critic_layers = 3,
                            .rate = d->o.rate,
                            .gamma = d->o.gamma,
                            .lambda = d->o.lambda,
                            .clip = d->o.clip,
                            .value_weight = 1,
                            .entropy = d->o.entropy,
                            .temperature = 1,
                            .epochs = (int)d->o.epochs,
                            .minibatch = (int)d->o.minibatch,
                            .most_norm = d->o.most_norm,
                            .critic = (SlMappoCritic)d->o.critic};
    d->env = sl_codesign_env_make(&env, d->arena);
    if (!d->env) return false;
    d->mappo = sl_mappo_make(d->env, &mappo, d->setup.seed, d->setup.stream, d->arena);
    return d->mappo;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Dcoc *d = SL_NEW(arena, 1, Dcoc);
    if (!d) return NULL;
    *d = (Dcoc){.setup = *setup,
                .o = *(const SlDcocOptions *)options,
                .space = sl_task_space(setup->task),
                .arena = arena,
                .best = INFINITY,
                .best_before = INFINITY,
                .stale = -1}; // before the first round
    int64_t widest = d->o.batch > d->o.most ? d->o.batch : d->o.most;
    size_t most = (size_t)(widest > d->o.first ? widest : d->o.first);
    sl_rng_init(&d->rng, setup->seed, setup->stream);
    // never grows, since scratch of the same arena may lie above it
    d->asked = sl_keyset_make(2 * ((size_t)setup->budget + most), arena);
    d->plan = SL_NEW(arena, most * (size_t)d->space->n_params, int32_t);
    return d->asked && d->plan && make_model(d) && make_agents(d) ? d : NULL;
}

// ---- walks ----

typedef struct {
    double score;
    int index;
} Scored;

static int better_first(const void *a, const void *b) {
    const Scored *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->index - y->index;
}

// points (n) by the model's scores, best first; NULL without memory
static Scored *ranked(Dcoc *d, int n, const int32_t *points) {
    Scored *scored = SL_NEW(d->arena, (size_t)n, Scored);
    double *scores = SL_NEW(d->arena, (size_t)n, double);
    if (!scored || !scores) return NULL;
    sl_trees_predict(d->trees, n, points, scores);
    for (int i = 0; i < n; i++) scored[i] = (Scored){.score = scores[i], .index = i};
    qsort(scored, (size_t)n, sizeof *scored, better_first);
    return scored;
}

// later walks begin at the best of the new candidates and of those kept so far
static void keep_promising(Dcoc *d, const Candidates *c, int first) {
    int n_params = d->space->n_params, n = d->n_promising + c->n - first;
    size_t row = (size_t)n_params * sizeof(int32_t), mark = sl_arena_mark(d->arena);
    int32_t *points = SL_NEW(d->arena, (size_t)n * (size_t)n_params, int32_t);
    if (points && n > 0) {
        for (ptrdiff_t i = 0; i < d->n_promising; i++)
            memcpy(points + i * n_params, d->promising[i], row);
        memcpy(points + (ptrdiff_t)d->n_promising * n_params,
               c->points + (ptrdiff_t)first * n_params, (size_t)(c->n - first) * row);
        const Scored *scored = ranked(d, n, points);
        d->n_promising = 0;
        for (int i = 0; scored && i < n && d->n_promising < PROMISING; i++)
            memcpy(d->promising[d->n_promising++], points + (ptrdiff_t)scored[i].index * n_params,
                   row);
    }
    sl_arena_rewind(d->arena, mark);
}

// Before the first walk: what the model, then the draft alone, thinks best of up to `scan` points;
// all of a smaller space, else random ones.
static void scan(Dcoc *d) {
    enum { PIECE = 256 };
    int n_params = d->space->n_params;
    bool all = d->space->n_points > 0 && d->space->n_points <= d->o.scan;
    int64_t left = all ? d->space->n_points : d->o.scan, index = 0;
    size_t mark = sl_arena_mark(d->arena);
    Candidates c = {.points = SL_NEW(d->arena, (size_t)PIECE * (size_t)n_params, int32_t)};
    for (; c.points && left > 0; left -= PIECE) {
        for (c.n = 0; c.n < PIECE && c.n < left; c.n++) {
            int32_t *point = c.points + (ptrdiff_t)c.n * n_params;
            if (all)
                sl_space_at(d->space, index++, point);
            else
                random_point(d, &d->rng, point);
        }
        int valid = 0;
        for (ptrdiff_t i = 0; i < c.n; i++) {
            if (!wanted(d, c.points + i * n_params)) continue;
            memmove(c.points + (ptrdiff_t)valid++ * n_params, c.points + i * n_params,
                    (size_t)n_params * sizeof *c.points);
        }
        c.n = valid;
        keep_promising(d, &c, 0);
    }
    sl_arena_rewind(d->arena, mark);
}

// a point with one or two knobs moved, if the moves stay inside
static void collect_moved(const Dcoc *d, const int32_t *from, int i, int by_i, int j, int by_j,
                          Candidates *c) {
    int32_t point[SL_MAX_PARAMS];
    memcpy(point, from, (size_t)d->space->n_params * sizeof *point);
    point[i] += by_i;
    point[j] += by_j;
    if (point[i] < 0 || point[i] >= d->space->params[i].n) return;
    if (point[j] < 0 || point[j] >= d->space->params[j].n) return;
    collect(d, 1, point, c);
}

// What lies beside the best measured points: any other value of one knob, and steps of two, since a
// larger block wants smaller tiles.
static void collect_neighbours(const Dcoc *d, Candidates *c) {
    int n_params = d->space->n_params;
    for (int e = 0; e < d->n_elite; e++) {
        const int32_t *from = d->elite[e];
        for (int i = 0; i < n_params; i++) {
            for (int32_t v = 0; v < d->space->params[i].n; v++)
                collect_moved(d, from, i, v - from[i], i, 0, c);
            for (int j = 0; j < i; j++)
                for (int way = 0; way < 4; way++)
                    collect_moved(d, from, i, way & 1 ? 1 : -1, j, way & 2 ? 1 : -1, c);
        }
    }
}

static void walk(Dcoc *d, Candidates *c) {
    double progress = (double)d->told / (double)d->setup.budget;
    for (int64_t r = 0; r < d->o.rollouts; r++) {
        int n, before = c->n;
        sl_mappo_walk(d->mappo);
        const int32_t *reached = sl_mappo_reached(d->mappo, &n);
        collect(d, n, reached, c);
        keep_promising(d, c, before);
        sl_mappo_learn(d->mappo, progress);
    }
}

// to mean 0 and variance 1, added to `values`
static void add_standard(int n, const double *from, double *values) {
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++) mean += from[i] / n;
    for (int i = 0; i < n; i++) square += (from[i] - mean) * (from[i] - mean) / n;
    for (int i = 0; i < n; i++) values[i] += (from[i] - mean) / (sqrt(square) + 1e-12);
}

static bool trust(Dcoc *d, Candidates *c) {
    double *part = SL_NEW(d->arena, (size_t)c->n, double);
    if (!part) return false;
    memset(c->values, 0, (size_t)c->n * sizeof *c->values);
    if (d->o.trust == SL_TRUST_SPREAD) {
        sl_trees_predict(d->trees, c->n, c->points, c->values);
        sl_trees_spread(d->trees, c->n, c->points, part);
        for (int i = 0; i < c->n; i++) c->values[i] -= d->o.doubt * part[i];
        return true;
    }
    if (d->o.trust != SL_TRUST_MODEL) {
        sl_mappo_values(d->mappo, c->n, c->points, part);
        if (d->o.trust == SL_TRUST_CRITIC) memcpy(c->values, part, (size_t)c->n * sizeof *part);
        if (d->o.trust == SL_TRUST_BOTH) add_standard(c->n, part, c->values);
    }
    if (d->o.trust != SL_TRUST_CRITIC) {
        sl_trees_predict(d->trees, c->n, c->points, part);
        if (d->o.trust == SL_TRUST_MODEL) memcpy(c->values, part, (size_t)c->n * sizeof *part);
        if (d->o.trust == SL_TRUST_BOTH) add_standard(c->n, part, c->values);
    }
    return true;
}

// ---- a plan ----

// points (n) into the plan, those that the model thinks best first, at most `most`
static bool order(Dcoc *d, int n, const int32_t *points, int most) {
    int n_params = d->space->n_params;
    const Scored *scored = ranked(d, n, points);
    for (int i = 0; scored && i < n && i < most; i++)
        memcpy(d->plan + (ptrdiff_t)d->n_plan++ * n_params,
               points + (ptrdiff_t)scored[i].index * n_params, (size_t)n_params * sizeof *points);
    return scored;
}

// the points that the model thinks best, which are then no candidates any more
static void pick_top(Dcoc *d, Candidates *c, int want) {
    int n_params = d->space->n_params, first = d->n_plan, left = 0;
    if (want == 0 || c->n == 0 || !order(d, c->n, c->points, want)) return;
    for (ptrdiff_t i = 0; i < c->n; i++) {
        const int32_t *point = c->points + i * n_params;
        bool taken = false;
        for (ptrdiff_t j = first; j < d->n_plan && !taken; j++)
            taken = !memcmp(d->plan + j * n_params, point, (size_t)n_params * sizeof *point);
        if (!taken)
            memmove(c->points + (ptrdiff_t)left++ * n_params, point,
                    (size_t)n_params * sizeof *point);
    }
    c->n = left;
    for (ptrdiff_t j = first; j < d->n_plan; j++)
        sl_keyset_add(d->asked, sl_task_key(d->setup.task, d->plan + j * n_params));
}

static bool pick_confident(Dcoc *d, const Candidates *c, int want) {
    SlConfidence confidence = {.task = d->setup.task,
                               .asked = d->asked,
                               .check = d->o.check,
                               .synthesis = (SlSynthesis)d->o.synthesis,
                               .threshold = (SlThreshold)d->o.threshold,
                               .temperature = d->o.temperature};
    if (c->n == 0 || want <= 0) return true;
    int32_t *points = SL_NEW(d->arena, (size_t)want * (size_t)d->space->n_params, int32_t);
    if (!points) return false;
    int n = sl_confidence_sample(&confidence, c->n, c->points, c->values, want, &d->rng, d->arena,
                                 points);
    return n >= 0 && order(d, n, points, want);
}

static bool pick_uniform(Dcoc *d, Candidates *c, int want) {
    int n_params = d->space->n_params;
    int32_t swap[SL_MAX_PARAMS];
    int n = c->n < want ? c->n : want;
    if (n <= 0) return true;
    size_t bytes = (size_t)n_params * sizeof *swap;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t j = i + (ptrdiff_t)sl_rng_below(&d->rng, (uint64_t)(c->n - i));
        memcpy(swap, c->points + i * n_params, bytes);
        memmove(c->points + i * n_params, c->points + j * n_params, bytes);
        memcpy(c->points + j * n_params, swap, bytes);
    }
    return order(d, n, c->points, want);
}

// distinct random points that are worth asking, at most `want`; gives up on crowded spaces
static void plan_random(Dcoc *d, int want) {
    int32_t point[SL_MAX_PARAMS];
    int n_params = d->space->n_params;
    for (int64_t tries = 0; want > 0 && tries < 20000; tries++) {
        random_point(d, &d->rng, point);
        if (!wanted(d, point)) continue;
        bool planned = false;
        for (int i = 0; i < d->n_plan && !planned; i++)
            planned =
                !memcmp(d->plan + (ptrdiff_t)i * n_params, point, (size_t)n_params * sizeof *point);
        if (planned) continue;
        memcpy(d->plan + (ptrdiff_t)d->n_plan++ * n_params, point,
               (size_t)n_params * sizeof *point);
        want--;
    }
}

// what walks and chance do not find any more: all that is left, in order
static void plan_rest(Dcoc *d, int want) {
    enum { SMALL = 1 << 22 };
    if (d->space->n_points == 0 || d->space->n_points > SMALL) return;
    for (int64_t i = 0; i < d->space->n_points && want > 0; i++) {
        int32_t *point = d->plan + (ptrdiff_t)d->n_plan * d->space->n_params;
        sl_space_at(d->space, i, point);
        if (!wanted(d, point)) continue;
        d->n_plan++;
        want--;
    }
}

// Measurements of a round: twice as many after every one that brought nothing, up to `most`.
static int batch_now(const Dcoc *d) {
    int64_t n = d->o.batch;
    for (int i = 0; i < d->stale && n < d->o.most; i++) n *= 2;
    if (n > d->o.most && d->stale > 0 && d->o.most > d->o.batch) n = d->o.most;
    return (int)n;
}

static void plan(Dcoc *d) {
    d->n_plan = d->at_plan = 0;
    d->stale = d->best < d->best_before ? 0 : d->stale + 1;
    d->best_before = d->best;
    int batch = batch_now(d);
    if (d->told > 0) sl_trees_fit(d->trees, &d->rng);
    if (!sl_trees_fitted(d->trees)) {
        plan_random(d, (int)d->o.first);
    } else {
        size_t mark = sl_arena_mark(d->arena);
        Candidates c;
        int random = (int)(d->o.explore * (double)batch + 0.5);
        int want = batch - random;
        if (candidates_make(d, &c)) {
            d->candidates = &c;
            if (d->told == 0) scan(d);
            for (int i = 0; i < d->n_promising; i++) collect(d, 1, d->promising[i], &c);
            if (d->o.neighbours) collect_neighbours(d, &c);
            walk(d, &c);
            d->candidates = NULL;
            int sure = d->o.pick == SL_PICK_TOP ? want : (int)(d->o.sure * (double)want + 0.5);
            pick_top(d, &c, sure);
            want -= d->n_plan;
            if (d->o.pick == SL_PICK_UNIFORM) pick_uniform(d, &c, want);
            if (d->o.pick == SL_PICK_CONFIDENCE && trust(d, &c)) pick_confident(d, &c, want);
        }
        sl_arena_rewind(d->arena, mark);
        plan_random(d, random);
    }
    if (d->n_plan == 0) plan_random(d, batch);
    if (d->n_plan == 0) plan_rest(d, batch);
}

static int ask(void *state, int room, int32_t *points) {
    Dcoc *d = state;
    int n_params = d->space->n_params;
    if (d->at_plan == d->n_plan) plan(d);
    int n = d->n_plan - d->at_plan < room ? d->n_plan - d->at_plan : room;
    for (int i = 0; i < n; i++) {
        const int32_t *point = d->plan + (ptrdiff_t)d->at_plan++ * n_params;
        memcpy(points + (ptrdiff_t)i * n_params, point, (size_t)n_params * sizeof *point);
        sl_keyset_add(d->asked, sl_task_key(d->setup.task, point));
    }
    return n;
}

static void remember(Dcoc *d, const int32_t *point, double value) {
    if (!isfinite(value) || (d->n_elite == ELITE && value >= d->elite_value[ELITE - 1])) return;
    int at = d->n_elite < ELITE ? d->n_elite++ : ELITE - 1;
    for (; at > 0 && d->elite_value[at - 1] > value; at--) {
        memcpy(d->elite[at], d->elite[at - 1], sizeof d->elite[at]);
        d->elite_value[at] = d->elite_value[at - 1];
    }
    memcpy(d->elite[at], point, (size_t)d->space->n_params * sizeof *point);
    d->elite_value[at] = value;
}

static void tell(void *state, int n, const int32_t *points, const SlSample *measured) {
    Dcoc *d = state;
    sl_trees_tell(d->trees, n, points, measured);
    d->told += n;
    for (ptrdiff_t i = 0; i < n; i++) {
        sl_keyset_add(d->asked, sl_task_key(d->setup.task, points + i * d->space->n_params));
        remember(d, points + i * d->space->n_params, measured[i].value);
        if (measured[i].value < d->best) d->best = measured[i].value;
    }
}

const SlMethod sl_method_dcoc = {
    .name = "dcoc",
    .title = "three agents, a central critic, Confidence Sampling",
    .source = "Fayyazi et al., ASP-DAC 2025 (reconstructed)",
    .options = sl_dcoc_options,
    .options_bytes = sizeof(SlDcocOptions),
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};

const SlMethod sl_method_dcoc_paper = {
    .name = "dcoc-paper",
    .title = "DCOC in its most literal form: rounds of 64, knobs alone, invalid points measured",
    .source = "Fayyazi et al., ASP-DAC 2025 (reconstructed)",
    .options = sl_dcoc_paper_options,
    .options_bytes = sizeof(SlDcocOptions),
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};
