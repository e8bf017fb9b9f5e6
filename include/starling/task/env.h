// env.h - multi-agent environments over tasks: rewards, observations, and the vectorised
// environment with caller-owned buffers.
//
// Flow: sl_mapping_env_make -> sl_env_reset -> sl_env_step ... The co-design environment is in
//       task/codesign.h.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

// --- Rewards and observations

typedef enum {
    SL_REWARD_LOG,     // reference score - score: scale-free
    SL_REWARD_INVERSE, // 1 / value, 0 where illegal (the paper)
    SL_REWARD_RANK,    // rank in the batch, ties averaged, mean 0, variance 1
} SlReward;
extern const char *const sl_reward_names[4]; // "log", "inverse", "rank", NULL

// Rewards (n) of a batch of outcomes. `reference` is a score (SL_REWARD_LOG). `order` (n) is
// scratch.
void sl_rewards(SlReward form, int n, const SlSample *outcomes, double reference, int *order,
                double *rewards);

typedef enum {
    SL_OBSERVE_PAPER,    // latency, power, energy, area of the last mapping: normalised logs
    SL_OBSERVE_EXTENDED, // plus the agent's own last choices, the budget left, layer, accelerator
} SlObserve;
extern const char *const sl_observe_names[3]; // "paper", "extended", NULL

// The four of the paper: log2 of each over its reference (latency and energy: the floors; area and
// power: those of the first legal outcome), divided by 8 and clamped to -1..1; ones where illegal.
enum { SL_N_OBSERVED = 4 };
typedef struct {
    double reference[SL_N_OBSERVED]; // 0 = not known yet
} SlObserver;
void sl_observer_init(SlObserver *observer, const SlTask *task);
void sl_observe(SlObserver *observer, const SlSample *outcome,
                float out[SL_AT_LEAST(SL_N_OBSERVED)]);

// --- The vectorised multi-agent environment

typedef struct {
    int n_envs, n_agents;
    int n_observed;           // numbers each agent sees
    int n_heads;              // choices of all agents together
    const int *agent;         // (n_heads) whose choice it is
    const int32_t *n_choices; // (n_heads)
    int episode_steps;
} SlEnvShape;

// Caller-owned, row-major.
typedef struct {
    const int32_t *actions; // (n_envs, n_heads)
    float *observations;    // (n_envs, n_agents, n_observed)
    float *rewards;         // (n_envs, n_agents); shared: all agents of an env get the same
    uint8_t *dones;         // (n_envs); 1 = the episode ended, the observation is that of a new one
    SlSample *outcomes;     // (n_envs), NULL = not wanted
} SlEnvBuffers;

typedef struct SlEnv SlEnv;

typedef struct {
    SlTaskSetup task;
    const SlAgents *agents; // copied
    int n_envs;
    int episode_steps; // 1 = a bandit; the paper has 100
    SlReward reward;   // RANK ranks among the envs of one step
    SlObserve observe;
    int64_t budget; // samples in all, for the share that is left; 0 = not told
} SlMappingEnvSetup;

SlEnv *sl_mapping_env_make(const SlMappingEnvSetup *setup, SlArena *arena);
const SlEnvShape *sl_env_shape(const SlEnv *env);
void sl_env_reset(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers); // fills observations
void sl_env_step(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers);   // pool NULL = this thread
int64_t sl_env_samples(const SlEnv *env);                            // of all envs
const SlBest *sl_env_best(const SlEnv *env);                         // over all envs

SL_API_END
