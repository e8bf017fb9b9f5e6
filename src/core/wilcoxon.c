// wilcoxon.c - the signed-rank test, Wilcoxon, "Individual comparisons by ranking methods",
// Biometrics Bulletin 1(6), 1945.
//
// The differences that are not 0 are ranked by size; W is the sum of the ranks of the positive
// ones. If their signs were those of fair coins, P(W = w) would follow rank by rank from
//     P(w) <- (P(w) + P(w - rank)) / 2,
// which is exact with ties too: shared ranks are multiples of 1/2, so they are doubled.
#include <assert.h>
#include <math.h>

#include "starling/core/stats.h"

enum { MOST = 1000, MOST_EXACT = 100 };

// P(W <= most) over all signs, for doubled ranks (n); `odds` (most + 1) is scratch, all 0
static double lower_tail(int n, const double *ranks, int most, double *odds) {
    odds[0] = 1;
    for (int i = 0; i < n; i++) {
        int rank = (int)ranks[i];
        for (int w = most; w >= 0; w--) {
            odds[w] = 0.5 * (odds[w] + (w >= rank ? odds[w - rank] : 0));
        }
    }
    double sum = 0;
    for (int w = 0; w <= most; w++) sum += odds[w];
    return sum;
}

// the normal approximation of the same, with the variance of the ranks at hand (so ties count) and
// a step of half a rank
static double lower_tail_normal(int n, const double *ranks, double most) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        sum += ranks[i];
        squares += ranks[i] * ranks[i];
    }
    double z = (0.5 * sum - most - 1) / sqrt(0.25 * squares); // doubled ranks: half of one is 1
    return 0.5 * erfc(z / sqrt(2));
}

SlStatus sl_wilcoxon(int n, const double *d, SlArena *scratch, double *p) {
    assert(n >= 0 && n <= MOST);
    size_t mark = sl_arena_mark(scratch);
    double *ranks = SL_NEW(scratch, n, double);
    int *order = SL_NEW(scratch, n, int);
    SlStatus status = ranks && order ? SL_OK : SL_ENOMEM;
    if (status != SL_OK) goto done;

    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (d[i] != 0) ranks[kept++] = fabs(d[i]);
    }
    sl_ranks(kept, ranks, order, ranks);
    double total = (double)kept * (kept + 1), positive = 0;
    for (int i = 0, at = 0; i < n; i++) {
        if (d[i] == 0) continue;
        ranks[at] *= 2;
        if (d[i] > 0) positive += ranks[at];
        at++;
    }
    double least = fmin(positive, total - positive), tail;
    if (kept <= MOST_EXACT) {
        double *odds = SL_NEW(scratch, least + 1, double);
        if (!odds) {
            status = SL_ENOMEM;
            goto done;
        }
        tail = lower_tail(kept, ranks, (int)least, odds);
    } else {
        tail = lower_tail_normal(kept, ranks, least);
    }
    *p = fmin(1, 2 * tail);
done:
    sl_arena_rewind(scratch, mark);
    return status;
}
