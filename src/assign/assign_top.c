// assign_top.c - the best share of a dataset, Algorithm 1 of Krishnan et al. (2025): data
// selection.
#include <assert.h>
#include <math.h>

#include "starling/assign.h"

// does row a come after row b? A total order: the score, then the place; NaN comes last
static bool is_behind(const double *scores, int a, int b) {
    double x = scores[a], y = scores[b];
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? a > b : isnan(x);
    return x > y || (x == y && a > b);
}

// restore the heap of rows below slot i: no child comes after its parent
static void sift_down(int n, const double *scores, int *rows, int i) {
    for (int child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && is_behind(scores, rows[child + 1], rows[child])) child++;
        if (is_behind(scores, rows[i], rows[child])) return;
        int kept = rows[i];
        rows[i] = rows[child];
        rows[child] = kept;
        i = child;
    }
}

int sl_assign_top(int n, const double *scores, double share, int *rows) {
    assert(n >= 0 && share > 0 && share <= 1);
    // heap sort: in place, and the order is total, so it is stable as well
    for (int i = 0; i < n; i++) rows[i] = i;
    for (int i = n / 2 - 1; i >= 0; i--) sift_down(n, scores, rows, i);
    for (int last = n - 1; last > 0; last--) {
        int worst = rows[0];
        rows[0] = rows[last];
        rows[last] = worst;
        sift_down(last, scores, rows, 0);
    }
    // 7 % of 100 is 7, though 0.07 * 100 rounds to a little more
    int n_top = (int)ceil(share * n - 1e-9 * n);
    return n_top > 0 || n == 0 ? n_top : 1;
}
