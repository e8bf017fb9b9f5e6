// test_teach.c - teaching: one setup, one flock, whatever the threads and interruptions; drawn
// tasks are sound; what cannot be taught says so.
#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "starling/job/teach.h"
#include "starling/task/programs.h"
#include "support/folder.h"

static SlTeachSetup small_setup(const SlAccel *accel) {
    SlTeachSetup setup = {.kind = &sl_kind_maestro,
                          .n_accels = 1,
                          .accels = accel,
                          .vary = true,
                          .tasks = 6,
                          .samples = 16,
                          .random = 0.25,
                          .rounds = 1,
                          .round_samples = 4,
                          .seed = 3};
    assert_int_equal(sl_goal_parse("edp", &setup.goal, NULL), SL_OK);
    sl_options_init(sl_teach_options, &setup.teach);
    setup.teach.trees = 20;
    return setup;
}

// how many events may pass before the end is asked for
static bool count_down(void *context, const SlEvent *event) {
    int *left = context;
    (void)event;
    return --*left < 0;
}

static uint64_t teach(const SlTeachSetup *setup, const char *path, int threads, int *left) {
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlFlock *flock = NULL;
    SlError err;
    sl_arena_init(&arena, 0);
    if (sl_teaching_open(setup, &arena, &teaching, &err) != SL_OK) fail_msg("%s", err.text);
    if (path && sl_teaching_set_file(teaching, path, &err) != SL_OK) fail_msg("%s", err.text);
    SlPool *pool = threads > 1 ? sl_pool_make(threads) : NULL;
    if (sl_teaching_run(teaching, pool, left ? count_down : NULL, left, &arena, &flock, &err) !=
        SL_OK)
        fail_msg("%s", err.text);
    uint64_t digest = flock ? sl_flock_digest(flock) : 0;
    if (flock) assert_true(sl_teaching_samples(teaching) >= sl_flock_info(flock)->evaluations);
    if (pool) sl_pool_free(pool);
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
    return digest;
}

static SlAccel find_accel(void) {
    SlAccel accel;
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_accel_find("gamma168", &arena, &accel, NULL), SL_OK);
    sl_arena_free(&arena);
    return accel;
}

static void threads_and_interruptions_change_nothing(void **state) {
    (void)state;
    SlAccel accel = find_accel();
    SlTeachSetup setup = small_setup(&accel);
    char path[TEMP_ROOM];
    Folder folder;
    folder_make(&folder);
    uint64_t whole = teach(&setup, NULL, 1, NULL);
    assert_true(whole != 0);
    assert_true(teach(&setup, NULL, 3, NULL) == whole);
    folder_path(&folder, "lessons.bin", path);
    int left = 9;
    assert_true(teach(&setup, path, 1, &left) == 0);
    assert_true(teach(&setup, path, 2, NULL) == whole);
    assert_true(teach(&setup, path, 1, NULL) == whole);
    // a last entry that was cut short is evaluated again
    assert_int_equal(truncate(path, 1500), 0);
    assert_true(teach(&setup, path, 1, NULL) == whole);
    folder_remove(&folder);
}

static void a_file_of_another_teaching_is_refused(void **state) {
    (void)state;
    SlAccel accel = find_accel();
    SlTeachSetup setup = small_setup(&accel);
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlError err;
    char path[TEMP_ROOM];
    Folder folder;
    folder_make(&folder);
    folder_path(&folder, "others.bin", path);
    setup.rounds = 0;
    teach(&setup, path, 1, NULL);
    setup.seed++;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_teaching_open(&setup, &arena, &teaching, &err), SL_OK);
    assert_int_equal(sl_teaching_set_file(teaching, path, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "another"));
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
    folder_remove(&folder);
}

static void drawn_layers_and_machines_are_sound(void **state) {
    (void)state;
    SlAccel like = find_accel(), accel;
    SlLayer layer;
    SlRng rng;
    int strided = 0, products = 0, depthwise = 0;
    sl_rng_init(&rng, 1, "draw");
    for (int i = 0; i < 2000; i++) {
        sl_layer_draw(&rng, &layer);
        sl_accel_vary(&like, &rng, &accel);
        assert_null(sl_layer_check(&layer));
        assert_null(sl_accel_check(&accel));
        assert_int_equal(sl_features_n(&accel), sl_features_n(&like));
        strided += layer.stride[0] == 2;
        products += layer.type == SL_GEMM;
        depthwise += layer.type == SL_DEPTHWISE;
    }
    assert_in_range(strided, 100, 500);
    assert_in_range(products, 300, 500);
    assert_in_range(depthwise, 150, 350);
}

// in how many tasks of a teaching the layers have so many MACs; -1 = it is refused
static int tasks_within(double least, double most) {
    SlAccel accel = find_accel();
    SlTeachSetup setup = small_setup(&accel);
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlFlock *flock = NULL;
    SlError err;
    setup.macs[0] = least;
    setup.macs[1] = most;
    setup.rounds = 0;
    setup.samples = 2;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_teaching_open(&setup, &arena, &teaching, &err);
    if (status == SL_OK)
        assert_int_equal(sl_teaching_run(teaching, NULL, NULL, NULL, &arena, &flock, &err), SL_OK);
    int n = status == SL_OK ? sl_flock_info(flock)->n_tasks : -1;
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
    return n;
}

