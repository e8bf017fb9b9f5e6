// tuning_trees.c - boosted trees that learn a tuning task from its measurements.
//
// Labels, failures, the start from other tasks and its weight: AutoTVM (Chen et al. 2018; TVM 0.9,
// xgboost_cost_model.py). Residuals of a draft: log2 (value / draft) is learned from measurements
// that did not fail, and a point scores best / (draft 2^prediction).
//
// Features are computed once per measurement, when it is told.
#include "starling/task/tuning_trees.h"

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

struct SlTuningTrees {
    const SlTuning *tuning;
    SlTuningTreesSetup setup;
    int n_knobs, n_features;
    SlBoost *boost;
    bool fitted;

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

static bool make_records(SlTuningTrees *trees, int64_t room, SlArena *arena) {
    const SlKnobs *knobs = sl_tuning_knobs(trees->tuning);
    // points may be told twice
    if (knobs->n_points < room / 2) room = 2 * knobs->n_points;
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
static bool make_history(SlTuningTrees *trees, SlArena *arena) {
    const SlTuningHistory *history = trees->setup.history;
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

// what a good draft is like, of points that depend on the task alone
static double least_draft(const SlTuning *tuning) {
    const SlKnobs *knobs = sl_tuning_knobs(tuning);
    int32_t point[SL_MAX_KNOBS];
    sl_tuning_default(tuning, point);
    double least = sl_tuning_draft(tuning, point);
    SlRng rng;
    sl_rng_init(&rng, 0, "drafts of tuning");
    for (int i = 0; i < DRAFTS; i++) {
        sl_knobs_point(knobs, (int64_t)sl_rng_below(&rng, (uint64_t)knobs->n_points), point);
        least = fmin(least, sl_tuning_draft(tuning, point));
    }
    return isfinite(least) ? least : 1;
}

SlTuningTrees *sl_tuning_trees_make(const SlTuning *tuning, const SlTuningTreesSetup *setup,
                                    int64_t room, SlArena *arena) {
    assert(!setup->draft || setup->boost.loss == SL_BOOST_SQUARED);
    const size_t mark = sl_arena_mark(arena);
    SlTuningTrees *trees = SL_NEW(arena, 1, SlTuningTrees);
    if (trees) {
        trees->tuning = tuning;
        trees->setup = *setup;
        trees->n_knobs = sl_tuning_knobs(tuning)->n_knobs;
        trees->n_features = sl_tuning_n_features(tuning, setup->sight);
        trees->best = INFINITY;
        if (setup->draft) trees->least_draft = least_draft(tuning);
        if (make_records(trees, room, arena) && make_history(trees, arena) &&
            (trees->boost =
                 sl_boost_make(trees->n_features, trees->room, room_rounds(&setup->boost), arena)))
            return trees;
    }
    sl_arena_rewind(arena, mark);
    return NULL;
}

// --- learning

static void keep(SlTuningTrees *trees, const int32_t *point, double value) {
    const int at = trees->n++;
    float *features = trees->features + (size_t)at * (size_t)trees->n_features;
    sl_tuning_features(trees->tuning, trees->setup.sight, point, features);
    trees->values[at] = value;
    if (trees->setup.draft) trees->drafts[at] = sl_tuning_draft(trees->tuning, point);
    if (trees->history) sl_boost_predict(trees->history, 1, features, trees->past + at);
}

void sl_tuning_trees_tell(SlTuningTrees *trees, int n, const int32_t *points,
                          const SlMeasured *measured) {
    trees->n_told += n;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * trees->n_knobs;
        const double value = measured[i].value;
        trees->best = fmin(trees->best, value);
        // what failed has no residual, and neither has what should have failed
        const bool apart = trees->setup.draft &&
                           !(isfinite(value) && isfinite(sl_tuning_draft(trees->tuning, point)));
        if (trees->n < trees->room && !apart) keep(trees, point, value);
    }
}

static double label(const SlTuningTrees *trees, int record) {
    const double value = trees->values[record];
    if (trees->setup.draft) return log2(value / trees->drafts[record]);
    return isfinite(value) ? trees->best / value : 0;
}

void sl_tuning_trees_fit(SlTuningTrees *trees, SlRng *rng) {
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
    trees->fitted = true;
}

bool sl_tuning_trees_fitted(const SlTuningTrees *trees) {
    return trees->fitted || trees->history || trees->setup.draft;
}

// --- predicting

// margins (n) of features (n, n_features), at most BLOCK
static void margins(const SlTuningTrees *trees, int n, const float *features, float *out) {
    float past[BLOCK];
    memset(out, 0, (size_t)n * sizeof *out);
    if (trees->fitted) sl_boost_predict(trees->boost, n, features, out);
    if (trees->weight <= 0) return;
    sl_boost_predict(trees->history, n, features, past);
    for (int i = 0; i < n; i++) out[i] += (float)trees->weight * past[i];
}

static double score(const SlTuningTrees *trees, const int32_t *point, double margin) {
    if (trees->setup.draft) {
        const double best = isfinite(trees->best) ? trees->best : trees->least_draft;
        return best / (sl_tuning_draft(trees->tuning, point) * exp2(margin));
    }
    if (trees->setup.check && !sl_tuning_check(trees->tuning, point, NULL))
        return trees->setup.boost.loss == SL_BOOST_RANK ? RANK_FAILS : 0;
    return margin;
}

void sl_tuning_trees_predict(SlTuningTrees *trees, int n, const int32_t *points, double *scores) {
    float out[BLOCK];
    for (int begin = 0; begin < n; begin += BLOCK) {
        const int count = n - begin < BLOCK ? n - begin : BLOCK;
        const int32_t *block = points + (ptrdiff_t)begin * trees->n_knobs;
        for (int i = 0; i < count; i++)
            sl_tuning_features(trees->tuning, trees->setup.sight,
                               block + (ptrdiff_t)i * trees->n_knobs,
                               trees->seen + (size_t)i * (size_t)trees->n_features);
        margins(trees, count, trees->seen, out);
        for (int i = 0; i < count; i++)
            scores[begin + i] = score(trees, block + (ptrdiff_t)i * trees->n_knobs, (double)out[i]);
    }
}
