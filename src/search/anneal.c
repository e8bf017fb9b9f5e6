// anneal.c - simulated annealing: walk to neighbours, worse ones too while it is warm.
//
// Kirkpatrick, Gelatt & Vecchi, "Optimization by Simulated Annealing", Science 220, 1983; geometric
// cooling, then warm again. Temperatures are in units of the mean loss m of the steps so far that
// were no gain (Johnson et al., Operations Research 37, 1989), so that neither the goal nor the
// space has to be known. Per sample, at place t of a cycle of L samples:
//
//   T = m hot (cold / hot)^(t / L)
//   y = x with 1 + Geometric parameters changed, drawn again while nest(y) is known
//   x = y if score(y) <= score(x), else with chance exp((score(x) - score(y)) / T)
//
// A cycle begins at the best of all (`from` best), where the walk is (stay) or at the best of
// `starts` uniform points (new).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "neighbour.h"
#include "search_inside.h"

typedef enum { FROM_BEST, FROM_STAY, FROM_NEW } From;
static const char *const from_names[] = {"best", "stay", "new", NULL};

typedef struct {
    int64_t starts;
    double hot, cold;
    int64_t length;
    double growth;
    int from;
    double more, near;
    int64_t reach, redraws;
} Options;

typedef struct {
    const SlSpace *space;
    Options options;
    SlSteps steps;
    SlRng rng;
    SlNeighbours around;
    SlSeen seen;
    int32_t *here, *best;     // (n_params) where the walk is; the best of all
    double score, best_score; // theirs, INFINITY = none
    int64_t starts_left;      // uniform points to ask for before the walk
    double loss_sum;          // of the steps that lost something
    int64_t n_losses;         // how many
    int64_t cycle, place;     // length of this cycle of cooling, samples of it that are over
    int64_t budget_left;
    bool begun;   // something was asked for
    bool walking; // what was asked for last is a step, not a starting point
} Anneal;

