// particle.h - multi-agent particle worlds, many at a time: discs that push and chase each other.
// Rules: docs/particle.md.
//
// Flow: a row of sl_worlds -> sl_world_init (SlParticleSetup) -> sl_particles_make ->
//       sl_particles_reset -> sl_particles_step, and _restart where an episode ended.
//       sl_particle_map says how observations follow from the world state. sl_episodes_play
//       compares with recorded episodes.
#pragma once

#include "starling/core.h"

SL_API_BEGIN

// --- Worlds

// One row per world. Adding one = one file (src/task/world_NAME.c), one row.
typedef struct {
    const char *name, *title;   // "tag", "predators after prey, around obstacles; ..."
    const SlOption *options;    // that it alone has, of SlParticleSetup; ends with {0}
    const char *const *scripts; // what it calls the values of SlScript: "flee", "random", "still",
                                // ...; then NULL
    const char *const *teams;   // what it calls agents and those with a script: "predators",
                                // "prey"; NULL for the latter where there are none
    const struct SlWorldRow *row; // its facts and functions, inside task
} SlWorld;
extern const SlWorld *const sl_worlds[];        // tag, spread, adversary; then NULL
extern const char *const sl_world_names[];      // of the same rows; then NULL
const SlWorld *sl_world_find(const char *name); // NULL if there is none
int sl_world_index(const SlWorld *world);       // its place in sl_worlds

typedef enum {
    SL_RULES_OPENAI, // the original: new velocities move, a1 pushes +x, spread rewards are summed
    SL_RULES_MPE2,   // old velocities move, a1 pushes -x, spread rewards are half global, half own
    SL_N_PARTICLE_RULES
} SlParticleRules;
extern const char *const sl_particle_rules_names[SL_N_PARTICLE_RULES + 1]; // "openai", "mpe2"

// How those move that are no agents: prey, an adversary. Unless they learn, they choose no actions
// and so are part of the world.
typedef enum {
    SL_SCRIPT_OWN,    // as the world has it: prey flee, adversaries seek
    SL_SCRIPT_RANDOM, // a whole action in a random direction, a new one in every step
    SL_SCRIPT_STILL,  // not by themselves; they can be pushed
    SL_SCRIPT_LEARN,  // by actions, as agents do
    SL_SCRIPT_SECOND, // by the world's second script: prey dodge the nearest predator
    SL_N_SCRIPTS
} SlScript;

typedef struct {
    const SlWorld *world;
    int64_t n_agents;    // those that choose actions
    int64_t n_scripted;  // those with a script; 0 = as many as the world has for so many agents
    int64_t n_landmarks; // 0 = the same
    int rules;           // an SlParticleRules
    int script;          // an SlScript
    int64_t n_envs;
    int64_t episode_steps; // 25
    double shaping;        // weight of the world's shaping term; 0 = none
} SlParticleSetup;
extern const SlOption sl_particle_options[]; // agents, landmarks, steps ...: what every world has

// As agents are trained: three of them, one env, 25 steps, those without choice at random unless
// the world's options say otherwise.
void sl_world_init(const SlWorld *world, SlParticleSetup *setup);

enum { SL_PARTICLE_ACTIONS = 5 }; // no-op, +x, -x, +y, -y
enum { SL_PARTICLE_MAX_AGENTS = 256, SL_PARTICLE_MAX_ENVS = 1 << 20 };

typedef struct {
    int n_envs;
    int n_agents; // that choose actions: those of the setup, then those with a script that learn
    int n_team;   // of these, those of the setup
    int n_movers; // those of the setup, then those with a script
    int n_landmarks;
    int n_observed; // numbers an agent sees; the same for all that choose actions
    int n_state; // of a world: positions of the movers, their velocities, positions of landmarks,
                 // of the landmark that is the goal, if there is one; x before y
    int n_fixed; // of these, at the end, stay as they are until the episode ends
} SlParticleShape;

// Caller-owned, row-major; NULL where not wanted. Alignment: that of floats.
typedef struct {
    const float *actions; // (n_envs, n_agents, 5), not clipped
    float *observations;  // (n_envs, n_agents, n_observed)
    float *state;         // (n_envs, n_state)
    float *rewards;       // (n_envs, n_agents)
    float *shaping; // (n_envs, n_agents) what the setup's weight makes of the world's shaping term;
                    // not part of the rewards
    uint8_t *ended; // (n_envs) 1 = this was the last step of the episode
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
// where an index of -1 stands for 0. Exact, in floats too. Those that see less than others see
// zeros behind it.
typedef struct {
    int16_t plus, minus;
} SlObserved;
void sl_particle_map(const SlWorld *world, const SlParticleShape *shape,
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

SL_API_END
