// trees.c - boosted trees that learn a task from its samples.
//
// Labels, failures, the start from other tasks and its weight: AutoTVM (Chen et al. 2018; TVM 0.9,
// xgboost_cost_model.py). Residuals of a draft: log2 (value / draft) is learned from measurements
// that did not fail, and a point scores best / (draft 2^prediction).
//
// Features are computed once per measurement, when it is told.
#include "starling/task/trees.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "starling/approx/boost.h"

enum {
    MOST_RECORDS = 1 << 17,
    BLOCK = 128,          // points that are predicted at once
    LEAST_HISTORY = 500,  // records, for a model of other tasks (AutoTVM)
    HISTORY_ROUNDS = 400, // its settings (AutoTVM)
    HISTORY_PATIENCE = 100,
    HISTORY_TOP = 128,
    DRAFTS = 1024, // points that say what a good draft is
};
static const double HALF_LIFE = 64, LEAST_WEIGHT = 0.05; // of the history (AutoTVM)
static const double RANK_FAILS = -1e3;                   // below all margins

struct SlTrees {
    const SlTask *task;
    SlTreesSetup setup;
    int n_params, n_features;
    SlBoost *boost;
    bool fitted;
    SlBoost *members[SL_TREES_MAX_MEMBERS]; // (setup.members) each without a share of the records
    float *rows, *row_labels, *row_base;    // (room, n_features), (room): scratch of their fits

    // what was told; with drafts only what did not fail
    int n, room;
    float *features; // (n, n_features)
    double *values;  // (n) INFINITY = failed
    double *drafts;  // (n) with drafts
    double best;     // least value, INFINITY = none
    int64_t n_told;  // all records, those that were not kept too

    // a model of other tasks
    SlBoost *history; // NULL = none
    float *past;      // (n) its margins
    double weight;    // of it since the last fit

    double least_draft; // of some points: what scores are relative to without measurements
    float *labels;      // (room) scratch of a fit
    float *base;        // (room)
    float *seen;        // (BLOCK, n_features) scratch of predictions
};

// --- making

static bool make_records(SlTrees *trees, int64_t room, SlArena *arena) {
    int64_t n_points = sl_task_space(trees->task)->n_points;
    // points may be told twice
    if (n_points > 0 && n_points < room / 2) room = 2 * n_points;
    if (room > MOST_RECORDS) room = MOST_RECORDS;
    if (room < 1) room = 1;
    trees->room = (int)room;
    trees->features = SL_NEW(arena, (size_t)room * (size_t)trees->n_features, float);
    trees->values = SL_NEW(arena, room, double);
    trees->drafts = SL_NEW(arena, room, double);
    trees->past = SL_NEW(arena, room, float);
    trees->labels = SL_NEW(arena, room, float);
    trees->base = SL_NEW(arena, room, float);
    trees->seen = SL_NEW(arena, BLOCK * (size_t)trees->n_features, float);
    return trees->features && trees->values && trees->drafts && trees->past && trees->labels &&
           trees->base && trees->seen;
}

static int room_rounds(const SlBoostOptions *boost) {
    return boost->depth > 3 ? boost->rounds << (boost->depth - 3) : boost->rounds;
}

// the model of other tasks, where there is enough of them; false without memory
static bool make_history(SlTrees *trees, SlArena *arena) {
    const SlHistory *history = trees->setup.history;
    if (!history || history->n < LEAST_HISTORY || trees->setup.sight != SL_SEE_PROGRAM ||
        trees->setup.draft)
        return true;
    assert(history->n_features == trees->n_features);
    SlBoostOptions options = trees->setup.boost;
    options.rounds = HISTORY_ROUNDS;
    options.patience = HISTORY_PATIENCE;
    options.top = HISTORY_TOP;
    const int n = history->n < SL_BOOST_MAX_ROWS ? history->n : SL_BOOST_MAX_ROWS;
    trees->history = sl_boost_make(trees->n_features, n, room_rounds(&options), arena);
    if (!trees->history) return false;
    SlRng rng;
    sl_rng_init(&rng, 0, "history of tuning");
    sl_boost_fit(trees->history, &options, n, history->features, history->labels, NULL, &rng);
    trees->weight = 1;
    return true;
}

