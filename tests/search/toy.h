// toy.h - functions over the points of a space whose optimum is known, for methods.
#pragma once

#include "search/method_run.h"

typedef enum {
    TOY_APART,  // every parameter has its own target: the sum of the distances
    TOY_LINKED, // the same, and parameters next to each other must both be right
    TOY_PLAIN,  // the same value everywhere: nothing to find, nothing to trip over
    N_TOYS
} Toy;

// 0 at the target, at most 1.
double toy_score(Toy toy, const SlSpace *space, const int32_t *target, const int32_t *point);

// The best score that the method of this name finds in `n_samples`; the target is drawn by the
// seed.
double toy_best(Toy toy, World *world, const char *name, const char *changes, uint64_t seed,
                int64_t n_samples);
