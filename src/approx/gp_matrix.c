// gp_matrix.c - the linear algebra of Gaussian processes: Cholesky, triangular systems, inverse.
//
// Left-looking by blocks of four rows. All of it comes down to one tile: four rows by one or two
// vectors of sums in registers while p is walked, in this order whatever the instruction set.
#include <math.h>

#include "gp_inside.h"
#include "vectors.h"

enum { ROWS = SL_GP_STEP, VECS = 2, WIDTH = 4 };

typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));

// c rows i..i+3 lose sum_p a[p][i..i+3] b[p][.], p = from..to-1. b and c have the same stride.
typedef struct {
    const double *a, *b;
    double *c;
    size_t a_stride, stride;
    int from, to;
    const double *invert; // not NULL: a is U, and the rows are then solved by its block at i
} Panel;

// rows i..i+3 of columns j..j+4*vecs-1
INLINE void tile(const Panel *q, int i, int j, const int vecs) {
    Quad sum[ROWS][VECS];
    for (int r = 0; r < ROWS; r++) {
        const Quad *from = (const Quad *)(q->c + (size_t)(i + r) * q->stride + j);
        for (int v = 0; v < vecs; v++) sum[r][v] = from[v];
    }
    const double *a = q->a + (size_t)q->from * q->a_stride + i;
    const double *b = q->b + (size_t)q->from * q->stride + j;
    for (int p = q->from; p < q->to; p++, a += q->a_stride, b += q->stride) {
        for (int r = 0; r < ROWS; r++)
            for (int v = 0; v < vecs; v++) sum[r][v] -= a[r] * ((const Quad *)b)[v];
    }
    if (q->invert) {
        for (int r = 0; r < ROWS; r++) {
            for (int s = 0; s < r; s++) {
                double above = q->a[(size_t)(i + s) * q->a_stride + i + r];
                for (int v = 0; v < vecs; v++) sum[r][v] -= above * sum[s][v];
            }
            for (int v = 0; v < vecs; v++) sum[r][v] *= q->invert[i + r];
        }
    }
    for (int r = 0; r < ROWS; r++) {
        Quad *to = (Quad *)(q->c + (size_t)(i + r) * q->stride + j);
        for (int v = 0; v < vecs; v++) to[v] = sum[r][v];
    }
}

// rows i..i+3 of columns j..end-1
SL_CLONES static void panel(const Panel *given, int i, int j, int end) {
    const Panel q = *given; // the compiler sees that nothing writes to it
    for (; j + VECS * WIDTH <= end; j += VECS * WIDTH) tile(&q, i, j, VECS);
    for (; j + WIDTH <= end; j += WIDTH) tile(&q, i, j, 1);
}

// the block of four on the diagonal, of which the sums are done
static void factor_block(size_t stride, double *u, double *invert) {
    const double least = 1e-14; // of a pivot; the noise keeps them above
    for (int r = 0; r < ROWS; r++) {
        double *row = u + (size_t)r * stride;
        for (int s = 0; s < r; s++) {
            const double *above = u + (size_t)s * stride;
            for (int k = r; k < ROWS; k++) row[k] -= above[r] * above[k];
        }
        double pivot = row[r] > least ? row[r] : least;
        invert[r] = 1 / sqrt(pivot);
        for (int k = r; k < ROWS; k++) row[k] *= invert[r];
    }
}

void sl_upper_factor(int n, size_t stride, double *u, double *invert) {
    Panel q = {.a = u, .b = u, .c = u, .a_stride = stride, .stride = stride};
    for (int i = 0; i < n; i += ROWS) {
        q.to = i;
        q.invert = NULL;
        panel(&q, i, i, i + ROWS);
        factor_block(stride, u + (size_t)i * stride + i, invert + i);
        q.invert = invert;
        panel(&q, i, i + ROWS, n);
    }
}

void sl_upper_solve(int n, size_t stride, const double *u, const double *invert, int m,
                    size_t b_stride, double *b) {
    Panel q = {.a = u, .b = b, .c = b, .a_stride = stride, .stride = b_stride, .invert = invert};
    for (int i = 0; i < n; i += ROWS) {
        q.to = i;
        panel(&q, i, 0, m);
    }
}

// columns j.. of the unit matrix are zero above row j
void sl_upper_invert(int n, size_t stride, const double *u, const double *invert, double *v) {
    Panel q = {.a = u, .b = v, .c = v, .a_stride = stride, .stride = stride, .invert = invert};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v[(size_t)i * stride + j] = i == j;
    for (int i = 0; i < n; i += ROWS) {
        q.to = i;
        for (int j = 0; j <= i; j += VECS * WIDTH) {
            q.from = j;
            int end = j + VECS * WIDTH;
            panel(&q, i, j, end < n ? end : n);
        }
    }
}

void sl_lower_subtract(int n, size_t stride, const double *v, double *w) {
    Panel q = {.a = v, .b = v, .c = w, .a_stride = stride, .stride = stride, .to = n};
    for (int i = 0; i < n; i += ROWS) {
        q.from = i;
        panel(&q, i, 0, i + ROWS);
    }
}

// y loses a x, both (n)
INLINE void subtract(int n, double a, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] -= a * x[i];
}

SL_CLONES static void forward(int n, size_t stride, const double *u, const double *invert,
                              double *y) {
    for (int p = 0; p < n; p++) {
        y[p] *= invert[p];
        subtract(n - p - 1, y[p], u + (size_t)p * stride + p + 1, y + p + 1);
    }
}

// in eight interleaved sums, so that the order is fixed and none waits for the other
INLINE double dot(int n, const double *x, const double *y) {
    enum { SUMS = 8 };
    double sum[SUMS] = {0};
    int i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++) sum[k] += x[i + k] * y[i + k];
    for (; i < n; i++) sum[0] += x[i] * y[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

SL_CLONES static void back(int n, size_t stride, const double *u, const double *invert, double *y) {
    for (int p = n - 1; p >= 0; p--) {
        const double *row = u + (size_t)p * stride;
        y[p] = (y[p] - dot(n - p - 1, row + p + 1, y + p + 1)) * invert[p];
    }
}

void sl_upper_forward(int n, size_t stride, const double *u, const double *invert, double *y) {
    forward(n, stride, u, invert, y);
}

void sl_upper_back(int n, size_t stride, const double *u, const double *invert, double *y) {
    back(n, stride, u, invert, y);
}
