// test_vta_bound.c - what is said of a program without simulating it.
#include <math.h>

#include "vta_help.h"

static SlArena arena;

// random layers and schedules on any bus, with either timing
static void draw(SlRng *rng, SlVtaTask *task, SlVtaSchedule *schedule) {
    vta_random_task(rng, task);
    task->core.bus_bits = 64 << sl_rng_below(rng, 4);
    task->core.timing = sl_vta_timings[sl_rng_below(rng, 2)];
    if (sl_rng_below(rng, 4) == 0) task->core.timing.uop_cycles = 4;
    vta_random_schedule(rng, task, schedule);
}

static void no_program_takes_less_than_its_floor(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 10, "vta floor");
    double closest = INFINITY;
    for (int i = 0; i < 4000; i++) {
        SlVtaTask task;
        SlVtaSchedule schedule;
        SlVtaTime time;
        SlError err;
        draw(&rng, &task, &schedule);
        assert_int_equal(sl_vta_time(&task, &schedule, &arena, &time, &err), SL_OK);
        double floor = sl_vta_floor(&task, &schedule);
        if (!(floor <= time.cycles)) {
            char layer[384], tiles[128];
            fail_msg("%s, %s: floor %.2f, %.2f cycles",
                     sl_layer_write(&task.layer, sizeof layer, layer),
                     sl_vta_schedule_write(&schedule, sizeof tiles, tiles), floor, time.cycles);
        }
        closest = fmin(closest, time.cycles / floor);
    }
    assert_true(closest < 1.05); // it is no empty promise
}

static void the_draft_of_a_usual_layer_is_near_its_cycles(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=256,C=256,P=14,Q=14,R=3,S=3,pad=1");
    const SlVtaSchedule schedules[] = {
        vta_schedule(14, 14, 1, 4, 2, 1), vta_schedule(7, 14, 1, 8, 1, 2),
        vta_schedule(7, 7, 2, 2, 2, 2), vta_schedule(2, 14, 1, 16, 1, 1)};
    for (int i = 0; i < 4; i++) {
        SlVtaTime time;
        SlError err;
        assert_true(sl_vta_check(&task, &schedules[i], NULL));
        assert_int_equal(sl_vta_time(&task, &schedules[i], &arena, &time, &err), SL_OK);
        double ratio = sl_vta_draft(&task, &schedules[i]) / time.cycles;
        assert_true(ratio > 0.8 && ratio < 1.25);
    }
}

static void features_are_finite_and_named(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 11, "vta features");
    for (int k = 0; k < SL_N_VTA_FEATURES; k++) assert_non_null(sl_vta_feature_names[k]);
    assert_null(sl_vta_feature_names[SL_N_VTA_FEATURES]);
    for (int i = 0; i < 300; i++) {
        SlVtaTask task;
        SlVtaSchedule schedule;
        float features[SL_N_VTA_FEATURES + 1];
        features[SL_N_VTA_FEATURES] = 123;
        draw(&rng, &task, &schedule);
        sl_vta_features(&task, &schedule, features);
        for (int k = 0; k < SL_N_VTA_FEATURES; k++) assert_true(isfinite(features[k]));
        assert_true(features[SL_N_VTA_FEATURES] == 123);
    }
}

static int feature(const char *name) {
    for (int k = 0; k < SL_N_VTA_FEATURES; k++)
        if (!strcmp(sl_vta_feature_names[k], name)) return k;
    fail_msg("no feature %s", name);
    return -1;
}

static void features_count_what_the_program_has(void **state) {
    (void)state;
    SlVtaTask task = vta_task("", "conv:K=64,C=64,P=56,Q=56,R=3,S=3,pad=1");
    SlVtaSchedule schedule = vta_schedule(14, 28, 1, 2, 1, 2);
    SlVtaStream stream;
    float out[SL_N_VTA_FEATURES];
    sl_vta_stream_init(&task, &schedule, &stream);
    sl_vta_features(&task, &schedule, out);
    const SlVtaInsn *insns = vta_program(&stream, &arena);
    double beats[5] = {0}, loads = 0;
    for (int64_t i = 0; i < stream.n_insns; i++) {
        if (insns[i].op != SL_VTA_READ) continue;
        int bytes = insns[i].mem == SL_VTA_MEM_INP ? 16 : 256; // whole beats either way
        beats[insns[i].mem] += (double)insns[i].y_size * insns[i].x_size * bytes / 8;
        loads += insns[i].mem == SL_VTA_MEM_INP;
    }
    assert_true(out[feature("inp_beats")] == (float)log2(beats[SL_VTA_MEM_INP] + 1));
    assert_true(out[feature("wgt_beats")] == (float)log2(beats[SL_VTA_MEM_WGT] + 1));
    assert_true(out[feature("inp_loads")] == (float)log2(loads + 1));
    assert_true(out[feature("instructions")] == (float)log2((double)stream.n_insns + 1));
    assert_true(out[feature("inp_fill")] == (float)(2 * 16 * 30 * 16 / 32768.0));
}

int main(void) {
    sl_arena_init(&arena, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_program_takes_less_than_its_floor),
        cmocka_unit_test(the_draft_of_a_usual_layer_is_near_its_cycles),
        cmocka_unit_test(features_are_finite_and_named),
        cmocka_unit_test(features_count_what_the_program_has),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_arena_free(&arena);
    return failed;
}
