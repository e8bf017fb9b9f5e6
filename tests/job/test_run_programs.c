// test_run_programs.c - a run over programs spends its budget exactly, ends for the right reason,
// keeps the best, and is the same whenever its setup is.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "job_help.h"

static const char small_layer[] = "conv:K=32,C=32,P=8,Q=8,R=3,S=3,pad=1";
static const char tiny_layer[] = "conv:K=16,C=16,P=2,Q=2,R=1,S=1";

static void a_run_takes_exactly_its_samples(void **state) {
    (void)state;
    static const int64_t budgets[] = {1, 2, 70};
    for (int i = 0; i < N_QUICK_METHODS; i++) {
        for (int b = 0; b < 3; b++) {
            SlArena arena;
            SlRecord record;
            sl_arena_init(&arena, 0);
            Job job = vta_job(small_layer, SL_HARDWARE_FIXED, quick_methods[i], budgets[b]);
            job.run.task = job_task(&job, &arena);
            assert_int_equal(sl_run(&job.run, NULL, NULL, &arena, &record, NULL), SL_OK);
            if (record.stopped == SL_STOP_SAMPLES)
                assert_int_equal(record.samples, budgets[b]);
            else
                assert_int_equal(record.stopped, SL_STOP_SPACE);
            assert_true(record.samples <= budgets[b]);
            assert_int_equal(sl_task_samples(job.run.task), record.samples);
            assert_true(record.seconds >= record.method_seconds + record.eval_seconds);
            sl_arena_free(&arena);
        }
    }
}

static void the_best_is_the_least_value_measured(void **state) {
    (void)state;
    SlArena arena;
    SlSample again;
    sl_arena_init(&arena, 0);
    Job job = vta_job(small_layer, SL_HARDWARE_FIXED, "random", 60);
    SlRecord record = job_run(&job, &arena);
    assert_true(record.best.sample > 0);
    sl_task_eval(job_task(&job, &arena), 1, record.best.point, &again);
    assert_true(again.value == record.best.outcome.value);
    assert_in_range(record.failures, 1, 59);
    assert_in_range(record.best.sample, 1, 60);
    assert_true(record.n_curve >= 2);
    assert_good_curve(&record);
    assert_int_equal(record.curve[record.n_curve - 1].sample, 60);
    sl_arena_free(&arena);
}

static void equal_setups_give_equal_records(void **state) {
    (void)state;
    for (int i = 0; i < N_QUICK_METHODS; i++) {
        SlArena arena;
        sl_arena_init(&arena, 0);
        Job job = vta_job(small_layer, SL_HARDWARE_FIXED, quick_methods[i], 50);
        SlRecord one = job_run(&job, &arena), two = job_run(&job, &arena);
        assert_same_record(&one, &two);
        sl_arena_free(&arena);
    }
}

static void the_first_sample_is_the_default(void **state) {
    (void)state;
    SlArena arena;
    int32_t start[SL_MAX_PARAMS] = {0};
    sl_arena_init(&arena, 0);
    Job job = vta_job(small_layer, SL_HARDWARE_FIXED, "random", 1);
    job.run.start = SL_START_DEFAULT;
    SlRecord record = job_run(&job, &arena);
    sl_task_start(job_task(&job, &arena), start);
    assert_int_equal(record.best.sample, 1);
    assert_memory_equal(record.best.point, start, sizeof start);
    sl_arena_free(&arena);
}

static void a_space_that_is_smaller_than_the_budget_ends_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Job job = vta_job(tiny_layer, SL_HARDWARE_FIXED, "grid", 0);
    int64_t n = sl_task_space(job_task(&job, &arena))->n_points;
    job.run.budget.samples = 10 * n;
    SlRecord record = job_run(&job, &arena);
    assert_int_equal(record.samples, n);
    assert_int_equal(record.stopped, SL_STOP_SPACE);
    assert_true(record.proven);
    sl_arena_free(&arena);
}

