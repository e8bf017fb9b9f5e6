// vta_help.c - layers on cores, random ones too, and their divisors, for the tests of vta.
#include "vta_help.h"

SlVtaTask vta_task(const char *core_text, const char *layer_text) {
    SlVtaCore core;
    SlLayer layer;
    SlVtaTask task;
    SlError err;
    sl_vta_core_init(&core);
    if (*core_text) assert_int_equal(sl_vta_core_parse(core_text, &core, &err), SL_OK);
    assert_int_equal(sl_layer_parse(layer_text, &layer, &err), SL_OK);
    assert_null(sl_vta_task(&core, &layer, &task));
    return task;
}

SlVtaSchedule vta_schedule(int h, int w, int ci, int co, int oc_threads, int h_threads) {
    return (SlVtaSchedule){.b = 1,
                           .h = h,
                           .w = w,
                           .ci = ci,
                           .co = co,
                           .oc_threads = oc_threads,
                           .h_threads = h_threads};
}

int vta_divisors(int n, int *out) {
    int count = 0;
    for (int i = 1; i <= n && count < 64; i++)
        if (n % i == 0) out[count++] = i;
    return count;
}

void vta_random_task(SlRng *rng, SlVtaTask *task) {
    static const char *const cores[] = {"1x16x16",
                                        "4x8x8",
                                        "2x4x16",
                                        "1x8x4_i8w8a32_13_12_12_13",
                                        "2x2x1_i8w8a32_14_12_12_12",
                                        "1x1x2_i8w8a32_14_12_12_13"};
    SlVtaCore core;
    SlLayer layer;
    SlError err;
    sl_vta_core_init(&core);
    assert_int_equal(sl_vta_core_parse(cores[sl_rng_below(rng, 6)], &core, &err), SL_OK);
    sl_layer_init(&layer);
    layer.dims[SL_N] = sl_rng_range(rng, 1, 5);
    layer.dims[SL_K] = sl_rng_range(rng, 1, 6 * core.block_out);
    layer.dims[SL_C] = sl_rng_range(rng, 1, 5 * core.block_in);
    layer.dims[SL_P] = sl_rng_range(rng, 1, 5) * sl_rng_range(rng, 1, 2);
    layer.dims[SL_Q] = sl_rng_range(rng, 1, 9);
    layer.dims[SL_R] = sl_rng_range(rng, 1, 4);
    layer.dims[SL_S] = sl_rng_range(rng, 1, 4);
    for (int a = 0; a < 2; a++) {
        layer.stride[a] = (int32_t)sl_rng_range(rng, 1, 3);
        layer.pad[a] = (int32_t)sl_rng_range(rng, 0, 4);
    }
    assert_null(sl_vta_task(&core, &layer, task));
    task->bias = sl_rng_below(rng, 2);
}

static int random_divisor(SlRng *rng, int n) {
    int all[64];
    return all[sl_rng_below(rng, (uint64_t)vta_divisors(n, all))];
}

void vta_random_schedule(SlRng *rng, const SlVtaTask *task, SlVtaSchedule *schedule) {
    do {
        // one by one: compilers differ in which argument of a call they work out first
        int h_threads = 1 + (int)sl_rng_below(rng, 2), oc_threads = 1 + (int)sl_rng_below(rng, 2);
        int co = random_divisor(rng, task->co), ci = random_divisor(rng, task->ci);
        int w = random_divisor(rng, task->columns), h = random_divisor(rng, task->rows);
        *schedule = vta_schedule(h, w, ci, co, oc_threads, h_threads);
        schedule->b = random_divisor(rng, task->n);
    } while (!sl_vta_check(task, schedule, NULL));
}

static int8_t *random_bytes(SlRng *rng, int64_t n, SlArena *arena) {
    int8_t *bytes = SL_NEW(arena, n, int8_t);
    assert_non_null(bytes);
    for (int64_t i = 0; i < n; i++) bytes[i] = (int8_t)sl_rng_range(rng, -128, 127);
    return bytes;
}

SlVtaTensors vta_random_tensors(SlRng *rng, const SlVtaTask *task, SlArena *arena) {
    const int64_t *e = task->layer.dims;
    int32_t *bias = SL_NEW(arena, e[SL_K], int32_t);
    assert_non_null(bias);
    for (int64_t k = 0; k < e[SL_K]; k++) bias[k] = (int32_t)sl_rng_range(rng, -60, 60);
    return (SlVtaTensors){
        .inp = random_bytes(rng, e[SL_N] * e[SL_C] * task->in_rows * task->in_columns, arena),
        .wgt = random_bytes(rng, e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S], arena),
        .bias = task->bias ? bias : NULL,
        .shift = (int)sl_rng_range(rng, 6, 11),
        .low = (int8_t)sl_rng_range(rng, -128, 0),
        .high = (int8_t)sl_rng_range(rng, 40, 127)};
}

int64_t vta_outputs(const SlVtaTask *task) {
    const int64_t *e = task->layer.dims;
    return e[SL_N] * e[SL_K] * e[SL_P] * e[SL_Q];
}

SlVtaInsn *vta_program(const SlVtaStream *stream, SlArena *arena) {
    SlVtaInsn *insns = SL_NEW(arena, stream->n_insns + stream->group_insns, SlVtaInsn);
    assert_non_null(insns);
    int64_t n = 0;
    for (int64_t g = 0; g < stream->n_groups; g++) {
        int made = sl_vta_stream_group(stream, g, insns + n);
        assert_true(made <= stream->group_insns);
        n += made;
        assert_true(n <= stream->n_insns);
    }
    assert_int_equal(n, stream->n_insns);
    return insns;
}
