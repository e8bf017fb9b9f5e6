// test_mlp.c - values by hand, gradients against finite differences in doubles, floats against
// doubles, and learning.
#include "net_copies.h"
#include "support/check.h"

#include <math.h>

enum { MOST = 4096 }; // numbers in any array here

static const SlMlpShape shapes[] = {
    {1, {3, 2}, SL_TANH},
    {2, {1, 1, 1}, SL_TANH},
    {2, {5, 9, 3}, SL_TANH},
    {3, {7, 12, 8, 1}, SL_LEAKY_RELU},
    {3, {10, 26, 17, 2}, SL_RELU},
    {6, {4, 5, 6, 7, 6, 5, 4}, SL_LEAKY_RELU},
    {6, {4, 5, 6, 7, 6, 5, 4}, SL_TANH},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void fill(SlRng *rng, size_t n, double *x) {
    for (size_t i = 0; i < n; i++) x[i] = sl_rng_normal(rng);
}

// A network in doubles with inputs, and what backward says about it.
typedef struct {
    SlMlpShape shape;
    int n;
    size_t n_params, n_in, n_out; // n_in and n_out for all rows
    double params[MOST], x[MOST], weights[MOST], work[MOST];
    double grad[MOST], dx[MOST];
} Net;

static void net_init(Net *net, const SlMlpShape *shape, int n, uint64_t seed) {
    SlRng rng;
    sl_rng_init(&rng, seed, "net");
    *net = (Net){.shape = *shape, .n = n, .n_params = sl_mlp_params(shape)};
    net->n_in = (size_t)(n * shape->width[0]);
    net->n_out = (size_t)(n * shape->width[shape->n_layers]);
    assert_true(net->n_params <= MOST && sl_mlp_work(shape, n) < MOST);
    fill(&rng, net->n_params, net->params);
    for (size_t i = 0; i < net->n_params; i++) net->params[i] *= 0.5;
    fill(&rng, net->n_in, net->x);
    fill(&rng, net->n_out, net->weights);
}

// sum of weights * y + y^2 / 2
static double loss_of(Net *net) {
    double *y = double_mlp_forward(&net->shape, net->params, net->n, net->x, net->work);
    double sum = 0;
    for (size_t i = 0; i < net->n_out; i++) sum += net->weights[i] * y[i] + y[i] * y[i] / 2;
    return sum;
}

static void net_backward(Net *net) {
    double dout[MOST];
    double *y = double_mlp_forward(&net->shape, net->params, net->n, net->x, net->work);
    for (size_t i = 0; i < net->n_out; i++) dout[i] = net->weights[i] + y[i];
    double_mlp_backward(&net->shape, net->params, net->n, net->x, net->work, dout, net->grad,
                        net->dx);
}

// every number of `at` (n), moved both ways, must change the loss as `grad` says
static void check_gradient(Net *net, const char *what, size_t n, double *at, const double *grad) {
    const double h = 1e-6;
    for (size_t i = 0; i < n; i++) {
        double kept = at[i];
        at[i] = kept + h;
        double above = loss_of(net);
        at[i] = kept - h;
        double slope = (above - loss_of(net)) / (2 * h);
        at[i] = kept;
        if (!(fabs(slope - grad[i]) <= 1e-6 * (0.1 + fabs(slope)))) {
            fail_msg("%s %zu of %d rows: %.12g, not %.12g", what, i, net->n, grad[i], slope);
        }
    }
}

static void gradients_are_finite_differences(void **state) {
    (void)state;
    static Net net;
    for (int s = 0; s < N_SHAPES; s++) {
        for (int n = 1; n <= 7; n += 6) {
            net_init(&net, &shapes[s], n, (uint64_t)s);
            net_backward(&net);
            check_gradient(&net, "parameter", net.n_params, net.params, net.grad);
            check_gradient(&net, "input", net.n_in, net.x, net.dx);
        }
    }
}

static void backward_adds_and_needs_no_gradient_by_inputs(void **state) {
    (void)state;
    static Net net, again;
    net_init(&net, &shapes[3], 7, 1);
    net_backward(&net);
    again = net;
    // a second time on the same work, without dx
    double dout[MOST];
    const double *y = again.work + again.n * (12 + 8);
    for (size_t i = 0; i < again.n_out; i++) dout[i] = again.weights[i] + y[i];
    double_mlp_backward(&again.shape, again.params, again.n, again.x, again.work, dout, again.grad,
                        NULL);
    for (size_t i = 0; i < net.n_params; i++) {
        assert_true(fabs(again.grad[i] - 2 * net.grad[i]) <= 1e-12 * (1 + fabs(net.grad[i])));
    }
}

static void floats_agree_with_doubles(void **state) {
    (void)state;
    static Net net;
    static SlReal params[MOST], x[MOST], work[MOST], dout[MOST], grad[MOST], dx[MOST];
    for (int s = 0; s < N_SHAPES; s++) {
        net_init(&net, &shapes[s], 7, (uint64_t)s);
        for (size_t i = 0; i < net.n_params; i++) params[i] = (SlReal)net.params[i], grad[i] = 0;
        for (size_t i = 0; i < net.n_in; i++) x[i] = (SlReal)net.x[i];
        net_backward(&net);
        size_t n_work = sl_mlp_work(&net.shape, 7);
        work[n_work] = 42;
        SlReal *y = sl_mlp_forward(&net.shape, params, 7, x, work);
        for (size_t i = 0; i < net.n_out; i++) dout[i] = (SlReal)net.weights[i] + y[i];
        sl_mlp_backward(&net.shape, params, 7, x, work, dout, grad, dx);
        for (size_t i = 0; i < net.n_params; i++) {
            assert_true(fabs((double)grad[i] - net.grad[i]) < 2e-5 * (1 + fabs(net.grad[i])));
        }
        for (size_t i = 0; i < net.n_in; i++) {
            assert_true(fabs((double)dx[i] - net.dx[i]) < 2e-5 * (1 + fabs(net.dx[i])));
        }
        assert_true(work[n_work] == 42);
    }
}

static void values_are_those_computed_by_hand(void **state) {
    (void)state;
    // two inputs, two hidden, one output: weights [in][out], then biases
    SlMlpShape shape = {2, {2, 2, 1}, SL_LEAKY_RELU};
    assert_int_equal(sl_mlp_params(&shape), 9);
    SlReal params[9] = {1, -2, 3, 4, 0.5f, -1, 10, 100, 7};
    SlReal x[4] = {1, 2, -1, 0.5f}, work[64];
    assert_true(sl_mlp_work(&shape, 2) <= 64);
    SlReal *y = sl_mlp_forward(&shape, params, 2, x, work);
    // hidden sums 7.5, 5 and 1, 3
    assert_true(y[0] == 10 * 7.5f + 100 * 5 + 7);
    assert_true(y[1] == 10 * 1 + 100 * 3 + 7);
    params[5] = -21; // the second ones are now -15 and -17
    y = sl_mlp_forward(&shape, params, 2, x, work);
    assert_true(fabsf(y[0] - (75 - 75 + 7)) < 1e-4f);
    assert_true(fabsf(y[1] - (10 - 85 + 7)) < 1e-4f);
}

static void weights_start_with_the_deviation_of_the_activation(void **state) {
    (void)state;
    static SlReal params[100 * 50 + 50 + 50 + 1];
    SlMlpShape shape = {2, {100, 50, 1}, SL_LEAKY_RELU};
    const double expected[] = {2 / 150.0, 2 / 100.0, 2 / 100.0};
    for (int activation = SL_TANH; activation <= SL_LEAKY_RELU; activation++) {
        SlRng rng;
        sl_rng_init(&rng, 1, "init");
        shape.activation = (SlActivation)activation;
        sl_mlp_init(&shape, &rng, params);
        double sum = 0, squares = 0;
        for (int i = 0; i < 5000; i++) {
            sum += params[i];
            squares += (double)params[i] * (double)params[i];
        }
        assert_true(fabs(squares / 5000 / expected[activation] - 1) < 0.08); // 4 deviations
        assert_true(fabs(sum / 5000) < 4 * sqrt(expected[activation] / 5000));
        for (int i = 5000; i < 5050; i++) assert_true(params[i] == 0);
        assert_true(params[5050] != 0 && params[5100] == 0);
    }
}

static void scaling_touches_the_last_weights_alone(void **state) {
    (void)state;
    SlMlpShape shape = {2, {2, 3, 2}, SL_TANH};
    SlReal params[17];
    for (int i = 0; i < 17; i++) params[i] = 1;
    sl_mlp_scale_last(&shape, 0.25f, params);
    for (int i = 0; i < 17; i++) assert_true(params[i] == (9 <= i && i < 15 ? 0.25f : 1));
}

// mean squared error on sin(4 x1 x2), a soft exclusive or, after training along gradient times sign
static double error_after_training(int steps, SlReal sign, SlActivation activation) {
    enum { BATCH = 32, N_PARAMS = 2 * 16 + 16 + 16 * 16 + 16 + 16 + 1 };
    SlMlpShape shape = {3, {2, 16, 16, 1}, activation};
    SlReal params[N_PARAMS], grad[N_PARAMS], work[BATCH * 100], x[BATCH * 2], dout[BATCH];
    assert_true(sl_mlp_params(&shape) == N_PARAMS && sl_mlp_work(&shape, BATCH) <= BATCH * 100);
    SlArena arena;
    SlAdam adam;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 3, "learn");
    sl_mlp_init(&shape, &rng, params);
    assert_true(sl_adam_make(N_PARAMS, 0.01, &arena, &adam));
    double error = 0;
    for (int step = 0; step < steps + 10; step++) {
        for (int i = 0; i < 2 * BATCH; i++) x[i] = (SlReal)(2 * sl_rng_uniform(&rng) - 1);
        SlReal *y = sl_mlp_forward(&shape, params, BATCH, x, work);
        for (int i = 0; i < BATCH; i++) {
            SlReal off = y[i] - sinf(4 * x[2 * i] * x[2 * i + 1]);
            dout[i] = sign * off / BATCH;
            if (step >= steps) error += (double)(off * off) / (10 * BATCH);
        }
        for (int i = 0; i < N_PARAMS; i++) grad[i] = 0;
        sl_mlp_backward(&shape, params, BATCH, x, work, dout, grad, NULL);
        if (step < steps) sl_adam_step(&adam, params, grad);
    }
    sl_arena_free(&arena);
    return error;
}

