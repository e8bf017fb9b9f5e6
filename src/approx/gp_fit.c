// gp_fit.c - hyper-parameters of a Gaussian process: the likelihood with mean and variance put in
// (Jones, Schonlau & Welch 1998), a normal prior of every hyper-parameter, and L-BFGS (Liu &
// Nocedal, "On the limited memory BFGS method for large scale optimization", 1989).
//
//   evidence = -n/2 (log(2 pi variance) + 1) - log |U|  -  sum ((params - mean) / deviation)^2 / 2
//   by K: (weights weights' / variance - K^-1) / 2     by log length: -2 distance^2 k'(distance^2)
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "gp_inside.h"

static double prior_mean(const SlGp *gp, int i) {
    return i < gp->n_groups ? gp->shape.prior.length_mean : gp->shape.prior.noise_mean;
}

static double prior_deviation(const SlGp *gp, int i) {
    return i < gp->n_groups ? gp->shape.prior.length_deviation : gp->shape.prior.noise_deviation;
}

double sl_gp_evidence(const SlGp *gp) {
    const double two_pi = 6.283185307179586;
    double sum = -0.5 * gp->n * (log(two_pi * gp->variance) + 1);
    for (int i = 0; i < gp->n; i++) sum += log(gp->invert[i]);
    for (int i = 0; i < sl_gp_n_params(gp); i++) {
        double off = (gp->params[i] - prior_mean(gp, i)) / prior_deviation(gp, i);
        sum -= 0.5 * off * off;
    }
    return sum;
}

// the lower triangle of weights weights' / variance - K^-1
static void derive_matrix(SlGp *gp) {
    int n = sl_gp_padded(gp->n);
    for (int i = 0; i < n; i++) {
        double *row = gp->pull + (size_t)i * gp->stride;
        double own = i < gp->n ? gp->weights[i] / gp->variance : 0;
        for (int j = 0; j < n; j++) row[j] = j < gp->n ? own * gp->weights[j] : 0;
    }
    sl_upper_invert(n, gp->stride, gp->factor, gp->invert, gp->inverse);
    sl_lower_subtract(n, gp->stride, gp->inverse, gp->pull);
}

// row i times the derivative of K by log distances; zeros beyond the pairs (j < i)
static void derive_row(SlGp *gp, int i, double *row) {
    double *k = gp->block, *slope = gp->block + gp->stride;
    const double *one = gp->scaled + (size_t)i * (size_t)gp->shape.n_inputs;
    sl_gp_distances(gp, one, gp->columns, gp->stride, i, k);
    sl_matern(i, k, slope);
    for (int j = 0; j < i; j++) row[j] *= slope[j];
    for (int j = i; j < sl_gp_padded(i); j++) row[j] = 0;
}

// every pair stands twice in the matrix, which makes up for the half in front
void sl_gp_gradient(SlGp *gp, double *grad) {
    double trace = 0;
    for (int i = 0; i < sl_gp_n_params(gp); i++) {
        double deviation = prior_deviation(gp, i);
        grad[i] = -(gp->params[i] - prior_mean(gp, i)) / (deviation * deviation);
    }
    derive_matrix(gp);
    for (int i = 0; i < gp->n; i++) {
        double *row = gp->pull + (size_t)i * gp->stride;
        trace += row[i];
        derive_row(gp, i, row);
        sl_gp_pull(gp, i, row, grad);
    }
    grad[gp->n_groups] += 0.5 * gp->noise * trace;
}

// --- L-BFGS

