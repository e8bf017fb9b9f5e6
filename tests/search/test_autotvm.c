// test_autotvm.c - plans: when they are made, what is random in them, what they begin with.
#include "search/search_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/task_run.h"

// 12 x 12 x 12 points, the least value at (9, 2, 5).
static const int VALUES[] = {12, 12, 12};
enum { KNOBS = 3 };

static double value(const SlSpace *space, const int32_t *point) {
    (void)space;
    return 10 + abs(point[0] - 9) + 2 * abs(point[1] - 2) + 3 * abs(point[2] - 5);
}

static bool never(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return false;
}

static void begin(ToyTask *toy) {
    toy_task_init(toy, KNOBS, VALUES);
    toy->value = value;
}

// how many of the first points two runs have in common, one by one
static int64_t common(const TaskRun *a, const TaskRun *b) {
    int64_t n = 0;
    while (n < a->n && n < b->n &&
           !memcmp(a->points + n * KNOBS, b->points + n * KNOBS, KNOBS * sizeof(int32_t)))
        n++;
    return n;
}

// run with changed options for n measurements, one at a time
static void run_for(TaskRun *run, ToyTask *toy, const char *changes, int64_t n, int room,
                    const SlHistory *history) {
    task_run_begin(run, &toy->task, "autotvm", changes, 1, history);
    task_run_continue(run, n, room);
}

static void a_plan_is_made_after_as_many_measurements(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun small, usual, large;
    begin(&toy);
    run_for(&small, &toy, "plan=20", 100, 1, NULL);
    run_for(&usual, &toy, NULL, 100, 1, NULL);
    run_for(&large, &toy, "plan=100", 100, 1, NULL);
    // until then all of them ask for the same random points
    assert_int_equal(common(&small, &large), 20);
    assert_int_equal(common(&usual, &large), 64);
    task_run_end(&small), task_run_end(&usual), task_run_end(&large);
}

// The last three of 64 are random with epsilon 0.05, none with 0.
static void the_end_of_a_plan_is_random(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun greedy, usual;
    begin(&toy);
    run_for(&greedy, &toy, "epsilon=0", 128, 1, NULL);
    run_for(&usual, &toy, NULL, 128, 1, NULL);
    assert_int_equal(common(&greedy, &usual), 64 + 61);
    double planned = 0, random = 0;
    for (int i = 64; i < 125; i++) planned += usual.values[i] / 61;
    for (int i = 0; i < 64; i++) random += usual.values[i] / 64;
    assert_true(planned < 0.7 * random);
    task_run_end(&greedy), task_run_end(&usual);
}

static void only_random_points_with_epsilon_one(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun random, planless;
    begin(&toy);
    run_for(&random, &toy, "epsilon=1", 200, 1, NULL);
    run_for(&planless, &toy, "plan=4000", 200, 1, NULL);
    assert_int_equal(common(&random, &planless), 200);
    task_run_end(&random), task_run_end(&planless);
}

static void the_size_of_batches_does_not_change_whole_plans(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun one, some, all;
    begin(&toy);
    run_for(&one, &toy, NULL, 192, 1, NULL);
    run_for(&some, &toy, NULL, 192, 16, NULL);
    run_for(&all, &toy, NULL, 192, 192, NULL); // never more than a plan at once
    assert_int_equal(common(&one, &some), 192);
    assert_int_equal(common(&one, &all), 192);
    task_run_end(&one), task_run_end(&some), task_run_end(&all);
}

static void it_finds_the_best_point_with_any_model(void **state) {
    (void)state;
    static const char *const changes[] = {NULL,
                                          "loss=squared",
                                          "sight=program",
                                          "diversity=4",
                                          "loss=squared draft=true",
                                          "sight=program check=true"};
    for (int i = 0; i < 6; i++) {
        ToyTask toy;
        TaskRun run;
        begin(&toy);
        run_for(&run, &toy, changes[i], 256, 16, NULL);
        assert_true(run.best == 10);
        task_run_end(&run);
    }
}

static void without_a_valid_point_it_stays_random_to_the_end(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    toy.valid = never;
    run_for(&run, &toy, NULL, 2000, 64, NULL);
    assert_true(run.over);
    assert_int_equal(run.n, 12 * 12 * 12);
    task_run_end(&run);
    run_for(&run, &toy, "check=true", 2000, 64, NULL);
    assert_int_equal(run.n, 0);
    task_run_end(&run);
}

// Records of the same task: labels of points drawn at random.
static void fill_history(const ToyTask *toy, int n, float *features, float *labels) {
    SlRng rng;
    sl_rng_init(&rng, 1, "history");
    for (int i = 0; i < n; i++) {
        int32_t point[KNOBS];
        sl_space_at(&toy->space, (int64_t)sl_rng_below(&rng, 1728), point);
        for (int k = 0; k < KNOBS; k++) features[KNOBS * i + k] = (float)point[k];
        labels[i] = (float)(10 / value(NULL, point));
    }
}

static void other_tasks_make_the_first_plan(void **state) {
    (void)state;
    static float features[500 * KNOBS], labels[500];
    ToyTask toy;
    TaskRun plain, taught, few, blind, refused;
    begin(&toy);
    fill_history(&toy, 500, features, labels);
    const SlHistory history = {
        .n = 500, .n_features = KNOBS, .features = features, .labels = labels};
    SlHistory short_one = history;
    short_one.n = 499;
    run_for(&plain, &toy, "sight=program", 16, 4, NULL);
    run_for(&taught, &toy, "sight=program", 16, 4, &history);
    assert_true(taught.best < plain.best);
    assert_true(taught.best <= 12);
    // not with fewer records, other features, or if it is not wanted
    run_for(&few, &toy, "sight=program", 16, 4, &short_one);
    run_for(&blind, &toy, "sight=knobs", 16, 4, &history);
    run_for(&refused, &toy, "sight=program transfer=false", 16, 4, &history);
    assert_int_equal(common(&few, &plain), 16);
    assert_int_equal(common(&blind, &plain), 16);
    assert_int_equal(common(&refused, &plain), 16);
    task_run_end(&plain), task_run_end(&taught), task_run_end(&few), task_run_end(&blind),
        task_run_end(&refused);
}

static void a_draft_makes_the_first_plan(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    begin(&toy);
    run_for(&run, &toy, "draft=true", 4, 1, NULL);
    assert_true(run.best == 10);
    task_run_end(&run);
}

static void diverse_points_come_first(void **state) {
    (void)state;
    // (0,0) then (0,1) adds one pair, (1,1) two; then (2,0) and (1,0) one and none
    int32_t points[] = {0, 0, 0, 1, 1, 1, 1, 0, 2, 0};
    const int32_t expected[] = {0, 0, 1, 1, 2, 0, 0, 1, 1, 0};
    sl_diverse_first(2, 5, 3, points);
    assert_memory_equal(points, expected, sizeof points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_made_after_as_many_measurements),
        cmocka_unit_test(the_end_of_a_plan_is_random),
        cmocka_unit_test(only_random_points_with_epsilon_one),
        cmocka_unit_test(the_size_of_batches_does_not_change_whole_plans),
        cmocka_unit_test(it_finds_the_best_point_with_any_model),
        cmocka_unit_test(without_a_valid_point_it_stays_random_to_the_end),
        cmocka_unit_test(other_tasks_make_the_first_plan),
        cmocka_unit_test(a_draft_makes_the_first_plan),
        cmocka_unit_test(diverse_points_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
