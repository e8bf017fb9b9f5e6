// draft.c - draft, then verify: a free guess orders all points, measurements mend the guess.
//
// After Pruner (Qiao et al., ASPLOS 2025), which drafts candidates with a symbolic model and
// verifies them with a learned one. The first batch has the points with the least drafts; after
// every batch boosted trees learn log2 (value / draft) from what the program looks like, and
// candidates are put in the order of
//
//   draft 2^trees(features)
//
// Candidates are the `pool` points with the least drafts. In spaces of more valid points than that
// annealing on the same formula finds others. Points that fail the check are never asked for.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annealer.h"
#include "search_inside.h"
#include "starling/task/trees.h"

enum {
    MOST_LISTED = 1 << 21, // points of spaces that are listed whole
    FOUND = 64,            // candidates that annealing finds
    CHAINS = 128,          // its size, as AutoTVM has it
    STEPS = 500,
    PATIENCE = 50,
    BLOCK = 256,
};
static const double SHARP = 10;
static const double FAILS = -1e3; // below all others

typedef struct {
    int64_t batch, pool, rounds;
    double rate;
} Options;

typedef struct {
    double score; // higher is better
    uint64_t key;
    int row;    // of `points`
    bool found; // by annealing
} Candidate;

typedef struct {
    float draft;
    uint32_t index;
} Listed;

typedef struct {
    Options options;
    SlFresh fresh;
    SlTrees *trees;
    int64_t n_listed, next; // points by draft, the next one that becomes a candidate
    Listed *listed;         // NULL = there are too many
    SlAnnealer *annealer;
    int n, at;                // candidates, the next one
    Candidate *candidates;    // (pool + FOUND); those behind the first n own rows that are free
    int32_t *points;          // (pool + FOUND, n_params)
    int64_t n_told, n_fitted; // records, those of the last fit
} Draft;

// --- all points by their drafts

