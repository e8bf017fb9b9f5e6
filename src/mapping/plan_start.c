// plan_start.c - tiles to start from: the smallest that use the hardware, then filled up.
#include "plan.h"

#include <assert.h>

// the least tile outside segment s that keeps its instances busy
static int64_t least_outside(const World *world, const Plan *plan, int s, int dim) {
    int64_t inner = plan->tile[s][dim], whole = world->layer->dims[dim];
    bool all = plan->spread[s][dim] >= sl_ceil_div(whole, inner);
    return all ? whole : inner * plan->spread[s][dim];
}

static void lift_tiles(const World *world, Plan *plan) {
    for (int d = 0; d < SL_N_DIMS; d++) {
        plan->tile[world->n - 1][d] = 1;
        for (int s = world->n - 1; s > 0; s--)
            plan->tile[s - 1][d] = least_outside(world, plan, s, d);
    }
}

void sl_plan_start(const World *world, Plan *plan) {
    lift_tiles(world, plan);
    for (int b = 0; b < world->n - 1;) {
        SlViolation why;
        if (sl_plan_fits(world, plan, b, &why)) {
            b++;
            continue;
        }
        // halve the widest spread inside
        int64_t *widest = &plan->spread[b + 1][0];
        for (int s = b + 1; s < world->n; s++)
            for (int d = 0; d < SL_N_DIMS; d++)
                if (plan->spread[s][d] > *widest) widest = &plan->spread[s][d];
        assert(*widest > 1); // tiles of one fit
        *widest = (*widest + 1) / 2;
        lift_tiles(world, plan);
    }
}

void sl_plan_set_tile(const World *world, int b, int dim, int64_t size, Plan *plan) {
    plan->tile[b][dim] = size;
    for (int s = b + 1; s < world->n - 1; s++)
        plan->tile[s][dim] = sl_smaller(plan->tile[s][dim], size);
    for (int s = b; s > 0; s--) {
        int64_t least = least_outside(world, plan, s, dim);
        if (plan->tile[s - 1][dim] < least) plan->tile[s - 1][dim] = least;
    }
}

// double the tiles of one dim if everything still fits
static bool double_tile(const World *world, int b, int dim, Plan *plan) {
    int64_t whole = world->layer->dims[dim];
    if (plan->tile[b][dim] == whole) return false;
    Plan next = *plan;
    sl_plan_set_tile(world, b, dim, sl_smaller(whole, 2 * plan->tile[b][dim]), &next);
    for (int outer = b; outer >= 0; outer--) {
        SlViolation why;
        if (!sl_plan_fits(world, &next, outer, &why)) return false;
    }
    *plan = next;
    return true;
}

void sl_plan_fill(const World *world, DimClass first, Plan *plan) {
    for (int b = world->n - 2; b >= 0; b--) {
        for (int round = 0; round < N_STAYING; round++) {
            int class = ((int)first + round) % N_STAYING;
            bool grown = true;
            while (grown) {
                grown = false;
                for (int i = 0; i < sl_plan_classes[class].n; i++)
                    grown |= double_tile(world, b, sl_plan_classes[class].dims[i], plan);
            }
        }
    }
}
