// test_kind_cpu.c - tasks of C kernels: knobs and values, the default, checks. Nothing is built
// here but one tiny program.
#include "starling/task/programs.h"

#include <math.h>
#include <string.h>

#include "kernel/build_inside.h"
#include "support/check.h"

static SlArena arena;

static int set_up(void **state) {
    (void)state;
    sl_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&arena);
    return 0;
}

static SlStatus make(const char *text, const SlCpuOptions *options, SlTask **task, SlError *err) {
    SlLayer layer;
    assert_int_equal(sl_layer_parse(text, &layer, err), SL_OK);
    const SlTaskSetup setup = {.kind = &sl_kind_cpu, .layer = &layer, .options = options};
    return sl_task_make(&setup, &arena, task, err);
}

static SlTask *cpu_task(const char *layer, SlKernelType type, int threads) {
    const SlCpuOptions options = {.type = type, .threads = threads};
    SlTask *task = NULL;
    SlError err = {0};
    if (make(layer, &options, &task, &err) != SL_OK) fail_msg("%s", err.text);
    return task;
}

static const char *const LAYERS[] = {"conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1",
                                     "conv:K=30,C=3,P=7,Q=9,R=3,S=3,stride=2",
                                     "conv:K=128,C=64,P=28,Q=28,stride=2",
                                     "linear:K=1000,C=512",
                                     "dw:G=32,P=14,Q=14,R=3,S=3",
                                     "conv:N=2,K=17,C=19,P=13,Q=5"};
enum { N_LAYERS = sizeof LAYERS / sizeof *LAYERS };

static void knobs_are_those_of_kernels(void **state) {
    (void)state;
    for (int i = 0; i < N_LAYERS; i++) {
        SlTask *task = cpu_task(LAYERS[i], i % 2 ? SL_KERNEL_INT8 : SL_KERNEL_FP32, 4);
        const SlSpace *space = sl_task_space(task);
        SlKernelTask kernel;
        SlKernelSchedule schedule;
        int32_t point[SL_MAX_PARAMS] = {0}, values[SL_KERNEL_MAX_VALUES];
        int64_t product = 1;
        bool has[SL_N_PROFESSIONS] = {false};
        assert_int_equal(space->n_params, SL_N_KERNEL_KNOBS);
        sl_task_cpu(task, point, &kernel, &schedule);
        assert_int_equal(kernel.threads, 4);
        for (int k = 0; k < space->n_params; k++) {
            const SlParam *knob = &space->params[k];
            assert_string_equal(knob->name, sl_kernel_knobs[k].name);
            assert_int_equal(knob->profession, sl_kernel_knobs[k].agent);
            assert_int_equal(knob->n, sl_kernel_values(&kernel, k, values));
            for (int v = 0; v < knob->n; v++) assert_int_equal(knob->sizes[v], values[v]);
            has[knob->profession] = true;
            product *= knob->n;
        }
        assert_int_equal(space->n_points, product);
        assert_true(has[SL_AGENT_HARDWARE] && has[SL_AGENT_SCHEDULING] && has[SL_AGENT_MAPPING]);
    }
}

static void points_stand_for_schedules(void **state) {
    (void)state;
    SlTask *task = cpu_task(LAYERS[0], SL_KERNEL_FP32, 2);
    const SlSpace *space = sl_task_space(task);
    SlRng rng;
    sl_rng_init(&rng, 1, "cpu");
    for (int i = 0; i < 50; i++) {
        SlKernelTask kernel;
        SlKernelSchedule schedule;
        int32_t point[SL_MAX_PARAMS];
        sl_space_at(space, (int64_t)sl_rng_below(&rng, (uint64_t)space->n_points), point);
        sl_task_cpu(task, point, &kernel, &schedule);
        for (int k = 0; k < space->n_params; k++)
            assert_int_equal(schedule.values[k], space->params[k].sizes[point[k]]);
    }
}

static void the_default_is_a_valid_point(void **state) {
    (void)state;
    for (int i = 0; i < N_LAYERS; i++)
        for (int type = 0; type < SL_N_KERNEL_TYPES; type++)
            for (int threads = 1; threads <= 4; threads *= 4) {
                SlTask *task = cpu_task(LAYERS[i], (SlKernelType)type, threads);
                SlFault fault;
                int32_t point[SL_MAX_PARAMS];
                sl_task_start(task, point);
                if (!sl_task_check(task, point, &fault)) fail_msg("%s: %s", LAYERS[i], fault.text);
            }
}

// tiles of the default are values of their knobs, so the point is the default
// itself
static void the_default_is_the_templates(void **state) {
    (void)state;
    SlTask *task = cpu_task(LAYERS[0], SL_KERNEL_FP32, 1);
    SlKernelTask kernel;
    SlKernelSchedule schedule, plain;
    int32_t point[SL_MAX_PARAMS];
    sl_task_start(task, point);
    sl_task_cpu(task, point, &kernel, &schedule);
    sl_kernel_default(&kernel, &plain);
    assert_int_equal(schedule.values[SL_KNOB_VECTOR], plain.values[SL_KNOB_VECTOR]);
    assert_int_equal(schedule.values[SL_KNOB_OC_VECTORS], plain.values[SL_KNOB_OC_VECTORS]);
    assert_int_equal(schedule.values[SL_KNOB_TILE_IC], plain.values[SL_KNOB_TILE_IC]);
    assert_int_equal(schedule.values[SL_KNOB_ORDER], plain.values[SL_KNOB_ORDER]);
    assert_int_equal(schedule.values[SL_KNOB_THREADS], 1);
}

