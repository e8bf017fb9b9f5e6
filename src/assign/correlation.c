// correlation.c - how strongly parameters go together, and how far apart they are.
//
// Pearson's r between parameters of one column. For parameters of several columns (orders,
// categories) the RV coefficient of Robert & Escoufier (1976) on standardised columns: with s(a, b)
// the sum of the squared correlations of a's columns with b's,
//
//     r(a, b) = sqrt( s(a, b) / sqrt(s(a, a) s(b, b)) )
//
// which is |r| where both have one column, and 1 for a parameter and its copy.
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "starling/assign.h"

const char *const sl_metric_names[SL_N_METRICS + 1] = {"rows+objective", "rows", "1-|r|", NULL};

static const double *column(const SlColumns *columns, int i) {
    return columns->values + (size_t)i * (size_t)columns->n_rows;
}

static int width(const SlColumns *columns, int param) {
    return columns->first[param + 1] - columns->first[param];
}

// exactly, where the mean of equal values may round to another one
static bool varies(int n, const double *x) {
    for (int i = 1; i < n; i++)
        if (x[i] != x[0]) return true;
    return false;
}

static double pearson(const SlColumns *columns, int i, int j) {
    int n = columns->n_rows;
    const double *x = column(columns, i), *y = column(columns, j);
    return varies(n, x) && varies(n, y) ? sl_pearson(n, x, y) : 0;
}

// s(a, b); columns that do not vary add nothing
static double squares(const SlColumns *columns, int a, int b) {
    double sum = 0;
    for (int i = columns->first[a]; i < columns->first[a + 1]; i++) {
        for (int j = columns->first[b]; j < columns->first[b + 1]; j++) {
            double r = pearson(columns, i, j);
            sum += r * r;
        }
    }
    return sum;
}

void sl_correlations(const SlColumns *columns, double *r) {
    int n = columns->n_params;
    // first s(a, a) on the diagonal, which the pairs need
    for (int a = 0; a < n; a++) r[a * n + a] = squares(columns, a, a);
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            double own = sqrt(r[a * n + a] * r[b * n + b]), value = 0;
            if (width(columns, a) == 1 && width(columns, b) == 1)
                value = pearson(columns, columns->first[a], columns->first[b]);
            else if (own > 0)
                value = sqrt(fmin(1, squares(columns, a, b) / own));
            r[a * n + b] = r[b * n + a] = value;
        }
    }
    for (int a = 0; a < n; a++) r[a * n + a] = 1;
}

static double row_distance(int n, const double *x, const double *y, double apart) {
    double sum = apart * apart;
    for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

void sl_distances(SlMetric metric, int n, const double *r, const double *objective, double *d) {
    assert(metric >= 0 && metric < SL_N_METRICS);
    bool counts = metric == SL_METRIC_ROWS_OBJECTIVE;
    for (int i = 0; i < n; i++) {
        d[i * n + i] = 0;
        for (int j = i + 1; j < n; j++) {
            double apart = counts ? objective[i] - objective[j] : 0;
            d[i * n + j] = d[j * n + i] = metric == SL_METRIC_ONE_MINUS_R
                                              ? fmax(0, 1 - fabs(r[i * n + j]))
                                              : row_distance(n, r + i * n, r + j * n, apart);
        }
    }
}
