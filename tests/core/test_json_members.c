// test_json_members.c - members of objects that other programs wrote.
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starling/core/json.h"

// member "x" of the object; the text goes into a block of its own size, so that reading past it is
// seen
static bool read_x(const char *text, SlJsonMember *x) {
    size_t n = strlen(text);
    char *copy = malloc(n + !n);
    for (size_t i = 0; i < n; i++) copy[i] = text[i];
    *x = (SlJsonMember){.name = "x"};
    bool read = sl_json_members(copy, n, 1, x);
    free(copy);
    return read;
}

static void assert_x(const char *text, SlJsonKind kind, double number, const char *expected) {
    SlJsonMember x;
    assert_true(read_x(text, &x));
    assert_int_equal(x.kind, kind);
    assert_true(x.number == number);
    assert_string_equal(x.text, expected);
}

static void every_kind_of_member_is_told(void **state) {
    (void)state;
    assert_x("{}", SL_JSON_ABSENT, 0, "");
    assert_x("{\"y\":1}", SL_JSON_ABSENT, 0, "");
    assert_x("{\"x\":null}", SL_JSON_NULL, 0, "null");
    assert_x(" {\"y\": [{}], \"x\": -2.5e3 }\r", SL_JSON_NUMBER, -2500, "-2500.0");
    assert_x("{\"x\":\"\\ud83d\\ude00 a\\nb\"}", SL_JSON_TEXT, 0, "\xf0\x9f\x98\x80 a?b");
    assert_x("{\"x\":true}", SL_JSON_OTHER, 0, "true");
    assert_x("{\"x\":[1, {\"z\": \"\"}]}", SL_JSON_OTHER, 0, "[1.0,{\"z\":\"\"}]");
}

static void whole_numbers_may_be_larger_than_64_bits(void **state) {
    (void)state;
    assert_x("{\"x\":7}", SL_JSON_NUMBER, 7, "7.0");
    assert_x("{\"x\":100000000000000000000000}", SL_JSON_NUMBER, 1e23, "1e23");
}

static void numbers_that_are_not_finite_count_as_strings(void **state) {
    (void)state;
    static const char *const words[] = {"NaN", "nan",  "-nan",  "Infinity", "-Infinity",
                                        "inf", "-inf", "1e999", "-1e999"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"x\":%s,\"y\":\"\\\"NaN\"}", words[i]);
        assert_x(text, SL_JSON_TEXT, 0, words[i]);
    }
}

static void what_is_not_one_object_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",        "7",          "[1]",          "null",          "hello",     "{\"x\":1",
        "{x:1}",   "{\"x\":1}}", "{\"x\":1} {}", "{\"x\":in}",    "{\"x\":\"", "{\"x\":\"\\",
        "{\"x\":", "NaN",        "\"\xff\"",     "{\"x\":nan(1)}"};
    SlJsonMember x;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_false(read_x(texts[i], &x));
}

static void long_text_is_cut(void **state) {
    (void)state;
    char letters[901] = "", text[1024];
    SlJsonMember x;
    memset(letters, 'a', sizeof letters - 1);
    snprintf(text, sizeof text, "{\"x\":\"%s\"}", letters);
    assert_true(read_x(text, &x));
    assert_int_equal(strlen(x.text), sizeof x.text - 1);
    assert_string_equal(x.text + sizeof x.text - 6, "aa...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_member_is_told),
        cmocka_unit_test(whole_numbers_may_be_larger_than_64_bits),
        cmocka_unit_test(numbers_that_are_not_finite_count_as_strings),
        cmocka_unit_test(what_is_not_one_object_is_refused),
        cmocka_unit_test(long_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
