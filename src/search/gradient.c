// gradient.c - surrogate gradient search: networks learn the score of a relaxed point, chains walk
// down their slope, the best predicted nests are evaluated.
//
// After Mind Mappings (Hegde, Tsai, Huang, Chandra, Parashar, Fletcher, ASPLOS 2021), without its
// offline phase: the networks know the samples of this run and nothing else. Per round:
//
//   learn:   minibatches of all samples so far
//   jump:    x = a start, accepted as in annealing     start = uniform, or near one of the best
//   descend: x = x - rate g / |g|, `steps` times       g = slope of one network at x
//            every x is rounded to a point; its guess counts
//   verify:  `batch` nests never asked for: the best guesses, and what chains drawn at random found
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "descent.h"
#include "search_inside.h"

typedef struct {
    int64_t first, batch, pool;
    double explore, uniform;
    int64_t lessons, early;
    SlDescentOptions descent;
    SlSurrogateOptions model;
} Options;

enum {
    MOST_BATCH = 64,
    MOST_POOL = 64,
    MOST_REDRAWS = 40,      // uniform points to find a new nest
    MOST_LESSONS = 1000,    // minibatches between two rounds
    FEWEST_ROWS = 1000,     // samples that are kept
    MOST_NUMBERS = 1 << 22, // that are kept of samples
};

typedef struct {
    const SlSpace *space;
    Options options;
    int n_params;
    SlRng rng;
    SlLens lens;
    SlSeen seen;
    SlSurrogate *model;
    SlDescent descent;
    SlRanking pool; // best samples by score
    double *inputs; // (lens.n) of a sample
    int32_t *queue; // (MOST_BATCH, n_params) points of the round
    int n_queue, n_given;
    int64_t asked;  // points whose outcome is not told yet
    int64_t taught; // samples that the networks have had their minibatches for
} Gradient;

static SlRng stream(const SlMethodSetup *setup, const char *what) {
    char name[160];
    SlRng rng;
    snprintf(name, sizeof name, "gradient %s %s", what, setup->stream);
    sl_rng_init(&rng, setup->seed, name);
    return rng;
}

static bool make_model(Gradient *state, const SlMethodSetup *setup, SlArena *arena) {
    int n = state->lens.n > 0 ? state->lens.n : 1;
    int64_t most = setup->budget < MOST_NUMBERS / n ? setup->budget : MOST_NUMBERS / n;
    state->model =
        sl_surrogate_make(n, &state->options.model, most < FEWEST_ROWS ? FEWEST_ROWS : most,
                          stream(setup, "model"), arena);
    state->descent.rng = stream(setup, "descent");
    return state->model && sl_descent_make(&state->descent, &state->options.descent, &state->lens,
                                           &state->seen, state->model, arena);
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Gradient *state = SL_NEW(arena, 1, Gradient);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    state->space = sl_task_space(setup->task);
    state->n_params = sl_task_space(setup->task)->n_params;
    state->rng = stream(setup, "search");
    // too many columns, or none: uniform points only
    if (!sl_lens_init(&state->lens, setup->task)) state->lens = (SlLens){0};
    state->inputs = SL_NEW(arena, state->lens.n, double);
    state->queue = SL_NEW(arena, MOST_BATCH * state->n_params, int32_t);
    if (!state->inputs || !state->queue ||
        !sl_seen_init(&state->seen, setup->task, setup->budget, arena))
        return NULL;
    if (!sl_ranking_make(&state->pool, (int)state->options.pool, state->n_params, arena))
        return NULL;
    return make_model(state, setup, arena) ? state : NULL;
}

// --- a round

static int32_t *queue_row(const Gradient *state, int row) {
    return state->queue + (ptrdiff_t)row * state->n_params;
}

// a uniform point, of a new nest if a few draws find one
static void draw_uniform(Gradient *state, int32_t *point) {
    for (int i = 0; i < MOST_REDRAWS; i++) {
        sl_space_sample(state->space, &state->rng, point);
        if (sl_seen_add(&state->seen, point)) return;
    }
}

// the first minibatches count most: there are more of them while samples are few
static void learn(Gradient *state) {
    int64_t seen = sl_surrogate_n(state->model), fresh = seen - state->taught;
    double each = (double)state->options.lessons +
                  (double)state->options.early / (double)(seen > 0 ? seen : 1);
    sl_surrogate_learn(state->model, (int)fmin((double)fresh * each, MOST_LESSONS));
    state->taught = seen;
}

// chains with a new nest, the lowest guesses first; returns how many
static int sort_chains(const Gradient *state, int *order) {
    const SlChain *chains = state->descent.chains;
    int n = 0;
    for (int c = 0; c < state->descent.n_chains; c++) {
        if (isinf(chains[c].guess)) continue;
        int place = n++;
        for (; place > 0 && chains[c].guess < chains[order[place - 1]].guess; place--)
            order[place] = order[place - 1];
        order[place] = c;
    }
    return n;
}

// the next chain to verify: the lowest guess, or with chance `explore` any
static int take_chain(Gradient *state, int *n, int *order) {
    int place = 0;
    if (sl_chance(&state->rng, state->options.explore))
        place = (int)sl_rng_below(&state->rng, (uint64_t)*n);
    int chain = order[place];
    memmove(order + place, order + place + 1, (size_t)(--*n - place) * sizeof *order);
    return chain;
}

