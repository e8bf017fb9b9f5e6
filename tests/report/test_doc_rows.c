// test_doc_rows.c - tables that take their columns from their rows, sums, grids, cells that wrap.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page.h"
#include "starling/report.h"
#include "support/check.h"

typedef struct {
    SlArena arena;
    SlText out;
    SlDoc *doc;
} Paper;

static int setup(void **state) {
    static Paper paper;
    sl_arena_init(&paper.arena, 0);
    sl_text_init(&paper.out, &paper.arena);
    paper.doc = sl_doc_make(&paper.arena, "test", 1);
    *state = &paper;
    return 0;
}

static int teardown(void **state) {
    Paper *paper = *state;
    sl_arena_free(&paper->arena);
    return 0;
}

static void a_key_may_have_a_point_in_it(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("seconds.0", "0 %"),
                                       SL_COLUMN("seconds.0.5", "0.5 %")};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "proofs", NULL, 2, columns);
    sl_doc_row(paper->doc);
    sl_doc_open(paper->doc, "seconds", NULL);
    sl_doc_number(paper->doc, "0", NULL, SL_UNIT_PLAIN, 9);
    sl_doc_number(paper->doc, "0.5", NULL, SL_UNIT_PLAIN, 4);
    sl_doc_close(paper->doc);
    sl_doc_close(paper->doc);
    assert_true(sl_doc_csv(paper->doc, "proofs", &paper->out));
    assert_string_equal(paper->out.data, "seconds_0,seconds_0_5\n9,4\n");
}

// a fruit, its number for people, and in a group what it weighs
static void add_fruit(SlDoc *doc, const char *name, double n, double grams) {
    sl_doc_string(doc, "name", "fruit", name);
    sl_doc_number(doc, NULL, "number", SL_UNIT_COUNT, n);
    sl_doc_open(doc, "weight", NULL);
    sl_doc_number(doc, "grams", "each", SL_UNIT_COUNT, grams);
    sl_doc_flag(doc, "measured", NULL, true);
    sl_doc_close(doc);
}

static void add_fruits(SlDoc *doc) {
    sl_doc_rows(doc, "fruits", NULL);
    sl_doc_row(doc);
    add_fruit(doc, "apple", 2, 150);
    sl_doc_row(doc);
    add_fruit(doc, "pear", 3, 180);
    sl_doc_sums(doc, "all");
    add_fruit(doc, "both", 5, 168);
    sl_doc_close(doc);
}

static void rows_without_columns_have_those_of_the_first_one(void **state) {
    Paper *paper = *state;
    SlError err;
    add_fruits(paper->doc);
    assert_true(sl_doc_csv(paper->doc, "fruits", &paper->out));
    assert_string_equal(paper->out.data, "name,weight_grams,weight_measured\n"
                                         "apple,150,true\npear,180,true\n");
    sl_text_init(&paper->out, &paper->arena);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_TEXT, &paper->out, &err), SL_OK);
    assert_string_equal(paper->out.data, "fruit  number  each\n"
                                         "apple       2   150\n"
                                         "pear        3   180\n"
                                         "───────────────────\n"
                                         "both        5   168\n");
}

static void sums_with_a_key_stand_beside_their_table(void **state) {
    Paper *paper = *state;
    SlError err;
    add_fruits(paper->doc);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_JSON, &paper->out, &err), SL_OK);
    const char *sums = strstr(paper->out.data, "\n  ],\n  \"all\": {\n    \"name\": \"both\",");
    assert_non_null(sums);
    assert_null(strstr(sums + 1, "fruits"));
    assert_ptr_equal(strstr(paper->out.data, "both"), strstr(sums, "both")); // no item of it
    assert_non_null(strstr(sums, "\"grams\": 168"));
}

static void a_table_that_stays_empty_has_no_columns(void **state) {
    Paper *paper = *state;
    SlError err;
    sl_doc_rows(paper->doc, "fruits", NULL);
    sl_doc_close(paper->doc);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_TEXT, &paper->out, &err), SL_OK);
    assert_int_equal(paper->out.n, 0);
}

static SlStatus note_file(void *names, const char *file, const SlText *bytes, SlError *err) {
    (void)bytes, (void)err;
    strcat(strcat(names, file), " ");
    return SL_OK;
}

static void a_picture_and_a_grid_may_share_their_name(void **state) {
    Paper *paper = *state;
    SlError err;
    char names[64] = "";
    SlTable *table = sl_table_make(&paper->arena, "", "episodes|mean");
    sl_table_row(table);
    sl_table_cell(table, "100");
    sl_table_cell(table, "-1.5");
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_CSV, &paper->out, &err), SL_EINPUT);
    sl_doc_grid(paper->doc, "curve", table);
    sl_doc_figure(paper->doc, "curve", "<svg/>", "A curve.");
    sl_doc_figure(paper->doc, "curve", "<svg/>", "Another.");
    assert_int_equal(sl_doc_files(paper->doc, note_file, names, &err), SL_OK);
    assert_string_equal(names, "curve.csv curve.svg curve-2.svg ");
    // where no table has a key, the grid is what CSV shows
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_CSV, &paper->out, &err), SL_OK);
    assert_string_equal(paper->out.data, "episodes,mean\n100,-1.5\n");
}

static void text_that_may_wrap_goes_on_in_further_lines(void **state) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "n"), SL_COLUMN(NULL, "why", .wrap = true)};
    Paper *paper = *state;
    SlError err;
    sl_doc_table(paper->doc, NULL, NULL, 2, columns);
    for (int i = 0; i < 2; i++) {
        sl_doc_row(paper->doc);
        sl_doc_number(paper->doc, NULL, "n", SL_UNIT_COUNT, i);
        sl_doc_text(paper->doc, NULL, "why", i ? "short" : "%s %s, which makes two lines",
                    "a sentence of fifty columns that goes on and on, at",
                    "least for one more line");
    }
    sl_doc_close(paper->doc);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_TEXT, &paper->out, &err), SL_OK);
    assert_string_equal(paper->out.data,
                        "n  why\n"
                        "0  a sentence of fifty columns that goes on and on, at least for one more "
                        "line, which makes two\n"
                        "   lines\n"
                        "1  short\n");
}

static SlStatus count_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    int *n = context;
    (void)file, (void)bytes, (void)err;
    (*n)++;
    return SL_OK;
}

static void a_table_without_columns_for_csv_leaves_no_file(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("reads", "reads", .csv = "")};
    Paper *paper = *state;
    SlError err;
    int n = 0;
    sl_doc_table(paper->doc, "machines", "Machines", 1, columns);
    sl_doc_row(paper->doc);
    sl_doc_number(paper->doc, "reads", NULL, SL_UNIT_COUNT, 7);
    sl_doc_close(paper->doc);
    assert_false(sl_doc_csv(paper->doc, NULL, &paper->out));
    assert_int_equal(sl_doc_files(paper->doc, count_file, &n, &err), SL_OK);
    assert_int_equal(n, 0);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(a_key_may_have_a_point_in_it),
        CASE(rows_without_columns_have_those_of_the_first_one),
        CASE(sums_with_a_key_stand_beside_their_table),
        CASE(a_table_that_stays_empty_has_no_columns),
        CASE(text_that_may_wrap_goes_on_in_further_lines),
        CASE(a_table_without_columns_for_csv_leaves_no_file),
        CASE(a_picture_and_a_grid_may_share_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
