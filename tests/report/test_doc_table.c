// test_doc_table.c - tables of documents: columns that lead inside rows, and their CSV.
#include <math.h>

#include "starling/report/doc.h"
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
    assert_true(sl_doc_csv(paper->doc, "machines", &paper->out));
    assert_string_equal(paper->out.data, "rd1,levels_0_reads\n7.1,7\n8.1,8\n");
}

static void csv_leaves_out_what_is_for_people_and_scales_numbers(void **state) {
    static const SlColumn columns[] = {
        SL_COLUMN("area_um2", NULL, .csv = "area_mm2", .csv_scale = 1e-6),
        SL_COLUMN("levels.0.reads", "reads", .csv = ""),
    };
    Paper *paper = *state;
    sl_doc_table(paper->doc, "machines", NULL, 2, columns);
    add_machine(paper->doc, 7, 2.5e6);
    sl_doc_close(paper->doc);
    assert_true(sl_doc_csv(paper->doc, NULL, &paper->out));
    assert_string_equal(paper->out.data, "area_mm2\n2.5\n");
}

static SlStatus count_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    int *n = context;
    (void)file, (void)bytes, (void)err;
    (*n)++;
    return SL_OK;
}

static void a_table_without_columns_for_csv_leaves_no_file(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("levels.0.reads", "reads", .csv = "")};
    Paper *paper = *state;
    SlError err;
    int n = 0;
    sl_doc_table(paper->doc, "machines", "Machines", 1, columns);
    add_machine(paper->doc, 7, 2.5e6);
    sl_doc_close(paper->doc);
    assert_false(sl_doc_csv(paper->doc, NULL, &paper->out));
    assert_int_equal(sl_doc_files(paper->doc, count_file, &n, &err), SL_OK);
    assert_int_equal(n, 0);
}

static void csv_numbers_have_the_digits_to_be_read_back(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("x", "x")};
    static const double values[] = {1.0 / 3, 0.1, 123456789012345678.0, -4, 0x1p-30, NAN};
    Paper *paper = *state;
    sl_doc_table(paper->doc, "numbers", NULL, 1, columns);
    for (int i = 0; i < 6; i++) {
        sl_doc_row(paper->doc);
        sl_doc_number(paper->doc, "x", NULL, SL_UNIT_PLAIN, values[i]);
    }
    sl_doc_close(paper->doc);
    assert_true(sl_doc_csv(paper->doc, "numbers", &paper->out));
    assert_string_equal(paper->out.data, "x\n0.3333333333333333\n0.1\n1.2345678901234568e+17\n-4\n"
                                         "9.313225746154785e-10\n\n");
}

static void an_axis_has_numbers_that_are_read_easily(void **state) {
    (void)state;
    char unit[SL_UNIT_ROOM];
    assert_true(fabs(sl_unit_axis(SL_UNIT_PJ, 33.3e9, unit) - 1e-9) < 1e-20);
    assert_string_equal(unit, "mJ");
    assert_true(fabs(sl_unit_axis(SL_UNIT_SECONDS, 2e-5, unit) - 1e6) < 1e-6);
    assert_string_equal(unit, "µs");
    assert_true(sl_unit_axis(SL_UNIT_CYCLES, 1e9, unit) == 1);
    assert_string_equal(unit, "cycles");
    assert_true(sl_unit_axis(SL_UNIT_SECONDS, 0, unit) == 1);
    assert_string_equal(unit, "s");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(columns_lead_to_rows_of_tables_inside_a_row),
        CASE(csv_leaves_out_what_is_for_people_and_scales_numbers),
        CASE(a_table_without_columns_for_csv_leaves_no_file),
        CASE(csv_numbers_have_the_digits_to_be_read_back),
        CASE(an_axis_has_numbers_that_are_read_easily),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
