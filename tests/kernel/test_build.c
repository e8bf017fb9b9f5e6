// test_build.c - the compiler in a child and the folder of programs.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "kernel/build_inside.h"
#include "starling/kernel/build.h"
#include "support/check.h"

static const char hello[] = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n";

typedef struct {
    char folder[SL_FOLDER_ROOM]; // of everything
    char programs[SL_FOLDER_ROOM + 16];
    char script[SL_FOLDER_ROOM + 16]; // a compiler that counts its calls
} Place;

static void write_script(const Place *place, const char *body) {
    FILE *file = fopen(place->script, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\necho x >>%s/calls\n%s\n", place->folder, body);
    fclose(file);
    chmod(place->script, 0700);
}

static int make_place(void **state) {
    Place *place = calloc(1, sizeof *place);
    if (!place || sl_folder_make(place->folder, NULL) != SL_OK) return -1;
    snprintf(place->programs, sizeof place->programs, "%s/a/b", place->folder);
    snprintf(place->script, sizeof place->script, "%s/compiler", place->folder);
    write_script(place, "exec cc \"$@\"");
    *state = place;
    return 0;
}

static int remove_place(void **state) {
    sl_folder_remove(((Place *)*state)->folder);
    free(*state);
    return 0;
}

static SlCompiler compiler_of(const Place *place, const char *flags) {
    SlCompiler compiler;
    SlError err;
    SlCompilerOptions options = {
        .compiler = place->script, .flags = flags, .folder = place->programs, .timeout_s = 60};
    assert_int_equal(sl_compiler_init(&compiler, &options, &err), SL_OK);
    return compiler;
}

static int count_calls(const Place *place) {
    char path[SL_FOLDER_ROOM + 16];
    struct stat info;
    snprintf(path, sizeof path, "%s/calls", place->folder);
    return stat(path, &info) == 0 ? (int)info.st_size / 2 : 0;
}

static void expect_output(const SlBuild *build, const char *expected) {
    SlArena arena;
    SlProcessResult result;
    const char *argv[] = {build->path, NULL};
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_process_run(&(SlProcess){.argv = argv}, &arena, &result, NULL), SL_OK);
    assert_string_equal(result.out, expected);
    sl_arena_free(&arena);
}

static void a_program_is_built_once(void **state) {
    const Place *place = *state;
    SlCompiler compiler = compiler_of(place, "-O0");
    SlBuild build;
    int before = count_calls(place);
    sl_compiler_build(&compiler, hello, sizeof hello - 1, &build);
    assert_int_equal(build.error, SL_KERNEL_OK);
    assert_false(build.cached);
    assert_true(build.seconds > 0);
    expect_output(&build, "hello\n");
    assert_int_equal(count_calls(place), before + 1);
    sl_compiler_build(&compiler, hello, sizeof hello - 1, &build);
    assert_true(build.cached);
    assert_int_equal(count_calls(place), before + 1);
    expect_output(&build, "hello\n");
}

static void other_texts_flags_and_compilers_are_other_programs(void **state) {
    const Place *place = *state;
    SlCompiler plain = compiler_of(place, "-O0"), defined = compiler_of(place, "-O0 -DX=1");
    SlBuild a, b, c;
    sl_compiler_build(&plain, hello, sizeof hello - 1, &a);
    sl_compiler_build(&defined, hello, sizeof hello - 1, &b);
    sl_compiler_build(&plain, hello, sizeof hello - 2, &c);
    assert_string_not_equal(a.path, b.path);
    assert_string_not_equal(a.path, c.path);
    write_script(place, "echo another version >&2; exec cc \"$@\"");
    plain = compiler_of(place, "-O0");
    sl_compiler_build(&plain, hello, sizeof hello - 1, &b);
    assert_string_not_equal(a.path, b.path);
    assert_false(b.cached);
}

static void a_refused_program_leaves_nothing_but_the_reason(void **state) {
    const Place *place = *state;
    SlCompiler compiler = compiler_of(place, "-O0");
    static const char wrong[] = "int main(void) {\n    return nothing;\n}\n";
    SlBuild build;
    sl_compiler_build(&compiler, wrong, sizeof wrong - 1, &build);
    assert_int_equal(build.error, SL_KERNEL_UNBUILT);
    assert_non_null(strstr(build.why, "kernel.c:2"));
    assert_non_null(strstr(build.why, "error:"));
    assert_non_null(strstr(build.why, "nothing"));
    assert_null(strchr(build.why, '\n'));
    assert_int_not_equal(access(build.path, F_OK), 0);
    sl_compiler_build(&compiler, wrong, sizeof wrong - 1, &build);
    assert_int_equal(build.error, SL_KERNEL_UNBUILT);
    assert_false(build.cached);
}

static void a_slow_compiler_is_stopped(void **state) {
    const Place *place = *state;
    write_script(place, "case \"$*\" in *-o*) sleep 60;; esac; exec cc \"$@\"");
    SlCompiler compiler = compiler_of(place, "-O0");
    SlBuild build;
    compiler.timeout_s = 0.3;
    sl_compiler_build(&compiler, hello, sizeof hello - 1, &build);
    assert_int_equal(build.error, SL_KERNEL_BUILD_TIMEOUT);
    assert_string_equal(build.why, "the compiler took longer than 0.3 s");
}

