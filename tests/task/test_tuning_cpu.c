// test_tuning_cpu.c - tuning tasks of C kernels: knobs and values, the default,
// checks. Nothing is built here but one tiny program.
#include "starling/task/tuning.h"

#include <math.h>
#include <string.h>

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

static SlTuning *cpu_tuning(const char *layer, SlKernelType type, int threads) {
    SlTuningSetup setup = {.target = SL_TARGET_CPU, .type = type, .threads = threads};
    SlTuning *tuning = NULL;
    SlError err = {0};
    assert_int_equal(sl_layer_parse(layer, &setup.layer, &err), SL_OK);
    if (sl_tuning_make(&setup, &arena, &tuning, &err) != SL_OK) fail_msg("%s", err.text);
    return tuning;
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
        SlTuning *tuning = cpu_tuning(LAYERS[i], i % 2 ? SL_KERNEL_INT8 : SL_KERNEL_FP32, 4);
        const SlKnobs *knobs = sl_tuning_knobs(tuning);
        SlKernelTask task;
        SlKernelSchedule schedule;
        int32_t point[SL_MAX_KNOBS] = {0}, values[SL_KERNEL_MAX_VALUES];
        int64_t product = 1;
        bool has[SL_N_KERNEL_AGENTS] = {false};
        assert_int_equal(knobs->n_knobs, SL_N_KERNEL_KNOBS);
        sl_tuning_cpu(tuning, point, &task, &schedule);
        assert_int_equal(task.threads, 4);
        for (int k = 0; k < knobs->n_knobs; k++) {
            const SlKnob *knob = &knobs->knobs[k];
            assert_string_equal(knob->name, sl_kernel_knobs[k].name);
            assert_int_equal(knob->agent, sl_kernel_knobs[k].agent);
            assert_int_equal(knob->n, sl_kernel_values(&task, k, values));
            assert_memory_equal(knob->values, values, (size_t)knob->n * sizeof *values);
            has[knob->agent] = true;
            product *= knob->n;
        }
        assert_int_equal(knobs->n_points, product);
        assert_true(has[SL_AGENT_HARDWARE] && has[SL_AGENT_SCHEDULING] && has[SL_AGENT_MAPPING]);
    }
}

static void points_stand_for_schedules(void **state) {
    (void)state;
    SlTuning *tuning = cpu_tuning(LAYERS[0], SL_KERNEL_FP32, 2);
    const SlKnobs *knobs = sl_tuning_knobs(tuning);
    SlRng rng;
    sl_rng_init(&rng, 1, "cpu");
    for (int i = 0; i < 50; i++) {
        SlKernelTask task;
        SlKernelSchedule schedule;
        int32_t point[SL_MAX_KNOBS];
        sl_knobs_point(knobs, (int64_t)sl_rng_below(&rng, (uint64_t)knobs->n_points), point);
        sl_tuning_cpu(tuning, point, &task, &schedule);
        for (int k = 0; k < knobs->n_knobs; k++)
            assert_int_equal(schedule.values[k], knobs->knobs[k].values[point[k]]);
    }
}

static void the_default_is_a_valid_point(void **state) {
    (void)state;
    for (int i = 0; i < N_LAYERS; i++)
        for (int type = 0; type < SL_N_KERNEL_TYPES; type++)
            for (int threads = 1; threads <= 4; threads *= 4) {
                SlTuning *tuning = cpu_tuning(LAYERS[i], (SlKernelType)type, threads);
                SlTuningFault fault;
                int32_t point[SL_MAX_KNOBS];
                sl_tuning_default(tuning, point);
                if (!sl_tuning_check(tuning, point, &fault))
                    fail_msg("%s: %s", LAYERS[i], fault.text);
            }
}

// tiles of the default are values of their knobs, so the point is the default
// itself
static void the_default_is_the_templates(void **state) {
    (void)state;
    SlTuning *tuning = cpu_tuning(LAYERS[0], SL_KERNEL_FP32, 1);
    SlKernelTask task;
    SlKernelSchedule schedule, plain;
    int32_t point[SL_MAX_KNOBS];
    sl_tuning_default(tuning, point);
    sl_tuning_cpu(tuning, point, &task, &schedule);
    sl_kernel_default(&task, &plain);
    assert_int_equal(schedule.values[SL_KNOB_VECTOR], plain.values[SL_KNOB_VECTOR]);
    assert_int_equal(schedule.values[SL_KNOB_OC_VECTORS], plain.values[SL_KNOB_OC_VECTORS]);
    assert_int_equal(schedule.values[SL_KNOB_TILE_IC], plain.values[SL_KNOB_TILE_IC]);
    assert_int_equal(schedule.values[SL_KNOB_ORDER], plain.values[SL_KNOB_ORDER]);
    assert_int_equal(schedule.values[SL_KNOB_THREADS], 1);
}

