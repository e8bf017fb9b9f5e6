// eval_json.c - an evaluation as a JSON document (docs/formats/eval-json.md).
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "count_columns.h"
#include "eval.h"

static json_t *object(void) {
    return command_need(json_object());
}

static json_t *array(void) {
    return command_need(json_array());
}

// ---- the layer ----

static json_t *pair(const int32_t values[2]) {
    json_t *list = array();
    json_add(list, json_integer(values[0]));
    json_add(list, json_integer(values[1]));
    return list;
}

void json_put_shape(json_t *to, const SlLayer *layer) {
    char text[160];
    json_t *dims = object();
    for (int d = 0; d < SL_N_DIMS; d++)
        json_put_number(dims, sl_dim_names[d], (double)layer->dims[d]);
    json_put_text(to, "type", sl_layer_type_names[layer->type]);
    json_put_text(to, "inline", sl_layer_write(layer, sizeof text, text));
    json_put(to, "dims", dims);
    json_put(to, "stride", pair(layer->stride));
    json_put(to, "dilation", pair(layer->dilation));
    json_put(to, "pad", pair(layer->pad));
}

// ---- the mapping ----

static json_t *violations(const SlAccel *accel, const SlFit *fit) {
    static const char *const rules[] = {"levels", "keep", "capacity", "fanout", "axes", "spread"};
    json_t *list = array();
    for (int i = 0; i < fit->n; i++) {
        const SlViolation *violation = &fit->list[i];
        char sentence[256];
        json_t *item = object();
        json_put_text(item, "rule", rules[violation->rule]);
        json_put_text(item, "level", accel->levels[violation->level].name);
        json_put_number(item, "need", violation->need);
        json_put_number(item, "have", violation->have);
        json_put_text(item, "text", sl_violation_text(accel, violation, sizeof sentence, sentence));
        json_add(list, item);
    }
    return list;
}

static void put_mapping(const Evaluation *eval, const Priced *priced, json_t *to) {
    char nest[SL_NEST_TEXT_MAX];
    json_put_text(to, "mapping", sl_mapping_write(&priced->mapping, sizeof nest, nest));
    json_put(to, "fits", json_boolean(priced->fit.n == 0));
    json_put(to, "violations", violations(&eval->accel, &priced->fit));
}

// ---- counts and costs ----

static json_t *counts(const SlCounts *values) {
    json_t *to = object();
    json_put_number(to, "macs", values->macs);
    json_put_number(to, "cycles", values->cycles);
    for (int l = 1; l <= values->n_levels; l++) {
        char level[COUNT_NAME_ROOM], count[COUNT_NAME_ROOM], name[2 * COUNT_NAME_ROOM];
        level_name(l, values->n_levels, level);
        for (int i = 0; i < COUNTS_PER_LEVEL; i++) {
            snprintf(name, sizeof name, "%s_%s", level, level_count_name(i, count));
            json_put_number(to, name, level_count(&values->level[l], i));
        }
    }
    return to;
}

static json_t *tensors(const double values[SL_N_TENSORS]) {
    json_t *to = object();
    for (int t = 0; t < SL_N_TENSORS; t++) json_put_number(to, sl_tensor_names[t], values[t]);
    return to;
}

static json_t *levels(const Evaluation *eval, const Priced *priced) {
    json_t *list = array();
    for (int l = 0; l < eval->accel.n_levels; l++) {
        const SlLevel *level = &eval->accel.levels[l];
        const SlCost *cost = &priced->cost;
        json_t *to = object();
        json_put_text(to, "level", level->name);
        json_put_number(to, "reads", cost->reads[l]);
        json_put_number(to, "writes", cost->writes[l]);
        json_put_number(to, "port_accesses", cost->port[l]);
        json_put_number(to, "port_cycles", priced->parts.port_cycles[l]);
        json_put_number(to, "link_words", cost->link[l]);
        json_put_number(to, "link_cycles", priced->parts.link_cycles[l]);
        // DRAM has no limit, so it has no need either
        json_put_number(to, "need_bytes", l ? cost->need_bytes[l] : NAN);
        json_put_number(to, "capacity_bytes", l ? (double)level->capacity_bytes : NAN);
        json_put(to, "energy_pj", tensors(priced->parts.level_pj[l]));
        json_put(to, "link_energy_pj", tensors(priced->parts.link_pj[l]));
        json_add(list, to);
    }
    return list;
}

static void put_latency(const Evaluation *eval, const Priced *priced, json_t *to) {
    char binder[64];
    const SlCost *cost = &priced->cost;
    json_put_number(to, "latency_cycles", cost->latency_cycles);
    json_put_number(to, "latency_seconds", evaluation_seconds(eval, cost->latency_cycles));
    json_put_text(to, "bound_by",
                  sl_binder_text(&eval->accel, cost->binder, sizeof binder, binder));
    json_put_number(to, "compute_cycles", cost->counts.cycles);
    json_put_number(to, "ramp_cycles", cost->ramp_cycles);
    json_put_number(to, "stall_cycles", priced->parts.stall_cycles);
}

