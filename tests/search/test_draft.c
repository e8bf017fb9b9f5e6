// test_draft.c - drafts give the first order, measurements mend it, large spaces are searched.
#include "search/task_run.h"

#include <stdlib.h>

// 30 x 30 x 3 points. The draft does not know that the last knob matters.
static const int VALUES[] = {30, 30, 3};

static double draft(const SlSpace *space, const int32_t *point) {
    (void)space;
    return 100 + 3 * abs(point[0] - 20) + 2 * abs(point[1] - 11);
}

static double value(const SlSpace *space, const int32_t *point) {
    return draft(space, point) * (point[2] == 2 ? 1 : 3) * (point[0] > 15 ? 2 : 1);
}

static bool not_in_the_middle(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[1] != 11;
}

static bool never(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return false;
}

static void begin(ToyTask *toy) {
    toy_task_init(toy, 3, VALUES);
    toy->value = value;
    toy->draft = draft;
}

static void the_first_batch_has_the_least_drafts(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    task_run_begin(&run, &toy.task, "draft", "batch=12", 1, NULL);
    task_run_continue(&run, 12, 64);
    double last = 0;
    for (int i = 0; i < 12; i++) {
        const double now = draft(NULL, run.points + (ptrdiff_t)3 * i);
        assert_true(now >= last);
        last = now;
    }
    // three points each of drafts 100, 102, 102, 103
    assert_true(last == 103);
    task_run_end(&run);
}

static void a_batch_is_all_that_is_given_at_once(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    int32_t points[64 * 3];
    begin(&toy);
    task_run_begin(&run, &toy.task, "draft", NULL, 1, NULL);
    assert_int_equal(run.method->ask(run.state, 64, points), 8);
    task_run_end(&run);
}

// The best point (15, 11, 2) has the 100th draft or so.
static void measurements_mend_the_order(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    task_run_begin(&run, &toy.task, "draft", NULL, 1, NULL);
    task_run_continue(&run, 96, 8);
    const double optimum = value(NULL, (const int32_t[]){15, 11, 2});
    assert_true(run.best == optimum);
    // the trees have learned which value of the last knob is good
    int good = 0;
    for (int i = 48; i < 96; i++) good += run.points[3 * i + 2] == 2;
    assert_in_range(good, 40, 48);
    task_run_end(&run);
}

static void points_that_fail_the_check_are_never_measured(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.valid = not_in_the_middle;
    task_run_begin(&run, &toy.task, "draft", "batch=64 pool=100", 1, NULL);
    task_run_continue(&run, 3000, 64);
    assert_true(run.over);
    assert_int_equal(run.n, 30 * 29 * 3); // however small the pool
    assert_int_equal(run.n_failed, 0);
    task_run_end(&run);
    toy.valid = never;
    task_run_begin(&run, &toy.task, "draft", NULL, 1, NULL);
    task_run_continue(&run, 10, 1);
    assert_true(run.over && run.n == 0);
    task_run_end(&run);
}

static double far(const SlSpace *space, const int32_t *point) {
    double sum = 100;
    for (int k = 0; k < space->n_params; k++) sum += abs(point[k] - 40 - k);
    return sum;
}

static bool mostly(const SlSpace *space, const int32_t *point) {
    (void)space;
    return (point[0] + point[1]) % 7 != 0;
}

static void spaces_too_large_to_list_are_searched(void **state) {
    (void)state;
    static const int values[] = {90, 90, 90, 90};
    ToyTask toy;
    TaskRun run;
    toy_task_init(&toy, 4, values);
    toy.value = far;
    toy.valid = mostly;
    task_run_begin(&run, &toy.task, "draft", NULL, 1, NULL);
    task_run_continue(&run, 64, 8);
    assert_int_equal(run.n, 64);
    assert_int_equal(run.n_failed, 0);
    assert_true(run.best <= 102); // of up to 300; 100 is the least
    task_run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_batch_has_the_least_drafts),
        cmocka_unit_test(a_batch_is_all_that_is_given_at_once),
        cmocka_unit_test(measurements_mend_the_order),
        cmocka_unit_test(points_that_fail_the_check_are_never_measured),
        cmocka_unit_test(spaces_too_large_to_list_are_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
