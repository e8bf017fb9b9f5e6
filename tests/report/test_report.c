// test_report.c - documents: blocks in order, as text, Markdown and a page.
#include <string.h>

#include "html_check.h"
#include "starling/report.h"
#include "support/check.h"

typedef struct {
    SlArena arena;
    SlReport report;
    SlText out;
} Paper;

static const char picture[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>.sl{}</style></svg>";

static int setup(void **state) {
    static Paper paper;
    sl_arena_init(&paper.arena, 0);
    sl_text_init(&paper.out, &paper.arena);
    SlReport *report = &paper.report;
    sl_report_make(report, "Pears < plums", &paper.arena);
    sl_report_words(report, "Some `code <x>` and **%s** words, 2 < 3 * 4.", "strong");
    sl_report_heading(report, "Weights");
    SlTable *table = sl_table_make(&paper.arena, "All", "<name|n");
    sl_table_row(table);
    sl_table_cell(table, "pear");
    sl_table_cell(table, "1");
    sl_report_table(report, "Weights of all", table);
    sl_report_heading(report, "A picture");
    sl_report_figure(report, "pears", picture, "What is seen, 1 < 2.");
    sl_report_figure(report, "pears", picture, "Again.");
    *state = &paper;
    return 0;
}

static int teardown(void **state) {
    Paper *paper = *state;
    sl_arena_free(&paper->arena);
    return 0;
}

static void text_has_words_and_tables_and_no_heading_above_pictures_alone(void **state) {
    Paper *paper = *state;
    sl_report_text(&paper->report, &paper->out);
    assert_string_equal(paper->out.data, "Pears < plums\n"
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
                                         "pear  1\n");
}

static void details_are_for_pages_and_files(void **state) {
    Paper *paper = *state;
    paper->report.details = true;
    sl_report_heading(&paper->report, "Fine print");
    sl_report_words(&paper->report, "Every pear by name.");
    sl_report_text(&paper->report, &paper->out);
    assert_null(strstr(paper->out.data, "Fine print"));
    assert_null(strstr(paper->out.data, "by name"));
    sl_report_markdown(&paper->report, "figures", &paper->out);
    assert_non_null(strstr(paper->out.data, "Every pear by name."));
}

static void words_are_wrapped_at_a_hundred_columns(void **state) {
    Paper *paper = *state;
    SlReport report;
    sl_report_make(&report, "T", &paper->arena);
    sl_report_words(&report, "%s",
                    "ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 ü2345678 "
                    "ü2345678 ü2345678 ü2345678 ü234567890 end");
    sl_report_text(&report, &paper->out);
    assert_non_null(strstr(paper->out.data, " ü234567890\nend\n"));
}

static void markdown_links_its_pictures(void **state) {
    Paper *paper = *state;
    sl_report_markdown(&paper->report, "figures", &paper->out);
    assert_string_equal(paper->out.data, "# Pears \\< plums\n"
                                         "\n"
                                         "Some `code <x>` and **strong** words, 2 \\< 3 * 4.\n"
                                         "\n"
                                         "## Weights\n"
                                         "\n"
                                         "**All**\n"
                                         "\n"
                                         "| name | n |\n"
                                         "|---|---:|\n"
                                         "| pear | 1 |\n"
                                         "\n"
                                         "## A picture\n"
                                         "\n"
                                         "![What is seen, 1 \\< 2.](figures/pears.svg)\n"
                                         "\n"
                                         "*What is seen, 1 \\< 2.*\n"
                                         "\n"
                                         "![Again.](figures/pears-2.svg)\n"
                                         "\n"
                                         "*Again.*\n");
}

static void a_page_is_whole_and_needs_nothing_from_elsewhere(void **state) {
    Paper *paper = *state;
    sl_report_html(&paper->report, &paper->out);
    assert_page(&paper->out);
    const char *page = paper->out.data;
    assert_non_null(strstr(page, "<h1>Pears &lt; plums</h1>"));
    assert_non_null(strstr(page, "<p>Some <code>code &lt;x&gt;</code> and <strong>strong</strong> "
                                 "words, 2 &lt; 3 * 4.</p>"));
    assert_non_null(strstr(page, "<h2 id=\"weights\">Weights</h2>"));
    assert_non_null(strstr(page, "<figcaption>What is seen, 1 &lt; 2.</figcaption>"));
}

static void one_style_sheet_serves_all_pictures_of_a_page(void **state) {
    Paper *paper = *state;
    sl_report_html(&paper->report, &paper->out);
    const char *first = strstr(paper->out.data, "<style>.sl{}</style>");
    assert_non_null(first);
    assert_null(strstr(first + 1, "<style>.sl{}</style>"));
}

static void a_page_of_many_headings_has_contents(void **state) {
    Paper *paper = *state;
    sl_report_heading(&paper->report, "The end, at last");
    sl_report_html(&paper->report, &paper->out);
    assert_page(&paper->out);
    assert_non_null(strstr(paper->out.data, "<a href=\"#the-end-at-last\">The end, at last</a>"));
}

static void names_of_blocks_are_names_of_files(void **state) {
    Paper *paper = *state;
    const char *names[3] = {0};
    int n = 0;
    for (const SlBlock *block = paper->report.first; block; block = block->next)
        if (block->name) names[n++] = block->name;
    assert_string_equal(names[0], "weights-of-all");
    assert_string_equal(names[1], "pears");
    assert_string_equal(names[2], "pears-2");
}

static void marks_without_a_partner_are_text(void **state) {
    Paper *paper = *state;
    SlReport report;
    sl_report_make(&report, "T", &paper->arena);
    sl_report_words(&report, "a ` b ** c");
    sl_report_html(&report, &paper->out);
    assert_page(&paper->out);
    assert_non_null(strstr(paper->out.data, "<p>a ` b ** c</p>"));
}

static void a_report_without_memory_says_so(void **state) {
    Paper *paper = *state;
    for (size_t limit = 0; limit < 2048; limit += 32) {
        SlArena little;
        SlReport report;
        SlText out;
        sl_arena_init(&little, limit);
        sl_report_make(&report, "title", &little);
        sl_report_heading(&report, "%0200d", 1);
        sl_report_words(&report, "%0200d", 2);
        sl_report_table(&report, "name", sl_table_make(&little, "", "a"));
        sl_report_figure(&report, "name", picture, "seen");
        sl_text_init(&out, &paper->arena);
        sl_report_html(&report, &out);
        int n = 0;
        for (const SlBlock *block = report.first; block; block = block->next) n++;
        assert_true(out.failed == report.failed && (report.failed || n == 4));
        sl_arena_free(&little);
    }
}

static void the_checker_of_pages_sees_what_is_wrong(void **state) {
    (void)state;
    assert_null(html_check("<!doctype html><p class=\"a>b\">x<br></p>"));
    assert_non_null(html_check("<p></p>"));
    assert_non_null(html_check("<!doctype html><p><b></p></b>"));
    assert_non_null(html_check("<!doctype html><p>"));
    assert_non_null(html_check("<!doctype html><p></p></p>"));
    assert_non_null(html_check("<!doctype html>1 < 2"));
    assert_null(html_check("<!doctype html><style>a>b{}<p></style>"));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(text_has_words_and_tables_and_no_heading_above_pictures_alone),
        CASE(details_are_for_pages_and_files),
        CASE(words_are_wrapped_at_a_hundred_columns),
        CASE(markdown_links_its_pictures),
        CASE(a_page_is_whole_and_needs_nothing_from_elsewhere),
        CASE(one_style_sheet_serves_all_pictures_of_a_page),
        CASE(a_page_of_many_headings_has_contents),
        CASE(names_of_blocks_are_names_of_files),
        CASE(marks_without_a_partner_are_text),
        CASE(a_report_without_memory_says_so),
        CASE(the_checker_of_pages_sees_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