static void the_oracle_proves_what_measuring_everything_finds(void **state) {
    (void)state;
    SlArena arena;
    SlRecord optimum;
    SlError err;
    sl_arena_init(&arena, 0);
    Job all = vta_job(small_layer, SL_HARDWARE_FIXED, "grid", 0);
    SlTask *task = job_task(&all, &arena);
    all.run.budget.samples = sl_task_space(task)->n_points;
    SlRecord record = job_run(&all, &arena);
    SlBudget none = {0}, few = {.samples = 3};
    assert_int_equal(sl_run_optimum(task, &none, NULL, NULL, &arena, &optimum, &err), SL_OK);
    assert_true(optimum.proven && record.proven);
    assert_true(optimum.best.outcome.value == record.best.outcome.value);
    assert_true(optimum.samples < record.samples);
    task = job_task(&all, &arena);
    assert_int_equal(sl_run_optimum(task, &few, NULL, NULL, &arena, &optimum, &err), SL_OK);
    assert_false(optimum.proven);
    assert_int_equal(optimum.samples, 3);
    sl_arena_free(&arena);
}

static void a_value_that_is_low_enough_ends_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Job job = vta_job(small_layer, SL_HARDWARE_FIXED, "random", 100);
    SlRecord whole = job_run(&job, &arena);
    assert_true(whole.floor == 32 * 32 * 64 * 9 / 256.0);
    job.run.budget.target = whole.floor_multiple * (1 + 1e-12);
    SlRecord record = job_run(&job, &arena);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    assert_int_equal(record.samples, whole.best.sample);
    assert_true(record.best.outcome.value == whole.best.outcome.value);
    sl_arena_free(&arena);
}

static bool stop_now(void *context, const SlEvent *event) {
    int64_t *seen = context;
    *seen = event->samples;
    return true;
}

static void whoever_watches_may_end_the_run(void **state) {
    (void)state;
    SlArena arena;
    int64_t seen = 0;
    sl_arena_init(&arena, 0);
    Job job = vta_job(small_layer, SL_HARDWARE_FIXED, "random", 100);
    SlRecord record = job_watched(&job, stop_now, &seen, &arena);
    assert_int_equal(record.stopped, SL_STOP_ASKED);
    assert_int_equal(record.samples, 1);
    assert_int_equal(seen, 1);
    sl_arena_free(&arena);
}

static void seconds_end_the_run(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    Job job = vta_job(small_layer, SL_HARDWARE_SEARCH, "random", 0);
    job.run.budget.seconds = 0.05;
    SlRecord record = job_run(&job, &arena);
    assert_int_equal(record.stopped, SL_STOP_SECONDS);
    assert_true(record.seconds >= 0.05 && record.seconds < 2);
    sl_arena_free(&arena);
}

static void a_budget_needs_a_limit(void **state) {
    (void)state;
    SlArena arena;
    SlRecord record;
    SlError err;
    sl_arena_init(&arena, 0);
    Job job = vta_job(tiny_layer, SL_HARDWARE_FIXED, "random", 0);
    assert_int_equal(job_try(&job, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    assert_string_equal(err.text, "a budget needs samples or seconds");
    job.run.budget.samples = -1;
    assert_int_equal(job_try(&job, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    sl_arena_free(&arena);
}

// every limit of memory is told as such, and none ends in a crash
static void out_of_memory_is_an_error(void **state) {
    (void)state;
    int failed = 0;
    SlStatus status = SL_ENOMEM;
    Job job = vta_job(tiny_layer, SL_HARDWARE_FIXED, "random", 20);
    for (size_t limit = 1; status != SL_OK; limit += 1997) {
        SlArena arena;
        SlRecord record;
        SlError err;
        sl_arena_init(&arena, limit);
        status = job_try(&job, NULL, NULL, &arena, &record, &err);
        if (status != SL_OK) assert_int_equal(status, SL_ENOMEM);
        failed += status != SL_OK;
        sl_arena_free(&arena);
    }
    assert_in_range(failed, 2, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_takes_exactly_its_samples),
        cmocka_unit_test(the_best_is_the_least_value_measured),
        cmocka_unit_test(equal_setups_give_equal_records),
        cmocka_unit_test(the_first_sample_is_the_default),
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
