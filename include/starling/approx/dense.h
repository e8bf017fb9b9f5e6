// dense.h - the pieces of batched networks: matrix products by fused multiply-adds, dense layers
// over strided rows, Gumbel-softmax, gradient clipping and Adam, tensor by tensor.
//
// Flow: sl_dense_forward ... -> a loss -> sl_dense_turn, sl_dense_back, sl_dense_gradient ->
//       sl_train_step, which clips every tensor. Who trains many networks at once keeps the
//       activations itself.
//
// Every number is one chain of fused multiply-adds in the order of the inner dimension, so results
// have the same bits for any vector width, blocking and number of threads.
#pragma once

#include "starling/approx.h"

SL_API_BEGIN

// A layer over `rows` rows that begin x_row numbers apart: y (rows, out) = x w + bias, below zero
// cut off if `relu`. w is (in, out); bias (out) may be NULL; y continues from what it holds instead
// of the bias if `add` (then bias must be NULL).
typedef struct {
    int rows, in, out;
    const SlReal *x;
    size_t x_row;
    const SlReal *w, *bias;
    SlReal *y;
    size_t y_row;
    bool relu, add;
} SlDense;
void sl_dense_forward(const SlDense *dense);

// Given dy (rows, out), the gradient by the layer's sums: add x^T dy to dw (in, out) and the sums
// of dy's columns to dbias (out), which may be NULL.
void sl_dense_gradient(int rows, int in, int out, const SlReal *x, size_t x_row, const SlReal *dy,
                       size_t dy_row, SlReal *dw, SlReal *dbias);

// w (in, out) as (out, in): what sl_dense_back reads, made once for all of its calls.
void sl_dense_turn(int in, int out, const SlReal *w, SlReal *turned);

// dx (rows, in) = dy w^T, the gradient by the layer's inputs. If these are the outputs `y` of a
// relu layer, dx is zero where y is not above zero; NULL otherwise.
typedef struct {
    int rows, in, out;
    const SlReal *dy;
    size_t dy_row;
    const SlReal *turned; // w by sl_dense_turn
    const SlReal *y;
    size_t y_row;
    SlReal *dx;
    size_t dx_row;
} SlDenseBack;
void sl_dense_back(const SlDenseBack *back);

// Uniform weights in +-sqrt(6 / (in + out)) (Glorot & Bengio 2010), biases 0.
void sl_mlp_init_uniform(const SlMlpShape *shape, SlRng *rng, SlReal *params);

// --- Gumbel-softmax (Jang, Gu & Poole 2017; Maddison, Mnih & Teh 2017), temperature 1

// p (rows, n) = softmax(logits - log(-log u)), u (rows, n) in (0, 1); rows of p begin p_row numbers
// apart. n <= 16. The library's own exponential and logarithm: relative errors below 1e-6 in
// floats, 1e-14 in doubles, the same bits everywhere.
void sl_gumbel_softmax(int rows, int n, const SlReal *logits, const SlReal *u, SlReal *p,
                       size_t p_row);
// dlogits (rows, n) = the gradient through it, given p and dp.
void sl_softmax_back(int rows, int n, const SlReal *p, size_t p_row, const SlReal *dp,
                     size_t dp_row, SlReal *dlogits);
// Entropy (rows) of softmax(logits), log(p + 1e-6) as there is; and its gradient times scale,
// added.
void sl_softmax_entropy(int rows, int n, const SlReal *logits, SlReal *entropy);
void sl_softmax_entropy_back(int rows, int n, const SlReal *logits, SlReal scale, SlReal *dlogits);

// u (n) uniform in (0, 1), never 0 or 1, from a counter-based stream (Philox 4x32-10, Salmon et al.
// 2011): number i of stream `key` does not depend on how many are drawn at a time, and is the same
// in floats and doubles (23 random bits). `counter` is the number drawn next.
typedef struct {
    uint64_t key, counter;
} SlNoise;
void sl_noise_init(SlNoise *noise, uint64_t seed, const char *stream);
void sl_noise_uniform(SlNoise *noise, size_t n, SlReal *u);

// --- Optimisers of one block of tensors

typedef enum {
    SL_ADAM_PAPER, // epsilon beside the corrected root (Kingma & Ba 2015, Algorithm 1; PyTorch)
    SL_ADAM_TF1,   // epsilon beside the uncorrected root, their "epsilon hat" (TensorFlow, Keras)
} SlAdamForm;

// Layers of an mlp: every weight matrix and every bias is a tensor whose gradient is clipped to the
// norm `most` (0 = not at all); then one step of Adam. `step` counts from 1. Mean and square begin
// as zeros; all blocks are like params.
typedef struct {
    double rate, beta1, beta2, epsilon, most;
    SlAdamForm form;
} SlTrain;
void sl_train_step(const SlTrain *how, const SlMlpShape *shape, int64_t step, SlReal *params,
                   const SlReal *grad, SlReal *mean, SlReal *square);

// target += tau (params - target), n numbers.
void sl_soft_update(size_t n, SlReal tau, const SlReal *params, SlReal *target);

SL_API_END
