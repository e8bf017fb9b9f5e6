// test_text.c - growing strings, and numbers as people read them.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sweep.h"
#include "starling/core/text.h"

static void pieces_join_into_one_string(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    assert_string_equal(text.data, "");
    sl_text_add(&text, "%d-%s", 12, "ab");
    sl_text_put(&text, "xyz", 2);
    sl_text_add(&text, "%s", "");
    sl_text_put(&text, "q", 0);
    assert_string_equal(text.data, "12-abxy");
    assert_int_equal(text.n, 7);
    assert_false(text.failed);
    sl_arena_free(&arena);
}

static void a_long_string_keeps_every_byte(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    for (int i = 0; i < 10000; i++) {
        if (i % 2)
            sl_text_add(&text, "%05d,", i);
        else
            sl_text_put(&text, (char[]){'a', (char)('a' + i % 26), '\0'}, 2);
    }
    assert_int_equal(text.n, strlen(text.data));
    assert_int_equal(text.n, 5000 * 6 + 5000 * 2);
    const char *at = text.data;
    for (int i = 1; i < 10000; i += 2, at += 8) {
        char expected[16];
        snprintf(expected, sizeof expected, "a%c%05d,", 'a' + (i - 1) % 26, i);
        assert_memory_equal(at, expected, 8);
    }
    sl_arena_free(&arena);
}

static SlStatus build(SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    size_t kept = 0;
    for (int i = 0; i < 100; i++) {
        if (i % 2)
            sl_text_put(&text, ";", 1);
        else
            sl_text_add(&text, "%s-%d", "item", i);
        // a failed text keeps what it had and takes nothing more, however short
        if (!text.failed) kept = text.n;
        assert_int_equal(text.n, kept);
        assert_int_equal(strlen(text.data), text.n);
    }
    return text.failed ? SL_ENOMEM : SL_OK;
}

static void without_memory_a_text_stays_as_it_was(void **state) {
    (void)state;
    assert_true(sweep_memory(build, false) > 5);
}

static void counts_have_thousands_separators(void **state) {
    (void)state;
    char out[32];
    assert_string_equal(sl_show_count(1849688064, out), "1,849,688,064");
    assert_string_equal(sl_show_count(0, out), "0");
    assert_string_equal(sl_show_count(999, out), "999");
    assert_string_equal(sl_show_count(1000, out), "1,000");
    assert_string_equal(sl_show_count(-1234567, out), "-1,234,567");
    assert_string_equal(sl_show_count(-0.2, out), "0");
    assert_string_equal(sl_show_count(999.6, out), "1,000");
    assert_string_equal(sl_show_count(9007199254740991, out), "9,007,199,254,740,991");
    assert_string_equal(sl_show_count(-9007199254740991, out), "-9,007,199,254,740,991");
    assert_string_equal(sl_show_count(1e300, out), "1e+300");
    assert_string_equal(sl_show_count(INFINITY, out), "inf");
    assert_string_equal(sl_show_count(fabs((double)NAN), out), "nan");
}

static void short_numbers_have_three_digits_and_a_prefix(void **state) {
    (void)state;
    char out[32];
    assert_string_equal(sl_show_short(1849688064, out), "1.85 G");
    assert_string_equal(sl_show_short(0, out), "0");
    assert_string_equal(sl_show_short(12.345, out), "12.3");
    assert_string_equal(sl_show_short(999.4, out), "999");
    assert_string_equal(sl_show_short(999.5, out), "1 k");
    assert_string_equal(sl_show_short(-1500, out), "-1.5 k");
    assert_string_equal(sl_show_short(999499, out), "999 k");
    assert_string_equal(sl_show_short(999500, out), "1 M");
    assert_string_equal(sl_show_short(0.00123456, out), "0.00123");
    assert_string_equal(sl_show_short(5e18, out), "5 E");
    assert_string_equal(sl_show_short(5e25, out), "5e+07 E");
    assert_string_equal(sl_show_short(-INFINITY, out), "-inf");
    assert_string_equal(sl_show_short(fabs((double)NAN), out), "nan");
}

static void bytes_have_binary_units(void **state) {
    (void)state;
    char out[32];
    assert_string_equal(sl_show_bytes(6656, out), "6.5 KiB");
    assert_string_equal(sl_show_bytes(0, out), "0 B");
    assert_string_equal(sl_show_bytes(512, out), "512 B");
    assert_string_equal(sl_show_bytes(1023, out), "1023 B");
    assert_string_equal(sl_show_bytes(1024, out), "1 KiB");
    assert_string_equal(sl_show_bytes(1023 * 1024.0, out), "1023 KiB");
    assert_string_equal(sl_show_bytes(1024 * 1024 - 1, out), "1 MiB");
    assert_string_equal(sl_show_bytes(108 * 1024, out), "108 KiB");
    assert_string_equal(sl_show_bytes(3.5 * 1024 * 1024 * 1024, out), "3.5 GiB");
    assert_string_equal(sl_show_bytes(INFINITY, out), "inf B");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_join_into_one_string),
        cmocka_unit_test(a_long_string_keeps_every_byte),
        cmocka_unit_test(without_memory_a_text_stays_as_it_was),
        cmocka_unit_test(counts_have_thousands_separators),
        cmocka_unit_test(short_numbers_have_three_digits_and_a_prefix),
        cmocka_unit_test(bytes_have_binary_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
