// assignment_figures.c - what pictures of correlations and trees have in common.
#include <math.h>
#include <stdio.h>

#include "assignment_inside.h"

// what stands in place i, j: parameters, or -1 for the objective where there is one
static double value_at(const SlHeatSource *source, int i, int j) {
    if (i >= 0 && j >= 0) return source->r[i * source->n + j];
    return i < 0 && j < 0 ? 1 : source->objective ? source->objective[i < 0 ? j : i] : (double)NAN;
}

SlHeatMap sl_heat_of_tree(const SlHeatSource *source, SlArena *arena) {
    int n = source->n + (source->objective != NULL);
    double *values = SL_NEW(arena, n * n, double);
    const char **ordered = SL_NEW(arena, n, const char *);
    if (!values || !ordered) return (SlHeatMap){0};
    for (int i = 0; i < n; i++) {
        int row = i < source->n ? source->leaves[i] : -1;
        ordered[i] = row < 0 ? source->goal : source->names[row];
        for (int j = 0; j < n; j++)
            values[i * n + j] = value_at(source, row, j < source->n ? source->leaves[j] : -1);
    }
    return (SlHeatMap){.n = n, .values = values, .names = ordered};
}

const char *sl_tree_axis(SlMetric metric, SlLinkage linkage, char out[static SL_TREE_AXIS]) {
    static const char *const distances[SL_N_METRICS] = {
        [SL_METRIC_ROWS_OBJECTIVE] = "distance between rows of the matrix, objective included",
        [SL_METRIC_ROWS] = "distance between rows of the matrix",
        [SL_METRIC_ONE_MINUS_R] = "distance 1 - |r|"};
    snprintf(out, SL_TREE_AXIS, "%s, %s linkage", distances[metric], sl_linkage_names[linkage]);
    return out;
}
