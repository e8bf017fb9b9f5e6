// boost.h - gradient-boosted regression trees (Friedman 2001) with second-order gains (Chen &
// Guestrin, "XGBoost", 2016), for some thousand rows of tens of inputs that are fitted anew often.
//
// Flow: sl_boost_make -> sl_boost_fit whenever there are new rows -> sl_boost_predict.
//
// Inputs are sorted into at most SL_BOOST_BINS bins, one per value if there are no more values, so
// splits are then exact; else about as many rows per bin. Results have the same bits everywhere.
#pragma once

#include "starling/approx.h"

SL_API_BEGIN

enum {
    SL_BOOST_BINS = 64,
    SL_BOOST_MAX_DEPTH = 8,
    SL_BOOST_MAX_INPUTS = 1024,
    SL_BOOST_MAX_ROWS = 1 << 20,
};

typedef enum {
    SL_BOOST_SQUARED, // half the squared error
    SL_BOOST_RANK,    // pairwise logistic: log(1 + exp(lower - higher)), of margins, where the
                      // target of one row is above that of the other; larger margins are better
} SlBoostLoss;

// A leaf of rows with gradients G and hessians H in all is worth -rate G / (H + lambda). A split is
// made if G^2 / (H + lambda) of both sides is more than gamma above that of the whole, and both
// sides have an H of at least `child`.
typedef struct {
    SlBoostLoss loss;
    int depth;  // splits from the root to a leaf, 1..SL_BOOST_MAX_DEPTH
    int rounds; // most trees
    double rate, gamma, lambda, child;
    int patience; // stop after so many rounds in which AutoTVM's a-recall at `top`, on the rows
                  // that are fitted, did not grow; 0 = all rounds
    int top;      // >= 1
} SlBoostOptions;

// Those of AutoTVM's cost model (Chen et al. 2018; TVM 0.9, xgboost_cost_model.py): rank loss,
// depth 3, at most 8000 rounds, rate 0.3, gamma 1e-4, lambda 1, child 1, patience 20, top 64.
SlBoostOptions sl_boost_defaults(void);

typedef struct SlBoost SlBoost;

// Room for fits of up to `room_rows` rows and for `room_rounds` trees of depth 3; a tree of another
// depth takes 2^(depth - 3) times as much. Fits stop where the room ends. Predicts 0 until it is
// fitted. NULL without memory.
SlBoost *sl_boost_make(int n_inputs, int room_rows, int room_rounds, SlArena *arena);

// Forget what was fitted and fit x (n, n_inputs), finite, to the targets y (n), finite, 1 <= n <=
// room_rows. `base` (n) holds the margins of an older model, which the trees then correct; NULL =
// zeros. Random numbers draw the pairs of the rank loss: for every row and round one other row of
// another target; `rng` may be NULL for squared loss. Allocates nothing.
void sl_boost_fit(SlBoost *boost, const SlBoostOptions *options, int n, const float *x,
                  const float *y, const float *base, SlRng *rng);

// Margins (n) of x (n, n_inputs), without any base: for squared loss the mean and all trees, for
// rank loss the trees, which say nothing but an order. Allocates nothing; any thread.
void sl_boost_predict(const SlBoost *boost, int n, const float *x, float *out);

SL_API_END
