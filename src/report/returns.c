// returns.c - the mean return of runs, stretch by stretch.
#include "returns.h"

#include <math.h>

double sl_return_at(const SlResults *results, int task, int row, int seed, int window) {
    const SlCellRecord *run = sl_results_run(results, task, row, seed);
    if (!run || window >= run->n_windows || !run->windows) return NAN;
    return run->windows[window].mean_inverse * results->tasks[task].optimum;
}

int sl_return_windows(const SlResults *results, int task) {
    int most = 0;
    for (int i = 0; i < results->n_rows * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, task, i / results->n_seeds, i % results->n_seeds);
        if (run && run->windows && run->n_windows > most) most = run->n_windows;
    }
    return most;
}

int64_t sl_return_last(const SlResults *results, int task, int window) {
    for (int i = 0; i < results->n_rows * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, task, i / results->n_seeds, i % results->n_seeds);
        if (run && run->windows && window < run->n_windows) return run->windows[window].last;
    }
    return 0;
}

// numbers of seeds, of which those that are NAN do not count
static SlSummary summary(int n, double *values) {
    SlSummary out = {.median = NAN, .low = NAN, .high = NAN, .least = NAN, .most = NAN};
    for (int i = 0; i < n; i++)
        if (!isnan(values[i])) values[out.n++] = values[i];
    if (out.n == 0) return out;
    sl_sort(out.n, values);
    out.median = sl_median_sorted(out.n, values);
    out.low = sl_quantile_sorted(out.n, values, 0.25);
    out.high = sl_quantile_sorted(out.n, values, 0.75);
    out.least = values[0];
    out.most = values[out.n - 1];
    return out;
}

// the summary of something over the seeds of a task and row
typedef double OfSeed(const SlResults *results, int task, int row, int seed, double of);

static SlSummary over_seeds(const SlSection *section, int task, int row, OfSeed *number,
                            double of) {
    const SlResults *results = section->results;
    size_t mark = sl_arena_mark(section->arena);
    double *values = SL_SECTION_NEW(section, results->n_seeds, double);
    SlSummary out = {.median = NAN, .low = NAN, .high = NAN};
    if (!values) return out;
    for (int s = 0; s < results->n_seeds; s++) values[s] = number(results, task, row, s, of);
    out = summary(results->n_seeds, values);
    sl_arena_rewind(section->arena, mark);
    return out;
}

static double in_window(const SlResults *results, int task, int row, int seed, double window) {
    return sl_return_at(results, task, row, seed, (int)window);
}

// the mean over the last tenth of the run's stretches
static double at_end(const SlResults *results, int task, int row, int seed, double ignored) {
    (void)ignored;
    const SlCellRecord *run = sl_results_run(results, task, row, seed);
    int n = run && run->windows ? run->n_windows : 0, last = (n + 9) / 10;
    double sum = 0;
    for (int w = n - last; w < n; w++) sum += sl_return_at(results, task, row, seed, w);
    return n > 0 ? sum / last : NAN;
}

static double reaches(const SlResults *results, int task, int row, int seed, double level) {
    const SlCellRecord *run = sl_results_run(results, task, row, seed);
    if (!run || !run->windows) return NAN;
    for (int w = 0; w < run->n_windows; w++)
        if (sl_return_at(results, task, row, seed, w) >= level) return (double)run->windows[w].last;
    return INFINITY;
}

SlSummary sl_return_summary(const SlSection *section, int task, int row, int window) {
    return over_seeds(section, task, row, in_window, window);
}

double sl_return_final(const SlSection *section, int task, int row) {
    return over_seeds(section, task, row, at_end, 0).median;
}

double sl_return_reach(const SlSection *section, int task, int row, double level) {
    return over_seeds(section, task, row, reaches, level).median;
}

SlEstimate sl_return_factor(const SlSection *section, int task, int row, double level) {
    SlEstimate out = {.value = NAN, .low = NAN, .high = NAN};
    double budget = (double)section->results->budget;
    double samples = sl_return_reach(section, task, row, level);
    double base = sl_return_reach(section, task, section->results->reference, level);
    if (isnan(samples) || isnan(base) || (isinf(samples) && isinf(base))) return out;
    out.bound = isinf(samples);
    out.ceiling = isinf(base);
    out.value = fmin(samples, budget) / fmin(base, budget);
    return out;
}
