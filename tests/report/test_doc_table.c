// test_doc_table.c - tables of documents: which member stands in which column, and how.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "support/check.h"

// a row with a table of two rows in it, and an area
static void add_machine(SlDoc *doc, double reads, double area_um2) {
    sl_doc_row(doc);
    sl_doc_table(doc, "levels", NULL, 0, NULL);
    sl_doc_row(doc);
    sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, reads);
    sl_doc_row(doc);
    sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, reads + 0.1);
    sl_doc_close(doc);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, area_um2);
}

static void columns_lead_to_rows_of_tables_inside_a_row(void **state) {
    static const SlColumn columns[] = {
        SL_COLUMN("levels.1.reads", "inner reads", .csv = "rd1"),
        SL_COLUMN("levels.0.reads", NULL),
        SL_COLUMN("levels.2.reads", "never"),
        SL_COLUMN("levels.reads", "no row"),
    };
    Paper *paper = *state;
    sl_doc_table(paper->doc, "machines", NULL, 4, columns);
    add_machine(paper->doc, 7, 1);
    add_machine(paper->doc, 8, 2);
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "rd1,levels_0_reads\n7.1,7\n8.1,8\n");
}

static void columns_lead_into_groups_of_a_row(void **state) {
    static const SlColumn columns[] = {
        SL_COLUMN("name", "name"),
        SL_COLUMN("best.energy.pj", "energy"),
        SL_COLUMN("best", "a group is no value"),
        SL_COLUMN("name.first", "a value is no group"),
    };
    Paper *paper = *state;
    sl_doc_table(paper->doc, "machines", NULL, 4, columns);
    sl_doc_row(paper->doc);
    sl_doc_text(paper->doc, "names", NULL, "longer than its key");
    sl_doc_text(paper->doc, "name", NULL, "a");
    sl_doc_open(paper->doc, "best", NULL);
    sl_doc_open(paper->doc, "energy", NULL);
    sl_doc_number(paper->doc, "pj", NULL, SL_UNIT_PJ, 2e9);
    sl_doc_close(paper->doc);
    sl_doc_close(paper->doc);
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "name   energy\na     2.00 mJ\n");
}

static void rows_that_are_detail_spare_the_terminal_alone(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("name", "name"), SL_COLUMN("n", "count")};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "fruit", NULL, 2, columns);
    for (int i = 0; i < 3; i++) {
        sl_doc_detail(paper->doc, i == 1);
        sl_doc_row(paper->doc);
        sl_doc_text(paper->doc, "name", NULL, "fruit%d", i);
        sl_doc_number(paper->doc, "n", NULL, SL_UNIT_COUNT, 1000 + i);
    }
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT),
                        "name    count\nfruit0  1,000\nfruit2  1,002\n");
    assert_string_equal(paper_form(paper, SL_FORM_CSV),
                        "name,n\nfruit0,1000\nfruit1,1001\nfruit2,1002\n");
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "fruit1"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "fruit1"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_MARKDOWN), "| fruit1 | 1,001 |\n"));
}

static void columns_that_are_detail_spare_the_terminal_alone(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("name", "name"),
                                       SL_COLUMN("n", "count", .detail = true)};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "fruit", NULL, 2, columns);
    sl_doc_row(paper->doc);
    sl_doc_text(paper->doc, "name", NULL, "fig");
    sl_doc_number(paper->doc, "n", NULL, SL_UNIT_COUNT, 7);
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "name\nfig\n");
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "name,n\nfig,7\n");
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "<td>7</td>"));
    assert_non_null(strstr(paper_form(paper, SL_FORM_MARKDOWN), "| fig | 7 |\n"));
}

static void columns_without_a_value_are_left_out(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A"), SL_COLUMN("b", "B"),
                                       SL_COLUMN("c", "C")};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "t", NULL, 3, columns);
    sl_doc_row(paper->doc);
    sl_doc_number(paper->doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_row(paper->doc);
    sl_doc_null(paper->doc, "c"); // said to be none: that is a value
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "A  C\n1\n   -\n");
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "a,c\n1,\n,\n");
}

