// bo.c - Bayesian optimisation: a Gaussian process learns the scores, and what is asked for next
// promises the largest expected improvement over the best (Jones, Schonlau & Welch 1998).
//
//   y = argmax over candidates c of E max(best - score(c), 0)       score(c) ~ N(mean, variance)
//
// in a trust region that doubles, halves and begins anew (TuRBO: Eriksson et al., "Scalable global
// optimization via local Bayesian optimization", 2019), measured by the parameters that differ from
// the best point (Casmopolitan: Wan et al., "Think global and act local", 2021). Candidates are
// neighbours of the best points, then neighbours of the best candidates, in rounds. Late samples
// come in batches: each believes what the process expects of those before it (the kriging believer
// of Ginsbourger, Le Riche & Carraro 2010).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bo_options.h"
#include "candidates.h"
#include "neighbour.h"
#include "search_inside.h"

enum { PARENTS = 4, SHORT = 16 }; // points that a round begins with; candidates for a batch

typedef struct {
    const SlSpace *space;
    SlBoOptions options;
    SlRng rng;
    SlNeighbours around;
    SlSight sight;
    SlKeySet *seen; // nests asked for
    SlRegion *region;
    SlCandidates candidates, shortlist;
    double *targets;       // (points) scores, and what a batch believes
    int32_t *queue;        // (batch, n_params) to be asked for
    int n_queue, at_queue; // length; next
    int64_t told;
    int64_t starts_left; // uniform points to ask for before the process is asked
    bool begun;          // something was asked for

    // the trust region
    double best;           // INFINITY = none
    double radius;         // parameters that may differ from the best
    int64_t better, worse; // samples in a row that were
} Bo;

static bool alloc_bo(Bo *state, SlArena *arena) {
    const SlBoOptions *options = &state->options;
    int n_params = state->space->n_params;
    state->targets = SL_NEW(arena, options->points, double);
    state->queue = SL_NEW(arena, options->batch * n_params, int32_t);
    state->seen = sl_keyset_make(4096, arena);
    return state->targets && state->queue && state->seen &&
           sl_candidates_make(&state->candidates, &state->sight, n_params, (int)options->candidates,
                              arena) &&
           sl_candidates_make(&state->shortlist, &state->sight, n_params, SHORT, arena);
}

// length scales for inputs of order one, longer the more of them there are (Hvarfner, Hellsten &
// Nardi, "Vanilla Bayesian optimization performs great in high dimensions", 2024)
static SlRegion *make_region(const Bo *state, SlArena *arena) {
    const SlBoOptions *options = &state->options;
    const SlSight *sight = &state->sight;
    int n_groups = sight->n > 0 ? sight->group[sight->n - 1] + 1 : 1;
    const SlGpShape shape = {.n_inputs = sight->n,
                             .group = sight->group,
                             .label = sight->label,
                             .room = (int)options->points,
                             .prior = {.length_mean = options->length + 0.5 * log(n_groups),
                                       .length_deviation = sqrt(3),
                                       .noise_mean = -6,
                                       .noise_deviation = 2}};
    SlRegion *region = sl_region_make(state->space->n_params, &shape, arena);
    if (!region) return NULL;
    region->every = options->every;
    region->growth = 0.1;
    region->evaluations = (int)options->evaluations;
    return region;
}

static void begin_region(Bo *state) {
    sl_region_clear(state->region);
    state->starts_left = state->options.starts;
    state->best = INFINITY;
    state->radius = state->around.n_free;
    state->better = state->worse = 0;
}

