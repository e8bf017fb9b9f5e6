// test_file.c - whole files in, whole files out.
#include "support/check.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sweep.h"
#include "starling/core/text.h"

// A folder of its own for each test, and a path in it.
typedef struct {
    char folder[64];
    char path[96];
} Place;

static int make_place(void **state) {
    Place *place = calloc(1, sizeof *place);
    if (!place) return -1;
    strcpy(place->folder, "/tmp/starling-file-XXXXXX");
    if (!mkdtemp(place->folder)) return -1;
    snprintf(place->path, sizeof place->path, "%s/file", place->folder);
    *state = place;
    return 0;
}

// removes what is left; returns the number of files that were there
static int empty_folder(const char *folder) {
    int n = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry = readdir(open_folder); entry; entry = readdir(open_folder)) {
        char path[400];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
        n++;
    }
    closedir(open_folder);
    return n;
}

static int drop_place(void **state) {
    Place *place = *state;
    empty_folder(place->folder);
    int status = rmdir(place->folder);
    free(place);
    return status;
}

static void what_was_written_is_read(void **state) {
    Place *place = *state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlError err;
    char *data = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_write(place->path, "a\0b\n", 4, &err), SL_OK);
    assert_int_equal(sl_file_read(place->path, 4, &arena, &data, &n, &err), SL_OK);
    assert_int_equal(n, 4);
    assert_memory_equal(data, "a\0b\n\0", 5);
    assert_int_equal(sl_file_write(place->path, "", 0, &err), SL_OK);
    assert_int_equal(sl_file_read(place->path, 0, &arena, &data, &n, &err), SL_OK);
    assert_int_equal(n, 0);
    assert_string_equal(data, "");
    sl_arena_free(&arena);
    assert_int_equal(empty_folder(place->folder), 1);
}

static void a_file_that_is_too_large_is_refused(void **state) {
    Place *place = *state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlError err;
    char *data = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_write(place->path, "12345", 5, &err), SL_OK);
    assert_int_equal(sl_file_read(place->path, 5, &arena, &data, &n, &err), SL_OK);
    size_t used = arena.used;
    assert_int_equal(sl_file_read(place->path, 4, &arena, &data, &n, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected at most 4 bytes, the file is larger");
    assert_string_equal(err.file, place->path);
    // without a size of its own, an endless file is stopped as well
    assert_int_equal(sl_file_read("/dev/zero", 100000, &arena, &data, &n, &err), SL_EINPUT);
    assert_int_equal(arena.used, used);
    sl_arena_free(&arena);
}

static void a_file_without_a_size_is_read_whole(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    char *data = NULL;
    size_t n = 0;
    int ends[2];
    char path[64], chunk[1000];
    memset(chunk, 'p', sizeof chunk);
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 20; i++) assert_int_equal(write(ends[1], chunk, sizeof chunk), 1000);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(sl_file_read(path, 1 << 20, &arena, &data, &n, NULL), SL_OK);
    assert_int_equal(n, 20000);
    assert_int_equal(strspn(data, "p"), 20000);
    close(ends[0]);
    sl_arena_free(&arena);
}

static void a_dash_is_standard_input(void **state) {
    Place *place = *state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    char *data = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_write(place->path, "from stdin", 10, NULL), SL_OK);
    assert_non_null(freopen(place->path, "r", stdin));
    assert_int_equal(sl_file_read("-", 100, &arena, &data, &n, NULL), SL_OK);
    assert_string_equal(data, "from stdin");
    sl_arena_free(&arena);
}

static void a_missing_file_says_why(void **state) {
    Place *place = *state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlError err;
    char *data = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_read(place->path, 9, &arena, &data, &n, &err), SL_EINPUT);
    assert_string_equal(err.text, "cannot open: No such file or directory");
    assert_string_equal(err.file, place->path);
    assert_int_equal(sl_file_read(place->folder, 9, &arena, &data, &n, &err), SL_EINPUT);
    assert_string_equal(err.text, "cannot read: Is a directory");
    sl_arena_free(&arena);
}

