// cma.h - inside search: covariance matrix adaptation, the core that knows nothing of mappings.
//
// Flow: sl_cma_make -> sl_cma_start -> sl_cma_draw (lambda times) -> scores -> sl_cma_update ...
#pragma once

#include "starling/core.h"

// x = mean + sigma * stretch * N(0, C); C is full, or diagonal for many coordinates.
typedef struct {
    int n, lambda;
    bool diagonal;
    double *mean;    // (n)
    double *stretch; // (n) scale of every coordinate apart from C; 1 unless a margin needs more
    double sigma;
    int64_t generation;

    // of the population
    int most;            // lambda is at most this
    double *weights;     // (most) of ranks, best first; the positive ones sum to 1
    double mu_effective; // of the positive weights
    double rate_path, rate_sigma, damp, rate_one, rate_mu;

    // evolving
    double *c;                    // (n, n), or (n) where diagonal
    double *vectors;              // (n, n) rows: eigenvectors of C at the last decomposition
    double *lengths;              // (n) square roots of its eigenvalues
    double *path, *path_sigma;    // (n)
    int64_t decomposed;           // generation of the last decomposition
    int *order;                   // (most) scratch
    double *share, *step, *white; // scratch: (most), (n), (n)
    double *scratch;              // (2n)
} SlCma;

enum { SL_CMA_MOST_FULL = 200 }; // coordinates with a full matrix

// Memory for `n` >= 1 coordinates and populations of up to `most` >= 2. False without.
bool sl_cma_make(SlCma *cma, int n, int most, SlArena *arena);

// 4 + 3 ln n: the default population.
int sl_cma_population(int n);

// Begin at `mean` (n) with C = I and the strategy parameters of Hansen (2016).
void sl_cma_start(SlCma *cma, int lambda, const double *mean, double sigma);

void sl_cma_draw(const SlCma *cma, SlRng *rng, double *x);

// The outcome of a generation: xs (lambda, n) with scores (lambda), lower is better. Equal scores
// share their weights. False if the distribution is degenerate: start anew.
bool sl_cma_update(SlCma *cma, const double *xs, const double *scores);

// Standard deviation of a coordinate, and of the difference of two.
double sl_cma_deviation(const SlCma *cma, int i);
double sl_cma_deviation_between(const SlCma *cma, int i, int j);
