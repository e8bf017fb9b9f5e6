// 05_study.c - compare two methods over seeds: a plan, a store, what the records say.
#include <stdio.h>
#include <string.h>

#include "starling/study.h"

static const char plan_text[] = "study: example\n"
                                "title: Local search against random\n"
                                "layers: [\"resnet18:conv2_1\"]\n"
                                "objectives: [edp]\n"
                                "samples: 300\n"
                                "seeds: 8\n"
                                "methods: [local, random]\n"
                                "reference: local\n";

static SlStatus compare(SlArena *arena, SlStore *store, SlError *err) {
    SlPlan plan;
    SlResults results;
    SlCellRecord *records;
    int n = 0;
    SlStatus status = sl_plan_parse("example", plan_text, strlen(plan_text), &(SlPlanChanges){0},
                                    arena, &plan, err);
    // what the store has is not run again: stop it, start it, the records are the same
    if (status == SL_OK) status = sl_study_run(&plan, store, NULL, NULL, NULL, err);
    if (status == SL_OK) status = sl_store_cells(store, arena, &n, &records, err);
    if (status == SL_OK) status = sl_results_make(&plan, n, records, arena, &results, err);
    if (status != SL_OK) return status;

    printf("%d runs\n", n);
    for (int64_t samples = 100; samples <= 300; samples += 100) {
        SlEstimate ratio = sl_ratio(&results, 0, 1, 0, samples);
        SlDuel duel = sl_duel(&results, 0, 0, 1, samples);
        printf("after %d samples random is %.2f times as high (95 %%: %.2f to %.2f), p = %.3f\n",
               (int)samples, ratio.value, ratio.low, ratio.high, duel.p);
    }
    return SL_OK;
}

int main(void) {
    SlArena arena;
    SlStore *store = NULL;
    SlError err;
    char text[1024];
    sl_arena_init(&arena, 0);
    SlStatus status = sl_store_open(":memory:", true, &store, &err); // or a file, to keep it
    if (status == SL_OK) status = compare(&arena, store, &err);
    if (status != SL_OK) fprintf(stderr, "%s\n", sl_error_text(&err, sizeof text, text));
    sl_store_close(store);
    sl_arena_free(&arena);
    return status == SL_OK ? 0 : 1;
}
