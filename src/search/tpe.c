// tpe.c - tree-structured Parzen estimator: Bergstra, Bardenet, Bengio & Kegl, "Algorithms for
// Hyper-Parameter Optimization", NIPS 2011.
//
// Known points are split by score into good ones and the others, and each part becomes a density:
// a mixture of kernels around its points and the uniform one. Per sample:
//
//   x_1..x_n ~ good(x)           with good(x), bad(x) either products over parameters of one
//   ask for the x_i with the     mixture each (2011), or one mixture of kernels over whole points
//   highest good(x) / bad(x)     (Falkner et al. 2018), in which parameters stay together
//
// among those whose nest was not asked for before. The good points are the best `share` of all,
// at most `good`; the others are represented by a uniform sample of at most `bad` of them.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "neighbour.h"
#include "parzen.h"
#include "search_inside.h"

typedef struct {
    bool joint; // one mixture over whole points
    int64_t starts;
    int64_t candidates;
    double share;
    int64_t good, bad;
    double prior; // weight of the uniform part, in points
    double keep, width, turn;
    int64_t patience; // samples without improvement, 0 = no end
    int64_t redraws;
} TpeOptions;

typedef struct {
    double score;
    int row;
} Known;

typedef struct {
    const SlSpace *space;
    TpeOptions options;
    SlRng rng, fate; // proposals; who of the bad is remembered
    SlParzen parzen;
    SlSeen seen;
    int32_t *points;         // (good + bad + 1, n_params) known points
    uint32_t *codes;         // the same as the kernels see them
    Known *top;              // (good + 1) the best, best first; of equal ones the younger
    int *bad;                // (bad) rows of a sample of those that fell out of the top
    int n_top, n_bad, spare; // rows in use; the one for the next point
    int64_t told, fallen;
    int32_t *candidates;                       // (candidates, n_params)
    uint32_t codes_of[SL_MAX_PARAMS];          // of a candidate
    double ratios[SL_MAX_PARAMS][SL_MAX_BINS]; // of a value: log of good over bad, NAN = not known
    double *merit; // (candidates) log of good over bad; -INFINITY = asked for before
    double *terms; // (good + bad + 1)
    int n_rows;
    uint32_t *centres; // (n_free, n_rows) by parameter: the good points, then the others
    int n_good, n_others;
    int64_t starts_left, stale;
    double best;
} Tpe;

static int32_t *point_of(const Tpe *state, int64_t row) {
    return state->points + row * state->space->n_params;
}

