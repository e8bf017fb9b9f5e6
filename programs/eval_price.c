// eval_price.c - find the workload, the accelerator and the mapping, and price every layer.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "show.h"

void evaluation_clean_names(Evaluation *eval) {
    clean_text(eval->net.name);
    clean_text(eval->net.title);
    clean_text(eval->accel.title);
    for (int i = 0; i < eval->net.n_layers; i++) clean_text(eval->net.layers[i].name);
}

// ---- the mapping ----

// `K:4 ...`, `K*4 ...` and `@7 ...` are nests; everything else is the name of a file
static bool is_nest(const char *text) {
    while (isspace((unsigned char)*text)) text++;
    return !text[0] || text[0] == '@' ||
           (isalpha((unsigned char)text[0]) && (text[1] == ':' || text[1] == '*'));
}

static SlStatus repair(const Evaluation *eval, Priced *priced, SlError *err) {
    char before[SL_NEST_TEXT_MAX], after[SL_NEST_TEXT_MAX];
    sl_mapping_write(&priced->mapping, sizeof before, before);
    SlStatus status = sl_mapping_repair(&priced->layer, &eval->accel, &priced->mapping, err);
    sl_mapping_write(&priced->mapping, sizeof after, after);
    priced->repaired = strcmp(before, after) != 0;
    return status;
}

static SlStatus read_mapping(const Evaluation *eval, Priced *priced, SlError *err) {
    const char *text = eval->options->mapping;
    bool nest = is_nest(text);
    SlStatus status = nest ? sl_mapping_parse(text, &priced->mapping, err)
                           : mapping_read(eval, text, priced, err);
    if (status != SL_OK) {
        SlError inside = *err;
        return nest ? sl_fail(err, status, "--mapping: %s", inside.text) : status;
    }
    const char *file = nest ? NULL : text, *lead = nest ? "--mapping: " : "";
    const char *reason = sl_mapping_check(&priced->layer, &priced->mapping);
    if (reason) return sl_fail_at(err, SL_EINPUT, file, 0, 0, "%s%s", lead, reason);
    if (eval->options->repair) return repair(eval, priced, err);

    // with other levels than the accelerator has there is nothing to price
    if (priced->mapping.n_boundaries == eval->accel.n_levels - 1) return SL_OK;
    char sentence[256];
    sl_mapping_fit(&priced->layer, &eval->accel, &priced->mapping, &priced->fit);
    sl_violation_text(&eval->accel, &priced->fit.list[0], sizeof sentence, sentence);
    return sl_fail_at(err, SL_EINPUT, file, 0, 0, "%s%s", lead, sentence);
}

// ---- pricing ----

void priced_eval(const SlAccel *accel, Priced *priced) {
    sl_mapping_fit(&priced->layer, accel, &priced->mapping, &priced->fit);
    sl_cost_eval(&priced->layer, accel, &priced->mapping, &priced->cost);
    sl_floor_eval(&priced->layer, accel, &priced->floor);
    sl_cost_explain(accel, &priced->mapping, &priced->cost, &priced->parts);
}

// What the threads share.
typedef struct {
    const SlAccel *accel;
    Priced *priced; // (n_distinct)
} Work;

static void map_and_price(void *context, int item, int worker) {
    (void)worker;
    const Work *work = context;
    Priced *priced = &work->priced[item];
    priced->status =
        sl_mapping_default(&priced->layer, work->accel, &priced->mapping, &priced->err);
    if (priced->status == SL_OK) priced_eval(work->accel, priced);
}

SlStatus evaluation_map_default(Evaluation *eval, Priced *priced, SlError *err) {
    Work work = {.accel = &eval->accel, .priced = priced};
    SlPool *pool = eval->n_distinct > 1 ? sl_pool_make((int)eval->options->threads) : NULL;
    if (pool) sl_pool_run(pool, eval->n_distinct, map_and_price, &work);
    // without threads the work is the same, only slower
    for (int i = 0; !pool && i < eval->n_distinct; i++) map_and_price(&work, i, 0);
    if (pool) sl_pool_free(pool);
    for (int i = 0; i < eval->n_distinct; i++) {
        if (priced[i].status == SL_OK) continue;
        return sl_fail(err, priced[i].status, "%s does not fit %s: %s", priced[i].layer.name,
                       eval->accel.name, priced[i].err.text);
    }
    return SL_OK;
}

