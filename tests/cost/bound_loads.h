// bound_loads.h - what a level of a priced mapping uses up, to be compared with what its bounds
// say.
#pragma once

#include "cost/bound_inside.h"

// Energy, words over the level's link, accesses at its own port and at those of its parents.
void level_load(const SlAccel *accel, const SlCost *cost, int level, Load *out);

// The bounds of single levels that a work holds after sl_bounds_path: with all tiles of the branch
// open, and for the tiles of the scheme.
typedef struct {
    Load open[MAX_CHIP + 1], tiles[MAX_CHIP + 1];
} LevelBounds;
void level_bounds_copy(const SlBoundWork *work, LevelBounds *out);

// NULL, or which bound is above what a mapping with these tiles uses up.
const char *level_bounds_wrong(const LevelBounds *bounds, const SlAccel *accel, const SlCost *cost,
                               size_t n, char *why);
