// autotvm.c - AutoTVM: boosted trees, simulated annealing on them, plans of points.
//
// Chen et al., "Learning to Optimize Tensor Programs", NeurIPS 2018; numbers and order of things as
// in TVM 0.9 (autotvm/tuner/model_based_tuner.py, sa_model_optimizer.py, xgboost_tuner.py). After
// every `plan` measurements the trees are fitted to all of them and annealing finds the `plan`
// points that they like best; these are asked for in order, and random ones instead of the last
// `epsilon` of them. The first plan is random, or that of a model of other tasks.
#include <math.h>
#include <string.h>

#include "annealer.h"
#include "search_inside.h"
#include "starling/task/trees.h"

static const char *const loss_names[] = {"squared", "rank", NULL}; // SlBoostLoss

typedef struct {
    int64_t plan, chains, steps, patience, rounds;
    double epsilon, diversity;
    int loss, sight;
    bool check, transfer, draft;
} Options;

typedef struct {
    Options options;
    SlFresh fresh;
    SlTrees *trees;
    SlAnnealer *annealer;
    int n_plan, at; // points of the plan, the next one
    int32_t *plan;  // (n_plan, n_params); space for what diversity chooses from
    int64_t n_told, n_fits;
    bool valid; // anything that did not fail was told
} AutoTvm;

static void predict(void *context, int n, const int32_t *points, double *scores) {
    sl_trees_predict(context, n, points, scores);
}

static SlTrees *make_trees(const SlMethodSetup *setup, const Options *options, SlArena *arena) {
    SlTreesSetup wanted = {.sight = (SlTreeSight)options->sight,
                           .boost = sl_boost_defaults(),
                           .draft = options->draft,
                           .check = options->check,
                           .history = options->transfer ? setup->history : NULL};
    wanted.boost.loss = options->draft ? SL_BOOST_SQUARED : (SlBoostLoss)options->loss;
    wanted.boost.rounds = (int)options->rounds;
    wanted.boost.top = (int)options->plan;
    return sl_trees_make(setup->task, &wanted, setup->budget, arena);
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    AutoTvm *state = SL_NEW(arena, 1, AutoTvm);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const Options *chosen = &state->options;
    if (!sl_fresh_init(&state->fresh, setup, "autotvm", chosen->check, arena)) return NULL;
    const double wider = chosen->diversity >= 1 ? chosen->diversity : 1;
    const SlAnnealerSetup annealing = {.chains = (int)chosen->chains,
                                       .steps = (int)chosen->steps,
                                       .patience = (int)chosen->patience,
                                       .most = (int)((double)chosen->plan * wider)};
    state->plan = SL_NEW(arena, annealing.most * state->fresh.space->n_params, int32_t);
    state->annealer = sl_annealer_make(state->fresh.space, &annealing, arena);
    state->trees = make_trees(setup, chosen, arena);
    return state->plan && state->annealer && state->trees ? state : NULL;
}

// parameters in which a point differs from all of the first n
static int n_new_values(int n_params, int n, const int32_t *points, const int32_t *point) {
    int fresh = 0;
    for (int k = 0; k < n_params; k++) {
        bool taken = false;
        for (ptrdiff_t i = 0; i < n && !taken; i++) taken = points[i * n_params + k] == point[k];
        fresh += !taken;
    }
    return fresh;
}

void sl_diverse_first(int n_params, int n, int n_first, int32_t *points) {
    int32_t chosen[SL_MAX_PARAMS];
    const size_t row = (size_t)n_params * sizeof *points;
    for (int i = 0; i < n && i < n_first; i++) {
        int best = i, most = -1;
        for (int j = i; j < n; j++) {
            int fresh = n_new_values(n_params, i, points, points + (ptrdiff_t)j * n_params);
            if (fresh <= most) continue;
            most = fresh;
            best = j;
        }
        // to the front; the others keep their order
        int32_t *front = points + (ptrdiff_t)i * n_params;
        memcpy(chosen, points + (ptrdiff_t)best * n_params, row);
        memmove(front + n_params, front, (size_t)(best - i) * row);
        memcpy(front, chosen, row);
    }
}

