// assignment_figures.c - what pictures of correlations and trees have in common.
#include <stdio.h>

#include "assignment_inside.h"

SlHeatMap sl_heat_of_tree(int n, const double *r, const char *const *names, const int *leaves,
                          SlArena *arena) {
    double *values = SL_NEW(arena, n * n, double);
    const char **ordered = SL_NEW(arena, n, const char *);
    if (!values || !ordered) return (SlHeatMap){0};
    for (int i = 0; i < n; i++) {
        ordered[i] = names[leaves[i]];
        for (int j = 0; j < n; j++) values[i * n + j] = r[leaves[i] * n + leaves[j]];
    }
    return (SlHeatMap){.n = n, .values = values, .names = ordered};
}

const char *sl_tree_axis(SlMetric metric, SlLinkage linkage, char out[static SL_TREE_AXIS]) {
    snprintf(out, SL_TREE_AXIS, "%s, %s linkage",
             metric == SL_METRIC_ROWS ? "distance between rows of the matrix" : "distance 1 - |r|",
             sl_linkage_names[linkage]);
    return out;
}