Priced *evaluation_gather(Evaluation *eval) {
    int n = eval->net.n_layers;
    int *first = call_need(SL_NEW(eval->arena, n, int));
    int *slot = call_need(SL_NEW(eval->arena, n, int));
    eval->n_distinct = sl_network_distinct(&eval->net, first);
    Priced *priced = call_need(SL_NEW(eval->arena, eval->n_distinct, Priced));
    eval->layers = call_need(SL_NEW(eval->arena, n, const Priced *));
    for (int i = 0, used = 0; i < n; i++) {
        slot[i] = first[i] == i ? used++ : slot[first[i]];
        if (first[i] == i) priced[slot[i]].layer = eval->net.layers[i];
        eval->layers[i] = &priced[slot[i]];
    }
    return priced;
}

double priced_multiple(const Priced *priced, SlObjective objective) {
    return priced->fit.n ? NAN : sl_floor_multiple(&priced->floor, &priced->cost, objective);
}

double priced_utilisation(const Priced *priced) {
    return priced->fit.n ? NAN : priced->cost.utilisation;
}

// ---- sums ----

// layer by layer in the order of the network, as they run
void evaluation_sum(Evaluation *eval) {
    const Priced *all = eval->layers[0]; // the distinct layers, in order of their first
    sl_network_cost_init(&eval->totals, &eval->accel);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        SlNetworkPart part = sl_network_part(1);
        part.again = priced - all < eval->totals.n_distinct;
        part.unfit = priced->fit.n > 0;
        part.macs = priced->cost.counts.macs;
        part.latency_cycles = priced->cost.latency_cycles;
        part.energy_pj = priced->cost.energy_pj;
        part.floor_cycles = priced->floor.value[SL_LATENCY];
        part.floor_pj = priced->floor.value[SL_ENERGY];
        part.area_um2 = priced->cost.area_min_um2;
        sl_network_cost_add(&eval->totals, &part);
    }
}

const char *evaluation_title(const Evaluation *eval, char out[static EVALUATION_TITLE_ROOM]) {
    const SlNetwork *net = &eval->net;
    bool inside = net->n_layers == 1 && strcmp(net->name, "inline") != 0;
    snprintf(out, EVALUATION_TITLE_ROOM, "%s%s%s on %s", inside ? net->name : "", inside ? ":" : "",
             net->n_layers == 1 ? net->layers[0].name : net->name, eval->accel.name);
    return out;
}

SlLayer evaluation_single(const Evaluation *eval, const SlLayer *layer) {
    SlLayer single = *layer;
    // of a batched product the batch is among its groups
    single.dims[layer->type == SL_BMM ? SL_G : SL_N] /= eval->options->batch;
    return single;
}

double evaluation_seconds(const Evaluation *eval, double cycles) {
    return cycles / (eval->accel.clock_mhz * 1e6);
}

int evaluation_code(const Evaluation *eval) {
    return eval->totals.n_unfit > 0 ? CODE_UNFIT : CODE_DONE;
}

SlStatus evaluation_make(const EvalOptions *options, const char *selector, const SlAccel *machine,
                         SlArena *arena, Evaluation *eval, SlError *err) {
    *eval = (Evaluation){.options = options, .arena = arena};
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

    Priced *priced = evaluation_gather(eval);
    if (options->mapping) {
        status = read_mapping(eval, priced, err);
        if (status == SL_OK) priced_eval(&eval->accel, priced);
    } else {
        status = evaluation_map_default(eval, priced, err);
    }
    eval->mapping_from = "default";
    if (options->mapping) eval->mapping_from = priced->repaired ? "repaired" : "given";
    if (status == SL_OK) evaluation_sum(eval);
    return status;
}
