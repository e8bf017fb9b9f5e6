// test_process.c - children with deadlines, limits and captured output.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/build_inside.h"
#include "starling/kernel/process.h"
#include "support/check.h"

// one line of shell under the given limits
static SlProcessResult run_shell(SlProcess process, const char *line, SlArena *arena) {
    SlProcessResult result;
    const char *argv[] = {"sh", "-c", line, NULL};
    process.argv = argv;
    assert_int_equal(sl_process_run(&process, arena, &result, NULL), SL_OK);
    return result;
}

static void output_and_exit_code_are_captured(void **state) {
    (void)state;
    SlArena arena;
    char text[128];
    sl_arena_init(&arena, 0);
    SlProcessResult r = run_shell((SlProcess){0}, "printf out; printf wrong >&2; exit 3", &arena);
    assert_int_equal(r.end, SL_PROCESS_EXITED);
    assert_int_equal(r.code, 3);
    assert_string_equal(r.out, "out");
    assert_string_equal(r.err, "wrong");
    assert_int_equal(r.n_out, 3);
    assert_false(r.cut);
    assert_string_equal(sl_process_show(&(SlProcess){0}, &r, sizeof text, text),
                        "ended with code 3");
    sl_arena_free(&arena);
}

static void a_child_reads_nothing_and_works_in_its_folder(void **state) {
    (void)state;
    SlArena arena;
    char folder[SL_FOLDER_ROOM], line[SL_FOLDER_ROOM + 8];
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_folder_make(folder, NULL), SL_OK);
    SlProcessResult r = run_shell((SlProcess){.folder = folder}, "cat; pwd -P", &arena);
    char *real = realpath(folder, NULL);
    snprintf(line, sizeof line, "%s\n", real);
    assert_string_equal(r.out, line);
    free(real);
    sl_folder_remove(folder);
    sl_arena_free(&arena);
}

static void a_path_is_that_of_the_caller_wherever_the_child_works(void **state) {
    (void)state;
    SlArena arena;
    SlProcessResult r;
    char folder[SL_FOLDER_ROOM], before[SL_FOLDER_ROOM];
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_folder_make(folder, NULL), SL_OK);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    run_shell((SlProcess){0}, "mkdir x; printf '#!/bin/sh\\necho here' >say; chmod 700 say",
              &arena);
    const char *argv[] = {"./say", NULL};
    SlProcess process = {.argv = argv, .folder = "x"};
    assert_int_equal(sl_process_run(&process, &arena, &r, NULL), SL_OK);
    assert_int_equal(chdir(before), 0);
    assert_string_equal(r.out, "here\n");
    sl_folder_remove(folder);
    sl_arena_free(&arena);
}

static void long_output_is_cut_without_blocking_the_child(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlProcessResult r =
        run_shell((SlProcess){.max_output = 10, .deadline_s = 20},
                  "i=0; while [ $i -lt 9999 ]; do i=$((i+1)); echo 0123456789abcdef; "
                  "done; exit 7",
                  &arena);
    assert_int_equal(r.end, SL_PROCESS_EXITED);
    assert_int_equal(r.code, 7);
    assert_string_equal(r.out, "0123456789");
    assert_true(r.cut);
    sl_arena_free(&arena);
}

static void a_signal_is_told_from_an_exit_code(void **state) {
    (void)state;
    SlArena arena;
    char text[128];
    sl_arena_init(&arena, 0);
    SlProcessResult r = run_shell((SlProcess){0}, "kill -SEGV $$", &arena);
    assert_int_equal(r.end, SL_PROCESS_KILLED);
    assert_int_equal(r.code, SIGSEGV);
    assert_non_null(strstr(sl_process_show(&(SlProcess){0}, &r, sizeof text, text), "signal 11"));
    sl_arena_free(&arena);
}

// is there still a process that sleeps for `seconds`, a number nobody else would use?
static bool sleeper_lives(const char *seconds, SlArena *arena) {
    char line[128];
    snprintf(line, sizeof line, "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '");
    SlProcess process = {.max_output = 1 << 20};
    SlProcessResult r = run_shell(process, line, arena);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "sleep %s ", seconds);
    for (size_t i = 0; i < r.n_out; i++)
        if (!r.out[i]) r.out[i] = ' ';
    return strstr(r.out, wanted) != NULL;
}

// a process that was killed is seen until its processor has time for its end
static bool sleeper_stays(const char *seconds, SlArena *arena) {
    double begun = sl_clock_seconds();
    bool lives = true;
    while (lives && sl_clock_seconds() - begun < 10) {
        size_t mark = sl_arena_mark(arena);
        lives = sleeper_lives(seconds, arena);
        sl_arena_rewind(arena, mark);
    }
    return lives;
}

static void the_deadline_kills_the_whole_process_group(void **state) {
    (void)state;
    SlArena arena;
    char seconds[32], line[128], text[128];
    sl_arena_init(&arena, 0);
    snprintf(seconds, sizeof seconds, "61.%d", (int)getpid());
    snprintf(line, sizeof line, "(sleep %s; :) & sleep %s; :", seconds, seconds);
    SlProcess process = {.deadline_s = 0.3};
    double begun = sl_clock_seconds();
    SlProcessResult r = run_shell(process, line, &arena);
    assert_int_equal(r.end, SL_PROCESS_TIMEOUT);
    assert_true(sl_clock_seconds() - begun < 10);
    assert_string_equal(sl_process_show(&process, &r, sizeof text, text), "took longer than 0.3 s");
    assert_false(sleeper_stays(seconds, &arena));
    sl_arena_free(&arena);
}

