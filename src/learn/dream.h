// dream.h - inside learn: free search on a belief. Points are dreamt of, the ones believed best are
// kept; no dream costs a sample.
//
// Flow: sl_dreams_make -> sl_dreams_meet (points to begin with) -> sl_dreams_round ... -> pool[0]
//       -> sl_dreams_seen, sl_dreams_best (what was evaluated) -> sl_dreams_rethink -> rounds ...
#pragma once

#include "belief.h"
#include "flock_inside.h"

enum { SL_DREAM_BATCH = SL_BELIEF_ROWS, SL_DREAM_MOST_POOL = 256 };

// Where dreams come from: agents that deviate from a point of the pool, genes of two points of the
// pool crossed and mutated, nowhere but the points to begin with, or a chain that goes down the
// slope of the belief.
typedef enum { SL_DREAM_AGENTS, SL_DREAM_GENES, SL_DREAM_LOOKUP, SL_DREAM_SLOPE } SlDreamWay;

typedef struct {
    SlDreamWay way;
    int64_t pool;  // points believed best, kept
    double fresh;  // share of dreams that start from nothing
    double more;   // chance of one more agent that deviates
    double near;   // share of changes that go a few steps
    int64_t reach; // most of these steps
    double taught; // share of what is drawn that the policy draws
} SlDreamOptions;

// A point that was dreamt of.
typedef struct {
    int32_t point[SL_MAX_PARAMS];
    uint64_t key;
    float guess;   // before samples
    float believe; // with what was learnt since
} SlDream;

typedef struct {
    SlDreamOptions options;
    const SlTask *task;
    const SlSpace *space;
    const SlAgents *agents;
    const SlBoundPolicy *policy; // NULL = none
    SlBelief *belief;
    SlRng *rng;
    int n_inputs;
    SlKeySet *seen; // evaluated

    int n_pool;
    SlDream *pool;     // (options.pool) believed best, best first
    float *pool_rows;  // (options.pool, n_inputs)
    SlDream *batch;    // (SL_DREAM_BATCH)
    float *batch_rows; // (SL_DREAM_BATCH, n_inputs)
    float *numbers;    // (2, SL_DREAM_BATCH) scratch
    int32_t *best;     // (n_params) the best point that was evaluated
    bool any_best;
    int32_t *chain; // (n_params) where it stands
    int chain_left; // rounds before it jumps
    double chain_reach;
} SlDreams;

// Everything given is kept. NULL without memory.
SlDreams *sl_dreams_make(const SlTask *task, const SlAgents *agents, const SlDreamOptions *options,
                         SlBelief *belief, SlRng *rng, SlArena *arena);

// Points (n, n_params) as dreams, in batches.
void sl_dreams_meet(SlDreams *dreams, int n, const int32_t *points);
void sl_dreams_round(SlDreams *dreams);   // a batch of new ones
void sl_dreams_rethink(SlDreams *dreams); // the pool anew; what was evaluated goes

void sl_dreams_seen(SlDreams *dreams, uint64_t key);         // evaluated
void sl_dreams_best(SlDreams *dreams, const int32_t *point); // the best that was

// --- Parts of a round

// Point `at` of the batch: its key and what is believed by; false where no program can be made of
// it.
bool sl_dreams_see(SlDreams *dreams, int at);
// Guess and believe the batch (n); what is new and better stays in the pool.
void sl_dreams_judge(SlDreams *dreams, int n);
void sl_dreams_descend(SlDreams *dreams); // a round of the chain (dream_slope.c)
