// test_run_dir.c - run directories: keys, which one a run takes, what is there, who works there.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "starling/job/run_dir.h"
#include "support/check.h"
#include "support/folder.h"

static void write_text(const char *path, const char *text) {
    SlError err;
    if (sl_file_write(path, text, strlen(text), &err) != SL_OK) fail_msg("%s", err.text);
}

static bool exists(const char *dir, const char *name) {
    char path[SL_FOLDER_PATH];
    sl_folder_path(dir, name, path);
    return access(path, F_OK) == 0;
}

// DIR/NAME with its run.json
static void make_run(const char *dir, const char *name, const char *json) {
    char path[SL_FOLDER_PATH], file[SL_FOLDER_PATH];
    sl_folder_path(dir, name, path);
    assert_int_equal(mkdir(path, 0777), 0);
    sl_folder_path(path, "run.json", file);
    write_text(file, json);
}

static void remove_run(const char *dir, const char *name) {
    char path[SL_FOLDER_PATH], file[SL_FOLDER_PATH];
    sl_folder_path(dir, name, path);
    sl_folder_path(path, "run.json", file);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(path), 0);
}

static void a_digest_is_that_of_fnv_1a(void **state) {
    (void)state;
    char out[SL_FOLDER_KEY];
    // reference values of the algorithm's authors
    sl_folder_digest("", 0, out);
    assert_string_equal(out, "cbf29ce484222325");
    sl_folder_digest("foobar", 6, out);
    assert_string_equal(out, "85944171f73967e8");
}

static void a_look_says_what_a_folder_holds(void **state) {
    const Folder *folder = *state;
    SlHeldRun held;
    char path[SL_FOLDER_PATH];
    SlError err;
    make_run(folder->dir, "one",
             "{\"schema\": \"starling.map-run/1\", \"version\": \"" SL_VERSION "\", \"key\": "
             "\"abc\", \"workload\": {\"name\": \"mlp\"}, \"seed\": 7, \"finished\": true}");
    sl_folder_path(folder->dir, "one", path);
    sl_folder_look(path, &held);
    assert_true(held.any);
    assert_int_equal(held.finished, 1);
    assert_string_equal(held.what, "map: workload mlp, seed 7");
    assert_int_equal(sl_folder_check(path, &held, "abc", &err), SL_OK);
    assert_int_equal(sl_folder_check(path, &held, "abd", &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "holds a run of another setup (map: workload mlp, seed 7)"));
    remove_run(folder->dir, "one");
    // nothing there that is a run
    sl_folder_look(folder->dir, &held);
    assert_false(held.any);
}

static void a_run_takes_its_own_folder_or_the_next_free_one(void **state) {
    const Folder *folder = *state;
    char expected[SL_FOLDER_PATH];
    SlArena arena;
    sl_arena_init(&arena, 0);
    sl_folder_path(folder->dir, "net", expected);
    assert_string_equal(sl_folder_choose(folder->dir, "net", "k1", INT64_MAX, &arena), expected);
    make_run(folder->dir, "net", "{\"key\": \"k1\", \"finished\": 20}");
    assert_string_equal(sl_folder_choose(folder->dir, "net", "k1", INT64_MAX, &arena), expected);
    sl_folder_path(folder->dir, "net-2", expected);
    assert_string_equal(sl_folder_choose(folder->dir, "net", "k2", INT64_MAX, &arena), expected);
    // the same run, but finished beyond what is asked for
    assert_string_equal(sl_folder_choose(folder->dir, "net", "k1", 19, &arena), expected);
    remove_run(folder->dir, "net");
    sl_arena_free(&arena);
}

static void another_process_is_kept_out(void **state) {
    const Folder *folder = *state;
    bool alone = false;
    SlError err;
    assert_int_equal(sl_folder_lock(folder->dir, &alone, &err), SL_OK);
    assert_true(alone);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(sl_folder_lock(folder->dir, &alone, &err) == SL_EINPUT ? 0 : 1);
    int code = 1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
}

static void what_earlier_runs_left_is_removed_and_nothing_else(void **state) {
    static const char *const folders[] = {".", NULL}, *const names[] = {"map.json", "none", NULL};
    static const char *const left[] = {"a.yaml.12-3.tmp", "b.cert", "map.json",
                                       "notes.txt",       "x.tmp",  SL_FOLDER_STORE};
    const Folder *folder = *state;
    SlError err;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char path[SL_FOLDER_PATH];
        sl_folder_path(folder->dir, left[i], path);
        write_text(path, "{}");
    }
    sl_folder_sweep(folder->dir, folders);
    assert_false(exists(folder->dir, "a.yaml.12-3.tmp"));
    assert_true(exists(folder->dir, "b.cert") && exists(folder->dir, "x.tmp"));
    assert_int_equal(sl_folder_clear(folder->dir, names, &err), SL_OK);
    assert_false(exists(folder->dir, "map.json"));
    assert_int_equal(sl_folder_clear_store(folder->dir, &err), SL_OK);
    assert_false(exists(folder->dir, SL_FOLDER_STORE));
    sl_folder_empty(folder->dir, folders);
    assert_false(exists(folder->dir, "b.cert"));
    assert_true(exists(folder->dir, "notes.txt"));
}

static int begin(void **state) {
    static Folder folder;
    folder_make(&folder);
    *state = &folder;
    return 0;
}

static int end(void **state) {
    folder_remove(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_that_of_fnv_1a),
        cmocka_unit_test_setup_teardown(a_look_says_what_a_folder_holds, begin, end),
        cmocka_unit_test_setup_teardown(a_run_takes_its_own_folder_or_the_next_free_one, begin,
                                        end),
        cmocka_unit_test_setup_teardown(another_process_is_kept_out, begin, end),
        cmocka_unit_test_setup_teardown(what_earlier_runs_left_is_removed_and_nothing_else, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
