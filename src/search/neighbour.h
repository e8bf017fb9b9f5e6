// neighbour.h - inside search: points near a point.
//
// Flow: sl_neighbours_init -> sl_neighbour_sample (a point near another).
#pragma once

#include "starling/search.h"
#include "starling/task/seen.h"

// How far neighbours lie.
typedef struct {
    double more;   // chance of changing one more parameter, again and again
    double near;   // share of changes that go 1..reach steps (sizes) or swap two loops (orders);
                   // the others, and all of spreads, are uniform
    int64_t reach; // at least 1
} SlSteps;

bool sl_chance(SlRng *rng, double p);

// Another value of a parameter that has a choice (n > 1).
int32_t sl_value_change(const SlParam *param, const SlSteps *steps, int32_t value, SlRng *rng);

// The parameters of a space that have a choice.
typedef struct {
    const SlSpace *space;
    int n_free;
    int free[SL_MAX_PARAMS]; // (n_free), in an order that drawing changes
} SlNeighbours;
void sl_neighbours_init(SlNeighbours *around, const SlSpace *space);

// `point` becomes `centre` with 1 + Geometric(more) parameters changed; in a space of one point
// the centre itself. The two may not overlap.
void sl_neighbour_sample(SlNeighbours *around, const SlSteps *steps, const int32_t *centre,
                         SlRng *rng, int32_t *point);