// what the kernel room refuses fails the check as a fault of structure, and is
// worth nothing
static void checks_are_those_of_kernels(void **state) {
    (void)state;
    int failed = 0, passed = 0;
    SlRng rng;
    sl_rng_init(&rng, 2, "cpu");
    for (int i = 0; i < N_LAYERS; i++) {
        SlTuning *tuning = cpu_tuning(LAYERS[i], SL_KERNEL_FP32, 2);
        const SlKnobs *knobs = sl_tuning_knobs(tuning);
        assert_int_equal(sl_tuning_n_features(tuning, SL_SEE_PROGRAM), SL_N_KERNEL_FEATURES);
        for (int draw = 0; draw < 200; draw++) {
            SlKernelTask task;
            SlKernelSchedule schedule;
            SlTuningFault fault;
            int32_t point[SL_MAX_KNOBS];
            float features[SL_MAX_TUNING_FEATURES], sum = 0;
            sl_knobs_point(knobs, (int64_t)sl_rng_below(&rng, (uint64_t)knobs->n_points), point);
            sl_tuning_cpu(tuning, point, &task, &schedule);
            const char *reason = sl_kernel_check(&task, &schedule);
            bool fits = sl_tuning_check(tuning, point, &fault);
            assert_true(fits == !reason);
            assert_true(fault.structure == !fits && fault.buffers == 0 && fault.resources == 0);
            assert_string_equal(fault.text, reason ? reason : "");
            assert_true(isfinite(sl_tuning_draft(tuning, point)) == fits);
            assert_true(sl_tuning_floor(tuning, point) == (fits ? 0 : INFINITY));
            sl_tuning_features(tuning, SL_SEE_PROGRAM, point, features);
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
    const char *keys[] = {sl_tuning_key(cpu_tuning(LAYERS[0], SL_KERNEL_FP32, 1)),
                          sl_tuning_key(cpu_tuning(LAYERS[0], SL_KERNEL_INT8, 1)),
                          sl_tuning_key(cpu_tuning(LAYERS[0], SL_KERNEL_FP32, 2)),
                          sl_tuning_key(cpu_tuning(LAYERS[1], SL_KERNEL_FP32, 1))};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(keys[i], keys[j]);
    assert_string_equal(sl_tuning_unit(cpu_tuning(LAYERS[0], SL_KERNEL_FP32, 1)), "s");
}

static void layers_without_kernels_are_refused(void **state) {
    (void)state;
    SlTuningSetup setup = {.target = SL_TARGET_CPU, .threads = 1000};
    SlTuning *tuning = NULL;
    SlError err = {0};
    assert_int_equal(sl_layer_parse(LAYERS[0], &setup.layer, &err), SL_OK);
    assert_int_equal(sl_tuning_make(&setup, &arena, &tuning, &err), SL_EINPUT);
    assert_true(strlen(err.text) > 10);
}

// a program is built and run; one that makes no program is a record; both count
static void measurements_and_failures_count(void **state) {
    (void)state;
    static SlKernelBench bench = {.repeats = 1, .min_repeat_ms = 0.1, .run_timeout_s = 60};
    char folder[SL_FOLDER_ROOM];
    SlError err = {0};
    assert_int_equal(sl_folder_make(folder, &err), SL_OK);
    SlCompilerOptions options = {.folder = folder, .flags = "-O0 -march=native", .timeout_s = 60};
    assert_int_equal(sl_compiler_init(&bench.compiler, &options, &err), SL_OK);
    SlTuningSetup setup = {.target = SL_TARGET_CPU, .threads = 2, .bench = &bench};
    SlTuning *tuning = NULL;
    assert_int_equal(sl_layer_parse("conv:K=40,C=6,P=4,Q=4,R=3,S=3", &setup.layer, &err), SL_OK);
    assert_int_equal(sl_tuning_make(&setup, &arena, &tuning, &err), SL_OK);
    const SlKnobs *knobs = sl_tuning_knobs(tuning);
    int32_t points[2 * SL_MAX_KNOBS], *bad = points + knobs->n_knobs;
    SlMeasured measured[2];
    sl_tuning_default(tuning, points);
    int64_t index = 0;
    do sl_knobs_point(knobs, index, bad);
    while (++index < knobs->n_points && sl_tuning_check(tuning, bad, NULL));
    sl_tuning_measure(tuning, 2, points, measured);
    sl_folder_remove(folder);
    assert_non_null(strstr(sl_tuning_key(tuning), " compiler="));
    assert_int_equal(sl_tuning_measurements(tuning), 2);
    assert_int_equal(measured[0].error, SL_KERNEL_OK);
    assert_true(measured[0].value > 0 && measured[0].value < 1);
    assert_true(index < knobs->n_points);
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
