// stats.h - small statistics over arrays of doubles (n), NaN-free unless said otherwise.
#pragma once

#include "starling/core/arena.h"
#include "starling/core/rng.h"

SL_API_BEGIN

double sl_mean(int n, const double *x);
double sl_variance(int n, const double *x); // sample variance (n - 1); 0 for n < 2
void sl_sort(int n, double *x);             // ascending, in place
double sl_quantile_sorted(int n, const double *x,
                          double q); // linear interpolation (type 7); x ascending, 0 <= q <= 1
double sl_quantile(int n, double *x, double q); // the same of x in any order, which is changed
double sl_median_sorted(int n, const double *x);
// The same of a resample of x: x[i] was drawn counts[i] times, n times in all.
double sl_median_counted(int n, const double *x, const int *counts);
double sl_pearson(int n, const double *x, const double *y); // 0 where one side is constant

// Ranks from 1, ties get their mean. `order` (n) is scratch; `ranks` may be `x`.
void sl_ranks(int n, const double *x, int *order, double *ranks);

// Two-sided Wilcoxon signed-rank test that paired differences d (n <= 1000) are symmetric around 0.
// Zeros are left out, ties share their mean rank, infinite ones are the largest; 1 where nothing is
// left. Exact up to 100 differences, the normal approximation beyond. SL_ENOMEM if scratch is too
// small.
SlStatus sl_wilcoxon(int n, const double *d, SlArena *scratch, double *p);

SL_API_END
