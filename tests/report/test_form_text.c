// test_form_text.c - a document for a terminal: lines, words and tables in a hundred columns.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "report/page.h"
#include "support/check.h"

static void words_and_tables_have_headings_but_pictures_alone_do_not(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_title(doc, "Pears < plums");
    sl_doc_words(doc, "Some `code <x>` and **%s** words, 2 < 3 * 4.", "strong");
    sl_doc_heading(doc, "Weights");
    SlTable *table = sl_table_make(&paper->arena, "All", "<name|n");
    sl_table_row(table);
    sl_table_cell(table, "pear");
    sl_table_cell(table, "1");
    sl_doc_grid(doc, "Weights of all", table);
    sl_doc_heading(doc, "A picture");
    sl_doc_figure(doc, "pears", "<svg/>", "What is seen, 1 < 2.");
    sl_doc_heading(doc, "End");
    sl_doc_words(doc, "That is all.");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT),
                        "Pears < plums\n"
                        "═════════════\n"
                        "\n"
                        "Some code <x> and strong words, 2 < 3 * 4.\n"
                        "\n"
                        "\n"
                        "Weights\n"
                        "───────\n"
                        "\n"
                        "All\n"
                        "name  n\n"
                        "pear  1\n"
                        "\n"
                        "\n"
                        "End\n"
                        "───\n"
                        "\n"
                        "That is all.\n");
}

static void a_heading_at_the_top_has_no_blank_lines_above(void **state) {
    Paper *paper = *state;
    sl_doc_heading(paper->doc, "Weights");
    sl_doc_words(paper->doc, "None.");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "Weights\n───────\n\nNone.\n");
}

static void values_with_labels_are_lines_below_each_other(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_number(doc, "e", "energy", SL_UNIT_PJ, 33.3e9);
    sl_doc_remark(doc, "of which `DRAM` 96 %%");
    sl_doc_number(doc, "machines alone", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_number(doc, NULL, "time per image", SL_UNIT_SECONDS, NAN);
    sl_doc_remark(doc, " (none)");
    sl_doc_flag(doc, "r", "ripe", true);
    sl_doc_string(doc, "o", "owner", NULL);
    sl_doc_text(doc, "m", "marks", "**a** `b`");
    sl_doc_text(doc, "b", "empty", "%s", "");
    sl_doc_words(doc, "End.");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT),
                        "energy          33.3 mJ, of which DRAM 96 %\n"
                        "time per image  - (none)\n"
                        "ripe            yes\n"
                        "owner           -\n"
                        "marks           **a** `b`\n"
                        "empty\n"
                        "\n"
                        "End.\n");
}

static void groups_are_headed_by_their_labels(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_open(doc, "a", "Group");
    sl_doc_text(doc, "x", "x", "1");
    sl_doc_close(doc);
    sl_doc_open(doc, "b", NULL);
    sl_doc_text(doc, "x", "y", "2");
    sl_doc_close(doc);
    sl_doc_open(doc, "c", "Machines alone");
    sl_doc_text(doc, "x", NULL, "3");
    sl_doc_close(doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "Group\n─────\n\nx  1\n\ny  2\n");
}

static void details_are_for_pages_and_files(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "In short.");
    sl_doc_detail(paper->doc, true);
    sl_doc_heading(paper->doc, "Fine print");
    sl_doc_words(paper->doc, "Every pear by name.");
    sl_doc_text(paper->doc, "x", "line", "pear");
    sl_doc_listing(paper->doc, "l", "Listing", "pear");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "In short.\n");
    assert_non_null(strstr(paper_form(paper, SL_FORM_MARKDOWN), "Every pear by name.\n"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "Every pear by name."));
}

static void listings_are_as_they_are(void **state) {
    Paper *paper = *state;
    sl_doc_listing(paper->doc, "a", "Nest", "for k\n  for `c`");
    sl_doc_listing(paper->doc, "b", "", "**x**\n");
    sl_doc_listing(paper->doc, "c", NULL, "for machines");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "Nest\nfor k\n  for `c`\n\n**x**\n");
}

static void lines_for_a_terminal_are_nowhere_else(void **state) {
    Paper *paper = *state;
    sl_doc_terminal(paper->doc, "a |=== b\n");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "a |=== b\n");
    assert_null(strstr(paper_form(paper, SL_FORM_HTML), "a |="));
    assert_null(strstr(paper_form(paper, SL_FORM_MARKDOWN), "a |="));
    assert_null(strstr(paper_form(paper, SL_FORM_JSON), "a |="));
}

static void words_are_wrapped_at_a_hundred_columns(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "%s",
                 "ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 "
                 "ü2345678 ü2345678 ü2345678 ü234567890 end");
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_non_null(strstr(text, " ü234567890\nend\n"));
    assert_int_equal(widest_line(text), 100);
}

