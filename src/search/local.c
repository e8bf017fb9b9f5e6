// local.c - local search: change a few parameters of the best point, keep what is not worse, begin
// anew when nothing comes of it.
//
// Stochastic hill climbing with sideways moves and random restarts (Hoos & Stuetzle, "Stochastic
// Local Search", 2005) as a (1 + lambda) strategy (Rechenberg 1973), and a memory of nests (Glover
// 1989): of points that decode to a nest seen before another one is drawn. Per round of `children`:
//
//   y_i = x with 1 + Geometric parameters changed    x = incumbent, drawn again while nest(y_i) is
//   y = the best y_i                                 known; x = best of `starts` uniform points
//   x = y if score(y) <= score(x)                    after `patience` samples without improvement
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "neighbour.h"
#include "search_inside.h"

typedef struct {
    const SlSpace *space;
    SlLocalOptions options;
    SlSteps steps;
    SlRng rng;
    SlNeighbours around;
    SlSeen seen;
    int32_t *incumbent;  // (n_params)
    double score;        // of the incumbent, INFINITY = none
    int32_t *child;      // (n_params) the best of this round
    double child_score;  // INFINITY = none yet
    int64_t drawn, born; // children of this round that were asked for, and told
    int64_t starts_left; // uniform points to ask for before climbing
    int64_t stale;       // samples since the incumbent became better
    bool begun;          // something was asked for
} Local;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    const SlSpace *space = sl_task_space(setup->task);
    Local *state = SL_NEW(arena, 1, Local);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const SlLocalOptions *chosen = &state->options;
    state->space = space;
    state->steps = (SlSteps){.more = chosen->more, .near = chosen->near, .reach = chosen->reach};
    state->incumbent = SL_NEW(arena, space->n_params, int32_t);
    state->child = SL_NEW(arena, space->n_params, int32_t);
    if (!state->incumbent || !state->child ||
        !sl_seen_init(&state->seen, setup->task, setup->budget, arena))
        return NULL;
    sl_neighbours_init(&state->around, space);
    state->score = state->child_score = INFINITY;
    state->starts_left = chosen->starts;
    char stream[160];
    snprintf(stream, sizeof stream, "local %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

// a point whose nest was not asked for before, if a few draws find one: neighbours first; where
// the neighbourhood is used up, any
static void propose(Local *state, bool start, int32_t *point) {
    int64_t redraws = state->options.redraws;
    for (int64_t i = 0; i <= 2 * redraws; i++) {
        if (start || i > redraws)
            sl_space_sample(state->space, &state->rng, point);
        else
            sl_neighbour_sample(&state->around, &state->steps, state->incumbent, &state->rng,
                                point);
        if (redraws == 0 || sl_seen_add(&state->seen, point)) return;
    }
}

static int ask(void *context, int room, int32_t *points) {
    Local *state = context;
    int n = 0, n_params = state->space->n_params;
    assert(room >= 1);
    state->begun = true;
    // neither starting points nor children depend on each other; the next round on their outcomes
    for (; n < room && state->starts_left > 0; n++, state->starts_left--)
        propose(state, true, points + (size_t)n * (size_t)n_params);
    if (n == 0)
        for (; n < room && (n == 0 || state->drawn < state->options.children); n++, state->drawn++)
            propose(state, isinf(state->score), points + (size_t)n * (size_t)n_params);
    return n;
}

// a better one, or one as good, becomes the incumbent
static void accept(Local *state, const int32_t *point, double score, int64_t n_samples) {
    state->stale = score < state->score ? 0 : state->stale + n_samples;
    if (score <= state->score) {
        state->score = score;
        memcpy(state->incumbent, point, (size_t)state->space->n_params * sizeof *point);
    }
    if (state->stale < state->options.patience) return;
    state->stale = 0;
    state->score = INFINITY;
    state->starts_left = state->options.starts;
}

// the best child stands for its round
static void tell_child(Local *state, const int32_t *point, double score) {
    if (score <= state->child_score) {
        state->child_score = score;
        memcpy(state->child, point, (size_t)state->space->n_params * sizeof *point);
    }
    if (++state->born < state->options.children) return;
    accept(state, state->child, state->child_score, state->born);
    state->drawn = state->born = 0;
    state->child_score = INFINITY;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    Local *state = context;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (size_t)i * (size_t)state->space->n_params;
        if (state->born < state->drawn)
            tell_child(state, point, samples[i].score);
        else
            accept(state, point, samples[i].score, 1);
    }
}

// a climb may begin where the run does
static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Local *state = context;
    if (!state->begun) state->starts_left = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (size_t)i * (size_t)state->space->n_params;
        sl_seen_add(&state->seen, point);
        accept(state, point, samples[i].score, 1);
    }
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(SlLocalOptions, "starts", starts, "10", 1, 1e6, "N",
                 "random points, of which the best starts a climb"),
    SL_OPT_REAL(SlLocalOptions, "more", more, "0.3", 0, 0.999, "P",
                "probability of changing one more parameter, applied repeatedly"),
    SL_OPT_REAL(SlLocalOptions, "near", near, "0.9", 0, 1, "P",
                "share of small changes: a few steps of a size, a swap of two loops of an order"),
    SL_OPT_WHOLE(SlLocalOptions, "reach", reach, "12", 1, 1e6, "N",
                 "largest step of a small size change"),
    SL_OPT_WHOLE(SlLocalOptions, "patience", patience, "200", 1, 1e12, "N",
                 "samples without improvement before a restart"),
    SL_OPT_WHOLE(SlLocalOptions, "redraws", redraws, "20", 0, 1e6, "N",
                 "redraws to avoid nests seen before; 0 = repeats are evaluated again"),
    SL_OPT_WHOLE(SlLocalOptions, "children", children, "1", 1, 1e6, "N",
                 "neighbours per round, of which the best may replace the incumbent"),
    {0},
};

const SlMethod sl_local_method = {
    .name = "local",
    .title = "local search with restarts and a memory of visited nests",
    .source = "Hoos & Stuetzle, Stochastic Local Search, 2005",
    .options = options_table,
    .options_bytes = sizeof(SlLocalOptions),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
