// test_tune_run.c - a tuning run spends its budget exactly, ends for the right reason, keeps the
// best, and is the same whenever its setup is.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "tune_help.h"

static const char small_layer[] = "conv:K=32,C=32,P=8,Q=8,R=3,S=3,pad=1";
static const char tiny_layer[] = "conv:K=16,C=16,P=2,Q=2,R=1,S=1";

static void every_tuner_is_found_by_its_name(void **state) {
    (void)state;
    int n = 0;
    for (const SlTuner *tuner = NULL; (tuner = sl_tuner_at(n)) != NULL; n++)
        assert_ptr_equal(sl_tuner_find(tuner->name), tuner);
    assert_true(n >= 3);
    assert_non_null(sl_tuner_find("oracle"));
    assert_null(sl_tuner_find("rando"));
    assert_null(sl_tuner_at(n + 1));
    assert_null(sl_tuner_at(-1));
}

static void a_run_takes_exactly_its_measurements(void **state) {
    (void)state;
    static const int64_t budgets[] = {1, 2, 70};
    for (int i = 0; i < N_QUICK_TUNERS; i++) {
        for (int b = 0; b < 3; b++) {
            SlArena arena;
            sl_arena_init(&arena, 0);
            SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
            SlTuneSetup setup = tune_setup(tuning, quick_tuners[i], budgets[b]);
            SlTuneRecord record = tune_of(&setup, &arena);
            if (record.stopped == SL_STOP_SAMPLES)
                assert_int_equal(record.measurements, budgets[b]);
            else
                assert_int_equal(record.stopped, SL_STOP_SPACE);
            assert_true(record.measurements <= budgets[b]);
            assert_int_equal(sl_tuning_measurements(tuning), record.measurements);
            assert_true(record.seconds >= record.method_seconds + record.measure_seconds);
            sl_arena_free(&arena);
        }
    }
}

static void the_best_is_the_least_value_measured(void **state) {
    (void)state;
    SlArena arena;
    SlMeasured again;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
    SlTuneSetup setup = tune_setup(tuning, "random", 60);
    SlTuneRecord record = tune_of(&setup, &arena);
    assert_true(record.found);
    sl_tuning_measure(tuning, 1, record.best, &again);
    assert_true(again.value == record.value);
    assert_in_range(record.failures, 1, 59);
    assert_in_range(record.found_at, 1, 60);
    assert_true(record.n_curve >= 2);
    for (int i = 1; i < record.n_curve; i++) {
        assert_true(record.curve[i].sample > record.curve[i - 1].sample);
        assert_true(record.curve[i].value <= record.curve[i - 1].value);
    }
    assert_int_equal(record.curve[record.n_curve - 1].sample, 60);
    assert_true(record.curve[record.n_curve - 1].value == record.value);
    sl_arena_free(&arena);
}

static void equal_setups_give_equal_records(void **state) {
    (void)state;
    for (int i = 0; i < N_QUICK_TUNERS; i++) {
        SlTuneRecord records[2];
        SlArena arena;
        sl_arena_init(&arena, 0);
        for (int again = 0; again < 2; again++) {
            SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
            SlTuneSetup setup = tune_setup(tuning, quick_tuners[i], 50);
            records[again] = tune_of(&setup, &arena);
        }
        assert_same_tune(&records[0], &records[1], 7);
        sl_arena_free(&arena);
    }
}

static void a_space_that_is_smaller_than_the_budget_ends_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(tiny_layer, SL_HARDWARE_FIXED, &arena);
    int64_t n = sl_tuning_knobs(tuning)->n_points;
    SlTuneSetup setup = tune_setup(tuning, "grid", 10 * n);
    SlTuneRecord record = tune_of(&setup, &arena);
    assert_int_equal(record.measurements, n);
    assert_int_equal(record.stopped, SL_STOP_SPACE);
    assert_true(record.proven);
    sl_arena_free(&arena);
}

