// eigen.c - Householder reflections to a tridiagonal matrix, then the QL iteration with implicit
// Wilkinson shifts (Golub & Van Loan, Matrix Computations, 4th ed., 8.3; Wilkinson & Reinsch,
// Handbook for Automatic Computation II, 1971).
//
// O(n^3), in a fixed order of plain additions, products and square roots.
#include "eigen.h"

#include <float.h>
#include <math.h>

enum { MOST_ROUNDS = 60 }; // of QL per eigenvalue; two or three are usual

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double length(double x, double y) {
    double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    if (large == 0) return 0;
    return large * sqrt(1 + small / large * (small / large));
}

// Row k left of the diagonal becomes (0, ..., 0, beside): returns `beside`, and leaves there the
// vector v of the reflection I - factor v v', whose factor goes to *factor.
static double reflect_row(int k, double *row, double *factor) {
    double scale = 0;
    for (int i = 0; i < k; i++) scale = fmax(scale, fabs(row[i]));
    *factor = 0;
    if (scale == 0) return 0;
    for (int i = 0; i < k; i++) row[i] /= scale;
    double norm = sqrt(dot(k, row, row));
    double beside = row[k - 1] > 0 ? -norm : norm;
    row[k - 1] -= beside;
    *factor = 2 / dot(k, row, row);
    return beside * scale;
}

// a <- H a H for the leading (k, k) block, lower half; work (k)
static void reflect_block(int n, int k, const double *v, double factor, double *a, double *work) {
    for (int i = 0; i < k; i++) {
        double sum = dot(i + 1, a + (ptrdiff_t)i * n, v);
        for (int j = i + 1; j < k; j++) sum += a[(ptrdiff_t)j * n + i] * v[j];
        work[i] = factor * sum;
    }
    double half = factor * dot(k, work, v) / 2;
    for (int i = 0; i < k; i++) work[i] -= half * v[i];
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) a[(ptrdiff_t)i * n + j] -= v[i] * work[j] + work[i] * v[j];
}

// The rows of `a`, which hold the reflections, become the transpose of their product; the smallest
// block first.
static void collect(int n, double *a, const double *factors) {
    for (int k = 0; k < n; k++) {
        double *v = a + (ptrdiff_t)k * n;
        for (int i = 0; i < k && factors[k] != 0; i++) {
            double *row = a + (ptrdiff_t)i * n;
            double along = factors[k] * dot(k, row, v);
            for (int j = 0; j < k; j++) row[j] -= along * v[j];
        }
        for (int j = 0; j < k; j++) v[j] = a[(ptrdiff_t)j * n + k] = 0;
        v[k] = 1;
    }
}

// diagonal (n) and beside (n; beside[i] between i and i+1, the last is 0)
static void tridiagonalise(int n, double *a, double *diagonal, double *beside, double *factors) {
    beside[n - 1] = 0;
    factors[0] = 0;
    for (int k = n - 1; k > 0; k--) {
        double *row = a + (ptrdiff_t)k * n;
        diagonal[k] = row[k];
        beside[k - 1] = reflect_row(k, row, &factors[k]);
        // factors below k are free still
        if (factors[k] != 0) reflect_block(n, k, row, factors[k], a, factors);
    }
    diagonal[0] = a[0];
    collect(n, a, factors);
}

static void rotate_rows(int n, double cosine, double sine, double *lower, double *upper) {
    for (int k = 0; k < n; k++) {
        double kept = upper[k];
        upper[k] = sine * lower[k] + cosine * kept;
        lower[k] = cosine * lower[k] - sine * kept;
    }
}

// one QL sweep over the block first..last of the tridiagonal matrix
static void sweep(int n, int first, int last, double *diagonal, double *beside, double *vectors) {
    double slope = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first]);
    double shift = beside[first] / (slope + copysign(length(slope, 1), slope));
    double bulge = diagonal[last] - diagonal[first] + shift;
    double sine = 1, cosine = 1, moved = 0;
    for (int i = last - 1; i >= first; i--) {
        double over = sine * beside[i], along = cosine * beside[i], norm = length(over, bulge);
        beside[i + 1] = norm;
        if (norm == 0) { // the matrix falls apart here
            diagonal[i + 1] -= moved;
            beside[last] = 0;
            return;
        }
        sine = over / norm;
        cosine = bulge / norm;
        bulge = diagonal[i + 1] - moved;
        double turn = (diagonal[i] - bulge) * sine + 2 * cosine * along;
        moved = sine * turn;
        diagonal[i + 1] = bulge + moved;
        bulge = cosine * turn - along;
        rotate_rows(n, cosine, sine, vectors + (ptrdiff_t)i * n, vectors + (ptrdiff_t)(i + 1) * n);
    }
    diagonal[first] -= moved;
    beside[first] = bulge;
    beside[last] = 0;
}

// where the block that begins at `first` ends: at the first neighbour that is as good as zero
static int block_end(int n, int first, const double *diagonal, const double *beside) {
    int last = first;
    for (; last < n - 1; last++) {
        double size = fabs(diagonal[last]) + fabs(diagonal[last + 1]);
        if (fabs(beside[last]) <= DBL_EPSILON * size) break;
    }
    return last;
}

bool sl_eigen_symmetric(int n, double *a, double *values, double *scratch) {
    if (n == 0) return true;
    tridiagonalise(n, a, values, scratch, scratch + n);
    for (int first = 0; first < n; first++) {
        for (int round = 0;; round++) {
            int last = block_end(n, first, values, scratch);
            if (last == first) break;
            if (round == MOST_ROUNDS) return false;
            sweep(n, first, last, values, scratch, a);
        }
    }
    return true;
}
