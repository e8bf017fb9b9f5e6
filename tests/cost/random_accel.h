// random_accel.h - random accelerators on which a given case can run.
#pragma once

#include "random_nest.h"

// As many levels as the case has, the networks of the case, fan-outs with space for its spatial
// loops, buffers with space for its tiles; everything else at random, infinite rates included.
void accel_sample(SlRng *rng, const Case *c, SlAccel *out);

// A random case of at least one boundary and an accelerator for it.
void priced_case_sample(SlRng *rng, int64_t max_macs, Case *c, SlAccel *accel);

// NULL, or the first field of two costs (of n_levels levels) that is not the same to the last bit.
const char *cost_differs(const SlCost *got, const SlCost *want, size_t n, char *out);
