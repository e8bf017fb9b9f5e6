// test_rows.c - measured nests of a CSV file become lessons, and wrong files say why.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rows_help.h"
#include "support/folder.h"

#define ACCEL SL_SOURCE_DIR "/examples/accels/gemmini_rtl.yaml"
#define HEAD "id,ext,conv,net,nest,steps,cycles\n"
#define NEST "K:8 @3 K*1 @4 C:4 C*1 @1"
#define GOOD "0,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,500\n"

// read a file of this text; err->text says what is wrong, "" = nothing
static void read_text(const char *text, const char *column, SlRows *rows, SlArena *arena,
                      SlError *err) {
    Folder folder;
    char path[TEMP_ROOM];
    SlAccel *accel = SL_NEW(arena, 1, SlAccel);
    folder_make(&folder);
    FILE *file = fopen(folder_path(&folder, "rows.csv", path), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(sl_accel_find(ACCEL, arena, accel, err), SL_OK);
    *err = (SlError){0};
    const SlRowsSetup setup = {.path = path, .column = column, .accel = accel};
    SlStatus status = sl_rows_read(&setup, arena, rows, err);
    assert_int_equal(status, err->text[0] ? SL_EINPUT : SL_OK);
    folder_remove(&folder);
}

static void rows_of_a_layer_are_one_lesson(void **state) {
    (void)state;
    SlArena arena;
    SlRows rows;
    SlError err;
    sl_arena_init(&arena, 0);
    read_text(HEAD GOOD "1,1.1.32.16.1.1.1.1,1.1.1.1,1.1," NEST ",4,700\n"
                        "2,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,600\n",
              NULL, &rows, &arena, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(rows.n_rows, 3);
    assert_int_equal(rows.n_tasks, 2);
    assert_string_equal(rows.column, "cycles");
    assert_int_equal(rows.lessons[0].n, 2);
    assert_true(fabs(log(rows.lessons[0].values[1]) - log(600)) < 1e-5);
    assert_true(fabs(log(rows.lessons[1].values[0]) - log(700)) < 1e-5);
    sl_rows_close(&rows);
    sl_arena_free(&arena);
}

static void the_column_can_be_named(void **state) {
    (void)state;
    SlArena arena;
    SlRows rows;
    SlError err;
    sl_arena_init(&arena, 0);
    read_text(HEAD GOOD, "steps", &rows, &arena, &err);
    assert_string_equal(err.text, "");
    assert_true(fabs(log(rows.lessons[0].values[0]) - log(2)) < 1e-6);
    sl_rows_close(&rows);
    sl_arena_free(&arena);
}

static void wrong_files_say_what_was_expected(void **state) {
    (void)state;
    static const struct {
        const char *text, *column, *says;
    } cases[] = {
        {HEAD, NULL, "no rows"},
        {HEAD GOOD, "joules", "no column 'joules'"},
        {"id,ext,conv,net,nest\n0,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST "\n", NULL,
         "expected a column with the measured values"},
        {HEAD GOOD "1,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,0\n", NULL, "above 0, got '0'"},
        {HEAD GOOD "1,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,-5\n", NULL, "above 0, got '-5'"},
        {HEAD GOOD "1,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,inf\n", NULL, "got 'inf'"},
        {HEAD GOOD "1,1.1.16.16.1.1.1.1,1.1.1.1,1.1," NEST ",2,\n", NULL, "got ''"},
        {HEAD "0,1.1.16.16.1.1.1.1,1.1.1.1,1.1,K:8 @3 K:1 C:1,2,5\n", NULL, "boundaries"},
        {"id,ext,conv,nest,cycles\n", NULL, "missing column 'net'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlArena arena;
        SlRows rows;
        SlError err;
        sl_arena_init(&arena, 0);
        read_text(cases[i].text, cases[i].column, &rows, &arena, &err);
        if (!strstr(err.text, cases[i].says)) fail_msg("'%s' in '%s'", cases[i].says, err.text);
        assert_non_null(strstr(err.file, "rows.csv"));
        assert_int_equal(rows.n_tasks, 0);
        sl_arena_free(&arena);
    }
}

static void all_rtl_rows_are_read(void **state) {
    (void)state;
    Rtl rtl;
    rtl_make(&rtl);
    assert_int_equal(rtl.n, 1567);
    assert_int_equal(rtl.rows.n_tasks, 66);
    assert_string_equal(rtl.rows.column, "rtl_cycles");
    rtl_free(&rtl);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_layer_are_one_lesson),
        cmocka_unit_test(the_column_can_be_named),
        cmocka_unit_test(wrong_files_say_what_was_expected),
        cmocka_unit_test(all_rtl_rows_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
