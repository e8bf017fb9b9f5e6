// relax.h - inside search: points of a space as vectors of real numbers, for methods that think in
// distances and gradients.
//
// Flow: sl_relax_init -> sl_relax_point (a point as numbers in 0..1) -> a model, a step ->
//       sl_relax_round (the nearest point).
#pragma once

#include "starling/search.h"

// A size is one column: the logarithm of the size, 0 at the smallest, 1 at the largest. An order is
// one column per loop: its place, 0 = outermost, 1 = innermost. A set of spread dims is one column
// per value: 1 = chosen. Parameters without a choice have no column.
enum { SL_MAX_RELAXED = 1024 };

typedef struct {
    const SlSpace *space;
    int n;                        // columns
    int first[SL_MAX_PARAMS + 1]; // (n_params + 1) first column of each parameter
} SlRelax;

// False if the space needs more than SL_MAX_RELAXED columns.
bool sl_relax_init(SlRelax *relax, const SlSpace *space);
void sl_relax_point(const SlRelax *relax, const int32_t *point, double *x); // x (n)

// Any finite numbers: sizes are rounded to the nearest in the logarithm (beyond the ends: the end),
// orders sort their columns (ties: the lower dim outermost), of spreads the largest column wins.
void sl_relax_round(const SlRelax *relax, const double *x, int32_t *point);

// Where a size lies between the smallest (0) and the largest (1) of a parameter, in the logarithm.
double sl_relax_size(const SlParam *param, int64_t size);