static void compilers_that_cannot_work_are_told_at_once(void **state) {
    const Place *place = *state;
    SlCompiler compiler;
    SlError err;
    SlCompilerOptions options = {.compiler = "no-such-compiler", .folder = place->programs};
    assert_int_equal(sl_compiler_init(&compiler, &options, &err), SL_EINPUT);
    assert_non_null(
        strstr(err.text,
               "'no-such-compiler -O3 -march=native -fno-predictive-commoning' cannot be started"));
    options = (SlCompilerOptions){.flags = "--no-such-flag", .folder = place->programs};
    assert_int_equal(sl_compiler_init(&compiler, &options, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "--no-such-flag"));
    options = (SlCompilerOptions){.folder = "/proc/nowhere/at/all"};
    assert_int_equal(sl_compiler_init(&compiler, &options, &err), SL_EIO);
    char longest[SL_FOLDER_ROOM + 8];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    options = (SlCompilerOptions){.folder = longest};
    assert_int_equal(sl_compiler_init(&compiler, &options, &err), SL_EINPUT);
}

// a program of `kib` that was last used `hours` ago
static void put_program(const char *folder, char letter, int kib, int hours) {
    char path[SL_FOLDER_ROOM + 64], name[33], block[1024] = {1};
    memset(name, letter, 32);
    name[32] = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < kib; i++) fwrite(block, 1, sizeof block, file);
    fclose(file);
    struct timespec used[2] = {{.tv_sec = time(NULL) - 3600L * hours},
                               {.tv_sec = time(NULL) - 3600L * hours}};
    utimensat(AT_FDCWD, path, used, 0);
}

static bool has_program(const char *folder, char letter) {
    char path[SL_FOLDER_ROOM + 64], name[33];
    memset(name, letter, 32);
    name[32] = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void the_programs_used_long_ago_go_first(void **state) {
    const Place *place = *state;
    SlCompiler compiler = compiler_of(place, "-O0"); // makes the folder
    char work[SL_FOLDER_ROOM + 64], kept[SL_FOLDER_ROOM + 64];
    for (int i = 0; i < 4; i++) put_program(place->programs, (char)('a' + i), 100, 4 - i);
    snprintf(kept, sizeof kept, "%s/notes.txt", place->programs);
    fclose(fopen(kept, "w"));
    snprintf(work, sizeof work, "%s/work-old", place->programs);
    mkdir(work, 0700);
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    utimensat(AT_FDCWD, work, old, 0);
    SlCompilerOptions options = {.folder = place->programs, .most_bytes = 300 << 10};
    assert_int_equal(sl_compiler_init(&compiler, &options, NULL), SL_OK);
    assert_false(has_program(place->programs, 'a'));
    assert_false(has_program(place->programs, 'b'));
    assert_true(has_program(place->programs, 'c'));
    assert_true(has_program(place->programs, 'd'));
    assert_int_equal(access(kept, F_OK), 0);
    assert_int_not_equal(access(work, F_OK), 0);
}

static void the_folder_of_programs_is_found(void **state) {
    const Place *place = *state;
    SlCompiler compiler;
    char expected[SL_FOLDER_ROOM + 64];
    setenv("XDG_CACHE_HOME", place->folder, 1);
    assert_int_equal(sl_compiler_init(&compiler, NULL, NULL), SL_OK);
    snprintf(expected, sizeof expected, "%s/starling/kernels", place->folder);
    assert_string_equal(compiler.folder, expected);
    assert_string_equal(compiler.flags, SL_COMPILER_FLAGS);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", place->folder, 1);
    assert_int_equal(sl_compiler_init(&compiler, NULL, NULL), SL_OK);
    snprintf(expected, sizeof expected, "%s/.cache/starling/kernels", place->folder);
    assert_string_equal(compiler.folder, expected);
}

static void errors_have_the_numbers_and_names_of_records(void **state) {
    (void)state;
    const SlKernelError errors[] = {
        SL_KERNEL_OK,    SL_KERNEL_UNFIT,         SL_KERNEL_UNBUILT,     SL_KERNEL_CRASHED,
        SL_KERNEL_WRONG, SL_KERNEL_BUILD_TIMEOUT, SL_KERNEL_RUN_TIMEOUT, SL_KERNEL_UNKNOWN};
    const int numbers[] = {0, 1, 2, 4, 5, 6, 7, 8};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(errors[i], numbers[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(sl_kernel_error_name(errors[i]),
                                    sl_kernel_error_name(errors[j]));
    }
}

#define PLACED(f) cmocka_unit_test_setup_teardown(f, make_place, remove_place)

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(a_program_is_built_once),
        PLACED(other_texts_flags_and_compilers_are_other_programs),
        PLACED(a_refused_program_leaves_nothing_but_the_reason),
        PLACED(a_slow_compiler_is_stopped),
        PLACED(compilers_that_cannot_work_are_told_at_once),
        PLACED(the_programs_used_long_ago_go_first),
        PLACED(the_folder_of_programs_is_found),
        cmocka_unit_test(errors_have_the_numbers_and_names_of_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
