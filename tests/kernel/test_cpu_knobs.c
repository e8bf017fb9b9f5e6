// test_cpu_knobs.c - knobs, their values, defaults and text; checks with reasons; drafts and
// features.
#include <math.h>
#include <string.h>

#include "starling/kernel.h"
#include "support/check.h"

static SlKernelTask task_of(const char *layer, SlKernelType type, int threads) {
    SlKernelTask task = {.type = type, .threads = threads, .vector_bytes = 32};
    SlError err;
    assert_int_equal(sl_layer_parse(layer, &task.layer, &err), SL_OK);
    return task;
}

static void draw_schedule(const SlKernelTask *task, SlRng *rng, SlKernelSchedule *schedule) {
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        int32_t values[SL_KERNEL_MAX_VALUES];
        int n = sl_kernel_values(task, k, values);
        schedule->values[k] = values[sl_rng_below(rng, (uint64_t)n)];
    }
}

static void check_task(const SlKernelTask *task) {
    SlKernelSchedule schedule;
    int32_t values[SL_KERNEL_MAX_VALUES];
    assert_null(sl_kernel_task_check(task));
    sl_kernel_default(task, &schedule);
    assert_null(sl_kernel_check(task, &schedule));
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        int n = sl_kernel_values(task, k, values);
        bool has_default = false;
        assert_in_range(n, 1, SL_KERNEL_MAX_VALUES);
        for (int i = 0; i < n; i++) {
            if (i > 0) assert_true(values[i - 1] < values[i]);
            has_default |= values[i] == schedule.values[k];
        }
        assert_true(has_default);
    }
}

static void every_layer_of_usual_networks_has_values_and_a_valid_default(void **state) {
    (void)state;
    const char *networks[] = {"resnet18", "mobilenet_v2", "vgg16", "alexnet"};
    for (int i = 0; i < 4; i++) {
        SlArena arena;
        SlNetwork net;
        sl_arena_init(&arena, 0);
        assert_int_equal(sl_workload_find(networks[i], 1, &arena, &net, NULL), SL_OK);
        for (int l = 0; l < net.n_layers; l++)
            for (int type = 0; type < SL_N_KERNEL_TYPES; type++)
                for (int bytes = 16; bytes <= 64; bytes *= 2)
                    check_task(&(SlKernelTask){.layer = net.layers[l],
                                               .type = (SlKernelType)type,
                                               .threads = 4,
                                               .vector_bytes = bytes});
        sl_arena_free(&arena);
    }
}

static void the_default_is_that_of_tvm(void **state) {
    (void)state;
    SlKernelTask task = task_of("conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1", SL_KERNEL_FP32, 1);
    SlKernelSchedule schedule;
    char text[256];
    sl_kernel_default(&task, &schedule);
    assert_string_equal(sl_kernel_show(&schedule, sizeof text, text),
                        "vector=32 oc_vectors=1 ow_block=28 threads=1 parallel=1 unroll_ic=1 "
                        "unroll_kw=0 tile_oh=1 tile_ow=56 tile_ic=8 order=0");
}

static void every_agent_has_knobs_with_names_of_their_own(void **state) {
    (void)state;
    int n[SL_N_PROFESSIONS] = {0};
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        assert_non_null(sl_kernel_knobs[k].help);
        n[sl_kernel_knobs[k].agent]++;
        for (int j = 0; j < k; j++)
            assert_string_not_equal(sl_kernel_knobs[j].name, sl_kernel_knobs[k].name);
    }
    for (int a = 0; a < SL_N_PROFESSIONS; a++) assert_true(n[a] >= 3);
}

static void text_of_a_schedule_reads_back(void **state) {
    (void)state;
    SlKernelTask task = task_of("conv:K=24,C=10,P=9,Q=13,R=3,S=3", SL_KERNEL_FP32, 4);
    SlRng rng;
    sl_rng_init(&rng, 1, "text");
    for (int i = 0; i < 50; i++) {
        SlKernelSchedule schedule, read = {{0}};
        char text[256];
        draw_schedule(&task, &rng, &schedule);
        sl_kernel_show(&schedule, sizeof text, text);
        assert_int_equal(sl_kernel_parse(text, &read, NULL), SL_OK);
        assert_memory_equal(&schedule, &read, sizeof read);
    }
}

static void wrong_text_is_refused_with_its_column(void **state) {
    (void)state;
    SlKernelSchedule schedule = {{7}}, before = schedule;
    SlError err;
    const char *wrong[] = {"order=1 tile=3",
                           "order=1 tile_oh",
                           "order=1 tile_oh=",
                           "order=1 tile_oh=x",
                           "order=1 tile_oh=99999999999",
                           "order=1 =3"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sl_kernel_parse(wrong[i], &schedule, &err), SL_EINPUT);
        assert_int_equal(err.column, 9);
        assert_memory_equal(&schedule, &before, sizeof before);
    }
    assert_int_equal(sl_kernel_parse(" tile_oh=3, order=1 ", &schedule, &err), SL_OK);
    assert_int_equal(schedule.values[SL_KNOB_TILE_OH], 3);
    assert_int_equal(schedule.values[SL_KNOB_ORDER], 1);
    assert_int_equal(schedule.values[SL_KNOB_VECTOR], 7);
}