static void the_macs_of_drawn_layers_are_bounded(void **state) {
    (void)state;
    assert_in_range(tasks_within(2e5, 4e6), 2, 6);
    assert_int_equal(tasks_within(0.5, 1), -1); // no layer is so small
}

static void layers_that_do_not_suit_are_said(void **state) {
    (void)state;
    SlAccel accel = find_accel();
    SlTeachSetup setup = small_setup(&accel);
    SlLayer layer;
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlError err;
    sl_layer_init(&layer);
    setup.n_layers = 1;
    setup.layers = &layer;
    setup.tasks = 0;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_teaching_open(&setup, &arena, &teaching, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "at least two"));
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
}

// schedules of VTA: drawn layers of a core, searched by who knows no draft
static SlTeachSetup vta_setup(const SlVtaOptions *core) {
    SlTeachSetup setup = {.kind = &sl_kind_vta,
                          .kind_options = core,
                          .tasks = 12,
                          .samples = 24,
                          .random = 0.5,
                          .rounds = 1,
                          .round_samples = 4,
                          .method = sl_method_find("random"),
                          .macs = {0, 3e7},
                          .seed = 3};
    sl_options_init(sl_teach_options, &setup.teach);
    setup.teach.trees = 60;
    return setup;
}

static SlTask *vta_task(const SlVtaOptions *core, SlArena *arena) {
    SlLayer layer;
    SlTask *task = NULL;
    SlTaskSetup setup = {.kind = &sl_kind_vta, .layer = &layer, .options = core};
    sl_layer_init(&layer);
    layer.dims[SL_K] = layer.dims[SL_C] = 64;
    layer.dims[SL_P] = layer.dims[SL_Q] = 28;
    layer.dims[SL_R] = layer.dims[SL_S] = 3;
    layer.pad[0] = layer.pad[1] = 1;
    assert_int_equal(sl_task_make(&setup, arena, &task, NULL), SL_OK);
    return task;
}

static void schedules_of_a_core_are_taught_and_suit_no_other_core(void **state) {
    (void)state;
    SlVtaOptions core = {0}, other = {0};
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlFlock *flock = NULL;
    SlRecord record;
    SlError err;
    sl_vta_core_init(&core.core);
    other = core;
    other.core.block_in = 8;
    SlTeachSetup setup = vta_setup(&core);
    sl_arena_init(&arena, 0);
    assert_true(teach(&setup, NULL, 1, NULL) == teach(&setup, NULL, 2, NULL));
    assert_int_equal(sl_teaching_open(&setup, &arena, &teaching, &err), SL_OK);
    assert_int_equal(sl_teaching_run(teaching, NULL, NULL, NULL, &arena, &flock, &err), SL_OK);
    assert_string_equal(sl_flock_info(flock)->evaluator,
                        "1x16x16_i8w8a32_15_15_18_17, bus of 64 bits, tsim");
    assert_string_equal(sl_flock_info(flock)->goal, "cycles");
    SlTask *task = vta_task(&core, &arena);
    assert_null(sl_flock_check(flock, task));
    assert_string_equal(sl_flock_check(flock, vta_task(&other, &arena)),
                        "it was taught on another core");
    // no measurement of a schedule that makes no program, and near the best one soon
    SlRunSetup run = {.task = task,
                      .method = sl_method_find("flock"),
                      .flock = flock,
                      .seed = 1,
                      .stream = "held out",
                      .budget = {.samples = 8}};
    assert_int_equal(sl_run(&run, NULL, NULL, &arena, &record, &err), SL_OK);
    assert_int_equal(record.samples, 8);
    assert_int_equal(record.failures, 0);
    SlRecord optimum;
    SlTask *again = vta_task(&core, &arena);
    assert_int_equal(sl_run_optimum(again, &(SlBudget){0}, NULL, NULL, &arena, &optimum, &err),
                     SL_OK);
    assert_true(record.best.outcome.value <= 1.1 * optimum.best.outcome.value);
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
}

static void drawn_layers_have_the_size_that_is_asked_for(void **state) {
    (void)state;
    SlVtaOptions core = {0};
    SlArena arena;
    SlTeaching *teaching = NULL;
    SlError err;
    sl_vta_core_init(&core.core);
    SlTeachSetup setup = vta_setup(&core);
    setup.macs[0] = 1e15;
    setup.macs[1] = 1e16;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_teaching_open(&setup, &arena, &teaching, &err), SL_EINPUT);
    sl_teaching_close(teaching);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_interruptions_change_nothing),
        cmocka_unit_test(a_file_of_another_teaching_is_refused),
        cmocka_unit_test(drawn_layers_and_machines_are_sound),
        cmocka_unit_test(the_macs_of_drawn_layers_are_bounded),
        cmocka_unit_test(layers_that_do_not_suit_are_said),
        cmocka_unit_test(schedules_of_a_core_are_taught_and_suit_no_other_core),
        cmocka_unit_test(drawn_layers_have_the_size_that_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