static void a_failed_write_leaves_nothing_behind(void **state) {
    Place *place = *state;
    SlError err;
    char path[160];
    snprintf(path, sizeof path, "%s/no/file", place->folder);
    assert_int_equal(sl_file_write(path, "x", 1, &err), SL_EIO);
    assert_string_equal(err.text, "cannot create: No such file or directory");
    assert_int_equal(sl_file_write(place->folder, "x", 1, &err), SL_EIO);
    assert_string_equal(err.text, "cannot write: Is a directory");
    assert_int_equal(sl_file_write("/dev/full", "x", 1, &err), SL_EIO);
    assert_string_equal(err.text, "cannot write: No space left on device");
    assert_int_equal(empty_folder(place->folder), 0);
}

static void a_write_that_stops_halfway_keeps_the_old_file(void **state) {
    Place *place = *state;
    SlArena arena;
    SlError err;
    char *data = NULL;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_file_write(place->path, "old", 3, &err), SL_OK);
    // no file may grow beyond ten bytes
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 10, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    SlStatus status = sl_file_write(place->path, "longer than ten bytes", 21, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SL_EIO);
    assert_string_equal(err.text, "cannot write: File too large");
    assert_int_equal(sl_file_read(place->path, 100, &arena, &data, &n, &err), SL_OK);
    assert_string_equal(data, "old");
    assert_int_equal(empty_folder(place->folder), 1);
    sl_arena_free(&arena);
}

static void a_path_that_is_too_long_is_an_error(void **state) {
    (void)state;
    SlError err;
    char path[5000];
    memset(path, 'p', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    assert_int_equal(sl_file_write(path, "x", 1, &err), SL_EIO);
    assert_string_equal(err.text, "cannot create: File name too long");
}

static void a_link_stays_a_link_and_permissions_stay(void **state) {
    Place *place = *state;
    char link_path[160];
    struct stat info;
    snprintf(link_path, sizeof link_path, "%s/link", place->folder);
    assert_int_equal(sl_file_write(place->path, "old", 3, NULL), SL_OK);
    assert_int_equal(chmod(place->path, 0640), 0);
    assert_int_equal(symlink(place->path, link_path), 0);
    assert_int_equal(sl_file_write(link_path, "newer", 5, NULL), SL_OK);
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_size, 5);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_int_equal(empty_folder(place->folder), 2);
}

static void a_device_is_written_to_and_stays_a_device(void **state) {
    (void)state;
    struct stat info;
    assert_int_equal(sl_file_write("/dev/null", "x", 1, NULL), SL_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static SlStatus read_this_program(SlArena *arena) {
    char *data = NULL;
    size_t n = 0;
    return sl_file_read("/proc/self/status", 1 << 20, arena, &data, &n, NULL);
}

static void without_memory_nothing_is_kept(void **state) {
    (void)state;
    assert_true(sweep_memory(read_this_program, true) > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_written_is_read, make_place, drop_place),
        cmocka_unit_test_setup_teardown(a_file_that_is_too_large_is_refused, make_place,
                                        drop_place),
        cmocka_unit_test(a_file_without_a_size_is_read_whole),
        cmocka_unit_test_setup_teardown(a_dash_is_standard_input, make_place, drop_place),
        cmocka_unit_test_setup_teardown(a_missing_file_says_why, make_place, drop_place),
        cmocka_unit_test_setup_teardown(a_failed_write_leaves_nothing_behind, make_place,
                                        drop_place),
        cmocka_unit_test_setup_teardown(a_write_that_stops_halfway_keeps_the_old_file, make_place,
                                        drop_place),
        cmocka_unit_test(a_path_that_is_too_long_is_an_error),
        cmocka_unit_test_setup_teardown(a_link_stays_a_link_and_permissions_stay, make_place,
                                        drop_place),
        cmocka_unit_test(a_device_is_written_to_and_stays_a_device),
        cmocka_unit_test(without_memory_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
