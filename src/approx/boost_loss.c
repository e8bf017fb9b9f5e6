// boost_loss.c - the losses of boosted trees: squared error, and the logistic loss of pairs of rows
// (Burges et al., "Learning to rank using gradient descent", 2005).
#include <assert.h>
#include <string.h>

#include "boost_inside.h"
#include "exp_log.h"

static_assert((int)WIDE == (int)SL_BOOST_LANES, "padding fits vectors");

void sl_boost_squared(int n, const float *margin, const float *y, float *grad, float *hess) {
    for (int i = 0; i < n; i++) {
        grad[i] = margin[i] - y[i];
        hess[i] = 1;
    }
}

void sl_boost_order(SlBoostPairs *pairs, int n, const float *y, uint64_t *sort) {
    for (int i = 0; i < n; i++) sort[i] = (uint64_t)~sl_boost_key(y[i]) << 32 | (uint64_t)i;
    const uint64_t *sorted = sl_boost_sort(n, sort, sort + n);
    for (int i = 0, end; i < n; i = end) {
        for (end = i; end < n && sorted[end] >> 32 == sorted[i] >> 32; end++) {
            const int row = (int)(uint32_t)sorted[end];
            pairs->order[end] = row;
            pairs->rank[row] = pairs->begin[end] = i;
        }
        for (int j = i; j < end; j++) pairs->end[j] = end;
    }
}

int sl_boost_draw(SlBoostPairs *pairs, int n, SlRng *rng) {
    if (pairs->end[0] == n) return 0;
    for (int i = 0; i < n; i++) {
        const int begin = pairs->begin[i], same = pairs->end[i] - begin;
        const int drawn = (int)sl_rng_below(rng, (uint64_t)(n - same));
        const int one = pairs->order[i];
        const bool above = drawn < begin; // the other's target, above that of this one
        const int other = pairs->order[above ? drawn : drawn + same];
        pairs->higher[i] = above ? other : one;
        pairs->lower[i] = above ? one : other;
    }
    return n;
}

// what a pair lacks, 1 / (1 + e^d), in place of its distance d
SL_CLONES static void lack(int n, float *apart) {
    for (int i = 0; i < n; i += WIDE) {
        Wide d = wide_load(apart + i);
        d = wide_select(d < 40, d, wide_all(40)); // below float's precision beside 1
        wide_store(apart + i, 1 / (1 + wide_exp(d)));
    }
}

void sl_boost_ranked(int n, int n_pairs, SlBoostPairs *pairs, const float *margin, float *grad,
                     float *hess) {
    const float least = 1e-16F; // of a hessian, as in XGBoost
    memset(grad, 0, (size_t)n * sizeof *grad);
    memset(hess, 0, (size_t)n * sizeof *hess);
    for (int i = 0; i < n_pairs; i++)
        pairs->apart[i] = margin[pairs->higher[i]] - margin[pairs->lower[i]];
    lack(n_pairs, pairs->apart);
    for (int i = 0; i < n_pairs; i++) {
        const int higher = pairs->higher[i], lower = pairs->lower[i];
        const float q = pairs->apart[i], bend = q * (1 - q);
        const float both = 2 * (bend > least ? bend : least);
        grad[higher] -= q;
        grad[lower] += q;
        hess[higher] += both;
        hess[lower] += both;
    }
}