static void what_a_child_leaves_behind_is_not_waited_for(void **state) {
    (void)state;
    SlArena arena;
    char seconds[32], line[128];
    sl_arena_init(&arena, 0);
    snprintf(seconds, sizeof seconds, "62.%d", (int)getpid());
    snprintf(line, sizeof line, "(sleep %s; :) & echo done", seconds);
    double begun = sl_clock_seconds();
    SlProcessResult r = run_shell((SlProcess){0}, line, &arena);
    assert_int_equal(r.end, SL_PROCESS_EXITED);
    assert_string_equal(r.out, "done\n");
    assert_true(sl_clock_seconds() - begun < 10);
    assert_false(sleeper_stays(seconds, &arena));
    sl_arena_free(&arena);
}

static void limits_of_time_and_memory_hold(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlProcessResult r =
        run_shell((SlProcess){.cpu_s = 1, .deadline_s = 30}, "while :; do :; done", &arena);
    assert_int_equal(r.end, SL_PROCESS_KILLED);
    assert_int_equal(r.code, SIGXCPU);
    r = run_shell((SlProcess){.memory_bytes = 1 << 28}, "ulimit -v", &arena);
    assert_string_equal(r.out, "262144\n");
    r = run_shell((SlProcess){.file_bytes = 1 << 20}, "ulimit -f -c", &arena);
    assert_int_equal(r.code, 0);
    sl_arena_free(&arena);
}

static void a_program_that_is_not_there_is_told(void **state) {
    (void)state;
    SlArena arena;
    char text[128];
    sl_arena_init(&arena, 0);
    const char *missing[] = {"no-such-program-of-ours", "/no/such/program", "/etc/passwd"};
    for (int i = 0; i < 3; i++) {
        SlProcessResult r;
        const char *argv[] = {missing[i], NULL};
        SlProcess process = {.argv = argv};
        assert_int_equal(sl_process_run(&process, &arena, &r, NULL), SL_OK);
        assert_int_equal(r.end, SL_PROCESS_ABSENT);
        assert_int_equal(r.code, i == 2 ? EACCES : ENOENT);
        assert_non_null(
            strstr(sl_process_show(&process, &r, sizeof text, text), "cannot be started"));
    }
    sl_arena_free(&arena);
}

// One thread that runs children of its own.
typedef struct {
    int number, wrong;
} Runner;

// each gets the output of its children and nobody else's
static void *run_many(void *context) {
    Runner *runner = context;
    for (int i = 0; i < 8; i++) {
        SlArena arena;
        SlProcessResult r;
        char line[64], expected[32];
        sl_arena_init(&arena, 0);
        snprintf(line, sizeof line, "echo %d.%d", runner->number, i);
        snprintf(expected, sizeof expected, "%d.%d\n", runner->number, i);
        const char *argv[] = {"sh", "-c", line, NULL};
        SlProcess process = {.argv = argv, .deadline_s = 60};
        bool ran = sl_process_run(&process, &arena, &r, NULL) == SL_OK;
        runner->wrong += !ran || strcmp(r.out, expected) != 0;
        sl_arena_free(&arena);
    }
    return NULL;
}

static void threads_run_children_side_by_side(void **state) {
    (void)state;
    pthread_t threads[4];
    Runner runners[4];
    for (int i = 0; i < 4; i++) {
        runners[i] = (Runner){.number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, &runners[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(runners[i].wrong, 0);
    }
}

static void a_folder_goes_with_all_it_holds(void **state) {
    (void)state;
    SlArena arena;
    char a[SL_FOLDER_ROOM], b[SL_FOLDER_ROOM];
    struct stat info;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_folder_make(a, NULL), SL_OK);
    assert_int_equal(sl_folder_make(b, NULL), SL_OK);
    assert_string_not_equal(a, b);
    assert_int_equal(stat(a, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    char line[SL_FOLDER_ROOM + 64];
    snprintf(line, sizeof line, "mkdir -p x/y; echo 1 >x/y/z; ln -s %s link", b);
    run_shell((SlProcess){.folder = a}, line, &arena);
    sl_folder_remove(a);
    assert_int_equal(stat(a, &info), -1);
    assert_int_equal(stat(b, &info), 0);
    sl_folder_remove(b);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit_code_are_captured),
        cmocka_unit_test(a_child_reads_nothing_and_works_in_its_folder),
        cmocka_unit_test(a_path_is_that_of_the_caller_wherever_the_child_works),
        cmocka_unit_test(long_output_is_cut_without_blocking_the_child),
        cmocka_unit_test(a_signal_is_told_from_an_exit_code),
        cmocka_unit_test(the_deadline_kills_the_whole_process_group),
        cmocka_unit_test(what_a_child_leaves_behind_is_not_waited_for),
        cmocka_unit_test(limits_of_time_and_memory_hold),
        cmocka_unit_test(a_program_that_is_not_there_is_told),
        cmocka_unit_test(threads_run_children_side_by_side),
        cmocka_unit_test(a_folder_goes_with_all_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
