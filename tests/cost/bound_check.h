// bound_check.h - what must be true of bounds: on tiny layers against every mapping there is, on
// real ones along the way from the root of a branch to mappings that exist.
#pragma once

#include "proof_space.h"

// What was looked at.
typedef struct {
    long cases;    // layers on accelerators
    long branches; // of their spaces
    long tiles;    // choices of tiles
    long mappings; // priced
    long checks;   // bounds of nodes compared with the value of a mapping below them
    long skipped;  // cases drawn that have no space, no bounds, or too many mappings
} BoundTally;

enum { BOUND_WHY_MAX = 16384 };

// Case `i` of a seed, with at most `most` mappings, each priced by sl_cost_eval. Branches, tile
// sizes, best orders, nodes on the way, and the least value of every branch must be those of the
// full list. Returns NULL, or what is wrong with everything needed to repeat it.
const char *tiny_bounds_wrong(uint64_t seed, long i, double most, BoundTally *tally, size_t n,
                              char *why);

// Case `i` of a seed: a climb of `steps` mappings on a real layer and machine. No bound on the way
// to a mapping may be above its value.
const char *path_bounds_wrong(uint64_t seed, long i, int steps, BoundTally *tally, size_t n,
                              char *why);

// a <= b and a = b, but for rounding
bool about_most(double a, double b);
bool about_equal(double a, double b);
