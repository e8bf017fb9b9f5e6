// test_adam.c - Adam against its definition written out for one number, and the norm of gradients.
#include "net_copies.h"
#include "support/check.h"

#include <math.h>

enum { N = 29, STEPS = 50 };

// the update of the papers for one parameter
static double reference(const SlAdam *adam, double param, int steps, const double *grads) {
    double mean = 0, square = 0;
    for (int t = 1; t <= steps; t++) {
        double g = grads[(t - 1) * N];
        mean = adam->beta1 * mean + (1 - adam->beta1) * g;
        square = adam->beta2 * square + (1 - adam->beta2) * g * g;
        double mean_hat = mean / (1 - pow(adam->beta1, t));
        double square_hat = square / (1 - pow(adam->beta2, t));
        param -= adam->rate * adam->decay * param;
        param -= adam->rate * mean_hat / (sqrt(square_hat) + adam->epsilon);
    }
    return param;
}

// run both precisions and compare; the gradients are of very different sizes
static void check_run(double decay, double beta2) {
    SlRng rng;
    sl_rng_init(&rng, 1, "adam");
    double grads[STEPS * N], start[N], params[N];
    SlReal single[N], grad[N];
    for (int i = 0; i < STEPS * N; i++) grads[i] = sl_rng_normal(&rng) * pow(10, i % N - 20);
    for (int i = 0; i < N; i++)
        params[i] = start[i] = sl_rng_normal(&rng), single[i] = (SlReal)start[i];

    SlArena arena;
    SlAdam adam;
    sl_arena_init(&arena, 0);
    assert_true(sl_adam_make(N, 0.003, &arena, &adam));
    adam.decay = decay;
    adam.beta2 = beta2;
    double_adam_run(&adam, N, STEPS, grads, params);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++) grad[i] = (SlReal)grads[t * N + i];
        sl_adam_step(&adam, single, grad);
    }
    for (int i = 0; i < N; i++) {
        double expected = reference(&adam, start[i], STEPS, grads + i);
        if (!(fabs(params[i] - expected) < 1e-12))
            fail_msg("%d: %g, not %g", i, params[i], expected);
        assert_true(fabs((double)single[i] - expected) < 1e-5);
        assert_true(fabs(expected - start[i]) > 1e-3 || i < 14); // below epsilon nothing moves
    }
    sl_arena_free(&arena);
}

static void steps_are_those_of_the_definition(void **state) {
    (void)state;
    check_run(0, 0.999);
    check_run(0, 0.99);
}

static void decay_shrinks_parameters_apart_from_the_gradient(void **state) {
    (void)state;
    check_run(0.5, 0.999);
    SlArena arena;
    SlAdam adam;
    sl_arena_init(&arena, 0);
    assert_true(sl_adam_make(1, 0.1, &arena, &adam));
    adam.decay = 0.25;
    SlReal param = 8, none = 0;
    sl_adam_step(&adam, &param, &none);
    assert_true(fabsf(param - (SlReal)7.8) < 1e-5);
    sl_arena_free(&arena);
}

static void the_first_step_is_the_rate_whatever_the_gradient(void **state) {
    (void)state;
    SlArena arena;
    SlAdam adam;
    sl_arena_init(&arena, 0);
    assert_true(sl_adam_make(3, 0.01, &arena, &adam));
    SlReal params[3] = {0}, grad[3] = {1000, -1e-3f, 0};
    for (int i = 0; i < 2; i++) {
        sl_adam_step(&adam, params, grad);
        assert_true(fabs((double)params[0] + 0.01) < 1e-6);
        assert_true(fabs((double)params[1] - 0.01) < 1e-6);
        assert_true(params[2] == 0);
        // after a reset the first step comes again
        sl_adam_reset(&adam);
        for (int j = 0; j < 3; j++) params[j] = 0;
    }
    sl_arena_free(&arena);
}

static void without_memory_there_is_no_adam(void **state) {
    (void)state;
    SlArena arena;
    SlAdam adam;
    sl_arena_init(&arena, 6000); // the first array fits, the second does not
    assert_false(sl_adam_make(1000, 0.1, &arena, &adam));
    sl_arena_free(&arena);
}

static void a_long_gradient_is_scaled_and_a_short_one_kept(void **state) {
    (void)state;
    SlReal grad[N], kept[N];
    double sum = 0;
    for (int i = 0; i < N; i++) {
        grad[i] = kept[i] = (SlReal)(i - 9);
        sum += (i - 9) * (i - 9);
    }
    assert_true(fabs(sl_clip_norm(N, grad, 1000) - sqrt(sum)) < 1e-12);
    assert_memory_equal(grad, kept, sizeof grad);
    assert_true(fabs(sl_clip_norm(N, grad, 0.5) - sqrt(sum)) < 1e-12);
    for (int i = 0; i < N; i++) {
        assert_true(fabs((double)grad[i] - (double)kept[i] * 0.5 / sqrt(sum)) < 1e-7);
    }
    assert_true(fabs(sl_clip_norm(N, grad, 0.5) - 0.5) < 1e-6);
    SlReal none[2] = {0};
    assert_true(sl_clip_norm(2, none, 1) == 0);
    assert_true(none[0] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_definition),
        cmocka_unit_test(decay_shrinks_parameters_apart_from_the_gradient),
        cmocka_unit_test(the_first_step_is_the_rate_whatever_the_gradient),
        cmocka_unit_test(without_memory_there_is_no_adam),
        cmocka_unit_test(a_long_gradient_is_scaled_and_a_short_one_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
