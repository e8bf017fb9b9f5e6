// compare_return.c - mean returns of runs, stretch by stretch, and how many samples they take to
// reach a level (Figs. 5 and 6 of the mapping paper).
#include <math.h>

#include "compare_inside.h"

#define SAME 1e-9 // relative difference that rounding may make

static int windows_of(const SlCellRecord *run) {
    return run && run->windows ? run->n_windows : 0;
}

static double return_at(const SlResults *results, int task, int row, int seed, int window) {
    const SlCellRecord *run = sl_results_run(results, task, row, seed);
    if (window >= windows_of(run)) return NAN;
    return run->windows[window].mean_inverse * results->tasks[task].optimum;
}

int sl_return_windows(const SlResults *results, int task, int row) {
    int most = 0;
    for (int s = 0; s < results->n_seeds; s++) {
        int n = windows_of(sl_results_run(results, task, row, s));
        if (n > most) most = n;
    }
    return most;
}

int64_t sl_return_last(const SlResults *results, int task, int row, int window) {
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        if (window < windows_of(run)) return run->windows[window].last;
    }
    return 0;
}

// the mean over the stretches first..end-1 of a run; NAN where it has none of them
static double mean_of(const SlResults *results, int task, int row, int seed, int first, int end) {
    int n = windows_of(sl_results_run(results, task, row, seed));
    double sum = 0;
    if (end > n) end = n;
    for (int w = first; w < end; w++) sum += return_at(results, task, row, seed, w);
    return end > first ? sum / (end - first) : NAN;
}

SlSummary sl_return_summary(const SlResults *results, int task, int row, int first, int end) {
    double values[SL_SEEDS_MAX];
    for (int s = 0; s < results->n_seeds; s++)
        values[s] = mean_of(results, task, row, s, first, end);
    return sl_seeds_summary(results->n_seeds, values);
}

static void seeds_final(const SlResults *results, int task, int row, double *values) {
    for (int s = 0; s < results->n_seeds; s++) {
        int n = windows_of(sl_results_run(results, task, row, s));
        values[s] = mean_of(results, task, row, s, n - (n + 9) / 10, n);
    }
}

double sl_return_final(const SlResults *results, int task, int row) {
    double values[SL_SEEDS_MAX];
    seeds_final(results, task, row, values);
    return sl_seeds_summary(results->n_seeds, values).median;
}

SlEstimate sl_return_ratio(const SlResults *results, int task, int row, int other) {
    double values[2][SL_SEEDS_MAX];
    SlDraws draws;
    sl_draws_init(&draws, task < 0 ? results->n_tasks : 1);
    for (int t = 0; t < results->n_tasks; t++) {
        if (task >= 0 && t != task) continue;
        seeds_final(results, t, row, values[0]);
        seeds_final(results, t, other, values[1]);
        sl_draws_add(&draws, results, t, values[0], values[1]);
    }
    return sl_draws_estimate(&draws);
}

// the end of the first stretch whose mean return is at the level
static void seeds_reach(const SlResults *results, int task, int row, const void *context,
                        double *samples) {
    const SlReturnGoal *goal = context;
    double final = sl_return_final(results, task, goal->of < 0 ? row : goal->of);
    double level = goal->share * final * (1 - SAME);
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        int n = windows_of(run), w = 0;
        while (w < n && !(return_at(results, task, row, s, w) >= level)) w++;
        samples[s] = n == 0 ? NAN : w < n ? (double)run->windows[w].last : INFINITY;
    }
}

SlReach sl_return_reach(const SlResults *results, int task, int row, SlReturnGoal goal) {
    return sl_reach_by(results, task, row, seeds_reach, &goal);
}

SlEstimate sl_return_factor(const SlResults *results, int task, int row, int other,
                            SlReturnGoal goal) {
    return sl_factor_by(results, task, row, other, seeds_reach, &goal);
}
