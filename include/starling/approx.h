// approx.h - function approximators that know nothing of mappings: small multilayer perceptrons,
// Adam, and heads that choose.
//
// Flow: SlMlpShape -> sl_mlp_init -> sl_mlp_forward -> (a loss) -> sl_mlp_backward -> sl_adam_step.
//       Heads turn logits into choices, their log-probabilities, entropies and gradients.
#pragma once

#include "starling/approx/real.h"
#include "starling/core.h"

SL_API_BEGIN

typedef enum { SL_TANH, SL_RELU, SL_LEAKY_RELU } SlActivation; // leaky: slope 0.05 below zero

enum { SL_MLP_MAX_LAYERS = 6 };

// Fully connected layers; hidden ones with the activation, the last one linear. Parameters are one
// block: per layer weights [in][out] row-major, then biases [out].
typedef struct {
    int n_layers;                     // weight matrices, 1..SL_MLP_MAX_LAYERS
    int width[SL_MLP_MAX_LAYERS + 1]; // inputs, hidden ..., outputs
    SlActivation activation;
} SlMlpShape;

size_t sl_mlp_params(const SlMlpShape *shape);      // numbers in the block
size_t sl_mlp_work(const SlMlpShape *shape, int n); // numbers of scratch for n rows
void sl_mlp_init(const SlMlpShape *shape, SlRng *rng, SlReal *params); // He or Glorot by
                                                                       // activation, biases 0
// Scale the last layer's weights (policies start near uniform with 0.01).
void sl_mlp_scale_last(const SlMlpShape *shape, SlReal factor, SlReal *params);

// Outputs (n, width[n_layers]) of inputs x (n, width[0]); they lie in `work`, which backward needs.
SlReal *sl_mlp_forward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                       SlReal *work);

// Add the gradient of a loss to `grad` (like params), given its gradient by the outputs. `dout`
// (n, outputs) is overwritten; `dx` (n, inputs) gets the gradient by the inputs unless NULL.
void sl_mlp_backward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                     SlReal *work, SlReal *dout, SlReal *grad, SlReal *dx);

// Adam (Kingma & Ba 2015) with decoupled weight decay (Loshchilov & Hutter 2019).
typedef struct {
    double rate, beta1, beta2, epsilon, decay;
    int64_t step;
    size_t n;
    SlReal *mean, *square; // (n)
} SlAdam;
// beta 0.9 and 0.999, epsilon 1e-8, no decay. False without memory.
bool sl_adam_make(size_t n, double rate, SlArena *arena, SlAdam *adam);
void sl_adam_reset(SlAdam *adam);
void sl_adam_step(SlAdam *adam, SlReal *params, const SlReal *grad);
// Scale `grad` (n) so that its Euclidean norm is at most `most`; returns the norm before.
double sl_clip_norm(size_t n, SlReal *grad, double most);

// --- Heads. Logits are any finite numbers; all (n), n >= 1.

void sl_softmax(int n, const double *logits, double *p);
int sl_categorical_sample(int n, const double *logits, SlRng *rng);
double sl_categorical_logp(int n, const double *logits, int choice);
double sl_categorical_entropy(int n, const double *logits);
// Add scale * d logp(choice) / d logits, and scale * d entropy / d logits, to `grad`.
void sl_categorical_logp_grad(int n, const double *logits, int choice, double scale, double *grad);
void sl_categorical_entropy_grad(int n, const double *logits, double scale, double *grad);

// Plackett-Luce (Plackett 1975): draw without replacement, each time by softmax of the scores left;
// order[0] is drawn first. n <= 8. The entropy is that of the choices along one order.
void sl_plackett_sample(int n, const double *scores, SlRng *rng, uint8_t *order);
double sl_plackett_logp(int n, const double *scores, const uint8_t *order);
double sl_plackett_entropy(int n, const double *scores, const uint8_t *order);
void sl_plackett_logp_grad(int n, const double *scores, const uint8_t *order, double scale,
                           double *grad);
void sl_plackett_entropy_grad(int n, const double *scores, const uint8_t *order, double scale,
                              double *grad);

// --- Gaussian processes: regression with a Matern-5/2 kernel, a length scale per group of inputs,
// a constant mean and noise (Rasmussen & Williams 2006). Given length scales and noise, mean and
// variance of the process have a closed form (Jones, Schonlau & Welch 1998), so the
// hyper-parameters are log length scale of every group, then log (noise variance / variance).
//
// Flow: sl_gp_make -> sl_gp_add ... -> sl_gp_teach -> sl_gp_fit now and then -> sl_gp_predict.
//       Adding a point is O(n^2), a prediction too, an evaluation of the fit O(n^3).

enum { SL_GP_MAX_POINTS = 4096 };

// Hyper-parameters are normally distributed before the data are seen. Deviation INFINITY = any.
typedef struct {
    double length_mean, length_deviation; // of a log length scale
    double noise_mean, noise_deviation;   // of the log of the noise
} SlGpPrior;

typedef struct {
    int n_inputs;     // numbers of a point
    const int *group; // (n_inputs) whose length scale each has: 0, ascending, none left out; copied
    const bool *label; // (n_inputs) only whether two values differ counts, as a distance of 1; NULL
                       // = none; copied
    int room;          // most points, 1..SL_GP_MAX_POINTS
    SlGpPrior prior;
} SlGpShape;

typedef struct SlGp SlGp;

// Length scales and noise start at the means of the prior. NULL without memory.
SlGp *sl_gp_make(const SlGpShape *shape, SlArena *arena);
int sl_gp_n(const SlGp *gp);                 // points
void sl_gp_clear(SlGp *gp);                  // no points; the hyper-parameters stay
void sl_gp_add(SlGp *gp, const double *x);   // a point (n_inputs); finite, of the order of one
void sl_gp_drop(SlGp *gp);                   // forget the last point
void sl_gp_teach(SlGp *gp, const double *y); // targets (n) of all points, after adding and dropping

// Climb the evidence from where it is, by L-BFGS (Liu & Nocedal 1989) with at most so many
// evaluations. Returns the evidence.
double sl_gp_fit(SlGp *gp, int evaluations);

// Mean and variance (m) of the process, without noise, at x (m, n_inputs). Variances are above 0.
void sl_gp_predict(SlGp *gp, int m, const double *x, double *mean, double *variance);

SL_API_END
