// test_words.c - words in lines and in HTML, and names of files.
#include <string.h>

#include "doc_help.h"
#include "report/words.h"
#include "support/check.h"

static const char *with(Paper *paper, void write(const char *text, SlText *out), const char *text) {
    SlText out;
    sl_text_init(&out, &paper->arena);
    write(text, &out);
    assert_false(out.failed);
    return out.data;
}

static void columns_are_characters(void **state) {
    (void)state;
    assert_int_equal(sl_words_columns(""), 0);
    assert_int_equal(sl_words_columns("aü×漢"), 4);
    assert_int_equal(sl_words_cut("aü×漢", 2), 3);
    assert_int_equal(sl_words_cut("aü×漢", 9), 8);
    assert_int_equal(sl_words_cut("aü", 0), 0);
}

static void marks_are_left_out_where_they_have_a_partner(void **state) {
    Paper *paper = *state;
    assert_string_equal(with(paper, sl_words_plain, "a `b*` **c** d"), "a b* c d");
    assert_string_equal(with(paper, sl_words_plain, "a ` b ** c * d"), "a ` b ** c * d");
    assert_string_equal(with(paper, sl_words_plain, "`**` x **"), "** x **");
    assert_string_equal(with(paper, sl_words_plain, "``****"), "");
}

static void lines_break_between_words_alone(void **state) {
    Paper *paper = *state;
    SlText out;
    sl_text_init(&out, &paper->arena);
    sl_words_lines("  ab `cd`\n ef  ghijklmnop q", 7, &out);
    assert_string_equal(out.data, "ab `cd`\nef\nghijklmnop\nq\n");
    out.n = 0;
    sl_words_wrap("ab `cd` ef", 7, &out);
    assert_string_equal(out.data, "ab cd\nef\n");
    out.n = 0;
    sl_words_lines("", 7, &out);
    assert_string_equal(out.data, "\n");
}

static void html_is_escaped_between_its_marks(void **state) {
    Paper *paper = *state;
    assert_string_equal(with(paper, sl_words_html, "1 < 2 `a&b` **\"c\"**"),
                        "1 &lt; 2 <code>a&amp;b</code> <strong>&quot;c&quot;</strong>");
    assert_string_equal(with(paper, sl_words_html, "` **<"), "` **&lt;");
}

static void names_of_files_are_small_letters_digits_and_dashes(void **state) {
    Paper *paper = *state;
    assert_string_equal(with(paper, sl_words_slug, "MobileNet-v2 latency"), "mobilenet-v2-latency");
    assert_string_equal(with(paper, sl_words_slug, "../../etc/passwd"), "etc-passwd");
    assert_string_equal(with(paper, sl_words_slug, "  ü (a)  "), "a");
    assert_string_equal(with(paper, sl_words_slug, "×"), "");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(columns_are_characters),
        CASE(marks_are_left_out_where_they_have_a_partner),
        CASE(lines_break_between_words_alone),
        CASE(html_is_escaped_between_its_marks),
        CASE(names_of_files_are_small_letters_digits_and_dashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
