// categorical.c - one choice out of n by softmax of logits.
//
// Logits are taken relative to the largest, so their sizes do not matter. With log p_i = l_i - log
// sum exp(l) and H = - sum p log p:
//
//   d log p_c / d l_i = [i = c] - p_i          d H / d l_i = - p_i (log p_i + H)
#include "starling/approx.h"

#include <assert.h>
#include <math.h>

// What turns logits into logarithms of probabilities.
typedef struct {
    double most; // the largest logit
    double sum;  // of exp(logit - most), in 1..n
} Scale;

static Scale scale_of(int n, const double *logits) {
    assert(n >= 1);
    Scale scale = {.most = logits[0]};
    for (int i = 1; i < n; i++) scale.most = logits[i] > scale.most ? logits[i] : scale.most;
    for (int i = 0; i < n; i++) scale.sum += exp(logits[i] - scale.most);
    return scale;
}

void sl_softmax(int n, const double *logits, double *p) {
    Scale scale = scale_of(n, logits);
    for (int i = 0; i < n; i++) p[i] = exp(logits[i] - scale.most) / scale.sum;
}

int sl_categorical_sample(int n, const double *logits, SlRng *rng) {
    Scale scale = scale_of(n, logits);
    double left = sl_rng_uniform(rng) * scale.sum;
    int choice = 0;
    for (int i = 0; i < n; i++) {
        double weight = exp(logits[i] - scale.most);
        if (weight > 0) choice = i; // rounding never ends in a choice of probability 0
        left -= weight;
        if (left < 0) break;
    }
    return choice;
}

double sl_categorical_logp(int n, const double *logits, int choice) {
    assert(0 <= choice && choice < n);
    Scale scale = scale_of(n, logits);
    return logits[choice] - scale.most - log(scale.sum);
}

// - sum p log p
static double entropy_of(int n, const double *logits, Scale scale) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double weight = exp(logits[i] - scale.most);
        if (weight > 0) sum += weight * (logits[i] - scale.most);
    }
    return log(scale.sum) - sum / scale.sum;
}

double sl_categorical_entropy(int n, const double *logits) {
    return entropy_of(n, logits, scale_of(n, logits));
}

void sl_categorical_logp_grad(int n, const double *logits, int choice, double scale, double *grad) {
    assert(0 <= choice && choice < n);
    Scale by = scale_of(n, logits);
    for (int i = 0; i < n; i++) grad[i] -= scale * exp(logits[i] - by.most) / by.sum;
    grad[choice] += scale;
}

void sl_categorical_entropy_grad(int n, const double *logits, double scale, double *grad) {
    Scale by = scale_of(n, logits);
    double entropy = entropy_of(n, logits, by), log_sum = log(by.sum);
    for (int i = 0; i < n; i++) {
        double p = exp(logits[i] - by.most) / by.sum;
        if (p > 0) grad[i] -= scale * p * (logits[i] - by.most - log_sum + entropy);
    }
}
