// test_programs.c - methods on a small task of VTA: what all of them promise, and how far they get.
#include "search/task_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The 1x1 layer with stride 2 of ResNet-18's last stage: 480 points, 204 of them valid.
static const char *const C10 = "conv:K=512,C=256,P=7,Q=7,stride=2";
enum { POINTS = 480, VALID = 204 };
static const double OPTIMUM = 38778;

typedef struct {
    SlArena arena;
    SlTask *task;
    double table[POINTS]; // values, measured once
} Task;

static int make_task(void **state) {
    Task *task = calloc(1, sizeof *task);
    sl_arena_init(&task->arena, 0);
    task->task = vta_layer_task(C10, &task->arena);
    const SlSpace *space = sl_task_space(task->task);
    if (space->n_points != POINTS) return -1;
    for (int64_t i = 0; i < POINTS; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample measured;
        sl_space_at(space, i, point);
        sl_task_eval(task->task, 1, point, &measured);
        task->table[i] = measured.value;
    }
    *state = task;
    return 0;
}

static int free_task(void **state) {
    Task *task = *state;
    sl_arena_free(&task->arena);
    free(task);
    return 0;
}

static void begin(TaskRun *run, Task *task, const char *name, const char *changes, uint64_t seed) {
    task_run_begin(run, task->task, name, changes, seed, NULL);
    run->table = task->table;
}

static void the_task_is_the_one_that_is_known(void **state) {
    const Task *task = *state;
    int valid = 0;
    double least = INFINITY;
    for (int i = 0; i < POINTS; i++) {
        valid += isfinite(task->table[i]);
        least = fmin(least, task->table[i]);
    }
    assert_int_equal(valid, VALID);
    assert_true(least == OPTIMUM);
}

// those that never ask for a point twice where samples are dear
static const char *const ONCE[] = {"random", "grid", "autotvm", "autotvm-ga", "draft", "oracle"};
enum { N_ONCE = sizeof ONCE / sizeof *ONCE };

// whatever the room: distinct points, all of them or those that pass the check, then none
static void some_end_and_never_repeat_a_point(void **state) {
    static const int rooms[] = {1, 8, 64, 256};
    for (int t = 0; t < N_ONCE; t++) {
        const char *name = ONCE[t];
        for (int r = 0; r < 4; r++) {
            TaskRun run;
            begin(&run, *state, name, NULL, 1);
            task_run_continue(&run, POINTS + 1, rooms[r]);
            assert_true(run.over);
            assert_true(run.best == OPTIMUM);
            const bool checks = !strcmp(name, "draft") || !strcmp(name, "oracle");
            if (checks) assert_int_equal(run.n_failed, 0);
            if (!checks) assert_int_equal(run.n, POINTS);
            if (!strcmp(name, "draft")) assert_int_equal(run.n, VALID);
            // once over, always over
            int32_t point[SL_MAX_PARAMS];
            assert_int_equal(run.method->ask(run.state, 1, point), 0);
            task_run_end(&run);
        }
    }
}

// Every method that does not need what this task lacks gets within a quarter of the optimum.
static void methods_of_mappings_work_on_programs(void **state) {
    int refused = 0;
    for (int t = 0; sl_search_methods[t]; t++) {
        const SlMethod *method = sl_search_methods[t];
        const char *reason = sl_method_check(method, ((Task *)*state)->task);
        if (reason) {
            refused++;
            assert_string_equal(method->name, "gamma");
            assert_non_null(strstr(reason, "mappings"));
            continue;
        }
        TaskRun run;
        begin(&run, *state, method->name, NULL, 1);
        run.repeats = true;
        task_run_continue(&run, 256, 16);
        if (run.best > 1.25 * OPTIMUM) fail_msg("%s: %g", method->name, run.best);
        task_run_end(&run);
    }
    assert_int_equal(refused, 1);
}

static void with_check_only_valid_points_are_measured(void **state) {
    static const char *const names[] = {"random", "grid", "autotvm-ga", "autotvm"};
    for (int t = 0; t < 4; t++) {
        TaskRun run;
        begin(&run, *state, names[t], "check=true", 1);
        task_run_continue(&run, POINTS + 1, 16);
        assert_true(run.over);
        assert_int_equal(run.n_failed, 0);
        assert_int_equal(run.n, VALID);
        task_run_end(&run);
    }
}

