// assignment_inside.h - inside report: pictures of correlations and trees.
#pragma once

#include "starling/assign.h"
#include "starling/draw.h"

// Correlations of named parameters, and the order in which the tree has them.
typedef struct {
    int n;
    const double *r;          // (n, n)
    const double *objective;  // (n) with the objective, NULL = not known
    const char *goal;         // its name
    const char *const *names; // (n)
    const int *leaves;        // (n)
} SlHeatSource;

// The matrix in the order of the leaves, so that what goes together stands together, and behind it
// the objective; without a title. n = 0 without memory.
SlHeatMap sl_heat_of_tree(const SlHeatSource *source, SlArena *arena);

// "distance between rows of the matrix, ward linkage"
enum { SL_TREE_AXIS = 96 };
const char *sl_tree_axis(SlMetric metric, SlLinkage linkage, char out[static SL_TREE_AXIS]);
