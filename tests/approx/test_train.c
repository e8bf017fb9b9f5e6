// test_train.c - steps of Adam in both forms, gradients clipped tensor by tensor, targets that
// follow.
#include <math.h>
#include <string.h>

#include "dense_copies.h"
#include "support/check.h"

static const SlMlpShape shape = {.n_layers = 2, .width = {7, 5, 3}};
enum { W1 = 35, B1 = 5, W2 = 15, B2 = 3, N = W1 + B1 + W2 + B2 };
static const int tensors[] = {0, W1, W1 + B1, W1 + B1 + W2, N};

static const SlTrain usual = {
    .rate = 0.01, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .most = 0.5};

static void check_near(double found, double right) {
    if (!(fabs(found - right) < 2e-6)) fail_msg("%.9g, not %.9g", found, right);
}

// one weight with gradient 2, then 1, epsilon 0.1 and rate 1, worked out by hand:
//   mean 0.2, 0.28; square 0.004, 0.004996; corrected mean 2, 0.28 / 0.19; square 4, 2.499249625
//   paper: 2 / (2 + 0.1); (0.28 / 0.19) / (sqrt(2.499249625) + 0.1)
//   TF1: sqrt(0.001) / 0.1 0.2 / (sqrt(0.004) + 0.1);
//        sqrt(0.001999) / 0.19 0.28 / (sqrt(0.004996) + 0.1)
static void two_steps_are_those_worked_out_by_hand(void **state) {
    (void)state;
    const SlMlpShape one = {.n_layers = 1, .width = {1, 1}};
    const double right[2][2] = {{-0.9523809524, -0.9523809524 - 0.8767225150},
                                {-0.3874258867, -0.3874258867 - 0.3860309420}};
    for (int form = 0; form < 2; form++) {
        SlTrain how = {
            .rate = 1, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 0.1, .form = (SlAdamForm)form};
        SlReal params[2] = {0}, mean[2] = {0}, square[2] = {0};
        sl_train_step(&how, &one, 1, params, (SlReal[]){2, 0}, mean, square);
        check_near((double)params[0], right[form][0]);
        sl_train_step(&how, &one, 2, params, (SlReal[]){1, 0}, mean, square);
        check_near((double)params[0], right[form][1]);
        check_near((double)mean[0], 0.28);
        check_near((double)square[0], 0.004996);
        assert_true(params[1] == 0);
    }
}

// many steps in doubles, with every tensor clipped by itself
static void reference(const SlTrain *how, int steps, const SlReal *grads, double *params) {
    double mean[N] = {0}, square[N] = {0};
    for (int t = 1; t <= steps; t++, grads += N) {
        for (int l = 0; l < 4; l++) {
            double norm = 0;
            for (int i = tensors[l]; i < tensors[l + 1]; i++)
                norm += (double)grads[i] * (double)grads[i];
            norm = sqrt(norm);
            for (int i = tensors[l]; i < tensors[l + 1]; i++) {
                double g = (double)grads[i];
                if (how->most > 0 && norm > how->most) g *= how->most / norm;
                mean[i] = how->beta1 * mean[i] + (1 - how->beta1) * g;
                square[i] = how->beta2 * square[i] + (1 - how->beta2) * g * g;
                double c1 = 1 - pow(how->beta1, t), c2 = 1 - pow(how->beta2, t);
                params[i] -=
                    how->form == SL_ADAM_PAPER
                        ? how->rate * mean[i] / c1 / (sqrt(square[i] / c2) + how->epsilon)
                        : how->rate * sqrt(c2) / c1 * mean[i] / (sqrt(square[i]) + how->epsilon);
            }
        }
    }
}

enum { STEPS = 40 };

static void draw_grads(SlReal *grads) {
    SlRng rng;
    sl_rng_init(&rng, 1, "train");
    for (int i = 0; i < STEPS * N; i++) // small ones are not clipped
        grads[i] = (SlReal)(sl_rng_normal(&rng) * (i / N % 3 == 0 ? 0.01 : 1));
}

static void steps_are_those_of_the_definition_with_and_without_clipping(void **state) {
    (void)state;
    static SlReal grads[STEPS * N];
    draw_grads(grads);
    for (int i = 0; i < 4; i++) {
        SlTrain how = usual;
        how.form = i % 2 ? SL_ADAM_TF1 : SL_ADAM_PAPER;
        how.epsilon = 1e-3;
        if (i / 2) how.most = 0;
        SlReal params[N] = {0}, mean[N] = {0}, square[N] = {0};
        double right[N] = {0};
        for (int t = 0; t < STEPS; t++)
            sl_train_step(&how, &shape, t + 1, params, grads + t * N, mean, square);
        reference(&how, STEPS, grads, right);
        for (int k = 0; k < N; k++) check_near((double)params[k], right[k]);
    }
}

static void every_tensor_is_clipped_by_itself(void **state) {
    (void)state;
    SlReal grad[N] = {0}, params[N] = {0}, mean[N] = {0}, square[N] = {0};
    grad[0] = 30, grad[1] = 40;  // norm 50, of the weights
    grad[W1] = 0.3F;             // biases, left as they are
    grad[W1 + B1] = 0.5F;        // exactly at the limit
    grad[W1 + B1 + W2 + 2] = -2; // biases, cut to 0.5
    sl_train_step(&usual, &shape, 1, params, grad, mean, square);
    check_near((double)mean[0], 0.1 * 0.3);
    check_near((double)mean[1], 0.1 * 0.4);
    check_near((double)mean[W1], 0.1 * 0.3);
    check_near((double)mean[W1 + B1], 0.1 * 0.5);
    check_near((double)mean[W1 + B1 + W2 + 2], -0.1 * 0.5);
    assert_true(grad[0] == 30);
}

static void every_instruction_set_takes_the_same_steps(void **state) {
    (void)state;
    static SlReal grads[STEPS * N];
    SlReal params[2][N] = {{0}}, mean[2][N] = {{0}}, square[2][N] = {{0}}, target[2][N] = {{0}};
    draw_grads(grads);
    for (int t = 0; t < STEPS; t++) {
        sl_train_step(&usual, &shape, t + 1, params[0], grads + t * N, mean[0], square[0]);
        plain_train_step(&usual, &shape, t + 1, params[1], grads + t * N, mean[1], square[1]);
        sl_soft_update(N, (SlReal)0.01, params[0], target[0]);
        plain_soft_update(N, (SlReal)0.01, params[1], target[1]);
    }
    assert_memory_equal(params[0], params[1], sizeof params[0]);
    assert_memory_equal(target[0], target[1], sizeof target[0]);
}

static void targets_follow(void **state) {
    (void)state;
    const SlReal params[] = {1, 2, 3};
    SlReal target[] = {0, 2, 7, 5};
    sl_soft_update(3, (SlReal)0.25, params, target);
    assert_true(target[0] == 0.25F && target[1] == 2 && target[2] == 6 && target[3] == 5);
    sl_soft_update(3, 1, params, target);
    assert_memory_equal(target, params, sizeof params);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_steps_are_those_worked_out_by_hand),
        cmocka_unit_test(steps_are_those_of_the_definition_with_and_without_clipping),
        cmocka_unit_test(every_tensor_is_clipped_by_itself),
        cmocka_unit_test(every_instruction_set_takes_the_same_steps),
        cmocka_unit_test(targets_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
