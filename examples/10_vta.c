// 10_vta.c - what a schedule of example 08 computes: its program runs on numbers, instruction by
// instruction, and must agree with plain loops.
#include <stdio.h>
#include <string.h>

#include "starling/task/programs.h"

enum { N_INPUTS = 16 * 14 * 14, N_WEIGHTS = 32 * 16 * 9, N_OUTPUTS = 32 * 14 * 14 };

// numbers that look random
static void fill(int n, int8_t *numbers) {
    for (int i = 0; i < n; i++) numbers[i] = (int8_t)(i * 37 % 23 - 11);
}

int main(void) {
    static int8_t inputs[N_INPUTS], weights[N_WEIGHTS], outputs[N_OUTPUTS], expected[N_OUTPUTS];
    SlArena arena;
    SlError err;
    SlLayer layer;
    SlVtaOptions options = {0};
    SlTaskSetup setup = {.kind = &sl_kind_vta, .layer = &layer, .options = &options};
    SlTask *task;
    int32_t point[SL_MAX_PARAMS];
    SlVtaTask vta;
    SlVtaSchedule schedule, untuned;
    SlVtaTime time, slow;
    char text[80];
    sl_arena_init(&arena, 0);
    sl_vta_core_init(&options.core); // 1x16x16
    sl_vta_schedule_init(&untuned);
    fill(N_INPUTS, inputs);
    fill(N_WEIGHTS, weights);
    SlVtaTensors tensors = {.inp = inputs, .wgt = weights, .shift = 6, .low = 0, .high = 127};

    // the point as `starling tune` prints it
    SlStatus status = sl_layer_parse("conv:K=32,C=16,P=14,Q=14,R=3,S=3,pad=1", &layer, &err);
    if (status == SL_OK) status = sl_task_make(&setup, &arena, &task, &err);
    if (status == SL_OK)
        status = sl_space_parse(sl_task_space(task),
                                "tile_b=1 tile_h=7 tile_w=14 tile_ci=1 tile_co=1 oc_threads=2 "
                                "h_threads=1",
                                point, &err);
    if (status == SL_OK) sl_task_vta(task, point, &vta, &schedule);
    if (status == SL_OK) status = sl_vta_time(&vta, &untuned, &arena, &slow, &err);
    if (status == SL_OK) status = sl_vta_time(&vta, &schedule, &arena, &time, &err);
    if (status == SL_OK)
        status =
            sl_vta_execute(&vta, &schedule, &tensors, SL_VTA_LOAD_FIRST, &arena, outputs, &err);
    if (status != SL_OK) return fprintf(stderr, "%s\n", err.text), 1;
    sl_vta_convolve(&vta, &tensors, expected);
    bool same = memcmp(outputs, expected, sizeof expected) == 0;
    printf("%s: %.0f cycles, %.0f untuned\n", sl_vta_schedule_write(&schedule, sizeof text, text),
           time.cycles, slow.cycles);
    printf("%d instructions compute %s\n", (int)time.insns, same ? "the layer" : "something else");
    sl_arena_free(&arena);
    return !same;
}
