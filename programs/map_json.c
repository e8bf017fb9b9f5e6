// map_json.c - what `starling map` found as a JSON document (docs/formats/map-json.md).
//
// Nothing in it depends on threads or on how long it took: the same seed gives the same bytes.
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "curve_json.h"
#include "map.h"

static json_t *object(void) {
    return command_need(json_object());
}

json_t *layer_curve_json(const MapLayer *layer) {
    const SlRecord *record = &layer->job->record;
    return curve_json(record->n_curve, record->curve, sl_json_number);
}

// ---- what was asked for ----

static json_t *space_json(const Map *map) {
    const SpaceChoice *choice = &map->options->space;
    json_t *to = object();
    json_put_text(to, "preset", sl_space_names[choice->preset]);
    json_put_text(to, "open", choice->open ? choice->open : "");
    json_put(to, "constraints",
             choice->constraints ? json_string(map->constraints.name) : json_null());
    return to;
}

static json_t *budget_json(const Map *map) {
    const MapOptions *options = map->options;
    json_t *to = object();
    json_put(to, "samples", map->samples ? json_integer(map->samples) : json_null());
    json_put_number(to, "seconds", options->time > 0 ? options->time : NAN);
    json_put_number(to, "target_percent", options->target > 0 ? options->target : NAN);
    json_put(to, "warm", json_integer(options->warm));
    return to;
}

// "all", a number, or null for a method without agents
static json_t *agents_json(const Map *map) {
    if (!map->method->learns) return json_null();
    return map->n_agents ? json_integer(map->n_agents) : json_string("all");
}

// null where nothing is proven
static json_t *prove_json(const Map *map) {
    double seconds = map->options->prove_time;
    if (!map->prove) return json_null();
    json_t *to = object();
    json_put_number(to, "epsilon", map->epsilon);
    json_put_number(to, "seconds", seconds > 0 ? seconds : NAN);
    return to;
}

static void put_setup(const Map *map, json_t *to) {
    const MapOptions *options = map->options;
    char goal[256];
    json_put(to, "workload", evaluation_workload_json(&map->eval));
    json_put(to, "accel", accel_json(&map->eval.accel));
    json_put_text(to, "objective", sl_goal_text(&map->goal, sizeof goal, goal));
    json_put_text(to, "unit", sl_goal_unit(&map->goal));
    json_put_text(to, "model", map->kind->name);
    json_put_text(to, "evaluator", options->evaluator);
    json_put_text(to, "method", map->method->name);
    json_put(to, "options", json_options(map->method->options, map->method_options));
    json_put(to, "agents", agents_json(map));
    json_put(to, "space", space_json(map));
    json_put_text(to, "illegal", sl_illegal_names[options->illegal]);
    json_put_text(to, "start", sl_start_names[options->start]);
    json_put(to, "budget", budget_json(map));
    json_put(to, "prove", prove_json(map));
    json_put(to, "seed", json_integer(options->seed));
}

json_t *map_setup_json(const Map *map, const char *kind) {
    json_t *document = command_need(sl_json_document(kind, 1));
    json_put_text(document, "key", map->key);
    put_setup(map, document);
    return document;
}

// ---- a layer ----

static json_t *instances(const Map *map, const MapLayer *layer) {
    json_t *list = command_need(json_array());
    for (int i = layer->job->first; i < map->eval.net.n_layers; i++) {
        if (map->eval.layers[i] != layer->found) continue;
        json_t *to = object();
        json_put(to, "index", json_integer(i + 1));
        json_put_text(to, "name", map->eval.net.layers[i].name);
        json_add(list, to);
    }
    return list;
}

// the numbers of one mapping by the native model; `value` by that of --model, NAN = it has none
static void put_cost(const Map *map, const Priced *priced, double value, json_t *to) {
    const SlCost *cost = &priced->cost;
    char binder[64];
    json_put_number(to, "objective_value", value);
    json_put_number(to, "latency_cycles", cost->latency_cycles);
    json_put_number(to, "energy_pj", cost->energy_pj);
    json_put_number(to, "edp", sl_cost_value(cost, SL_EDP));
    json_put_number(to, "area_um2", cost->area_min_um2);
    json_put_number(to, "power_mw", cost->power_mw);
    json_put_number(to, "utilisation", cost->utilisation);
    json_put_text(to, "binder",
                  sl_binder_text(&map->eval.accel, cost->binder, sizeof binder, binder));
}

static json_t *proof_json(const MapLayer *layer) {
    const SlProof *proof = &layer->job->proof;
    if (!layer->job->proven) return json_null();
    json_t *to = object();
    json_put_text(to, "status", sl_proof_names[proof->status]);
    bool covered = proof->status != SL_PROOF_UNCOVERED;
    json_put(to, "reason", covered ? json_null() : json_string(proof->reason));
    json_put(to, "branches", json_integer(proof->n_branches));
    json_put(to, "nodes", json_integer(proof->nodes));
    json_put_number(to, "start_value", proof->start);
    json_put(to, "improved", json_boolean(proof->improved));
    return to;
}

