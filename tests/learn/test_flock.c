// test_flock.c - a flock: taught by some layers it orders the points of others, its file comes back
// byte by byte, damaged ones are refused, and its search needs few samples.
#include <math.h>
#include <string.h>

#include "school.h"

// the native model is nearly what critics see for free, so little teaching goes far
static void critics_order_points_of_layers_they_never_saw(void **state) {
    const School *school = *state;
    const SlFlockInfo *info = sl_flock_info(school->flock);
    assert_int_equal(info->n_tasks, SCHOOL_TASKS - 2);
    assert_int_equal(info->evaluations, (SCHOOL_TASKS - 2) * SCHOOL_SAMPLES);
    assert_string_equal(info->kind, "native");
    assert_string_equal(info->goal, "edp");
    assert_true(info->tau > 0.5 && info->tau <= 1);
    assert_true(info->regret1 >= info->regret3 && info->regret3 >= 1);
    const SlLesson *lesson = &school->lessons[SCHOOL_TASKS - 1];
    float guess[SCHOOL_SAMPLES], doubt[SCHOOL_SAMPLES];
    sl_flock_guess(school->flock, SCHOOL_SAMPLES, lesson->inputs, guess, doubt);
    int agree = 0, pairs = 0;
    for (int i = 0; i < SCHOOL_SAMPLES; i++)
        for (int j = 0; j < i; j++) {
            pairs++;
            agree += (lesson->values[i] < lesson->values[j]) == (guess[i] < guess[j]);
        }
    assert_true(agree > 0.75 * pairs);
    for (int i = 0; i < SCHOOL_SAMPLES; i++) assert_true(doubt[i] >= 0 && isfinite(guess[i]));
}

static void threads_teach_the_same_flock(void **state) {
    const School *school = *state;
    SlTeachOptions options = school_options();
    SlPool *pool = sl_pool_make(3);
    SlFlock *twin = NULL, *other = NULL;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_int_equal(
        sl_flock_teach(SCHOOL_TASKS - 2, school->lessons, &options, pool, &arena, &twin, NULL),
        SL_OK);
    assert_true(sl_flock_digest(twin) == sl_flock_digest(school->flock));
    options.seed++;
    assert_int_equal(
        sl_flock_teach(SCHOOL_TASKS - 2, school->lessons, &options, pool, &arena, &other, NULL),
        SL_OK);
    assert_true(sl_flock_digest(other) != sl_flock_digest(school->flock));
    sl_pool_free(pool);
    sl_arena_free(&arena);
}

static void its_file_comes_back(void **state) {
    const School *school = *state;
    SlArena arena;
    SlText bytes;
    SlFlock *twin = NULL;
    sl_arena_init(&arena, 0);
    sl_text_init(&bytes, &arena);
    sl_flock_put(school->flock, &bytes);
    assert_int_equal(sl_flock_parse("f", bytes.data, bytes.n, &arena, &twin, NULL), SL_OK);
    assert_true(sl_flock_digest(twin) == sl_flock_digest(school->flock));
    float guess[2], again[2];
    sl_flock_guess(school->flock, 2, school->lessons[0].inputs, guess, NULL);
    sl_flock_guess(twin, 2, school->lessons[0].inputs, again, NULL);
    assert_memory_equal(guess, again, sizeof guess);
    assert_string_equal(sl_flock_info(twin)->source, "a school");
    sl_arena_free(&arena);
}

// with the digest made right again, so that what is inside must be refused
static void seal(SlText *bytes) {
    uint64_t digest = sl_fnv_bytes(SL_FNV_START, bytes->data, bytes->n - 8);
    for (int i = 0; i < 8; i++) bytes->data[bytes->n - 8 + (size_t)i] = (char)(digest >> 8 * i);
}

static void damaged_files_are_refused_or_make_sense(void **state) {
    const School *school = *state;
    SlArena arena;
    SlError err;
    SlFlock *flock = NULL;
    SlRng rng;
    sl_rng_init(&rng, 1, "damage");
    sl_arena_init(&arena, 0);
    for (int i = 0; i < 300; i++) {
        size_t mark = sl_arena_mark(&arena);
        SlText bytes;
        sl_text_init(&bytes, &arena);
        sl_flock_put(school->flock, &bytes);
        size_t at = 12 + (size_t)sl_rng_below(&rng, i % 2 ? 200 : bytes.n - 20);
        bytes.data[at] = (char)sl_rng_next(&rng);
        if (i % 5 == 0) bytes.n -= 1 + (size_t)sl_rng_below(&rng, bytes.n / 2);
        bool sealed = i % 3 != 0;
        if (sealed) seal(&bytes);
        SlStatus status = sl_flock_parse("f", bytes.data, bytes.n, &arena, &flock, &err);
        if (status == SL_OK) {
            float guess;
            if (sl_flock_info(flock)->n_inputs == school->lessons[0].n_inputs)
                sl_flock_guess(flock, 1, school->lessons[0].inputs, &guess, NULL);
        } else {
            assert_int_equal(status, SL_EINPUT);
            assert_true(strlen(err.text) > 10);
        }
        sl_arena_rewind(&arena, mark);
    }
    sl_arena_free(&arena);
}

