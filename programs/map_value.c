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

double map_total(const Map *map, const Evaluation *eval) {
    if (map_is_process(map)) return eval == &map->eval ? process_total(map) : NAN;
    const Totals *totals = &eval->totals;
    SlCost whole = {.latency_cycles = totals->latency_cycles,
                    .energy_pj = totals->energy_pj,
                    .power_mw = totals->power_mw,
                    .area_min_um2 = eval->layers[0]->cost.area_min_um2};
    if (map_is_maestro(map)) {
        MaestroSums sums = maestro_sums(map);
        if (eval != &map->eval) return NAN;
        whole = map->layers[0].cost;
        whole.latency_cycles = sums.latency_cycles;
        whole.energy_pj = sums.energy_pj;
        if (map->n_layers > 1) whole.power_mw = NAN; // MAESTRO's is of the hardware, not of time
    }
    // the smallest hardware for several mappings is that of none of them
    if (map->n_layers > 1 && map->goal.weight[SL_AREA] > 0) return NAN;
    return sl_goal_value(&map->goal, &whole);
}

double map_total_multiple(const Map *map) {
    if (map_is_process(map)) return NAN;
    const Totals *totals = &map->eval.totals;
    if (map_is_maestro(map)) {
        SlFloor own = {.value = {maestro_sums(map).floor_cycles, NAN, NAN, NAN, NAN}};
        return map_total(map, &map->eval) / sl_goal_floor(&map->goal, &own);
    }
    SlFloor floor = {.value = {totals->floor_cycles, totals->floor_pj,
                               totals->floor_cycles * totals->floor_pj, NAN, NAN}};
    return map_total(map, &map->eval) / sl_goal_floor(&map->goal, &floor);
}

// a + b of latency^a energy^b
static double total_power(const Map *map) {
    const double *weight = map->goal.weight;
    return weight[SL_LATENCY] + weight[SL_ENERGY] + 2 * weight[SL_EDP];
}

bool map_is_product(const Map *map) {
    return total_power(map) != 1;
}

double map_total_bound(const Map *map) {
    return sl_job_bound(map->job);
}

double map_total_gap(const Map *map) {
    double bound = map_total_bound(map);
    return isnan(bound) ? NAN : fmax(map_total(map, &map->eval) / bound - 1, 0);
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