static void put_proof(const Map *map, const MapLayer *layer, json_t *to) {
    bool bound = layer_has_bound(layer);
    json_put_number(to, "lower_bound", bound ? layer->job->proof.lower_bound : NAN);
    json_put_number(to, "gap", bound ? layer->job->proof.gap : NAN);
    json_put(to, "proof", proof_json(layer));
    json_put(to, "certificate", certificate_json(map, layer));
}

static json_t *layer_json(const Map *map, const MapLayer *layer) {
    const SlRecord *record = &layer->job->record;
    char nest[SL_NEST_TEXT_MAX];
    json_t *to = object(), *space = object(), *base = object();
    json_put_text(to, "name", layer->found->layer.name);
    json_put(to, "count", json_integer(layer->job->count));
    json_put(to, "instances", instances(map, layer));
    json_put_shape(to, &layer->found->layer);
    double value =
        map_is_process(map) ? record->best.outcome.value : sl_goal_value(&map->goal, &layer->cost);
    double first = sl_goal_value(&map->goal, &layer->base->cost);
    put_cost(map, layer->found, value, to);
    json_put_number(to, "floor_multiple", value / map_floor(map, layer));
    if (layer->maestro) json_put(to, "maestro", maestro_layer_json(layer));
    put_proof(map, layer, to);
    json_put(to, "samples", json_integer(record->samples));
    json_put(to, "assign_samples", json_integer(layer->job->assign_samples));
    json_put(to, "warm_samples", json_integer(layer->job->warm_samples));
    json_put(to, "best_sample", json_integer(record->best.sample));
    json_put(to, "stopped", map->exact ? json_null() : json_string(sl_stop_names[record->stopped]));
    int n_agents = map->method->learns ? layer->job->agents.n_agents : 0;
    json_put(to, "agents", json_integer(n_agents));
    json_put(space, "parameters", json_integer(layer->job->space.n_params));
    json_put_number(space, "log10_size", layer->job->space.log10_size);
    json_put(space, "lists", lists_json(map, layer));
    json_put(to, "space", space);
    json_put_text(to, "mapping", sl_mapping_write(&layer->found->mapping, sizeof nest, nest));
    json_put_number(to, "gain", map_gain(map, layer));
    put_cost(map, layer->base, map->kind == &sl_kind_native ? first : NAN, base);
    json_put_number(base, "floor_multiple",
                    map->kind == &sl_kind_native ? first / map_floor(map, layer) : NAN);
    json_put_text(base, "mapping", sl_mapping_write(&layer->base->mapping, sizeof nest, nest));
    json_put(to, "default", base);
    json_put(to, "curve", layer_curve_json(layer));
    return to;
}

// ---- sums ----

static void put_sums(const Map *map, const Evaluation *eval, json_t *to) {
    const SlNetworkCost *totals = &eval->totals;
    json_put_number(to, "objective_value", map_total(map, eval));
    json_put_number(to, "latency_cycles", totals->latency_cycles);
    json_put_number(to, "energy_pj", totals->energy_pj);
    json_put_number(to, "edp", sl_network_cost_value(totals, SL_EDP));
    json_put_number(to, "power_mw", totals->power_mw);
    json_put_number(to, "utilisation", totals->utilisation);
}

static json_t *totals_json(const Map *map) {
    json_t *to = object(), *base = object();
    int64_t assign = 0, warm = 0;
    for (int i = 0; i < map->n_layers; i++) {
        assign += map->layers[i].job->assign_samples;
        warm += map->layers[i].job->warm_samples;
    }
    put_sums(map, &map->eval, to);
    if (map_is_maestro(map)) json_put(to, "maestro", maestro_totals_json(map));
    json_put_number(to, "lower_bound", map_total_bound(map));
    json_put_number(to, "gap", map_total_gap(map));
    json_put_number(to, "floor_multiple", map_total_multiple(map));
    json_put_number(to, "macs", map->eval.totals.macs);
    json_put(to, "samples", json_integer(map_samples(map)));
    json_put(to, "assign_samples", json_integer(assign));
    json_put(to, "warm_samples", json_integer(warm));
    json_put_number(to, "gain", map_total(map, &map->base) / map_total(map, &map->eval));
    put_sums(map, &map->base, base);
    json_put(to, "default", base);
    return to;
}

json_t *map_json(const Map *map) {
    json_t *document = command_need(sl_json_document("map", 1));
    json_t *list = command_need(json_array());
    put_setup(map, document);
    json_put(document, "machine", machine_json(map));
    json_put(document, "interrupted", json_boolean(map->signal != 0));
    for (int i = 0; i < map->n_layers; i++) json_add(list, layer_json(map, &map->layers[i]));
    json_put(document, "layers", list);
    json_put(document, "totals", totals_json(map));
    return document;
}
