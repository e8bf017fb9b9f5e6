// test_trees.c - cost models of tasks: labels, failures, drafts, other tasks.
#include "starling/task/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"

// 10 x 10 points; odd numbers of the second knob are not valid.
static const int VALUES[] = {10, 10};
enum { KNOBS = 2, POINTS = 100 };

static double value(const SlSpace *space, const int32_t *point) {
    (void)space;
    return 20 * (1 + abs(point[0] - 3)) + 5 * point[1];
}

static double third(const SlSpace *space, const int32_t *point) {
    return value(space, point) / (point[0] < 5 ? 3 : 6);
}

static bool second_is_even(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[1] % 2 == 0;
}

typedef struct {
    SlArena arena;
    SlRng rng;
    ToyTask toy;
    SlTrees *trees;
    int32_t points[POINTS * KNOBS]; // all of them
    double scores[POINTS];
} World;

static World world;

static void begin(SlTreesSetup setup) {
    sl_arena_init(&world.arena, 0);
    sl_rng_init(&world.rng, 1, "trees");
    toy_task_init(&world.toy, KNOBS, VALUES);
    world.toy.value = value;
    world.toy.draft = third;
    world.toy.valid = second_is_even;
    for (int i = 0; i < POINTS; i++)
        sl_space_at(&world.toy.space, i, world.points + (ptrdiff_t)KNOBS * i);
    if (setup.boost.rounds == 0) setup.boost = sl_boost_defaults();
    if (setup.draft) setup.boost.loss = SL_BOOST_SQUARED;
    world.trees = sl_trees_make(&world.toy.task, &setup, 1000, &world.arena);
    assert_non_null(world.trees);
}

static void end(void) {
    sl_arena_free(&world.arena);
}

// every step-th point from the first on
static void tell(int first, int step) {
    for (int i = first; i < POINTS; i += step) {
        SlSample measured;
        sl_task_eval(&world.toy.task, 1, world.points + (ptrdiff_t)KNOBS * i, &measured);
        sl_trees_tell(world.trees, 1, world.points + (ptrdiff_t)KNOBS * i, &measured);
    }
}

static void predict(void) {
    sl_trees_predict(world.trees, POINTS, world.points, world.scores);
}

static double true_value(int i) {
    const int32_t *point = world.points + (ptrdiff_t)KNOBS * i;
    return second_is_even(NULL, point) ? value(NULL, point) : INFINITY;
}

// share of pairs of points with another value that are scored in their order
static double agreement(bool valid) {
    int pairs = 0, right = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            if (!(true_value(i) < true_value(j)) || (valid && !isfinite(true_value(j)))) continue;
            pairs++;
            right += world.scores[i] > world.scores[j];
        }
    return (double)right / pairs;
}

static void an_order_is_learned_from_half_of_the_points(void **state) {
    (void)state;
    for (int loss = 0; loss < 2; loss++)
        for (int sight = 0; sight < 2; sight++) {
            SlTreesSetup setup = {.sight = (SlTreeSight)sight, .boost = sl_boost_defaults()};
            setup.boost.loss = (SlBoostLoss)loss;
            begin(setup);
            assert_false(sl_trees_fitted(world.trees));
            predict();
            for (int i = 0; i < POINTS; i++) assert_true(world.scores[i] == 0);
            tell(0, 2), tell(1, 4);
            sl_trees_fit(world.trees, &world.rng);
            assert_true(sl_trees_fitted(world.trees));
            predict();
            assert_true(agreement(false) > 0.85);
            end();
        }
}

// error of all scores but that of the first point, if `best` is the least value
static double root_mean_square(double best) {
    double sum = 0;
    for (int i = 1; i < POINTS; i++) sum += pow(world.scores[i] - best / true_value(i), 2);
    return sqrt(sum / (POINTS - 1));
}

// Scores are the best value so far over the value, 0 for what failed.
static void squared_scores_are_throughputs(void **state) {
    (void)state;
    SlTreesSetup setup = {.boost = sl_boost_defaults()};
    setup.boost.loss = SL_BOOST_SQUARED;
    setup.boost.rounds = 400;
    setup.boost.patience = 0;
    begin(setup);
    tell(0, 1);
    sl_trees_fit(world.trees, &world.rng);
    predict();
    assert_true(root_mean_square(20) < 0.05);
    // half the least value so far: all labels halve
    const SlSample better = {.value = 10};
    sl_trees_tell(world.trees, 1, world.points, &better);
    sl_trees_fit(world.trees, &world.rng);
    predict();
    assert_true(root_mean_square(10) < 0.03);
    assert_true(root_mean_square(20) > 0.08);
    end();
}

