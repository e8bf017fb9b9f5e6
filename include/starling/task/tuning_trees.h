// tuning_trees.h - a cost model of a tuning task: boosted trees that learn from its measurements.
//
// Flow: sl_tuning_trees_make -> sl_tuning_trees_tell ... -> _fit -> _predict, again and again.
#pragma once

#include "starling/approx/boost.h"
#include "starling/task/tuning.h"

typedef struct SlTuningTrees SlTuningTrees;

typedef struct {
    SlTuningSight sight;
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
    const SlTuningHistory *history;
} SlTuningTreesSetup;

// `room`: most measurements. NULL without memory.
SlTuningTrees *sl_tuning_trees_make(const SlTuning *tuning, const SlTuningTreesSetup *setup,
                                    int64_t room, SlArena *arena);
void sl_tuning_trees_tell(SlTuningTrees *trees, int n, const int32_t *points,
                          const SlMeasured *measured);
// Labels are the least value so far over the value, 0 where it failed.
void sl_tuning_trees_fit(SlTuningTrees *trees, SlRng *rng);
bool sl_tuning_trees_fitted(const SlTuningTrees *trees); // or started from a history or draft
// Scores (n), higher is better. With squared loss: throughput over the best so far.
void sl_tuning_trees_predict(SlTuningTrees *trees, int n, const int32_t *points, double *scores);
