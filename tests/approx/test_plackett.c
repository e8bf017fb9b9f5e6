// test_plackett.c - probabilities of all orders, their frequencies, entropies and gradients.
#include "starling/approx.h"
#include "support/check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 8 };
static const double scores[MOST] = {0.5, -1, 1.5, 0, 0.5, -0.3, 0.9, -2};

static bool is_order(int n, const uint8_t *order) {
    unsigned seen = 0;
    for (int k = 0; k < n; k++) seen |= 1u << order[k];
    return seen == (1u << n) - 1;
}

// the next order in the alphabet, false after the last
static bool next_order(int n, uint8_t *order) {
    int k = n - 2, last = n - 1;
    while (k >= 0 && order[k] > order[k + 1]) k--;
    if (k < 0) return false;
    while (order[last] < order[k]) last--;
    uint8_t kept = order[k];
    order[k] = order[last];
    order[last] = kept;
    for (int a = k + 1, b = n - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

// draws without replacement, written out
static double probability(int n, const double *s, const uint8_t *order) {
    double product = 1;
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int j = k; j < n; j++) sum += exp(s[order[j]]);
        product *= exp(s[order[k]]) / sum;
    }
    return product;
}

static void probabilities_are_those_of_draws_and_sum_to_one(void **state) {
    (void)state;
    const int n_orders[] = {1, 1, 2, 6, 24, 120};
    for (int n = 1; n <= 5; n++) {
        uint8_t order[MOST] = {0, 1, 2, 3, 4};
        double sum = 0;
        int orders = 0;
        do {
            double p = exp(sl_plackett_logp(n, scores, order));
            assert_true(fabs(p - probability(n, scores, order)) < 1e-14);
            sum += p;
            orders++;
        } while (next_order(n, order));
        assert_true(fabs(sum - 1) < 1e-13);
        assert_int_equal(orders, n_orders[n]);
    }
}

static void the_mean_entropy_along_orders_is_the_entropy_of_orders(void **state) {
    (void)state;
    // the chain rule: - sum p log p = sum p * (entropies of the choices along the order)
    uint8_t order[MOST] = {0, 1, 2, 3};
    double entropy = 0, mean = 0;
    do {
        double logp = sl_plackett_logp(4, scores, order);
        entropy -= exp(logp) * logp;
        mean += exp(logp) * sl_plackett_entropy(4, scores, order);
    } while (next_order(4, order));
    assert_true(fabs(entropy - mean) < 1e-13);
}

static void orders_come_as_often_as_they_should(void **state) {
    (void)state;
    enum { DRAWS = 200000 };
    SlRng rng;
    sl_rng_init(&rng, 1, "orders");
    static int counts[256]; // by the first three of four, two bits each
    for (int i = 0; i < DRAWS; i++) {
        uint8_t order[MOST];
        sl_plackett_sample(4, scores, &rng, order);
        assert_true(is_order(4, order));
        counts[order[0] << 4 | order[1] << 2 | order[2]]++;
    }
    uint8_t order[MOST] = {0, 1, 2, 3};
    double chi = 0;
    do {
        double expected = DRAWS * probability(4, scores, order);
        double off = counts[order[0] << 4 | order[1] << 2 | order[2]] - expected;
        chi += off * off / expected;
    } while (next_order(4, order));
    // 23 degrees of freedom: 56 has probability 1.4e-4
    if (chi > 56) fail_msg("chi-square %g", chi);
}

static void huge_scores_decide_and_equal_ones_do_not(void **state) {
    (void)state;
    const double far[4] = {-1e300, 1e30, 1e300, 1e30};
    SlRng rng;
    sl_rng_init(&rng, 1, "huge");
    int first = 0;
    for (int i = 0; i < 1000; i++) {
        uint8_t order[MOST];
        sl_plackett_sample(4, far, &rng, order);
        assert_true(is_order(4, order) && order[0] == 2 && order[3] == 0);
        assert_true(fabs(sl_plackett_logp(4, far, order) - log(0.5)) < 1e-15);
        first += order[1] == 1;
    }
    assert_true(400 < first && first < 600);
}

static void gradients_are_finite_differences_and_add(void **state) {
    (void)state;
    const double h = 1e-5, scale = 0.6;
    SlRng rng;
    sl_rng_init(&rng, 2, "gradients");
    for (int n = 1; n <= MOST; n++) {
        uint8_t order[MOST];
        double by_logp[MOST], by_entropy[MOST], at[MOST];
        sl_plackett_sample(n, scores, &rng, order);
        memcpy(at, scores, sizeof at);
        for (int i = 0; i < n; i++) by_logp[i] = by_entropy[i] = i;
        sl_plackett_logp_grad(n, scores, order, scale, by_logp);
        sl_plackett_entropy_grad(n, scores, order, scale, by_entropy);
        for (int i = 0; i < n; i++) {
            at[i] = scores[i] + h;
            double logp = sl_plackett_logp(n, at, order);
            double entropy = sl_plackett_entropy(n, at, order);
            at[i] = scores[i] - h;
            logp = (logp - sl_plackett_logp(n, at, order)) / (2 * h);
            entropy = (entropy - sl_plackett_entropy(n, at, order)) / (2 * h);
            at[i] = scores[i];
            assert_true(fabs(by_logp[i] - i - scale * logp) < 1e-8);
            assert_true(fabs(by_entropy[i] - i - scale * entropy) < 1e-8);
        }
    }
}

static void one_thing_has_one_order(void **state) {
    (void)state;
    uint8_t order[1] = {9};
    double score = 4, grad = 5;
    SlRng rng;
    sl_rng_init(&rng, 1, "one");
    sl_plackett_sample(1, &score, &rng, order);
    assert_int_equal(order[0], 0);
    assert_true(sl_plackett_logp(1, &score, order) == 0);
    assert_true(sl_plackett_entropy(1, &score, order) == 0);
    sl_plackett_logp_grad(1, &score, order, 1, &grad);
    sl_plackett_entropy_grad(1, &score, order, 1, &grad);
    assert_true(grad == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_draws_and_sum_to_one),
        cmocka_unit_test(the_mean_entropy_along_orders_is_the_entropy_of_orders),
        cmocka_unit_test(orders_come_as_often_as_they_should),
        cmocka_unit_test(huge_scores_decide_and_equal_ones_do_not),
        cmocka_unit_test(gradients_are_finite_differences_and_add),
        cmocka_unit_test(one_thing_has_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
