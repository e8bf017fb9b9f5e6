// train.c - one step of training the tensors of a network: gradients clipped, then Adam (Kingma &
// Ba 2015); and targets that follow.
//
//   mean   <- beta1 mean + (1 - beta1) g          square <- beta2 square + (1 - beta2) g^2
//   paper:  params <- params - rate / (1 - beta1^t) mean / (sqrt(square / (1 - beta2^t)) + epsilon)
//   TF1:    params <- params - rate sqrt(1 - beta2^t) / (1 - beta1^t) mean / (sqrt(square) +
//   epsilon)
#include "starling/approx/dense.h"

#include <assert.h>
#include <math.h>

#include "vectors.h"

// The constants of one step, in the precision of the loop.
typedef struct {
    SlReal rate, beta1, rest1, beta2, rest2, root, epsilon;
} AdamStep;

static double power_of(double base, int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

static AdamStep step_of(const SlTrain *how, int64_t step) {
    const double rest1 = 1 - power_of(how->beta1, step), rest2 = 1 - power_of(how->beta2, step);
    const bool paper = how->form == SL_ADAM_PAPER;
    return (AdamStep){
        .rate = (SlReal)(how->rate * (paper ? 1 : sqrt(rest2)) / rest1),
        .beta1 = (SlReal)how->beta1,
        .rest1 = (SlReal)(1 - how->beta1),
        .beta2 = (SlReal)how->beta2,
        .rest2 = (SlReal)(1 - how->beta2),
        .root = (SlReal)(paper ? 1 / sqrt(rest2) : 1),
        .epsilon = (SlReal)how->epsilon,
    };
}

// in sixteen interleaved sums, so that the order is fixed and none waits for the other
SL_CLONES static double square_norm(size_t n, const SlReal *x) {
    enum { SUMS = 16 };
    double sum[SUMS] = {0};
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        for (size_t j = 0; j < SUMS; j++) sum[j] += (double)x[i + j] * (double)x[i + j];
    }
    for (; i < n; i++) sum[0] += (double)x[i] * (double)x[i];
    for (size_t j = SUMS / 2; j > 0; j /= 2)
        for (size_t l = 0; l < j; l++) sum[l] += sum[l + j];
    return sum[0];
}

SL_CLONES static void adam_tensor(const AdamStep *step, SlReal factor, size_t n,
                                  const SlReal *restrict grad, SlReal *restrict params,
                                  SlReal *restrict mean, SlReal *restrict square) {
    const AdamStep s = *step;
    for (size_t i = 0; i < n; i++) {
        SlReal g = grad[i] * factor;
        SlReal m = s.beta1 * mean[i] + s.rest1 * g;
        SlReal v = s.beta2 * square[i] + s.rest2 * (g * g);
        SlReal root = (SlReal)sqrt(v);
        mean[i] = m;
        square[i] = v;
        params[i] = params[i] - s.rate * m / (s.root * root + s.epsilon);
    }
}

void sl_train_step(const SlTrain *how, const SlMlpShape *shape, int64_t step, SlReal *params,
                   const SlReal *grad, SlReal *mean, SlReal *square) {
    assert(step >= 1);
    const AdamStep constants = step_of(how, step);
    for (int t = 0; t < 2 * shape->n_layers; t++) {
        const size_t out = (size_t)shape->width[t / 2 + 1];
        const size_t n = t % 2 == 0 ? (size_t)shape->width[t / 2] * out : out;
        const double norm = how->most > 0 ? sqrt(square_norm(n, grad)) : 0;
        const SlReal factor = norm > how->most ? (SlReal)(how->most / norm) : 1;
        adam_tensor(&constants, factor, n, grad, params, mean, square);
        params += n, grad += n, mean += n, square += n;
    }
}

SL_CLONES static void soft_update(size_t n, SlReal tau, const SlReal *restrict params,
                                  SlReal *restrict target) {
    for (size_t i = 0; i < n; i++) target[i] += tau * (params[i] - target[i]);
}

void sl_soft_update(size_t n, SlReal tau, const SlReal *restrict params, SlReal *restrict target) {
    soft_update(n, tau, params, target);
}
