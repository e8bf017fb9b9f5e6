// test_bundle.c - the embedded files are there, sorted, and found by name.
#include "support/check.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "starling/core/bundle.h"

static void files_are_sorted_and_whole(void **state) {
    (void)state;
    const SlBundled *file = sl_bundle_files();
    assert_non_null(file->folder);
    for (; file->folder; file++) {
        // flocks are bytes
        if (strcmp(file->folder, "flocks") != 0) assert_int_equal(strlen(file->text), file->n);
        assert_int_equal(file->text[file->n], '\0');
        assert_true(file->n > 0);
        assert_null(strchr(file->name, '.'));
        if (!file[1].folder) break;
        int order = strcmp(file->folder, file[1].folder);
        assert_true(order < 0 || (order == 0 && strcmp(file->name, file[1].name) < 0));
    }
}

static void each_file_is_found_by_folder_and_name(void **state) {
    (void)state;
    for (const SlBundled *file = sl_bundle_files(); file->folder; file++) {
        assert_ptr_equal(sl_bundle_find(file->folder, file->name), file);
        assert_null(sl_bundle_find("no folder", file->name));
    }
    assert_null(sl_bundle_find("networks", "no network"));
}

static void names_of_a_folder_are_listed_as_far_as_there_is_room(void **state) {
    (void)state;
    const char *names[256], *first[2];
    int expected = 0;
    for (const SlBundled *file = sl_bundle_files(); file->folder; file++)
        expected += strcmp(file->folder, "networks") == 0;
    assert_true(expected >= 2);
    assert_int_equal(sl_bundle_names("networks", 256, names), expected);
    assert_null(names[expected]);
    for (int i = 0; i < expected; i++) assert_non_null(sl_bundle_find("networks", names[i]));
    assert_int_equal(sl_bundle_names("networks", 2, first), 1);
    assert_string_equal(first[0], names[0]);
    assert_null(first[1]);
    assert_int_equal(sl_bundle_names("no folder", 2, first), 0);
    assert_null(first[0]);
}

static void files_of_the_users_own_are_told_from_bundled_names(void **state) {
    (void)state;
    const char *const paths[] = {"mine.yaml", "mine.yml", "mine.json", "./eyeriss", "a/b", "/"};
    const char *const names[] = {"eyeriss", "", ".yaml", ".json", "yaml", "mine.yaml:2", "a.b"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_true(sl_bundle_is_path(paths[i]));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_false(sl_bundle_is_path(names[i]));
}

static void an_unknown_name_gets_the_nearest_one_and_all_of_the_folder(void **state) {
    (void)state;
    SlError err = {0};
    const char *names[256];
    char list[512] = "", expected[1024];
    size_t used = 0;
    int n = sl_bundle_names("accels", 256, names);
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    snprintf(expected, sizeof expected,
             "unknown accelerator 'eyeris' (did you mean 'eyeriss'?), expected one of %s, or a "
             ".yaml file",
             list);
    assert_int_equal(sl_bundle_unknown("accels", "accelerator", "eyeris", &err), SL_EINPUT);
    assert_string_equal(err.text, expected);
}

static void what_is_near_to_nothing_gets_no_hint(void **state) {
    (void)state;
    SlError err = {0};
    char wild[2000];
    memset(wild, 'x', sizeof wild - 1);
    wild[sizeof wild - 1] = '\0';
    assert_int_equal(sl_bundle_unknown("constraints", "constraints", wild, &err), SL_EINPUT);
    // the first 64 letters of it
    assert_int_equal(strspn(err.text + strlen("unknown constraints '"), "x"), 64);
    assert_non_null(strstr(err.text, "x', expected one of "));
    assert_null(strstr(err.text, "did you mean"));
    assert_int_equal(sl_bundle_unknown("constraints", "constraints", "", NULL), SL_EINPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_sorted_and_whole),
        cmocka_unit_test(each_file_is_found_by_folder_and_name),
        cmocka_unit_test(names_of_a_folder_are_listed_as_far_as_there_is_room),
        cmocka_unit_test(files_of_the_users_own_are_told_from_bundled_names),
        cmocka_unit_test(an_unknown_name_gets_the_nearest_one_and_all_of_the_folder),
        cmocka_unit_test(what_is_near_to_nothing_gets_no_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
