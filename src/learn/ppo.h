// ppo.h - learners of proximal policy optimisation: networks, heads, a rollout, a clipped step.
//
// Flow: sl_ppo_agent_make -> sl_ppo_look (an observation) -> sl_ppo_choose, point by point ->
//       sl_ppo_learn (a whole rollout). `ppo` is one such agent, `marl-paper` a flock of them.
#pragma once

#include "starling/approx.h"
#include "starling/task/env.h"

// Options of `ppo` and `marl-paper`; docs/methods/ppo.md says where the defaults come from.
typedef struct {
    int64_t hidden, layers;       // of both networks
    int64_t rollout;              // samples between two updates
    int64_t epochs, minibatches;  // of an update
    double rate;                  // Adam
    double clip;                  // of the probability ratio
    double entropy, entropy_last; // bonus at the first and the last sample
    double gamma, lambda;         // discount, GAE
    int64_t episode;              // steps; 1 = a bandit
    int reward;                   // SlReward
    bool scale_rewards;           // by running mean and deviation
    bool scale_advantages;        // to mean 0 and variance 1 in a rollout
    double most_norm;             // of a gradient; 0 = no limit
} SlPpoOptions;
extern const SlOption sl_ppo_single_options[], sl_ppo_flock_options[]; // of ppo, of marl-paper

enum {
    SL_PPO_INPUTS = SL_N_OBSERVED + 1, // the observation, and a constant
};

// One softmax or Plackett-Luce head: outputs first..first+width-1 choose the value of a parameter.
typedef struct {
    int param, first, width;
    bool permutation;
} SlPpoHead;

// An independent learner: its own policy, value function and optimisers.
typedef struct {
    int n_heads;
    SlPpoHead *heads; // (n_heads) of its parameters that have a choice
    SlMlpShape policy_shape, value_shape;
    SlReal *policy, *policy_grad; // parameters and gradient
    SlReal *value, *value_grad;
    SlAdam policy_adam, value_adam;
    double *logits, *p; // (outputs) under the observation looked at last; p of categoricals alone
    double *norms;      // (n_heads) log-sum-exp of categoricals' logits
    double *logp;       // (rollout) of what it chose, when it chose
} SlPpoAgent;

// What all agents share while they learn; as large as the largest needs.
typedef struct {
    SlReal *x;                    // (rollout, SL_PPO_INPUTS) observations of a minibatch
    SlReal *work, *dout;          // of a network on a minibatch
    double *logits, *p, *grad;    // (outputs)
    double *norms;                // (heads)
    double *values;               // (rollout + 1)
    double *advantages, *returns; // (rollout)
    int *index;                   // (rollout)
} SlPpoScratch;

// Samples that were drawn, told and not yet learnt from.
typedef struct {
    int n, n_params;
    bool shared;            // all were drawn under one observation, row 0
    const SlReal *observed; // (n + 1, SL_PPO_INPUTS), the last one that of the next step
    const int32_t *points;  // (n, n_params)
    const double *rewards;  // (n)
    const uint8_t *ends;    // (n) 1 = the episode ended with this sample
} SlPpoRollout;

// An agent of the given parameters (n); false without memory.
bool sl_ppo_agent_make(const SlSpace *space, const SlPpoOptions *options, int n, const int *params,
                       SlRng *rng, SlArena *arena, SlPpoAgent *agent);
bool sl_ppo_scratch_make(int n_agents, const SlPpoAgent *agents, const SlPpoOptions *options,
                         SlArena *arena, SlPpoScratch *scratch);

// Whether every sample of a rollout is drawn under the same observation: episodes of one step.
bool sl_ppo_is_bandit(const SlPpoOptions *options);

// See an observation (SL_PPO_INPUTS); then choose the agent's part of a point, as sample number
// `slot` of the rollout.
void sl_ppo_look(SlPpoAgent *agent, const SlReal *observed, SlPpoScratch *scratch);
void sl_ppo_choose(SlPpoAgent *agent, int slot, SlRng *rng, int32_t *point);

// A step of gradient descent: on n samples of a rollout.
typedef struct {
    int n;
    const double *advantages; // (rollout)
    double clip, entropy;
} SlPpoStep;

// The policy's loss on samples index (step->n) of a rollout, and its gradient added to policy_grad:
// -mean(min(ratio A, clip(ratio) A) + entropy H).
double sl_ppo_policy_loss(SlPpoAgent *agent, const SlPpoRollout *rollout, const int *index,
                          const SlPpoStep *step, SlPpoScratch *scratch);

// One update by a whole rollout; `entropy` is the bonus of now.
void sl_ppo_learn(SlPpoAgent *agent, const SlPpoOptions *options, const SlPpoRollout *rollout,
                  double entropy, SlRng *rng, SlPpoScratch *scratch);
