// compare_summary.c - best-so-far curves of runs, and medians and quartiles over seeds.
#include <assert.h>
#include <math.h>

#include "compare_inside.h"
#include "starling/core/stats.h"

#define SAME 1e-9 // relative difference that rounding may make

const int64_t sl_checkpoints[SL_N_CHECKPOINTS] = {50,   100,   250,   500,   1000,   2000,
                                                  5000, 10000, 20000, 50000, 100000, 200000};

const int64_t *sl_plan_checkpoints(const SlPlan *plan) {
    static const int64_t measurements[SL_N_CHECKPOINTS] = {8,   16,   32,   64,   128,  256,
                                                           512, 1024, 2048, 4096, 8192, 16384};
    static const int64_t few[SL_N_CHECKPOINTS] = {1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000};
    for (int i = 0; plan && i < plan->n_rows; i++)
        if (plan->rows[i].flock) return few;
    if (!plan || !plan->kind || !plan->kind->dear) return sl_checkpoints;
    return plan->kind->maps ? few : measurements;
}

// samples that came before the first of the run
static int64_t samples_before(const SlResults *results, const SlCellRecord *run) {
    return results->count_dataset && run->assign_samples > 0 ? run->assign_samples : 0;
}

double sl_run_best_at(const SlResults *results, const SlCellRecord *run, int64_t samples) {
    samples -= samples_before(results, run);
    // the last point that is not behind
    int low = 0, high = run->n_curve;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (run->curve[middle].sample <= samples) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? run->curve[low - 1].value : INFINITY;
}

int64_t sl_run_reaches(const SlResults *results, const SlCellRecord *run, double value) {
    for (int i = 0; i < run->n_curve; i++) {
        if (run->curve[i].value <= value * (1 + SAME)) {
            return run->curve[i].sample + samples_before(results, run);
        }
    }
    return 0;
}

void sl_seeds_best_at(const SlResults *results, int task, int row, int64_t samples,
                      double *values) {
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        values[s] = run ? sl_run_best_at(results, run, samples) : NAN;
    }
}

SlSummary sl_seeds_summary(int n_seeds, const double *values) {
    double sorted[SL_SEEDS_MAX];
    SlSummary out = {.median = NAN, .low = NAN, .high = NAN, .least = NAN, .most = NAN};
    for (int s = 0; s < n_seeds; s++) {
        if (!isnan(values[s])) sorted[out.n++] = values[s];
    }
    if (out.n == 0) return out;
    sl_sort(out.n, sorted);
    out.median = sl_median_sorted(out.n, sorted);
    out.low = sl_quantile_sorted(out.n, sorted, 0.25);
    out.high = sl_quantile_sorted(out.n, sorted, 0.75);
    out.least = sorted[0];
    out.most = sorted[out.n - 1];
    return out;
}

SlSummary sl_summary_at(const SlResults *results, int task, int row, int64_t samples) {
    double values[SL_SEEDS_MAX];
    sl_seeds_best_at(results, task, row, samples, values);
    return sl_seeds_summary(results->n_seeds, values);
}

SlSummary sl_summary_regret(const SlResults *results, int task, int row, int64_t samples) {
    double values[SL_SEEDS_MAX], optimum = results->tasks[task].optimum;
    sl_seeds_best_at(results, task, row, samples, values);
    for (int s = 0; s < results->n_seeds; s++) {
        // rounding must not lead below the optimum
        if (!isnan(values[s])) values[s] = isnan(optimum) ? NAN : fmax(0, values[s] / optimum - 1);
    }
    return sl_seeds_summary(results->n_seeds, values);
}

SlSummary sl_summary_floor(const SlResults *results, int task, int row) {
    double values[SL_SEEDS_MAX];
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        values[s] =
            run && run->floor > 0 ? sl_run_best_at(results, run, INT64_MAX) / run->floor : NAN;
    }
    return sl_seeds_summary(results->n_seeds, values);
}
