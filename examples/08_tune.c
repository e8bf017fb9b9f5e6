// 08_tune.c - schedules of a layer on VTA: dcoc measures a few, the oracle proves the best.
#include <stdio.h>

#include "starling/study/tune.h"

static SlStatus tune(SlTuning *tuning, SlArena *arena, SlTuneRecord *record, SlError *err) {
    SlTuneSetup setup = {.tuning = tuning,
                         .tuner = sl_tuner_find("dcoc"),
                         .seed = 1,
                         .stream = "example",
                         .measurements = 16};
    return sl_tune_run(&setup, NULL, NULL, arena, record, err);
}

int main(void) {
    SlArena arena;
    SlError err;
    SlTuningSetup setup = {.target = SL_TARGET_VTA};
    SlTuning *tuning;
    SlTuneRecord found, best;
    SlMeasured untuned;
    int32_t point[SL_MAX_KNOBS];
    char text[512];
    int code = 1;
    sl_arena_init(&arena, 0);
    sl_vta_core_init(&setup.core); // 1x16x16
    SlStatus status = sl_layer_parse("conv:K=256,C=128,P=14,Q=14,stride=2", &setup.layer, &err);
    if (status == SL_OK) status = sl_tuning_make(&setup, &arena, &tuning, &err);
    if (status == SL_OK) status = tune(tuning, &arena, &found, &err);
    if (status == SL_OK)
        status = sl_tune_optimum(tuning, (SlTuneLimit){0}, NULL, NULL, &arena, &best, &err);
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        goto done;
    }
    sl_tuning_default(tuning, point);
    sl_tuning_measure(tuning, 1, point, &untuned);
    const SlKnobs *knobs = sl_tuning_knobs(tuning);
    printf("%s\n", sl_knobs_show(knobs, found.best, sizeof text, text));
    printf("%.0f cycles, %.0f untuned, %.0f at best\n", found.value, untuned.value, best.value);
    printf("measurement %lld of %lld found it, of %lld schedules\n", (long long)found.found_at,
           (long long)found.measurements, (long long)knobs->n_points);
    code = !(best.proven && found.value < 1.05 * best.value);
done:
    sl_arena_free(&arena);
    return code;
}
