// plackett.c - orders of n things by the model of Plackett, "The analysis of permutations" (1975),
// and Luce (1959): draw without replacement, each time by softmax of the scores left.
//
// In the order of drawing, place k is a categorical choice of the first among the scores k..n-1, so
// probabilities, entropies and gradients are sums of those of categorical.c.
#include "starling/approx.h"

#include <assert.h>
#include <math.h>

enum { N_MOST = 8 }; // things in an order

// `sorted` gets the scores in the order of drawing
static void sort_scores(int n, const double *scores, const uint8_t *order, double *sorted) {
    assert(1 <= n && n <= N_MOST);
    for (int k = 0; k < n; k++) {
        assert(order[k] < n);
        sorted[k] = scores[order[k]];
    }
}

void sl_plackett_sample(int n, const double *scores, SlRng *rng, uint8_t *order) {
    assert(1 <= n && n <= N_MOST);
    // sorting scores with Gumbel noise draws from this model (Yellott 1977); scores and noise are
    // compared apart, so that huge scores do not swallow the noise
    double noise[N_MOST];
    for (int i = 0; i < n; i++) {
        noise[i] = -log(-log(sl_rng_uniform(rng)));
        int k = i;
        for (; k > 0; k--) {
            int other = order[k - 1];
            if (scores[i] - scores[other] <= noise[other] - noise[i]) break;
            order[k] = (uint8_t)other;
        }
        order[k] = (uint8_t)i;
    }
}

double sl_plackett_logp(int n, const double *scores, const uint8_t *order) {
    double sorted[N_MOST], sum = 0;
    sort_scores(n, scores, order, sorted);
    for (int k = 0; k < n - 1; k++) sum += sl_categorical_logp(n - k, sorted + k, 0);
    return sum;
}

double sl_plackett_entropy(int n, const double *scores, const uint8_t *order) {
    double sorted[N_MOST], sum = 0;
    sort_scores(n, scores, order, sorted);
    for (int k = 0; k < n - 1; k++) sum += sl_categorical_entropy(n - k, sorted + k);
    return sum;
}

void sl_plackett_logp_grad(int n, const double *scores, const uint8_t *order, double scale,
                           double *grad) {
    double sorted[N_MOST], along[N_MOST] = {0};
    sort_scores(n, scores, order, sorted);
    for (int k = 0; k < n - 1; k++) {
        sl_categorical_logp_grad(n - k, sorted + k, 0, scale, along + k);
    }
    for (int k = 0; k < n; k++) grad[order[k]] += along[k];
}

void sl_plackett_entropy_grad(int n, const double *scores, const uint8_t *order, double scale,
                              double *grad) {
    double sorted[N_MOST], along[N_MOST] = {0};
    sort_scores(n, scores, order, sorted);
    for (int k = 0; k < n - 1; k++) {
        sl_categorical_entropy_grad(n - k, sorted + k, scale, along + k);
    }
    for (int k = 0; k < n; k++) grad[order[k]] += along[k];
}
