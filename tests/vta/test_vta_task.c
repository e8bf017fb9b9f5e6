// test_vta_task.c - layers in blocks, and every rule that a schedule can break.
#include "vta_help.h"

static SlArena arena;

static void layers_are_cut_into_blocks(void **state) {
    (void)state;
    SlVtaTask task = vta_task("2x16x8", "conv:N=3,K=20,C=40,P=7,Q=9,R=3,S=1,pad=1x0");
    assert_int_equal(task.n, 2);
    assert_int_equal(task.ci, 3);
    assert_int_equal(task.co, 3);
    assert_int_equal(task.rows, 7);
    assert_int_equal(task.columns, 9);
    assert_int_equal(task.taps[0], 3);
    assert_int_equal(task.taps[1], 1);
    assert_int_equal(task.in_rows, 7);
    assert_int_equal(task.in_columns, 9);
    assert_false(task.bias);
}

static void inputs_of_strided_layers_are_those_of_networks(void **state) {
    (void)state;
    assert_int_equal(vta_task("", "conv:P=28,Q=28,R=3,S=3,pad=1,stride=2").in_rows, 56);
    assert_int_equal(vta_task("", "conv:P=28,Q=28,stride=2").in_rows, 56);
    assert_int_equal(vta_task("", "conv:P=55,Q=55,R=11,S=11,pad=2,stride=4").in_rows, 223);
    assert_int_equal(vta_task("", "conv:P=3,Q=3,R=3,S=3").in_rows, 5);
    assert_int_equal(vta_task("", "conv:P=1,Q=1,R=1,S=1,pad=3").in_rows, 1);
    SlVtaTask task = vta_task("", "gemm:M=10,N=32,K=64");
    assert_int_equal(task.rows * task.columns, 10);
}

