// test_table.c - tables: what goes in, and the four ways it comes out.
#include <stdio.h>
#include <string.h>

#include "report/page.h"
#include "starling/report.h"
#include "support/check.h"

typedef struct {
    SlArena arena;
    SlText out;
} Paper;

static int setup(void **state) {
    static Paper paper;
    sl_arena_init(&paper.arena, 0);
    sl_text_init(&paper.out, &paper.arena);
    *state = &paper;
    return 0;
}

static int teardown(void **state) {
    Paper *paper = *state;
    sl_arena_free(&paper->arena);
    return 0;
}

static SlTable *small_table(Paper *paper) {
    SlTable *table = sl_table_make(&paper->arena, "Fruit & nuts", "<name|weight|share");
    sl_table_row(table);
    sl_table_cell(table, "%s", "pear | plum");
    sl_table_cell(table, "%s", "12,345");
    sl_table_strong(table);
    sl_table_cell(table, "%s", "96 %");
    sl_table_rule(table);
    sl_table_row(table);
    sl_table_cell(table, "a \"fig\", %d", 2);
    sl_table_cell(table, "%.1f ×", 3.1);
    return table;
}

static void text_has_numbers_to_the_right_and_a_star_at_the_best(void **state) {
    Paper *paper = *state;
    sl_table_text(small_table(paper), 100, &paper->out);
    assert_string_equal(paper->out.data, "Fruit & nuts\n"
                                         "name         weight   share\n"
                                         "pear | plum  12,345*   96 %\n"
                                         "───────────────────────────\n"
                                         "a \"fig\", 2    3.1 ×\n");
}

static void text_that_may_give_way_is_cut_where_the_table_is_too_wide(void **state) {
    Paper *paper = *state;
    SlTable *table = sl_table_make(&paper->arena, "", "~name|n");
    sl_table_row(table);
    sl_table_cell(table, "überaus lange Worte");
    sl_table_cell(table, "1");
    sl_table_text(table, 15, &paper->out);
    assert_string_equal(paper->out.data, "name          n\nüberaus lan…  1\n");
}

static void columns_that_do_not_fit_are_left_out_from_the_right_and_named(void **state) {
    Paper *paper = *state;
    SlTable *table = sl_table_make(&paper->arena, "", "<row|aaaaaa|bbbbbb|cccccc");
    for (int i = 0; i < 2; i++) {
        sl_table_row(table);
        sl_table_cell(table, "r%d", i);
        for (int c = 0; c < 3; c++) sl_table_cell(table, "%d", 10 * i + c);
    }
    sl_table_text(table, 26, &paper->out);
    assert_string_equal(paper->out.data, "row  aaaaaa  bbbbbb\n"
                                         "r0        0       1\n"
                                         "r1       10      11\n"
                                         "(not shown at this width:\n"
                                         "cccccc)\n");
}

static void the_first_columns_stay_however_wide_they_are(void **state) {
    Paper *paper = *state;
    SlTable *table = sl_table_make(&paper->arena, "", "<row|wide|wider|n");
    sl_table_row(table);
    sl_table_cell(table, "r");
    sl_table_cell(table, "123456789012");
    sl_table_cell(table, "12345678901234");
    sl_table_cell(table, "1");
    sl_table_text(table, 10, &paper->out);
    assert_string_equal(paper->out.data, "row          wide\n"
                                         "r    123456789012\n"
                                         "(not shown\n"
                                         "at this\n"
                                         "width:\n"
                                         "wider, n)\n");
}

static void markdown_escapes_bars_and_marks_the_best(void **state) {
    Paper *paper = *state;
    sl_table_markdown(small_table(paper), &paper->out);
    assert_string_equal(paper->out.data, "**Fruit & nuts**\n\n"
                                         "| name | weight | share |\n"
                                         "|---|---:|---:|\n"
                                         "| pear \\| plum | **12,345** | 96 % |\n"
                                         "| a \"fig\", 2 | 3.1 × |  |\n");
}

static void csv_quotes_text_and_has_plain_numbers(void **state) {
    Paper *paper = *state;
    sl_table_csv(small_table(paper), &paper->out);
    assert_string_equal(paper->out.data, "name,weight,share\n"
                                         "pear | plum,12345,96\n"
                                         "\"a \"\"fig\"\", 2\",3.1,\n");
}

