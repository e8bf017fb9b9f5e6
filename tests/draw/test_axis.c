// test_axis.c - axes hold what they are given and have ticks at round numbers.
#include "support/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/axis.h"

// the ticks of an axis over low..high as "a b c"
static const char *ticks_of(bool is_log, double low, double high, bool air) {
    static char out[512];
    double ticks[AXIS_MAX_TICKS];
    char text[32];
    Axis axis;
    sl_axis_init(&axis, is_log);
    sl_axis_widen(&axis, low);
    sl_axis_widen(&axis, high);
    sl_axis_fit(&axis, air, 0, 100);
    int n = sl_axis_ticks(&axis, 6, ticks);
    out[0] = '\0';
    for (int i = 0; i < n; i++) {
        double step = !is_log && n > 1 ? ticks[1] - ticks[0] : 0;
        size_t used = strlen(out);
        snprintf(out + used, sizeof out - used, "%s%s", i ? " " : "",
                 sl_tick_text(ticks[i], step, text));
    }
    return out;
}

static void linear_ticks_are_round(void **state) {
    (void)state;
    assert_string_equal(ticks_of(false, 0, 2000, false), "0 500 1000 1500 2000");
    assert_string_equal(ticks_of(false, 0, 1, false), "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_string_equal(ticks_of(false, 0, 4.2, false), "0 1 2 3 4");
    assert_string_equal(ticks_of(false, -3, 3, false), "−3 −2 −1 0 1 2 3");
    assert_string_equal(ticks_of(false, 1, 20000, false), "5k 10k 15k 20k");
    assert_string_equal(ticks_of(false, 0, 0.003, false),
                        "0.0000 0.0005 0.0010 0.0015 0.0020 0.0025 0.0030");
    assert_string_equal(ticks_of(false, 1.02, 1.41, true), "1.0 1.1 1.2 1.3 1.4 1.5");
}

static void logarithmic_ticks_are_powers_or_simple_parts_of_them(void **state) {
    (void)state;
    assert_string_equal(ticks_of(true, 1, 20000, false), "1 10 100 1k 10k");
    assert_string_equal(ticks_of(true, 1, 60, false), "1 2 5 10 20 50");
    assert_string_equal(ticks_of(true, 1, 6, false), "1 1.5 2 3 4 5");
    assert_string_equal(ticks_of(true, 1, 1.4, false), "1 1.1 1.2 1.3 1.4");
    assert_string_equal(ticks_of(true, 1e-9, 1e15, false), "1e-8 0.0001 1 10k 100M 1T");
}

static void places_run_from_end_to_end(void **state) {
    (void)state;
    Axis axis;
    sl_axis_init(&axis, true);
    sl_axis_widen(&axis, 1);
    sl_axis_widen(&axis, 100);
    sl_axis_fit(&axis, false, 300, 100); // upwards
    assert_true(fabs(sl_axis_place(&axis, 1) - 300) < 1e-9);
    assert_true(fabs(sl_axis_place(&axis, 10) - 200) < 1e-9);
    assert_true(fabs(sl_axis_place(&axis, 100) - 100) < 1e-9);
    // never outside
    assert_true(sl_axis_place(&axis, 1e9) == 100);
    assert_false(sl_axis_holds(&axis, 0));
    assert_false(sl_axis_holds(&axis, -1));
    assert_false(sl_axis_holds(&axis, NAN));
    assert_false(sl_axis_holds(&axis, INFINITY));
}

static void any_ends_give_finite_places_and_some_ticks(void **state) {
    (void)state;
    const double ends[] = {0,      1,     -1,      3,        1e-300, DBL_MIN,
                           -1e300, 1e300, DBL_MAX, -DBL_MAX, NAN,    INFINITY};
    enum { N = sizeof ends / sizeof *ends };
    for (int i = 0; i < N * N * 4; i++) {
        Axis axis;
        double ticks[AXIS_MAX_TICKS], a = ends[i % N], b = ends[i / N % N];
        sl_axis_init(&axis, i / (N * N) % 2);
        sl_axis_widen(&axis, a);
        sl_axis_widen(&axis, b);
        sl_axis_fit(&axis, i / (2 * N * N), 10, 20);
        assert_true(isfinite(axis.low) && isfinite(axis.high) && axis.low < axis.high);
        int n = sl_axis_ticks(&axis, 6, ticks);
        assert_true(n >= 1 && n <= AXIS_MAX_TICKS);
        for (int k = 0; k < n; k++) {
            double place = sl_axis_place(&axis, ticks[k]);
            assert_true(place >= 10 && place <= 20);
            if (k > 0) assert_true(ticks[k] > ticks[k - 1]);
        }
    }
}

static void zero_stands_apart_where_an_axis_keeps_it(void **state) {
    (void)state;
    Axis axis;
    double ticks[AXIS_MAX_TICKS];
    sl_axis_init(&axis, true);
    axis.keeps_zero = true;
    sl_axis_widen(&axis, 0);
    sl_axis_widen(&axis, 0.1);
    sl_axis_widen(&axis, 10);
    assert_true(axis.has_zero && axis.low == 0.1);
    assert_true(sl_axis_holds(&axis, 0) && !sl_axis_holds(&axis, -1));
    sl_axis_fit(&axis, false, 300, 100); // upwards
    assert_true(sl_axis_place(&axis, 0) == 300);
    assert_true(fabs(sl_axis_place(&axis, 0.1) - (300 - AXIS_ZERO_ROOM)) < 1e-9);
    assert_true(fabs(sl_axis_place(&axis, 10) - 100) < 1e-9);
    int n = sl_axis_ticks(&axis, 6, ticks);
    for (int i = 0; i < n; i++) assert_true(ticks[i] > 0);
    // without it the scale begins at the start
    axis.has_zero = false;
    assert_true(fabs(sl_axis_place(&axis, 0.1) - 300) < 1e-9);
}

static void minor_places_are_2_to_9_of_every_power(void **state) {
    (void)state;
    Axis axis;
    double minor[AXIS_MAX_MINOR];
    sl_axis_init(&axis, true);
    sl_axis_widen(&axis, 50);
    sl_axis_widen(&axis, 20000);
    sl_axis_fit(&axis, false, 0, 100);
    // 50..90, 100..900, 1000..9000, 10000, 20000
    assert_int_equal(sl_axis_minor(&axis, minor), 5 + 9 + 9 + 2);
    assert_true(minor[0] == 50 && minor[24] == 20000);
    axis.high = 1e13;
    assert_int_equal(sl_axis_minor(&axis, minor), 12); // the powers alone
    axis.high = 1e100;
    assert_int_equal(sl_axis_minor(&axis, minor), 0);
    axis.is_log = false;
    assert_int_equal(sl_axis_minor(&axis, minor), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_round),
        cmocka_unit_test(logarithmic_ticks_are_powers_or_simple_parts_of_them),
        cmocka_unit_test(places_run_from_end_to_end),
        cmocka_unit_test(any_ends_give_finite_places_and_some_ticks),
        cmocka_unit_test(zero_stands_apart_where_an_axis_keeps_it),
        cmocka_unit_test(minor_places_are_2_to_9_of_every_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
