// 08_tune.c - schedules of a layer on VTA: dcoc measures a few, the oracle proves the best.
#include <stdio.h>

#include "starling/job.h"

static SlStatus tune(SlTask *task, SlArena *arena, SlRecord *record, SlError *err) {
    SlRunSetup setup = {.task = task,
                        .method = sl_method_find("dcoc"),
                        .seed = 1,
                        .stream = "example",
                        .budget = {.samples = 16},
                        .start = SL_START_NONE};
    return sl_run(&setup, NULL, NULL, arena, record, err);
}

int main(void) {
    SlArena arena;
    SlError err;
    SlLayer layer;
    SlVtaOptions options = {0};
    SlTaskSetup setup = {.kind = &sl_kind_vta, .layer = &layer, .options = &options};
    SlTask *task, *whole;
    SlRecord found, best;
    SlSample start;
    int32_t point[SL_MAX_PARAMS];
    char text[SL_POINT_TEXT_MAX];
    int code = 1;
    sl_arena_init(&arena, 0);
    sl_vta_core_init(&options.core); // 1x16x16
    SlStatus status = sl_layer_parse("conv:K=256,C=128,P=14,Q=14,stride=2", &layer, &err);
    if (status == SL_OK) status = sl_task_make(&setup, &arena, &task, &err);
    if (status == SL_OK) status = sl_task_make(&setup, &arena, &whole, &err);
    if (status == SL_OK) status = tune(task, &arena, &found, &err);
    if (status == SL_OK)
        status = sl_run_optimum(whole, &(SlBudget){0}, NULL, NULL, &arena, &best, &err);
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        goto done;
    }
    sl_task_start(task, point);
    sl_task_eval(task, 1, point, &start);
    const SlSpace *space = sl_task_space(task);
    double value = found.best.outcome.value, least = best.best.outcome.value;
    printf("%s\n", sl_space_show(space, found.best.point, sizeof text, text));
    printf("%.0f cycles, %.0f untuned, %.0f at best\n", value, start.value, least);
    printf("sample %lld of %lld found it, of %lld schedules\n", (long long)found.best.sample,
           (long long)found.samples, (long long)space->n_points);
    code = !(best.proven && value < 1.05 * least);
done:
    sl_arena_free(&arena);
    return code;
}
