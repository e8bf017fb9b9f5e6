// kmeans.h - k-means: points in groups around their means (Lloyd 1982).
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum { SL_KMEANS_ITERATIONS = 100 };

// Group x (n, dims), finite, into k clusters, 1 <= k: centroids (k, dims) and the cluster of every
// point, `member` (n). Starts from k points drawn without replacement (the rest with, where k > n).
// A cluster without points begins again at a random point. Stops when no point changes its cluster
// and none was empty, or after SL_KMEANS_ITERATIONS. Returns the sum of squared distances to the
// centroids, -1 without memory. `scratch` is used and given back.
double sl_kmeans(int n, int dims, const float *x, int k, SlRng *rng, SlArena *scratch,
                 float *centroids, int *member);

SL_API_END