// the next cycle; one that would leave less than its own length of the budget takes the rest
static void begin_cycle(Anneal *state, double length) {
    double left = (double)(state->budget_left - state->starts_left);
    if (left > 0 && length > left / 2) length = left;
    state->cycle = length < 1 ? 1 : length > 1e15 ? (int64_t)1e15 : (int64_t)length;
    state->place = 0;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    const SlSpace *space = sl_task_space(setup->task);
    Anneal *state = SL_NEW(arena, 1, Anneal);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const Options *chosen = &state->options;
    state->space = space;
    state->steps = (SlSteps){.more = chosen->more, .near = chosen->near, .reach = chosen->reach};
    state->here = SL_NEW(arena, space->n_params, int32_t);
    state->best = SL_NEW(arena, space->n_params, int32_t);
    if (!state->here || !state->best ||
        !sl_seen_init(&state->seen, setup->task, setup->budget, arena))
        return NULL;
    sl_neighbours_init(&state->around, space);
    state->score = state->best_score = INFINITY;
    state->starts_left = chosen->starts;
    state->budget_left = setup->budget;
    begin_cycle(state, (double)chosen->length);
    char stream[160];
    snprintf(stream, sizeof stream, "anneal %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

// a point whose nest was not asked for before, if a few draws find one: neighbours first; where
// the neighbourhood is used up, any
static void propose(Anneal *state, bool start, int32_t *point) {
    int64_t redraws = state->options.redraws;
    for (int64_t i = 0; i <= 2 * redraws; i++) {
        if (start || i > redraws)
            sl_space_sample(state->space, &state->rng, point);
        else
            sl_neighbour_sample(&state->around, &state->steps, state->here, &state->rng, point);
        if (redraws == 0 || sl_seen_add(&state->seen, point)) return;
    }
}

static int ask(void *context, int room, int32_t *points) {
    Anneal *state = context;
    int n = 0, n_params = state->space->n_params;
    assert(room >= 1);
    state->begun = true;
    // the starting points do not depend on each other; of steps each needs the last outcome
    for (; n < room && state->starts_left > 0; n++, state->starts_left--)
        propose(state, true, points + (size_t)n * (size_t)n_params);
    state->walking = n == 0;
    if (state->walking) {
        propose(state, isinf(state->score), points);
        n = 1;
    }
    return n;
}

static double temperature(const Anneal *state) {
    const Options *chosen = &state->options;
    double done = (double)state->place / (double)state->cycle;
    double mean_loss = state->loss_sum / (double)state->n_losses;
    return mean_loss * chosen->hot * pow(chosen->cold / chosen->hot, done);
}

static void move_to(Anneal *state, const int32_t *point, double score) {
    size_t bytes = (size_t)state->space->n_params * sizeof *point;
    memmove(state->here, point, bytes);
    state->score = score;
    if (score > state->best_score) return;
    memmove(state->best, point, bytes);
    state->best_score = score;
}

static void reheat(Anneal *state) {
    if (state->options.from == FROM_BEST) move_to(state, state->best, state->best_score);
    if (state->options.from == FROM_NEW) {
        state->score = INFINITY;
        state->starts_left = state->options.starts;
    }
    begin_cycle(state, (double)state->cycle * state->options.growth);
}

// starting points and guests are taken where they are better, steps by the rule of Metropolis
static void tell_one(Anneal *state, const int32_t *point, double score, bool step) {
    double loss = score - state->score;
    bool taken = loss <= 0;
    if (!taken && step) {
        state->loss_sum += loss;
        state->n_losses++;
        taken = sl_chance(&state->rng, exp(-loss / temperature(state)));
    }
    if (taken) move_to(state, point, score);
    if (state->budget_left > 0) state->budget_left--;
    if (!step) return;
    if (++state->place >= state->cycle) reheat(state);
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    Anneal *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (size_t)i * (size_t)state->space->n_params, samples[i].score,
                 state->walking);
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Anneal *state = context;
    if (!state->begun) state->starts_left = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (size_t)i * (size_t)state->space->n_params;
        sl_seen_add(&state->seen, point);
        tell_one(state, point, samples[i].score, false);
    }
}

static const SlOption options_table[] = {
    SL_OPT_REAL(Options, "hot", hot, "0.05", 1e-9, 1e6, "T",
                "temperature at the start of a cycle, in mean losses of a step"),
    SL_OPT_REAL(Options, "cold", cold, "0.01", 1e-9, 1e6, "T",
                "temperature at the end of a cycle, in mean losses of a step"),
    SL_OPT_WHOLE(Options, "length", length, "1000", 1, 1e12, "N",
                 "samples of the first cooling cycle; at most the budget"),
    SL_OPT_REAL(Options, "growth", growth, "1", 1, 100, "X",
                "length of a cycle relative to the one before"),
    SL_OPT_CHOICE(Options, "from", from, "new", from_names, "WHERE",
                  "start of the next cycle: best (the best point), stay (the current point) or new "
                  "(new random points)"),
    SL_OPT_WHOLE(Options, "starts", starts, "10", 1, 1e6, "N",
                 "random points, of which the best starts the walk"),
    SL_OPT_REAL(Options, "more", more, "0.3", 0, 0.999, "P",
                "probability of changing one more parameter, applied repeatedly"),
    SL_OPT_REAL(Options, "near", near, "0.9", 0, 1, "P",
                "share of small changes: a few steps of a size, a swap of two loops of an order"),
    SL_OPT_WHOLE(Options, "reach", reach, "12", 1, 1e6, "N", "largest step of a small size change"),
    SL_OPT_WHOLE(Options, "redraws", redraws, "20", 0, 1e6, "N",
                 "redraws to avoid nests seen before; 0 = repeats are evaluated again"),
    {0},
};

const SlMethod sl_anneal_method = {
    .name = "anneal",
    .title = "simulated annealing with reheating",
    .source = "Kirkpatrick, Gelatt & Vecchi, Science 220, 1983",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
