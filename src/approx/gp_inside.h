// gp_inside.h - inside approx: the matrices of a Gaussian process.
//
// A symmetric positive definite matrix K is kept as its factor U: upper triangular, row-major, K =
// U' U. Sizes are multiples of SL_GP_STEP; what is beyond the points is the unit matrix.
#pragma once

#include "starling/approx.h"

enum { SL_GP_STEP = 4 };

static inline int sl_gp_padded(int n) {
    return (n + SL_GP_STEP - 1) / SL_GP_STEP * SL_GP_STEP;
}

struct SlGp {
    SlGpShape shape;
    int n_groups;
    int n;           // points
    size_t stride;   // of rows of matrices: room, padded
    double *params;  // (n_groups + 1)
    double *scale;   // (n_inputs) 1 / length scale
    double noise;    // variance over that of the process
    double *x;       // (room, n_inputs) points
    double *scaled;  // (room, n_inputs) points over length scales
    double *columns; // (n_inputs, stride) the same by input
    double *targets; // (stride)
    double *factor;  // (stride, stride) U of the correlations with noise
    double *invert;  // (stride) 1 / its diagonal
    double *weights; // (stride) K^-1 (targets - mean)
    double *ones;    // (stride) K^-1 1
    double mean;     // of the process
    double variance; // of the process
    double *block;   // (stride, SL_GP_ROWS) candidates: correlations, then U^-T of them; scratch
    double *batch;   // (n_inputs, SL_GP_ROWS) scaled candidates by input
    double *inverse; // (stride, stride) U^-T while fitting
    double *pull;    // (stride, stride) derivative of the likelihood by K while fitting
    double *history; // of the fit
};

enum { SL_GP_ROWS = 64, SL_GP_HISTORY = 6 }; // candidates at a time; steps that L-BFGS remembers

// Replace the upper triangle of K (n, n) by U and fill `invert` (n) with 1 / its diagonal.
void sl_upper_factor(int n, size_t stride, double *u, double *invert);

// B (n, m) becomes U^-T B. m is a multiple of SL_GP_STEP too.
void sl_upper_solve(int n, size_t stride, const double *u, const double *invert, int m,
                    size_t b_stride, double *b);

// V (n, n) becomes U^-T: lower triangular.
void sl_upper_invert(int n, size_t stride, const double *u, const double *invert, double *v);

// The lower triangle of W (n, n) loses that of V' V, which is K^-1.
void sl_lower_subtract(int n, size_t stride, const double *v, double *w);

// One vector (n): U^-T y, and U^-1 y, in place.
void sl_upper_forward(int n, size_t stride, const double *u, const double *invert, double *y);
void sl_upper_back(int n, size_t stride, const double *u, const double *invert, double *y);

// Squared distances (n) of a point `one` (n_inputs) to points given by input, (n_inputs, stride);
// all scaled. Numbers beyond n, up to a multiple of SL_GP_STEP, are written too.
void sl_gp_distances(const SlGp *gp, const double *one, const double *columns, size_t stride, int n,
                     double *out);

// Squared distances (n) become correlations, Matern-5/2; `slope` (n), unless NULL, gets their
// derivative by the logarithm of the distance over the squared distance, negated. As above beyond
// n.
void sl_matern(int n, double *k, double *slope);

// Add to the gradient by log length scales what the pairs of point i with those before it bring: w
// (i, and zeros up to a multiple of SL_GP_STEP) is the derivative by K times that of K by log
// distances, over the squared distance.
void sl_gp_pull(const SlGp *gp, int i, const double *w, double *grad);

void sl_gp_weigh(SlGp *gp); // weights, mean and variance of the targets

int sl_gp_n_params(const SlGp *gp);         // hyper-parameters
const double *sl_gp_params(const SlGp *gp); // (n_params)

void sl_gp_set(SlGp *gp, const double *params);

// Log likelihood of the targets plus log prior without its constant; its gradient (n_params).
double sl_gp_evidence(const SlGp *gp);
void sl_gp_gradient(SlGp *gp, double *grad);
