// margin.h - inside search: keep every parameter of a point able to change while a normal
// distribution over its relaxed form shrinks.
#pragma once

#include "cma.h"
#include "relax.h"

// Widen `cma` and move its mean so that every size leaves its present value, every two neighbours
// of an order change places, and every set of spread dims becomes the largest with a chance of at
// least about `chance` (0..0.5).
void sl_margin_keep(const SlRelax *relax, double chance, SlCma *cma);

// z such that a standard normal number is above it with chance p, 0 < p <= 0.5.
double sl_normal_tail(double p);