// What the fit remembers; all (n).
typedef struct {
    int n, kept; // params; pairs in memory
    double *params, *grad, *direction, *next, *next_grad;
    double *step, *change; // (SL_GP_HISTORY, n) newest last
} Climb;

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void add_scaled(int n, double a, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// the gradient times the inverse curvature that the last steps showed
static void find_direction(Climb *climb) {
    double share[SL_GP_HISTORY];
    int n = climb->n;
    memcpy(climb->direction, climb->grad, (size_t)n * sizeof *climb->grad);
    for (int k = climb->kept - 1; k >= 0; k--) {
        const double *step = climb->step + (ptrdiff_t)k * n,
                     *change = climb->change + (ptrdiff_t)k * n;
        share[k] = dot(n, step, climb->direction) / dot(n, step, change);
        add_scaled(n, -share[k], change, climb->direction);
    }
    if (climb->kept > 0) {
        const double *step = climb->step + (ptrdiff_t)(climb->kept - 1) * n;
        const double *change = climb->change + (ptrdiff_t)(climb->kept - 1) * n;
        double scale = dot(n, step, change) / dot(n, change, change);
        for (int i = 0; i < n; i++) climb->direction[i] *= scale;
    }
    for (int k = 0; k < climb->kept; k++) {
        const double *step = climb->step + (ptrdiff_t)k * n,
                     *change = climb->change + (ptrdiff_t)k * n;
        double other = dot(n, change, climb->direction) / dot(n, step, change);
        add_scaled(n, share[k] - other, step, climb->direction);
    }
}

// what stands at a limit stays there; the longest component of a step is at most one, the first
// time a fifth: a factor 1.2
static void limit_direction(Climb *climb) {
    double most = climb->kept > 0 ? 1 : 0.2, longest = 0;
    for (int i = 0; i < climb->n; i++) {
        if (climb->grad[i] == 0) climb->direction[i] = 0;
        longest = fmax(longest, fabs(climb->direction[i]));
    }
    if (longest <= most && climb->kept > 0) return;
    for (int i = 0; i < climb->n && longest > 0; i++) climb->direction[i] *= most / longest;
}

// remember the step taken if the function curves the right way along it, and stand at its end
static void remember_step(Climb *climb) {
    int n = climb->n;
    if (climb->kept == SL_GP_HISTORY) {
        size_t bytes = (size_t)(SL_GP_HISTORY - 1) * (size_t)n * sizeof(double);
        memmove(climb->step, climb->step + n, bytes);
        memmove(climb->change, climb->change + n, bytes);
        climb->kept--;
    }
    double *step = climb->step + (ptrdiff_t)climb->kept * n;
    double *change = climb->change + (ptrdiff_t)climb->kept * n;
    for (int i = 0; i < n; i++) {
        step[i] = climb->next[i] - climb->params[i];
        change[i] = climb->grad[i] - climb->next_grad[i];
    }
    climb->kept += dot(n, step, change) > 1e-10 * dot(n, change, change);
    memcpy(climb->params, climb->next, (size_t)n * sizeof *step);
    memcpy(climb->grad, climb->next_grad, (size_t)n * sizeof *step);
}

// hyper-parameters beyond these limits say the same as those at the limits
static double limited(const SlGp *gp, int i, double param) {
    double low = i < gp->n_groups ? -6 : -16, high = i < gp->n_groups ? 8 : 3;
    return fmin(fmax(param, low), high);
}

// at `params`; what leads beyond the limits does not count
static void limited_gradient(SlGp *gp, const double *params, double *grad) {
    sl_gp_gradient(gp, grad);
    for (int i = 0; i < sl_gp_n_params(gp); i++)
        if (limited(gp, i, params[i] + copysign(1e-9, grad[i])) == params[i]) grad[i] = 0;
}

static void start_climb(SlGp *gp, Climb *climb) {
    int n = sl_gp_n_params(gp);
    double *at = gp->history;
    *climb = (Climb){.n = n,
                     .params = at,
                     .grad = at + n,
                     .direction = at + (ptrdiff_t)2 * n,
                     .next = at + (ptrdiff_t)3 * n,
                     .next_grad = at + (ptrdiff_t)4 * n,
                     .step = at + (ptrdiff_t)5 * n,
                     .change = at + (ptrdiff_t)(5 + SL_GP_HISTORY) * n};
    memcpy(climb->params, gp->params, (size_t)n * sizeof *at);
    limited_gradient(gp, climb->params, climb->grad);
}

// a step of the given share of the direction; returns the evidence there
static double try_step(SlGp *gp, Climb *climb, double share) {
    for (int i = 0; i < climb->n; i++)
        climb->next[i] = limited(gp, i, climb->params[i] + share * climb->direction[i]);
    sl_gp_set(gp, climb->next);
    return sl_gp_evidence(gp);
}

double sl_gp_fit(SlGp *gp, int evaluations) {
    const double enough = 1e-3, armijo = 1e-4;
    double value = sl_gp_evidence(gp), share = 1;
    Climb climb;
    if (gp->n < 2 || evaluations < 1) return value;
    start_climb(gp, &climb);
    for (bool fresh = true; evaluations > 0; evaluations--) {
        if (fresh) {
            find_direction(&climb);
            limit_direction(&climb);
            share = 1;
        }
        double rise = dot(climb.n, climb.grad, climb.direction);
        if (!(rise > enough * enough)) break;
        double next = try_step(gp, &climb, share);
        fresh = next > value + armijo * share * rise;
        if (!fresh) {
            share *= 0.3;
            if (share < 0.01) break;
            continue;
        }
        double gain = next - value;
        limited_gradient(gp, climb.next, climb.next_grad);
        remember_step(&climb);
        value = next;
        if (gain < enough) break;
    }
    sl_gp_set(gp, climb.params);
    return sl_gp_evidence(gp);
}