// What a quarter of the records changes most lies far from them.
static void members_differ_where_nothing_was_seen(void **state) {
    (void)state;
    double spread[POINTS], seen = 0, unseen = 0;
    SlTreesSetup setup = {.members = 4, .boost = sl_boost_defaults()};
    setup.boost.loss = SL_BOOST_SQUARED;
    begin(setup);
    sl_trees_spread(world.trees, POINTS, world.points, spread);
    for (int i = 0; i < POINTS; i++) assert_true(spread[i] == 0);
    // the upper half four times, so that a share less of it is nothing less; few of the others
    for (int times = 0; times < 4; times++) tell(50, 1);
    tell(0, 10);
    sl_trees_fit(world.trees, &world.rng);
    sl_trees_spread(world.trees, POINTS, world.points, spread);
    for (int i = 0; i < POINTS; i++) {
        assert_true(spread[i] >= 0 && isfinite(spread[i]));
        if (i < 50)
            unseen += spread[i] / 50;
        else
            seen += spread[i] / 50;
    }
    assert_true(unseen > 2 * seen);
    end();
}

static void points_that_fail_the_check_score_below_all_others(void **state) {
    (void)state;
    for (int loss = 0; loss < 2; loss++) {
        SlTreesSetup setup = {.check = true, .boost = sl_boost_defaults()};
        setup.boost.loss = (SlBoostLoss)loss;
        begin(setup);
        tell(0, 3);
        sl_trees_fit(world.trees, &world.rng);
        predict();
        double least = INFINITY;
        for (int i = 0; i < POINTS; i++)
            if (isfinite(true_value(i))) least = fmin(least, world.scores[i]);
        for (int i = 0; i < POINTS; i++) {
            if (isfinite(true_value(i))) continue;
            if (loss == SL_BOOST_SQUARED) assert_true(world.scores[i] == 0);
            if (loss == SL_BOOST_RANK) assert_true(world.scores[i] < least - 10);
        }
        end();
    }
}

// The draft is a third of the value, or a sixth.
static void drafts_predict_before_and_are_mended_after(void **state) {
    (void)state;
    begin((SlTreesSetup){.draft = true});
    assert_true(sl_trees_fitted(world.trees));
    predict();
    for (int i = 0; i < POINTS; i++) {
        const bool valid = isfinite(true_value(i));
        const double draft = third(NULL, world.points + (ptrdiff_t)KNOBS * i);
        if (!valid) assert_true(world.scores[i] == 0);
        // relative to the least draft of some points, here surely of all: 20 / 3
        if (valid) assert_true(fabs(world.scores[i] * draft - 20.0 / 3) < 1e-9);
    }
    tell(0, 3);
    sl_trees_fit(world.trees, &world.rng);
    predict();
    double best = INFINITY;
    for (int i = 0; i < POINTS; i += 3) best = fmin(best, true_value(i));
    for (int i = 0; i < POINTS; i++)
        assert_true(fabs(world.scores[i] - best / true_value(i)) < 0.1);
    assert_true(agreement(true) > 0.95);
    end();
}

static void failures_alone_leave_the_draft_as_it_is(void **state) {
    (void)state;
    begin((SlTreesSetup){.draft = true});
    predict();
    double before[POINTS];
    memcpy(before, world.scores, sizeof before);
    for (int i = 1; i < POINTS; i += 2) { // odd ones are not valid
        const SlSample failed = {.value = INFINITY, .error = 1};
        sl_trees_tell(world.trees, 1, world.points + (ptrdiff_t)KNOBS * i, &failed);
    }
    sl_trees_fit(world.trees, &world.rng);
    predict();
    assert_memory_equal(before, world.scores, sizeof before);
    end();
}

// --- other tasks

enum { RECORDS = 500 };
static float past_features[RECORDS * KNOBS], past_labels[RECORDS];

static SlHistory make_history(int n) {
    SlRng rng;
    sl_rng_init(&rng, 1, "past");
    for (int i = 0; i < RECORDS; i++) {
        const int32_t point[] = {(int32_t)sl_rng_below(&rng, 10),
                                 2 * (int32_t)sl_rng_below(&rng, 5)};
        for (int k = 0; k < KNOBS; k++) past_features[KNOBS * i + k] = (float)point[k];
        past_labels[i] = (float)(20 / value(NULL, point));
    }
    return (SlHistory){
        .n = n, .n_features = KNOBS, .features = past_features, .labels = past_labels};
}

