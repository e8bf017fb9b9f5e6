// evaluation.c - networks with mappings, priced layer by layer.
#include "starling/network/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sl_priced_eval(const SlAccel *accel, SlPriced *priced) {
    sl_mapping_fit(&priced->layer, accel, &priced->mapping, &priced->fit);
    sl_cost_eval(&priced->layer, accel, &priced->mapping, &priced->cost);
    sl_floor_eval(&priced->layer, accel, &priced->floor);
    sl_cost_explain(accel, &priced->mapping, &priced->cost, &priced->parts);
}

// What the threads share.
typedef struct {
    const SlAccel *accel;
    SlPriced *priced; // (n_distinct)
} Work;

static void map_and_price(void *context, int item, int worker) {
    (void)worker;
    const Work *work = context;
    SlPriced *priced = &work->priced[item];
    priced->status =
        sl_mapping_default(&priced->layer, work->accel, &priced->mapping, &priced->err);
    if (priced->status == SL_OK) sl_priced_eval(work->accel, priced);
}

SlStatus sl_evaluation_default(const SlEvaluation *eval, SlPool *pool, SlPriced *priced,
                               SlError *err) {
    Work work = {.accel = &eval->accel, .priced = priced};
    if (pool) sl_pool_run(pool, eval->n_distinct, map_and_price, &work);
    // without threads the work is the same, only slower
    for (int i = 0; !pool && i < eval->n_distinct; i++) map_and_price(&work, i, 0);
    for (int i = 0; i < eval->n_distinct; i++) {
        if (priced[i].status == SL_OK) continue;
        return sl_fail(err, priced[i].status, "%s does not fit %s: %s", priced[i].layer.name,
                       eval->accel.name, priced[i].err.text);
    }
    return SL_OK;
}

SlPriced *sl_evaluation_gather(SlEvaluation *eval) {
    int n = eval->net.n_layers;
    int *first = SL_NEW(eval->arena, n, int);
    int *slot = SL_NEW(eval->arena, n, int);
    eval->layers = SL_NEW(eval->arena, n, const SlPriced *);
    if (!first || !slot || !eval->layers) return NULL;
    eval->n_distinct = sl_network_distinct(&eval->net, first);
    SlPriced *priced = SL_NEW(eval->arena, eval->n_distinct, SlPriced);
    for (int i = 0, used = 0; i < n && priced; i++) {
        slot[i] = first[i] == i ? used++ : slot[first[i]];
        if (first[i] == i) priced[slot[i]].layer = eval->net.layers[i];
        eval->layers[i] = &priced[slot[i]];
    }
    return priced;
}

double sl_priced_multiple(const SlPriced *priced, SlObjective objective) {
    return priced->fit.n ? NAN : sl_floor_multiple(&priced->floor, &priced->cost, objective);
}

double sl_priced_utilisation(const SlPriced *priced) {
    return priced->fit.n ? NAN : priced->cost.utilisation;
}

// ---- sums ----

// layer by layer in the order of the network, as they run
void sl_evaluation_sum(SlEvaluation *eval) {
    const SlPriced *all = eval->layers[0]; // the distinct layers, in order of their first
    sl_network_cost_init(&eval->totals, &eval->accel);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const SlPriced *priced = eval->layers[i];
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

const char *sl_evaluation_title(const SlEvaluation *eval, char out[static SL_EVALUATION_TITLE]) {
    const SlNetwork *net = &eval->net;
    bool inside = net->n_layers == 1 && strcmp(net->name, "inline") != 0;
    snprintf(out, SL_EVALUATION_TITLE, "%s%s%s on %s", inside ? net->name : "", inside ? ":" : "",
             net->n_layers == 1 ? net->layers[0].name : net->name, eval->accel.name);
    return out;
}

SlLayer sl_evaluation_single(const SlEvaluation *eval, const SlLayer *layer) {
    SlLayer single = *layer;
    // of a batched product the batch is among its groups
    single.dims[layer->type == SL_BMM ? SL_G : SL_N] /= eval->batch;
    return single;
}

double sl_evaluation_seconds(const SlEvaluation *eval, double cycles) {
    return cycles / (eval->accel.clock_mhz * 1e6);
}