static uint32_t *code_of(const Tpe *state, int64_t row) {
    return state->codes + row * SL_MAX_PARAMS;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Tpe *state = SL_NEW(arena, 1, Tpe);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const TpeOptions *chosen = &state->options;
    int64_t n_params = sl_task_space(setup->task)->n_params,
            n_rows = chosen->good + chosen->bad + 1;
    state->space = sl_task_space(setup->task);
    state->points = SL_NEW(arena, n_rows * n_params, int32_t);
    state->codes = SL_NEW(arena, n_rows * SL_MAX_PARAMS, uint32_t);
    state->top = SL_NEW(arena, chosen->good + 1, Known);
    state->bad = SL_NEW(arena, chosen->bad, int);
    state->candidates = SL_NEW(arena, chosen->candidates * n_params, int32_t);
    state->merit = SL_NEW(arena, chosen->candidates, double);
    state->terms = SL_NEW(arena, n_rows, double);
    state->centres = SL_NEW(arena, n_rows * SL_MAX_PARAMS, uint32_t);
    state->n_rows = (int)n_rows;
    if (!state->points || !state->codes || !state->top || !state->bad || !state->candidates ||
        !state->merit || !state->terms || !state->centres ||
        !sl_seen_init(&state->seen, setup->task, setup->budget, arena))
        return NULL;
    const SlWidths widths = {.keep = chosen->keep, .width = chosen->width, .turn = chosen->turn};
    if (!sl_parzen_init(&state->parzen, sl_task_space(setup->task), &widths, arena)) return NULL;
    state->starts_left = chosen->starts;
    state->best = INFINITY;
    char stream[160];
    snprintf(stream, sizeof stream, "tpe %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    snprintf(stream, sizeof stream, "tpe bad %s", setup->stream);
    sl_rng_init(&state->fate, setup->seed, stream);
    return state;
}

// --- what is known

// codes of one parameter: of the good points, then of the others
static uint32_t *centres(const Tpe *state, int p) {
    return state->centres + (ptrdiff_t)p * state->n_rows;
}

static void split(Tpe *state) {
    double n = ceil(state->options.share * (double)state->told);
    int n_known = state->n_top + state->n_bad;
    state->n_good = (int)fmax(1, fmin(n, state->n_top));
    state->n_others = n_known - state->n_good;
    for (int p = 0; p < state->parzen.n; p++)
        for (int bin = 0; bin < SL_MAX_BINS; bin++) state->ratios[p][bin] = NAN;
    for (int i = 0; i < n_known; i++) {
        int row = i < state->n_top ? state->top[i].row : state->bad[i - state->n_top];
        for (int p = 0; p < state->parzen.n; p++) centres(state, p)[i] = code_of(state, row)[p];
    }
}

// a point falls out of the top: every one that did is remembered with the same chance
static void fall(Tpe *state, int row) {
    int64_t fallen = state->fallen++;
    if (state->n_bad < state->options.bad) {
        state->bad[state->n_bad++] = row;
        state->spare = state->n_top + state->n_bad;
        return;
    }
    state->spare = row;
    int64_t place = (int64_t)sl_rng_below(&state->fate, (uint64_t)fallen + 1);
    if (place >= state->n_bad) return;
    state->spare = state->bad[place];
    state->bad[place] = row;
}

static void learn(Tpe *state, const int32_t *point, double score) {
    int row = state->spare, place = state->n_top;
    memcpy(point_of(state, row), point, (size_t)state->space->n_params * sizeof *point);
    sl_parzen_code(&state->parzen, point, code_of(state, row));
    for (; place > 0 && state->top[place - 1].score >= score; place--)
        state->top[place] = state->top[place - 1];
    state->top[place] = (Known){.score = score, .row = row};
    state->told++;
    if (state->n_top < state->options.good)
        state->spare = ++state->n_top + state->n_bad;
    else
        fall(state, state->top[state->n_top].row);
}

static void forget(Tpe *state) {
    state->n_top = state->n_bad = state->spare = 0;
    state->told = state->fallen = state->stale = 0;
    state->best = INFINITY;
    state->starts_left = state->options.starts;
}

// --- densities, of a candidate whose codes are in place

// log of the mixture of n kernels over whole points, and the uniform one
static double joint_density(Tpe *state, int first, int n) {
    enum { NEGLIGIBLE = -40 }; // e^-40 of the largest
    const SlParzen *parzen = &state->parzen;
    double *terms = state->terms, uniform = log(state->options.prior);
    memset(terms, 0, (size_t)n * sizeof *terms);
    for (int p = 0; p < parzen->n; p++) {
        sl_kernel_add_logs(&parzen->kernels[p], state->codes_of[p], n, centres(state, p) + first,
                           terms);
        uniform += parzen->kernels[p].log_uniform;
    }
    double most = uniform, sum = 0;
    for (int i = 0; i < n; i++) most = fmax(most, terms[i]);
    for (int i = 0; i < n; i++)
        if (terms[i] - most > NEGLIGIBLE) sum += exp(terms[i] - most);
    sum += exp(uniform - most);
    return log(sum / (n + state->options.prior)) + most;
}

// log of a mixture over the values of one parameter
static double mixture(const Tpe *state, int p, int first, int n) {
    const SlKernel *kernel = &state->parzen.kernels[p];
    double prior = state->options.prior;
    double sum = sl_kernel_sum(kernel, state->codes_of[p], n, centres(state, p) + first);
    return log((sum + prior * kernel->uniform) / (n + prior));
}

static double joint_merit(Tpe *state) {
    return joint_density(state, 0, state->n_good) -
           joint_density(state, state->n_good, state->n_others);
}

// the product of mixtures, one per parameter; many candidates share values
static double apart_merit(Tpe *state) {
    double sum = 0;
    for (int p = 0; p < state->parzen.n; p++) {
        bool bins = state->parzen.kernels[p].rest;
        double *known = &state->ratios[p][bins ? state->codes_of[p] : 0];
        if (!bins || isnan(*known))
            *known = mixture(state, p, 0, state->n_good) -
                     mixture(state, p, state->n_good, state->n_others);
        sum += *known;
    }
    return sum;
}

// --- proposals

// the row of a good point, -1 = the uniform part of the mixture
static int pick_centre(Tpe *state) {
    double place = sl_rng_uniform(&state->rng) * (state->n_good + state->options.prior);
    return place < state->n_good ? state->top[(int)place].row : -1;
}

static void draw(Tpe *state, int32_t *point) {
    const SlParzen *parzen = &state->parzen;
    int row = pick_centre(state);
    for (int i = 0; i < state->space->n_params; i++) point[i] = 0;
    for (int p = 0; p < parzen->n; p++) {
        const SlKernel *kernel = &parzen->kernels[p];
        int i = parzen->free[p];
        if (p > 0 && !state->options.joint) row = pick_centre(state);
        point[i] = row < 0 ? (int32_t)sl_rng_below(&state->rng, (uint64_t)kernel->param->n)
                           : sl_kernel_sample(kernel, point_of(state, row)[i], &state->rng);
    }
}

// the candidate with the highest merit whose nest is new; NULL if there is none
static const int32_t *best_candidate(Tpe *state) {
    int n = (int)state->options.candidates, n_params = state->space->n_params;
    for (int i = 0; i < n; i++) {
        int32_t *point = state->candidates + (ptrdiff_t)i * n_params;
        draw(state, point);
        sl_parzen_code(&state->parzen, point, state->codes_of);
        state->merit[i] = state->options.joint ? joint_merit(state) : apart_merit(state);
    }
    for (int tried = 0; tried < n; tried++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (state->merit[i] > state->merit[best]) best = i;
        const int32_t *point = state->candidates + (ptrdiff_t)best * n_params;
        if (state->options.redraws == 0 || sl_seen_add(&state->seen, point)) return point;
        state->merit[best] = -INFINITY;
    }
    return NULL;
}

static void propose(Tpe *state, bool start, int32_t *point) {
    int64_t redraws = state->options.redraws;
    if (!start) {
        split(state);
        for (int64_t i = 0; i <= redraws; i += state->options.candidates) {
            const int32_t *best = best_candidate(state);
            if (!best) continue;
            memcpy(point, best, (size_t)state->space->n_params * sizeof *point);
            return;
        }
    }
    // a start; or where candidates lead nowhere new, any point
    for (int64_t i = 0; i <= redraws; i++) {
        sl_space_sample(state->space, &state->rng, point);
        if (redraws == 0 || sl_seen_add(&state->seen, point)) return;
    }
}

static int ask(void *context, int room, int32_t *points) {
    Tpe *state = context;
    int n = 0, n_params = state->space->n_params;
    assert(room >= 1);
    // the first points do not depend on each other; of the others each needs the last outcome
    for (; n < room && state->starts_left > 0; n++, state->starts_left--)
        propose(state, true, points + (size_t)n * (size_t)n_params);
    if (n == 0) {
        propose(state, state->n_top == 0, points);
        n = 1;
    }
    return n;
}

static void tell_one(Tpe *state, const int32_t *point, double score) {
    learn(state, point, score);
    state->stale = score < state->best ? 0 : state->stale + 1;
    state->best = fmin(state->best, score);
    if (state->options.patience > 0 && state->stale >= state->options.patience) forget(state);
}

static void tell(void *context, int n, const int32_t *points, const SlSample *outcomes) {
    Tpe *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (size_t)i * (size_t)state->space->n_params, outcomes[i].score);
}

