// test_shown.c - numbers as people read them.
#include <math.h>

#include "report/shown.h"
#include "support/check.h"

static void ratios_have_four_digits(void **state) {
    (void)state;
    assert_string_equal(sl_shown_ratio(1.0156).text, "1.016");
    assert_string_equal(sl_shown_ratio(9.99951).text, "10.00");
    assert_string_equal(sl_shown_ratio(99.996).text, "100.0");
    assert_string_equal(sl_shown_ratio(12345.6).text, "12,346");
    assert_string_equal(sl_shown_ratio(NAN).text, "–");
    assert_string_equal(sl_shown_ratio(INFINITY).text, "–");
}

static void factors_have_two_digits_and_their_bounds(void **state) {
    (void)state;
    assert_string_equal(sl_shown_factor(0.934).text, "0.93");
    assert_string_equal(sl_shown_factor(0.996).text, "1.0");
    assert_string_equal(sl_shown_factor(9.96).text, "10");
    assert_string_equal(sl_shown_factor(1234.5).text, "1,235");
    assert_string_equal(sl_shown_times(&(SlEstimate){.value = 3.14}).text, "3.1 ×");
    assert_string_equal(sl_shown_times(&(SlEstimate){.value = 36, .bound = true}).text, "≥ 36 ×");
    assert_string_equal(sl_shown_times(&(SlEstimate){.value = 2, .ceiling = true}).text, "≤ 2.0 ×");
    assert_string_equal(sl_shown_times(&(SlEstimate){.value = NAN}).text, "–");
    assert_string_equal(sl_shown_range(2.04, 44.4, sl_shown_factor).text, "2.0–44");
    assert_string_equal(sl_shown_range(NAN, 44.4, sl_shown_factor).text, "–");
}

static void all_and_none_are_said_only_where_true(void **state) {
    (void)state;
    assert_string_equal(sl_shown_share(1, 3).text, "33 %");
    assert_string_equal(sl_shown_share(3, 3).text, "100 %");
    assert_string_equal(sl_shown_share(999, 1000).text, "99.9 %");
    assert_string_equal(sl_shown_share(99999, 100000).text, "99.9 %");
    assert_string_equal(sl_shown_share(0, 1000).text, "0 %");
    assert_string_equal(sl_shown_share(1, 100000).text, "0.1 %");
    assert_string_equal(sl_shown_share(0, 0).text, "–");
}

static void values_samples_and_times_are_readable(void **state) {
    (void)state;
    assert_string_equal(sl_shown_value(38940).text, "38,940");
    assert_string_equal(sl_shown_value(1042.5).text, "1,043");
    assert_string_equal(sl_shown_value(3.05).text, "3.05");
    assert_string_equal(sl_shown_value(6.43e12).text, "6.430e+12");
    assert_string_equal(sl_shown_samples(12345, 20000).text, "12,345");
    assert_string_equal(sl_shown_samples(INFINITY, 20000).text, ">20,000");
    assert_string_equal(sl_shown_samples(NAN, 20000).text, "–");
    assert_string_equal(sl_shown_percent(0.3).text, "0.3 %");
    assert_string_equal(sl_shown_percent(3e-5).text, "<0.001 %");
    assert_string_equal(sl_shown_percent(1234).text, "1,234 %");
    assert_string_equal(sl_shown_p(0.0312).text, "0.031");
    assert_string_equal(sl_shown_p(0.0001).text, "<0.001");
    assert_string_equal(sl_shown_duration(0.01).text, "less than 0.1 s");
    assert_string_equal(sl_shown_duration(45).text, "45 s");
    assert_string_equal(sl_shown_duration(125).text, "2 min");
    assert_string_equal(sl_shown_duration(7980).text, "2 h 13 min");
    assert_string_equal(sl_shown_plural(1, "task").text, "1 task");
    assert_string_equal(sl_shown_plural(1234, "cell").text, "1,234 cells");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_have_four_digits),
        cmocka_unit_test(factors_have_two_digits_and_their_bounds),
        cmocka_unit_test(all_and_none_are_said_only_where_true),
        cmocka_unit_test(values_samples_and_times_are_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
