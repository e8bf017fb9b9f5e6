// descent.h - inside search: chains that walk down the slope of a surrogate, and the new nests they
// meet.
//
// Flow: sl_descent_make -> sl_descent_round -> chains[c].met, chains[c].guess.
#pragma once

#include "lens.h"
#include "neighbour.h"
#include "surrogate.h"

typedef struct {
    int64_t chains, steps; // side by side; steps down between two jumps
    double rate, noise;    // length of a step in its largest column; random part, in lengths
    double elite;          // share of jumps to the neighbourhood of good samples
    double heat, cool;     // temperature of the first jumps, its factor every 50 jumps
    double optimism;       // of guesses
} SlDescentOptions;

// Points sorted by a number, the least first.
typedef struct {
    int n, most;
    double *value;   // (most)
    int32_t *points; // (most, n_params)
} SlRanking;
bool sl_ranking_make(SlRanking *ranking, int most, int n_params, SlArena *arena);
// The point takes its place if it is among the least; equal points may be there twice.
void sl_ranking_add(SlRanking *ranking, int n_params, double value, const int32_t *point);

enum { SL_MOST_CHAINS = SL_SURROGATE_ROWS };

// Where a chain is, and the best new nest it met in the last round.
typedef struct {
    double *x;      // (relax.n)
    double *inputs; // (lens.n) of the nearest point
    double height;  // its guess; INFINITY before the first jump
    int32_t *met;   // (n_params)
    double guess;   // of `met`; INFINITY = no new nest
} SlChain;

typedef struct {
    SlDescentOptions options;
    const SlSpace *space;
    const SlLens *lens;
    const SlSeen *seen; // nests that are not new
    SlSurrogate *model;
    SlNeighbours around;
    SlRng rng;
    int n_params, n_chains;
    SlChain chains[SL_MOST_CHAINS];
    double heat;
    int64_t jumps;
    double *inputs, *by_inputs; // (n_chains, lens.n) what the model is asked about, its slopes
    int32_t *points;            // (n_chains, n_params)
    uint64_t *keys;             // (n_chains) of their nests
    double *guesses;            // (n_chains)
    double *slope;              // (relax.n) of one chain
} SlDescent;

// Memory and first state; `rng` is set by the caller, before or after. Everything given is kept.
// False without memory.
bool sl_descent_make(SlDescent *descent, const SlDescentOptions *options, const SlLens *lens,
                     const SlSeen *seen, SlSurrogate *model, SlArena *arena);

// Every chain jumps (to a uniform point or near one of `good`), then goes down.
void sl_descent_round(SlDescent *descent, const SlRanking *good);
