// particle.h - multi-agent particle worlds, many at a time: predators after prey (tag), agents over
// landmarks (spread). Rules: docs/particle.md.
//
// Flow: SlParticleSetup -> sl_particles_make -> sl_particles_reset -> sl_particles_step, and
//       _restart where an episode ended. sl_particle_map says how observations follow from the
//       world state. sl_episodes_play compares with recorded episodes.
#pragma once

#include "starling/core.h"

typedef enum { SL_TAG, SL_SPREAD, SL_N_SCENARIOS } SlScenario;
extern const char *const sl_scenario_names[SL_N_SCENARIOS + 1]; // "tag", "spread", NULL

typedef enum {
    SL_RULES_OPENAI, // the original: new velocities move, a1 pushes +x, spread rewards are summed
    SL_RULES_MPE2,   // old velocities move, a1 pushes -x, spread rewards are half global, half own
    SL_N_PARTICLE_RULES
} SlParticleRules;
extern const char *const sl_particle_rules_names[SL_N_PARTICLE_RULES + 1]; // "openai", "mpe2"

// Who moves the prey of tag, which are part of the environment.
typedef enum { SL_PREY_FLEE, SL_PREY_RANDOM, SL_PREY_STILL, SL_N_PREY } SlPrey;
extern const char *const sl_prey_names[SL_N_PREY + 1]; // "flee", "random", "still"

typedef struct {
    SlScenario scenario;
    int n_agents;    // predators of tag, agents of spread: those that choose actions
    int n_prey;      // tag; 0 = max(1, n_agents / 3)
    int n_landmarks; // 0 = max(2, n_agents / 3) obstacles in tag, n_agents in spread
    SlParticleRules rules;
    SlPrey prey;
    int n_envs;
    int episode_steps; // 25
} SlParticleSetup;

enum { SL_PARTICLE_ACTIONS = 5 }; // no-op, +x, -x, +y, -y
enum { SL_PARTICLE_MAX_AGENTS = 256, SL_PARTICLE_MAX_ENVS = 1 << 20 };

typedef struct {
    int n_envs, n_agents;
    int n_movers; // agents, then prey
    int n_landmarks;
    int n_observed; // numbers an agent sees; the same for all that choose actions
    int n_state; // of a world: positions of the movers, their velocities, positions of landmarks,
                 // x before y
} SlParticleShape;

// Caller-owned, row-major; NULL where not wanted. Alignment: that of floats.
typedef struct {
    const float *actions; // (n_envs, n_agents, 5), not clipped
    float *observations;  // (n_envs, n_agents, n_observed)
    float *state;         // (n_envs, n_state)
    float *rewards;       // (n_envs, n_agents)
    uint8_t *ended;       // (n_envs) 1 = this was the last step of the episode
} SlParticleBuffers;

typedef struct SlParticles SlParticles;

// NULL, or the first thing wrong with the setup.
const char *sl_particles_check(const SlParticleSetup *setup);
SlParticles *sl_particles_make(const SlParticleSetup *setup, SlArena *arena); // NULL: no memory
const SlParticleShape *sl_particles_shape(const SlParticles *particles);

// New worlds everywhere; random numbers are named by the seed and the env alone. Fills observations
// and state.
void sl_particles_reset(SlParticles *particles, uint64_t seed, SlParticleBuffers *buffers);

// One step of every env; allocates nothing. Worlds go on after their last step, with `ended` 1,
// until they are restarted. Same results for any pool; NULL = this thread.
void sl_particles_step(SlParticles *particles, SlPool *pool, SlParticleBuffers *buffers);

// A new world in one env: its rows of observations and state are written.
void sl_particles_restart(SlParticles *particles, int env, SlParticleBuffers *buffers);

// What a checkpoint holds: as many bytes as sl_particles_bytes says, of this machine's own layout.
size_t sl_particles_bytes(const SlParticles *particles);
void sl_particles_save(const SlParticles *particles, void *bytes);
void sl_particles_load(SlParticles *particles, const void *bytes);

// Observations as a linear map of the state: number o of agent a is state[plus] - state[minus],
// where an index of -1 stands for 0. Exact, in floats too.
typedef struct {
    int16_t plus, minus;
} SlObserved;
void sl_particle_map(const SlParticleShape *shape, SlScenario scenario,
                     SlObserved *map); // (n_agents, n_observed)

// --- Recorded episodes (docs/formats/episodes.md), replayed in doubles

// The largest absolute differences between what was recorded and what our rules make of the
// recorded start and actions; of every mover that was recorded.
typedef struct {
    int episodes, steps;
    double pos, vel, obs, reward;
} SlDeviation;

// JSON lines, gzip or not: the first line may name the source. Adds up over all episodes.
// SL_EINPUT with file, line and what was expected.
SlStatus sl_episodes_play(const char *path, SlParticleRules rules, SlArena *scratch,
                          SlDeviation *out, SlError *err);
