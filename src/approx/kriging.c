// kriging.c - a Gaussian process of given covariances: K = U' U, grown point by point.
#include "starling/approx/kriging.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gp_inside.h"

static_assert((int)SL_KRIGING_ROWS % (int)SL_GP_STEP == 0, "rows are whole steps");

struct SlKriging {
    int n, room;
    size_t stride;
    double *factor;  // (stride, stride) U; the unit matrix beyond n
    double *invert;  // (stride) 1 / its diagonal
    double *weights; // (stride) K^-1 y
};

SlKriging *sl_kriging_make(int room, SlArena *arena) {
    assert(1 <= room && room <= SL_KRIGING_MAX_POINTS);
    SlKriging *kriging = SL_NEW(arena, 1, SlKriging);
    if (!kriging) return NULL;
    kriging->room = room;
    kriging->stride = (size_t)sl_gp_padded(room);
    kriging->factor = SL_NEW(arena, kriging->stride * kriging->stride, double);
    kriging->invert = SL_NEW(arena, kriging->stride, double);
    kriging->weights = SL_NEW(arena, kriging->stride, double);
    if (!kriging->factor || !kriging->invert || !kriging->weights) return NULL;
    for (size_t i = 0; i < kriging->stride; i++)
        kriging->factor[i * kriging->stride + i] = kriging->invert[i] = 1;
    return kriging;
}

void sl_kriging_add(SlKriging *kriging, const double *covariances, double variance) {
    assert(kriging->n < kriging->room);
    const int n = kriging->n++;
    const size_t stride = kriging->stride;
    double *column = kriging->weights; // until it is taught
    memcpy(column, covariances, (size_t)n * sizeof *column);
    sl_upper_forward(n, stride, kriging->factor, kriging->invert, column);
    double left = variance;
    for (int i = 0; i < n; i++) {
        kriging->factor[(size_t)i * stride + (size_t)n] = column[i];
        left -= column[i] * column[i];
    }
    // a twin of another point has nothing left but rounding
    double pivot = sqrt(fmax(left, 1e-12 * variance));
    kriging->factor[(size_t)n * stride + (size_t)n] = pivot;
    kriging->invert[n] = 1 / pivot;
}

void sl_kriging_teach(SlKriging *kriging, const double *y) {
    memcpy(kriging->weights, y, (size_t)kriging->n * sizeof *y);
    sl_upper_forward(kriging->n, kriging->stride, kriging->factor, kriging->invert,
                     kriging->weights);
    sl_upper_back(kriging->n, kriging->stride, kriging->factor, kriging->invert, kriging->weights);
}

void sl_kriging_predict(SlKriging *kriging, int m, double *covariances, const double *own,
                        double *mean, double *variance) {
    assert(m <= SL_KRIGING_ROWS);
    const int n = kriging->n, rows = sl_gp_padded(n);
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        variance[j] = own[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            mean[j] += kriging->weights[i] * covariances[(size_t)i * SL_KRIGING_ROWS + (size_t)j];
    for (int i = n; i < rows; i++)
        memset(covariances + (size_t)i * SL_KRIGING_ROWS, 0, SL_KRIGING_ROWS * sizeof(double));
    sl_upper_solve(rows, kriging->stride, kriging->factor, kriging->invert, sl_gp_padded(m),
                   SL_KRIGING_ROWS, covariances);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double c = covariances[(size_t)i * SL_KRIGING_ROWS + (size_t)j];
            variance[j] -= c * c;
        }
    for (int j = 0; j < m; j++) variance[j] = fmax(variance[j], 0);
}
