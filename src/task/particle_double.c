// particle_double.c - the arithmetic of particle worlds in doubles, two worlds at a time.
#include "particle_vectors.h"

#define REAL double
#define BITS int64_t
#define BLOCK PARTICLE_PAIR
#define VEC_BYTES 16
#define SIZED(name) name##_double
#include "particle_step.h"
#undef VEC_BYTES
#define VEC_BYTES 32 // half of it is a pair
#include "particle_see.h"

void sl_particle_move_double(const ParticleWorld *world, double *state, double *force) {
    move_double(world, state, force);
}

void sl_particle_reward_double(const ParticleWorld *world, const double *state, double *rewards) {
    reward_double(world, state, rewards);
}

void sl_particle_observe_double(const ParticleWorld *world, const double *row, int mover,
                                double *out) {
    see_double(world, row, mover, out);
}
