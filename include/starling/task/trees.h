// trees.h - a cost model of a task: boosted trees that learn from its samples.
//
// Flow: sl_trees_make -> sl_trees_tell ... -> _fit -> _predict, again and again.
#pragma once

#include "starling/approx/boost.h"
#include "starling/task.h"

SL_API_BEGIN

typedef struct SlTrees SlTrees;

typedef struct {
    SlTreeSight sight;
    SlBoostOptions boost;
    // Learn log2 (value / draft) instead of the label, and predict with the draft; needs squared
    // loss. Before the first fit the draft alone predicts.
    bool draft;
    // Points that fail the check score 0 (rank loss: -1000) without asking the trees. So they do
    // with `draft`.
    bool check;
    // Start from a model of the history, which loses weight as records come: 2^(-n / 64), none
    // below 0.05; only with SL_SEE_PROGRAM and at least 500 records in it (AutoTVM's rules), and
    // not with `draft`. NULL = none.
    const SlHistory *history;
    // More models, each fitted without one share of the records, so that they disagree where little
    // was seen; 0 = none, else 2 to SL_TREES_MAX_MEMBERS. They never predict.
    int members;
} SlTreesSetup;

enum { SL_TREES_MAX_MEMBERS = 8 };

// `room`: most measurements. NULL without memory.
SlTrees *sl_trees_make(const SlTask *task, const SlTreesSetup *setup, int64_t room, SlArena *arena);
void sl_trees_tell(SlTrees *trees, int n, const int32_t *points, const SlSample *measured);
// Labels are the least value so far over the value, 0 where it failed.
void sl_trees_fit(SlTrees *trees, SlRng *rng);
bool sl_trees_fitted(const SlTrees *trees); // or started from a history or draft
// Scores (n), higher is better. With squared loss: throughput over the best so far.
void sl_trees_predict(SlTrees *trees, int n, const int32_t *points, double *scores);
// How far the members differ (n): the deviation of their scores; zeros without members or a fit.
void sl_trees_spread(SlTrees *trees, int n, const int32_t *points, double *spread);

SL_API_END
