// kriging.h - a Gaussian process whose covariances the caller knows: mean 0, any kernel (Rasmussen
// & Williams 2006, chapter 2).
//
// Flow: sl_kriging_make -> sl_kriging_add ... -> sl_kriging_teach -> sl_kriging_predict.
//       Adding a point is O(n^2), a prediction too.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum { SL_KRIGING_MAX_POINTS = 1024, SL_KRIGING_ROWS = 64 };

typedef struct SlKriging SlKriging;

// Space for 1..SL_KRIGING_MAX_POINTS points. NULL without memory.
SlKriging *sl_kriging_make(int room, SlArena *arena);

// A point: its covariances (n) with those before it, and its own variance, noise included.
void sl_kriging_add(SlKriging *kriging, const double *covariances, double variance);
void sl_kriging_teach(SlKriging *kriging, const double *y); // targets (n) of all points

// Mean and variance of m <= SL_KRIGING_ROWS others from their covariances with the points (n,
// SL_KRIGING_ROWS), which are overwritten (with space for 3 more rows), and their own variances
// (m). Variances are at least 0.
void sl_kriging_predict(SlKriging *kriging, int m, double *covariances, const double *own,
                        double *mean, double *variance);

SL_API_END
