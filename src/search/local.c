// local.c - local search: change a few parameters of the best point, keep what is not worse, begin
// anew when nothing comes of it.
//
// Stochastic hill climbing with sideways moves and random restarts (Hoos & Stuetzle, "Stochastic
// Local Search", 2005), and a memory of nests (Glover 1989): of points that decode to a nest seen
// before another one is drawn. Per sample:
//
//   y = x with 1 + Geometric parameters changed      x = incumbent, drawn again while nest(y) is
//   x = y if score(y) <= score(x)                    known; x = best of `starts` uniform points
//                                                    after `patience` samples without improvement
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "search_inside.h"

typedef struct {
    const SlSpace *space;
    SlLocalOptions options;
    bool repair; // points that do not fit are made to fit
    SlRng rng;
    SlKeySet *seen;
    int n_free;              // parameters with a choice
    int free[SL_MAX_PARAMS]; // which
    int32_t *incumbent;      // (n_params)
    double score;            // of the incumbent, INFINITY = none
    int64_t starts_left;     // uniform points to ask for before climbing
    int64_t stale;           // samples since the incumbent became better
    int64_t asked;           // points whose outcome is not told yet
    bool begun;              // something was asked for
} Local;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    const SlSpace *space = setup->space;
    Local *state = SL_NEW(arena, 1, Local);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    state->space = space;
    state->repair = setup->illegal == SL_ILLEGAL_REPAIR;
    state->incumbent = SL_NEW(arena, space->n_params, int32_t);
    // a large budget need not be used up: the set grows
    size_t expected = setup->budget < 4096 ? (size_t)setup->budget : 4096;
    state->seen = sl_keyset_make(expected, arena);
    if (!state->incumbent || !state->seen) return NULL;
    for (int i = 0; i < space->n_params; i++)
        if (space->params[i].n > 1) state->free[state->n_free++] = i;
    state->score = INFINITY;
    state->starts_left = state->options.starts;
    char stream[160];
    snprintf(stream, sizeof stream, "local %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

static bool chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

static int32_t other_value(SlRng *rng, int32_t n, int32_t value) {
    int32_t other = (int32_t)sl_rng_below(rng, (uint64_t)n - 1);
    return other + (other >= value);
}

// 1..reach steps up or down; what leads beyond the ends stops there, or turns at the end itself
static int32_t near_value(SlRng *rng, int32_t n, int64_t reach, int32_t value) {
    int64_t step = sl_rng_range(rng, 1, reach);
    bool down = chance(rng, 0.5);
    if (value == (down ? 0 : n - 1)) down = !down;
    int64_t moved = value + (down ? -step : step);
    return (int32_t)(moved < 0 ? 0 : moved >= n ? n - 1 : moved);
}

// two loops change places
static int32_t near_order(SlRng *rng, int n_items, int32_t number) {
    uint8_t order[SL_N_DIMS];
    sl_permutation(n_items, number, order);
    int i = (int)sl_rng_below(rng, (uint64_t)n_items);
    int j = other_value(rng, n_items, i);
    uint8_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    return sl_permutation_number(n_items, order);
}

static int32_t changed_value(Local *state, const SlParam *param, int32_t value) {
    SlRng *rng = &state->rng;
    bool near = param->kind != SL_CATEGORICAL && chance(rng, state->options.near);
    if (!near) return other_value(rng, param->n, value);
    if (param->kind == SL_PERMUTATION) return near_order(rng, param->n_items, value);
    return near_value(rng, param->n, state->options.reach, value);
}

// a neighbour of the incumbent; in a space of one point the incumbent itself
static void draw_neighbour(Local *state, int32_t *point) {
    memcpy(point, state->incumbent, (size_t)state->space->n_params * sizeof *point);
    int n_changes = 1;
    while (n_changes < state->n_free && chance(&state->rng, state->options.more)) n_changes++;
    // the first places of a shuffle that is not finished
    for (int k = 0; k < n_changes && k < state->n_free; k++) {
        int pick = k + (int)sl_rng_below(&state->rng, (uint64_t)(state->n_free - k));
        int i = state->free[pick];
        state->free[pick] = state->free[k];
        state->free[k] = i;
        point[i] = changed_value(state, &state->space->params[i], point[i]);
    }
}

static bool is_new(Local *state, const int32_t *point) {
    SlMapping mapping;
    sl_space_mapping(state->space, point, state->repair, &mapping);
    return sl_keyset_add(state->seen, sl_mapping_key(state->space->layer, &mapping));
}

// a point whose nest was not asked for before, if a few draws find one: neighbours first; where
// the neighbourhood is used up, any
static void propose(Local *state, bool start, int32_t *point) {
    int64_t redraws = state->options.redraws;
    for (int64_t i = 0; i <= 2 * redraws; i++) {
        if (start || i > redraws)
            sl_space_sample(state->space, &state->rng, point);
        else
            draw_neighbour(state, point);
        if (redraws == 0 || is_new(state, point)) return;
    }
}

static int ask(void *context, int room, int32_t *points) {
    Local *state = context;
    int n = 0, n_params = state->space->n_params;
    assert(room >= 1);
    state->begun = true;
    // the starting points do not depend on each other; of neighbours each needs the last outcome
    for (; n < room && state->starts_left > 0; n++, state->starts_left--)
        propose(state, true, points + (size_t)n * (size_t)n_params);
    if (n == 0) {
        propose(state, isinf(state->score), points);
        n = 1;
    }
    state->asked += n;
    return n;
}

static void tell_one(Local *state, const int32_t *point, double score) {
    if (state->asked > 0)
        state->asked--;
    else
        is_new(state, point); // a guest: its nest is known from now on
    if (!state->begun) state->starts_left = 0;
    state->stale = score < state->score ? 0 : state->stale + 1;
    if (score <= state->score) {
        state->score = score;
        memcpy(state->incumbent, point, (size_t)state->space->n_params * sizeof *point);
    }
    if (state->stale < state->options.patience) return;
    state->stale = 0;
    state->score = INFINITY;
    state->starts_left = state->options.starts;
}

static void tell(void *context, int n, const int32_t *points, const SlOutcome *outcomes) {
    Local *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (size_t)i * (size_t)state->space->n_params, outcomes[i].score);
}

