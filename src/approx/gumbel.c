// gumbel.c - Gumbel-softmax, Jang, Gu & Poole, "Categorical reparameterization with Gumbel-softmax"
// (2017), Maddison, Mnih & Teh, "The concrete distribution" (2017); softmax's gradient and entropy.
//
// softmax(l - log E) with E = -log u is exp(l_k) / E_k over its sum: one exponential and one
// logarithm per number. Blocks of rows are turned so that a vector holds one column of eight rows.
#include "starling/approx/dense.h"

#include <assert.h>

#include "exp_log.h"

enum { BLOCK = 64, MOST = 16 }; // rows, columns

// columns (n, BLOCK) of some rows; up to a whole vector others are filled with what does no harm
INLINE void turn_in(int rows, int n, const SlReal *from, size_t from_row, SlReal *columns) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) columns[k * BLOCK + i] = from[(size_t)i * from_row + (size_t)k];
    for (int i = rows; i % WIDE != 0; i++)
        for (int k = 0; k < n; k++) columns[k * BLOCK + i] = (SlReal)0.5;
}

INLINE void turn_out(int rows, int n, const SlReal *columns, SlReal *to, size_t to_row) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) to[(size_t)i * to_row + (size_t)k] = columns[k * BLOCK + i];
}

// softmax of a vector of rows in columns, in place, every number divided by its share of `by`
INLINE void soften(int n, const SlReal *by, SlReal *x) {
    Wide most = wide_load(x), sum = {0};
    for (int k = 1; k < n; k++) {
        Wide v = wide_load(x + (size_t)k * BLOCK);
        most = wide_select(v > most, v, most);
    }
    for (int k = 0; k < n; k++) {
        Wide v = wide_exp(wide_load(x + (size_t)k * BLOCK) - most);
        if (by) v = v / -wide_log(wide_load(by + (size_t)k * BLOCK));
        sum = sum + v;
        wide_store(x + (size_t)k * BLOCK, v);
    }
    const Wide share = 1 / sum;
    for (int k = 0; k < n; k++)
        wide_store(x + (size_t)k * BLOCK, wide_load(x + (size_t)k * BLOCK) * share);
}

INLINE void sample_block(int rows, int n, const SlReal *logits, const SlReal *u, SlReal *p,
                         size_t p_row) {
    SlReal x[MOST * BLOCK], y[MOST * BLOCK];
    turn_in(rows, n, logits, (size_t)n, x);
    turn_in(rows, n, u, (size_t)n, y);
    for (int i = 0; i < rows; i += WIDE) soften(n, y + i, x + i);
    turn_out(rows, n, x, p, p_row);
}

SL_CLONES static void gumbel_softmax(int rows, int n, const SlReal *logits, const SlReal *u,
                                     SlReal *p, size_t p_row) {
    assert(1 <= n && n <= MOST);
    for (int i = 0; i < rows; i += BLOCK) {
        const int some = rows - i < BLOCK ? rows - i : BLOCK;
        const size_t at = (size_t)i * (size_t)n;
        if (n == 5) { // the particle worlds' actions, unrolled
            sample_block(some, 5, logits + at, u + at, p + (size_t)i * p_row, p_row);
        } else {
            sample_block(some, n, logits + at, u + at, p + (size_t)i * p_row, p_row);
        }
    }
}

void sl_gumbel_softmax(int rows, int n, const SlReal *logits, const SlReal *u, SlReal *p,
                       size_t p_row) {
    gumbel_softmax(rows, n, logits, u, p, p_row);
}

// dl_k = p_k (dp_k - sum_j p_j dp_j), of a vector of rows, into dp
INLINE void soften_back(int n, const SlReal *p, SlReal *dp) {
    Wide sum = {0};
    for (int k = 0; k < n; k++)
        sum = sum + wide_load(p + (size_t)k * BLOCK) * wide_load(dp + (size_t)k * BLOCK);
    for (int k = 0; k < n; k++) {
        SlReal *at = dp + (size_t)k * BLOCK;
        wide_store(at, wide_load(p + (size_t)k * BLOCK) * (wide_load(at) - sum));
    }
}

