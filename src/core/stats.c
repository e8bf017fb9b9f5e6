// stats.c - means, quantiles, ranks, correlation, bootstrap.
#include "starling/core/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double sl_mean(int n, const double *x) {
    assert(n >= 1);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum / n;
}

double sl_variance(int n, const double *x) {
    if (n < 2) return 0;
    double mean = sl_mean(n, x), sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum / (n - 1);
}

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void sl_sort(int n, double *x) {
    if (n > 1) qsort(x, (size_t)n, sizeof *x, compare_doubles);
}

// between neighbours; equal ones may be infinite
static double interpolate(double left, double right, double part) {
    return part == 0 || left == right ? left : left + part * (right - left);
}

// Hyndman & Fan (1996), type 7: the default of R and NumPy
double sl_quantile_sorted(int n, const double *x, double q) {
    assert(n >= 1 && q >= 0 && q <= 1);
    double place = q * (n - 1);
    int i = (int)place;
    return i + 1 < n ? interpolate(x[i], x[i + 1], place - i) : x[i];
}

// bring the k-th least to place k, none larger before it: Hoare, "Algorithm 65: find", CACM (1961)
static void select_least(int n, double *x, int k) {
    for (int low = 0, high = n - 1; low < high;) {
        double pivot = x[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            double kept = x[i];
            x[i++] = x[j];
            x[j--] = kept;
        }
        if (k > j && k < i) return;
        if (k <= j) high = j;
        if (k >= i) low = i;
    }
}

double sl_quantile(int n, double *x, double q) {
    assert(n >= 1 && q >= 0 && q <= 1);
    double place = q * (n - 1);
    int i = (int)place;
    select_least(n, x, i);
    if (i + 1 >= n) return x[i];
    double next = x[i + 1];
    for (int j = i + 2; j < n; j++) next = x[j] < next ? x[j] : next;
    return interpolate(x[i], next, place - i);
}

double sl_median_sorted(int n, const double *x) {
    return sl_quantile_sorted(n, x, 0.5);
}

double sl_median_counted(int n, const double *x, const int *counts) {
    int low = (n - 1) / 2, high = n / 2, seen = 0;
    double lower = x[0];
    for (int i = 0; i < n; i++) {
        int before = seen;
        seen += counts[i];
        if (before <= low && low < seen) lower = x[i];
        if (high < seen) return lower == x[i] ? lower : lower + 0.5 * (x[i] - lower);
    }
    return lower;
}

double sl_pearson(int n, const double *x, const double *y) {
    if (n < 2) return 0;
    double mean_x = sl_mean(n, x), mean_y = sl_mean(n, y);
    double xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (xx == 0 || yy == 0) return 0;
    // the form that is exact for y = x; rounding must not lead outside -1..1
    return fmax(-1, fmin(1, xy / xx * sqrt(xx / yy)));
}

// restore the heap of indices below slot i: x[order[parent]] >= x[order[child]]
static void sift_down(int n, const double *x, int *order, int i) {
    for (int child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && x[order[child + 1]] > x[order[child]]) child++;
        if (x[order[i]] >= x[order[child]]) return;
        int kept = order[i];
        order[i] = order[child];
        order[child] = kept;
        i = child;
    }
}

// indices of x in ascending order, by heap sort: qsort has no place for x
static void sort_order(int n, const double *x, int *order) {
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n / 2 - 1; i >= 0; i--) sift_down(n, x, order, i);
    for (int last = n - 1; last > 0; last--) {
        int largest = order[0];
        order[0] = order[last];
        order[last] = largest;
        sift_down(last, x, order, 0);
    }
}

void sl_ranks(int n, const double *x, int *order, double *ranks) {
    sort_order(n, x, order);
    for (int i = 0; i < n;) {
        int end = i + 1;
        while (end < n && x[order[end]] == x[order[i]]) end++;
        // places i+1 .. end share their mean
        for (int j = i; j < end; j++) ranks[order[j]] = 0.5 * (i + 1 + end);
        i = end;
    }
}
