// dense_copies.h - batched networks compiled for the plain instruction set of the architecture.
#pragma once

#include "approx/gemm.h"
#include "starling/approx/dense.h"

void plain_gemm(const SlGemm *gemm);
void plain_gumbel_softmax(int rows, int n, const SlReal *logits, const SlReal *u, SlReal *p,
                          size_t p_row);
void plain_softmax_back(int rows, int n, const SlReal *p, size_t p_row, const SlReal *dp,
                        size_t dp_row, SlReal *dlogits);
void plain_softmax_entropy(int rows, int n, const SlReal *logits, SlReal *entropy);
void plain_softmax_entropy_back(int rows, int n, const SlReal *logits, SlReal scale,
                                SlReal *dlogits);
void plain_noise_uniform(SlNoise *noise, size_t n, SlReal *u);
void plain_train_step(const SlTrain *how, const SlMlpShape *shape, int64_t step, SlReal *params,
                      const SlReal *grad, SlReal *mean, SlReal *square);
void plain_soft_update(size_t n, SlReal tau, const SlReal *params, SlReal *target);
