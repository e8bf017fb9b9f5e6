// tune_json.c - what `starling tune` came to as a JSON document (docs/formats/tune-json.md).
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "curve_json.h"
#include "tune_command.h"

static json_t *object(void) {
    return command_need(json_object());
}

static json_t *list(void) {
    return command_need(json_array());
}

// ---- what was asked for ----

static json_t *core_json(const SlVtaCore *core) {
    char text[96];
    json_t *to = object();
    json_put_text(to, "name", sl_vta_core_write(core, sizeof text, text));
    json_put(to, "batch", json_integer(core->batch));
    json_put(to, "block_in", json_integer(core->block_in));
    json_put(to, "block_out", json_integer(core->block_out));
    json_put(to, "bus_bits", json_integer(core->bus_bits));
    return to;
}

static json_t *limit(double value) {
    return value > 0 ? sl_json_number(value) : json_null();
}

static json_t *budget_json(const SlVtaBudget *budget) {
    json_t *to = object();
    json_put(to, "macs", limit((double)budget->macs));
    json_put(to, "dsp", limit(budget->dsp));
    json_put(to, "bram36", limit(budget->bram36));
    json_put(to, "lut", limit(budget->lut));
    json_put(to, "sram_bytes", limit((double)budget->sram_bytes));
    return to;
}

void tune_setup_json(const Tune *tune, json_t *to) {
    const TuneOptions *options = tune->options;
    json_put_text(to, "target", tune->kind->name);
    json_put_text(to, "method", tune->tuner->name);
    json_put(to, "options", sl_options_json(tune->tuner->options, tune->tuner_options));
    json_put(to, "budget", options->budget ? json_integer(options->budget) : json_null());
    json_put_number(to, "seconds", options->time > 0 ? options->time : NAN);
    json_put(to, "batch", json_integer(options->batch));
    json_put(to, "seed", json_integer(options->seed));
    json_put(to, "skip_first", json_boolean(options->skip_first));
    if (tune_is_vta(tune)) {
        json_put_text(to, "hardware", sl_hardware_names[options->hw]);
        json_put(to, "core", core_json(&tune->given));
        json_put_text(to, "profile", tune->given.timing.name);
        json_put_number(to, "clock_mhz", tune->given.timing.clock_mhz);
        json_put(to, "resources", budget_json(&tune->vta.budget));
        json_put(to, "bias", json_boolean(options->bias));
        json_put(to, "cores", tune->shortlist ? json_integer(options->cores) : json_null());
        json_put(to, "optimum", json_integer(options->optimum));
    } else {
        json_put_text(to, "type", sl_kernel_type_names[options->type]);
        json_put(to, "threads", json_integer(tune_threads(tune)));
    }
    json_put(to, "transfer", tune->transfer ? json_string(tune->transfer_digest) : json_null());
}

// ---- layers ----

static json_t *knobs_json(const TuneLayer *layer, const int32_t *point) {
    const SlSpace *knobs = sl_task_space(layer->job->task);
    json_t *to = object();
    for (int k = 0; k < knobs->n_params; k++)
        json_put(to, knobs->params[k].name, json_integer(knobs->params[k].sizes[point[k]]));
    return to;
}

static json_t *value_json(const Tune *tune, const TuneLayer *layer, const TuneValue *value) {
    json_t *to = object();
    json_put_number(to, tune_is_vta(tune) ? "cycles" : "measured_s", value->value);
    json_put_number(to, "seconds", value->seconds);
    json_put_number(to, "gops", tune_gops(layer, value->seconds));
    return to;
}

static json_t *optimum_json(const TuneLayer *layer) {
    const SlRecord *optimum = &layer->job->optimum;
    json_t *to = object();
    json_put_number(to, "cycles", tune_found(optimum));
    json_put(to, "proven", json_boolean(optimum->proven));
    json_put(to, "simulations", json_integer(optimum->samples));
    if (optimum->best.sample > 0) json_put(to, "knobs", knobs_json(layer, optimum->best.point));
    return to;
}

static void put_record(const Tune *tune, const TuneLayer *layer, json_t *to) {
    const SlRecord *record = &layer->job->record;
    if (tune->transfer) json_put(to, "history", json_integer(layer->job->n_history));
    json_put(to, "measurements", json_integer(record->samples));
    json_put(to, "failures", json_integer(record->failures));
    json_put(to, "found_at", json_integer(record->best.sample));
    json_put_text(to, "stopped", sl_stop_text(&sl_kind_vta, record->stopped));
    json_put_number(to, "best_measured", tune_found(record));
    json_put(to, "curve", curve_json(record->n_curve, record->curve, sl_json_number));
    if (record->best.sample == 0) return;
    json_put(to, "knobs", knobs_json(layer, record->best.point));
    json_put(to, "best", value_json(tune, layer, &layer->best));
    bool compared = layer->untuned.value > 0;
    json_put(to, "untuned", compared ? value_json(tune, layer, &layer->untuned) : json_null());
    json_put_number(to, "speed_up", tune_speed_up(layer));
    if (tune_is_vta(tune)) {
        json_put_number(to, "utilisation", layer->time.utilisation);
        json_put(to, "instructions", json_integer(layer->time.insns));
        if (tune->joint) json_put(to, "core", core_json(&layer->task.core));
    } else {
        double peak = tune->peak_gops * tune_threads(tune);
        json_put(to, "duelled", json_boolean(layer->job->duelled));
        json_put(to, "untuned_won", json_boolean(layer->job->untuned_won));
        json_put_number(to, "peak_share",
                        peak > 0 ? tune_gops(layer, layer->best.seconds) / peak : NAN);
    }
    json_put(to, "optimum", layer->job->proven ? optimum_json(layer) : json_null());
    json_put_number(to, "regret", tune_regret(layer));
}

