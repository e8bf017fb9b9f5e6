// mappo.h - inside learn: proximal policy optimisation of several agents that share a reward, with
// one critic that sees everything (CTDE), on the walks of the co-design environment.
//
// Flow: sl_mappo_make -> sl_mappo_walk (a rollout) -> sl_mappo_learn, again and again;
//       sl_mappo_values asks the critic about any points.
#pragma once

#include "starling/approx.h"
#include "starling/task/codesign.h"

typedef enum {
    SL_CRITIC_CENTRAL, // one, of the whole state
    SL_CRITIC_OWN,     // one per agent, of what the agent sees
} SlMappoCritic;

typedef struct {
    int steps; // of a rollout, in every environment
    int hidden, actor_layers, critic_layers;
    double rate, gamma, lambda, clip;
    double value_weight, entropy; // entropy: at the start, falls to a tenth
    double temperature;           // logits are divided by it
    int epochs, minibatch;
    double most_norm; // of a gradient; 0 = not clipped
    SlMappoCritic critic;
} SlMappoOptions;

typedef struct SlMappo SlMappo;

SlMappo *sl_mappo_make(SlEnv *env, const SlMappoOptions *options, uint64_t seed, const char *stream,
                       SlArena *arena); // NULL without memory
// One rollout; points reached (steps * n_envs, n_params), and the rewards there, stay until the
// next.
void sl_mappo_walk(SlMappo *mappo);
const int32_t *sl_mappo_reached(const SlMappo *mappo, int *n);
const double *sl_mappo_rewards(const SlMappo *mappo); // (steps * n_envs)
// Learn from it. `progress` 0..1 of the whole run, for what is annealed.
void sl_mappo_learn(SlMappo *mappo, double progress);
// What the critic (the mean of all critics) expects from points (n, n_params) on.
void sl_mappo_values(SlMappo *mappo, int n, const int32_t *points, double *values);
