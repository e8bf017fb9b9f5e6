// world_build.h - compiles the arithmetic of a world for every kind of numbers: floats with vectors
// of two sizes, chosen at run time, and doubles.
//
// Included once by src/task/world_NAME.c, which has defined `facts` and WORLD_FILE, its own name:
// the file includes itself from here, with REAL defined, and then is its arithmetic alone. With
// WORLD_DRIVES there are movers with a script and rewards of their own, with WORLD_SHAPES a shaping
// term. Gives `codes`, for the row.
#ifndef WORLD_FILE
#error "define facts and WORLD_FILE"
#endif

#include "particle_vectors.h"

#define REAL float
#define BITS int32_t
#define BLOCK PARTICLE_BLOCK

#define VEC_BYTES 16
#define SEE_BYTES 16
#define SIZED(name) name##_16
#include "particle_step.h"

#include "particle_see.h"
#undef VEC_BYTES
#undef SEE_BYTES
#undef SIZED

#if PARTICLE_WIDE
#pragma GCC push_options
#pragma GCC target("avx2")
#define VEC_BYTES 32
#define SEE_BYTES 32
#define SIZED(name) name##_32
#include "particle_step.h"

#include "particle_see.h"
#undef VEC_BYTES
#undef SEE_BYTES
#undef SIZED
#pragma GCC pop_options
#endif
#undef REAL
#undef BITS
#undef BLOCK

#define REAL double
#define BITS int64_t
#define BLOCK PARTICLE_PAIR
#define VEC_BYTES 16
#define SEE_BYTES 32 // half of it is a pair
#define SIZED(name) name##_double
#include "particle_step.h"

#include "particle_see.h"
#undef VEC_BYTES
#undef SEE_BYTES
#undef SIZED
#undef REAL
#undef BITS
#undef BLOCK

#ifdef WORLD_DRIVES
#define DRIVE(name) name
#else
#define DRIVE(name) NULL
#endif
#ifdef WORLD_SHAPES
#define SHAPE(name) name
#else
#define SHAPE(name) NULL
#endif
#define FLOAT_CODE(size)                                                                           \
    {                                                                                              \
        DRIVE(drive_##size), move_##size, reward_##size, DRIVE(reward_scripted_##size),            \
            SHAPE(shape_##size), rows_##size, observe_##size                                       \
    }

static const ParticleCodes codes = {
    .plain = FLOAT_CODE(16),
#if PARTICLE_WIDE
    .wide = FLOAT_CODE(32),
#else
    .wide = FLOAT_CODE(16),
#endif
    .exact = {move_double, reward_double, DRIVE(reward_scripted_double), observe_double},
};
