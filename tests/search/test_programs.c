// test_tune_table.c - every tuner on a small task of VTA: what all of them promise.
#include "search/tuner_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The 1x1 layer with stride 2 of ResNet-18's last stage: 480 points, 204 of them valid.
static const char *const C10 = "conv:K=512,C=256,P=7,Q=7,stride=2";
enum { POINTS = 480, VALID = 204 };
static const double OPTIMUM = 38778;

typedef struct {
    SlArena arena;
    SlTuning *tuning;
    double table[POINTS]; // values, measured once
} Task;

static int make_task(void **state) {
    Task *task = calloc(1, sizeof *task);
    sl_arena_init(&task->arena, 0);
    task->tuning = vta_tuning(C10, &task->arena);
    const SlKnobs *knobs = sl_tuning_knobs(task->tuning);
    if (knobs->n_points != POINTS) return -1;
    for (int64_t i = 0; i < POINTS; i++) {
        int32_t point[SL_MAX_KNOBS];
        SlMeasured measured;
        sl_knobs_point(knobs, i, point);
        sl_tuning_measure(task->tuning, 1, point, &measured);
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

static void begin(TunerRun *run, Task *task, const char *name, const char *changes, uint64_t seed) {
    tuner_begin(run, task->tuning, name, changes, seed, NULL);
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

// whatever the room: distinct points, all of them or those that pass the check, then none
static void every_tuner_ends_and_never_repeats_a_point(void **state) {
    static const int rooms[] = {1, 8, 64, 256};
    for (int t = 0; sl_search_tuners[t]; t++) {
        const char *name = sl_search_tuners[t]->name;
        for (int r = 0; r < 4; r++) {
            TunerRun run;
            begin(&run, *state, name, NULL, 1);
            tuner_continue(&run, POINTS + 1, rooms[r]);
            assert_true(run.over);
            assert_true(run.best == OPTIMUM);
            const bool checks = !strcmp(name, "draft") || !strcmp(name, "oracle");
            if (checks) assert_int_equal(run.n_failed, 0);
            if (!checks) assert_int_equal(run.n, POINTS);
            if (!strcmp(name, "draft")) assert_int_equal(run.n, VALID);
            // once over, always over
            int32_t point[SL_MAX_KNOBS];
            assert_int_equal(run.tuner->ask(run.state, 1, point), 0);
            tuner_end(&run);
        }
    }
}

static void with_check_only_valid_points_are_measured(void **state) {
    static const char *const names[] = {"random", "grid", "ga", "autotvm"};
    for (int t = 0; t < 4; t++) {
        TunerRun run;
        begin(&run, *state, names[t], "check=true", 1);
        tuner_continue(&run, POINTS + 1, 16);
        assert_true(run.over);
        assert_int_equal(run.n_failed, 0);
        assert_int_equal(run.n, VALID);
        tuner_end(&run);
    }
}

static void one_seed_is_one_run(void **state) {
    for (int t = 0; sl_search_tuners[t]; t++) {
        TunerRun runs[3];
        for (int i = 0; i < 3; i++) {
            begin(&runs[i], *state, sl_search_tuners[t]->name, NULL, i == 2 ? 2 : 1);
            tuner_continue(&runs[i], 150, 16);
        }
        const int n_knobs = sl_tuning_knobs(runs[0].tuning)->n_knobs;
        const size_t bytes = (size_t)(runs[0].n * n_knobs) * sizeof(int32_t);
        assert_int_equal(runs[0].n, runs[1].n);
        assert_memory_equal(runs[0].points, runs[1].points, bytes);
        // and another seed another one, where there is chance in it
        const char *name = sl_search_tuners[t]->name;
        if (!strcmp(name, "random") || !strcmp(name, "ga") || !strcmp(name, "autotvm"))
            assert_memory_not_equal(runs[0].points, runs[2].points, bytes);
        for (int i = 0; i < 3; i++) tuner_end(&runs[i]);
    }
}

static void points_told_by_others_are_not_asked_for(void **state) {
    for (int t = 0; sl_search_tuners[t]; t++) {
        TunerRun run;
        begin(&run, *state, sl_search_tuners[t]->name, NULL, 1);
        const SlKnobs *knobs = sl_tuning_knobs(run.tuning);
        for (int64_t i = 0; i < POINTS; i += 3) {
            int32_t point[SL_MAX_KNOBS];
            SlMeasured measured = {.value = run.table[i]};
            sl_knobs_point(knobs, i, point);
            run.tuner->tell(run.state, 1, point, &measured);
            sl_keyset_add(run.asked, (uint64_t)i);
        }
        tuner_continue(&run, POINTS, 16);
        assert_true(run.over);
        tuner_end(&run);
    }
}

static void too_little_memory_is_said(void **state) {
    const Task *task = *state;
    const SlTunerSetup setup = {
        .tuning = task->tuning, .seed = 1, .stream = "test", .budget = 1000};
    for (int t = 0; sl_search_tuners[t]; t++) {
        const SlTuner *tuner = sl_search_tuners[t];
        _Alignas(8) char options[256] = {0};
        assert_true(tuner->options_bytes <= sizeof options);
        sl_options_init(tuner->options, options);
        void *made = NULL;
        for (size_t limit = 64; !made; limit += limit / 4) {
            SlArena arena;
            sl_arena_init(&arena, limit);
            made = tuner->make(&setup, options, &arena);
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
        TunerRun run;
        begin(&run, task, name, NULL, (uint64_t)i + 1);
        tuner_continue(&run, n, 16);
        best[i] = run.best;
        tuner_end(&run);
    }
    qsort(best, SEEDS, sizeof *best, by_value);
    return best[SEEDS / 2];
}

static void who_learns_beats_random_points(void **state) {
    const double random = median_best(*state, "random", 128);
    assert_true(median_best(*state, "ga", 128) < random);
    assert_true(median_best(*state, "autotvm", 128) < random);
    assert_true(median_best(*state, "draft", 16) < random);
}

static void the_oracle_proves_the_optimum_with_few_measurements(void **state) {
    TunerRun run;
    begin(&run, *state, "oracle", NULL, 1);
    tuner_continue(&run, POINTS, 8);
    assert_true(run.over && sl_oracle_proved(run.state));
    assert_true(run.best == OPTIMUM);
    assert_true(run.n < VALID / 4);
    tuner_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_task_is_the_one_that_is_known),
        cmocka_unit_test(every_tuner_ends_and_never_repeats_a_point),
        cmocka_unit_test(with_check_only_valid_points_are_measured),
        cmocka_unit_test(one_seed_is_one_run),
        cmocka_unit_test(points_told_by_others_are_not_asked_for),
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(who_learns_beats_random_points),
        cmocka_unit_test(the_oracle_proves_the_optimum_with_few_measurements),
    };
    return cmocka_run_group_tests(tests, make_task, free_task);
}
