// test_tune_autotvm.c - plans: when they are made, what is random in them, what they begin with.
#include "search/tune_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/tuner_run.h"

// 12 x 12 x 12 points, the least value at (9, 2, 5).
static const int VALUES[] = {12, 12, 12};
enum { KNOBS = 3 };

static double value(const SlKnobs *knobs, const int32_t *point) {
    (void)knobs;
    return 10 + abs(point[0] - 9) + 2 * abs(point[1] - 2) + 3 * abs(point[2] - 5);
}

static bool never(const SlKnobs *knobs, const int32_t *point) {
    (void)knobs, (void)point;
    return false;
}

static void begin(ToyTuning *toy) {
    toy_tuning_init(toy, KNOBS, VALUES);
    toy->value = value;
}

// how many of the first points two runs have in common, one by one
static int64_t common(const TunerRun *a, const TunerRun *b) {
    int64_t n = 0;
    while (n < a->n && n < b->n &&
           !memcmp(a->points + n * KNOBS, b->points + n * KNOBS, KNOBS * sizeof(int32_t)))
        n++;
    return n;
}

// run with changed options for n measurements, one at a time
static void run_for(TunerRun *run, ToyTuning *toy, const char *changes, int64_t n, int room,
                    const SlTuningHistory *history) {
    tuner_begin(run, &toy->tuning, "autotvm", changes, 1, history);
    tuner_continue(run, n, room);
}

static void a_plan_is_made_after_as_many_measurements(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun small, usual, large;
    begin(&toy);
    run_for(&small, &toy, "plan=20", 100, 1, NULL);
    run_for(&usual, &toy, NULL, 100, 1, NULL);
    run_for(&large, &toy, "plan=100", 100, 1, NULL);
    // until then all of them ask for the same random points
    assert_int_equal(common(&small, &large), 20);
    assert_int_equal(common(&usual, &large), 64);
    tuner_end(&small), tuner_end(&usual), tuner_end(&large);
}

// The last three of 64 are random with epsilon 0.05, none with 0.
static void the_end_of_a_plan_is_random(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun greedy, usual;
    begin(&toy);
    run_for(&greedy, &toy, "epsilon=0", 128, 1, NULL);
    run_for(&usual, &toy, NULL, 128, 1, NULL);
    assert_int_equal(common(&greedy, &usual), 64 + 61);
    double planned = 0, random = 0;
    for (int i = 64; i < 125; i++) planned += usual.values[i] / 61;
    for (int i = 0; i < 64; i++) random += usual.values[i] / 64;
    assert_true(planned < 0.7 * random);
    tuner_end(&greedy), tuner_end(&usual);
}

static void only_random_points_with_epsilon_one(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun random, planless;
    begin(&toy);
    run_for(&random, &toy, "epsilon=1", 200, 1, NULL);
    run_for(&planless, &toy, "plan=4000", 200, 1, NULL);
    assert_int_equal(common(&random, &planless), 200);
    tuner_end(&random), tuner_end(&planless);
}

static void the_size_of_batches_does_not_change_whole_plans(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun one, some, all;
    begin(&toy);
    run_for(&one, &toy, NULL, 192, 1, NULL);
    run_for(&some, &toy, NULL, 192, 16, NULL);
    run_for(&all, &toy, NULL, 192, 192, NULL); // never more than a plan at once
    assert_int_equal(common(&one, &some), 192);
    assert_int_equal(common(&one, &all), 192);
    tuner_end(&one), tuner_end(&some), tuner_end(&all);
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
        ToyTuning toy;
        TunerRun run;
        begin(&toy);
        run_for(&run, &toy, changes[i], 256, 16, NULL);
        assert_true(run.best == 10);
        tuner_end(&run);
    }
}

static void without_a_valid_point_it_stays_random_to_the_end(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun run;
    begin(&toy);
    toy.valid = never;
    run_for(&run, &toy, NULL, 2000, 64, NULL);
    assert_true(run.over);
    assert_int_equal(run.n, 12 * 12 * 12);
    tuner_end(&run);
    run_for(&run, &toy, "check=true", 2000, 64, NULL);
    assert_int_equal(run.n, 0);
    tuner_end(&run);
}

// Records of the same task: labels of points drawn at random.
static void fill_history(const ToyTuning *toy, int n, float *features, float *labels) {
    SlRng rng;
    sl_rng_init(&rng, 1, "history");
    for (int i = 0; i < n; i++) {
        int32_t point[KNOBS];
        sl_knobs_point(&toy->tuning.knobs, (int64_t)sl_rng_below(&rng, 1728), point);
        for (int k = 0; k < KNOBS; k++) features[KNOBS * i + k] = (float)point[k];
        labels[i] = (float)(10 / value(NULL, point));
    }
}

static void other_tasks_make_the_first_plan(void **state) {
    (void)state;
    static float features[500 * KNOBS], labels[500];
    ToyTuning toy;
    TunerRun plain, taught, few, blind, refused;
    begin(&toy);
    fill_history(&toy, 500, features, labels);
    const SlTuningHistory history = {
        .n = 500, .n_features = KNOBS, .features = features, .labels = labels};
    SlTuningHistory short_one = history;
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
    tuner_end(&plain), tuner_end(&taught), tuner_end(&few), tuner_end(&blind), tuner_end(&refused);
}

static void a_draft_makes_the_first_plan(void **state) {
    (void)state;
    ToyTuning toy;
    TunerRun run;
    begin(&toy);
    run_for(&run, &toy, "draft=true", 4, 1, NULL);
    assert_true(run.best == 10);
    tuner_end(&run);
}

static void diverse_points_come_first(void **state) {
    (void)state;
    static const int values[] = {4, 4};
    ToyTuning toy;
    toy_tuning_init(&toy, 2, values);
    // (0,0) then (0,1) adds one pair, (1,1) two; then (2,0) and (1,0) one and none
    int64_t indices[] = {0, 1, 5, 4, 8};
    sl_diverse_first(&toy.tuning.knobs, 5, 3, indices);
    const int64_t expected[] = {0, 5, 8, 1, 4};
    assert_memory_equal(indices, expected, sizeof indices);
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