static void every_rule_has_its_reason(void **state) {
    (void)state;
    const struct {
        const char *change, *reason;
    } rules[] = {
        {"vector=24", "vector is neither"},
        {"vector=64", "vector is wider"},
        {"oc_vectors=9", "oc_vectors is not"},
        {"oc_vectors=5", "vector of output channels would be empty"},
        {"ow_block=0", "ow_block is not"},
        {"ow_block=32", "ow_block is not"},
        {"ow_block=31", "ow_block is wider"},
        {"ow_block=22 oc_vectors=3", "more than 64 vectors"},
        {"ow_block=22 oc_vectors=2 unroll_ic=16 unroll_kw=1", "more than 2048"},
        {"threads=5", "more threads than the task"},
        {"threads=4 parallel=0", "more threads than blocks of channels"},
        {"threads=4 parallel=1 tile_oh=3", "more threads than tiles of rows"},
        {"parallel=3", "parallel is not"},
        {"unroll_ic=17", "unroll_ic is not"},
        {"unroll_kw=2", "unroll_kw is not"},
        {"tile_oh=10", "tile_oh is not"},
        {"tile_ow=23", "tile_ow is not"},
        {"tile_ic=11", "tile_ic is not"},
        {"order=4", "order is not"},
    };
    SlKernelTask task = task_of("conv:K=24,C=10,P=9,Q=22,R=3,S=3", SL_KERNEL_FP32, 4);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        SlKernelSchedule schedule;
        sl_kernel_default(&task, &schedule);
        assert_int_equal(sl_kernel_parse(rules[i].change, &schedule, NULL), SL_OK);
        const char *why = sl_kernel_check(&task, &schedule);
        assert_non_null(why);
        assert_non_null(strstr(why, rules[i].reason));
    }
    task.type = SL_KERNEL_INT8;
    SlKernelSchedule schedule;
    sl_kernel_default(&task, &schedule);
    schedule.values[SL_KNOB_TILE_IC] = 5;
    assert_non_null(strstr(sl_kernel_check(&task, &schedule), "odd"));
}

static void tasks_without_a_program_say_why(void **state) {
    (void)state;
    SlKernelTask task = task_of("conv:K=8,C=8,P=2,Q=2,R=3,S=3,pad=2", SL_KERNEL_FP32, 1);
    assert_non_null(strstr(sl_kernel_task_check(&task), "padding leaves no input"));
    task = task_of("gemm:M=20000,N=20000,K=8", SL_KERNEL_FP32, 1);
    assert_non_null(strstr(sl_kernel_task_check(&task), "2^27"));
    task = task_of("gemm:M=8,N=8,K=131072", SL_KERNEL_INT8, 1);
    assert_non_null(strstr(sl_kernel_task_check(&task), "32 bits"));
    task = task_of("gemm:M=8,N=8,K=8", SL_KERNEL_INT8, 65);
    assert_non_null(strstr(sl_kernel_task_check(&task), "threads"));
    task.threads = 1;
    task.vector_bytes = 8;
    assert_non_null(strstr(sl_kernel_task_check(&task), "vectors"));
    task.vector_bytes = 32;
    task.layer.dims[SL_K] = 0;
    assert_non_null(sl_kernel_task_check(&task));
}

static void drafts_and_features_are_finite_and_tell_schedules_apart(void **state) {
    (void)state;
    const char *layers[] = {"conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1",
                            "dw:G=96,P=28,Q=28,R=3,S=3,pad=1", "gemm:M=128,N=256,K=100"};
    SlRng rng;
    sl_rng_init(&rng, 1, "draft");
    for (int i = 0; i < 300; i++) {
        SlKernelTask task = task_of(layers[i % 3], (SlKernelType)(i / 3 % 2), 4);
        SlKernelSchedule schedule;
        float features[SL_N_KERNEL_FEATURES];
        draw_schedule(&task, &rng, &schedule);
        if (sl_kernel_check(&task, &schedule)) continue;
        double seconds = sl_kernel_draft(&task, &schedule);
        assert_true(seconds > 0 && seconds < 10);
        assert_int_equal(sl_kernel_features(&task, &schedule, features), SL_N_KERNEL_FEATURES);
        for (int f = 0; f < SL_N_KERNEL_FEATURES; f++) assert_true(isfinite(features[f]));
    }
}

// what everybody knows about registers; measured in docs/kernel.md
static void the_draft_prefers_a_block_that_fits_the_registers(void **state) {
    (void)state;
    SlKernelTask task = task_of("conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1", SL_KERNEL_FP32, 1);
    SlKernelSchedule best, spills, alone;
    sl_kernel_default(&task, &spills);
    best = alone = spills;
    assert_int_equal(
        sl_kernel_parse("oc_vectors=2 ow_block=6 tile_oh=14 tile_ic=16 order=2", &best, NULL),
        SL_OK);
    assert_int_equal(sl_kernel_parse("oc_vectors=1 ow_block=1", &alone, NULL), SL_OK);
    double seconds = sl_kernel_draft(&task, &best);
    assert_true(1.5 * seconds < sl_kernel_draft(&task, &spills));
    assert_true(4 * seconds < sl_kernel_draft(&task, &alone));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_of_usual_networks_has_values_and_a_valid_default),
        cmocka_unit_test(the_default_is_that_of_tvm),
        cmocka_unit_test(every_agent_has_knobs_with_names_of_their_own),
        cmocka_unit_test(text_of_a_schedule_reads_back),
        cmocka_unit_test(wrong_text_is_refused_with_its_column),
        cmocka_unit_test(every_rule_has_its_reason),
        cmocka_unit_test(tasks_without_a_program_say_why),
        cmocka_unit_test(drafts_and_features_are_finite_and_tell_schedules_apart),
        cmocka_unit_test(the_draft_prefers_a_block_that_fits_the_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
