// flock_spread.c - how far tasks are from those that a flock was taught on.
#include <math.h>
#include <stdlib.h>

#include "flock_inside.h"

double sl_flock_apart(int n, const float *deviation, const float *a, const float *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = ((double)a[i] - (double)b[i]) / (double)deviation[i];
        sum += d * d;
    }
    return sum;
}

// from the nearest task but `but`
static double nearest(const SlFlock *flock, const float *context, int but) {
    const int n = flock->info.n_context;
    double least = INFINITY;
    for (int k = 0; k < flock->info.n_tasks; k++) {
        const float *task = flock->tasks + (size_t)k * (size_t)n;
        if (k != but) least = fmin(least, sl_flock_apart(n, flock->deviation, context, task));
    }
    return n > 0 ? sqrt(least / n) : 0;
}

static int by_size(const void *a, const void *b) {
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

void sl_flock_spread(const SlFlock *flock, SlFlockSpread *spread) {
    const int all = flock->info.n_tasks, n_context = flock->info.n_context;
    spread->n = all < SL_FLOCK_MOST_SPREAD ? all : SL_FLOCK_MOST_SPREAD;
    for (int i = 0; i < spread->n; i++) {
        int k = (int)((int64_t)i * all / spread->n);
        spread->nearest[i] = nearest(flock, flock->tasks + (size_t)k * (size_t)n_context, k);
    }
    qsort(spread->nearest, (size_t)spread->n, sizeof *spread->nearest, by_size);
}

double sl_flock_distance(const SlFlock *flock, const float *context) {
    return nearest(flock, context, -1);
}

double sl_flock_spread_share(const SlFlockSpread *spread, double distance) {
    int farther = 0;
    for (int i = 0; i < spread->n; i++) farther += spread->nearest[i] > distance;
    return (double)farther / spread->n;
}
