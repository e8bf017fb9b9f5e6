// compare_reach.c - how many samples it takes to come near the optimum.
#include <math.h>

#include "compare_inside.h"
#include "starling/core/stats.h"

// the first sample within so many percent of the optimum
static void seeds_near(const SlResults *results, int task, int row, const void *goal,
                       double *samples) {
    double optimum = results->tasks[task].optimum, percent = *(const double *)goal;
    for (int s = 0; s < results->n_seeds; s++) {
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        int64_t sample = run && !isnan(optimum)
                             ? sl_run_reaches(results, run, optimum * (1 + percent / 100))
                             : 0;
        samples[s] = !run ? NAN : sample > 0 ? (double)sample : INFINITY;
    }
}

// all runs of the row on a task, or on all of them for -1
static int pooled(const SlResults *results, int task, int row, SlSeedsReach *reach,
                  const void *goal, double *pool) {
    double samples[SL_SEEDS_MAX];
    int n = 0;
    for (int t = 0; t < results->n_tasks; t++) {
        if (task >= 0 && t != task) continue;
        reach(results, t, row, goal, samples);
        for (int s = 0; s < results->n_seeds; s++) {
            if (!isnan(samples[s])) pool[n++] = samples[s];
        }
    }
    return n;
}

SlReach sl_reach_by(const SlResults *results, int task, int row, SlSeedsReach *reach,
                    const void *goal) {
    SlReach out = {.median = NAN};
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    double *pool = SL_NEW(&scratch, (size_t)results->n_tasks * (size_t)results->n_seeds, double);
    if (pool) out.n = pooled(results, task, row, reach, goal, pool);
    for (int i = 0; i < out.n; i++) out.n_reached += isfinite(pool[i]);
    if (out.n > 0) {
        sl_sort(out.n, pool);
        out.median = sl_median_sorted(out.n, pool);
    }
    sl_arena_free(&scratch);
    return out;
}

// runs that never get there count as their budget; false if the median then says nothing
static bool censor(const SlResults *results, int task, int row, double *samples) {
    bool reached = isfinite(sl_seeds_summary(results->n_seeds, samples).median);
    for (int s = 0; s < results->n_seeds; s++) {
        if (samples[s] != INFINITY) continue;
        const SlCellRecord *run = sl_results_run(results, task, row, s);
        int64_t budget = run->budget > run->samples ? run->budget : run->samples;
        if (results->count_dataset && run->assign_samples > 0) budget += run->assign_samples;
        samples[s] = (double)budget;
    }
    return reached;
}

SlEstimate sl_factor_by(const SlResults *results, int task, int row, int other, SlSeedsReach *reach,
                        const void *goal) {
    double samples[2][SL_SEEDS_MAX];
    bool bound = false, ceiling = false;
    SlDraws draws;
    sl_draws_init(&draws, task < 0 ? results->n_tasks : 1);
    for (int t = 0; t < results->n_tasks; t++) {
        if (task >= 0 && t != task) continue;
        reach(results, t, row, goal, samples[0]);
        reach(results, t, other, goal, samples[1]);
        bool row_reaches = censor(results, t, row, samples[0]);
        bool other_reaches = censor(results, t, other, samples[1]);
        if (!row_reaches && !other_reaches) continue;
        if (!sl_draws_add(&draws, results, t, samples[0], samples[1])) continue;
        bound |= !row_reaches;
        ceiling |= !other_reaches;
    }
    SlEstimate out = sl_draws_estimate(&draws);
    out.bound = bound;
    out.ceiling = ceiling;
    return out;
}

SlReach sl_reach(const SlResults *results, int task, int row, double percent) {
    return sl_reach_by(results, task, row, seeds_near, &percent);
}

SlEstimate sl_reach_factor(const SlResults *results, int task, int row, int other, double percent) {
    return sl_factor_by(results, task, row, other, seeds_near, &percent);
}
