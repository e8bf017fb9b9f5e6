// test_verify.c - certificates of runs, folders and files: found, bound to results, checked.
#include <stdio.h>
#include <string.h>

#include "starling/job.h"
#include "support/check.h"
#include "support/folder.h"

// made by `starling map` of version 0.1.0: two layers, everything proven
#define RUN SL_SOURCE_DIR "/tests/data/verify/run-0.1.0"

typedef struct {
    SlArena arena;
    Folder folder;
    SlVerify verify;
} Table;

static int set(void **state) {
    static Table table;
    sl_arena_init(&table.arena, 0);
    folder_make(&table.folder);
    table.verify = (SlVerify){.arena = &table.arena};
    *state = &table;
    return 0;
}

static int clear(void **state) {
    Table *table = *state;
    folder_remove(&table->folder);
    sl_arena_free(&table->arena);
    return 0;
}

static void gather(SlVerify *verify, const char *path) {
    SlError err;
    if (sl_verify_gather(verify, path, &err) != SL_OK) fail_msg("%s", err.text);
}

static void a_run_is_bound_to_its_certificates_and_they_are_true(void **state) {
    SlVerify *verify = &((Table *)*state)->verify;
    SlError err;
    gather(verify, RUN);
    assert_int_equal(verify->n_files, 2);
    assert_int_equal(verify->n_faults, 0);
    assert_string_equal(verify->files[0].path, RUN "/certificates/first.cert");
    assert_string_equal(verify->files[0].layer, "first");
    assert_string_equal(verify->files[1].run, RUN);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sl_verify_file(verify, i, NULL, &err), SL_OK);
        assert_null(sl_certificate_fault(&verify->files[i]));
    }
    assert_int_equal(verify->n_true, 2);
    assert_int_equal(verify->n_false + verify->n_unread + verify->n_narrowed, 0);
}

static void a_folder_and_a_file_are_of_no_run(void **state) {
    SlVerify *verify = &((Table *)*state)->verify;
    gather(verify, RUN "/certificates/second.cert");
    gather(verify, RUN "/certificates");
    assert_int_equal(verify->n_files, 3);
    assert_string_equal(verify->files[1].path, RUN "/certificates/first.cert");
    assert_null(verify->files[1].run);
    assert_null(verify->files[1].layer);
}

// the second certificate with another value, and a file that is none
static void false_claims_and_unread_files_are_counted(void **state) {
    Table *table = *state;
    SlVerify *verify = &table->verify;
    char bad[TEMP_ROOM], none[TEMP_ROOM], *data;
    size_t n;
    SlError err;
    assert_int_equal(
        sl_file_read(RUN "/certificates/second.cert", 1 << 20, &table->arena, &data, &n, NULL),
        SL_OK);
    char *digit = strstr(data, "\nvalue ") + strlen("\nvalue ");
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    sl_file_write(folder_path(&table->folder, "bad.cert", bad), data, n, NULL);
    sl_file_write(folder_path(&table->folder, "none.cert", none), "hello\n", 6, NULL);
    gather(verify, table->folder.dir);
    assert_int_equal(verify->n_files, 2);
    assert_int_equal(sl_verify_file(verify, 0, NULL, &err), SL_OK);
    assert_non_null(sl_certificate_fault(&verify->files[0]));
    assert_int_equal(sl_verify_file(verify, 1, NULL, &err), SL_EINPUT);
    assert_false(verify->files[1].read);
    assert_int_equal(verify->n_true, 0);
    assert_int_equal(verify->n_false, 1);
    assert_int_equal(verify->n_unread, 1);
}

static void a_result_without_its_certificate_is_a_fault(void **state) {
    Table *table = *state;
    static const char *const names[] = {"map.json", "accel.yaml"};
    char from[SL_FOLDER_PATH], to[TEMP_ROOM], *data;
    size_t n;
    for (int i = 0; i < 2; i++) {
        sl_folder_path(RUN, names[i], from);
        assert_int_equal(sl_file_read(from, 1 << 20, &table->arena, &data, &n, NULL), SL_OK);
        sl_file_write(folder_path(&table->folder, names[i], to), data, n, NULL);
    }
    gather(&table->verify, table->folder.dir);
    assert_int_equal(table->verify.n_files, 0);
    assert_int_equal(table->verify.n_faults, 2);
    assert_string_equal(table->verify.faults[1].layer, "second");
    assert_string_equal(table->verify.faults[1].reason, "its certificate is missing");
}

static void an_empty_folder_is_refused(void **state) {
    Table *table = *state;
    SlError err;
    assert_int_equal(sl_verify_gather(&table->verify, table->folder.dir, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "expected certificates"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_is_bound_to_its_certificates_and_they_are_true, set,
                                        clear),
        cmocka_unit_test_setup_teardown(a_folder_and_a_file_are_of_no_run, set, clear),
        cmocka_unit_test_setup_teardown(false_claims_and_unread_files_are_counted, set, clear),
        cmocka_unit_test_setup_teardown(a_result_without_its_certificate_is_a_fault, set, clear),
        cmocka_unit_test_setup_teardown(an_empty_folder_is_refused, set, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
