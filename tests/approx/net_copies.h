// net_copies.h - two more builds of the networks: in doubles, and for one instruction set alone.
#pragma once

#include "starling/approx.h"

// --- The same code in doubles.
void double_activate(SlActivation activation, size_t n, double *y);
void double_activate_back(SlActivation activation, size_t n, const double *y, double *dy);
double *double_mlp_forward(const SlMlpShape *shape, const double *params, int n, const double *x,
                           double *work);
void double_mlp_backward(const SlMlpShape *shape, const double *params, int n, const double *x,
                         double *work, double *dout, double *grad, double *dx);
double double_clip_norm(size_t n, double *grad, double most);

// `steps` steps of Adam with the gradients (steps, n), one after another.
void double_adam_run(const SlAdam *settings, size_t n, int steps, const double *grads,
                     double *params);

// --- The same code, compiled for the plain instruction set of the architecture.
void plain_activate(SlActivation activation, size_t n, SlReal *y);
SlReal *plain_mlp_forward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                          SlReal *work);
void plain_mlp_backward(const SlMlpShape *shape, const SlReal *params, int n, const SlReal *x,
                        SlReal *work, SlReal *dout, SlReal *grad, SlReal *dx);
void plain_adam_step(SlAdam *adam, SlReal *params, const SlReal *grad);
double plain_clip_norm(size_t n, SlReal *grad, double most);
