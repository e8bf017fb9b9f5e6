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

// taught on two kinds of layers: what is said of each adds up to what is said of all
static void it_says_how_sure_it_is_of_every_kind_of_layer(void **state) {
    const School *school = *state;
    const SlFlockInfo *info = sl_flock_info(school->flock);
    const SlFlockSkill *skills = info->skills;
    int all = 0;
    double tau = 0;
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++) {
        all += skills[i].n_tasks;
        tau += skills[i].n_tasks * skills[i].tau;
        assert_true(skills[i].n_tasks == 0 || skills[i].regret1 >= 1);
    }
    assert_int_equal(all, SCHOOL_TASKS - 2);
    assert_float_equal(tau / all, info->tau, 1e-9);
    assert_int_equal(skills[SL_FLOCK_POINTWISE].n_tasks, 4);
    assert_int_equal(skills[SL_FLOCK_CONVOLUTION].n_tasks, 8);
    assert_int_equal(skills[SL_FLOCK_PRODUCT].n_tasks, 0);
    // they come back from its file, which is of version 2 for them
    SlArena arena;
    SlText bytes;
    SlFlock *twin = NULL;
    sl_arena_init(&arena, 0);
    sl_text_init(&bytes, &arena);
    sl_flock_put(school->flock, &bytes);
    assert_int_equal(bytes.data[8], 2);
    assert_int_equal(sl_flock_parse("f", bytes.data, bytes.n, &arena, &twin, NULL), SL_OK);
    assert_memory_equal(sl_flock_info(twin)->skills, skills, sizeof info->skills);
    sl_arena_free(&arena);
}

static double distance_of(const School *school, const SlLayer *layer) {
    float context[SL_FLOCK_MAX_INPUTS];
    sl_context(layer, &school->accel, context);
    return sl_flock_distance(school->flock, context);
}

static void it_knows_how_far_a_task_is_from_what_it_was_taught(void **state) {
    const School *school = *state;
    SlFlockSpread spread;
    sl_flock_spread(school->flock, &spread);
    assert_int_equal(spread.n, SCHOOL_TASKS - 2);
    for (int i = 1; i < spread.n; i++) assert_true(spread.nearest[i] >= spread.nearest[i - 1]);
    assert_true(spread.nearest[0] > 0);
    // one that it was taught, one alike, one of another kind
    SlLayer other = school->layers[0];
    assert_true(distance_of(school, &other) == 0);
    assert_true(sl_flock_spread_share(&spread, 0) == 1);
    double like = distance_of(school, &school->layers[SCHOOL_TASKS - 1]);
    assert_true(like > 0 && sl_flock_spread_share(&spread, like) > 0);
    other.dims[SL_G] = 4096;
    other.dims[SL_K] = other.dims[SL_C] = 1;
    assert_true(distance_of(school, &other) > spread.nearest[spread.n - 1]);
    assert_true(sl_flock_spread_share(&spread, distance_of(school, &other)) == 0);
}

// bundled ones of models are named after them, so that others need not be unpacked to find them
static void a_bundled_flock_is_there_for_who_suits(void **state) {
    const School *school = *state;
    const char *names[64], *name = "";
    SlArena arena;
    SlFlock *flock = NULL;
    SlGoal edp;
    SlAccel accel;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_goal_parse("edp", &edp, NULL), SL_OK);
    assert_int_equal(sl_accel_find("gamma168", &arena, &accel, NULL), SL_OK);
    int n = sl_bundle_names("flocks", 64, names);
    for (int i = 0; i < n; i++) {
        assert_int_equal(sl_flock_find(names[i], &arena, &flock, NULL), SL_OK);
        const char *kind = sl_flock_info(flock)->kind;
        if (strcmp(kind, sl_kind_maestro.name) != 0 && strcmp(kind, sl_kind_native.name) != 0)
            continue;
        assert_memory_equal(names[i], kind, strlen(kind));
        assert_int_equal(names[i][strlen(kind)], '-');
    }
    assert_int_equal(sl_flock_for(&sl_kind_maestro, &edp, &accel, &arena, &name, &flock, NULL),
                     SL_OK);
    if (n > 0) assert_string_equal(name, "maestro-edp");
    assert_int_equal(sl_flock_for(&sl_kind_native, &edp, &accel, &arena, &name, &flock, NULL),
                     SL_OK);
    assert_true(!name && !flock);
    // a machine of other levels
    assert_int_equal(
        sl_flock_for(&sl_kind_maestro, &edp, &school->accel, &arena, &name, &flock, NULL), SL_OK);
    assert_true(!name || !sl_flock_suits(flock, &sl_kind_maestro, &edp, &school->accel));
    sl_arena_free(&arena);
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
    assert_non_null(strstr(err.text, "needs a flock pre-trained on such tasks"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critics_order_points_of_layers_they_never_saw),
        cmocka_unit_test(threads_teach_the_same_flock),
        cmocka_unit_test(its_file_comes_back),
        cmocka_unit_test(damaged_files_are_refused_or_make_sense),
        cmocka_unit_test(it_says_what_it_does_not_know),
        cmocka_unit_test(it_says_how_sure_it_is_of_every_kind_of_layer),
        cmocka_unit_test(it_knows_how_far_a_task_is_from_what_it_was_taught),
        cmocka_unit_test(a_bundled_flock_is_there_for_who_suits),
        cmocka_unit_test(what_was_best_elsewhere_has_a_place_in_every_space),
        cmocka_unit_test(its_search_needs_few_samples),
        cmocka_unit_test(one_seed_is_one_search_and_marl_goes_on_after_it),
        cmocka_unit_test(a_method_without_its_flock_is_refused),
    };
    return cmocka_run_group_tests(tests, school_open, school_close);
}
