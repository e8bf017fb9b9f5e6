// particle_float.c - the arithmetic of particle worlds in floats, for two sizes of vectors.
#include "particle_vectors.h"

#define REAL float
#define BITS int32_t
#define BLOCK PARTICLE_BLOCK

#define VEC_BYTES 16
#define SIZED(name) name##_16
#include "particle_see.h"
#include "particle_step.h"

#include "particle_flee.h"
#undef VEC_BYTES
#undef SIZED

#if PARTICLE_WIDE
#pragma GCC push_options
#pragma GCC target("avx2")
#define VEC_BYTES 32
#define SIZED(name) name##_32
#include "particle_see.h"
#include "particle_step.h"

#include "particle_flee.h"
#pragma GCC pop_options
#endif

const ParticleCode *sl_particle_code_plain(void) {
    return &code_16;
}

const ParticleCode *sl_particle_code(void) {
#if PARTICLE_WIDE
    if (__builtin_cpu_supports("avx2")) return &code_32;
#endif
    return &code_16;
}
