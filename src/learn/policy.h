// policy.h - free policies of the parameters of a space: logits without a network.
//
// Flow: sl_policy_make -> sl_policy_draw ... -> sl_policy_learn (a batch with advantages) -> draw.
#pragma once

#include "starling/approx.h"
#include "starling/task.h"

// Ordinals and categoricals choose by softmax of one logit per value, permutations by
// Plackett-Luce of one score per item.
typedef struct {
    double rate;    // of Adam
    double clip;    // of the probability ratio of an agent
    double entropy; // bonus
    double kernel;  // width of the Gaussian that smears an ordinal choice, in steps; 0 = none
    int64_t epochs; // over a batch
} SlPolicyOptions;

typedef struct {
    const SlSpace *space;
    SlAgents agents;
    SlPolicyOptions options;
    int first[SL_MAX_PARAMS + 1]; // first logit of each parameter
    SlReal *logits, *grad;        // (first[n_params])
    double *weights;              // (first[n_params]) softmax: running sums; Plackett-Luce: exp
    SlAdam adam;
    double kernel[3];         // shares of the steps 0, 1, 2
    double *before, *pulls;   // (n_agents, SL_POLICY_BATCH) scratch of learning
    double *wide, *wide_grad; // (most logits of a parameter) scratch of learning
} SlPolicy;

// One sample of a batch.
typedef struct {
    const int32_t *point;
    uint64_t drew[2]; // agents that drew their values, bit by bit
    double advantage; // higher is better
} SlPolicySample;

bool sl_policy_make(const SlSpace *space, const SlAgents *agents, const SlPolicyOptions *options,
                    SlArena *arena, SlPolicy *policy); // false without memory
void sl_policy_reset(SlPolicy *policy);                // to uniform
void sl_policy_refresh(SlPolicy *policy);              // after a change of the logits from outside

int32_t sl_policy_draw(const SlPolicy *policy, int i, SlRng *rng); // of parameter i
double sl_policy_logp(const SlPolicy *policy, int i, int32_t value);

// PPO (Schulman et al. 2017) with the clipped ratio of each agent alone; only agents that drew
// learn from a sample. n <= SL_POLICY_BATCH.
enum { SL_POLICY_BATCH = 64 };
void sl_policy_learn(SlPolicy *policy, int n, const SlPolicySample *batch);