static json_t *layer_json(const Tune *tune, const TuneLayer *layer) {
    char text[512];
    json_t *to = object();
    json_put_text(to, "name", layer->job->layer->name);
    json_put_text(to, "layer", sl_layer_write(layer->job->layer, sizeof text, text));
    json_put(to, "count", json_integer(layer->job->count));
    json_put_number(to, "macs", (double)sl_layer_macs(layer->job->layer));
    json_put(to, "left_out", layer->job->reason[0] ? json_string(layer->job->reason) : json_null());
    if (!layer->job->task) return to;
    json_put(to, "points", json_integer(sl_task_space(layer->job->task)->n_points));
    if (layer->preferred) json_put(to, "preferred_core", core_json(layer->preferred));
    if (layer->job->searched) put_record(tune, layer, to);
    return to;
}

// ---- sums ----

static json_t *total_json(const Tune *tune) {
    TuneSums sums;
    json_t *to = object();
    tune_sums(tune, &sums);
    json_put(to, "layers", json_integer(sums.n_layers));
    json_put_number(to, "macs", sums.macs);
    if (tune_is_vta(tune)) json_put_number(to, "cycles", sums.value);
    json_put_number(to, "seconds", sums.seconds);
    json_put_number(to, "untuned_seconds", sums.untuned);
    json_put_number(to, "images_per_second", (double)tune->options->batch / sums.seconds);
    json_put_number(to, "gops", 2e-9 * sums.macs / sums.seconds);
    json_put(to, "measurements", json_integer(sums.measurements));
    json_put(to, "failures", json_integer(sums.failures));
    return to;
}

static json_t *resources_json(const Tune *tune, const SlVtaCore *core) {
    static const char *const memories[] = {"uop", "inp", "wgt", "acc", "out"};
    const char *which;
    SlVtaResources needs;
    json_t *to = object(), *blocks = object();
    double fill = sl_vta_fill(core, &tune->vta.budget, &which);
    sl_vta_resources(core, tune->vta.budget.lut ? tune->vta.budget.dsp : 0, &needs);
    json_put(to, "macs", json_integer(needs.macs));
    json_put(to, "dsp", json_integer(needs.dsp));
    json_put(to, "lut", json_integer(needs.lut));
    json_put(to, "bram36", json_integer(needs.bram36_total));
    for (int i = 0; i < 5; i++) json_put(blocks, memories[i], json_integer(needs.bram36[i]));
    json_put(to, "bram36_of", blocks);
    json_put(to, "sram_bytes", json_integer(needs.sram_bytes));
    json_put_number(to, "fill", fill > 0 ? fill : NAN);
    json_put(to, "fullest", fill > 0 ? json_string(which) : json_null());
    return to;
}

static json_t *cores_json(const Tune *tune) {
    json_t *cores = list();
    for (int i = 0; i < tune->n_cores; i++) {
        json_t *to = core_json(&tune->cores[i].core);
        json_put_number(to, "drafted_cycles", tune->cores[i].draft);
        json_put_number(to, "cycles", tune->cores[i].tasks ? tune->cores[i].cycles : NAN);
        json_add(cores, to);
    }
    return cores;
}

// what the clock says, of this run alone
static json_t *speed_json(const Tune *tune) {
    json_t *to = object();
    json_put(to, "measured", json_integer(tune->measured));
    json_put(to, "replayed", json_integer(tune->replayed));
    json_put_number(to, "seconds", tune->seconds);
    json_put_number(to, "method_seconds", tune->method_seconds);
    json_put_number(to, "measure_seconds", tune->measure_seconds);
    return to;
}

json_t *tune_json(const Tune *tune) {
    json_t *document = command_need(sl_json_document("tune", 1)), *setup = object();
    json_t *layers = list();
    tune_setup_json(tune, setup);
    json_put_text(document, "key", tune->key);
    json_put_text(document, "workload", tune->net.name);
    json_put(document, "setup", setup);
    json_put(document, "finished", json_boolean(tune_finished(tune)));
    if (tune_is_vta(tune)) {
        const SlVtaCore *core = tune->joint ? &tune->layers[0].task.core : &tune->core;
        bool known = !tune->joint || tune->layers[0].job->record.best.sample > 0;
        json_put(document, "core", known ? core_json(core) : json_null());
        json_put(document, "resources", known ? resources_json(tune, core) : json_null());
    } else {
        json_put_number(document, "peak_gops", tune->peak_gops > 0 ? tune->peak_gops : NAN);
    }
    if (tune->shortlist) json_put(document, "cores", cores_json(tune));
    for (int i = 0; i < tune->n_layers; i++) json_add(layers, layer_json(tune, &tune->layers[i]));
    json_put(document, "layers", layers);
    json_put(document, "total", total_json(tune));
    json_put(document, "speed", speed_json(tune));
    return document;
}