// whether there is memory for all that follows, before any work is done; a generous guess
static bool has_memory(const SlBoOptions *options, const SlTask *task, SlArena *arena) {
    size_t points = (size_t)options->points, rows = points + (size_t)options->candidates + SHORT;
    size_t inputs = (size_t)sl_sight_most((SlSightKind)options->sight, task);
    size_t numbers =
        3 * points * points + rows * (4 * inputs + (size_t)sl_task_space(task)->n_params + 80);
    size_t mark = sl_arena_mark(arena);
    bool there = sl_arena_alloc(arena, numbers + (1 << 14), sizeof(double));
    sl_arena_rewind(arena, mark);
    return there;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    if (!has_memory(options, setup->task, arena)) return NULL;
    Bo *state = SL_NEW(arena, 1, Bo);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    char stream[160];
    snprintf(stream, sizeof stream, "bo %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    state->space = sl_task_space(setup->task);
    sl_neighbours_init(&state->around, state->space);
    sl_sight_init(&state->sight, (SlSightKind)state->options.sight, setup->task, &state->rng);
    state->region = make_region(state, arena);
    if (!state->region || !alloc_bo(state, arena)) return NULL;
    begin_region(state);
    return state;
}

// --- candidates

static bool within_radius(const Bo *state, const int32_t *point, const int32_t *best) {
    int differing = 0;
    for (int i = 0; i < state->space->n_params; i++) differing += point[i] != best[i];
    return differing <= state->radius;
}

// a neighbour of `centre` in the trust region around `best`
static void add_neighbour(Bo *state, const int32_t *centre, const int32_t *best) {
    const SlBoOptions *options = &state->options;
    const SlSteps steps = {options->more, options->near, options->reach};
    int32_t point[SL_MAX_PARAMS];
    sl_neighbour_sample(&state->around, &steps, centre, &state->rng, point);
    if (within_radius(state, point, best))
        sl_candidates_add(&state->candidates, point, state->seen);
}

static void add_any(Bo *state) {
    int32_t point[SL_MAX_PARAMS];
    sl_space_sample(state->space, &state->rng, point);
    sl_candidates_add(&state->candidates, point, state->seen);
}

// around the best samples first, then around the best candidates
static void find_candidates(Bo *state) {
    SlCandidates *some = &state->candidates;
    const SlRegion *region = state->region;
    int rows[PARENTS], rounds = (int)state->options.rounds;
    int n_rows = sl_region_best(region, PARENTS, rows);
    const int32_t *best = sl_region_point(region, rows[0]);
    some->n = some->n_judged = 0;
    for (int round = 0; round < rounds; round++) {
        bool first = some->n == 0;
        int end = some->room * (round + 1) / rounds;
        if (!first) n_rows = sl_candidates_best(some, PARENTS, rows);
        for (int tries = 3 * (end - some->n); tries > 0 && some->n < end; tries--) {
            int row = rows[sl_rng_below(&state->rng, (uint64_t)n_rows)];
            if (first && sl_chance(&state->rng, state->options.uniform))
                add_any(state);
            else
                add_neighbour(state, first ? sl_region_point(region, row) : sl_candidate(some, row),
                              best);
        }
        if (some->n == 0) return; // everything around is known
        sl_candidates_judge(some, region->gp, state->best);
    }
}

// --- batches

static void queue_candidate(Bo *state, const SlCandidates *some, int row) {
    size_t n_params = (size_t)state->space->n_params;
    memcpy(state->queue + (size_t)state->n_queue++ * n_params, sl_candidate(some, row),
           n_params * sizeof *state->queue);
    sl_keyset_add(state->seen, some->keys[row]);
}

// choose one, believe that it will score what the process expects, judge the others again
static void choose_more(Bo *state, int batch) {
    SlCandidates *some = &state->shortlist;
    const SlRegion *region = state->region;
    SlGp *gp = region->gp;
    int row = 0;
    memcpy(state->targets, region->scores, (size_t)region->n * sizeof *region->scores);
    while (state->n_queue < batch && sl_gp_n(gp) < region->room) {
        state->targets[sl_gp_n(gp)] = some->means[row];
        sl_gp_add(gp, some->inputs + (ptrdiff_t)row * state->sight.n);
        sl_gp_teach(gp, state->targets);
        some->n_judged = 0;
        sl_candidates_judge(some, gp, state->best);
        if (sl_candidates_best(some, 1, &row) == 0 || sl_keyset_has(state->seen, some->keys[row]))
            break; // the one just chosen: nothing else promises as much
        queue_candidate(state, some, row);
    }
    while (sl_gp_n(gp) > region->n) sl_gp_drop(gp);
}

static void choose(Bo *state, int batch) {
    SlCandidates *some = &state->candidates;
    int rows[SHORT], n = sl_candidates_best(some, SHORT, rows);
    if (n == 0) return;
    state->shortlist.n = state->shortlist.n_judged = 0;
    for (int i = 0; i < n && batch > 1; i++)
        sl_candidates_add(&state->shortlist, sl_candidate(some, rows[i]), state->seen);
    state->shortlist.means[0] = some->means[rows[0]];
    queue_candidate(state, some, rows[0]);
    if (batch > 1) choose_more(state, batch);
}

// --- the method

// TuRBO: after some samples in a row that were better the region doubles, after some that were not
// it halves; when nothing is left of it another one begins
static void adapt_region(Bo *state) {
    if (state->better >= state->options.successes) {
        state->radius = fmin(2 * state->radius, state->around.n_free);
        state->better = 0;
    }
    if (state->worse >= state->options.failures) {
        state->radius /= 2;
        state->worse = 0;
        if (state->radius < 1) begin_region(state);
    }
}

// a uniform point whose nest was not asked for before, if a few draws find one
static void draw_start(Bo *state, int32_t *point) {
    for (int i = 0; i < 20; i++) {
        sl_space_sample(state->space, &state->rng, point);
        if (sl_keyset_add(state->seen, sl_task_key(state->sight.task, point))) return;
    }
}

static void fill_queue(Bo *state) {
    const SlBoOptions *options = &state->options;
    int64_t batch = 1 + state->told / options->single;
    state->n_queue = state->at_queue = 0;
    if (state->region->n >= 2 && state->around.n_free > 0) {
        sl_region_update(state->region);
        find_candidates(state);
        choose(state, (int)(batch < options->batch ? batch : options->batch));
    }
    if (state->n_queue == 0) draw_start(state, state->queue + state->n_queue++);
}

static int ask(void *context, int room, int32_t *points) {
    Bo *state = context;
    size_t n_params = (size_t)state->space->n_params;
    int n = 0;
    assert(room >= 1);
    state->begun = true;
    bool waiting = state->at_queue < state->n_queue;
    if (!waiting && state->starts_left == 0) adapt_region(state);
    // the starting points do not depend on each other
    for (; n < room && state->starts_left > 0; n++, state->starts_left--)
        draw_start(state, points + (size_t)n * n_params);
    if (!waiting && n == 0) fill_queue(state);
    for (; n < room && state->at_queue < state->n_queue; n++, state->at_queue++)
        memcpy(points + (size_t)n * n_params, state->queue + (size_t)state->at_queue * n_params,
               n_params * sizeof *points);
    return n;
}

static void tell_one(Bo *state, const int32_t *point, double score) {
    double inputs[SL_MAX_RELAXED];
    SlView view;
    sl_task_view(state->sight.task, point, &view);
    sl_sight_numbers(&state->sight, point, &view, inputs);
    sl_region_add(state->region, point, inputs, score);
    state->told++;
    bool better = score < state->best;
    state->better = better ? state->better + 1 : 0;
    state->worse = better ? 0 : state->worse + 1;
    if (better) state->best = score;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *outcomes) {
    Bo *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (size_t)i * (size_t)state->space->n_params, outcomes[i].score);
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Bo *state = context;
    if (!state->begun) state->starts_left = 0;
    for (int i = 0; i < n; i++)
        sl_keyset_add(state->seen, sl_task_key(state->sight.task,
                                               points + (ptrdiff_t)i * state->space->n_params));
    tell(context, n, points, samples);
}

const SlMethod sl_bo_method = {
    .name = "bo",
    .title = "Bayesian optimisation: Gaussian process, expected improvement, trust region",
    .source = "Jones, Schonlau & Welch 1998; Eriksson et al. (TuRBO) 2019",
    .options = sl_bo_options,
    .options_bytes = sizeof(SlBoOptions),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