static void csv_drops_commas_between_thousands_alone(void **state) {
    static const char *const cells[][2] = {
        {"1,234,567", "1234567"},         {"1,23", "\"1,23\""},     {"–", ""},
        {"10,500–12,000", "10500–12000"}, {"1,2345", "\"1,2345\""}, {"≥ 1,000 ×", "≥ 1000"},
    };
    Paper *paper = *state;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        SlTable *table = sl_table_make(&paper->arena, "", "n");
        SlText out;
        char expected[64];
        sl_text_init(&out, &paper->arena);
        sl_table_row(table);
        sl_table_cell(table, "%s", cells[i][0]);
        sl_table_csv(table, &out);
        snprintf(expected, sizeof expected, "n\n%s\n", cells[i][1]);
        assert_string_equal(out.data, expected);
    }
}

static void html_escapes_and_stands_in_a_box_that_scrolls(void **state) {
    Paper *paper = *state;
    sl_table_html(small_table(paper), &paper->out);
    assert_non_null(strstr(paper->out.data, "<h3>Fruit &amp; nuts</h3>"));
    assert_non_null(strstr(paper->out.data, "<div class=\"scroll\""));
    assert_non_null(strstr(paper->out.data, "<td class=\"t\">a &quot;fig&quot;, 2</td>"));
    assert_non_null(strstr(paper->out.data, "<td><strong>12,345</strong></td>"));
    assert_non_null(strstr(paper->out.data, "</tbody><tbody>"));
}

static void cells_without_a_row_or_a_column_are_dropped(void **state) {
    Paper *paper = *state;
    SlTable *table = sl_table_make(&paper->arena, "", "<a|b");
    sl_table_cell(table, "nowhere");
    sl_table_strong(table);
    sl_table_row(table);
    sl_table_strong(table);
    for (int i = 0; i < 3; i++) sl_table_cell(table, "line\n%d", i);
    sl_table_text(table, 100, &paper->out);
    assert_string_equal(paper->out.data, "a            b\nline 0  line 1\n");
}

static void what_cannot_be_shown_is_a_question_mark(void **state) {
    Paper *paper = *state;
    SlTable *table = sl_table_make(&paper->arena, "", "<a\x1b[31m|b");
    sl_table_row(table);
    sl_table_cell(table, "\xE2\x80\xAE%s", "txt\xFF");
    sl_table_cell(table, "1\t2");
    sl_table_text(table, 100, &paper->out);
    assert_string_equal(paper->out.data, "a?[31m    b\n?txt?   1 2\n");
}

static void many_columns_are_fine(void **state) {
    Paper *paper = *state;
    SlTable *table =
        sl_table_make(&paper->arena, "", "<r|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20");
    sl_table_row(table);
    for (int i = 0; i <= 20; i++) sl_table_cell(table, "%d", i);
    sl_table_markdown(table, &paper->out);
    assert_non_null(strstr(paper->out.data, "| 19 | 20 |\n"));
}

static void a_table_without_memory_fails_what_it_is_written_to(void **state) {
    Paper *paper = *state;
    for (size_t limit = 0; limit < 4096; limit += 64) {
        SlArena little;
        SlText out;
        sl_arena_init(&little, limit);
        SlTable *table = sl_table_make(&little, "title", "<a|b");
        sl_table_row(table);
        sl_table_cell(table, "%0500d", 1);
        sl_table_strong(table);
        sl_table_rule(table);
        sl_text_init(&out, &paper->arena);
        sl_table_text(table, 100, &out);
        // all of it or a failure
        assert_true(out.failed || strlen(out.data) > 1000);
        sl_arena_free(&little);
    }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(text_has_numbers_to_the_right_and_a_star_at_the_best),
        CASE(text_that_may_give_way_is_cut_where_the_table_is_too_wide),
        CASE(columns_that_do_not_fit_are_left_out_from_the_right_and_named),
        CASE(the_first_columns_stay_however_wide_they_are),
        CASE(markdown_escapes_bars_and_marks_the_best),
        CASE(csv_quotes_text_and_has_plain_numbers),
        CASE(csv_drops_commas_between_thousands_alone),
        CASE(html_escapes_and_stands_in_a_box_that_scrolls),
        CASE(cells_without_a_row_or_a_column_are_dropped),
        CASE(what_cannot_be_shown_is_a_question_mark),
        CASE(many_columns_are_fine),
        CASE(a_table_without_memory_fails_what_it_is_written_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
