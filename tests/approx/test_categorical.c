// test_categorical.c - probabilities, entropy, gradients and frequencies of one choice.
#include "starling/approx.h"
#include "support/check.h"

#include <math.h>

enum { N = 6 };
static const double logits[N] = {0.3, -1.2, 2.0, 0.3, -4.0, 1.1};

static void softmax_is_exp_over_its_sum(void **state) {
    (void)state;
    double p[N], sum = 0;
    for (int i = 0; i < N; i++) sum += exp(logits[i]);
    sl_softmax(N, logits, p);
    for (int i = 0; i < N; i++) assert_true(fabs(p[i] - exp(logits[i]) / sum) < 1e-15);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(sl_categorical_logp(N, logits, i) - log(p[i])) < 1e-14);
    }
}

static void entropy_is_that_of_the_probabilities(void **state) {
    (void)state;
    double p[N], sum = 0, equal[N] = {7, 7, 7, 7, 7, 7};
    sl_softmax(N, logits, p);
    for (int i = 0; i < N; i++) sum -= p[i] * log(p[i]);
    assert_true(fabs(sl_categorical_entropy(N, logits) - sum) < 1e-14);
    assert_true(fabs(sl_categorical_entropy(N, equal) - log(N)) < 1e-14);
}

static void huge_logits_do_no_harm(void **state) {
    (void)state;
    // equal and huge, far apart, and at the ends of what a double holds
    const double cases[][3] = {
        {1e20, 1e20, -1e20}, {-1e300, -1e300, -1.1e300}, {1e308, 1e308, -1e308}};
    for (int c = 0; c < 3; c++) {
        double p[3], grad[3] = {0};
        sl_softmax(3, cases[c], p);
        assert_true(p[0] == 0.5 && p[1] == 0.5 && p[2] == 0);
        assert_true(fabs(sl_categorical_logp(3, cases[c], 1) - log(0.5)) < 1e-15);
        assert_true(fabs(sl_categorical_entropy(3, cases[c]) - log(2)) < 1e-15);
        sl_categorical_logp_grad(3, cases[c], 0, 1, grad);
        assert_true(grad[0] == 0.5 && grad[1] == -0.5 && grad[2] == 0);
        sl_categorical_entropy_grad(3, cases[c], 1, grad);
        for (int i = 0; i < 3; i++) assert_true(isfinite(grad[i]));
        SlRng rng;
        sl_rng_init(&rng, 1, "huge");
        int first = 0;
        for (int i = 0; i < 1000; i++) {
            int choice = sl_categorical_sample(3, cases[c], &rng);
            assert_true(choice < 2);
            first += choice == 0;
        }
        assert_true(400 < first && first < 600);
    }
}

static void a_single_choice_is_certain(void **state) {
    (void)state;
    double one = -3, p, grad = 5;
    SlRng rng;
    sl_rng_init(&rng, 1, "one");
    sl_softmax(1, &one, &p);
    assert_true(p == 1);
    assert_int_equal(sl_categorical_sample(1, &one, &rng), 0);
    assert_true(sl_categorical_logp(1, &one, 0) == 0);
    assert_true(sl_categorical_entropy(1, &one) == 0);
    sl_categorical_logp_grad(1, &one, 0, 2, &grad);
    sl_categorical_entropy_grad(1, &one, 2, &grad);
    assert_true(grad == 5);
}

static void gradients_are_finite_differences_and_add(void **state) {
    (void)state;
    const double h = 1e-5, scale = -1.7;
    for (int choice = 0; choice < N; choice++) {
        double by_logp[N], by_entropy[N], at[N];
        for (int i = 0; i < N; i++) by_logp[i] = by_entropy[i] = i, at[i] = logits[i];
        sl_categorical_logp_grad(N, logits, choice, scale, by_logp);
        sl_categorical_entropy_grad(N, logits, scale, by_entropy);
        for (int i = 0; i < N; i++) {
            at[i] = logits[i] + h;
            double logp = sl_categorical_logp(N, at, choice);
            double entropy = sl_categorical_entropy(N, at);
            at[i] = logits[i] - h;
            logp = (logp - sl_categorical_logp(N, at, choice)) / (2 * h);
            entropy = (entropy - sl_categorical_entropy(N, at)) / (2 * h);
            at[i] = logits[i];
            assert_true(fabs(by_logp[i] - i - scale * logp) < 1e-8);
            assert_true(fabs(by_entropy[i] - i - scale * entropy) < 1e-8);
        }
    }
}

static void choices_come_as_often_as_they_should(void **state) {
    (void)state;
    enum { DRAWS = 200000 };
    SlRng rng;
    sl_rng_init(&rng, 1, "choices");
    int counts[N] = {0};
    double p[N], chi = 0;
    sl_softmax(N, logits, p);
    for (int i = 0; i < DRAWS; i++) counts[sl_categorical_sample(N, logits, &rng)]++;
    for (int i = 0; i < N; i++) {
        double expected = p[i] * DRAWS;
        chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    // 5 degrees of freedom: 25.7 has probability 1e-4
    if (chi > 25.7) fail_msg("chi-square %g", chi);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_is_exp_over_its_sum),
        cmocka_unit_test(entropy_is_that_of_the_probabilities),
        cmocka_unit_test(huge_logits_do_no_harm),
        cmocka_unit_test(a_single_choice_is_certain),
        cmocka_unit_test(gradients_are_finite_differences_and_add),
        cmocka_unit_test(choices_come_as_often_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