// Records of equal labels teach nothing, so that what is left is the history and its weight.
static void a_history_loses_weight_as_records_come(void **state) {
    (void)state;
    const SlHistory history = make_history(RECORDS);
    begin((SlTreesSetup){.sight = SL_SEE_PROGRAM, .history = &history});
    assert_true(sl_trees_fitted(world.trees));
    predict();
    assert_true(agreement(true) > 0.95);
    double before[POINTS];
    memcpy(before, world.scores, sizeof before);
    static const int records[] = {64, 128, 276, 277};
    static const double weights[] = {0.5, 0.25, 0.0503, 0};
    for (int r = 0, n = 0; r < 4; r++) {
        const SlSample same = {.value = 50};
        for (; n < records[r]; n++) sl_trees_tell(world.trees, 1, world.points, &same);
        sl_trees_fit(world.trees, &world.rng);
        predict();
        for (int i = 0; i < POINTS; i += 2)
            assert_true(fabs(world.scores[i] - weights[r] * before[i]) < 1e-3);
    }
    end();
}

// After 50 records it counts for 0.58; the trees make up the rest and nothing is counted twice.
static void trees_correct_the_history(void **state) {
    (void)state;
    const SlHistory history = make_history(RECORDS);
    SlTreesSetup setup = {
        .sight = SL_SEE_PROGRAM, .history = &history, .boost = sl_boost_defaults()};
    setup.boost.loss = SL_BOOST_SQUARED;
    setup.boost.patience = 0;
    setup.boost.rounds = 200;
    begin(setup);
    tell(0, 2); // those that are valid
    sl_trees_fit(world.trees, &world.rng);
    predict();
    double sum = 0;
    for (int i = 0; i < POINTS; i += 2) sum += pow(world.scores[i] - 20 / true_value(i), 2);
    assert_true(sqrt(sum / (POINTS / 2.0)) < 0.05);
    end();
}

static void failures_alone_teach_nothing(void **state) {
    (void)state;
    SlTreesSetup setup = {.boost = sl_boost_defaults()};
    setup.boost.loss = SL_BOOST_SQUARED;
    begin(setup);
    tell(1, 2); // odd ones are not valid
    sl_trees_fit(world.trees, &world.rng);
    predict();
    for (int i = 0; i < POINTS; i++) assert_true(world.scores[i] == 0);
    end();
}

static void too_short_a_history_is_none(void **state) {
    (void)state;
    const SlHistory history = make_history(RECORDS - 1);
    begin((SlTreesSetup){.sight = SL_SEE_PROGRAM, .history = &history});
    assert_false(sl_trees_fitted(world.trees));
    end();
    const SlHistory whole = make_history(RECORDS);
    begin((SlTreesSetup){.sight = SL_SEE_KNOBS, .history = &whole});
    assert_false(sl_trees_fitted(world.trees));
    end();
}

static void records_beyond_the_room_are_left_out(void **state) {
    (void)state;
    begin((SlTreesSetup){.sight = SL_SEE_KNOBS});
    for (int i = 0; i < 20; i++) tell(0, 1); // twice as many as there is space for
    sl_trees_fit(world.trees, &world.rng);
    predict();
    assert_true(agreement(false) > 0.9);
    end();
}

static void too_little_memory_is_said(void **state) {
    (void)state;
    begin((SlTreesSetup){.sight = SL_SEE_KNOBS});
    const SlTreesSetup setup = {.boost = sl_boost_defaults()};
    for (size_t limit = 0; limit < 1U << 18; limit = 2 * limit + 64) {
        SlArena arena;
        sl_arena_init(&arena, limit + 1);
        assert_null(sl_trees_make(&world.toy.task, &setup, 1000, &arena));
        assert_int_equal(arena.used, 0);
        sl_arena_free(&arena);
    }
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_is_learned_from_half_of_the_points),
        cmocka_unit_test(squared_scores_are_throughputs),
        cmocka_unit_test(members_differ_where_nothing_was_seen),
        cmocka_unit_test(points_that_fail_the_check_score_below_all_others),
        cmocka_unit_test(drafts_predict_before_and_are_mended_after),
        cmocka_unit_test(failures_alone_leave_the_draft_as_it_is),
        cmocka_unit_test(a_history_loses_weight_as_records_come),
        cmocka_unit_test(trees_correct_the_history),
        cmocka_unit_test(failures_alone_teach_nothing),
        cmocka_unit_test(too_short_a_history_is_none),
        cmocka_unit_test(records_beyond_the_room_are_left_out),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