// what module kernel refuses fails the check as a fault of structure, and is
// worth nothing
static void checks_are_those_of_kernels(void **state) {
    (void)state;
    int failed = 0, passed = 0;
    SlRng rng;
    sl_rng_init(&rng, 2, "cpu");
    for (int i = 0; i < N_LAYERS; i++) {
        SlTask *task = cpu_task(LAYERS[i], SL_KERNEL_FP32, 2);
        const SlSpace *space = sl_task_space(task);
        assert_int_equal(sl_task_n_seen(task, SL_SEE_PROGRAM), SL_N_KERNEL_FEATURES);
        for (int draw = 0; draw < 200; draw++) {
            SlKernelTask kernel;
            SlKernelSchedule schedule;
            SlFault fault;
            int32_t point[SL_MAX_PARAMS];
            float features[SL_MAX_FEATURES], sum = 0;
            sl_space_at(space, (int64_t)sl_rng_below(&rng, (uint64_t)space->n_points), point);
            sl_task_cpu(task, point, &kernel, &schedule);
            const char *reason = sl_kernel_check(&kernel, &schedule);
            bool fits = sl_task_check(task, point, &fault);
            assert_true(fits == !reason);
            assert_true(fault.structure == !fits && fault.buffers == 0 && fault.resources == 0);
            assert_string_equal(fault.text, reason ? reason : "");
            assert_true(isfinite(sl_task_draft(task, point)) == fits);
            assert_true(sl_task_point_floor(task, point) == (fits ? 0 : INFINITY));
            sl_task_see(task, SL_SEE_PROGRAM, point, features);
            for (int f = 0; f < SL_N_KERNEL_FEATURES; f++) {
                assert_true(isfinite(features[f]));
                sum += fabsf(features[f]);
            }
            assert_true((sum > 0) == fits);
            failed += !fits;
            passed += fits;
        }
    }
    assert_true(failed > 10 && passed > 10);
}

static void keys_tell_tasks_apart(void **state) {
    (void)state;
    const char *keys[] = {sl_task_name(cpu_task(LAYERS[0], SL_KERNEL_FP32, 1)),
                          sl_task_name(cpu_task(LAYERS[0], SL_KERNEL_INT8, 1)),
                          sl_task_name(cpu_task(LAYERS[0], SL_KERNEL_FP32, 2)),
                          sl_task_name(cpu_task(LAYERS[1], SL_KERNEL_FP32, 1))};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(keys[i], keys[j]);
    assert_string_equal(sl_task_unit(cpu_task(LAYERS[0], SL_KERNEL_FP32, 1)), "s");
}

static void layers_without_kernels_are_refused(void **state) {
    (void)state;
    const SlCpuOptions options = {.threads = 1000};
    SlTask *task = NULL;
    SlError err = {0};
    assert_int_equal(make(LAYERS[0], &options, &task, &err), SL_EINPUT);
    assert_true(strlen(err.text) > 10);
}

// a program is built and run; one that makes no program is a record; both count
static void measurements_and_failures_count(void **state) {
    (void)state;
    static SlKernelBench bench = {.repeats = 1, .min_repeat_ms = 0.1, .run_timeout_s = 60};
    char folder[SL_FOLDER_ROOM];
    SlError err = {0};
    assert_int_equal(sl_folder_make(folder, &err), SL_OK);
    SlCompilerOptions compiler = {.folder = folder, .flags = "-O0 -march=native", .timeout_s = 60};
    assert_int_equal(sl_compiler_init(&bench.compiler, &compiler, &err), SL_OK);
    const SlCpuOptions options = {.threads = 2, .bench = &bench};
    SlTask *task = NULL;
    assert_int_equal(make("conv:K=40,C=6,P=4,Q=4,R=3,S=3", &options, &task, &err), SL_OK);
    const SlSpace *space = sl_task_space(task);
    int32_t points[2 * SL_MAX_PARAMS], *bad = points + space->n_params;
    SlSample measured[2];
    sl_task_start(task, points);
    int64_t index = 0;
    do sl_space_at(space, index, bad);
    while (++index < space->n_points && sl_task_check(task, bad, NULL));
    sl_task_eval(task, 2, points, measured);
    sl_folder_remove(folder);
    assert_non_null(strstr(sl_task_name(task), " compiler="));
    assert_int_equal(sl_task_samples(task), 2);
    assert_int_equal(measured[0].error, SL_KERNEL_OK);
    assert_true(measured[0].value > 0 && measured[0].value < 1);
    assert_true(index < space->n_points);
    assert_true(isinf(measured[1].value) && measured[1].error == SL_KERNEL_UNFIT);
    assert_true(measured[1].spread == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_are_those_of_kernels),
        cmocka_unit_test(points_stand_for_schedules),
        cmocka_unit_test(the_default_is_a_valid_point),
        cmocka_unit_test(the_default_is_the_templates),
        cmocka_unit_test(checks_are_those_of_kernels),
        cmocka_unit_test(keys_tell_tasks_apart),
        cmocka_unit_test(layers_without_kernels_are_refused),
        cmocka_unit_test(measurements_and_failures_count),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