static void further_lines_of_a_value_begin_below_the_first(void **state) {
    Paper *paper = *state;
    sl_doc_text(paper->doc, "x", "label", "%s",
                "ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 "
                "ü2345678 ü2345678 ü2345678 ü2345678 end");
    assert_non_null(strstr(paper_form(paper, SL_FORM_TEXT), " ü2345678\n       ü2345678 end\n"));
}

static void a_label_that_is_too_wide_has_a_line_of_its_own(void **state) {
    Paper *paper = *state;
    sl_doc_text(paper->doc, "a", "short", "1");
    sl_doc_text(paper->doc, "b", "a label of more than 24 columns", "2");
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "short  1\n"
                                                         "a label of more than 24 columns\n"
                                                         "       2\n");
}

// "word word word ..." of n words
static const char *many_words(Paper *paper, int n) {
    SlText text;
    sl_text_init(&text, &paper->arena);
    for (int i = 0; i < n; i++) sl_text_add(&text, "%sword%d", i > 0 ? " " : "", i);
    return text.data;
}

static void nothing_is_wider_than_a_hundred_columns(void **state) {
    static const SlColumn columns[] = {
        SL_COLUMN("a", "name", .cut = true), SL_COLUMN("b", "number"), SL_COLUMN("c", "words"),
        SL_COLUMN("d", "more words"),        SL_COLUMN("e", "last"),
    };
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    const char *words = many_words(paper, 60), *few = many_words(paper, 7);
    sl_doc_title(doc, "%s", words);
    sl_doc_heading(doc, "%s", words);
    sl_doc_words(doc, "%s", words);
    sl_doc_text(doc, "a", "label", "%s", words);
    sl_doc_remark(doc, "%s", words);
    sl_doc_text(doc, "b", words, "%s", words);
    sl_doc_text(doc, "c", few, "%s", words);
    sl_doc_warn(doc, "%s", words);
    sl_doc_text(doc, "d", few, "%s", words); // no other label is beside it
    sl_doc_open(doc, "e", words);
    sl_doc_bar(doc, "bar", -7, 1e9);
    sl_doc_close(doc);
    sl_doc_table(doc, "t", words, 5, columns);
    for (int i = 0; i < 2; i++) {
        sl_doc_row(doc);
        sl_doc_text(doc, "a", NULL, "%s", words);
        sl_doc_number(doc, "b", NULL, SL_UNIT_COUNT, 1e15);
        for (int c = 0; c < 3; c++)
            sl_doc_text(doc, (const char *[]){"c", "d", "e"}[c], NULL, "%s", few);
    }
    sl_doc_close(doc);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    assert_true(widest_line(text) <= 100);
    assert_null(strstr(text, " \n")); // no blanks at the end of lines
    // nothing but the cells that may be cut has lost a word
    assert_int_equal(count_of(text, "word59"), 12);
}

static void the_whole_document_is_in_it(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    const char *text = paper_form(paper, SL_FORM_TEXT);
    static const char *const lines[] = {"Pears < plums\n",
                                        "name    <b>pear|*`[x](y) & \"co\"\n",
                                        "energy  33.3 mJ, with care < 1\n",
                                        "worst   -\n",
                                        "share        █████\n",
                                        "page    the <page>\n",
                                        "Totals\n──────\n\nLatency  709,767 cycles, of all\n",
                                        "Mind the wasps.\n",
                                        "Recipe\n1. wash\n2. eat ```raw```\n",
                                        "All fruit\n─────────\n\nname",
                                        "fig, \"dry\"  1,001  12,345  ██████████\n",
                                        "=1+1        2,001  12,346  ██████████\n",
                                        "pear  1,000\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text, lines[i])) fail_msg("no line %s in %s", lines[i], text);
    assert_null(strstr(text, "Fine print"));
    assert_null(strstr(text, "<svg"));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(words_and_tables_have_headings_but_pictures_alone_do_not),
        CASE(a_heading_at_the_top_has_no_blank_lines_above),
        CASE(values_with_labels_are_lines_below_each_other),
        CASE(groups_are_headed_by_their_labels),
        CASE(details_are_for_pages_and_files),
        CASE(listings_are_as_they_are),
        CASE(lines_for_a_terminal_are_nowhere_else),
        CASE(words_are_wrapped_at_a_hundred_columns),
        CASE(further_lines_of_a_value_begin_below_the_first),
        CASE(a_label_that_is_too_wide_has_a_line_of_its_own),
        CASE(nothing_is_wider_than_a_hundred_columns),
        CASE(the_whole_document_is_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
