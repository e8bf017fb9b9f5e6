// gp.c - Gaussian process regression (Rasmussen & Williams, "Gaussian processes for machine
// learning", 2006), with the mean and variance of Jones, Schonlau & Welch, "Efficient global
// optimization of expensive black-box functions" (1998):
//
//   K = correlations + noise I = U' U               weights = K^-1 (y - mean 1)
//   mean = 1' K^-1 y / 1' K^-1 1                    variance = (y - mean 1)' weights / n
//   prediction at x: mean + k' weights, variance (1 - |U^-T k|^2), k = correlations with x
//
// A new point adds a column to U: U^-T of its correlations (the bordering method).
#include <assert.h>
#include <math.h>
#include <string.h>

#include "gp_inside.h"

static const double LEAST_VARIANCE = 1e-30; // where all targets are the same
static const double LEAST_SHARE = 1e-10;    // of the variance that is left at a known point

static bool copy_shape(SlGp *gp, const SlGpShape *shape, SlArena *arena) {
    int *group = SL_NEW(arena, shape->n_inputs, int);
    bool *label = SL_NEW(arena, shape->n_inputs, bool);
    if (!group || !label) return false;
    for (int c = 0; c < shape->n_inputs; c++) {
        group[c] = shape->group[c];
        label[c] = shape->label && shape->label[c];
        gp->n_groups = group[c] + 1;
    }
    gp->shape = *shape;
    gp->shape.group = group;
    gp->shape.label = label;
    return true;
}

static bool alloc_gp(SlGp *gp, SlArena *arena) {
    size_t n = gp->stride = (size_t)sl_gp_padded(gp->shape.room);
    size_t n_inputs = (size_t)gp->shape.n_inputs, n_params = (size_t)gp->n_groups + 1;
    gp->params = SL_NEW(arena, n_params, double);
    gp->scale = SL_NEW(arena, n_inputs, double);
    gp->x = SL_NEW(arena, n * n_inputs, double);
    gp->scaled = SL_NEW(arena, n * n_inputs, double);
    gp->columns = SL_NEW(arena, n * n_inputs, double);
    gp->targets = SL_NEW(arena, n, double);
    gp->factor = SL_NEW(arena, n * n, double);
    gp->invert = SL_NEW(arena, n, double);
    gp->weights = SL_NEW(arena, n, double);
    gp->ones = SL_NEW(arena, n, double);
    gp->block = SL_NEW(arena, n * SL_GP_ROWS, double);
    gp->batch = SL_NEW(arena, n_inputs * SL_GP_ROWS, double);
    gp->inverse = SL_NEW(arena, n * n, double);
    gp->pull = SL_NEW(arena, n * n, double);
    gp->history = SL_NEW(arena, n_params * (2 * SL_GP_HISTORY + 5), double);
    return gp->params && gp->scale && gp->x && gp->scaled && gp->columns && gp->targets &&
           gp->factor && gp->invert && gp->weights && gp->ones && gp->block && gp->batch &&
           gp->inverse && gp->pull && gp->history;
}

SlGp *sl_gp_make(const SlGpShape *shape, SlArena *arena) {
    assert(shape->room >= 1 && shape->room <= SL_GP_MAX_POINTS);
    SlGp *gp = SL_NEW(arena, 1, SlGp);
    if (!gp || !copy_shape(gp, shape, arena) || !alloc_gp(gp, arena)) return NULL;
    for (int g = 0; g < gp->n_groups; g++) gp->params[g] = shape->prior.length_mean;
    gp->params[gp->n_groups] = shape->prior.noise_mean;
    sl_gp_set(gp, gp->params);
    return gp;
}

int sl_gp_n(const SlGp *gp) {
    return gp->n;
}

int sl_gp_n_params(const SlGp *gp) {
    return gp->n_groups + 1;
}

const double *sl_gp_params(const SlGp *gp) {
    return gp->params;
}

void sl_gp_clear(SlGp *gp) {
    gp->n = 0;
    sl_gp_weigh(gp);
}

void sl_gp_drop(SlGp *gp) {
    assert(gp->n > 0);
    gp->n--;
}

// labels stay as they are: only whether they are equal counts
static void scale_point(const SlGp *gp, const double *x, double *out, size_t step) {
    for (int c = 0; c < gp->shape.n_inputs; c++)
        out[(size_t)c * step] = gp->shape.label[c] ? x[c] : x[c] * gp->scale[c];
}

static void place_point(SlGp *gp, int i) {
    size_t n_inputs = (size_t)gp->shape.n_inputs;
    const double *x = gp->x + (size_t)i * n_inputs;
    scale_point(gp, x, gp->scaled + (size_t)i * n_inputs, 1);
    scale_point(gp, x, gp->columns + i, gp->stride);
}

void sl_gp_add(SlGp *gp, const double *x) {
    assert(gp->n < gp->shape.room);
    size_t n_inputs = (size_t)gp->shape.n_inputs;
    int n = gp->n++;
    double *k = gp->block, left = 1 + gp->noise;
    memcpy(gp->x + (size_t)n * n_inputs, x, n_inputs * sizeof *x);
    place_point(gp, n);
    sl_gp_distances(gp, gp->scaled + (size_t)n * n_inputs, gp->columns, gp->stride, n, k);
    sl_matern(n, k, NULL);
    sl_upper_forward(n, gp->stride, gp->factor, gp->invert, k);
    for (int i = 0; i < n; i++) {
        gp->factor[(size_t)i * gp->stride + (size_t)n] = k[i];
        left -= k[i] * k[i];
    }
    gp->invert[n] = 1 / sqrt(fmax(left, LEAST_SHARE * gp->noise));
    gp->factor[(size_t)n * gp->stride + (size_t)n] = 1 / gp->invert[n];
    gp->targets[n] = 0;
}

