// assignment_inside.h - inside report: pictures of correlations and trees.
#pragma once

#include "starling/assign.h"
#include "starling/draw.h"

// The matrix r (n, n) of named parameters in the order of the tree's leaves (n), so that what goes
// together stands together; without a title. n = 0 without memory.
SlHeatMap sl_heat_of_tree(int n, const double *r, const char *const *names, const int *leaves,
                          SlArena *arena);

// "distance between rows of the matrix, ward linkage"
enum { SL_TREE_AXIS = 96 };
const char *sl_tree_axis(SlMetric metric, SlLinkage linkage, char out[static SL_TREE_AXIS]);
