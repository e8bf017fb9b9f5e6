// kmeans.c - k-means by Lloyd's iteration ("Least Squares Quantization in PCM", 1982).
//
//   member_i = argmin_c |x_i - m_c|^2        ties: the first
//   m_c      = mean of x_i with member_i = c
//
// Start, limit and empty clusters as CHAMELEON's sampling module has them (Ahn et al. 2020).
#include "starling/approx/kmeans.h"

#include <assert.h>
#include <string.h>

typedef struct {
    int n, dims, k;
    const float *x;
    float *centroids;
    int *member;
    double *sums; // (k, dims)
    int *counts;  // (k)
} Groups;

static const float *row(const float *x, int dims, int i) {
    return x + (ptrdiff_t)i * dims;
}

static double distance(int dims, const float *a, const float *b) {
    double sum = 0;
    for (int d = 0; d < dims; d++) {
        const double apart = (double)a[d] - (double)b[d];
        sum += apart * apart;
    }
    return sum;
}

static void place(const Groups *groups, int cluster, int point) {
    memcpy(groups->centroids + (ptrdiff_t)cluster * groups->dims,
           row(groups->x, groups->dims, point), (size_t)groups->dims * sizeof *groups->centroids);
}

// distinct points while there are any; `order` (n) is scratch
static void start(const Groups *groups, SlRng *rng, int *order) {
    for (int i = 0; i < groups->n; i++) order[i] = i;
    for (int c = 0; c < groups->k; c++) {
        int point = (int)sl_rng_below(rng, (uint64_t)groups->n);
        if (c < groups->n) {
            const int at = c + (int)sl_rng_below(rng, (uint64_t)(groups->n - c));
            point = order[at];
            order[at] = order[c];
        }
        place(groups, c, point);
    }
}

// the loss of the nearest centroids; whether any point went elsewhere
static double assign(const Groups *groups, bool *moved) {
    double loss = 0;
    *moved = false;
    for (int i = 0; i < groups->n; i++) {
        const float *point = row(groups->x, groups->dims, i);
        int nearest = 0;
        double least = distance(groups->dims, point, groups->centroids);
        for (int c = 1; c < groups->k; c++) {
            const double far =
                distance(groups->dims, point, row(groups->centroids, groups->dims, c));
            if (far >= least) continue;
            least = far;
            nearest = c;
        }
        *moved = *moved || groups->member[i] != nearest;
        groups->member[i] = nearest;
        loss += least;
    }
    return loss;
}

// means of the clusters; whether any was empty and began again
static bool average(const Groups *groups, SlRng *rng) {
    const int dims = groups->dims;
    memset(groups->counts, 0, (size_t)groups->k * sizeof *groups->counts);
    memset(groups->sums, 0, (size_t)groups->k * (size_t)dims * sizeof *groups->sums);
    for (int i = 0; i < groups->n; i++) {
        const int c = groups->member[i];
        groups->counts[c]++;
        for (int d = 0; d < dims; d++)
            groups->sums[(ptrdiff_t)c * dims + d] += (double)row(groups->x, dims, i)[d];
    }
    bool empty = false;
    for (int c = 0; c < groups->k; c++) {
        if (groups->counts[c] == 0) {
            place(groups, c, (int)sl_rng_below(rng, (uint64_t)groups->n));
            empty = true;
        }
        for (int d = 0; groups->counts[c] > 0 && d < dims; d++)
            groups->centroids[(ptrdiff_t)c * dims + d] =
                (float)(groups->sums[(ptrdiff_t)c * dims + d] / groups->counts[c]);
    }
    return empty;
}

double sl_kmeans(int n, int dims, const float *x, int k, SlRng *rng, SlArena *scratch,
                 float *centroids, int *member) {
    assert(n >= 1 && dims >= 1 && k >= 1);
    const size_t mark = sl_arena_mark(scratch);
    const Groups groups = {.n = n,
                           .dims = dims,
                           .k = k,
                           .x = x,
                           .centroids = centroids,
                           .member = member,
                           .sums = SL_NEW(scratch, (size_t)k * (size_t)dims, double),
                           .counts = SL_NEW(scratch, k, int)};
    double loss = -1;
    if (groups.sums && groups.counts) {
        start(&groups, rng, member);
        for (int i = 0; i < n; i++) member[i] = -1;
        bool moved, empty = false;
        loss = assign(&groups, &moved);
        for (int i = 0; i < SL_KMEANS_ITERATIONS && (moved || empty); i++) {
            empty = average(&groups, rng);
            loss = assign(&groups, &moved);
        }
    }
    sl_arena_rewind(scratch, mark);
    return loss;
}