static void one_seed_is_one_run(void **state) {
    for (int t = 0; sl_search_methods[t]; t++) {
        TaskRun runs[3];
        if (sl_method_check(sl_search_methods[t], ((Task *)*state)->task)) continue;
        for (int i = 0; i < 3; i++) {
            begin(&runs[i], *state, sl_search_methods[t]->name, NULL, i == 2 ? 2 : 1);
            runs[i].repeats = true;
            task_run_continue(&runs[i], 150, 16);
        }
        const int n_params = sl_task_space(runs[0].task)->n_params;
        const size_t bytes = (size_t)(runs[0].n * n_params) * sizeof(int32_t);
        assert_int_equal(runs[0].n, runs[1].n);
        assert_memory_equal(runs[0].points, runs[1].points, bytes);
        // and another seed another one, where there is chance in it
        const char *name = sl_search_methods[t]->name;
        if (strcmp(name, "draft") && strcmp(name, "oracle"))
            assert_memory_not_equal(runs[0].points, runs[2].points, bytes);
        for (int i = 0; i < 3; i++) task_run_end(&runs[i]);
    }
}

static void points_told_by_others_are_not_asked_for(void **state) {
    for (int t = 0; t < N_ONCE; t++) {
        TaskRun run;
        begin(&run, *state, ONCE[t], NULL, 1);
        const SlSpace *space = sl_task_space(run.task);
        for (int64_t i = 0; i < POINTS; i += 3) {
            int32_t point[SL_MAX_PARAMS];
            SlSample measured = {.value = run.table[i]};
            sl_space_at(space, i, point);
            sl_method_meet(run.method, run.state, 1, point, &measured);
            sl_keyset_add(run.asked, (uint64_t)i);
        }
        task_run_continue(&run, POINTS, 16);
        assert_true(run.over);
        task_run_end(&run);
    }
}

static void too_little_memory_is_said(void **state) {
    const Task *task = *state;
    const SlMethodSetup setup = {.task = task->task, .seed = 1, .stream = "test", .budget = 1000};
    for (int t = 0; sl_search_methods[t]; t++) {
        const SlMethod *method = sl_search_methods[t];
        if (sl_method_check(method, task->task)) continue;
        _Alignas(8) char options[256] = {0};
        assert_true(method->options_bytes <= sizeof options);
        sl_options_init(method->options, options);
        void *made = NULL;
        for (size_t limit = 64; !made; limit += limit / 4) {
            SlArena arena;
            sl_arena_init(&arena, limit);
            made = method->make(&setup, options, &arena);
            sl_arena_free(&arena);
            assert_true(made || limit < 1U << 24);
        }
    }
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_best(Task *task, const char *name, int n) {
    enum { SEEDS = 11 };
    double best[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        TaskRun run;
        begin(&run, task, name, NULL, (uint64_t)i + 1);
        task_run_continue(&run, n, 16);
        best[i] = run.best;
        task_run_end(&run);
    }
    qsort(best, SEEDS, sizeof *best, by_value);
    return best[SEEDS / 2];
}

static void who_learns_beats_random_points(void **state) {
    const double random = median_best(*state, "random", 128);
    assert_true(median_best(*state, "autotvm-ga", 128) < random);
    assert_true(median_best(*state, "autotvm", 128) < random);
    assert_true(median_best(*state, "draft", 16) < random);
}

static void the_oracle_proves_the_optimum_with_few_measurements(void **state) {
    TaskRun run;
    begin(&run, *state, "oracle", NULL, 1);
    task_run_continue(&run, POINTS, 8);
    assert_true(run.over && run.method->proved(run.state));
    assert_true(run.best == OPTIMUM);
    assert_true(run.n < VALID / 4);
    task_run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_task_is_the_one_that_is_known),
        cmocka_unit_test(some_end_and_never_repeat_a_point),
        cmocka_unit_test(methods_of_mappings_work_on_programs),
        cmocka_unit_test(with_check_only_valid_points_are_measured),
        cmocka_unit_test(one_seed_is_one_run),
        cmocka_unit_test(points_told_by_others_are_not_asked_for),
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(who_learns_beats_random_points),
        cmocka_unit_test(the_oracle_proves_the_optimum_with_few_measurements),
    };
    return cmocka_run_group_tests(tests, make_task, free_task);
}
