// test_scan.c - words, their places, comments, numbers, and what errors say of them.
#include "support/check.h"

#include <string.h>

#include "starling/core/scan.h"

static SlScan scan_text(const char *text) {
    SlScan scan;
    sl_scan_init(&scan, "t.txt", text, strlen(text), " \t,;", "//");
    return scan;
}

static void expect_word(SlScan *scan, const char *word, int line, int column) {
    SlToken token;
    assert_true(sl_scan_next(scan, &token));
    assert_true(sl_token_is(&token, word));
    assert_int_equal(token.line, line);
    assert_int_equal(token.column, column);
}

static void words_know_their_places(void **state) {
    (void)state;
    SlScan scan = scan_text("  Network,net\n\n\t{;;a }\n}");
    expect_word(&scan, "Network", 1, 3);
    expect_word(&scan, "net", 1, 11);
    expect_word(&scan, "{", 3, 2);
    expect_word(&scan, "a", 3, 5);
    expect_word(&scan, "}", 3, 7);
    expect_word(&scan, "}", 4, 1);
    SlToken end;
    assert_false(sl_scan_next(&scan, &end));
    assert_int_equal(end.n, 0);
    assert_int_equal(end.line, 4);
    assert_int_equal(end.column, 2);
    assert_false(sl_scan_next(&scan, &end));
}

static void a_comment_hides_the_rest_of_its_line_and_begins_a_word(void **state) {
    (void)state;
    SlScan scan = scan_text("// all\n//\na //b c\nd//e f ;//g");
    expect_word(&scan, "a", 3, 1);
    expect_word(&scan, "d//e", 4, 1);
    expect_word(&scan, "f", 4, 6);
    SlToken end;
    assert_false(sl_scan_next(&scan, &end));

    sl_scan_init(&scan, "t.txt", "//a / b", 7, " ", NULL);
    expect_word(&scan, "//a", 1, 1);
    expect_word(&scan, "/", 1, 5);
    expect_word(&scan, "b", 1, 7);
}

static void only_the_given_bytes_are_read(void **state) {
    (void)state;
    SlScan scan;
    SlToken token;
    sl_scan_init(&scan, "t.txt", "ab\0c /", 6, " ", "//");
    assert_true(sl_scan_next(&scan, &token));
    assert_int_equal(token.n, 4);
    assert_true(sl_scan_next(&scan, &token));
    assert_true(sl_token_is(&token, "/"));
    sl_scan_init(&scan, "t.txt", "//", 1, " ", "//");
    assert_true(sl_scan_next(&scan, &token));
    assert_true(sl_token_is(&token, "/"));
    sl_scan_init(&scan, "t.txt", "", 0, " ", "//");
    assert_false(sl_scan_next(&scan, &token));
    assert_int_equal(token.line, 1);
    assert_int_equal(token.column, 1);
}

static void a_word_is_another_only_if_all_bytes_agree(void **state) {
    (void)state;
    SlToken token = {.text = "Layers", .n = 5};
    assert_true(sl_token_is(&token, "Layer"));
    assert_false(sl_token_is(&token, "Laye"));
    assert_false(sl_token_is(&token, "Layers"));
    assert_false(sl_token_is(&token, "layer"));
}

static SlToken word(const char *text) {
    return (SlToken){.text = text, .n = strlen(text), .line = 2, .column = 7};
}

static void numbers_are_digits_within_the_range(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "-1",  "+1",  "1.5",
                                      "1e3", "0x1", "12a", "99999999999999999999999"};
    int64_t value = -7;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlToken token = word(bad[i]);
        assert_false(sl_token_int(&token, 0, INT64_MAX, &value));
    }
    SlToken three = word("003"), most = word("9223372036854775807"),
            over = word("9223372036854775808");
    assert_false(sl_token_int(&three, 4, 9, &value));
    assert_false(sl_token_int(&three, 0, 2, &value));
    assert_false(sl_token_int(&over, 0, INT64_MAX, &value));
    assert_int_equal(value, -7);
    assert_true(sl_token_int(&three, 3, 3, &value));
    assert_int_equal(value, 3);
    assert_true(sl_token_int(&most, 0, INT64_MAX, &value));
    assert_true(value == INT64_MAX);
}

static void a_copy_fits_with_its_nul_or_is_refused(void **state) {
    (void)state;
    char out[4];
    SlToken three = word("abc"), four = word("abcd"), hole = {.text = "a\0b", .n = 3};
    assert_true(sl_token_copy(&three, sizeof out, out));
    assert_string_equal(out, "abc");
    assert_false(sl_token_copy(&four, sizeof out, out));
    assert_false(sl_token_copy(&hole, sizeof out, out));
}

static void printable_words_are_utf_8_without_control_characters(void **state) {
    (void)state;
    static const char *const bad[] = {"a\x01",    "\x7f",         "caf\xe9",
                                      "\xc2\x85", "\xe2\x80\xa8", "\xc3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlToken token = word(bad[i]);
        assert_false(sl_token_printable(&token));
    }
    SlToken good = word("caf\xc3\xa9-1"), hole = {.text = "a\0b", .n = 3};
    assert_true(sl_token_printable(&good));
    assert_false(sl_token_printable(&hole));
}

static void an_error_stands_at_the_word_and_shows_forty_bytes_of_it(void **state) {
    (void)state;
    SlScan scan = scan_text("");
    SlError err;
    SlToken token = word("0123456789012345678901234567890123456789tail");
    assert_int_equal(sl_token_fail(&scan, &token, &err, "expected %d, got '%.*s'", 7,
                                   sl_token_shown(&token), token.text),
                     SL_EINPUT);
    assert_string_equal(err.file, "t.txt");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 7);
    assert_string_equal(err.text, "expected 7, got '0123456789012345678901234567890123456789'");
    assert_int_equal(sl_token_fail(&scan, &token, NULL, "no one listens"), SL_EINPUT);
    // the cut is not inside a character
    SlToken accents = word("012345678901234567890123456789012345678\xc3\xa9x");
    assert_int_equal(sl_token_shown(&accents), 39);
    SlToken brief = word("ab");
    assert_int_equal(sl_token_shown(&brief), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_know_their_places),
        cmocka_unit_test(a_comment_hides_the_rest_of_its_line_and_begins_a_word),
        cmocka_unit_test(only_the_given_bytes_are_read),
        cmocka_unit_test(a_word_is_another_only_if_all_bytes_agree),
        cmocka_unit_test(numbers_are_digits_within_the_range),
        cmocka_unit_test(a_copy_fits_with_its_nul_or_is_refused),
        cmocka_unit_test(printable_words_are_utf_8_without_control_characters),
        cmocka_unit_test(an_error_stands_at_the_word_and_shows_forty_bytes_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