static void it_says_what_it_does_not_know(void **state) {
    School *school = *state;
    SlGoal goal, edp;
    SlAccel other;
    assert_int_equal(sl_goal_parse("latency", &goal, NULL), SL_OK);
    assert_int_equal(sl_goal_parse("edp", &edp, NULL), SL_OK);
    assert_int_equal(sl_accel_find("simba", &school->arena, &other, NULL), SL_OK);
    const SlFlock *flock = school->flock;
    const SlAccel *accel = &school->accel;
    assert_null(sl_flock_check(flock, school->tasks[SCHOOL_TASKS - 1]));
    assert_null(sl_flock_suits(flock, &sl_kind_native, &edp, accel));
    assert_non_null(strstr(sl_flock_suits(flock, &sl_kind_maestro, &edp, accel), "evaluator"));
    assert_non_null(strstr(sl_flock_suits(flock, &sl_kind_native, &goal, accel), "objective"));
    assert_non_null(strstr(sl_flock_suits(flock, &sl_kind_native, &edp, &other), "machines"));
}

static void what_was_best_elsewhere_has_a_place_in_every_space(void **state) {
    const School *school = *state;
    const SlSpace *space = &school->spaces[SCHOOL_TASKS - 1];
    int32_t points[40 * SL_MAX_PARAMS];
    int n = sl_flock_portfolio(school->flock, school->tasks[SCHOOL_TASKS - 1], 40, points);
    assert_int_equal(n, 40);
    for (int i = 0; i < n * space->n_params; i++)
        assert_in_range(points[i], 0, space->params[i % space->n_params].n - 1);
    // the best of a task is its own nearest
    const SlLesson *lesson = &school->lessons[0];
    int best = 0;
    for (int i = 1; i < SCHOOL_SAMPLES; i++)
        if (lesson->values[i] < lesson->values[best]) best = i;
    assert_int_equal(sl_flock_portfolio(school->flock, school->tasks[0], 1, points), 1);
    assert_true(sl_task_key(school->tasks[0], points) ==
                sl_task_key(school->tasks[0],
                            lesson->points + (ptrdiff_t)best * school->spaces[0].n_params));
}

static void its_search_needs_few_samples(void **state) {
    const School *school = *state;
    double flock = 0, random = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        flock += log(school_best(school, "flock", NULL, school->flock, 3, seed));
        random += log(school_best(school, "random", NULL, NULL, 60, seed));
    }
    assert_true(flock < random);
}

static void one_seed_is_one_search_and_marl_goes_on_after_it(void **state) {
    const School *school = *state;
    double first = school_best(school, "flock", NULL, school->flock, 140, 4);
    assert_true(first == school_best(school, "flock", NULL, school->flock, 140, 4));
    assert_true(first <= school_best(school, "flock", NULL, school->flock, 20, 4));
}

static void a_method_without_its_flock_is_refused(void **state) {
    const School *school = *state;
    SlArena arena;
    SlTaskSetup setup = *sl_task_setup(school->tasks[0]);
    SlRecord record;
    SlError err;
    SlRunSetup run = {.method = sl_method_find("flock"), .budget = {.samples = 2}};
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_task_make(&setup, &arena, &run.task, NULL), SL_OK);
    assert_int_equal(sl_run(&run, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "taught before"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critics_order_points_of_layers_they_never_saw),
        cmocka_unit_test(threads_teach_the_same_flock),
        cmocka_unit_test(its_file_comes_back),
        cmocka_unit_test(damaged_files_are_refused_or_make_sense),
        cmocka_unit_test(it_says_what_it_does_not_know),
        cmocka_unit_test(what_was_best_elsewhere_has_a_place_in_every_space),
        cmocka_unit_test(its_search_needs_few_samples),
        cmocka_unit_test(one_seed_is_one_search_and_marl_goes_on_after_it),
        cmocka_unit_test(a_method_without_its_flock_is_refused),
    };
    return cmocka_run_group_tests(tests, school_open, school_close);
}
