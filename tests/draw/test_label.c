// test_label.c - names are counted, cut and made safe by characters.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/label.h"
#include "draw/svg.h"

static const char *shown(SlText *text, const char *name, int columns) {
    text->n = 0;
    sl_label_put(text, name, columns);
    return text->data;
}

static int make_text(void **state) {
    static SlArena arena;
    static SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    *state = &text;
    return 0;
}

static int drop_text(void **state) {
    sl_arena_free(((SlText *)*state)->arena);
    return 0;
}

static void characters_count_not_bytes(void **state) {
    (void)state;
    assert_int_equal(sl_label_characters("L2 K", 0), 4);
    assert_int_equal(sl_label_characters("größe", 0), 5);
    assert_int_equal(sl_label_characters("größe", 3), 3);
    assert_int_equal(sl_label_characters("\xff\xc3", 0), 2); // invalid bytes, one each
    assert_int_equal(sl_label_characters("", 0), 0);
    assert_int_equal(sl_label_characters(NULL, 0), 0);
}

static void only_valid_characters_have_bytes(void **state) {
    (void)state;
    assert_int_equal(sl_label_bytes("a"), 1);
    assert_int_equal(sl_label_bytes("ö"), 2);
    assert_int_equal(sl_label_bytes("→"), 3);
    assert_int_equal(sl_label_bytes("\xF0\x9F\x90\xA6"), 4);
    static const char *const invalid[] = {
        "\x01",     "\x7f",         "\xc2\x85",     "\x80",         "\xc3",
        "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xef\xbf\xbf", "\xf4\x90\x80\x80",
        "\xff"};
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        assert_int_equal(sl_label_bytes(invalid[i]), 0);
}

static void names_fill_their_columns(void **state) {
    assert_string_equal(shown(*state, "L2 K", 6), "L2 K  ");
    assert_string_equal(shown(*state, "L2 K", 4), "L2 K");
    assert_string_equal(shown(*state, "L2 order", 5), "L2 o…");
    assert_string_equal(shown(*state, "größe", 4), "grö…");
    assert_string_equal(shown(*state, "a\x01\xff", 4), "a?? ");
}

static const char *escaped(SlText *text, const char *name, int most) {
    text->n = 0;
    sl_svg_escape(text, name, most);
    return text->data;
}

static void xml_text_is_escaped_and_cut(void **state) {
    assert_string_equal(escaped(*state, "<a & \"b\" 'c'>", 0),
                        "&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;");
    assert_string_equal(escaped(*state, "&&&&", 3), "&amp;&amp;…");
    assert_string_equal(escaped(*state, "&&&", 3), "&amp;&amp;&amp;");
    assert_string_equal(escaped(*state, "a\x02\xff", 0), "a\uFFFD\uFFFD");
}

// lines as "a|b…"
static const char *lines_of(const char *text, double ems, int most) {
    static char out[128];
    LabelLine lines[4];
    int n = sl_label_lines(text, ems, most, lines);
    out[0] = '\0';
    for (int i = 0; i < n; i++) {
        size_t used = strlen(out);
        snprintf(out + used, sizeof out - used, "%s%.*s%s", i ? "|" : "", lines[i].n_bytes,
                 lines[i].text, lines[i].cut ? "…" : "");
    }
    return out;
}

static void lines_break_between_words_where_they_can(void **state) {
    (void)state;
    assert_string_equal(lines_of("one two three", 100, 3), "one two three");
    assert_string_equal(lines_of("one two three", 5, 3), "one two|three");
    assert_string_equal(lines_of("one two three", 5, 1), "one tw…");
    assert_string_equal(lines_of("conv2_1-pointwise", 6, 3), "conv2_1-|pointwise");
    assert_string_equal(lines_of("aaaaaaaaaaaaaaaaaaaa", 6, 2), "aaaaaaaaa|aaaaaaaa…");
    assert_string_equal(lines_of("ööö ööö", 0.1, 4), "ö|ö|ö|ö…");
    assert_string_equal(lines_of("", 5, 3), "");
    assert_int_equal(sl_label_lines(NULL, 5, 3, NULL), 0);
}

static void no_line_is_wider_than_its_room(void **state) {
    (void)state;
    static const char text[] = "The quick brown fox, MobileNet-v2 K16 C32 112x112: jumps – over "
                               "größe and verylongwordswithoutanybreak (100 %)";
    for (int width = 0; width < 50; width++) {
        double ems = 3 + 0.7 * width;
        LabelLine lines[4];
        char line[256];
        int n = sl_label_lines(text, ems, 4, lines);
        assert_true(n >= 1 && n <= 4);
        for (int i = 0; i < n; i++) {
            snprintf(line, sizeof line, "%.*s%s", lines[i].n_bytes, lines[i].text,
                     lines[i].cut ? "…" : "");
            assert_true(sl_label_ems(line, 0) <= ems + 1e-9);
        }
    }
}

static void wide_letters_take_more_room(void **state) {
    (void)state;
    assert_true(sl_label_ems("iiii", 0) < sl_label_ems("aaaa", 0));
    assert_true(sl_label_ems("aaaa", 0) < sl_label_ems("MMMM", 0));
    assert_true(sl_label_ems("aaaa", 2) < 1.4 && sl_label_ems("aaaa", 2) > 0.9);
    assert_true(sl_label_ems(NULL, 0) == 0);
}

static void numbers_have_three_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text, *with_zeros;
    } rows[] = {{0, "0", "0"},
                {1, "1", "1.00"},
                {1.5, "1.5", "1.50"},
                {9.996, "10", "10.0"},
                {12.345, "12.3", "12.3"},
                {999.4, "999", "999"},
                {999.6, "1k", "1.00k"},
                {15360, "15.4k", "15.4k"},
                {0.05, "0.05", "0.0500"},
                {0.012345, "0.0123", "0.0123"},
                {-2.5, "−2.5", "−2.50"},
                {1e-7, "1e-7", "1e-7"},
                {9.99e-5, "1e-4", "1e-4"},
                {NAN, "–", "–"},
                {INFINITY, "–", "–"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[32];
        assert_string_equal(sl_label_number(rows[i].value, false, text), rows[i].text);
        assert_string_equal(sl_label_number(rows[i].value, true, text), rows[i].with_zeros);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_count_not_bytes),
        cmocka_unit_test(only_valid_characters_have_bytes),
        cmocka_unit_test_setup_teardown(names_fill_their_columns, make_text, drop_text),
        cmocka_unit_test(lines_break_between_words_where_they_can),
        cmocka_unit_test(no_line_is_wider_than_its_room),
        cmocka_unit_test(wide_letters_take_more_room),
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test_setup_teardown(xml_text_is_escaped_and_cut, make_text, drop_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
