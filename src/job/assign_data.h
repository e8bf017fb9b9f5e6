// assign_data.h - inside job: the dataset of an assignment, and its best rows as columns.
#pragma once

#include "starling/job/agents.h"

// What the policy proposed and what came of it.
typedef struct {
    int n;           // samples
    int32_t *points; // (n, n_params) as proposed, before any repair
    double *scores;  // (n) NAN where there is no value
} SlDataset;

// Let the policy run for the whole dataset; less where it has nothing left to propose. SL_EINPUT
// where it cannot run on the task, or the evaluator cannot go on.
SlStatus sl_dataset_collect(SlTask *task, const SlAssignSetup *setup, SlArena *scratch,
                            SlDataset *data, SlError *err);

// The columns of some rows, as sl_correlations wants them, and behind those of the parameters one
// more parameter: the logarithm of the objective. False without memory.
bool sl_dataset_columns(const SlSpace *space, const SlDataset *data, int n_rows, const int *rows,
                        SlArena *scratch, SlColumns *columns);
