// test_gumbel.c - Gumbel-softmax against its definition, its distribution, the exponential and the
// logarithm against the C library's, the same bits for every instruction set.
// Gradients: test_dense_double.c.
#include <math.h>

#include "approx/exp_log.h"
#include "dense_copies.h"
#include "support/check.h"

enum { ROWS = 150, MOST = 16, ROOM = ROWS * MOST };

typedef struct {
    SlReal logits[ROOM], u[ROOM], dp[ROOM];
} Given;

static void fill(Given *given, double spread) {
    SlRng rng;
    SlNoise noise;
    sl_rng_init(&rng, 1, "gumbel");
    sl_noise_init(&noise, 1, "gumbel");
    for (int i = 0; i < ROOM; i++) {
        given->logits[i] = (SlReal)(spread * sl_rng_normal(&rng));
        given->dp[i] = (SlReal)sl_rng_normal(&rng);
    }
    sl_noise_uniform(&noise, ROOM, given->u);
}

// row i of softmax(logits - log(-log u)), of softmax(logits) without u
static void reference(int n, const SlReal *logits, const SlReal *u, double *p) {
    double sum = 0, most = -INFINITY;
    for (int k = 0; k < n; k++) most = fmax(most, logits[k]);
    for (int k = 0; k < n; k++) sum += p[k] = exp(logits[k] - most) / (u ? -log((double)u[k]) : 1);
    for (int k = 0; k < n; k++) p[k] /= sum;
}

static void samples_are_those_of_the_definition(void **state) {
    (void)state;
    static Given given;
    static SlReal p[ROWS * (MOST + 3)];
    for (int n = 1; n <= MOST; n++) {
        fill(&given, 3);
        const size_t row = (size_t)n + 3;
        for (size_t i = 0; i < ROWS * row; i++) p[i] = 42;
        sl_gumbel_softmax(ROWS, n, given.logits, given.u, p, row);
        for (int i = 0; i < ROWS; i++) {
            double right[MOST];
            reference(n, given.logits + (size_t)i * (size_t)n, given.u + (size_t)i * (size_t)n,
                      right);
            for (int k = 0; k < n; k++)
                assert_true(fabs((double)p[(size_t)i * row + (size_t)k] - right[k]) <
                            3e-6 * right[k]);
            for (size_t k = (size_t)n; k < row; k++) assert_true(p[(size_t)i * row + k] == 42);
        }
    }
}

static void the_largest_number_of_a_sample_is_drawn_by_softmax(void **state) {
    (void)state;
    enum { N = 100000, WAYS = 3 };
    static SlReal logits[N * WAYS], u[N * WAYS], p[N * WAYS];
    const double wanted[WAYS] = {0.2, 0.5, 0.3};
    SlNoise noise;
    int won[WAYS] = {0};
    sl_noise_init(&noise, 5, "largest");
    sl_noise_uniform(&noise, (size_t)N * WAYS, u);
    for (int i = 0; i < N * WAYS; i++) logits[i] = (SlReal)log(wanted[i % WAYS]);
    sl_gumbel_softmax(N, WAYS, logits, u, p, WAYS);
    for (int i = 0; i < N; i++) {
        int best = 0;
        for (int k = 1; k < WAYS; k++)
            if (p[i * WAYS + k] > p[i * WAYS + best]) best = k;
        won[best]++;
    }
    for (int k = 0; k < WAYS; k++) assert_true(fabs(won[k] / (double)N - wanted[k]) < 0.006);
}

static void logits_may_be_huge_and_nan_is_not_hidden(void **state) {
    (void)state;
    const SlReal logits[] = {3e38F, -3e38F, 0, -500, 0, -90, 1, NAN},
                 u[] = {.5F, .5F, .5F, .5F, .5F, .5F, .5F, .5F};
    SlReal p[8];
    sl_gumbel_softmax(4, 2, logits, u, p, 2);
    assert_true(p[0] == 1 && p[1] == 0);
    assert_true(p[2] == 1 && p[3] == 0);
    assert_true(p[4] == 1 && p[5] == 0);
    assert_true(isnan(p[6]) && isnan(p[7]));
}

static void entropy_is_that_of_softmax(void **state) {
    (void)state;
    static Given given;
    SlReal entropy[ROWS];
    fill(&given, 2);
    for (int n = 1; n <= MOST; n++) {
        sl_softmax_entropy(ROWS, n, given.logits, entropy);
        for (int i = 0; i < ROWS; i++) {
            double p[MOST], right = 0;
            reference(n, given.logits + (size_t)i * (size_t)n, NULL, p);
            for (int k = 0; k < n; k++) right -= p[k] * log(p[k] + 1e-6);
            assert_true(fabs((double)entropy[i] - right) < 2e-6);
        }
    }
}

static void exponential_and_logarithm_are_right_to_1e_minus_6(void **state) {
    (void)state;
    SlRng rng;
    double worst_exp = 0, worst_log = 0;
    sl_rng_init(&rng, 1, "exp");
    for (int i = 0; i < 300000; i++) {
        float x = (float)(-87 * sl_rng_uniform(&rng) * (i % 2 ? 1 : 0.01));
        float u = ((float)sl_rng_below(&rng, 1 << 23) + 0.5F) * 0x1p-23F;
        if (i % 4 == 0) u = 1 - (float)(1 + i / 4) * 0x1p-24F; // near 1
        worst_exp = fmax(worst_exp, fabs((double)wide_exp(wide_all(x))[i % WIDE] / exp(x) - 1));
        worst_log = fmax(worst_log, fabs((double)wide_log(wide_all(u))[i % WIDE] / log(u) - 1));
    }
    if (!(worst_exp < 3e-7 && worst_log < 3e-7)) fail_msg("exp %g, log %g", worst_exp, worst_log);
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    static Given given;
    static SlReal p[ROOM], q[ROOM], dp[ROOM], dq[ROOM];
    fill(&given, 4);
    for (int n = 1; n <= MOST; n++) {
        const size_t size = sizeof(SlReal) * ROWS * (size_t)n;
        sl_gumbel_softmax(ROWS, n, given.logits, given.u, p, (size_t)n);
        plain_gumbel_softmax(ROWS, n, given.logits, given.u, q, (size_t)n);
        assert_memory_equal(p, q, size);
        sl_softmax_back(ROWS, n, p, (size_t)n, given.dp, (size_t)n, dp);
        plain_softmax_back(ROWS, n, q, (size_t)n, given.dp, (size_t)n, dq);
        assert_memory_equal(dp, dq, size);
        sl_softmax_entropy_back(ROWS, n, given.logits, (SlReal)0.1, dp);
        plain_softmax_entropy_back(ROWS, n, given.logits, (SlReal)0.1, dq);
        assert_memory_equal(dp, dq, size);
        sl_softmax_entropy(ROWS, n, given.logits, p);
        plain_softmax_entropy(ROWS, n, given.logits, q);
        assert_memory_equal(p, q, sizeof(SlReal) * ROWS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_those_of_the_definition),
        cmocka_unit_test(the_largest_number_of_a_sample_is_drawn_by_softmax),
        cmocka_unit_test(logits_may_be_huge_and_nan_is_not_hidden),
        cmocka_unit_test(entropy_is_that_of_softmax),
        cmocka_unit_test(exponential_and_logarithm_are_right_to_1e_minus_6),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