INLINE void back_block(int rows, int n, const SlReal *p, size_t p_row, const SlReal *dp,
                       size_t dp_row, SlReal *dlogits) {
    SlReal x[MOST * BLOCK], y[MOST * BLOCK];
    turn_in(rows, n, p, p_row, x);
    turn_in(rows, n, dp, dp_row, y);
    for (int i = 0; i < rows; i += WIDE) soften_back(n, x + i, y + i);
    turn_out(rows, n, y, dlogits, (size_t)n);
}

SL_CLONES static void softmax_back(int rows, int n, const SlReal *p, size_t p_row, const SlReal *dp,
                                   size_t dp_row, SlReal *dlogits) {
    assert(1 <= n && n <= MOST);
    for (int i = 0; i < rows; i += BLOCK) {
        const int some = rows - i < BLOCK ? rows - i : BLOCK;
        const SlReal *values = p + (size_t)i * p_row, *given = dp + (size_t)i * dp_row;
        SlReal *to = dlogits + (size_t)i * (size_t)n;
        if (n == 5) {
            back_block(some, 5, values, p_row, given, dp_row, to);
        } else {
            back_block(some, n, values, p_row, given, dp_row, to);
        }
    }
}

void sl_softmax_back(int rows, int n, const SlReal *p, size_t p_row, const SlReal *dp,
                     size_t dp_row, SlReal *dlogits) {
    softmax_back(rows, n, p, p_row, dp, dp_row, dlogits);
}

static const SlReal beside = (SlReal)1e-6; // p in the logarithm

SL_CLONES static void softmax_entropy(int rows, int n, const SlReal *logits, SlReal *entropy) {
    assert(1 <= n && n <= MOST);
    SlReal x[MOST * BLOCK], sums[BLOCK];
    for (int i = 0; i < rows; i += BLOCK) {
        const int some = rows - i < BLOCK ? rows - i : BLOCK;
        turn_in(some, n, logits + (size_t)i * (size_t)n, (size_t)n, x);
        for (int l = 0; l < some; l += WIDE) {
            Wide sum = {0};
            soften(n, NULL, x + l);
            for (int k = 0; k < n; k++) {
                Wide p = wide_load(x + (size_t)k * BLOCK + l);
                sum = sum - p * wide_log(p + beside);
            }
            wide_store(sums + l, sum);
        }
        memcpy(entropy + i, sums, (size_t)some * sizeof *sums);
    }
}

void sl_softmax_entropy(int rows, int n, const SlReal *logits, SlReal *entropy) {
    softmax_entropy(rows, n, logits, entropy);
}

SL_CLONES static void softmax_entropy_back(int rows, int n, const SlReal *logits, SlReal scale,
                                           SlReal *dlogits) {
    assert(1 <= n && n <= MOST);
    SlReal x[MOST * BLOCK], y[MOST * BLOCK];
    for (int i = 0; i < rows; i += BLOCK, dlogits += (size_t)BLOCK * (size_t)n) {
        const int some = rows - i < BLOCK ? rows - i : BLOCK;
        turn_in(some, n, logits + (size_t)i * (size_t)n, (size_t)n, x);
        for (int l = 0; l < some; l += WIDE) {
            soften(n, NULL, x + l);
            for (int k = 0; k < n; k++) {
                Wide p = wide_load(x + (size_t)k * BLOCK + l), q = p + beside;
                wide_store(y + (size_t)k * BLOCK + l, -scale * (wide_log(q) + p / q));
            }
            soften_back(n, x + l, y + l);
        }
        for (int l = 0; l < some; l++)
            for (int k = 0; k < n; k++) dlogits[l * n + k] += y[k * BLOCK + l];
    }
}

void sl_softmax_entropy_back(int rows, int n, const SlReal *logits, SlReal scale, SlReal *dlogits) {
    softmax_entropy_back(rows, n, logits, scale, dlogits);
}
