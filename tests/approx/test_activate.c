// test_activate.c - activations against the C library and against their definitions.
#include "approx/activate.h"
#include "net_copies.h"
#include "support/check.h"

#include <float.h>
#include <math.h>

static void tanh_is_right_to_a_few_units_in_the_last_place(void **state) {
    (void)state;
    // small, usual and large arguments, both signs
    for (double size = 1e-30; size < 1e30; size *= 1.0007) {
        SlReal y[2] = {(SlReal)size, -(SlReal)size};
        double exact = tanh((double)y[0]);
        sl_activate(SL_TANH, 2, y);
        if (!(fabs(y[0] - exact) <= 4 * FLT_EPSILON * exact)) fail_msg("tanh %g: %g", size, y[0]);
        assert_true(y[1] == -y[0]);
        assert_true(y[0] <= 1);

        double z[2] = {size, -size};
        exact = tanh(size);
        double_activate(SL_TANH, 2, z);
        if (!(fabs(z[0] - exact) <= 4 * DBL_EPSILON * exact)) fail_msg("tanh %g: %g", size, z[0]);
        assert_true(z[1] == -z[0]);
    }
}

static void tanh_knows_zero_infinity_and_nan(void **state) {
    (void)state;
    SlReal y[4] = {0, INFINITY, -INFINITY, NAN};
    sl_activate(SL_TANH, 4, y);
    assert_true(y[0] == 0);
    assert_true(y[1] == 1);
    assert_true(y[2] == -1);
    assert_true(isnan(y[3]));
}

static void both_relus_bend_at_zero(void **state) {
    (void)state;
    SlReal y[] = {-2, -1, 0, 1, 2, NAN}, z[] = {-2, -1, 0, 1, 2, NAN};
    SlReal bent[] = {-2 * (SlReal)0.05, -(SlReal)0.05, 0, 1, 2}, cut[] = {0, 0, 0, 1, 2};
    sl_activate(SL_LEAKY_RELU, 6, y);
    sl_activate(SL_RELU, 6, z);
    for (int i = 0; i < 5; i++) {
        assert_true(y[i] == bent[i]);
        assert_true(z[i] == cut[i]);
    }
    assert_true(isnan(y[5]) && isnan(z[5]));
}

static void every_length_is_done_to_its_end_and_no_further(void **state) {
    (void)state;
    enum { MOST = 40 };
    for (int activation = SL_TANH; activation <= SL_LEAKY_RELU; activation++) {
        SlReal one = -1, slope = 1;
        sl_activate((SlActivation)activation, 1, &one);
        sl_activate_back((SlActivation)activation, 1, &one, &slope);
        for (int n = 0; n <= MOST; n++) {
            SlReal y[MOST + 1], dy[MOST + 1];
            for (int i = 0; i <= MOST; i++) y[i] = -1, dy[i] = 1;
            sl_activate((SlActivation)activation, (size_t)n, y);
            sl_activate_back((SlActivation)activation, (size_t)n, y, dy);
            for (int i = 0; i < n; i++) assert_true(y[i] == one && dy[i] == slope);
            assert_true(y[n] == -1 && dy[n] == 1);
        }
    }
}

static void derivatives_are_finite_differences(void **state) {
    (void)state;
    const double h = 1e-6;
    for (int activation = SL_TANH; activation <= SL_LEAKY_RELU; activation++) {
        for (double x = -3.05; x < 3; x += 0.1) {
            double at[3] = {x, x - h, x + h}, slope = 7;
            double_activate((SlActivation)activation, 3, at);
            double_activate_back((SlActivation)activation, 1, at, &slope);
            assert_true(fabs(slope - 7 * (at[2] - at[1]) / (2 * h)) < 1e-8);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tanh_is_right_to_a_few_units_in_the_last_place),
        cmocka_unit_test(tanh_knows_zero_infinity_and_nan),
        cmocka_unit_test(both_relus_bend_at_zero),
        cmocka_unit_test(every_length_is_done_to_its_end_and_no_further),
        cmocka_unit_test(derivatives_are_finite_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
