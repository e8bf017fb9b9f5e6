// cmaes.c - CMA-ES over the relaxed form of points: a normal distribution that learns which
// parameters go together, with restarts in two regimes.
//
// Hansen, "The CMA evolution strategy: a tutorial" (2016) is the core (cma.c); the margin that
// keeps discrete parameters moving is that of Hamano et al. (2022, margin.c); restarts alternate
// between populations that double and small ones (BIPOP: Hansen 2009). Per generation:
//
//   x_k ~ N(mean, sigma^2 C), rounded to a point     k = 1..lambda; nests priced before are not
//   mean, sigma, C from the ranks of the scores      asked for again: their scores are known
//   margins; a new run where nothing improves
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "known.h"
#include "margin.h"
#include "search_inside.h"

typedef struct {
    int64_t population; // 0 = 4 + 3 ln n
    double sigma;
    int64_t starts;
    int64_t patience;
    double grow;
    bool small;
    double margin;
} Options;

enum {
    MOST_POPULATION = 256,
    MOST_IDLE = 15,    // generations without a new nest before a new run
    MOST_REDRAWS = 40, // uniform points to find a new nest where runs find none
};
static const double LEAST_SIGMA = 1e-9, MOST_SIGMA = 1e4;

typedef struct {
    const SlSpace *space;
    Options options;
    const SlTask *task;
    SlRng rng;
    SlRelax relax;
    SlKnown *known;
    SlCma cma;
    int n_params;

    // a generation: what was drawn, and which of it is asked for
    int n_drawn;     // 0 = none under way; while uniform points are drawn: those
    double *xs;      // (MOST_POPULATION, relax.n)
    int32_t *points; // (MOST_POPULATION, n_params)
    uint64_t *keys;  // (MOST_POPULATION)
    double *scores;  // (MOST_POPULATION)
    int *queue;      // (MOST_POPULATION) rows to ask for
    int n_queue, n_given, n_told;

    // a run of the strategy
    bool begun, running; // something was asked for; not drawing starting points
    int32_t *start;      // (n_params) best of the starting points
    double start_score;  // INFINITY = none
    int64_t starts_left;
    double best;       // of the run
    int64_t stale;     // samples since it became better
    int idle;          // generations without a new nest
    int n_large;       // runs with the growing population so far
    bool large;        // the present one is
    int64_t spent[2];  // samples of small and of large runs
    int64_t run_spent; // of the present run
} CmaEs;

