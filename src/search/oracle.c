// oracle.c - the optimum of a task's space, and the proof that it is one.
//
// No value is below its floor. Points that pass the check are measured in the order of their floors
// until the next floor is not below the best value: what was not measured cannot be better. Whoever
// knows no more than floors has to measure all points whose floor is below the optimum; this
// measures few others, as batches begin with one point and double. Equal floors: the smaller draft
// first. Where floors are 0 it measures everything.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "fresh.h"
#include "search_inside.h"

enum { MOST_POINTS = 1 << 22 };

typedef struct {
    double floor;
    float draft;
    uint32_t index;
} Candidate;

typedef struct {
    const SlSpace *space;
    SlFresh fresh;
    bool covered; // the space is small enough
    bool proved;
    int64_t n, at; // candidates, the next one
    int batch;     // most points of the next asking
    Candidate *candidates;
    double best; // least value
} Oracle;

static int by_floor(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->floor != y->floor) return x->floor < y->floor ? -1 : 1;
    if (x->draft != y->draft) return x->draft < y->draft ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// how many points pass the check; lists them where there is a list
static int64_t list(const SlTask *task, Candidate *candidates) {
    const SlSpace *space = sl_task_space(task);
    int32_t point[SL_MAX_PARAMS];
    int64_t n = 0;
    for (int64_t index = 0; index < space->n_points; index++) {
        sl_space_at(space, index, point);
        if (!sl_task_check(task, point, NULL)) continue;
        if (candidates)
            candidates[n] = (Candidate){.floor = sl_task_point_floor(task, point),
                                        .draft = (float)sl_task_draft(task, point),
                                        .index = (uint32_t)index};
        n++;
    }
    return n;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options;
    Oracle *state = SL_NEW(arena, 1, Oracle);
    if (!state || !sl_fresh_init(&state->fresh, setup, "oracle", true, arena)) return NULL;
    state->space = sl_task_space(setup->task);
    state->best = INFINITY;
    state->batch = 1;
    state->covered = state->space->n_points > 0 && state->space->n_points <= MOST_POINTS;
    if (!state->covered) return state;
    state->n = list(setup->task, NULL);
    state->candidates = SL_NEW(arena, state->n, Candidate);
    if (!state->candidates) return NULL;
    list(setup->task, state->candidates);
    qsort(state->candidates, (size_t)state->n, sizeof *state->candidates, by_floor);
    return state;
}

static int ask(void *context, int room, int32_t *points) {
    Oracle *state = context;
    int n = 0;
    if (room > state->batch) room = state->batch;
    if (state->batch < MOST_POINTS) state->batch *= 2;
    while (n < room && state->at < state->n && state->candidates[state->at].floor < state->best) {
        sl_space_at(state->space, state->candidates[state->at++].index, points);
        if (!sl_fresh_add(&state->fresh, points)) continue; // it was told without being asked for
        points += state->space->n_params;
        n++;
    }
    if (n == 0 && state->covered) state->proved = true;
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *measured) {
    Oracle *state = context;
    sl_fresh_tell(&state->fresh, n, points);
    for (int i = 0; i < n; i++) state->best = fmin(state->best, measured[i].value);
}

static bool proved(const void *state) {
    return ((const Oracle *)state)->proved;
}

static const SlOption options_table[] = {{0}};

const SlMethod sl_oracle_method = {
    .name = "oracle",
    .title = "proof of the optimum: evaluates every point that lower bounds cannot exclude",
    .source = "-",
    .options = options_table,
    .needs = SL_NEEDS_FLOORS,
    .make = make,
    .ask = ask,
    .tell = tell,
    .proved = proved,
};
