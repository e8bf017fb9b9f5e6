// school.c - small layers on one machine, uniform points of them evaluated, and a flock taught by
// most.
#include "school.h"

#include <math.h>

static void make_task(School *school, int k, SlRng *rng) {
    SlTaskSetup setup = {.space = &school->spaces[k]};
    SlLayer *layer = &school->layers[k];
    SlArena *arena = &school->arena;
    sl_layer_init(layer);
    layer->dims[SL_K] = sl_rng_range(rng, 8, 96);
    layer->dims[SL_C] = sl_rng_range(rng, 8, 96);
    layer->dims[SL_P] = layer->dims[SL_Q] = sl_rng_range(rng, 6, 30);
    layer->dims[SL_R] = layer->dims[SL_S] = k % 3 ? 3 : 1;
    assert_int_equal(sl_goal_parse("edp", &setup.goal, NULL), SL_OK);
    SlSpaceOptions options = {0};
    assert_int_equal(
        sl_space_make(layer, &school->accel, &options, arena, &school->spaces[k], NULL), SL_OK);
    assert_int_equal(sl_task_make(&setup, arena, &school->tasks[k], NULL), SL_OK);
    assert_true(sl_lesson_make(school->tasks[k], SCHOOL_SAMPLES, arena, &school->lessons[k]));
    for (int i = 0; i < SCHOOL_SAMPLES; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample sample;
        sl_space_sample(&school->spaces[k], rng, point);
        sl_task_eval(school->tasks[k], 1, point, &sample);
        sl_lesson_add(&school->lessons[k], point, &sample);
    }
}

SlTeachOptions school_options(void) {
    SlTeachOptions options = {0};
    sl_options_init(sl_teach_options, &options);
    options.trees = 60;
    options.members = 3;
    options.seed = 5;
    options.source = "a school";
    return options;
}

int school_open(void **state) {
    School *school = test_calloc(1, sizeof *school);
    SlRng rng;
    SlTeachOptions options = school_options();
    sl_arena_init(&school->arena, 0);
    sl_rng_init(&rng, 11, "school");
    assert_int_equal(sl_accel_find("eyeriss", &school->arena, &school->accel, NULL), SL_OK);
    for (int k = 0; k < SCHOOL_TASKS; k++) make_task(school, k, &rng);
    assert_int_equal(sl_flock_teach(SCHOOL_TASKS - 2, school->lessons, &options, NULL,
                                    &school->arena, &school->flock, NULL),
                     SL_OK);
    *state = school;
    return 0;
}

int school_close(void **state) {
    School *school = *state;
    sl_arena_free(&school->arena);
    test_free(school);
    return 0;
}

double school_best(const School *school, const char *method, const char *set, const SlFlock *flock,
                   int64_t samples, uint64_t seed) {
    const int k = SCHOOL_TASKS - 1;
    SlArena arena;
    SlTaskSetup setup = *sl_task_setup(school->tasks[k]);
    SlRecord record;
    SlError err;
    void *options = NULL;
    SlRunSetup run = {.method = sl_method_find(method),
                      .seed = seed,
                      .stream = "test",
                      .flock = flock,
                      .budget = {.samples = samples},
                      .start = SL_START_NONE};
    sl_arena_init(&arena, 0);
    if (sl_method_options(run.method, set, &arena, &options, &err) != SL_OK)
        fail_msg("%s", err.text);
    run.options = options;
    assert_int_equal(sl_task_make(&setup, &arena, &run.task, NULL), SL_OK);
    if (sl_run(&run, NULL, NULL, &arena, &record, &err) != SL_OK) fail_msg("%s", err.text);
    double value = record.best.outcome.value;
    assert_int_equal(record.samples, samples);
    sl_arena_free(&arena);
    return value;
}
