// 03_map_layer.c - a good mapping of one layer, found by the method marl.
//
// Example 02 asked for mappings itself, at random. Here a method asks: a run prices what it
// proposes, tells it what came of it, and keeps the best, until the budget of samples is spent.
#include <stdio.h>

#include "starling/job.h"

int main(void) {
    SlArena arena;
    SlError err;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlGoal goal = {0};
    SlTask *task;
    SlRecord record;
    sl_arena_init(&arena, 0);

    // the world: a layer, an accelerator, the space of its mappings, and what is to be made small
    SlStatus status = sl_layer_parse("dw:G=96,P=56,Q=56,R=3,S=3", &layer, &err);
    if (status == SL_OK) status = sl_accel_find("eyeriss", &arena, &accel, &err);
    if (status == SL_OK)
        status = sl_space_make(&layer, &accel, &(SlSpaceOptions){0}, &arena, &space, &err);
    if (status == SL_OK) status = sl_goal_parse("edp", &goal, &err);
    SlTaskSetup world = {.space = &space, .goal = goal};
    if (status == SL_OK) status = sl_task_make(&world, &arena, &task, &err);
    if (status != SL_OK) return fprintf(stderr, "%s\n", err.text), 1;

    // the run: who searches, for how long, from which random numbers; the same seed, the same
    // result
    SlRunSetup setup = {.task = task,
                        .method = sl_method_find("marl"),
                        .seed = 1,
                        .stream = "example",
                        .budget = {.samples = 300}};
    status = sl_run(&setup, NULL, NULL, &arena, &record, &err);
    if (status != SL_OK) return fprintf(stderr, "%s\n", err.text), 1;

    // every improvement is a point of the curve; the first sample was the default mapping
    char nest[SL_NEST_TEXT_MAX];
    printf("%s\n", sl_mapping_write(&record.best.mapping, sizeof nest, nest));
    printf("%.0f cycles, %.1f uJ, EDP %.3f x the floor\n", record.cost.latency_cycles,
           record.cost.energy_pj * 1e-6, record.floor_multiple);
    printf("found at sample %ld of %ld; that of the default mapping is %.3f x the floor\n",
           (long)record.best.sample, (long)record.samples, record.curve[0].value / record.floor);
    sl_arena_free(&arena);
    return 0;
}