static void fill_queue(Gradient *state) {
    int order[SL_MOST_CHAINS], n = 0;
    state->n_queue = state->n_given = 0;
    if (state->lens.n > 0) {
        learn(state);
        sl_descent_round(&state->descent, &state->pool);
        n = sort_chains(state, order);
    }
    while (state->n_queue < state->options.batch && n > 0) {
        int32_t *point = queue_row(state, state->n_queue);
        if (sl_chance(&state->rng, state->options.uniform)) {
            draw_uniform(state, point);
        } else {
            const int32_t *met = state->descent.chains[take_chain(state, &n, order)].met;
            if (!sl_seen_add(&state->seen, met)) continue; // two chains met the same
            memcpy(point, met, (size_t)state->n_params * sizeof *point);
        }
        state->n_queue++;
    }
    if (state->n_queue == 0) draw_uniform(state, queue_row(state, state->n_queue++));
}

// --- the row

static int ask(void *context, int room, int32_t *points) {
    Gradient *state = context;
    int n = 0;
    assert(room >= 1);
    // the first points do not depend on each other
    for (; n < room && sl_surrogate_n(state->model) + state->asked < state->options.first; n++) {
        draw_uniform(state, points + (ptrdiff_t)n * state->n_params);
        state->asked++;
    }
    if (n > 0) return n;
    if (state->n_given == state->n_queue) fill_queue(state);
    for (; n < room && state->n_given < state->n_queue; n++)
        memcpy(points + (ptrdiff_t)n * state->n_params, queue_row(state, state->n_given++),
               (size_t)state->n_params * sizeof *points);
    state->asked += n;
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *outcomes) {
    Gradient *state = context;
    double nothing = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * state->n_params;
        if (state->asked > 0) state->asked--;
        if (state->lens.n > 0) sl_lens_point(&state->lens, point, state->inputs);
        sl_surrogate_add(state->model, state->lens.n > 0 ? state->inputs : &nothing,
                         outcomes[i].score);
        sl_ranking_add(&state->pool, state->n_params, outcomes[i].score, point);
    }
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Gradient *state = context;
    for (int i = 0; i < n; i++) sl_seen_add(&state->seen, points + (ptrdiff_t)i * state->n_params);
    tell(context, n, points, samples);
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "first", first, "30", 1, 1e6, "N", "uniform points before the first fit"),
    SL_OPT_WHOLE(Options, "batch", batch, "8", 1, MOST_BATCH, "N", "points evaluated per round"),
    SL_OPT_WHOLE(Options, "chains", descent.chains, "32", 1, SL_MOST_CHAINS, "N",
                 "parallel descents"),
    SL_OPT_WHOLE(Options, "steps", descent.steps, "5", 1, 1000, "N", "descent steps between jumps"),
    SL_OPT_REAL(Options, "rate", descent.rate, "0.1", 1e-6, 10, "X",
                "step length in the largest column, mean over the descents"),
    SL_OPT_REAL(Options, "noise", descent.noise, "0.1", 0, 10, "X",
                "random part of a step, relative to its length"),
    SL_OPT_REAL(Options, "elite", descent.elite, "0.5", 0, 1, "P",
                "share of jumps to the neighbourhood of good samples"),
    SL_OPT_WHOLE(Options, "pool", pool, "16", 1, MOST_POOL, "N", "good samples to jump to"),
    SL_OPT_REAL(Options, "heat", descent.heat, "50", 1e-9, 1e9, "X",
                "temperature of the first jumps"),
    SL_OPT_REAL(Options, "cool", descent.cool, "1", 0, 1, "X", "temperature factor every 50 jumps"),
    SL_OPT_REAL(Options, "explore", explore, "0.3", 0, 1, "P",
                "share of samples from any descent instead of the best estimate"),
    SL_OPT_REAL(Options, "uniform", uniform, "0.02", 0, 1, "P",
                "share of uniformly random samples"),
    SL_OPT_REAL(Options, "optimism", descent.optimism, "0", 0, 10, "X",
                "weight of the networks' disagreement, counted as gain"),
    SL_OPT_WHOLE(Options, "lessons", lessons, "2", 0, 100, "N", "minibatches per sample"),
    SL_OPT_WHOLE(Options, "early", early, "500", 0, 1e6, "N",
                 "further minibatches per sample, divided by the samples so far"),
    SL_OPT_WHOLE(Options, "hidden", model.hidden, "32", 1, 1024, "N",
                 "units per hidden layer (two layers)"),
    SL_OPT_REAL(Options, "learning", model.rate, "0.003", 1e-6, 1, "X", "learning rate"),
    SL_OPT_REAL(Options, "decay", model.decay, "0.01", 0, 1, "X", "weight decay"),
    SL_OPT_REAL(Options, "focus", model.focus, "0.3", 1e-6, 1e6, "X",
                "scale of the training target log(1 + (score - best) / focus)"),
    {0},
};

const SlMethod sl_gradient_method = {
    .name = "gradient",
    .title = "gradient descent on networks that predict the score of relaxed points",
    .source = "Hegde et al., Mind Mappings, ASPLOS 2021",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
