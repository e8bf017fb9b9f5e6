// test_unit.c - numbers as people read them, by their unit.
#include <math.h>
#include <string.h>

#include "report/page.h"
#include "starling/report/unit.h"
#include "support/check.h"

typedef struct {
    SlUnit unit;
    double value;
    const char *shown;
} Shown;

static void assert_shown(int n, const Shown *shown) {
    char out[SL_UNIT_ROOM];
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(sl_unit_show(shown[i].unit, shown[i].value, out), out);
        assert_string_equal(out, shown[i].shown);
    }
}
#define SHOWN(...)                                                                                 \
    do {                                                                                           \
        static const Shown all[] = {__VA_ARGS__};                                                  \
        assert_shown((int)(sizeof all / sizeof *all), all);                                        \
    } while (0)

static void every_unit_has_its_form(void **state) {
    (void)state;
    SHOWN({SL_UNIT_PLAIN, 3.14159265, "3.14159"}, {SL_UNIT_PLAIN, 1e9, "1e+09"},
          {SL_UNIT_COUNT, 1849688064, "1,849,688,064"}, {SL_UNIT_SHORT, 1849688064, "1.85 G"},
          {SL_UNIT_CYCLES, 709767, "709,767 cycles"}, {SL_UNIT_BYTES, 6656, "6.5 KiB"},
          {SL_UNIT_PJ, 33.3e9, "33.3 mJ"}, {SL_UNIT_SECONDS, 0.315, "315 ms"},
          {SL_UNIT_MW, 540, "540 mW"}, {SL_UNIT_UM2, 1.85e6, "1.85 mm²"},
          {SL_UNIT_JS, 0.0105, "10.5 mJ·s"}, {SL_UNIT_TIMES, 1.37, "1.37 ×"},
          {SL_UNIT_SHARE, 0.083, "8.3 %"}, {SL_UNIT_RATE, 17.94, "17.9"},
          {SL_UNIT_RATE, 6940.4, "6,940"});
}

static void what_is_no_number_is_a_dash_in_every_unit(void **state) {
    (void)state;
    static const double none[] = {NAN, INFINITY, -INFINITY};
    char out[SL_UNIT_ROOM];
    for (int unit = SL_UNIT_PLAIN; unit <= SL_UNIT_RATE; unit++)
        for (int i = 0; i < 3; i++)
            assert_string_equal(sl_unit_show((SlUnit)unit, none[i], out), "-");
}

static void numbers_round_up_to_the_next_prefix(void **state) {
    (void)state;
    SHOWN({SL_UNIT_SECONDS, 0, "0 s"}, {SL_UNIT_SECONDS, 999.4, "999 s"},
          {SL_UNIT_SECONDS, 999.6, "1.00 ks"}, {SL_UNIT_SECONDS, 0.9994, "999 ms"},
          {SL_UNIT_SECONDS, 0.9996, "1.00 s"}, {SL_UNIT_SECONDS, 9.996, "10.0 s"},
          {SL_UNIT_SECONDS, 99.96, "100 s"}, {SL_UNIT_SECONDS, -0.25, "-250 ms"},
          {SL_UNIT_PJ, 1, "1.00 pJ"}, {SL_UNIT_SECONDS, 2e-5, "20.0 µs"});
}

static void shares_and_factors_keep_their_digits(void **state) {
    (void)state;
    SHOWN({SL_UNIT_SHARE, 0, "0 %"}, {SL_UNIT_SHARE, 0.0004, "<0.1 %"}, {SL_UNIT_SHARE, 1, "100 %"},
          {SL_UNIT_SHARE, 12, "12.0 ×"}, {SL_UNIT_SHARE, -0.5, "-50 %"},
          {SL_UNIT_TIMES, 9.999, "10.0 ×"}, {SL_UNIT_TIMES, 99.99, "100 ×"},
          {SL_UNIT_TIMES, 12345, "12,345 ×"}, {SL_UNIT_RATE, 999.6, "1,000"},
          {SL_UNIT_RATE, 0.5, "0.5"});
}

static void the_largest_numbers_have_room(void **state) {
    (void)state;
    char out[SL_UNIT_ROOM];
    for (int unit = SL_UNIT_PLAIN; unit <= SL_UNIT_RATE; unit++) {
        sl_unit_show((SlUnit)unit, -1.7e308, out);
        sl_unit_show((SlUnit)unit, 1.7e308, out);
        sl_unit_show((SlUnit)unit, 5e-324, out);
        assert_non_null(memchr(out, '\0', sizeof out));
    }
}

static void an_axis_has_numbers_that_are_read_easily(void **state) {
    (void)state;
    char unit[SL_UNIT_ROOM];
    assert_true(fabs(sl_unit_axis(SL_UNIT_PJ, 33.3e9, unit) - 1e-9) < 1e-20);
    assert_string_equal(unit, "mJ");
    assert_true(fabs(sl_unit_axis(SL_UNIT_SECONDS, 2e-5, unit) - 1e6) < 1e-6);
    assert_string_equal(unit, "µs");
    assert_true(sl_unit_axis(SL_UNIT_CYCLES, 1e9, unit) == 1);
    assert_string_equal(unit, "cycles");
    assert_true(sl_unit_axis(SL_UNIT_SECONDS, 0, unit) == 1);
    assert_string_equal(unit, "s");
    assert_true(sl_unit_axis(SL_UNIT_JS, NAN, unit) == 1);
    assert_string_equal(unit, "J·s");
    assert_true(sl_unit_axis(SL_UNIT_COUNT, 1e9, unit) == 1);
    assert_string_equal(unit, "");
}

static void a_number_is_compared_with_another_in_words(void **state) {
    (void)state;
    static const struct {
        double base, now;
        const char *shown;
    } all[] = {{100, 91.7, "8.3 % less"},
               {100, 112, "12.0 % more"},
               {100, 240, "2.40 × as much"},
               {100, 100.04, "the same"},
               {0, 1, "-"},
               {1, INFINITY, "-"},
               {100, 1e7, "100,000 × as much"},
               {NAN, 1, "-"},
               {100, 0, "100.0 % less"}};
    char out[SL_UNIT_ROOM];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_string_equal(sl_unit_compare(all[i].base, all[i].now, out), all[i].shown);
}

static void times_to_wait_have_one_or_two_units(void **state) {
    (void)state;
    char out[SL_UNIT_ROOM];
    assert_string_equal(sl_unit_wait(34.4, out), "34 s");
    assert_string_equal(sl_unit_wait(89.4, out), "89 s");
    assert_string_equal(sl_unit_wait(725, out), "12 min");
    assert_string_equal(sl_unit_wait(3600 + 4 * 60, out), "64 min");
    assert_string_equal(sl_unit_wait(2 * 3600 + 4 * 60, out), "2 h 04 min");
    assert_string_equal(sl_unit_wait(7199.9, out), "2 h 00 min"); // never "1 h 60 min"
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_has_its_form),
        cmocka_unit_test(what_is_no_number_is_a_dash_in_every_unit),
        cmocka_unit_test(numbers_round_up_to_the_next_prefix),
        cmocka_unit_test(shares_and_factors_keep_their_digits),
        cmocka_unit_test(the_largest_numbers_have_room),
        cmocka_unit_test(an_axis_has_numbers_that_are_read_easily),
        cmocka_unit_test(a_number_is_compared_with_another_in_words),
        cmocka_unit_test(times_to_wait_have_one_or_two_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
