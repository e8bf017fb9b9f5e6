// rng.h - xoshiro256** (Blackman & Vigna 2018), seeded by splitmix64, with named streams.
//
// Flow: sl_rng_init(seed, "what the numbers are for") -> draws. The state is 32 bytes and may be
// copied or stored.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

typedef struct {
    uint64_t s[4];
} SlRng;

// The stream is a function of seed and name alone: other names, other streams, independent of
// threads and call order.
void sl_rng_init(SlRng *rng, uint64_t seed, const char *stream);

uint64_t sl_rng_next(SlRng *rng);
uint64_t sl_rng_below(SlRng *rng, uint64_t n);            // uniform in 0..n-1, n >= 1, without bias
int64_t sl_rng_range(SlRng *rng, int64_t lo, int64_t hi); // uniform in lo..hi, both included
double sl_rng_uniform(SlRng *rng);                        // uniform in [0, 1), 53 bits
double sl_rng_normal(SlRng *rng);                         // mean 0, variance 1 (polar method)
void sl_rng_shuffle(SlRng *rng, int n, int *items);       // uniform permutation in place

SL_API_END
