// critic.h - the central critic: guesses the score of a nest from its features by a linear model
// and, for what that leaves, two networks; taught from everything the run has seen.
//
// Flow: sl_critic_make -> sl_critic_add (a sample) -> sl_critic_learn -> sl_critic_guess ...
#pragma once

#include "starling/approx.h"
#include "starling/task.h"

enum {
    SL_CRITIC_NETS = 2,
    SL_CRITIC_BATCH = 16,
    SL_CRITIC_ROWS = 128, // most guesses at once
};

typedef enum { SL_SEE_PLAIN, SL_SEE_REUSE, SL_SEE_ESTIMATE } SlCriticSight;

typedef struct {
    SlCriticSight sight; // which features it sees
    double rate;
    double decay;   // of the weights
    int64_t hidden; // width of both hidden layers
    bool residual;  // it learns what another model leaves: no weight on estimates at the start
} SlCriticOptions;

// Examples of (features, score) from other layers; targets and `centred` less their means per
// layer.
typedef struct {
    int n, n_features;
    float *features; // (n, n_features)
    float *centred;  // (n, n_features)
    float *targets;  // (n)
} SlExamples;

typedef struct {
    int n_features;
    int n_estimates; // the first of them
    SlMlpShape shape;
    SlCriticOptions options;
    bool *sees;               // (n_features)
    double *weights, *spread; // linear model: (n_features + 1), covariance (n_features + 1)^2
    double *gain;             // (n_features + 1) scratch
    SlReal *params[SL_CRITIC_NETS];
    SlAdam adam[SL_CRITIC_NETS];
    SlReal *grad, *work, *batch; // scratch
    float *features;             // (room, n_features) replay, a ring
    double *scores;              // (room)
    int64_t room, seen;          // seen = samples ever added
    double error2;               // mean square of what the linear model left of the latest samples
    double origin;               // first score
    SlRng rng;
} SlCritic;

SlCritic *sl_critic_make(const SlTask *task, const SlCriticOptions *options, int64_t room,
                         SlRng rng,
                         SlArena *arena); // NULL without memory

int64_t sl_critic_weights(const SlCritic *critic); // of the linear model and the networks

void sl_critic_add(SlCritic *critic, const float *features, double score);
void sl_critic_learn(SlCritic *critic, int steps); // minibatches

// Learn from examples of other layers before the first sample: `epochs` times through them.
void sl_critic_warm(SlCritic *critic, const SlExamples *examples, int epochs);

// Guessed scores (n) of features (n, n_features), n <= SL_CRITIC_ROWS: linear model plus mean of
// the networks minus `optimism` times their standard deviation.
void sl_critic_guess(SlCritic *critic, int n, const float *features, double optimism,
                     double *guesses);
