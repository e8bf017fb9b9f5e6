// test_form_csv.c - a table of a document as CSV: keys above, numbers in full, no formulas.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc_help.h"
#include "support/check.h"

static void columns_are_named_by_csv_or_key_and_numbers_scaled(void **state) {
    static const SlColumn columns[] = {
        SL_COLUMN("area_um2", NULL, .csv = "area_mm2", .csv_scale = 1e-6),
        SL_COLUMN("best.cycles", "cycles"),
        SL_COLUMN("reads", "reads", .csv = ""),
        SL_COLUMN(NULL, "for people"),
        SL_COLUMN("x", NULL, .csv = "x, \"y\""),
    };
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_table(doc, "machines", NULL, 5, columns);
    sl_doc_row(doc);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, 2.5e6);
    sl_doc_open(doc, "best", NULL);
    sl_doc_number(doc, "cycles", NULL, SL_UNIT_CYCLES, 1234567);
    sl_doc_close(doc);
    sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, 7);
    sl_doc_text(doc, NULL, "for people", "seen");
    sl_doc_flag(doc, "x", NULL, true);
    sl_doc_close(doc);
    assert_string_equal(paper_form(paper, SL_FORM_CSV),
                        "area_mm2,best_cycles,\"x, \"\"y\"\"\"\n2.5,1234567,true\n");
}

static void numbers_have_the_digits_to_be_read_back(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("x", "x")};
    static const double values[] = {
        1.0 / 3, 0.1, 123456789012345678.0, -4, 0x1p-30, NAN, INFINITY, -INFINITY, -0.0, 1e300};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "numbers", NULL, 1, columns);
    for (int i = 0; i < 10; i++) {
        sl_doc_row(paper->doc);
        sl_doc_number(paper->doc, "x", NULL, SL_UNIT_COUNT, values[i]);
        sl_doc_shown(paper->doc, "something else");
    }
    sl_doc_close(paper->doc);
    const char *text = paper_form(paper, SL_FORM_CSV);
    assert_string_equal(text, "x\n0.3333333333333333\n0.1\n1.2345678901234568e+17\n-4\n"
                              "9.313225746154785e-10\n\n\n\n0\n1e+300\n");
    text = strchr(text, '\n') + 1;
    for (int i = 0; i < 10; i++, text = strchr(text, '\n') + 1)
        if (isfinite(values[i])) assert_true(strtod(text, NULL) == values[i]);
}

static void texts_are_quoted_and_never_formulas(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("x", "x")};
    static const char *const texts[][2] = {
        {"pear", "pear"},
        {"a,b", "\"a,b\""},
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"a\nb", "\"a\nb\""},
        {"=1+1", "'=1+1"},
        {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
        {"-2+3", "'-2+3"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {" =1+1", "' =1+1"},
        {"=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""},
        {"-3.5", "-3.5"},
        {"", ""},
        {"\xE2\x80\xAE=1", "?=1"},
    };
    enum { N = sizeof texts / sizeof *texts };
    Paper *paper = *state;
    SlText expected;
    sl_text_init(&expected, &paper->arena);
    sl_text_add(&expected, "x\n");
    sl_doc_table(paper->doc, "texts", NULL, 1, columns);
    for (int i = 0; i < N; i++) {
        sl_doc_row(paper->doc);
        sl_doc_string(paper->doc, "x", NULL, texts[i][0]);
        sl_text_add(&expected, "%s\n", texts[i][1]);
    }
    sl_doc_close(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_CSV), expected.data);
}

static void what_is_missing_is_empty_and_sums_are_for_people(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A"), SL_COLUMN("b", "B")};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_table(doc, "t", NULL, 2, columns);
    sl_doc_row(doc);
    sl_doc_flag(doc, "b", NULL, false);
    sl_doc_rule(doc);
    sl_doc_row(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_string(doc, "b", NULL, NULL);
    sl_doc_foot(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 99);
    sl_doc_close(doc);
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "a,b\n,false\n1,\n");
}

// a list of what is bundled where nothing is: its header, and no error
static void a_table_without_rows_is_its_header(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("name", "flock"), SL_COLUMN("tasks", "tasks")};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "flocks", NULL, 2, columns);
    sl_doc_close(paper->doc);
    sl_doc_words(paper->doc, "words");
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "name,tasks\n");
}

static void the_whole_document_has_the_rows_of_its_table(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "name,inner,best_cycles\n"
                                                        "\"fig, \"\"dry\"\"\",1001,12345\n"
                                                        "'=1+1,2001,12346\n");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(columns_are_named_by_csv_or_key_and_numbers_scaled),
        CASE(numbers_have_the_digits_to_be_read_back),
        CASE(texts_are_quoted_and_never_formulas),
        CASE(what_is_missing_is_empty_and_sums_are_for_people),
        CASE(a_table_without_rows_is_its_header),
        CASE(the_whole_document_has_the_rows_of_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
