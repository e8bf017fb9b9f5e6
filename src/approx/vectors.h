// vectors.h - vectors of 16 bytes, which every processor has, and hot functions compiled for two
// instruction sets.
//
// Plain multiplications and additions in a fixed order, so every instruction set gives the same
// bits.
#pragma once

#include <string.h>

#include "starling/approx.h"

// AVX2 is compiled beside plain x86-64 and chosen at run time; of static functions only, since gcc
// exports all others, hidden or not. Not under sanitizers, which are not ready when the choice
// between clones is made; and not with SL_NO_CLONES, to compare.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SL_NO_CLONES)
#define SL_HAS_CLONES 1
#define SL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SL_HAS_CLONES 0
#define SL_CLONES
#endif
// what takes or returns vectors of more than 16 bytes must be: a plain function and a clone would
// pass them in different ways (lint/vectors)
#define INLINE static inline __attribute__((always_inline))

#ifdef SL_APPROX_DOUBLE
typedef int64_t SlRealBits;
#else
typedef int32_t SlRealBits;
#endif
typedef SlReal Vec __attribute__((vector_size(16)));
typedef SlRealBits VecBits __attribute__((vector_size(16))); // also the result of comparisons
enum { LANES = 16 / sizeof(SlReal) };

// The `left` numbers of an array up to LANES; the other lanes are zero.
INLINE Vec vec_load(const SlReal *at, size_t left) {
    Vec v = {0};
    if (left >= LANES) {
        memcpy(&v, at, sizeof v);
    } else {
        memcpy(&v, at, left * sizeof *at);
    }
    return v;
}

INLINE void vec_store(SlReal *at, size_t left, Vec v) {
    if (left >= LANES) {
        memcpy(at, &v, sizeof v);
    } else {
        memcpy(at, &v, left * sizeof *at);
    }
}

INLINE Vec vec_all(SlReal x) {
    return x - (Vec){0};
}

// Lane by lane, `yes` where the comparison held, else `no`.
INLINE Vec vec_select(VecBits held, Vec yes, Vec no) {
    return (Vec)((held & (VecBits)yes) | (~held & (VecBits)no));
}