static void a_network_learns_a_saddle_and_not_with_negated_gradients(void **state) {
    (void)state;
    for (int activation = SL_TANH; activation <= SL_LEAKY_RELU; activation++) {
        double before = error_after_training(0, 1, (SlActivation)activation);
        double after = error_after_training(1500, 1, (SlActivation)activation);
        double negated = error_after_training(1500, -1, (SlActivation)activation);
        if (!(before > 0.2 && after < 0.02 && negated > before)) {
            fail_msg("activation %d: %g, trained %g, negated %g", activation, before, after,
                     negated);
        }
    }
}

// What several threads do at once: forward and backward of one network, each with its own work.
typedef struct {
    const Net *net;
    double loss[8];
    double grad[8][MOST];
} Crowd;

static void work_of_one(void *context, int item, int worker) {
    (void)worker;
    Crowd *crowd = context;
    for (int repeat = 0; repeat < 30; repeat++) {
        static _Thread_local Net net;
        net = *crowd->net;
        crowd->loss[item] = loss_of(&net);
        net_backward(&net);
        for (size_t i = 0; i < net.n_params; i++) crowd->grad[item][i] = net.grad[i];
    }
}

static void threads_do_not_disturb_each_other(void **state) {
    (void)state;
    static Net net;
    static Crowd crowd;
    net_init(&net, &shapes[4], 7, 5);
    crowd.net = &net;
    SlPool *pool = sl_pool_make(4);
    assert_non_null(pool);
    sl_pool_run(pool, 8, work_of_one, &crowd);
    sl_pool_free(pool);
    for (int i = 1; i < 8; i++) {
        assert_true(crowd.loss[i] == crowd.loss[0]);
        assert_memory_equal(crowd.grad[i], crowd.grad[0], net.n_params * sizeof(double));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_finite_differences),
        cmocka_unit_test(backward_adds_and_needs_no_gradient_by_inputs),
        cmocka_unit_test(floats_agree_with_doubles),
        cmocka_unit_test(values_are_those_computed_by_hand),
        cmocka_unit_test(weights_start_with_the_deviation_of_the_activation),
        cmocka_unit_test(scaling_touches_the_last_weights_alone),
        cmocka_unit_test(a_network_learns_a_saddle_and_not_with_negated_gradients),
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