static SlBoost *make_boost(const SlTrees *trees, SlArena *arena) {
    return sl_boost_make(trees->n_features, trees->room, room_rounds(&trees->setup.boost), arena);
}

static bool make_members(SlTrees *trees, SlArena *arena) {
    const int members = trees->setup.members;
    if (members == 0) return true;
    assert(2 <= members && members <= SL_TREES_MAX_MEMBERS);
    trees->rows = SL_NEW(arena, (size_t)trees->room * (size_t)trees->n_features, float);
    trees->row_labels = SL_NEW(arena, trees->room, float);
    trees->row_base = SL_NEW(arena, trees->room, float);
    if (!trees->rows || !trees->row_labels || !trees->row_base) return false;
    for (int m = 0; m < members; m++)
        if (!(trees->members[m] = make_boost(trees, arena))) return false;
    return true;
}

// what a good draft is like, of points that depend on the task alone
static double least_draft(const SlTask *task) {
    const SlSpace *space = sl_task_space(task);
    int32_t point[SL_MAX_PARAMS];
    sl_task_start(task, point);
    double least = sl_task_draft(task, point);
    SlRng rng;
    sl_rng_init(&rng, 0, "drafts of tuning");
    for (int i = 0; i < DRAFTS; i++) {
        if (space->n_points > 0)
            sl_space_at(space, (int64_t)sl_rng_below(&rng, (uint64_t)space->n_points), point);
        else
            sl_space_sample(space, &rng, point);
        least = fmin(least, sl_task_draft(task, point));
    }
    return isfinite(least) ? least : 1;
}

SlTrees *sl_trees_make(const SlTask *task, const SlTreesSetup *setup, int64_t room,
                       SlArena *arena) {
    assert(!setup->draft || setup->boost.loss == SL_BOOST_SQUARED);
    const size_t mark = sl_arena_mark(arena);
    SlTrees *trees = SL_NEW(arena, 1, SlTrees);
    if (trees) {
        trees->task = task;
        trees->setup = *setup;
        trees->n_params = sl_task_space(task)->n_params;
        trees->n_features = sl_task_n_seen(task, setup->sight);
        trees->best = INFINITY;
        if (setup->draft) trees->least_draft = least_draft(task);
        if (make_records(trees, room, arena) && make_history(trees, arena) &&
            (trees->boost = make_boost(trees, arena)) && make_members(trees, arena))
            return trees;
    }
    sl_arena_rewind(arena, mark);
    return NULL;
}

// --- learning

static void keep(SlTrees *trees, const int32_t *point, double value) {
    const int at = trees->n++;
    float *features = trees->features + (size_t)at * (size_t)trees->n_features;
    sl_task_see(trees->task, trees->setup.sight, point, features);
    trees->values[at] = value;
    if (trees->setup.draft) trees->drafts[at] = sl_task_draft(trees->task, point);
    if (trees->history) sl_boost_predict(trees->history, 1, features, trees->past + at);
}

void sl_trees_tell(SlTrees *trees, int n, const int32_t *points, const SlSample *measured) {
    trees->n_told += n;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * trees->n_params;
        const double value = measured[i].value;
        trees->best = fmin(trees->best, value);
        // what failed has no residual, and neither has what should have failed
        const bool apart =
            trees->setup.draft && !(isfinite(value) && isfinite(sl_task_draft(trees->task, point)));
        if (trees->n < trees->room && !apart) keep(trees, point, value);
    }
}

static double label(const SlTrees *trees, int record) {
    const double value = trees->values[record];
    if (trees->setup.draft) return log2(value / trees->drafts[record]);
    return isfinite(value) ? trees->best / value : 0;
}

// by the records of all shares but one
static void fit_member(SlTrees *trees, int m, SlRng *rng) {
    const size_t width = (size_t)trees->n_features;
    int n = 0;
    for (int i = 0; i < trees->n; i++) {
        if (i % trees->setup.members == m) continue;
        memcpy(trees->rows + (size_t)n * width, trees->features + (size_t)i * width,
               width * sizeof *trees->rows);
        trees->row_labels[n] = trees->labels[i];
        trees->row_base[n++] = trees->base[i];
    }
    if (n > 0)
        sl_boost_fit(trees->members[m], &trees->setup.boost, n, trees->rows, trees->row_labels,
                     trees->weight > 0 ? trees->row_base : NULL, rng);
}

