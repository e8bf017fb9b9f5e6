// compare_draws.c - bootstrap intervals of ratios of medians, on the log scale.
//
// Seeds are drawn with replacement, for both rows the same ones: rows that share random numbers
// stay paired, and a row over itself is 1 in every draw. Seeds that only one of the rows has are
// drawn among themselves. The draws of a task are those of a stream named by the task, the same for
// all rows and checkpoints. A geometric mean over tasks draws anew in each task.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "compare_inside.h"
#include "starling/core/stats.h"

#define LEVEL 0.95
#define FAR 1e300 // stands for an infinite log: sums and interpolations stay numbers

// The numbers of one row, in ascending order.
typedef struct {
    int n;
    double sorted[SL_SEEDS_MAX];  // (n)
    int place[SL_SEEDS_MAX];      // (n_seeds) of each seed in `sorted`; SL_SEEDS_MAX = has none
    int counts[SL_SEEDS_MAX + 1]; // (n) how often it was drawn; the last is never looked at
} Side;

static void side_init(Side *side, int n_seeds, const double *values) {
    int order[SL_SEEDS_MAX];
    side->n = 0;
    side->counts[SL_SEEDS_MAX] = 0;
    for (int s = 0; s < n_seeds; s++) {
        side->place[s] = SL_SEEDS_MAX;
        if (isnan(values[s])) continue;
        // insertion: seeds are few
        int at = side->n++;
        for (; at > 0 && side->sorted[at - 1] > values[s]; at--) {
            side->sorted[at] = side->sorted[at - 1];
            order[at] = order[at - 1];
        }
        side->sorted[at] = values[s];
        order[at] = s;
    }
    for (int i = 0; i < side->n; i++) side->place[order[i]] = i;
}

// draw as many seeds as the list has and count them on both sides
static void draw_seeds(SlRng *rng, int n, const int *seeds, Side *row, Side *other) {
    for (int i = 0; i < n; i += 2) {
        // two from one number; the bias is n / 2^32
        uint64_t bits = sl_rng_next(rng);
        for (int j = i; j < n && j < i + 2; j++, bits <<= 32) {
            int seed = seeds[(bits >> 32) * (uint64_t)n >> 32];
            row->counts[row->place[seed]]++;
            other->counts[other->place[seed]]++;
        }
    }
}

// 0 = equal; both infinite are equal too
static double log_ratio(double row, double other) {
    if (row == other) return 0;
    return fmax(-FAR, fmin(FAR, log(row / other)));
}

void sl_draws_init(SlDraws *draws, int n_tasks) {
    draws->n_draws = n_tasks > SL_MANY_TASKS ? SL_DRAWS_MANY : SL_DRAWS;
    draws->n_tasks = 0;
    draws->sum = 0;
    memset(draws->draws, 0, sizeof draws->draws);
}

// Seeds that are drawn among themselves: those of both rows, of the row alone, of the other alone.
enum { BOTH, ROW, OTHER, N_GROUPS };
typedef struct {
    int n[N_GROUPS];
    int seeds[N_GROUPS][SL_SEEDS_MAX];
} Groups;

static void groups_init(Groups *groups, int n_seeds, const double *row, const double *other) {
    for (int g = 0; g < N_GROUPS; g++) groups->n[g] = 0;
    for (int s = 0; s < n_seeds; s++) {
        if (isnan(row[s]) && isnan(other[s])) continue;
        int group = isnan(row[s]) ? OTHER : isnan(other[s]) ? ROW : BOTH;
        groups->seeds[group][groups->n[group]++] = s;
    }
}

// the ratio of the medians of one resample
static double draw_ratio(SlRng *rng, const Groups *groups, Side *row, Side *other) {
    memset(row->counts, 0, (size_t)row->n * sizeof *row->counts);
    memset(other->counts, 0, (size_t)other->n * sizeof *other->counts);
    for (int g = 0; g < N_GROUPS; g++) {
        draw_seeds(rng, groups->n[g], groups->seeds[g], row, other);
    }
    return log_ratio(sl_median_counted(row->n, row->sorted, row->counts),
                     sl_median_counted(other->n, other->sorted, other->counts));
}

static bool is_constant(const Side *side) {
    return side->sorted[0] == side->sorted[side->n - 1];
}

bool sl_draws_add(SlDraws *draws, const SlResults *results, int task, const double *row,
                  const double *other) {
    Side left, right;
    side_init(&left, results->n_seeds, row);
    side_init(&right, results->n_seeds, other);
    if (left.n == 0 || right.n == 0) return false;
    double ratio = sl_median_sorted(left.n, left.sorted) / sl_median_sorted(right.n, right.sorted);
    if (isnan(ratio)) return false;
    draws->sum += log(ratio);
    draws->n_tasks++;

    Groups groups;
    SlRng rng;
    groups_init(&groups, results->n_seeds, row, other);
    sl_rng_init(&rng, 1, results->tasks[task].name);
    bool varies = !is_constant(&left) || !is_constant(&right);
    double same = log_ratio(left.sorted[0], right.sorted[0]);
    for (int i = 0; i < draws->n_draws; i++) {
        draws->draws[i] += varies ? draw_ratio(&rng, &groups, &left, &right) : same;
    }
    return true;
}

SlEstimate sl_draws_estimate(SlDraws *draws) {
    if (draws->n_tasks == 0) return (SlEstimate){.value = NAN, .low = NAN, .high = NAN};
    double low = sl_quantile(draws->n_draws, draws->draws, 0.5 * (1 - LEVEL));
    double high = sl_quantile(draws->n_draws, draws->draws, 0.5 * (1 + LEVEL));
    return (SlEstimate){
        .value = exp(draws->sum / draws->n_tasks),
        .low = exp(low / draws->n_tasks),
        .high = exp(high / draws->n_tasks),
        .n_tasks = draws->n_tasks,
    };
}