static void tables_without_a_cell_are_left_out(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A"), SL_COLUMN("b", NULL)};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "t", "Table", 2, columns);
    sl_doc_close(paper->doc);
    sl_doc_table(paper->doc, "u", "Unseen", 2, columns);
    sl_doc_row(paper->doc);
    sl_doc_number(paper->doc, "b", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_close(paper->doc);
    sl_doc_detail(paper->doc, true);
    sl_doc_table(paper->doc, "v", "Fine print", 2, columns);
    sl_doc_row(paper->doc);
    sl_doc_number(paper->doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "");
    for (int form = SL_FORM_HTML; form <= SL_FORM_MARKDOWN; form++) {
        const char *text = paper_form(paper, (SlForm)form);
        assert_null(strstr(text, "Table"));
        assert_null(strstr(text, "Unseen"));
        assert_non_null(strstr(text, "Fine print"));
    }
    // an empty table still says what its columns are
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "a,b\n");
}

static void numbers_stand_right_and_sums_below_a_line(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("name", "name"),
                                       SL_COLUMN("n", "count", .unit = SL_UNIT_COUNT),
                                       SL_COLUMN(NULL, "word")};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "t", NULL, 3, columns);
    for (int i = 0; i < 2; i++) {
        sl_doc_row(paper->doc);
        sl_doc_text(paper->doc, "name", NULL, "r%d", i);
        sl_doc_number(paper->doc, "n", NULL, SL_UNIT_PLAIN, i ? 12345 : NAN);
        if (i) sl_doc_strong(paper->doc);
        sl_doc_text(paper->doc, NULL, "word", i ? "longer" : "l");
        if (i == 0) sl_doc_rule(paper->doc);
    }
    for (int i = 0; i < 2; i++) {
        sl_doc_foot(paper->doc);
        sl_doc_text(paper->doc, NULL, "name", i ? "mean" : "sum");
        sl_doc_text(paper->doc, NULL, "count", i ? "6k" : "12k");
    }
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "name   count   word\n"
                                                         "r0         -   l\n"
                                                         "─────────────────────\n"
                                                         "r1    12,345*  longer\n"
                                                         "─────────────────────\n"
                                                         "sum      12k\n"
                                                         "mean      6k\n");
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "name,n\nr0,\nr1,12345\n");
}

static const char *bar_of(Paper *paper, double from, double to) {
    sl_doc_bar(paper->doc, "bar", from, to);
    return sl_docnode_shown(paper->doc->root.last, SL_UNIT_PLAIN, &paper->arena);
}

static void bars_are_drawn_in_eighths_and_stay_inside(void **state) {
    static const char full[] = "████████████████████";
    Paper *paper = *state;
    assert_string_equal(bar_of(paper, 0, 1), full);
    assert_string_equal(bar_of(paper, 0, 0), "");
    assert_string_equal(bar_of(paper, 0, 0.125), "██▌");
    assert_string_equal(bar_of(paper, 0.5, 0.55), "          █");
    assert_string_equal(bar_of(paper, 0, 1e-9), "▏"); // something is seen
    assert_string_equal(bar_of(paper, 1 - 1e-9, 1), "                   ▏");
    // what is outside, or no number
    assert_string_equal(bar_of(paper, -3, 7), full);
    assert_string_equal(bar_of(paper, 0, INFINITY), full);
    assert_string_equal(bar_of(paper, NAN, NAN), "");
    assert_string_equal(bar_of(paper, 0.5, 0.25), "          ");
}

static void values_are_shown_by_their_kind(void **state) {
    static const double two[] = {2, 1};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    SlArena *arena = &paper->arena;
    sl_doc_number(doc, "n", NULL, SL_UNIT_COUNT, 1234);
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena), "1,234");
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_BYTES, arena), "1.21 KiB");
    sl_doc_shown(doc, "many");
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_BYTES, arena), "many");
    sl_doc_flag(doc, "f", NULL, true);
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena), "yes");
    sl_doc_flag(doc, "f", NULL, false);
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena), "no");
    sl_doc_string(doc, "s", NULL, NULL);
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena), "-");
    sl_doc_spark(doc, "s", 2, two);
    assert_true(strlen(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena)) > 0);
    sl_doc_spark(doc, "s", 0, NULL);
    assert_string_equal(sl_docnode_shown(doc->root.last, SL_UNIT_PLAIN, arena), "");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(columns_lead_to_rows_of_tables_inside_a_row),
        CASE(columns_lead_into_groups_of_a_row),
        CASE(rows_that_are_detail_spare_the_terminal_alone),
        CASE(columns_that_are_detail_spare_the_terminal_alone),
        CASE(columns_without_a_value_are_left_out),
        CASE(tables_without_a_cell_are_left_out),
        CASE(numbers_stand_right_and_sums_below_a_line),
        CASE(bars_are_drawn_in_eighths_and_stay_inside),
        CASE(values_are_shown_by_their_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