// as good as a start
static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Tpe *state = context;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * state->space->n_params;
        sl_seen_add(&state->seen, point);
        if (state->starts_left > 0) state->starts_left--;
        tell_one(state, point, samples[i].score);
    }
}

static const SlOption options_table[] = {
    SL_OPT_FLAG(TpeOptions, "joint", joint,
                "one density over whole points instead of one per parameter", .fallback = "false"),
    SL_OPT_WHOLE(TpeOptions, "starts", starts, "10", 1, 1e6, "N",
                 "random points before the densities are used"),
    SL_OPT_WHOLE(TpeOptions, "candidates", candidates, "24", 1, 10000, "N",
                 "draws from the good density, of which the best is evaluated"),
    SL_OPT_REAL(TpeOptions, "share", share, "0.1", 0, 1, "P", "share of points that count as good"),
    SL_OPT_WHOLE(TpeOptions, "good", good, "25", 1, 10000, "N",
                 "points that count as good, at most"),
    SL_OPT_WHOLE(TpeOptions, "bad", bad, "64", 0, 10000, "N",
                 "other points remembered, at most (a random sample)"),
    SL_OPT_REAL(TpeOptions, "prior", prior, "1", 1e-6, 1e6, "X",
                "weight of the uniform part of a density, in points"),
    SL_OPT_REAL(TpeOptions, "keep", keep, "0.8", 0, 0.999, "P",
                "probability that a kernel keeps the value of its point"),
    SL_OPT_REAL(TpeOptions, "width", width, "0.1", 0, 10, "X",
                "kernel width over a list of sizes, as a share of the list"),
    SL_OPT_REAL(TpeOptions, "turn", turn, "0.5", 1e-6, 1, "X",
                "weight of an order per inverted pair of loops"),
    SL_OPT_WHOLE(TpeOptions, "patience", patience, "1000", 0, 1e12, "N",
                 "samples without improvement before everything is forgotten; 0 = never"),
    SL_OPT_WHOLE(TpeOptions, "redraws", redraws, "48", 0, 1e6, "N",
                 "redraws to avoid nests seen before; 0 = repeats are evaluated again"),
    {0},
};

const SlMethod sl_tpe_method = {
    .name = "tpe",
    .title = "tree-structured Parzen estimator: densities of good and of other points",
    .source = "Bergstra et al., NIPS 2011",
    .options = options_table,
    .options_bytes = sizeof(TpeOptions),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
