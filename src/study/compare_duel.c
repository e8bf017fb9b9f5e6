// compare_duel.c - who is better on a task: a paired test over seeds.
#include <math.h>

#include "compare_inside.h"
#include "starling/core/stats.h"

enum { FEWEST = 6 }; // pairs; with fewer no outcome has p <= 5 %
#define ALPHA 0.05
#define RESOLUTION 1e12 // logs that differ by less than its inverse are equal

typedef struct {
    int n_pairs, n_found, n;
    double d[SL_SEEDS_MAX]; // (n) those that differ
} Pairs;

// seeds that both have, as differences of logs, row minus other, in steps of the resolution:
// infinite where one has found nothing yet
static void make_pairs(int n_seeds, const double *row, const double *other, Pairs *pairs) {
    pairs->n_pairs = pairs->n_found = pairs->n = 0;
    for (int s = 0; s < n_seeds; s++) {
        if (isnan(row[s]) || isnan(other[s])) continue;
        pairs->n_pairs++;
        pairs->n_found += isfinite(row[s]) || isfinite(other[s]);
        if (row[s] == other[s]) continue; // neither has found anything, too
        double d = round(RESOLUTION * (log(row[s]) - log(other[s])));
        if (d != 0) pairs->d[pairs->n++] = d;
    }
}

// ranks of the positive differences minus those of the negative ones
static double signed_ranks(int n, const double *d) {
    double size[SL_SEEDS_MAX], ranks[SL_SEEDS_MAX], sum = 0;
    int order[SL_SEEDS_MAX];
    for (int i = 0; i < n; i++) size[i] = fabs(d[i]);
    sl_ranks(n, size, order, ranks);
    for (int i = 0; i < n; i++) sum += d[i] > 0 ? ranks[i] : d[i] < 0 ? -ranks[i] : 0;
    return sum;
}

SlDuel sl_duel(const SlResults *results, int task, int row, int other, int64_t samples) {
    double values[2][SL_SEEDS_MAX];
    sl_seeds_best_at(results, task, row, samples, values[0]);
    sl_seeds_best_at(results, task, other, samples, values[1]);
    double median = sl_seeds_summary(results->n_seeds, values[0]).median;
    SlDuel out = {.result = SL_DUEL_NONE, .p = NAN};
    out.ratio = median / sl_seeds_summary(results->n_seeds, values[1]).median;

    Pairs pairs;
    make_pairs(results->n_seeds, values[0], values[1], &pairs);
    if (pairs.n_pairs < FEWEST || pairs.n_found == 0) return out;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_wilcoxon(pairs.n, pairs.d, &scratch, &out.p);
    sl_arena_free(&scratch);
    if (status != SL_OK) return out;
    bool better = signed_ranks(pairs.n, pairs.d) < 0;
    out.result = out.p > ALPHA ? SL_DUEL_TIE : better ? SL_DUEL_WIN : SL_DUEL_LOSS;
    return out;
}
