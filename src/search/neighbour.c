// neighbour.c - points near a point, and nests that were met before.
#include "neighbour.h"

#include <assert.h>
#include <string.h>

bool sl_chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

static int32_t other_value(SlRng *rng, int32_t n, int32_t value) {
    int32_t other = (int32_t)sl_rng_below(rng, (uint64_t)n - 1);
    return other + (other >= value);
}

// 1..reach steps up or down; what leads beyond the ends stops there, or turns at the end itself
static int32_t near_value(SlRng *rng, int32_t n, int64_t reach, int32_t value) {
    int64_t step = sl_rng_range(rng, 1, reach);
    bool down = sl_chance(rng, 0.5);
    if (value == (down ? 0 : n - 1)) down = !down;
    int64_t moved = value + (down ? -step : step);
    return (int32_t)(moved < 0 ? 0 : moved >= n ? n - 1 : moved);
}

// two loops change places
static int32_t near_order(SlRng *rng, int n_items, int32_t number) {
    uint8_t order[SL_N_DIMS];
    sl_permutation(n_items, number, order);
    int i = (int)sl_rng_below(rng, (uint64_t)n_items);
    int j = other_value(rng, n_items, i);
    uint8_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    return sl_permutation_number(n_items, order);
}

int32_t sl_value_change(const SlParam *param, const SlSteps *steps, int32_t value, SlRng *rng) {
    assert(param->n > 1);
    bool near = param->kind != SL_CATEGORICAL && sl_chance(rng, steps->near);
    if (!near) return other_value(rng, param->n, value);
    if (param->kind == SL_PERMUTATION) return near_order(rng, param->n_items, value);
    return near_value(rng, param->n, steps->reach, value);
}

void sl_neighbours_init(SlNeighbours *around, const SlSpace *space) {
    *around = (SlNeighbours){.space = space};
    for (int i = 0; i < space->n_params; i++)
        if (space->params[i].n > 1) around->free[around->n_free++] = i;
}

void sl_neighbour_sample(SlNeighbours *around, const SlSteps *steps, const int32_t *centre,
                         SlRng *rng, int32_t *point) {
    const SlSpace *space = around->space;
    memcpy(point, centre, (size_t)space->n_params * sizeof *point);
    int n_changes = 1;
    while (n_changes < around->n_free && sl_chance(rng, steps->more)) n_changes++;
    // the first places of a shuffle that is not finished
    for (int k = 0; k < n_changes && k < around->n_free; k++) {
        int pick = k + (int)sl_rng_below(rng, (uint64_t)(around->n_free - k));
        int i = around->free[pick];
        around->free[pick] = around->free[k];
        around->free[k] = i;
        point[i] = sl_value_change(&space->params[i], steps, point[i], rng);
    }
}
