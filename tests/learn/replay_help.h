// replay_help.h - particle worlds that fill replays.
#pragma once

#include "starling/learn/replay.h"

typedef struct {
    SlArena arena;
    SlParticles *particles;
    const SlParticleShape *shape;
    SlObserved *map;
    float *seen[2], *states[2]; // before a step, after it
    float *actions, *rewards;
    uint8_t ended;
    SlRng rng;
} Filler;

void filler_make(Filler *filler, const SlWorld *world, int n_agents);
void filler_free(Filler *filler);

// A setup for its transitions: 3 neighbours, power 0.6.
SlReplaySetup filler_setup(const Filler *filler, SlReplayLayout layout, SlSampling sampling,
                           int64_t capacity);

// One step with random actions; valid until the next. Every seventh has an end.
SlTransition filler_step(Filler *filler, int step);

// Transitions 0..n-1 whose numbers are all made of the number of the step; of 2 agents that see 3
// numbers of a state of 4 (one of them fixed). Like those of filler_setup otherwise.
SlReplaySetup counted_setup(SlReplayLayout layout, SlSampling sampling, int64_t capacity);
void counted_add(SlReplay *replay, int64_t from, int64_t n);

SlReplay *replay_need(const SlReplaySetup *setup);