static bool alloc_rows(CmaEs *state, SlArena *arena) {
    size_t rows = MOST_POPULATION;
    state->xs = SL_NEW(arena, rows * (size_t)state->relax.n, double);
    state->points = SL_NEW(arena, rows * (size_t)state->n_params, int32_t);
    state->keys = SL_NEW(arena, rows, uint64_t);
    state->scores = SL_NEW(arena, rows, double);
    state->queue = SL_NEW(arena, rows, int);
    state->start = SL_NEW(arena, state->n_params, int32_t);
    state->known = sl_known_make(arena);
    int n = state->relax.n > 0 ? state->relax.n : 1;
    return state->xs && state->points && state->keys && state->scores && state->queue &&
           state->start && state->known && sl_cma_make(&state->cma, n, MOST_POPULATION, arena);
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    CmaEs *state = SL_NEW(arena, 1, CmaEs);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    state->space = sl_task_space(setup->task);
    state->n_params = sl_task_space(setup->task)->n_params;
    state->task = setup->task;
    // too many columns, or none: uniform points only
    if (!sl_relax_init(&state->relax, sl_task_space(setup->task))) state->relax.n = 0;
    if (!alloc_rows(state, arena)) return NULL;
    state->start_score = INFINITY;
    state->starts_left = state->options.starts;
    char stream[160];
    snprintf(stream, sizeof stream, "cmaes %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

static uint64_t key_of(const CmaEs *state, const int32_t *point) {
    return sl_task_key(state->task, point);
}

// --- runs

static int first_population(const CmaEs *state) {
    int64_t given = state->options.population;
    return given ? (int)given : sl_cma_population(state->cma.n);
}

// population and width of the next run: whichever regime has spent less
static int next_regime(CmaEs *state, double *sigma) {
    double least = first_population(state);
    double large = least * pow(state->options.grow, state->n_large);
    *sigma = state->options.sigma;
    state->large =
        !state->options.small || state->n_large == 0 || state->spent[1] <= state->spent[0];
    if (state->large) {
        state->n_large++;
        return (int)fmin(large, MOST_POPULATION);
    }
    double u = sl_rng_uniform(&state->rng);
    *sigma *= pow(10, -2 * sl_rng_uniform(&state->rng));
    return (int)fmin(least * pow(fmax(0.5 * large / least, 1), u * u), MOST_POPULATION);
}

static void begin_run(CmaEs *state) {
    double mean[SL_MAX_RELAXED], sigma = 0;
    int lambda = next_regime(state, &sigma);
    if (isfinite(state->start_score))
        sl_relax_point(&state->relax, state->start, mean);
    else
        for (int i = 0; i < state->relax.n; i++) mean[i] = 0.5;
    sl_cma_start(&state->cma, lambda, mean, sigma);
    state->running = true;
    state->best = INFINITY;
    state->stale = state->run_spent = 0;
    state->idle = 0;
}

static void end_run(CmaEs *state) {
    if (state->large && state->run_spent == 0) state->n_large--; // nothing new: do not grow
    state->running = false;
    state->starts_left = state->options.starts;
    state->start_score = INFINITY;
}

// --- generations

static int32_t *row_point(CmaEs *state, int row) {
    return state->points + (ptrdiff_t)row * state->n_params;
}

// a drawn row: known, the same as an earlier one, or to be asked for
static void enter_row(CmaEs *state, int row) {
    state->keys[row] = key_of(state, row_point(state, row));
    if (sl_known_find(state->known, state->keys[row], &state->scores[row])) return;
    for (int i = 0; i < row; i++)
        if (state->keys[i] == state->keys[row]) return;
    state->queue[state->n_queue++] = row;
}

static void clear_rows(CmaEs *state) {
    state->n_drawn = state->n_queue = state->n_given = state->n_told = 0;
}

static void draw_generation(CmaEs *state) {
    clear_rows(state);
    state->n_drawn = state->cma.lambda;
    for (int k = 0; k < state->n_drawn; k++) {
        double *x = state->xs + (ptrdiff_t)k * state->relax.n;
        sl_cma_draw(&state->cma, &state->rng, x);
        sl_relax_round(&state->relax, x, row_point(state, k));
        enter_row(state, k);
    }
}

// all scores are there: of repeats that of the first
static void fill_scores(CmaEs *state) {
    for (int k = 0; k < state->n_drawn; k++) {
        if (sl_known_find(state->known, state->keys[k], &state->scores[k])) continue;
        for (int i = 0; i < k; i++)
            if (state->keys[i] == state->keys[k]) state->scores[k] = state->scores[i];
    }
}

// larger populations take as many generations
static double patience(const CmaEs *state) {
    double times = (double)state->cma.lambda / first_population(state);
    return (double)state->options.patience * fmax(times, 1);
}

static void end_generation(CmaEs *state) {
    int lambda = state->cma.lambda;
    double best = state->best;
    fill_scores(state);
    state->idle = state->n_queue == 0 ? state->idle + 1 : 0;
    state->spent[state->large] += state->n_queue;
    state->run_spent += state->n_queue;
    for (int k = 0; k < lambda; k++) best = fmin(best, state->scores[k]);
    state->stale = best < state->best ? 0 : state->stale + state->n_queue;
    state->best = best;
    bool sound = sl_cma_update(&state->cma, state->xs, state->scores);
    clear_rows(state);
    bool wide = state->cma.sigma > LEAST_SIGMA && state->cma.sigma < MOST_SIGMA;
    if (!sound || !wide || (double)state->stale >= patience(state) || state->idle >= MOST_IDLE)
        end_run(state);
    else if (state->options.margin > 0)
        sl_margin_keep(&state->relax, fmin(state->options.margin / (state->relax.n * lambda), 0.3),
                       &state->cma);
}

// one uniform point, new if a few draws find one
static void draw_uniform(CmaEs *state) {
    clear_rows(state);
    state->n_drawn = 1;
    for (int i = 0; i < MOST_REDRAWS && state->n_queue == 0; i++) {
        sl_space_sample(state->space, &state->rng, row_point(state, 0));
        enter_row(state, 0);
    }
    if (state->n_queue == 0) state->queue[state->n_queue++] = 0;
}

// until there is something to ask for; runs that find nothing new give way to uniform points
static void draw_next(CmaEs *state) {
    for (int barren = 0; barren < 4 && state->relax.n > 0;) {
        if (state->starts_left > 0) {
            state->starts_left--;
            state->running = false;
            draw_uniform(state);
            return;
        }
        if (!state->running) begin_run(state);
        draw_generation(state);
        if (state->n_queue > 0) return;
        end_generation(state);
        barren += !state->running;
    }
    draw_uniform(state);
}

// --- the row

static int ask(void *context, int room, int32_t *points) {
    CmaEs *state = context;
    assert(room >= 1);
    state->begun = true;
    if (state->n_given == state->n_queue) {
        assert(state->n_told == state->n_given);
        draw_next(state);
    }
    int n = 0;
    size_t bytes = (size_t)state->n_params * sizeof *points;
    for (; n < room && state->n_given < state->n_queue; n++)
        memcpy(points + (ptrdiff_t)n * state->n_params,
               row_point(state, state->queue[state->n_given++]), bytes);
    return n;
}

static void offer_start(CmaEs *state, const int32_t *point, double score) {
    if (score >= state->start_score) return;
    state->start_score = score;
    memcpy(state->start, point, (size_t)state->n_params * sizeof *point);
}

static void tell_one(CmaEs *state, const int32_t *point, double score) {
    int row = state->queue[state->n_told++];
    state->scores[row] = score;
    sl_known_add(state->known, state->keys[row], score);
    if (!state->running) offer_start(state, point, score);
    if (state->n_told < state->n_queue) return;
    if (state->running)
        end_generation(state);
    else
        clear_rows(state);
}

static void tell(void *context, int n, const int32_t *points, const SlSample *outcomes) {
    CmaEs *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (ptrdiff_t)i * state->n_params, outcomes[i].score);
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    CmaEs *state = context;
    if (!state->begun) state->starts_left = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * state->n_params;
        sl_known_add(state->known, key_of(state, point), samples[i].score);
        if (!state->running) offer_start(state, point, samples[i].score);
    }
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "population", population, "0", 0, MOST_POPULATION, "N",
                 "points per generation of the first run; 0 = 4 + 3 ln(columns)"),
    SL_OPT_REAL(Options, "sigma", sigma, "0.2", 1e-6, 10, "X",
                "initial step size; every column of the encoding spans 0 to 1"),
    SL_OPT_WHOLE(Options, "starts", starts, "20", 0, 1e6, "N",
                 "uniform points, of which the best is the first mean of a run; 0 = the middle"),
    SL_OPT_WHOLE(Options, "patience", patience, "300", 1, 1e12, "N",
                 "samples without improvement before a restart"),
    SL_OPT_REAL(Options, "grow", grow, "2", 1, 10, "X",
                "population factor between large runs (IPOP)"),
    SL_OPT_FLAG(Options, "small", small,
                "alternate with runs of small population and step size (BIPOP)",
                .fallback = "true"),
    SL_OPT_REAL(Options, "margin", margin, "10", 0, 1000, "X",
                "smallest probability of a change, times columns and population; 0 = no margin"),
    {0},
};

const SlMethod sl_cmaes_method = {
    .name = "cmaes",
    .title = "covariance matrix adaptation (CMA-ES) on the relaxed encoding",
    .source = "Hansen, The CMA evolution strategy: a tutorial, 2016",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
