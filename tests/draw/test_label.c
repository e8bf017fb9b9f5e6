// test_label.c - names are counted, cut and made safe by characters.
#include "support/check.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_count_not_bytes),
        cmocka_unit_test(only_valid_characters_have_bytes),
        cmocka_unit_test_setup_teardown(names_fill_their_columns, make_text, drop_text),
        cmocka_unit_test_setup_teardown(xml_text_is_escaped_and_cut, make_text, drop_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
