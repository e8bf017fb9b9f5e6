// bound.h - how cheap the mappings of a space can be at best: lower bounds that no mapping
// violates, and the exact least cost where the tree below them closes.
//
// A branch is one way to spread the work over the hardware (SlSpread). Below it stand the tiles,
// level by level from the outside in, then the loop orders. docs/optimum.md has the bounds and
// their proofs.
//
// Flow: sl_bounds_reason (is the space covered?) -> sl_bounds_make -> sl_bounds_spread(i) with a
//       first bound each -> sl_bounds_close: one branch, down to a threshold.
#pragma once

#include "starling/cost.h"

SL_API_BEGIN

// How work is spread: over clusters of flexible fan-outs, and over axes. Fan-out l lies below level
// l.
typedef struct {
    uint8_t clusters[SL_MAX_LEVELS];   // dim over the clusters of fan-out l, SL_N_DIMS = none
    int64_t n_clusters[SL_MAX_LEVELS]; // 1 = none
    int64_t most[SL_MAX_LEVELS][SL_MAX_AXES][SL_N_DIMS]; // instances of an axis (inside a cluster:
                                                         // axis 0) that a dim may take; 1 = none
} SlSpread;

// What a space and a goal have in common for all branches; read by any number of threads.
typedef struct SlBounds SlBounds;

// NULL, or why the bounds do not cover the space or the goal, as a sentence part: "the area of
// the smallest hardware is part of the goal".
const char *sl_bounds_reason(const SlSpace *space, const SlGoal *goal);

// For a space that is covered. NULL without memory. Keeps the space and the layer and accelerator
// in it.
SlBounds *sl_bounds_make(const SlSpace *space, const SlGoal *goal, SlArena *arena);

// The branches. Together they hold every mapping of the space.
int sl_bounds_n_spreads(const SlBounds *bounds);
const SlSpread *sl_bounds_spread(const SlBounds *bounds, int i);

// Lower bound of branch i before any tile is chosen: cycles and compulsory traffic. Cheap.
double sl_bounds_root(const SlBounds *bounds, int i);

// What one thread works with. Tables of a branch are kept while it stays at it.
typedef struct SlBoundWork SlBoundWork;
SlBoundWork *sl_bound_work_make(const SlBounds *bounds, SlArena *arena); // NULL without memory
void sl_bound_work_free(SlBoundWork *work); // tables on the heap; the rest is the arena's

typedef struct {
    double threshold;            // nodes whose bound is at least this are not looked into
    int64_t nodes;               // at most, 0 = no limit
    bool (*stop)(void *context); // asked every thousand nodes or so, and while tables of a branch
                                 // are built; true = stop. NULL = never
    void *context;
} SlCloseLimits;

typedef struct {
    double bound;      // no mapping of the branch is below; where all leaves were priced: the least
    double value;      // least value found below the threshold, INFINITY = none
    SlMapping mapping; // that has it
    int64_t nodes;     // looked at
    bool complete;     // false: stopped; the bound then is that of what was left
} SlClosed;

// Walk the tree of branch i. The threshold follows what is found: below value / (1 + epsilon)
// nothing is left open. SL_ENOMEM.
SlStatus sl_bounds_close(SlBoundWork *work, int i, const SlCloseLimits *limits, double epsilon,
                         SlClosed *out, SlError *err);

SL_API_END
