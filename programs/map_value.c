// map_value.c - what was found, priced and summed up; and how it was approached.
#include <math.h>

#include "map.h"

double map_floor(const Map *map, const MapLayer *layer) {
    return sl_kind_floor(map->kind, &map->goal, &layer->found->layer, &map->eval.accel);
}

double layer_value(const Map *map, const MapLayer *layer, const SlMapping *mapping) {
    SlCost cost;
    MaestroFound found;
    if (map_is_process(map)) return layer->job->record.best.outcome.value;
    if (!map_is_maestro(map))
        sl_cost_eval(&layer->found->layer, &map->eval.accel, mapping, &cost);
    else if (!maestro_find(map, layer, mapping, &found, &cost))
        return INFINITY;
    return sl_goal_value(&map->goal, &cost);
}

bool layer_has_bound(const MapLayer *layer) {
    return sl_job_has_bound(layer->job);
}

// NULL if there is none
const SlMapping *layer_mapping(const MapLayer *layer) {
    return sl_job_mapping(layer->job);
}

SlStatus map_finish(Map *map, SlError *err) {
    for (int i = 0; i < map->n_layers; i++) {
        MapLayer *layer = &map->layers[i];
        const SlMapping *mapping = layer_mapping(layer);
        char samples[32];
        if (!mapping && map_is_process(map))
            return sl_fail(err, SL_EINPUT,
                           "%s: none of %s requests to %.100s has a value; log.jsonl of the run "
                           "directory says why",
                           layer->found->layer.name,
                           sl_show_count((double)layer->job->record.samples, samples),
                           map->options->evaluator);
        if (!mapping && map_is_maestro(map))
            return sl_fail(
                err, SL_EINPUT,
                "%s: MAESTRO's model has no physical result for any of %s samples; it needs "
                "whole filters (constraints maestro)",
                layer->found->layer.name,
                sl_show_count((double)layer->job->record.samples, samples));
        if (!mapping)
            return sl_fail(err, SL_EINPUT,
                           "%s: none of %s samples fits %s; --illegal repair or --start default "
                           "finds one that does",
                           layer->found->layer.name,
                           sl_show_count((double)layer->job->record.samples, samples),
                           map->eval.accel.name);
        layer->found->mapping = *mapping;
        priced_eval(&map->eval.accel, layer->found);
        layer->cost = layer->found->cost;
        if (!map_is_maestro(map)) continue;
        layer->maestro = command_need(SL_NEW(map->arena, 1, MaestroFound));
        maestro_find(map, layer, mapping, layer->maestro, &layer->cost);
    }
    evaluation_sum(&map->eval);
    return SL_OK;
}

// with the mappings found, by who priced them
static SlNetworkCost found_cost(const Map *map) {
    if (map_is_process(map)) return process_sums(map);
    return map_is_maestro(map) ? maestro_sums(map) : map->eval.totals;
}

double map_total(const Map *map, const Evaluation *eval) {
    bool found = eval == &map->eval;
    if (!found && map->kind != &sl_kind_native) return NAN;
    SlNetworkCost cost = found ? found_cost(map) : eval->totals;
    return sl_network_goal_value(&map->goal, &cost);
}

double map_total_multiple(const Map *map) {
    SlNetworkCost cost = found_cost(map);
    return sl_network_goal_value(&map->goal, &cost) / sl_network_goal_floor(&map->goal, &cost);
}

bool map_is_product(const Map *map) {
    return sl_network_degree(&map->goal) != 1;
}

double map_total_bound(const Map *map) {
    return sl_job_bound(map->job);
}

double map_total_gap(const Map *map) {
    return sl_network_gap(map_total(map, &map->eval), map_total_bound(map));
}

double map_gain(const Map *map, const MapLayer *layer) {
    if (map_is_process(map)) return process_gain(layer);
    if (map_is_maestro(map)) return NAN;
    return sl_goal_value(&map->goal, &layer->base->cost) / sl_goal_value(&map->goal, &layer->cost);
}

int64_t map_samples(const Map *map) {
    int64_t sum = 0;
    for (int i = 0; i < map->n_layers; i++) sum += map->layers[i].job->record.samples;
    return sum;
}

bool map_samples_differ(const Map *map) {
    for (int i = 1; i < map->n_layers; i++)
        if (map->layers[i].job->record.samples != map->layers[0].job->record.samples) return true;
    return false;
}

// ---- curves ----

double layer_best_at(const MapLayer *layer, double sample) {
    const SlRecord *record = &layer->job->record;
    double best = INFINITY;
    for (int i = 0; i < record->n_curve && (double)record->curve[i].sample <= sample; i++)
        best = record->curve[i].value;
    return best;
}

double map_curve(const Map *map, double sample) {
    double sum = 0;
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        sum += log(layer_best_at(layer, sample) / layer->job->record.best.outcome.value);
    }
    return exp(sum / map->n_layers);
}

double map_longest(const Map *map) {
    int64_t most = 1;
    for (int i = 0; i < map->n_layers; i++)
        if (map->layers[i].job->record.samples > most) most = map->layers[i].job->record.samples;
    return (double)most;
}
