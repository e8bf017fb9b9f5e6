// test_dense_double.c - the code of batched networks in doubles: products to the bit, gradients by
// finite differences, the exponential and the logarithm.
#include "support/double_real.h"

#define COPY(name) double_##name
#include "dense_copy.h"

#include "gemm_cases.h"

static void products_in_doubles_are_one_chain_to_the_bit(void **state) {
    (void)state;
    static CaseRoom room;
    case_fill(&room);
    for (int m = 1; m <= 14; m += m < 8 ? 1 : 3)
        for (int n = 1; n <= 20; n++) case_shape(&room, m, n, 5);
    case_shape(&room, 97, 65, 257);
    case_shape(&room, 130, 5, 64);
}

// one hidden layer, Gumbel-softmax, and a loss of actions and entropy
enum { N = 19, IN = 7, HIDDEN = 11, OUT = 5, W1 = 0, B1 = IN * HIDDEN, W2 = B1 + HIDDEN };
enum { B2 = W2 + HIDDEN * OUT, X = B2 + OUT, N_NUMBERS = X + N * IN };

typedef struct {
    double numbers[N_NUMBERS]; // parameters, then inputs
    double u[N * OUT], wish[N * OUT];
    double hidden[N * HIDDEN], logits[N * OUT], p[N * (OUT + 2)], entropy[N];
} Net;

static const double entropy_scale = 0.3;

static double loss_of(Net *net) {
    SlDense layer = {.rows = N,
                     .in = IN,
                     .out = HIDDEN,
                     .x = net->numbers + X,
                     .x_row = IN,
                     .w = net->numbers + W1,
                     .bias = net->numbers + B1,
                     .y = net->hidden,
                     .y_row = HIDDEN,
                     .relu = true};
    sl_dense_forward(&layer);
    layer = (SlDense){.rows = N,
                      .in = HIDDEN,
                      .out = OUT,
                      .x = net->hidden,
                      .x_row = HIDDEN,
                      .w = net->numbers + W2,
                      .bias = net->numbers + B2,
                      .y = net->logits,
                      .y_row = OUT};
    sl_dense_forward(&layer);
    sl_gumbel_softmax(N, OUT, net->logits, net->u, net->p, OUT + 2);
    sl_softmax_entropy(N, OUT, net->logits, net->entropy);
    double loss = 0;
    for (int i = 0; i < N; i++) {
        loss += entropy_scale * net->entropy[i];
        for (int k = 0; k < OUT; k++) loss += net->wish[i * OUT + k] * net->p[i * (OUT + 2) + k];
    }
    return loss;
}

// the gradient by all numbers, after loss_of
static void gradient_of(Net *net, double *grad) {
    static double dlogits[N * OUT], dhidden[N * HIDDEN], turned[HIDDEN * (IN > OUT ? IN : OUT)];
    sl_softmax_back(N, OUT, net->p, OUT + 2, net->wish, OUT, dlogits);
    sl_softmax_entropy_back(N, OUT, net->logits, entropy_scale, dlogits);
    sl_dense_gradient(N, HIDDEN, OUT, net->hidden, HIDDEN, dlogits, OUT, grad + W2, grad + B2);
    sl_dense_turn(HIDDEN, OUT, net->numbers + W2, turned);
    sl_dense_back(&(SlDenseBack){.rows = N,
                                 .in = HIDDEN,
                                 .out = OUT,
                                 .dy = dlogits,
                                 .dy_row = OUT,
                                 .turned = turned,
                                 .y = net->hidden,
                                 .y_row = HIDDEN,
                                 .dx = dhidden,
                                 .dx_row = HIDDEN});
    sl_dense_gradient(N, IN, HIDDEN, net->numbers + X, IN, dhidden, HIDDEN, grad + W1, grad + B1);
    sl_dense_turn(IN, HIDDEN, net->numbers + W1, turned);
    sl_dense_back(&(SlDenseBack){.rows = N,
                                 .in = IN,
                                 .out = HIDDEN,
                                 .dy = dhidden,
                                 .dy_row = HIDDEN,
                                 .turned = turned,
                                 .dx = grad + X,
                                 .dx_row = IN});
}

static void gradients_are_those_of_finite_differences(void **state) {
    (void)state;
    static Net net;
    static double grad[N_NUMBERS];
    SlRng rng;
    SlNoise noise;
    sl_rng_init(&rng, 2, "net");
    sl_noise_init(&noise, 2, "net");
    for (int i = 0; i < N_NUMBERS; i++) net.numbers[i] = sl_rng_normal(&rng) * 0.7;
    for (int i = 0; i < N * OUT; i++) net.wish[i] = sl_rng_normal(&rng);
    sl_noise_uniform(&noise, (size_t)N * OUT, net.u);
    loss_of(&net);
    gradient_of(&net, grad);
    double largest = 0;
    for (int i = 0; i < N_NUMBERS; i++) {
        const double at = net.numbers[i], step = 1e-5;
        net.numbers[i] = at + step;
        double difference = loss_of(&net);
        net.numbers[i] = at - step;
        difference = (difference - loss_of(&net)) / (2 * step);
        net.numbers[i] = at;
        if (!(fabs(difference - grad[i]) < 1e-7))
            fail_msg("number %d: %.12g, not %.12g", i, grad[i], difference);
        largest = fmax(largest, fabs(difference));
    }
    assert_true(largest > 0.1);
}

static void exponential_and_logarithm_are_right_to_1e_minus_14(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "exp");
    for (int i = 0; i < 200000; i++) {
        double x = -700 * sl_rng_uniform(&rng) * (i % 2 ? 1 : 0.01);
        double y = exp(x), z = i % 3 ? y : 1 + 0.3 * (sl_rng_uniform(&rng) - 0.5);
        assert_true(fabs(wide_exp(wide_all(x))[i % WIDE] / y - 1) < 1e-14);
        double right = log(z);
        assert_true(fabs(wide_log(wide_all(z))[i % WIDE] - right) <= 1e-14 * fabs(right));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_in_doubles_are_one_chain_to_the_bit),
        cmocka_unit_test(gradients_are_those_of_finite_differences),
        cmocka_unit_test(exponential_and_logarithm_are_right_to_1e_minus_14),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
