// eval_price.c - find the workload, the accelerator and the mapping, and price every layer.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"

void evaluation_clean_names(SlEvaluation *eval) {
    sl_text_clean(eval->net.name, false);
    sl_text_clean(eval->net.title, false);
    sl_text_clean(eval->accel.title, false);
    for (int i = 0; i < eval->net.n_layers; i++) sl_text_clean(eval->net.layers[i].name, false);
}

// ---- the mapping ----

// `K:4 ...`, `K*4 ...` and `@7 ...` are nests; everything else is the name of a file
static bool is_nest(const char *text) {
    while (isspace((unsigned char)*text)) text++;
    return !text[0] || text[0] == '@' ||
           (isalpha((unsigned char)text[0]) && (text[1] == ':' || text[1] == '*'));
}

static SlStatus repair(const SlEvaluation *eval, SlPriced *priced, SlError *err) {
    char before[SL_NEST_TEXT_MAX], after[SL_NEST_TEXT_MAX];
    sl_mapping_write(&priced->mapping, sizeof before, before);
    SlStatus status = sl_mapping_repair(&priced->layer, &eval->accel, &priced->mapping, err);
    sl_mapping_write(&priced->mapping, sizeof after, after);
    priced->repaired = strcmp(before, after) != 0;
    return status;
}

static SlStatus read_mapping(const SlEvaluation *eval, const EvalOptions *options, SlPriced *priced,
                             SlError *err) {
    const char *text = options->mapping;
    bool nest = is_nest(text);
    SlStatus status = nest ? sl_mapping_parse(text, &priced->mapping, err)
                           : mapping_read(eval, options, priced, err);
    if (status != SL_OK) {
        SlError inside = *err;
        return nest ? sl_fail(err, status, "--mapping: %s", inside.text) : status;
    }
    const char *file = nest ? NULL : text, *lead = nest ? "--mapping: " : "";
    const char *reason = sl_mapping_check(&priced->layer, &priced->mapping);
    if (reason) return sl_fail_at(err, SL_EINPUT, file, 0, 0, "%s%s", lead, reason);
    if (options->repair) return repair(eval, priced, err);

    // with other levels than the accelerator has there is nothing to price
    if (priced->mapping.n_boundaries == eval->accel.n_levels - 1) return SL_OK;
    char sentence[256];
    sl_mapping_fit(&priced->layer, &eval->accel, &priced->mapping, &priced->fit);
    sl_violation_text(&eval->accel, &priced->fit.list[0], sizeof sentence, sentence);
    return sl_fail_at(err, SL_EINPUT, file, 0, 0, "%s%s", lead, sentence);
}

// ---- pricing ----

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
    SlStatus status = sl_workload_find(selector, options->batch, arena, &eval->net, err);
    if (machine)
        eval->accel = *machine;
    else if (status == SL_OK)
        status = sl_accel_find(accel, arena, &eval->accel, err);
    if (status != SL_OK) return status;
    evaluation_clean_names(eval);
    if (options->mapping && eval->net.n_layers > 1)
        return sl_fail(err, SL_EINPUT,
                       "--mapping maps one layer, %s has %d; name one of them, such as %s:%s",
                       eval->net.name, eval->net.n_layers, selector, eval->net.layers[0].name);

    SlPriced *priced = evaluation_gather(eval);
    if (options->mapping) {
        status = read_mapping(eval, options, priced, err);
        if (status == SL_OK) sl_priced_eval(&eval->accel, priced);
    } else {
        status = evaluation_map_default(eval, options->threads, priced, err);
    }
    eval->mapping_from = "default";
    if (options->mapping) eval->mapping_from = priced->repaired ? "repaired" : "given";
    if (status == SL_OK) sl_evaluation_sum(eval);
    return status;
}
