// rows_help.h - the Gemmini's RTL rows for tests and the study: read, split by layer, judged.
//
// Flow: rtl_make -> rtl_fold (layers into folds) -> a method's guesses of every row from the rows
// of
//       other folds -> rtl_judge.
#pragma once

#include "starling/job/rows.h"

enum { N_PARTS = 6 }; // compute cycles, DRAM, scratchpad and accumulator words, outer steps, one

typedef double RtlParts[N_PARTS];

typedef struct {
    SlArena arena;
    SlAccel accel;
    SlRows rows;
    int n, n_inputs; // rows
    int *task;       // (n) layer of each row
    float *inputs;   // (n, n_inputs)
    float *scores;   // (n) logarithm of RTL cycles
    float *targets;  // (n) what learners are taught: log(1 + distance), distance = score - least
    RtlParts *parts; // (n) of the native cost
    double *latency; // (n) native
} Rtl;

void rtl_make(Rtl *rtl);
void rtl_free(Rtl *rtl);

// The fold (n_tasks) of every layer, drawn by the seed; folds differ by one layer at most.
void rtl_fold(const Rtl *rtl, int n_folds, uint64_t seed, int *fold);

// Means over layers: Kendall's tau (pairs of equal guesses count as half wrong), factors of the
// best of the first 1 and 3 picks over the best, geometric and arithmetic.
typedef struct {
    double tau, first, third, first_mean, third_mean;
} RtlScore;
RtlScore rtl_judge(const Rtl *rtl, const double *guess);

// Settings of a flock that is taught by measured rows: slow learning, no cap.
SlTeachOptions rtl_options(int members, uint64_t seed);