void sl_trees_fit(SlTrees *trees, SlRng *rng) {
    if (trees->n == 0) return;
    if (trees->history) {
        trees->weight = exp2(-(double)trees->n_told / HALF_LIFE);
        if (trees->weight < LEAST_WEIGHT) trees->weight = 0;
    }
    for (int i = 0; i < trees->n; i++) {
        trees->labels[i] = (float)label(trees, i);
        trees->base[i] = (float)trees->weight * trees->past[i];
    }
    sl_boost_fit(trees->boost, &trees->setup.boost, trees->n, trees->features, trees->labels,
                 trees->weight > 0 ? trees->base : NULL, rng);
    for (int m = 0; m < trees->setup.members; m++) fit_member(trees, m, rng);
    trees->fitted = true;
}

bool sl_trees_fitted(const SlTrees *trees) {
    return trees->fitted || trees->history || trees->setup.draft;
}

// --- predicting

// margins (n) of features (n, n_features) by one of the models, at most BLOCK
static void margins(const SlTrees *trees, const SlBoost *boost, int n, const float *features,
                    float *out) {
    float past[BLOCK];
    memset(out, 0, (size_t)n * sizeof *out);
    if (trees->fitted) sl_boost_predict(boost, n, features, out);
    if (trees->weight <= 0) return;
    sl_boost_predict(trees->history, n, features, past);
    for (int i = 0; i < n; i++) out[i] += (float)trees->weight * past[i];
}

static double score(const SlTrees *trees, const int32_t *point, double margin) {
    if (trees->setup.draft) {
        const double best = isfinite(trees->best) ? trees->best : trees->least_draft;
        return best / (sl_task_draft(trees->task, point) * exp2(margin));
    }
    if (trees->setup.check && !sl_task_check(trees->task, point, NULL))
        return trees->setup.boost.loss == SL_BOOST_RANK ? RANK_FAILS : 0;
    return margin;
}

static void see_block(SlTrees *trees, int n, const int32_t *points) {
    for (int i = 0; i < n; i++)
        sl_task_see(trees->task, trees->setup.sight, points + (ptrdiff_t)i * trees->n_params,
                    trees->seen + (size_t)i * (size_t)trees->n_features);
}

void sl_trees_predict(SlTrees *trees, int n, const int32_t *points, double *scores) {
    float out[BLOCK];
    for (int begin = 0; begin < n; begin += BLOCK) {
        const int count = n - begin < BLOCK ? n - begin : BLOCK;
        const int32_t *block = points + (ptrdiff_t)begin * trees->n_params;
        see_block(trees, count, block);
        margins(trees, trees->boost, count, trees->seen, out);
        for (int i = 0; i < count; i++)
            scores[begin + i] =
                score(trees, block + (ptrdiff_t)i * trees->n_params, (double)out[i]);
    }
}

// deviations (n) of the members' scores of points whose features were seen
static void spread_block(const SlTrees *trees, int n, const int32_t *points, double *spread) {
    const int members = trees->setup.members;
    float out[BLOCK];
    double sum[BLOCK] = {0}, square[BLOCK] = {0};
    for (int m = 0; m < members; m++) {
        margins(trees, trees->members[m], n, trees->seen, out);
        for (int i = 0; i < n; i++) {
            double one = score(trees, points + (ptrdiff_t)i * trees->n_params, (double)out[i]);
            sum[i] += one;
            square[i] += one * one;
        }
    }
    for (int i = 0; i < n; i++) {
        double mean = sum[i] / members;
        spread[i] = sqrt(fmax(square[i] / members - mean * mean, 0));
    }
}

void sl_trees_spread(SlTrees *trees, int n, const int32_t *points, double *spread) {
    memset(spread, 0, (size_t)n * sizeof *spread);
    if (trees->setup.members == 0 || !trees->fitted) return;
    for (int begin = 0; begin < n; begin += BLOCK) {
        const int count = n - begin < BLOCK ? n - begin : BLOCK;
        const int32_t *block = points + (ptrdiff_t)begin * trees->n_params;
        see_block(trees, count, block);
        spread_block(trees, count, block, spread + begin);
    }
}
