// tiny_case.h - random layers so small, on machines so small, that every mapping can be priced;
// prime extents, edges, gaps and halos are common.
#pragma once

#include "starling/cost/bound.h"

// Do not copy: the options point to the constraints.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlSpaceOptions options;
    SlConstraints constraints;
    SlGoal goal;
} TinyCase;

void tiny_case_sample(SlRng *rng, TinyCase *out);

// Layer, accelerator, space and goal, as lines of a certificate.
enum { CASE_LINES_MAX = 4096 };
const char *tiny_case_text(const TinyCase *c, size_t n, char *out);

// Something to minimise: latency, energy, their product, or weights.
void goal_sample(SlRng *rng, SlGoal *goal);

// Words per cycle, often none that binds.
double rate_sample(SlRng *rng);