// objective names to numbers
static json_t *objectives(const double values[SL_N_OBJECTIVES]) {
    json_t *to = object();
    for (int o = 0; o < SL_N_OBJECTIVES; o++) json_put_number(to, sl_objective_names[o], values[o]);
    return to;
}

static void put_cost(const Evaluation *eval, const Priced *priced, json_t *to) {
    const SlCost *cost = &priced->cost;
    double values[SL_N_OBJECTIVES], multiples[SL_N_OBJECTIVES];
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        values[o] = sl_cost_value(cost, (SlObjective)o);
        multiples[o] = priced_multiple(priced, (SlObjective)o);
    }
    put_latency(eval, priced, to);
    json_put_number(to, "energy_pj", cost->energy_pj);
    json_put_number(to, "mac_energy_pj", priced->parts.mac_pj);
    json_put_number(to, "edp", values[SL_EDP]);
    json_put_number(to, "power_mw", cost->power_mw);
    json_put_number(to, "area_um2", cost->area_um2);
    json_put_number(to, "area_min_um2", cost->area_min_um2);
    json_put_number(to, "utilisation", priced_utilisation(priced));
    json_put(to, "objectives", objectives(values));
    json_put(to, "floors", objectives(priced->floor.value));
    json_put(to, "floor_multiples", objectives(multiples));
    json_put(to, "levels", levels(eval, priced));
    json_put(to, "counts", counts(&cost->counts));
}

static json_t *layer(const Evaluation *eval, int i) {
    const Priced *priced = eval->layers[i];
    json_t *to = object();
    json_put(to, "index", json_integer(i + 1));
    json_put_text(to, "name", eval->net.layers[i].name);
    json_put_shape(to, &priced->layer);
    put_mapping(eval, priced, to);
    put_cost(eval, priced, to);
    return to;
}

// ---- the document ----

json_t *evaluation_workload_json(const Evaluation *eval) {
    json_t *to = object();
    json_put_text(to, "name", eval->net.name);
    json_put_text(to, "title", eval->net.title);
    json_put(to, "batch", json_integer(eval->options->batch));
    json_put(to, "n_layers", json_integer(eval->net.n_layers));
    json_put(to, "n_distinct", json_integer(eval->n_distinct));
    return to;
}

json_t *accel_json(const SlAccel *accel) {
    json_t *to = object();
    json_put_text(to, "name", accel->name);
    json_put_text(to, "title", accel->title);
    json_put_number(to, "macs", (double)sl_accel_macs(accel));
    json_put_number(to, "clock_mhz", accel->clock_mhz);
    json_put_number(to, "area_um2", sl_accel_area_um2(accel));
    return to;
}

static json_t *totals(const Evaluation *eval) {
    const SlNetworkCost *sum = &eval->totals;
    double values[SL_N_OBJECTIVES], multiples[SL_N_OBJECTIVES];
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        values[o] = sl_network_cost_value(sum, (SlObjective)o);
        multiples[o] = sl_network_cost_multiple(sum, (SlObjective)o);
    }
    values[SL_AREA] = NAN; // layers have areas, the whole has none
    json_t *to = object();
    json_put_number(to, "macs", sum->macs);
    json_put_number(to, "latency_cycles", sum->latency_cycles);
    json_put_number(to, "latency_seconds", evaluation_seconds(eval, sum->latency_cycles));
    json_put_number(to, "energy_pj", sum->energy_pj);
    json_put_number(to, "edp", values[SL_EDP]);
    json_put_number(to, "power_mw", sum->power_mw);
    json_put_number(to, "utilisation", sum->utilisation);
    json_put(to, "objectives", objectives(values));
    json_put(to, "floor_multiples", objectives(multiples));
    json_put(to, "n_unfit", json_integer(sum->n_unfit));
    return to;
}

struct json_t *evaluation_json(const Evaluation *eval) {
    json_t *document = command_need(sl_json_document("eval", 1));
    json_t *list = array();
    for (int i = 0; i < eval->net.n_layers; i++) json_add(list, layer(eval, i));
    json_put_text(document, "model", "native");
    json_put_text(document, "objective", sl_objective_names[eval->options->objective]);
    json_put_text(document, "mapping_from", eval->mapping_from);
    json_put(document, "workload", evaluation_workload_json(eval));
    json_put(document, "accel", accel_json(&eval->accel));
    json_put(document, "layers", list);
    json_put(document, "totals", totals(eval));
    return document;
}
