// compare.h - what records say: medians and quartiles, ratios with confidence intervals, samples to
// a target, wins and losses.
//
// Flow: sl_store_cells -> sl_results_make -> one call per number of a table.
#pragma once

#include "starling/study/study_plan.h"

SL_API_BEGIN

enum { SL_N_CHECKPOINTS = 12, SL_SEEDS_MAX = 1000 };
extern const int64_t sl_checkpoints[SL_N_CHECKPOINTS]; // 50, 100, 250, 500, 1000, ... 200000
// Those of a plan (SL_N_CHECKPOINTS): of tuners 8, 16, 32, ... 16384, with a flock 1, 2, 3, ...
// 1000.
const int64_t *sl_plan_checkpoints(const SlPlan *plan);

typedef struct {
    const char *name, *layer, *accel, *objective, *workload;
    double floor;   // NAN = none
    double optimum; // the least value known; NAN = none
    bool proven;    // no mapping of the space is below it, to `gap`: what the proof was to show
    double gap;     // optimum / lower bound - 1; INFINITY without a bound, and where the value is
                    // below it (a run may start outside the space)
    const SlCellRecord *proof, *space; // NULL = none
    int n_assigned;
    const SlCellRecord *assigned[SL_POLICIES_MAX]; // (n_assigned) one per policy
} SlResultTask;

// Everything that is known of a study. Tasks, rows and seeds stand in the order of the plan; those
// that only records know follow.
typedef struct {
    int n_tasks, n_rows, n_seeds;
    const SlResultTask *tasks;         // (n_tasks)
    const char *const *rows;           // (n_rows)
    const uint64_t *seeds;             // (n_seeds)
    const SlCellRecord *const *runs;   // (n_tasks, n_rows, n_seeds), NULL = missing or broken
    int reference;                     // row, -1 = none
    int64_t budget;                    // most samples of a run
    int n_missing, n_broken;           // cells; without a plan nothing is missing
    const SlCellRecord *const *broken; // (n_broken)
    bool count_dataset; // samples of assignments count too: they come before the first
} SlResults;

// What the records (n) say; they are kept, not copied. The plan may be NULL. SL_ENOMEM; SL_EINPUT
// for more than SL_SEEDS_MAX seeds, or a proof whose detail is no JSON.
SlStatus sl_results_make(const SlPlan *plan, int n, const SlCellRecord *records, SlArena *arena,
                         SlResults *results, SlError *err);
const SlCellRecord *sl_results_run(const SlResults *results, int task, int row, int seed);

// Best value of a run after so many samples; INFINITY = none yet. After the run's end: its last.
double sl_run_best_at(const SlResults *results, const SlCellRecord *run, int64_t samples);

// Over the seeds of a task and row. A run that has found nothing legal yet counts as INFINITY.
// All NAN without runs.
typedef struct {
    int n;                    // runs that enter
    double median, low, high; // quartiles
    double least, most;
} SlSummary;
SlSummary sl_summary_at(const SlResults *results, int task, int row, int64_t samples); // values
// Over the optimum, minus 1; never below 0.
SlSummary sl_summary_regret(const SlResults *results, int task, int row, int64_t samples);
SlSummary sl_summary_floor(const SlResults *results, int task, int row); // multiple at the end

// A number with a 95 % bootstrap interval over seeds: 10,000 draws, 2,000 for means over more than
// 16 tasks, from a random stream named by the task (docs/statistics.md).
typedef struct {
    double value, low, high; // NAN where no task enters
    bool bound;   // half of the row's runs never got there, in some task: the true value is at
                  // least this
    bool ceiling; // the same of the other row's: at most this
    int n_tasks;  // that enter
} SlEstimate;

// Median of the row over median of the other row after so many samples; `task` -1: the geometric
// mean over all tasks where both have runs.
SlEstimate sl_ratio(const SlResults *results, int task, int row, int other, int64_t samples);
// Best so far over the optimum; `task` -1: the geometric mean over tasks of medians.
SlEstimate sl_above_optimum(const SlResults *results, int task, int row, int64_t samples);

// Samples to within `percent` of the optimum.
typedef struct {
    int n, n_reached;
    double median; // INFINITY: half of the runs or more never got there
} SlReach;
SlReach sl_reach(const SlResults *results, int task, int row, double percent); // task -1: all runs
// Median samples of the row over those of the other; -1: geometric mean over tasks. Runs that never
// get there count as their budget (bound). Tasks where neither median gets there are left out.
SlEstimate sl_reach_factor(const SlResults *results, int task, int row, int other, double percent);

// --- Mean returns: the mean of optimum / value over the samples of a stretch (a window of a run),
// 1 = every sample is optimal

int sl_return_windows(const SlResults *results, int task, int row); // most of any run of the row
int64_t sl_return_last(const SlResults *results, int task, int row,
                       int window); // sample at its end

// Over seeds: the mean return of the stretches first..end-1.
SlSummary sl_return_summary(const SlResults *results, int task, int row, int first, int end);
// The median over seeds of the mean return of the last tenth: the final one.
double sl_return_final(const SlResults *results, int task, int row);
// That of the row over that of the other; -1: geometric mean over tasks.
SlEstimate sl_return_ratio(const SlResults *results, int task, int row, int other);

// A level of the mean return: a share of the final one of a row.
typedef struct {
    double share;
    int of; // row, -1 = each row's own
} SlReturnGoal;
// Samples until the mean return is first there, at the end of a stretch; as sl_reach and
// sl_reach_factor.
SlReach sl_return_reach(const SlResults *results, int task, int row, SlReturnGoal goal);
SlEstimate sl_return_factor(const SlResults *results, int task, int row, int other,
                            SlReturnGoal goal);

// Is a row better than another on a task after so many samples? By the Wilcoxon signed-rank test
// over the seeds both have, exact, two-sided, 5 %.
typedef enum { SL_DUEL_WIN, SL_DUEL_TIE, SL_DUEL_LOSS, SL_DUEL_NONE } SlDuelResult;
typedef struct {
    SlDuelResult result; // NONE: fewer than 6 pairs, or no values
    double p;            // NAN for NONE
    double ratio;        // of the medians, row over other
} SlDuel;
SlDuel sl_duel(const SlResults *results, int task, int row, int other, int64_t samples);

SL_API_END