// K^-1 y in place
static void solve(const SlGp *gp, double *y) {
    sl_upper_forward(gp->n, gp->stride, gp->factor, gp->invert, y);
    sl_upper_back(gp->n, gp->stride, gp->factor, gp->invert, y);
}

void sl_gp_weigh(SlGp *gp) {
    double ones = 0, sum = 0, square = 0;
    for (int i = 0; i < gp->n; i++) {
        gp->ones[i] = 1;
        gp->weights[i] = gp->targets[i];
    }
    solve(gp, gp->ones);
    solve(gp, gp->weights);
    for (int i = 0; i < gp->n; i++) {
        ones += gp->ones[i];
        sum += gp->ones[i] * gp->targets[i];
    }
    gp->mean = gp->n > 0 ? sum / ones : 0;
    for (int i = 0; i < gp->n; i++) {
        gp->weights[i] -= gp->mean * gp->ones[i];
        square += gp->weights[i] * (gp->targets[i] - gp->mean);
    }
    gp->variance = gp->n > 0 ? fmax(square / gp->n, LEAST_VARIANCE) : 1;
}

void sl_gp_teach(SlGp *gp, const double *y) {
    memcpy(gp->targets, y, (size_t)gp->n * sizeof *y);
    sl_gp_weigh(gp);
}

// the upper triangle of K; beyond the points the unit matrix
static void correlate(SlGp *gp) {
    int n = sl_gp_padded(gp->n);
    for (int i = 0; i < n; i++) {
        size_t row = (size_t)i * gp->stride;
        int whole = i / SL_GP_STEP * SL_GP_STEP; // vectors begin here
        if (i < gp->n) {
            const double *one = gp->scaled + (size_t)i * (size_t)gp->shape.n_inputs;
            sl_gp_distances(gp, one, gp->columns + whole, gp->stride, n - whole,
                            gp->factor + row + whole);
            sl_matern(n - whole, gp->factor + row + whole, NULL);
        }
        for (int j = i < gp->n ? gp->n : i; j < n; j++) gp->factor[row + (size_t)j] = 0;
        gp->factor[row + (size_t)i] = i < gp->n ? 1 + gp->noise : 1;
    }
}

void sl_gp_set(SlGp *gp, const double *params) {
    memmove(gp->params, params, (size_t)sl_gp_n_params(gp) * sizeof *params);
    for (int c = 0; c < gp->shape.n_inputs; c++)
        gp->scale[c] = exp(-gp->params[gp->shape.group[c]]);
    gp->noise = exp(gp->params[gp->n_groups]);
    for (int i = 0; i < gp->n; i++) place_point(gp, i);
    correlate(gp);
    sl_upper_factor(sl_gp_padded(gp->n), gp->stride, gp->factor, gp->invert);
    sl_gp_weigh(gp);
}

// at most SL_GP_ROWS candidates
static void predict_some(SlGp *gp, int m, const double *x, double *mean, double *variance) {
    int n_inputs = gp->shape.n_inputs, padded = sl_gp_padded(gp->n);
    double square[SL_GP_ROWS] = {0}, sum[SL_GP_ROWS] = {0};
    for (int j = 0; j < m; j++)
        scale_point(gp, x + (size_t)j * (size_t)n_inputs, gp->batch + j, SL_GP_ROWS);
    for (int i = 0; i < gp->n; i++) {
        double *row = gp->block + (size_t)i * SL_GP_ROWS;
        const double *one = gp->scaled + (size_t)i * (size_t)n_inputs;
        sl_gp_distances(gp, one, gp->batch, SL_GP_ROWS, m, row);
        sl_matern(m, row, NULL);
        for (int j = 0; j < m; j++) sum[j] += gp->weights[i] * row[j];
    }
    for (int i = gp->n; i < padded; i++) {
        memset(gp->block + (size_t)i * SL_GP_ROWS, 0, SL_GP_ROWS * sizeof *gp->block);
        for (int j = 0; j <= i; j++) gp->factor[(size_t)j * gp->stride + (size_t)i] = 0;
        gp->factor[(size_t)i * gp->stride + (size_t)i] = gp->invert[i] = 1;
    }
    sl_upper_solve(padded, gp->stride, gp->factor, gp->invert, sl_gp_padded(m), SL_GP_ROWS,
                   gp->block);
    for (int i = 0; i < gp->n; i++) {
        const double *row = gp->block + (size_t)i * SL_GP_ROWS;
        for (int j = 0; j < m; j++) square[j] += row[j] * row[j];
    }
    for (int j = 0; j < m; j++) {
        mean[j] = gp->mean + sum[j];
        variance[j] = gp->variance * fmax(1 - square[j], LEAST_SHARE);
    }
}

void sl_gp_predict(SlGp *gp, int m, const double *x, double *mean, double *variance) {
    for (int i = 0; i < m; i += SL_GP_ROWS) {
        int n = m - i < SL_GP_ROWS ? m - i : SL_GP_ROWS;
        predict_some(gp, n, x + (size_t)i * (size_t)gp->shape.n_inputs, mean + i, variance + i);
    }
}
