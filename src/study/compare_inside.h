// compare_inside.h - what the files that compare records share.
#pragma once

#include "starling/study/compare.h"
#include "starling/study/totals.h"

// Everything that is compared is one number per seed of a task and row: values (n_seeds), NAN where
// there is no run, INFINITY where the run has found nothing yet.

// Best values after so many samples.
void sl_seeds_best_at(const SlResults *results, int task, int row, int64_t samples, double *values);

SlSummary sl_seeds_summary(int n_seeds, const double *values);

// --- Bootstrap of ratios of medians, Efron, "Bootstrap methods: another look at the jackknife",
// Annals of Statistics 7(1), 1979

enum { SL_DRAWS = 10000, SL_DRAWS_MANY = 2000, SL_MANY_TASKS = 16 };

typedef struct {
    int n_draws, n_tasks;
    double sum;             // of the logs of the ratios of all tasks
    double draws[SL_DRAWS]; // (n_draws) the same of resamples
} SlDraws;

void sl_draws_init(SlDraws *draws, int n_tasks);

// One more task: the median of `row` over that of `other`, both (n_seeds). Left out, and false,
// where one has no run or neither has found anything.
bool sl_draws_add(SlDraws *draws, const SlResults *results, int task, const double *row,
                  const double *other);

SlEstimate sl_draws_estimate(SlDraws *draws); // reorders the draws

// The first sample at which the run is at or below a value (to 1e-9); 0 = never.
int64_t sl_run_reaches(const SlResults *results, const SlCellRecord *run, double value);

// Samples until the seeds of a task and row reach a goal: samples (n_seeds), INFINITY = never,
// NAN = no run. With the medians and factors of compare.h for any such goal.
typedef void SlSeedsReach(const SlResults *results, int task, int row, const void *goal,
                          double *samples);
SlReach sl_reach_by(const SlResults *results, int task, int row, SlSeedsReach *reach,
                    const void *goal);
SlEstimate sl_factor_by(const SlResults *results, int task, int row, int other, SlSeedsReach *reach,
                        const void *goal);

// Cycles for all images of a run with one seed, each layer after so many measurements; NAN = a
// layer has no run, INFINITY = one has found nothing yet.
double sl_total_cycles(const SlTotal *total, int row, int seed, int64_t samples);
// Measurements with one seed until every layer is within `percent` of its optimum, its budget where
// it never is; below 0: all that were made. NAN = a layer has no run.
double sl_total_measurements(const SlTotal *total, int row, int seed, double percent);
