// test_oracle.c - proofs: as many measurements as the floors demand, everything without them.
#include "search/task_run.h"

#include <stdlib.h>

// 40 x 25 points; values 100 .. ~1200, the least at (31, 7).
static const int VALUES[] = {40, 25};

static double value(const SlSpace *space, const int32_t *point) {
    (void)space;
    return 100 + 17 * abs(point[0] - 31) + 29 * abs(point[1] - 7);
}

// Off by up to half.
static double half_known(const SlSpace *space, const int32_t *point) {
    return value(space, point) * (1 - 0.5 * ((point[0] * 7 + point[1] * 3) % 11) / 10.0);
}

static bool none(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return false;
}

static bool not_the_best(const SlSpace *space, const int32_t *point) {
    return value(space, point) > 100;
}

static void begin(ToyTask *toy) {
    toy_task_init(toy, 2, VALUES);
    toy->value = value;
}

static void only_points_that_could_be_better_are_measured(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.floor = half_known;
    int needed = 0; // floors below the optimum
    for (int64_t i = 0; i < toy.space.n_points; i++) {
        int32_t point[2];
        sl_space_at(&toy.space, i, point);
        needed += half_known(&toy.space, point) < 100;
    }
    for (int room = 1; room <= 64; room *= 8) {
        task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
        assert_false(run.method->proved(run.state));
        task_run_continue(&run, 2000, room);
        assert_true(run.over && run.method->proved(run.state));
        assert_true(run.best == 100);
        if (room == 1) assert_in_range(run.n, needed, needed + 1);
        assert_in_range(run.n, needed, 2 * needed + 2); // batches double
        task_run_end(&run);
    }
    assert_in_range(needed, 2, 200); // of 1000
}

// Floors as high as the optimum rule out what is left.
static double at_least_100(const SlSpace *space, const int32_t *point) {
    const double floor = half_known(space, point);
    return floor < 100 ? 100 : floor;
}

static void floors_that_are_reached_end_it(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.floor = at_least_100;
    task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
    task_run_continue(&run, 2000, 64);
    assert_int_equal(run.n, 1);
    assert_true(run.best == 100 && run.method->proved(run.state));
    task_run_end(&run);
}

static void without_floors_everything_is_measured(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
    task_run_continue(&run, 2000, 64);
    assert_int_equal(run.n, 1000);
    assert_true(run.method->proved(run.state));
    assert_true(run.values[0] == 100); // the least draft comes first
    task_run_end(&run);
}

static void points_that_fail_the_check_are_not_measured(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.valid = not_the_best;
    toy.floor = half_known;
    task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
    task_run_continue(&run, 2000, 64);
    assert_true(run.best == 117);
    assert_int_equal(run.n_failed, 0);
    task_run_end(&run);
}

static void a_space_without_valid_points_is_over_at_once(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.valid = none;
    task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
    task_run_continue(&run, 10, 4);
    assert_int_equal(run.n, 0);
    assert_true(run.over && run.method->proved(run.state));
    task_run_end(&run);
}

static void of_spaces_that_are_too_large_nothing_is_proved(void **state) {
    (void)state;
    static const int values[] = {96, 96, 96, 96};
    ToyTask toy;
    TaskRun run;
    toy_task_init(&toy, 4, values);
    toy.value = value;
    task_run_begin(&run, &toy.task, "oracle", NULL, 1, NULL);
    task_run_continue(&run, 10, 4);
    assert_int_equal(run.n, 0);
    assert_true(run.over);
    assert_false(run.method->proved(run.state));
    task_run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_points_that_could_be_better_are_measured),
        cmocka_unit_test(floors_that_are_reached_end_it),
        cmocka_unit_test(without_floors_everything_is_measured),
        cmocka_unit_test(points_that_fail_the_check_are_not_measured),
        cmocka_unit_test(a_space_without_valid_points_is_over_at_once),
        cmocka_unit_test(of_spaces_that_are_too_large_nothing_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
