// test_utf8.c - which bytes are characters, and how texts are made safe.
#include "support/check.h"

#include <string.h>

#include "core/utf8.h"

// the encoding of a code point, straight from the definition; returns its bytes
static int encode(uint32_t code, char out[static 4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = size - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF00 >> size & 0xFF) | code);
    return size;
}

static void every_scalar_value_and_no_surrogate_is_a_character(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= 0x110000; code++) {
        char bytes[4];
        int size = encode(code, bytes);
        bool valid = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
        assert_int_equal(sl_utf8_size(bytes, (size_t)size), valid ? size : 0);
        if (size > 1) assert_int_equal(sl_utf8_size(bytes, (size_t)size - 1), 0);
    }
}

static void overlong_and_lone_bytes_are_malformed(void **state) {
    (void)state;
    assert_int_equal(sl_utf8_size("\xC0\x80", 2), 0);
    assert_int_equal(sl_utf8_size("\xC1\xBF", 2), 0);
    assert_int_equal(sl_utf8_size("\xE0\x9F\xBF", 3), 0);
    assert_int_equal(sl_utf8_size("\xF0\x8F\xBF\xBF", 4), 0);
    assert_int_equal(sl_utf8_size("\xF5\x80\x80\x80", 4), 0);
    assert_int_equal(sl_utf8_size("\x80", 1), 0);
    assert_int_equal(sl_utf8_size("\xC3z", 2), 0);
    assert_int_equal(sl_utf8_size("\xE2\x82z", 3), 0);
    assert_int_equal(sl_utf8_size("", 0), 0);
}

static void cleaning_fits_any_room(void **state) {
    (void)state;
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa6z\n";
    char out[16];
    for (size_t room = 1; room <= sizeof out; room++) {
        memset(out, 'X', sizeof out);
        sl_utf8_clean(text, room, out);
        assert_true(strlen(out) < room);
        size_t n = strlen(out);
        for (size_t i = 0; i < n;) {
            int size = sl_utf8_size(out + i, n - i);
            assert_true(size > 0);
            i += (size_t)size;
        }
    }
    assert_string_equal(out, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa6z?");
    sl_utf8_clean(text, 12, out);
    assert_string_equal(out, "a\xc3\xa9\xe2\x82\xac...");
}

static void quoting_keeps_short_words_and_cuts_long_ones(void **state) {
    (void)state;
    char out[SL_QUOTE_ROOM];
    assert_string_equal(sl_quote("", out), "''");
    assert_string_equal(sl_quote("a b\xff", out), "'a b?'");
    char word[200];
    memset(word, 'w', sizeof word);
    word[SL_QUOTE_CHARACTERS] = '\0';
    assert_int_equal(strlen(sl_quote(word, out)), SL_QUOTE_CHARACTERS + 2);
    word[SL_QUOTE_CHARACTERS] = 'w';
    word[199] = '\0';
    assert_int_equal(strlen(sl_quote(word, out)), SL_QUOTE_CHARACTERS + 5);
    assert_string_equal(out + SL_QUOTE_CHARACTERS + 1, "...'");
}

static void quoting_long_characters_fits_its_room(void **state) {
    (void)state;
    char out[SL_QUOTE_ROOM], word[4 * 60 + 1] = "";
    for (size_t i = 0; i < 60; i++) memcpy(word + 4 * i, "\xf0\x9f\x90\xa6", 5);
    assert_int_equal(strlen(sl_quote(word, out)), 4 * SL_QUOTE_CHARACTERS + 5);
    word[4 * SL_QUOTE_CHARACTERS] = '\0';
    assert_int_equal(strlen(sl_quote(word, out)), 4 * SL_QUOTE_CHARACTERS + 2);
}

static void a_check_names_the_first_bad_place(void **state) {
    (void)state;
    SlError err;
    assert_int_equal(sl_utf8_check("f", "a\tb\r\n\xc3\xa9", 7, &err), SL_OK);
    assert_int_equal(sl_utf8_check("f", "a\n\xc3\xa9\xff", 5, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected UTF-8 text, found the byte 0xFF");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 2);
    assert_int_equal(sl_utf8_check("f", "a\0b", 3, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected text, found the character U+0000");
    assert_int_equal(err.column, 2);
    assert_int_equal(sl_utf8_check("f", "\x7f", 1, &err), SL_EINPUT);
    assert_int_equal(sl_utf8_check("f", "\xef\xbf\xbe", 3, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected text, found the character U+FFFE");
}

static void what_turns_text_around_is_neither_text_nor_shown(void **state) {
    (void)state;
    for (uint32_t code = 0x2000; code < 0x2100; code++) {
        bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
        bool breaks = code == 0x2028 || code == 0x2029;
        char bytes[5] = "", out[8];
        encode(code, bytes);
        assert_int_equal(sl_utf8_check("f", bytes, 3, NULL), turns ? SL_EINPUT : SL_OK);
        assert_int_equal(sl_utf8_plain(bytes, 3), !turns && !breaks);
        sl_utf8_clean(bytes, sizeof out, out);
        assert_string_equal(out, turns || breaks ? "?" : bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_value_and_no_surrogate_is_a_character),
        cmocka_unit_test(what_turns_text_around_is_neither_text_nor_shown),
        cmocka_unit_test(overlong_and_lone_bytes_are_malformed),
        cmocka_unit_test(cleaning_fits_any_room),
        cmocka_unit_test(quoting_keeps_short_words_and_cuts_long_ones),
        cmocka_unit_test(quoting_long_characters_fits_its_room),
        cmocka_unit_test(a_check_names_the_first_bad_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
