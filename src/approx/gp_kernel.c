// gp_kernel.c - distances and the Matern-5/2 kernel (Rasmussen & Williams 2006, equation 4.17):
//
//   k = (1 + t + t^2 / 3) exp(-t)        t = sqrt(5) distance
//
// with an exponential of our own, so that every machine has the same bits.
#include <math.h>

#include "gp_inside.h"
#include "vectors.h"

enum { VECS = 4, WIDTH = 4, N_TERMS = 12 };

typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t QuadBits __attribute__((vector_size(32)));

// the first vecs * WIDTH distances
INLINE void some_distances(const SlGp *gp, const double *one, const double *columns, size_t stride,
                           double *out, const int vecs) {
    Quad sum[VECS] = {{0}};
    for (int c = 0; c < gp->shape.n_inputs; c++, columns += stride) {
        const Quad *others = (const Quad *)columns;
        if (gp->shape.label[c]) {
            QuadBits weight = (QuadBits)(gp->scale[c] * gp->scale[c] - (Quad){0});
            for (int v = 0; v < vecs; v++)
                sum[v] += (Quad)((QuadBits)(others[v] != one[c]) & weight);
        } else {
            for (int v = 0; v < vecs; v++) {
                Quad apart = others[v] - one[c];
                sum[v] += apart * apart;
            }
        }
    }
    for (int v = 0; v < vecs; v++) ((Quad *)out)[v] = sum[v];
}

SL_CLONES static void all_distances(const SlGp *gp, const double *one, const double *columns,
                                    size_t stride, int n, double *out) {
    int i = 0;
    for (; i + VECS * WIDTH <= n; i += VECS * WIDTH)
        some_distances(gp, one, columns + i, stride, out + i, VECS);
    for (; i < n; i += WIDTH) some_distances(gp, one, columns + i, stride, out + i, 1);
}

void sl_gp_distances(const SlGp *gp, const double *one, const double *columns, size_t stride, int n,
                     double *out) {
    all_distances(gp, one, columns, stride, n, out);
}

// sqrt(5 x), at most 700, since exp(-700) is about 1e-304
INLINE void roots(int n, double *x) {
    for (int i = 0; i < n; i++) {
        double root = sqrt(5 * x[i]);
        x[i] = root < 700 ? root : 700;
    }
}

// exp(-t), t in 0..700: -t = k log 2 + r with |r| <= log(2) / 2, exp(r) by its Taylor series, 2^k
// by its bits. Adding 1.5 * 2^52 rounds k to a whole number in the low bits.
INLINE Quad decay(Quad t) {
    const double log_2_high = 0x1.62e42fefa38p-1, log_2_low = 0x1.ef35793c7673p-45;
    const double by_log_2 = 1.4426950408889634, round = 0x1.8p52;
    Quad shifted = round - t * by_log_2, k = shifted - round;
    Quad r = (-t - k * log_2_high) - k * log_2_low, series = r * (1.0 / N_TERMS) + 1;
    for (int i = N_TERMS - 1; i >= 1; i--) series = 1 + r * series * (1.0 / i);
    return series * (Quad)(((QuadBits)shifted + 1023) << 52);
}

SL_CLONES static void matern(int n, double *k, double *slope) {
    n = sl_gp_padded(n);
    roots(n, k);
    for (int i = 0; i < n; i += WIDTH) {
        Quad t = *(const Quad *)(k + i), power = decay(t);
        if (slope) *(Quad *)(slope + i) = (5.0 / 3) * (1 + t) * power;
        *(Quad *)(k + i) = (1 + t * (1 + t * (1.0 / 3))) * power;
    }
}

void sl_matern(int n, double *k, double *slope) {
    matern(n, k, slope);
}

// sum of w (x - one)^2, or of w where x differs from one; four sums side by side
INLINE double weighted(int n, const double *w, const double *x, double one, const bool label) {
    Quad sum = {0};
    for (int j = 0; j < n; j += WIDTH) {
        Quad weight = *(const Quad *)(w + j), apart = *(const Quad *)(x + j) - one;
        if (label)
            sum += (Quad)((QuadBits)weight & (QuadBits)(apart != 0));
        else
            sum += weight * apart * apart;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// what row i of the derivative by log distances is for each length scale
SL_CLONES static void pull(const SlGp *gp, int i, const double *w, double *grad) {
    int n = sl_gp_padded(i);
    for (int c = 0; c < gp->shape.n_inputs; c++) {
        const double *column = gp->columns + (size_t)c * gp->stride;
        double *to = grad + gp->shape.group[c];
        if (gp->shape.label[c])
            *to += gp->scale[c] * gp->scale[c] * weighted(n, w, column, column[i], true);
        else
            *to += weighted(n, w, column, column[i], false);
    }
}

void sl_gp_pull(const SlGp *gp, int i, const double *w, double *grad) {
    pull(gp, i, w, grad);
}
