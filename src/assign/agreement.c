// agreement.c - how far two partitions agree: the adjusted Rand index of Hubert & Arabie (1985).
//
// Of all pairs of points, with t those that share a cluster in both partitions, a and b those that
// share one in the first and in the second,
//
//     index = (t - e) / ((a + b) / 2 - e),    e = a b / (number of pairs)
#include <assert.h>

#include "starling/assign.h"

double sl_partition_agreement(int n, const int *a, const int *b) {
    assert(n >= 1);
    double both = 0, in_a = 0, in_b = 0, pairs = (double)n * (n - 1) / 2;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            bool one = a[i] == a[j], two = b[i] == b[j];
            both += one && two;
            in_a += one;
            in_b += two;
        }
    }
    double expected = pairs > 0 ? in_a * in_b / pairs : 0, most = (in_a + in_b) / 2;
    return most == expected ? 1 : (both - expected) / (most - expected);
}
