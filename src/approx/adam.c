// adam.c - Adam, Kingma & Ba, "Adam: a method for stochastic optimization" (2015), with the weight
// decay of Loshchilov & Hutter, "Decoupled weight decay regularization" (2019):
//
//   mean   <- beta1 mean + (1 - beta1) g          square <- beta2 square + (1 - beta2) g^2
//   params <- (1 - rate decay) params - rate mean' / (sqrt(square') + epsilon)
//
// where mean' and square' are divided by 1 - beta^step.
#include "starling/approx.h"

#include <math.h>

#include "vectors.h"

// The constants of one step, in the precision of the loop.
typedef struct {
    SlReal keep, rate, beta1, rest1, beta2, rest2, root, epsilon;
} Step;

bool sl_adam_make(size_t n, double rate, SlArena *arena, SlAdam *adam) {
    *adam = (SlAdam){.rate = rate, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .n = n};
    adam->mean = SL_NEW(arena, n, SlReal);
    adam->square = SL_NEW(arena, n, SlReal);
    return adam->mean && adam->square;
}

void sl_adam_reset(SlAdam *adam) {
    adam->step = 0;
    memset(adam->mean, 0, adam->n * sizeof *adam->mean);
    memset(adam->square, 0, adam->n * sizeof *adam->square);
}

// by squaring, the same bits with every libm
static double whole_power(double base, int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

SL_CLONES static void take_step(size_t n, const Step *step, const SlReal *restrict grad,
                                SlReal *restrict mean, SlReal *restrict square,
                                SlReal *restrict params) {
    const Step s = *step;
    for (size_t i = 0; i < n; i++) {
        SlReal g = grad[i];
        SlReal m = s.beta1 * mean[i] + s.rest1 * g;
        SlReal v = s.beta2 * square[i] + s.rest2 * g * g;
        SlReal root = (SlReal)sqrt(v);
        mean[i] = m;
        square[i] = v;
        params[i] = s.keep * params[i] - s.rate * m / (s.root * root + s.epsilon);
    }
}

void sl_adam_step(SlAdam *adam, SlReal *params, const SlReal *grad) {
    adam->step++;
    Step step = {
        .keep = (SlReal)(1 - adam->rate * adam->decay),
        .rate = (SlReal)(adam->rate / (1 - whole_power(adam->beta1, adam->step))),
        .beta1 = (SlReal)adam->beta1,
        .rest1 = (SlReal)(1 - adam->beta1),
        .beta2 = (SlReal)adam->beta2,
        .rest2 = (SlReal)(1 - adam->beta2),
        .root = (SlReal)(1 / sqrt(1 - whole_power(adam->beta2, adam->step))),
        .epsilon = (SlReal)adam->epsilon,
    };
    take_step(adam->n, &step, grad, adam->mean, adam->square, params);
}

// in eight interleaved sums, so that the order is fixed and none waits for the other
SL_CLONES static double sum_of_squares(size_t n, const SlReal *x) {
    enum { SUMS = 8 };
    double sum[SUMS] = {0};
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        for (size_t j = 0; j < SUMS; j++) sum[j] += (double)x[i + j] * (double)x[i + j];
    }
    for (; i < n; i++) sum[0] += (double)x[i] * (double)x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

double sl_clip_norm(size_t n, SlReal *grad, double most) {
    double norm = sqrt(sum_of_squares(n, grad));
    if (norm > most) {
        SlReal factor = (SlReal)(most / norm);
        for (size_t i = 0; i < n; i++) grad[i] *= factor;
    }
    return norm;
}
