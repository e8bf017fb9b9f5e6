// tree_plan.h - inside draw: where the parts of a tree stand, for pictures of any kind.
#pragma once

#include "starling/draw.h"

// Ids below n are leaves; n + i is the cluster of branch i.
typedef struct {
    double *place;  // (2n - 1) across: leaves 0, 1 .. n-1 as drawn, clusters between their parts
    double *height; // (2n - 1) leaves 0
    int *colour;    // (2n - 1) cluster that all leaves below share, -1 = they differ
    double tallest; // height at the root
} TreePlan;

// False without memory. Heights that are not finite count as 0.
bool sl_tree_plan_make(const SlTreePlot *plot, SlArena *arena, TreePlan *plan);

int sl_tree_cluster(const SlTreePlot *plot, int leaf); // 0 where the plot has none
