// tune_sums.c - what tuned layers come to: time, throughput, how far from the optimum.
#include <math.h>

#include "starling/network.h"
#include "tune_command.h"

bool tune_has_result(const TuneLayer *layer) {
    return layer->job->searched && layer->job->record.best.sample > 0;
}

double tune_found(const SlRecord *record) {
    return record->best.sample > 0 ? record->best.outcome.value : INFINITY;
}

double tune_gops(const TuneLayer *layer, double seconds) {
    return 2e-9 * (double)sl_layer_macs(layer->job->layer) / seconds;
}

double tune_regret(const TuneLayer *layer) {
    bool known = layer->job->proven && layer->job->optimum.proven && tune_has_result(layer);
    return known ? layer->best.value / tune_found(&layer->job->optimum) - 1 : NAN;
}

double tune_speed_up(const TuneLayer *layer) {
    bool known = layer->untuned.value > 0 && isfinite(layer->untuned.value);
    return known ? layer->untuned.seconds / layer->best.seconds : NAN;
}

bool tune_finished(const Tune *tune) {
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        bool done = layer->job->searched && layer->job->record.stopped != SL_STOP_ASKED;
        if (layer->job->task && !done) return false;
    }
    return tune->signal == 0;
}

static void add_measurements(const Tune *tune, const SlJobTask *tasks, TuneSums *sums) {
    for (int i = 0; i < tune->n_layers; i++) {
        if (!tasks[i].searched) continue;
        sums->measurements += tasks[i].record.samples;
        sums->failures += tasks[i].record.failures;
    }
}

// of values (cycles or seconds), seconds and MACs
static SlNetworkCost sum_best(const Tune *tune) {
    SlNetworkCost cost;
    sl_network_cost_init(&cost, NULL);
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->job->task) continue;
        bool found = tune_has_result(layer);
        SlNetworkPart part = sl_network_part(layer->job->count);
        part.macs = (double)sl_layer_macs(layer->job->layer);
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
        if (!layer->job->task) continue;
        bool runs = layer->untuned.value > 0 && isfinite(layer->untuned.value);
        SlNetworkPart part = sl_network_part(layer->job->count);
        part.seconds = runs ? layer->untuned.seconds : NAN;
        sl_network_cost_add(&cost, &part);
    }
    return cost.seconds;
}

void tune_sums(const Tune *tune, TuneSums *sums) {
    SlNetworkCost cost = sum_best(tune);
    *sums = (TuneSums){.n_layers = cost.n_layers,
                       .macs = cost.macs,
                       .value = cost.value,
                       .seconds = cost.seconds,
                       .untuned = untuned_seconds(tune)};
    if (tune->n_cores == 0) add_measurements(tune, sl_job_task(tune->job, 0), sums);
    for (int c = 0; c < tune->n_cores; c++)
        if (tune->cores[c].tasks) add_measurements(tune, tune->cores[c].tasks, sums);
}