static void layers_that_the_template_has_not_are_refused(void **state) {
    (void)state;
    const struct {
        const char *layer, *why;
    } cases[] = {
        {"dw:G=16,P=4,Q=4,R=3,S=3",
         "the template has no groups (depthwise, grouped, batched products)"},
        {"bmm:B=4,M=8,N=8,K=8",
         "the template has no groups (depthwise, grouped, batched products)"},
        {"conv:K=4,C=4,P=4,Q=4,R=3,S=3,dilation=2", "the template has no dilation"},
        {"conv:K=4,C=4,P=64,Q=64,R=3,S=3,pad=16", "VTA pads at most 15 rows or columns"},
        {"conv:K=4,C=4,P=16385,Q=1", "the layer is too large for VTA"},
        {"conv:K=4,C=4,R=65,S=1", "the layer is too large for VTA"},
        {"conv:K=4,C=4,P=2,Q=2,stride=16385", "the layer is too large for VTA"},
        {"conv:K=4,C=4,P=4000,Q=1,stride=1000", "the layer is too large for VTA"},
        {"conv:N=16385,K=4,C=4", "the layer is too large for VTA"},
        {"conv:K=1048577,C=4", "the layer is too large for VTA"},
        {"conv:K=4,C=1048577", "the layer is too large for VTA"},
        {"conv:K=16,C=2048,P=1024,Q=1024", "a tensor of the layer has 2^31 elements or more"},
        {"conv:K=65536,C=32768", "a tensor of the layer has 2^31 elements or more"},
        {"conv:K=2048,C=16,P=1024,Q=1024", "a tensor of the layer has 2^31 elements or more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlVtaCore core;
        SlLayer layer;
        SlVtaTask task;
        SlError err;
        sl_vta_core_init(&core);
        assert_int_equal(sl_layer_parse(cases[i].layer, &layer, &err), SL_OK);
        const char *why = sl_vta_task(&core, &layer, &task);
        assert_non_null(why);
        assert_string_equal(why, cases[i].why);
    }
    // a dilated filter of one tap is no dilation, and padded blocks count as elements
    vta_task("", "conv:K=4,C=4,P=4,Q=4,dilation=2");
    vta_task("", "conv:K=16,C=2032,P=1024,Q=1024");
}

// ---- rules ----

static void expect_fault(const SlVtaTask *task, SlVtaSchedule schedule, SlVtaRule rule,
                         const char *text) {
    SlVtaFault fault;
    assert_false(sl_vta_check(task, &schedule, &fault));
    assert_false(sl_vta_check(task, &schedule, NULL));
    assert_string_equal(fault.text, text);
    assert_int_equal(fault.rule, rule);
    assert_true(fault.excess > 0);
    assert_true(fault.need > fault.have);
}

static void a_valid_schedule_has_no_fault(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1");
    SlVtaSchedule schedule;
    SlVtaFault fault;
    sl_vta_schedule_init(&schedule);
    assert_true(sl_vta_check(&task, &schedule, &fault));
    assert_int_equal(fault.rule, SL_VTA_FITS);
    assert_true(fault.excess == 0);
    char text[128];
    assert_string_equal(sl_vta_schedule_write(&schedule, sizeof text, text),
                        "b=1,h=1,w=1,ci=1,co=1,oc_threads=1,h_threads=1");
}

static void tiles_must_divide(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:N=2,K=64,C=48,P=56,Q=28,R=3,S=3,pad=1");
    expect_fault(&task, vta_schedule(5, 1, 1, 1, 1, 1), SL_VTA_DIVIDES,
                 "tile h=5 does not divide 56");
    expect_fault(&task, vta_schedule(1, 5, 1, 1, 1, 1), SL_VTA_DIVIDES,
                 "tile w=5 does not divide 28");
    expect_fault(&task, vta_schedule(1, 1, 2, 1, 1, 1), SL_VTA_DIVIDES,
                 "tile ci=2 does not divide 3");
    expect_fault(&task, vta_schedule(1, 1, 1, 3, 1, 1), SL_VTA_DIVIDES,
                 "tile co=3 does not divide 4");
    expect_fault(&task, vta_schedule(0, 1, 1, 1, 1, 1), SL_VTA_DIVIDES,
                 "tile h=0 does not divide 56");
    SlVtaSchedule schedule = vta_schedule(1, 1, 1, 1, 1, 1);
    schedule.b = 4;
    expect_fault(&task, schedule, SL_VTA_DIVIDES, "tile b=4 does not divide 2");
}

static void threads_need_tiles_to_share(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=48,C=16,P=7,Q=7,R=3,S=3,pad=1");
    expect_fault(&task, vta_schedule(1, 1, 1, 1, 2, 1), SL_VTA_THREADS,
                 "3 channel tiles cannot be shared by 2 threads");
    expect_fault(&task, vta_schedule(7, 1, 1, 1, 1, 2), SL_VTA_THREADS,
                 "1 row tiles cannot be shared by 2 threads");
    expect_fault(&task, vta_schedule(1, 1, 1, 1, 0, 1), SL_VTA_THREADS,
                 "oc_threads=0 is neither 1 nor 2");
    expect_fault(&task, vta_schedule(1, 1, 1, 1, 1, 3), SL_VTA_THREADS,
                 "h_threads=3 is neither 1 nor 2");
}

static void buffers_must_hold_the_tiles_of_all_threads(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=128,C=64,P=56,Q=56,R=3,S=3,pad=1");
    expect_fault(&task, vta_schedule(28, 56, 2, 1, 1, 2), SL_VTA_INP,
                 "INP: 2 threads x 3480 elements need 111360 bytes, the buffer has 32768");
    expect_fault(&task, vta_schedule(56, 56, 1, 1, 1, 1), SL_VTA_INP,
                 "INP: 1 thread x 3364 elements need 53824 bytes, the buffer has 32768");
    task = vta_task("", "conv:K=512,C=512,P=7,Q=7,R=3,S=3,pad=1");
    expect_fault(&task, vta_schedule(1, 1, 8, 16, 2, 1), SL_VTA_WGT,
                 "WGT: 2 threads x 1152 elements need 589824 bytes, the buffer has 262144");
    task = vta_task("", "conv:K=128,C=64,P=28,Q=28");
    expect_fault(&task, vta_schedule(28, 28, 1, 4, 1, 1), SL_VTA_ACC,
                 "ACC: 1 thread x 3136 elements need 200704 bytes, the buffer has 131072");
}

static void a_bias_needs_accumulators_too(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=512,C=16,P=8,Q=8");
    SlVtaSchedule schedule = vta_schedule(8, 8, 1, 32, 1, 1); // all 2048 of them
    SlVtaFault fault;
    assert_true(sl_vta_check(&task, &schedule, &fault));
    task.bias = true;
    assert_false(sl_vta_check(&task, &schedule, &fault));
    assert_int_equal(fault.rule, SL_VTA_ACC);
    assert_true(fault.need == 2080 * 64);
}

static void kernels_must_fit_the_buffer_of_micro_ops(void **state) {
    (void)state;
    SlVtaTask task = vta_task("1x16x16_i8w8a32_7_15_18_17", "conv:K=64,C=64,P=8,Q=8,R=3,S=3,pad=1");
    expect_fault(&task, vta_schedule(4, 4, 1, 2, 1, 1), SL_VTA_UOP,
                 "UOP: the kernels have 40 micro-ops, the buffer 32");
    task.bias = true; // one kernel more
    expect_fault(&task, vta_schedule(4, 4, 1, 2, 1, 1), SL_VTA_UOP,
                 "UOP: the kernels have 44 micro-ops, the buffer 32");
}

static void fields_hold_what_they_have_bits_for(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=16,C=16,P=1,Q=16384,stride=1x5");
    expect_fault(&task, vta_schedule(1, 1, 1, 1, 1, 1), SL_VTA_FIELD,
                 "FIELD: 81920 blocks between input rows, at most 65535");
    task = vta_task("1x1x1_i8w8a32_15_15_16_16", "conv:K=1,C=10000,R=3,S=3");
    expect_fault(&task, vta_schedule(1, 1, 1, 1, 1, 1), SL_VTA_FIELD,
                 "FIELD: 90000 blocks between weight rows, at most 65535");
    task = vta_task("1x1x1_i8w8a32_15_16_16_16", "conv:K=1,C=1,P=16384,Q=1");
    expect_fault(&task, vta_schedule(16384, 1, 1, 1, 1, 1), SL_VTA_FIELD,
                 "FIELD: 16384 turns of a loop, at most 16383");
    task = vta_task("1x1x1_i8w8a32_15_16_16_16", "conv:N=8192,K=1,C=4000");
    SlVtaSchedule whole = vta_schedule(1, 1, 1, 1, 1, 1);
    whole.b = 8192;
    expect_fault(&task, whole, SL_VTA_FIELD,
                 "FIELD: 32784192 instructions in a group, at most 16777216");
    task = vta_task("1x1x1_i8w8a32_15_16_16_16", "conv:K=1,C=20000");
    expect_fault(&task, vta_schedule(1, 1, 20000, 1, 1, 1), SL_VTA_FIELD,
                 "FIELD: 20000 turns of a loop, at most 16383");
}

static void excess_adds_up_over_buffers(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=512,C=512,P=28,Q=28,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(28, 28, 8, 32, 1, 1);
    SlVtaFault fault;
    assert_false(sl_vta_check(&task, &schedule, &fault));
    assert_int_equal(fault.rule, SL_VTA_INP);
    // 7200 of 2048, 2304 of 1024, 25088 of 2048 elements; the micro-ops fit
    double expected = 7200.0 / 2048 - 1 + 2304.0 / 1024 - 1 + 25088.0 / 2048 - 1;
    assert_true(fault.excess == expected);
}

// ---- strict ----

// two micro-ops of the kernel closer than three write one accumulator
static bool too_close(const SlVtaTask *task, const SlVtaSchedule *schedule) {
    SlVtaStream stream;
    sl_vta_stream_init(task, schedule, &stream);
    size_t mark = sl_arena_mark(&arena);
    SlVtaUop *uops = SL_NEW(&arena, stream.n_uops, SlVtaUop);
    sl_vta_stream_uops(&stream, uops);
    const SlVtaUop *kernel = uops + stream.kernel_begin[1][0];
    bool found = false;
    for (int i = 0; i < stream.kernel_size[1]; i++)
        for (int j = i + 1; j < stream.kernel_size[1] && j < i + 3; j++)
            found |= kernel[i].dst == kernel[j].dst;
    sl_arena_rewind(&arena, mark);
    return found;
}

static void strict_cores_refuse_what_brute_force_finds(void **state) {
    (void)state;
    SlRng rng;
    int refused = 0, n = 3000;
    sl_rng_init(&rng, 4, "vta strict");
    for (int i = 0; i < n; i++) {
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaFault fault;
        vta_random_task(&rng, &task);
        vta_random_schedule(&rng, &task, &schedule);
        task.core.strict = true;
        bool valid = sl_vta_check(&task, &schedule, &fault);
        assert_int_equal(valid, !too_close(&task, &schedule));
        if (!valid) assert_int_equal(fault.rule, SL_VTA_DEP);
        refused += !valid;
    }
    assert_true(refused > n / 20 && refused < n * 19 / 20);
}

static void a_strict_core_says_how_close_the_writes_are(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=32,C=64,P=8,Q=8,R=3,S=3,pad=1");
    task.core.strict = true;
    expect_fault(&task, vta_schedule(1, 4, 2, 2, 1, 1), SL_VTA_DEP,
                 "DEP: an accumulator is written again after 2 micro-ops, 3 are needed");
    expect_fault(&task, vta_schedule(1, 4, 2, 1, 1, 1), SL_VTA_DEP,
                 "DEP: an accumulator is written again after 1 micro-ops, 3 are needed");
    SlVtaSchedule far = vta_schedule(2, 4, 2, 2, 1, 1);
    assert_true(sl_vta_check(&task, &far, NULL));
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_cut_into_blocks),
        cmocka_unit_test(inputs_of_strided_layers_are_those_of_networks),
        cmocka_unit_test(layers_that_the_template_has_not_are_refused),
        cmocka_unit_test(a_valid_schedule_has_no_fault),
        cmocka_unit_test(tiles_must_divide),
        cmocka_unit_test(threads_need_tiles_to_share),
        cmocka_unit_test(buffers_must_hold_the_tiles_of_all_threads),
        cmocka_unit_test(a_bias_needs_accumulators_too),
        cmocka_unit_test(kernels_must_fit_the_buffer_of_micro_ops),
        cmocka_unit_test(fields_hold_what_they_have_bits_for),
        cmocka_unit_test(excess_adds_up_over_buffers),
        cmocka_unit_test(strict_cores_refuse_what_brute_force_finds),
        cmocka_unit_test(a_strict_core_says_how_close_the_writes_are),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}
