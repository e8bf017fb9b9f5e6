// surrogate.h - inside search: networks that guess the score of a relaxed point, and its slope.
//
// Flow: sl_surrogate_make -> sl_surrogate_add (every sample) -> sl_surrogate_learn ->
//       sl_surrogate_guess, sl_surrogate_slope.
#pragma once

#include "starling/approx.h"

enum {
    SL_SURROGATE_NETS = 2,
    SL_SURROGATE_ROWS = 64,  // most rows of one guess
    SL_SURROGATE_BATCH = 64, // rows of a minibatch
};

typedef struct {
    int64_t hidden; // width of the two hidden layers
    double rate;    // of Adam
    double decay;   // of weights
    double focus;   // scores are taught as log(1 + (score - best) / focus)
} SlSurrogateOptions;

typedef struct SlSurrogate SlSurrogate;

// For rows of `n` numbers of order one; keeps the last samples, at most `most`. NULL without
// memory.
SlSurrogate *sl_surrogate_make(int n, const SlSurrogateOptions *options, int64_t most, SlRng rng,
                               SlArena *arena);
void sl_surrogate_add(SlSurrogate *model, const double *x, double score);
int64_t sl_surrogate_n(const SlSurrogate *model); // samples added

// Minibatches for every network.
void sl_surrogate_learn(SlSurrogate *model, int steps);

// Guesses (rows) for xs (rows, n): mean of the networks minus `optimism` times their disagreement.
// They are taught a function of the score that rises with it: smaller is better, 0 = the best so
// far.
void sl_surrogate_guess(SlSurrogate *model, int rows, const double *xs, double optimism,
                        double *guesses);

// Slope (rows, n) of the guess of one network.
void sl_surrogate_slope(SlSurrogate *model, int net, int rows, const double *xs, double *slopes);
