// boost.h - gradient-boosted regression trees (Friedman 2001) with second-order gains (Chen &
// Guestrin, "XGBoost", 2016), for some thousand rows of tens of inputs that are fitted anew often.
//
// Flow: sl_boost_make -> sl_boost_fit whenever there are new rows -> sl_boost_predict. The trees
// alone
//       (sl_boost_trees) can be kept, written down and asked without the memory of fitting.
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
    double share; // of the rows, drawn anew for every tree (Friedman 2002); 0 and 1 = all
} SlBoostOptions;

// Those of AutoTVM's cost model (Chen et al. 2018; TVM 0.9, xgboost_cost_model.py): rank loss,
// depth 3, at most 8000 rounds, rate 0.3, gamma 1e-4, lambda 1, child 1, patience 20, top 64.
SlBoostOptions sl_boost_defaults(void);

// A node sends a row right where its input is at least the threshold; one that was not split has an
// infinite threshold.
typedef struct {
    float threshold;
    int32_t input;
} SlBoostNode;

// Trees of 2^depth - 1 nodes in level order and 2^depth leaves each; a margin is `start` and one
// leaf of every tree.
typedef struct {
    int n_inputs, n_trees, depth; // depth 1..SL_BOOST_MAX_DEPTH
    float start;
    SlBoostNode *nodes; // (n_trees, 2^depth - 1)
    float *leaves;      // (n_trees, 2^depth)
} SlBoostTrees;

typedef struct SlBoost SlBoost;

// Space for fits of up to `room_rows` rows and for `room_rounds` trees of depth 3; a tree of
// another depth takes 2^(depth - 3) times as much. Fits stop where the room ends. Predicts 0 until
// it is fitted. NULL without memory.
SlBoost *sl_boost_make(int n_inputs, int room_rows, int room_rounds, SlArena *arena);

// Forget what was fitted and fit x (n, n_inputs), finite, to the targets y (n), finite, 1 <= n <=
// room_rows. `base` (n) holds the margins of an older model, which the trees then correct; NULL =
// zeros. Random numbers draw the pairs of the rank loss: for every row and round one other row of
// another target, and the rows of a tree where options->share asks for it; `rng` may be NULL for
// squared loss on all rows. Allocates nothing.
void sl_boost_fit(SlBoost *boost, const SlBoostOptions *options, int n, const float *x,
                  const float *y, const float *base, SlRng *rng);

// Margins (n) of x (n, n_inputs), without any base: for squared loss the mean and all trees, for
// rank loss the trees, which say nothing but an order. Allocates nothing; any thread.
void sl_boost_predict(const SlBoost *boost, int n, const float *x, float *out);

// What was fitted last, valid until the next fit; and its margins, as above.
const SlBoostTrees *sl_boost_trees(const SlBoost *boost);
void sl_boost_trees_predict(const SlBoostTrees *trees, int n, const float *x, float *out);
// The leaf of one tree that a row (n_inputs) falls into, 0..2^depth - 1: rows that share many
// leaves are alike in all that the trees were taught.
int sl_boost_leaf(const SlBoostTrees *trees, int tree, const float *row);

SL_API_END
