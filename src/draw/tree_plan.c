// tree_plan.c - where the parts of a tree stand.
#include "tree_plan.h"

#include <math.h>

int sl_tree_cluster(const SlTreePlot *plot, int leaf) {
    return plot->cluster ? plot->cluster[leaf] : 0;
}

bool sl_tree_plan_make(const SlTreePlot *plot, SlArena *arena, TreePlan *plan) {
    int n = plot->n, n_ids = 2 * n - 1;
    *plan = (TreePlan){.place = SL_NEW(arena, n_ids, double),
                       .height = SL_NEW(arena, n_ids, double),
                       .colour = SL_NEW(arena, n_ids, int)};
    if (!plan->place || !plan->height || !plan->colour) return false;
    for (int i = 0; i < n; i++) {
        plan->place[plot->leaves[i]] = i;
        plan->colour[i] = sl_tree_cluster(plot, i);
    }
    for (int i = 0; i < n - 1; i++) {
        const SlBranch *branch = &plot->branches[i];
        int left = branch->left, right = branch->right, id = n + i;
        plan->place[id] = (plan->place[left] + plan->place[right]) / 2;
        plan->height[id] = isfinite(branch->height) ? fmax(branch->height, 0) : 0;
        plan->colour[id] = plan->colour[left] == plan->colour[right] ? plan->colour[left] : -1;
        plan->tallest = fmax(plan->tallest, plan->height[id]);
    }
    return true;
}
