// evaluated.c - workloads with mappings, priced.
#include "evaluated.h"

#include <string.h>

#include "starling/mapping/mapping_find.h"
#include "support/check.h"

static void must(SlStatus status, const SlError *err) {
    if (status != SL_OK) fail_msg("%s", err->text);
}

SlEvaluation evaluated(SlArena *arena, const char *workload, const char *accel, const char *nest) {
    SlEvaluation eval = {.arena = arena, .batch = 1, .mapping_from = nest ? "given" : "default"};
    SlError err;
    must(sl_workload_find(workload, 1, arena, &eval.net, &err), &err);
    must(sl_accel_find(accel, arena, &eval.accel, &err), &err);
    SlPriced *priced = sl_evaluation_gather(&eval);
    assert_non_null(priced);
    if (nest) {
        const SlMappingQuery query = {
            .word = nest, .name = "nest", .layer = &priced->layer, .accel = &eval.accel};
        must(sl_mapping_find(&query, arena, &priced->mapping, &priced->repaired, &err), &err);
        sl_priced_eval(&eval.accel, priced);
    } else {
        must(sl_evaluation_default(&eval, NULL, priced, &err), &err);
    }
    sl_evaluation_sum(&eval);
    return eval;
}

SlMaestroEvaluation maestro_evaluated(SlArena *arena, const char *word, int num_pes) {
    SlMaestroEvaluation eval = {.arena = arena};
    SlError err;
    SlText path;
    sl_text_init(&path, arena);
    sl_text_add(&path, "%s/tests/data/maestro/%s", SL_SOURCE_DIR, word);
    eval.word = path.data;
    sl_maestro_hardware_init(&eval.hardware);
    eval.hardware.num_pes = num_pes;
    sl_maestro_accel(&eval.hardware, &eval.accel);
    must(sl_maestro_evaluation_read(&eval, &err), &err);
    must(sl_maestro_evaluation_price(&eval, &err), &err);
    return eval;
}
