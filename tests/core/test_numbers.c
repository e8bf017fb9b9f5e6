// test_numbers.c - numbers as people write them; nothing is rounded, wrapped or guessed.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"

typedef struct {
    const char *text;
    bool valid;
    int64_t value;
} Whole;

static void whole_numbers_have_several_spellings(void **state) {
    (void)state;
    static const Whole cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"4096", true, 4096},
        {"+7", true, 7},
        {"-3", true, -3},
        {"007", true, 7},
        {"4_096", true, 4096},
        {"1_000_000", true, 1000000},
        {"4e3", true, 4000},
        {"4E3", true, 4000},
        {"4e+3", true, 4000},
        {"1.5e3", true, 1500},
        {"1.50e1", true, 15},
        {"4.0", true, 4},
        {"4000e-3", true, 4},
        {"0e999999999999", true, 0},
        {"0.0", true, 0},
        {"0e-999999999999", true, 0},
        {"0.000001e6", true, 1},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"922337203685477580.7e1", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"18446744073709551616", false, 0},
        {"99999999999999999999999999", false, 0},
        {"1e19", false, 0},
        {"1e999999999999999999999", false, 0},
        {"1e-999999999999999999999", false, 0},
        {"4.5", false, 0},
        {"15e-1", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {".", false, 0},
        {"e3", false, 0},
        {"4e", false, 0},
        {"4e+", false, 0},
        {"4 ", false, 0},
        {" 4", false, 0},
        {"4_", false, 0},
        {"_4", false, 0},
        {"4__0", false, 0},
        {"4_.0", false, 0},
        {"0x10", false, 0},
        {"--4", false, 0},
        {"4k", false, 0},
        {"inf", false, 0},
        {"nan", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 12345;
        bool valid = sl_scan_int(cases[i].text, strlen(cases[i].text), 1, &value);
        if (valid != cases[i].valid) fail_msg("'%s' is %svalid", cases[i].text, valid ? "" : "in");
        assert_true(value == (valid ? cases[i].value : 12345));
    }
}

static void bytes_have_binary_units(void **state) {
    (void)state;
    static const Whole cases[] = {
        {"4096", true, 4096},
        {"4 KiB", true, 4096},
        {"4KiB", true, 4096},
        {"1 MiB", true, 1 << 20},
        {"2 GiB", true, (int64_t)2 << 30},
        {"1 TiB", true, (int64_t)1 << 40},
        {"12 B", true, 12},
        {"1.5 KiB", true, 1536},
        {"0.5 KiB", true, 512},
        {"1e3 KiB", true, 1024000},
        {"-1 KiB", true, -1024},
        {"0.0001 KiB", false, 0},
        {"8388608 TiB", false, 0},
        {"4 KB", false, 0},
        {"4 kib", false, 0},
        {"KiB", false, 0},
        {"", false, 0},
        {"4 KiB KiB", false, 0},
        {"4 KiB5", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 12345;
        bool valid = sl_scan_bytes(cases[i].text, &value);
        if (valid != cases[i].valid) fail_msg("'%s' is %svalid", cases[i].text, valid ? "" : "in");
        assert_true(value == (valid ? cases[i].value : 12345));
    }
}

static void reals_are_decimal_or_infinite(void **state) {
    (void)state;
    static const char *const valid[] = {"0",    "1",  "-1.5",    "1e-3",   ".5",
                                        "5.",   "+2", "1.7e308", "1e-999", "123456789.123456789",
                                        "-1e5", "0.1"};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        double value = 12345;
        assert_true(sl_scan_real(valid[i], &value));
        assert_true(value == strtod(valid[i], NULL));
    }
    double value = 0;
    assert_true(sl_scan_real("1_000.5", &value) && value == 1000.5);
    assert_true(sl_scan_real("inf", &value) && value == INFINITY);
    assert_true(sl_scan_real("-inf", &value) && value == -INFINITY);
    assert_true(sl_scan_real(".inf", &value) && value == INFINITY);
    static const char *const invalid[] = {"",   "-",     "nan",   ".nan", "0x1p3", "1e999", "1,5",
                                          "1 ", "infin", "1.2.3", "e5",   "--1",   "+-inf", "1e"};
    value = 12345;
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        if (sl_scan_real(invalid[i], &value)) fail_msg("'%s' is valid", invalid[i]);
        assert_true(value == 12345);
    }
}

static void a_number_of_absurd_length_is_refused(void **state) {
    (void)state;
    static char text[100001];
    double real = 0;
    int64_t whole = 0;
    memset(text, '0', sizeof text - 1);
    assert_true(sl_scan_int(text, strlen(text), 1, &whole));
    assert_true(whole == 0);
    text[0] = '1';
    assert_false(sl_scan_int(text, strlen(text), 1, &whole));
    assert_false(sl_scan_real(text, &real));
}

static void truth_has_three_spellings(void **state) {
    (void)state;
    bool value = false;
    assert_true(sl_scan_bool("true", &value) && value);
    assert_true(sl_scan_bool("false", &value) && !value);
    assert_true(sl_scan_bool("yes", &value) && value);
    assert_true(sl_scan_bool("no", &value) && !value);
    assert_true(sl_scan_bool("on", &value) && value);
    assert_true(sl_scan_bool("off", &value) && !value);
    assert_false(sl_scan_bool("1", &value));
    assert_false(sl_scan_bool("", &value));
}

static void a_parsed_int_is_digits_within_the_range(void **state) {
    (void)state;
    SlError err;
    int64_t value = 9;
    assert_int_equal(sl_parse_int("-3", -3, 3, &value, &err), SL_OK);
    assert_true(value == -3);
    assert_int_equal(sl_parse_int("3", -3, 3, &value, &err), SL_OK);
    assert_int_equal(sl_parse_int("4", -3, 3, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a whole number from -3 to 3, got '4'");
    assert_int_equal(sl_parse_int("4e3", 0, INT64_MAX, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a whole number of at least 0, got '4e3'");
    assert_int_equal(sl_parse_int("x", INT64_MIN, 7, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a whole number of at most 7, got 'x'");
    assert_int_equal(sl_parse_int("-", INT64_MIN, INT64_MAX, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a whole number, got '-'");
    assert_int_equal(sl_parse_int("99999999999999999999", 0, INT64_MAX, &value, NULL), SL_EINPUT);
    assert_true(value == 3);
}

static void a_parsed_real_is_within_the_range(void **state) {
    (void)state;
    SlError err;
    double value = 9;
    assert_int_equal(sl_parse_real("0.25", 0, 1, &value, &err), SL_OK);
    assert_true(value == 0.25);
    assert_int_equal(sl_parse_real("1.5", 0, 1, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a number from 0 to 1, got '1.5'");
    assert_int_equal(sl_parse_real("inf", 0, 1, &value, &err), SL_EINPUT);
    assert_int_equal(sl_parse_real("inf", 0, INFINITY, &value, &err), SL_OK);
    assert_int_equal(sl_parse_real("nan", -INFINITY, INFINITY, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a number, got 'nan'");
    assert_int_equal(sl_parse_real("-1", 0.5, INFINITY, &value, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected a number of at least 0.5, got '-1'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_have_several_spellings),
        cmocka_unit_test(bytes_have_binary_units),
        cmocka_unit_test(reals_are_decimal_or_infinite),
        cmocka_unit_test(a_number_of_absurd_length_is_refused),
        cmocka_unit_test(truth_has_three_spellings),
        cmocka_unit_test(a_parsed_int_is_digits_within_the_range),
        cmocka_unit_test(a_parsed_real_is_within_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
