// marl_options.h - the options of `marl`; docs/methods/marl.md says what they mean.
#pragma once

#include "starling/learn.h"

typedef struct {
    int critic; // SlCriticUse
    int sight;  // SlCriticSight
    int64_t candidates, rounds, blind;
    double unscreened, optimism;
    double rounds_samples;
    double keep, keep_end, keep_samples;
    double near;
    int64_t reach;
    int64_t batch;
    double rate, clip, entropy, kernel;
    int64_t epochs;
    int64_t patience, redraws;
    double critic_rate, critic_decay;
    int64_t critic_hidden, critic_steps;
} SlMarlOptions;

extern const SlOption sl_marl_options[];