static void make_plan(AutoTvm *state) {
    const int size = (int)state->options.plan;
    state->n_plan =
        sl_annealer_find(state->annealer, &state->fresh, predict, state->trees, state->plan);
    if (state->options.diversity >= 1)
        sl_diverse_first(state->fresh.space->n_params, state->n_plan, size, state->plan);
    if (state->n_plan > size) state->n_plan = size;
    state->at = 0;
}

// a plan before the first point if something is known, then one after every `plan` records
static void update_plan(AutoTvm *state) {
    if (state->n_told >= state->options.plan * (state->n_fits + 1) && state->valid) {
        sl_trees_fit(state->trees, &state->fresh.rng);
        state->n_fits++;
        make_plan(state);
    } else if (state->n_fits == 0 && state->n_plan == 0 && sl_trees_fitted(state->trees)) {
        make_plan(state);
    }
}

static const int32_t *planned(const AutoTvm *state) {
    return state->plan + (ptrdiff_t)state->at * state->fresh.space->n_params;
}

// the next point of the plan that is new
static bool next_planned(AutoTvm *state, int32_t *point) {
    while (state->at < state->n_plan && sl_fresh_has(&state->fresh, planned(state))) state->at++;
    if (state->at == state->n_plan) return false;
    memcpy(point, planned(state), (size_t)state->fresh.space->n_params * sizeof *point);
    return true;
}

static bool next_point(AutoTvm *state, int32_t *point) {
    const int random = (int)(state->options.epsilon * (double)state->options.plan);
    const bool found = next_planned(state, point);
    if (found && state->at < state->n_plan - random) return true;
    return sl_fresh_draw(&state->fresh, point) || next_planned(state, point);
}

// no more than until the next fit, however much space there is
static int most_at_once(const AutoTvm *state, int room) {
    int64_t left = state->options.plan * (state->n_fits + 1) - state->n_told;
    if (left < 1) left = state->options.plan;
    return left < room ? (int)left : room;
}

static int ask(void *context, int room, int32_t *points) {
    AutoTvm *state = context;
    int n = 0;
    update_plan(state);
    room = most_at_once(state, room);
    while (n < room && next_point(state, points)) {
        sl_fresh_add(&state->fresh, points);
        points += state->fresh.space->n_params;
        n++;
    }
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *measured) {
    AutoTvm *state = context;
    sl_fresh_tell(&state->fresh, n, points);
    sl_trees_tell(state->trees, n, points, measured);
    for (int i = 0; i < n; i++) state->valid = state->valid || isfinite(measured[i].value);
    state->n_told += n;
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "plan", plan, "64", 1, 4096, "N",
                 "measurements per plan; the trees are refitted after each plan"),
    SL_OPT_REAL(Options, "epsilon", epsilon, "0.05", 0, 1, "P", "share of random points in a plan"),
    SL_OPT_WHOLE(Options, "chains", chains, "128", 1, 4096, "N", "parallel annealing chains"),
    SL_OPT_WHOLE(Options, "steps", steps, "500", 0, 1e6, "N", "steps per chain, at most"),
    SL_OPT_WHOLE(Options, "patience", patience, "50", 1, 1e6, "N",
                 "steps without a new point for the plan that end the annealing"),
    SL_OPT_CHOICE(Options, "loss", loss, "rank", loss_names, "NAME",
                  "loss of the trees: rank (order of points) or squared (throughput)"),
    SL_OPT_WHOLE(Options, "rounds", rounds, "8000", 1, 100000, "N", "trees, at most"),
    SL_OPT_CHOICE(Options, "sight", sight, "knobs", sl_tree_sight_names, "NAME",
                  "inputs of the trees: knobs, or program (features of the generated program)"),
    SL_OPT_FLAG(Options, "check", check, "exclude points that fail the free check"),
    SL_OPT_FLAG(Options, "transfer", transfer,
                "start from a model of other tasks (needs records and sight=program)",
                .fallback = "true"),
    SL_OPT_REAL(Options, "diversity", diversity, "0", 0, 64, "X",
                "candidates per planned point, chosen by new values of knobs; 0 = off"),
    SL_OPT_FLAG(Options, "draft", draft,
                "learn the error of a closed-form estimate (squared loss), which also makes the "
                "first plan"),
    {0},
};

const SlMethod sl_autotvm_method = {
    .name = "autotvm",
    .title = "boosted trees and simulated annealing on them, in plans of 64",
    .source = "Chen et al., Learning to Optimize Tensor Programs, NeurIPS 2018",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};
