// particle_inside.h - inside task: what a world is made of, and particle worlds as blocks of envs.
//
// A block is PARTICLE_BLOCK worlds side by side: number r of the state of world l (the order of
// SlParticleShape.n_state) is at [r * PARTICLE_BLOCK + l], so a vector holds one number of several
// worlds. The arithmetic is a template that every world compiles for itself (world_build.h): for
// floats with vectors of 16 and 32 bytes and for doubles; additions, multiplications, divisions and
// square roots in a fixed order, so every size of vectors gives the same bits.
#pragma once

#include "starling/task/particle.h"

enum {
    PARTICLE_BLOCK = 16,
    PARTICLE_PAIR = 2, // the same in doubles
    PARTICLE_MAX_MOVERS = 2 * SL_PARTICLE_MAX_AGENTS,
    PARTICLE_MAX_SIGHT = 8,
};

// What the rules need to know of a setup.
typedef struct {
    const SlWorld *kind;
    SlParticleRules rules;
    SlScript script;
    int n_agents, n_scripted, n_landmarks;
    int n_movers;   // agents, then those with a script
    int n_choosers; // of these, from the first on, those that choose actions
    int n_state, n_fixed;
} ParticleWorld;

// --- The facts of a world

// What is there, of one kind. Everything weighs 1.
typedef struct {
    double size, accel, max_speed; // INFINITY = no limit
    bool pushes;                   // and is pushed
    bool adversary;                // as recordings call it
} ParticleBody;

// What a mover sees, part by part: pairs x, y.
typedef enum {
    SIGHT_END,
    SIGHT_VELOCITY,            // its own
    SIGHT_POSITION,            // its own
    SIGHT_GOAL,                // minus its own position; agents alone know it
    SIGHT_LANDMARKS,           // every one minus its own position
    SIGHT_OTHERS,              // every other mover minus its own position
    SIGHT_AGENTS,              // of these, those that choose
    SIGHT_SCRIPTED,            // of these, those that do not
    SIGHT_SCRIPTED_VELOCITIES, // of those that do not choose, but not its own
    SIGHT_SILENCE,             // what every other mover says, which is nothing: zeros
} ParticleSight;

typedef struct {
    ParticleBody agent, scripted, landmark;
    double edge;   // landmarks begin in -edge..edge, movers in -1..1
    bool has_goal; // one landmark is drawn as the goal; its place stands behind those of all
    ParticleSight sight[PARTICLE_MAX_SIGHT]; // ends with SIGHT_END
} ParticleFacts;

// The pairs of the state that a part of the sight shows: n from `first` on but `skip`, minus the
// mover's own position or nothing; or n pairs of zeros.
typedef struct {
    int first, n, skip;
    bool relative, silent;
} ParticleSpan;

static inline __attribute__((always_inline)) ParticleSpan
particle_span(const ParticleWorld *world, ParticleSight part, int mover) {
    const int n_movers = world->n_movers, n_agents = world->n_agents, none = -1;
    const bool chooses = mover < n_agents;
    switch (part) {
    case SIGHT_VELOCITY:
        return (ParticleSpan){n_movers + mover, 1, none, false, false};
    case SIGHT_POSITION:
        return (ParticleSpan){mover, 1, none, false, false};
    case SIGHT_GOAL:
        return (ParticleSpan){2 * n_movers + world->n_landmarks, chooses, none, true, false};
    case SIGHT_LANDMARKS:
        return (ParticleSpan){2 * n_movers, world->n_landmarks, none, true, false};
    case SIGHT_OTHERS:
        return (ParticleSpan){0, n_movers, mover, true, false};
    case SIGHT_AGENTS:
        return (ParticleSpan){0, n_agents, chooses ? mover : none, true, false};
    case SIGHT_SCRIPTED:
        return (ParticleSpan){n_agents, n_movers - n_agents, chooses ? none : mover, true, false};
    case SIGHT_SCRIPTED_VELOCITIES:
        return (ParticleSpan){n_movers + n_agents, n_movers - n_agents,
                              chooses ? none : n_movers + mover, false, false};
    case SIGHT_SILENCE:
        return (ParticleSpan){none, n_movers - 1, none, false, true};
    case SIGHT_END:
        break;
    }
    return (ParticleSpan){.skip = none};
}

// --- The functions of a world

// The arithmetic in floats. `state` (n_state, PARTICLE_BLOCK), `force` (2 n_movers, PARTICLE_BLOCK)
// x before y.
typedef struct {
    // forces of those that do not choose, by the world's own script; NULL = there are none
    void (*drive)(const ParticleWorld *world, const float *state, float *force);
    // the forces, to which contacts are added, move everything
    void (*move)(const ParticleWorld *world, float *state, float *force);
    // what agents get, and those with a script behind them; (n_movers, PARTICLE_BLOCK)
    void (*reward)(const ParticleWorld *world, const float *state, float *rewards);
    void (*reward_scripted)(const ParticleWorld *world, const float *state, float *rewards);
    // the shaping term of all with weight 1, in the same way; NULL = there is none
    void (*shape)(const ParticleWorld *world, const float *state, float *shaping);
    void (*rows)(int n_rows, const float *state, size_t stride,
                 float *out); // (n_rows, PARTICLE_BLOCK) to (PARTICLE_BLOCK, stride)
    // what movers first..last-1 see of one world, a row of n_state numbers
    void (*observe)(const ParticleWorld *world, const float *row, int first, int last, float *out);
} ParticleCode;

// The same in doubles, PARTICLE_PAIR worlds at a time.
typedef struct {
    void (*move)(const ParticleWorld *world, double *state, double *force);
    void (*reward)(const ParticleWorld *world, const double *state, double *rewards);
    void (*reward_scripted)(const ParticleWorld *world, const double *state, double *rewards);
    void (*observe)(const ParticleWorld *world, const double *row, int first, int last,
                    double *out);
} ParticleExact;

typedef struct {
    ParticleCode plain, wide; // vectors of 16 bytes, and of 32 where the compiler can
    ParticleExact exact;
} ParticleCodes;

typedef struct SlWorldRow {
    const ParticleFacts *facts;
    const ParticleCodes *codes;
    int (*n_scripted)(int n_agents); // NULL = there are none
    int (*n_landmarks)(int n_agents);
} SlWorldRow;

// --- What follows from a row

// A setup with its zeros filled in.
ParticleWorld sl_particle_world(const SlParticleSetup *setup);
void sl_particle_count(
    ParticleWorld *world); // n_movers, n_choosers, n_state, n_fixed from the rest
const ParticleBody *sl_particle_body(const ParticleWorld *world, int mover);
int sl_particle_n_observed(const ParticleWorld *world, int mover); // numbers that a mover sees

const ParticleCode *sl_particle_code(const SlWorld *world); // the widest that this machine has