static void the_oracle_proves_what_measuring_everything_finds(void **state) {
    (void)state;
    SlArena arena;
    SlTuneRecord optimum;
    SlError err;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
    SlTuneSetup all = tune_setup(tuning, "grid", sl_tuning_knobs(tuning)->n_points);
    SlTuneRecord record = tune_of(&all, &arena);
    SlStatus status = sl_tune_optimum(tuning, (SlTuneLimit){0}, NULL, NULL, &arena, &optimum, &err);
    assert_int_equal(status, SL_OK);
    assert_true(optimum.proven && record.proven);
    assert_true(optimum.value == record.value);
    assert_true(optimum.measurements < record.measurements);
    SlTuneLimit few = {.measurements = 3};
    assert_int_equal(sl_tune_optimum(tuning, few, NULL, NULL, &arena, &optimum, &err), SL_OK);
    assert_false(optimum.proven);
    assert_int_equal(optimum.measurements, 3);
    sl_arena_free(&arena);
}

static void a_value_that_is_low_enough_ends_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
    SlTuneSetup setup = tune_setup(tuning, "random", 100);
    SlTuneRecord whole = tune_of(&setup, &arena);
    setup.target = whole.value;
    SlTuneRecord record = tune_of(&setup, &arena);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    assert_int_equal(record.measurements, whole.found_at);
    assert_true(record.value == whole.value);
    sl_arena_free(&arena);
}

static bool stop_now(void *context, const SlTuneProgress *progress) {
    int64_t *seen = context;
    *seen = progress->measurements;
    return true;
}

static void whoever_watches_may_end_the_run(void **state) {
    (void)state;
    SlArena arena;
    SlTuneRecord record;
    int64_t seen = 0;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_FIXED, &arena);
    SlTuneSetup setup = tune_setup(tuning, "random", 100);
    assert_int_equal(sl_tune_run(&setup, stop_now, &seen, &arena, &record, NULL), SL_OK);
    assert_int_equal(record.stopped, SL_STOP_ASKED);
    assert_int_equal(record.measurements, 1);
    assert_int_equal(seen, 1);
    sl_arena_free(&arena);
}

static void seconds_end_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(small_layer, SL_HARDWARE_SEARCH, &arena);
    SlTuneSetup setup = tune_setup(tuning, "random", 0);
    setup.seconds = 0.05;
    SlTuneRecord record = tune_of(&setup, &arena);
    assert_int_equal(record.stopped, SL_STOP_SECONDS);
    assert_true(record.seconds >= 0.05 && record.seconds < 2);
    sl_arena_free(&arena);
}

static void a_budget_needs_a_limit(void **state) {
    (void)state;
    SlArena arena;
    SlTuneRecord record;
    SlError err;
    sl_arena_init(&arena, 0);
    SlTuning *tuning = vta_tuning(tiny_layer, SL_HARDWARE_FIXED, &arena);
    SlTuneSetup setup = tune_setup(tuning, "random", 0);
    assert_int_equal(sl_tune_run(&setup, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    assert_string_equal(err.text, "a budget needs measurements or seconds");
    setup.measurements = -1;
    assert_int_equal(sl_tune_run(&setup, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    sl_arena_free(&arena);
}

// every limit of memory is told as such, and none ends in a crash
static void out_of_memory_is_an_error(void **state) {
    (void)state;
    int failed = 0;
    for (size_t limit = 0; limit < 40000; limit += 997) {
        SlArena own, arena;
        SlTuneRecord record;
        SlError err;
        sl_arena_init(&own, 0);
        sl_arena_init(&arena, limit ? limit : 1);
        SlTuning *tuning = vta_tuning(tiny_layer, SL_HARDWARE_FIXED, &own);
        SlTuneSetup setup = tune_setup(tuning, "random", 20);
        SlStatus status = sl_tune_run(&setup, NULL, NULL, &arena, &record, &err);
        if (status != SL_OK) assert_int_equal(status, SL_ENOMEM);
        failed += status != SL_OK;
        sl_arena_free(&arena);
        sl_arena_free(&own);
    }
    assert_in_range(failed, 2, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tuner_is_found_by_its_name),
        cmocka_unit_test(a_run_takes_exactly_its_measurements),
        cmocka_unit_test(the_best_is_the_least_value_measured),
        cmocka_unit_test(equal_setups_give_equal_records),
        cmocka_unit_test(a_space_that_is_smaller_than_the_budget_ends_the_run),
        cmocka_unit_test(the_oracle_proves_what_measuring_everything_finds),
        cmocka_unit_test(a_value_that_is_low_enough_ends_the_run),
        cmocka_unit_test(whoever_watches_may_end_the_run),
        cmocka_unit_test(seconds_end_the_run),
        cmocka_unit_test(a_budget_needs_a_limit),
        cmocka_unit_test(out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
