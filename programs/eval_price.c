// eval_price.c - find the workload, the accelerator and the mapping, and price every layer.
#include "eval.h"
#include "starling/mapping/mapping_find.h"

void evaluation_clean_names(SlEvaluation *eval) {
    sl_text_clean(eval->net.name, false);
    sl_text_clean(eval->net.title, false);
    sl_text_clean(eval->accel.title, false);
    for (int i = 0; i < eval->net.n_layers; i++) sl_text_clean(eval->net.layers[i].name, false);
}

SlStatus evaluation_need_one(const SlNetwork *net, const char *word, SlError *err) {
    if (net->n_layers == 1) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "--mapping: expected one layer, %s has %d; name one, such as %s:%s", net->name,
                   net->n_layers, word, net->layers[0].name);
}

static SlStatus find_mapping(const SlEvaluation *eval, const EvalOptions *options, SlPriced *priced,
                             SlError *err) {
    const SlMappingQuery query = {.word = options->mapping,
                                  .name = "--mapping",
                                  .layer = &priced->layer,
                                  .accel = &eval->accel,
                                  .num_pes = options->maestro.num_pes,
                                  .repair = options->repair};
    SlStatus status =
        sl_mapping_find(&query, eval->arena, &priced->mapping, &priced->repaired, err);
    if (status == SL_OK) sl_priced_eval(&eval->accel, priced);
    return status;
}

SlPriced *evaluation_gather(SlEvaluation *eval) {
    return call_need(sl_evaluation_gather(eval));
}

SlStatus evaluation_map_default(const SlEvaluation *eval, int64_t threads, SlPriced *priced,
                                SlError *err) {
    SlPool *pool = eval->n_distinct > 1 ? sl_pool_make((int)threads) : NULL;
    SlStatus status = sl_evaluation_default(eval, pool, priced, err);
    if (pool) sl_pool_free(pool);
    return status;
}

int evaluation_code(const SlEvaluation *eval) {
    return eval->totals.n_unfit > 0 ? CODE_UNFIT : CODE_DONE;
}

SlStatus evaluation_make(const EvalOptions *options, const char *selector, const SlAccel *machine,
                         SlArena *arena, SlEvaluation *eval, SlError *err) {
    *eval = (SlEvaluation){
        .arena = arena, .batch = options->batch, .objective = (SlObjective)options->objective};
    const char *accel = options->accel ? options->accel : DEFAULT_ACCEL;
    const SlWorkload asked = workload_asked(selector, options->batch, &options->graph);
    SlStatus status = sl_workload_read(&asked, arena, &eval->net, err);
    if (machine)
        eval->accel = *machine;
    else if (status == SL_OK)
        status = sl_accel_find(accel, arena, &eval->accel, err);
    if (status != SL_OK) return status;
    evaluation_clean_names(eval);
    if (options->mapping) status = evaluation_need_one(&eval->net, selector, err);
    if (status != SL_OK) return status;

    SlPriced *priced = evaluation_gather(eval);
    status = options->mapping ? find_mapping(eval, options, priced, err)
                              : evaluation_map_default(eval, options->threads, priced, err);
    eval->mapping_from = "default";
    if (options->mapping) eval->mapping_from = priced->repaired ? "repaired" : "given";
    if (status == SL_OK) sl_evaluation_sum(eval);
    return status;
}
