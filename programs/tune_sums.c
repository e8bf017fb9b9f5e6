// tune_sums.c - what tuned layers come to: time, throughput, how far from the optimum.
#include <math.h>

#include "tune_command.h"

TuneValue tune_value(const Tune *tune, double value) {
    const SlVtaTiming *timing = &tune->core.timing;
    double seconds = value;
    if (tune_is_vta(tune)) seconds = value / (timing->clock_mhz * 1e6) + timing->call_us * 1e-6;
    return (TuneValue){.value = value, .seconds = seconds};
}

double tune_found(const SlRecord *record) {
    return record->best.sample > 0 ? record->best.outcome.value : INFINITY;
}

double tune_gops(const TuneLayer *layer, double seconds) {
    return 2e-9 * (double)sl_layer_macs(&layer->layer) / seconds;
}

double tune_regret(const TuneLayer *layer) {
    bool known = layer->has_optimum && layer->optimum.proven && layer->tuned &&
                 layer->record.best.sample > 0;
    return known ? layer->best.value / tune_found(&layer->optimum) - 1 : NAN;
}

double tune_speed_up(const TuneLayer *layer) {
    bool known = layer->untuned.value > 0 && isfinite(layer->untuned.value);
    return known ? layer->untuned.seconds / layer->best.seconds : NAN;
}

bool tune_finished(const Tune *tune) {
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        bool done = layer->tuned && layer->record.stopped != SL_STOP_ASKED;
        if (layer->tuning && !done) return false;
    }
    return tune->signal == 0;
}

static void add_measurements(const Tune *tune, const TuneLayer *layers, TuneSums *sums) {
    for (int i = 0; i < tune->n_layers; i++) {
        if (!layers[i].tuned) continue;
        sums->measurements += layers[i].record.samples;
        sums->failures += layers[i].record.failures;
    }
}

SlNetworkCost tune_cost(const Tune *tune, const TuneLayer *layers) {
    SlNetworkCost cost;
    sl_network_cost_init(&cost, NULL);
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &layers[i];
        if (!layer->tuning) continue;
        bool found = layer->tuned && layer->record.best.sample > 0;
        SlNetworkPart part = sl_network_part(layer->count);
        part.macs = (double)sl_layer_macs(&layer->layer);
        part.value = found ? layer->best.value : NAN;
        part.seconds = found ? layer->best.seconds : NAN;
        sl_network_cost_add(&cost, &part);
    }
    return cost;
}

static double untuned_seconds(const Tune *tune) {
    SlNetworkCost cost;
    sl_network_cost_init(&cost, NULL);
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->tuning) continue;
        bool runs = layer->untuned.value > 0 && isfinite(layer->untuned.value);
        SlNetworkPart part = sl_network_part(layer->count);
        part.seconds = runs ? layer->untuned.seconds : NAN;
        sl_network_cost_add(&cost, &part);
    }
    return cost.seconds;
}

void tune_sums(const Tune *tune, TuneSums *sums) {
    SlNetworkCost cost = tune_cost(tune, tune->layers);
    *sums = (TuneSums){.n_layers = cost.n_layers,
                       .macs = cost.macs,
                       .value = cost.value,
                       .seconds = cost.seconds,
                       .untuned = untuned_seconds(tune)};
    add_measurements(tune, tune->layers, sums);
    for (int c = 0; c < tune->n_cores; c++)
        if (tune->cores[c].layers && tune->cores[c].layers != tune->layers)
            add_measurements(tune, tune->cores[c].layers, sums);
}