static int by_draft(const void *a, const void *b) {
    const Listed *x = a, *y = b;
    if (x->draft != y->draft) return x->draft < y->draft ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int64_t list(const SlTask *task, Listed *listed) {
    const SlSpace *space = sl_task_space(task);
    int32_t point[SL_MAX_PARAMS];
    int64_t n = 0;
    for (int64_t index = 0; index < space->n_points; index++) {
        sl_space_at(space, index, point);
        if (!sl_task_check(task, point, NULL)) continue;
        if (listed)
            listed[n] =
                (Listed){.draft = (float)sl_task_draft(task, point), .index = (uint32_t)index};
        n++;
    }
    return n;
}

static bool make_list(Draft *state, SlArena *arena) {
    const SlTask *task = state->fresh.task;
    state->n_listed = list(task, NULL);
    state->listed = SL_NEW(arena, state->n_listed, Listed);
    if (!state->listed) return false;
    list(task, state->listed);
    qsort(state->listed, (size_t)state->n_listed, sizeof *state->listed, by_draft);
    return true;
}

static SlTrees *make_trees(const SlMethodSetup *setup, const Options *options, SlArena *arena) {
    SlTreesSetup wanted = {
        .sight = SL_SEE_PROGRAM, .boost = sl_boost_defaults(), .draft = true, .check = true};
    wanted.boost.loss = SL_BOOST_SQUARED;
    wanted.boost.rounds = (int)options->rounds;
    wanted.boost.rate = options->rate;
    wanted.boost.patience = 0;
    return sl_trees_make(setup->task, &wanted, setup->budget, arena);
}

static bool make_candidates(Draft *state, SlArena *arena) {
    const int64_t room = state->options.pool + FOUND;
    state->candidates = SL_NEW(arena, room, Candidate);
    state->points = SL_NEW(arena, room * state->fresh.space->n_params, int32_t);
    if (!state->candidates || !state->points) return false;
    for (int64_t i = 0; i < room; i++) state->candidates[i].row = (int)i;
    return true;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Draft *state = SL_NEW(arena, 1, Draft);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const Options *chosen = &state->options;
    if (!sl_fresh_init(&state->fresh, setup, "draft", true, arena)) return NULL;
    const SlAnnealerSetup annealing = {
        .chains = CHAINS, .steps = STEPS, .patience = PATIENCE, .most = FOUND};
    state->annealer = sl_annealer_make(state->fresh.space, &annealing, arena);
    state->trees = make_trees(setup, chosen, arena);
    if (!state->annealer || !state->trees || !make_candidates(state, arena)) return NULL;
    const int64_t n_points = state->fresh.space->n_points;
    const bool small = n_points > 0 && n_points <= MOST_LISTED;
    return !small || make_list(state, arena) ? state : NULL;
}

// --- candidates

static int32_t *point_of(const Draft *state, const Candidate *candidate) {
    return state->points + (ptrdiff_t)candidate->row * state->fresh.space->n_params;
}

// the rows of what is dropped are free again
static void swap(Candidate *a, Candidate *b) {
    const Candidate aside = *a;
    *a = *b;
    *b = aside;
}

// what was seen, and what was found by the last trees
static void drop_old(Draft *state) {
    int n = 0;
    for (int i = 0; i < state->n; i++) {
        const Candidate *old = &state->candidates[i];
        if (!old->found && !sl_fresh_has(&state->fresh, point_of(state, old)))
            swap(&state->candidates[n++], &state->candidates[i]);
    }
    state->n = n;
}

static void add_candidate(Draft *state, const int32_t *point, bool found) {
    Candidate *next = &state->candidates[state->n++];
    next->score = 0;
    next->found = found;
    next->key = sl_task_key(state->fresh.task, point);
    memcpy(point_of(state, next), point, (size_t)state->fresh.space->n_params * sizeof *point);
}

static void add_listed(Draft *state) {
    int32_t point[SL_MAX_PARAMS];
    while (state->n < state->options.pool && state->next < state->n_listed) {
        sl_space_at(state->fresh.space, state->listed[state->next++].index, point);
        if (!sl_fresh_has(&state->fresh, point)) add_candidate(state, point, false);
    }
}

// as logarithms, so that a loss of a tenth is much at the first temperature of annealing
static void predict(void *context, int n, const int32_t *points, double *scores) {
    sl_trees_predict(context, n, points, scores);
    for (int i = 0; i < n; i++) scores[i] = fmax(SHARP * log2(scores[i]), FAILS);
}

// what the trees like, where there are more points than candidates; some may be among these already
static void add_found(Draft *state) {
    if (state->listed && (state->next == state->n_listed || state->n_fitted == 0)) return;
    int32_t found[FOUND * SL_MAX_PARAMS];
    int n = sl_annealer_find(state->annealer, &state->fresh, predict, state->trees, found);
    if (n == 0 && state->n == 0 && sl_fresh_draw(&state->fresh, found)) n = 1;
    for (ptrdiff_t i = 0; i < n; i++)
        add_candidate(state, found + i * state->fresh.space->n_params, true);
}

static int best_first(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

static void rank(Draft *state) {
    int32_t points[BLOCK * SL_MAX_PARAMS];
    double scores[BLOCK];
    const int n_params = state->fresh.space->n_params;
    for (int begin = 0; begin < state->n; begin += BLOCK) {
        const int n = state->n - begin < BLOCK ? state->n - begin : BLOCK;
        for (int i = 0; i < n; i++)
            memcpy(points + (ptrdiff_t)i * n_params, point_of(state, &state->candidates[begin + i]),
                   (size_t)n_params * sizeof *points);
        sl_trees_predict(state->trees, n, points, scores);
        for (int i = 0; i < n; i++) state->candidates[begin + i].score = scores[i];
    }
    qsort(state->candidates, (size_t)state->n, sizeof *state->candidates, best_first);
    state->at = 0;
}

// fit after every batch, and order what is left
static void update(Draft *state) {
    const bool learn = state->n_told >= state->n_fitted + state->options.batch;
    if (!learn && state->at < state->n) return;
    if (learn) {
        sl_trees_fit(state->trees, &state->fresh.rng);
        state->n_fitted = state->n_told;
    }
    drop_old(state);
    add_listed(state);
    add_found(state);
    rank(state);
}

// --- the tuner

// the next candidate that is new; false if there are none
static bool next_point(Draft *state, int32_t *point) {
    while (state->at < state->n) {
        memcpy(point, point_of(state, &state->candidates[state->at++]),
               (size_t)state->fresh.space->n_params * sizeof *point);
        if (!sl_fresh_has(&state->fresh, point)) return true;
    }
    return false;
}

static int ask(void *context, int room, int32_t *points) {
    Draft *state = context;
    assert(room >= 1);
    int n = 0;
    update(state);
    if (room > state->options.batch) room = (int)state->options.batch;
    while (n < room) {
        if (!next_point(state, points)) {
            update(state);
            if (!next_point(state, points)) break;
        }
        sl_fresh_add(&state->fresh, points);
        points += state->fresh.space->n_params;
        n++;
    }
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *measured) {
    Draft *state = context;
    sl_fresh_tell(&state->fresh, n, points);
    sl_trees_tell(state->trees, n, points, measured);
    state->n_told += n;
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "batch", batch, "8", 1, 4096, "N", "measurements between fits"),
    SL_OPT_WHOLE(Options, "pool", pool, "4096", 1, 2000000, "N",
                 "candidates: the points with the smallest draft estimates"),
    SL_OPT_WHOLE(Options, "rounds", rounds, "100", 1, 10000, "N",
                 "trees that learn the error of the draft"),
    SL_OPT_REAL(Options, "rate", rate, "0.3", 0.001, 1, "X", "learning rate of the trees"),
    {0},
};

const SlMethod sl_draft_method = {
    .name = "draft",
    .title = "closed-form estimate (draft), corrected by what was measured",
    .source = "after Pruner: Qiao et al., ASPLOS 2025",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .needs = SL_NEEDS_DRAFT,
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};
