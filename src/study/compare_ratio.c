// compare_ratio.c - how much better: ratios of medians, of a row to another or to the optimum.
#include <math.h>

#include "compare_inside.h"

// the tasks that are meant: one, or all of them for -1
static int first_task(int task) {
    return task < 0 ? 0 : task;
}

static int end_task(const SlResults *results, int task) {
    return task < 0 ? results->n_tasks : task + 1;
}

SlEstimate sl_ratio(const SlResults *results, int task, int row, int other, int64_t samples) {
    double values[2][SL_SEEDS_MAX];
    SlDraws draws;
    int first = first_task(task), end = end_task(results, task);
    sl_draws_init(&draws, end - first);
    for (int t = first; t < end; t++) {
        sl_seeds_best_at(results, t, row, samples, values[0]);
        sl_seeds_best_at(results, t, other, samples, values[1]);
        sl_draws_add(&draws, results, t, values[0], values[1]);
    }
    return sl_draws_estimate(&draws);
}

SlEstimate sl_above_optimum(const SlResults *results, int task, int row, int64_t samples) {
    double values[SL_SEEDS_MAX], optimum[SL_SEEDS_MAX];
    SlDraws draws;
    int first = first_task(task), end = end_task(results, task);
    sl_draws_init(&draws, end - first);
    for (int t = first; t < end; t++) {
        sl_seeds_best_at(results, t, row, samples, values);
        for (int s = 0; s < results->n_seeds; s++) {
            optimum[s] = isnan(values[s]) ? NAN : results->tasks[t].optimum;
        }
        sl_draws_add(&draws, results, t, values, optimum);
    }
    return sl_draws_estimate(&draws);
}
