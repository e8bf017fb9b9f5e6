// sight.h - inside search: what a model sees of a point, as real numbers.
//
// Flow: sl_sight_init -> sl_task_view (what a point becomes) -> sl_sight_numbers.
#pragma once

#include "relax.h"

typedef enum {
    SL_SIGHT_POINT,    // the parameters: relaxed, with sets of spread dims as labels
    SL_SIGHT_PLAIN,    // features of the nest, as a critic sees them (starling/mapping/space.h)
    SL_SIGHT_REUSE,    // with words moved
    SL_SIGHT_ESTIMATE, // with estimated latency and energy
} SlSightKind;
extern const char *const sl_nest_sight_names[5]; // "point", "plain", "reuse", "estimate", NULL

typedef struct {
    SlSightKind kind;
    const SlTask *task;
    SlRelax relax;
    int n;                      // numbers
    int source[SL_MAX_RELAXED]; // POINT: column; labels: parameter. Others: feature
    int group[SL_MAX_RELAXED];  // numbers of one parameter belong together; 0, ascending
    bool label[SL_MAX_RELAXED]; // only whether two differ counts
} SlSight;

// Most numbers that a sight of this kind has.
int sl_sight_most(SlSightKind kind, const SlTask *task);

// Features that are the same at every one of some random points are left out. Where the point
// needs more numbers than there is space for, features take its place.
void sl_sight_init(SlSight *sight, SlSightKind kind, const SlTask *task, SlRng *rng);

// The numbers x (n) of a point with this view.
void sl_sight_numbers(const SlSight *sight, const int32_t *point, const SlView *view, double *x);
