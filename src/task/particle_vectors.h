// particle_vectors.h - what the templates of particle worlds are written in.
#pragma once

#include <math.h>
#include <string.h>

#include "particle_inside.h"

#define SL_INLINE static inline __attribute__((always_inline))

// Vectors of 32 bytes are compiled beside those of 16 and chosen at run time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PARTICLE_WIDE 1
#else
#define PARTICLE_WIDE 0
#endif

typedef float Floats __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(16)));