static const SlOption options_table[] = {
    {.name = "starts",
     .kind = SL_OPTION_INT,
     .offset = offsetof(SlLocalOptions, starts),
     .fallback = "10",
     .min = 1,
     .max = 1e6,
     .value = "N",
     .help = "random points of which the best begins a climb"},
    {.name = "more",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(SlLocalOptions, more),
     .fallback = "0.3",
     .min = 0,
     .max = 0.999,
     .value = "P",
     .help = "chance of changing one more parameter, again and again"},
    {.name = "near",
     .kind = SL_OPTION_REAL,
     .offset = offsetof(SlLocalOptions, near),
     .fallback = "0.9",
     .min = 0,
     .max = 1,
     .value = "P",
     .help = "share of changes that go a few steps (sizes) or swap two loops (orders)"},
    {.name = "reach",
     .kind = SL_OPTION_INT,
     .offset = offsetof(SlLocalOptions, reach),
     .fallback = "12",
     .min = 1,
     .max = 1e6,
     .value = "N",
     .help = "most steps of such a change of a size"},
    {.name = "patience",
     .kind = SL_OPTION_INT,
     .offset = offsetof(SlLocalOptions, patience),
     .fallback = "200",
     .min = 1,
     .max = 1e12,
     .value = "N",
     .help = "samples without improvement before a new start"},
    {.name = "redraws",
     .kind = SL_OPTION_INT,
     .offset = offsetof(SlLocalOptions, redraws),
     .fallback = "20",
     .min = 0,
     .max = 1e6,
     .value = "N",
     .help = "draws to get away from nests seen before; 0 = repeats are evaluated again"},
    {0},
};

const SlMethod sl_local_method = {
    .name = "local",
    .title = "local search with restarts that remembers the nests it has seen",
    .source = "Hoos & Stuetzle, Stochastic Local Search, 2005",
    .options = options_table,
    .options_bytes = sizeof(SlLocalOptions),
    .make = make,
    .ask = ask,
    .tell = tell,
};
