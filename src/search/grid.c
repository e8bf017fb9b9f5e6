// grid.c - grid search: a lattice that the budget walks over once, then a finer one.
//
// What a grid costs and why it loses to random points: Bergstra & Bengio, "Random Search for
// Hyper-Parameter Optimization", JMLR 13, 2012. Levels are dealt out one at a time, to the
// parameter with the largest weight / levels, as long as their product stays within the points of
// the lattice. k levels are the middles of k equal parts of the list of sizes; for spreads and
// orders the beginnings of the parts.
//
// The lattice of N points is walked in steps of the golden section (a whole number near 0.618 N
// without common divisor with N), so that every stretch of the walk lies evenly over it. The seed
// chooses where the walk begins, nothing else.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "neighbour.h"
#include "search_inside.h"

typedef struct {
    double fill, growth;
    double spread, size, order; // weights
    bool shuffle, check;
    int64_t redraws;
} Options;

// More points than anyone walks, and sums of two places fit into 64 bits.
static const double MOST_POINTS = 1e18;
enum { MOST_TRIES = 1 << 22 }; // in a row for a new point, where samples are dear

typedef struct {
    const SlSpace *space;
    Options options;
    SlRng rng;
    SlSeen seen;
    int32_t levels[SL_MAX_PARAMS];
    double target; // points that this lattice may have
    int64_t n;     // points that it has
    int64_t step;  // of the walk
    int64_t at;    // place of the walk, 0..n-1
    int64_t left;  // places not visited yet
    bool whole;    // the lattice is the whole space
    bool over;     // and was walked: nothing new is left
    bool once;     // samples are dear: no point twice, none that the check forbids
} Grid;

// --- the lattice

static double weight(const Grid *state, int i) {
    SlParamKind kind = state->space->params[i].kind;
    const Options *chosen = &state->options;
    if (kind == SL_CATEGORICAL) return chosen->spread;
    return kind == SL_ORDINAL ? chosen->size : chosen->order;
}

// the parameter that gets the next level, -1 = none may have one
static int next_level(const Grid *state, double n_points) {
    int best = -1;
    double most = -1;
    for (int i = 0; i < state->space->n_params; i++) {
        int32_t k = state->levels[i];
        double worth = weight(state, i) / k;
        if (k >= state->space->params[i].n || worth <= most) continue;
        if (n_points / k * (k + 1) > state->target) continue;
        best = i;
        most = worth;
    }
    return best;
}

static void deal_levels(Grid *state) {
    double n_points = 1;
    for (int i = 0; i < state->space->n_params; i++) state->levels[i] = 1;
    for (int i; (i = next_level(state, n_points)) >= 0;) {
        n_points = n_points / state->levels[i] * (state->levels[i] + 1);
        state->levels[i]++;
    }
    state->n = 1;
    state->whole = true;
    for (int i = 0; i < state->space->n_params; i++) {
        state->n *= state->levels[i];
        state->whole = state->whole && state->levels[i] == state->space->params[i].n;
    }
}

static int64_t common_divisor(int64_t a, int64_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

static void begin_walk(Grid *state) {
    const double golden = 0.6180339887498949;
    state->left = state->n;
    state->at = 0;
    if (state->options.shuffle) state->at = (int64_t)sl_rng_below(&state->rng, (uint64_t)state->n);
    state->step = (int64_t)((double)state->n * golden);
    if (state->step < 1) state->step = 1;
    while (common_divisor(state->step, state->n) != 1) state->step++;
}

// a finer lattice, if there is one
static void refine(Grid *state) {
    int64_t before = state->n;
    if (state->whole) state->over = true;
    while (!state->whole && state->n == before && state->target < MOST_POINTS) {
        state->target = fmin(state->target * state->options.growth, MOST_POINTS);
        deal_levels(state);
    }
    begin_walk(state);
}

// the value of level j of k
static int32_t level_value(const SlParam *param, int32_t k, int32_t j) {
    int64_t twice = 2 * (int64_t)j + (param->kind == SL_ORDINAL);
    return (int32_t)(twice * param->n / (2 * (int64_t)k));
}

// the point at a place: its digits in the base of the levels
static void place_point(const Grid *state, int64_t place, int32_t *point) {
    for (int i = 0; i < state->space->n_params; i++) {
        int32_t k = state->levels[i];
        point[i] = level_value(&state->space->params[i], k, (int32_t)(place % k));
        place /= k;
    }
}

// --- the method

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Grid *state = SL_NEW(arena, 1, Grid);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    state->space = sl_task_space(setup->task);
    state->once = sl_task_kind(setup->task)->dear;
    if (!sl_seen_init(&state->seen, setup->task, setup->budget, arena)) return NULL;
    char stream[160];
    snprintf(stream, sizeof stream, "grid %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    state->target = fmax(1, fmin((double)setup->budget * state->options.fill, MOST_POINTS));
    deal_levels(state);
    begin_walk(state);
    return state;
}

static void step(Grid *state, int32_t *point) {
    if (state->left == 0) refine(state);
    place_point(state, state->at, point);
    state->at += state->step;
    if (state->at >= state->n) state->at -= state->n;
    state->left--;
}

// the next point of the walk; false where points are asked for once and none is left
static bool next(Grid *state, int32_t *point) {
    const int64_t tries = state->once ? MOST_TRIES : state->options.redraws;
    // many points of a lattice may be one nest: pass over those that were asked for
    for (int64_t i = 0; i <= tries; i++) {
        step(state, point);
        if (state->over || tries == 0) break;
        if (state->options.check && !sl_task_check(state->seen.task, point, NULL)) continue;
        if (sl_seen_add(&state->seen, point)) return true;
    }
    return !state->once;
}

static int ask(void *context, int room, int32_t *points) {
    Grid *state = context;
    int n = 0;
    assert(room >= 1);
    while (n < room && next(state, points + (ptrdiff_t)n * state->space->n_params)) n++;
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    (void)context, (void)n, (void)points, (void)samples;
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Grid *state = context;
    (void)samples;
    for (int i = 0; i < n; i++)
        sl_seen_add(&state->seen, points + (ptrdiff_t)i * state->space->n_params);
}

static const SlOption options_table[] = {
    SL_OPT_REAL(Options, "fill", fill, "4", 0, 1e15, "X",
                "points of the first lattice per sample of the budget"),
    SL_OPT_REAL(Options, "growth", growth, "2", 1.001, 1e6, "X",
                "points of a lattice relative to the one before"),
    SL_OPT_REAL(Options, "spread", spread, "1", 0, 1e6, "W",
                "weight of spatial parameters in the choice of lattice levels"),
    SL_OPT_REAL(Options, "size", size, "1", 0, 1e6, "W",
                "weight of sizes in the choice of lattice levels"),
    SL_OPT_REAL(Options, "order", order, "0.1", 0, 1e6, "W",
                "weight of orders in the choice of lattice levels"),
    SL_OPT_FLAG(Options, "shuffle", shuffle, "start the walk over a lattice at a random point",
                .fallback = "true"),
    SL_OPT_WHOLE(Options, "redraws", redraws, "20", 0, 1e6, "N",
                 "points skipped to avoid nests seen before; 0 = repeats are evaluated"),
    SL_OPT_FLAG(Options, "check", check, "exclude points that fail the free check"),
    {0},
};

const SlMethod sl_grid_method = {
    .name = "grid",
    .title = "grid search: one lattice for the budget, then finer ones",
    .source = "see Bergstra & Bengio, JMLR 13, 2012",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
