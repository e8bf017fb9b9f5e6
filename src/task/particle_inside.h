// particle_inside.h - inside task: particle worlds as blocks of envs, and the code that moves them.
//
// A block is PARTICLE_BLOCK worlds side by side: number r of the state of world l (the order of
// SlParticleShape.n_state) is at [r * PARTICLE_BLOCK + l], so a vector holds one number of several
// worlds. The arithmetic is a template, particle_step.h, for floats with vectors of 16 and 32 bytes
// and for doubles; additions, multiplications, divisions and square roots in a fixed order, so
// every size of vectors gives the same bits.
#pragma once

#include "starling/task/particle.h"

enum { PARTICLE_BLOCK = 16, PARTICLE_MAX_MOVERS = 2 * SL_PARTICLE_MAX_AGENTS };

// What the rules need to know of a setup.
typedef struct {
    SlScenario scenario;
    SlParticleRules rules;
    int n_agents, n_prey, n_landmarks;
    int n_movers; // agents, then prey
    int n_state;
} ParticleWorld;

// A setup with its zeros filled in.
ParticleWorld sl_particle_world(const SlParticleSetup *setup);

// What an agent (or one of the prey of tag) is.
typedef struct {
    double size, accel, max_speed; // INFINITY = no limit
} ParticleBody;
const ParticleBody *sl_particle_body(const ParticleWorld *world, int mover);

// Numbers that a mover sees; prey see one velocity less than predators.
int sl_particle_n_observed(const ParticleWorld *world, int mover);

// The arithmetic in floats. `state` (n_state, PARTICLE_BLOCK), `force` (2 n_movers, PARTICLE_BLOCK)
// x before y.
typedef struct {
    void (*flee)(const ParticleWorld *world, const float *state, float *force); // of prey
    // the forces, to which contacts are added, move everything
    void (*move)(const ParticleWorld *world, float *state, float *force);
    void (*reward)(const ParticleWorld *world, const float *state,
                   float *rewards); // (n_agents, PARTICLE_BLOCK)
    void (*rows)(int n_rows, const float *state, size_t stride,
                 float *out); // (n_rows, PARTICLE_BLOCK) to (PARTICLE_BLOCK, stride)
    // what all agents see of one world, a row of n_state numbers
    void (*observe)(const ParticleWorld *world, const float *row, float *out);
} ParticleCode;

const ParticleCode *sl_particle_code(void);       // the widest vectors that this machine has
const ParticleCode *sl_particle_code_plain(void); // 16 bytes

// The same in doubles, PARTICLE_PAIR worlds at a time; one mover sees.
enum { PARTICLE_PAIR = 2 };
void sl_particle_move_double(const ParticleWorld *world, double *state, double *force);
void sl_particle_reward_double(const ParticleWorld *world, const double *state, double *rewards);
void sl_particle_observe_double(const ParticleWorld *world, const double *row, int mover,
                                double *out);
