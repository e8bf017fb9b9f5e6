// boost_inside.h - inside approx: the parts of boosted trees.
//
// Trees are perfect: 2^depth - 1 nodes in level order, 2^depth leaves. A row goes right where its
// input is at least the threshold; a node that was not split has an infinite one, and all leaves
// below it are equal.
//
// Histograms add whole numbers, a gradient above and a hessian below in one word of 64 bits, so
// sums do not depend on their order and differences of histograms are exact.
#pragma once

#include "starling/approx/boost.h"

enum { SL_BOOST_LANES = 8 }; // arrays that vectors walk are padded to so many numbers

// Rows as bins. A slot is a bin of one input; the slots of an input are consecutive.
typedef struct {
    int n_columns;   // inputs of more than one value
    int *input;      // (n_columns)
    int *first;      // (n_columns + 1) slots of every column begin here
    float *cut;      // (slots) values of later bins of the column are at least this
    uint16_t *slots; // (n, n_columns)
} SlBoostBins;

// Rows by target, and pairs of them.
typedef struct {
    int *order;          // (n) rows, largest target first
    int *rank;           // (n) how many targets are above that of the row
    int *begin, *end;    // (n) of a position in `order`: those of equal targets
    int *higher, *lower; // (n) pairs of rows
    float *apart;        // (n, padded) margins of the higher less those of the lower
} SlBoostPairs;

struct SlBoost {
    int n_inputs, room_rows, room_leaves;
    SlBoostTrees trees; // the model
    // scratch of a fit
    SlBoostBins bins;
    SlBoostPairs pairs;
    float *margin, *grad, *hess; // (n)
    uint64_t *words;             // (n) both as whole numbers
    double grad_unit, hess_unit; // what 1 stands for in them
    int *rows, *aside;           // (n) rows, those of a node together
    uint64_t *sums;              // (SL_BOOST_MAX_DEPTH, slots) histograms, one per level
    int32_t *left[2];            // (slots, padded) gradients and hessians up to a slot
    uint64_t *sort;              // (3 n)
};

// A float as a whole number of the same order; -0 as 0.
static inline uint32_t sl_boost_key(float value) {
    union {
        float value;
        uint32_t bits;
    } as = {.value = value + 0.0F};
    return as.bits & 0x80000000U ? ~as.bits : as.bits | 0x80000000U;
}

// Sort words (n) by their upper halves, keeping the order of equals. `spare` (n). Returns whichever
// of the two holds the result.
uint64_t *sl_boost_sort(int n, uint64_t *words, uint64_t *spare);

// Bins of x (n, n_inputs). `sort` (2 n).
void sl_boost_bin(SlBoostBins *bins, int n, int n_inputs, const float *x, uint64_t *sort);

// Everything of `pairs` but the pairs. `sort` (2 n).
void sl_boost_order(SlBoostPairs *pairs, int n, const float *y, uint64_t *sort);

// One pair per row; how many, which is none if all targets are equal.
int sl_boost_draw(SlBoostPairs *pairs, int n, SlRng *rng);

// Gradients and hessians (n) of the losses by the margins (n). Of a pair only the curvature as both
// margins move apart is kept, half on either, which makes the hessian diagonal.
void sl_boost_squared(int n, const float *margin, const float *y, float *grad, float *hess);
void sl_boost_ranked(int n, int n_pairs, SlBoostPairs *pairs, const float *margin, float *grad,
                     float *hess);

// Grow one tree from grad and hess (n) of the first n_seen of boost->rows and add its leaves to
// their margins. False if nothing was split, and nothing changed.
bool sl_boost_grow(SlBoost *boost, const SlBoostOptions *options, int n, int n_seen);

// sl_boost_recall given the ranks (n) of targets. `scratch` (2 n).
double sl_boost_recall_ranked(int n, const float *predicted, const int *rank, int top,
                              uint64_t *scratch);

int sl_boost_n_trees(const SlBoost *boost);

// How well predictions (n) find the largest targets (n): the average of recall(m) over all m below
// `top` and n, where recall(m) is how many of the m rows predicted best are among the m + 1 best,
// over m + 1 (AutoTVM's a-recall; the most is 0.93 for top 64). Equal predictions stand in the
// worst order; equal targets are equally good. Larger is better for both. `scratch` (3 n).
double sl_boost_recall(int n, const float *predicted, const float *target, int top,
                       uint64_t *scratch);
