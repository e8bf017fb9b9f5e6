// codesign.h - the co-design environment: three agents move the knobs of hardware, scheduling and
// mapping by -1, 0 or +1; a cost model says what the point is worth.
//
// Flow: sl_codesign_env_make -> SlEnv (env.h): reset, step; sl_codesign_points and _state beside
//       it. Nothing is measured here, so no samples are counted.
//
// Rewards are model - resources * excess - buffers * excess - structure where tiles do not divide:
// graded, so that a walk finds its way back. Penalties are capped at 2 each.
#pragma once

#include "starling/task/env.h"

SL_API_BEGIN

// Predicted throughput of points (n, n_params), 1 = the best so far.
typedef void SlPointModel(void *context, int n, const int32_t *points, double *scores);

typedef struct {
    const SlTask *task; // kept
    int n_envs, episode_steps;
    bool single; // one agent with all knobs instead of three
    SlPointModel *model;
    void *context;
    double resources, buffers, structure; // weights of the penalties; 1 each is usual
    // where episodes begin: called with the environment; NULL = uniformly at random
    void (*start)(void *context, SlRng *rng, int32_t *point);
} SlCodesignEnvSetup;

// An agent sees its own knobs (index / (n - 1)), zeros up to the most that an agent has, and the
// layer (log2 of its extents / 16). An episode ends after its steps, or once three of four knobs
// stayed where they were.
SlEnv *sl_codesign_env_make(const SlCodesignEnvSetup *setup, SlArena *arena);

// Where every environment stands: points (n_envs, n_params).
const int32_t *sl_codesign_points(const SlEnv *env);
// Where it stood after the last step, before episodes that ended began anew.
const int32_t *sl_codesign_reached(const SlEnv *env);

// What the central critic sees of a point: all knobs, the layer, the shares of chip and buffers.
int sl_codesign_n_state(const SlEnv *env);
void sl_codesign_state(const SlEnv *env, int n, const int32_t *points, float *states);

SL_API_END
