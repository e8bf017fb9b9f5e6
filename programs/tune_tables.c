// tune_tables.c - words and tables of `starling tune`, for its text and its page: the setup, a row
// per layer, a row per core.
#include <math.h>
#include <stdio.h>

#include "tune_show.h"

enum { SHOWN_CORES = 10 };

bool tune_has_result(const TuneLayer *layer) {
    return layer->job->searched && layer->job->record.best.sample > 0;
}

const char *tune_core_name(const SlVtaCore *core, char out[static SHOW_ROOM]) {
    snprintf(out, SHOW_ROOM, "%dx%dx%d", core->batch, core->block_in, core->block_out);
    return out;
}

const SlVtaCore *tune_core_found(const Tune *tune) {
    if (!tune_is_vta(tune)) return NULL;
    if (!tune->joint) return &tune->core;
    return tune_has_result(&tune->layers[0]) ? &tune->layers[0].task.core : NULL;
}

double tune_peak_share(const Tune *tune, double gops) {
    double peak = tune->peak_gops * tune_threads(tune);
    return peak > 0 ? gops / peak : NAN;
}

// ---- what was asked for ----

void tune_target_words(const Tune *tune, SlText *out) {
    const TuneOptions *options = tune->options;
    char core[SHOW_ROOM];
    const char *more = tune->joint || tune->shortlist ? " or another core" : "";
    if (tune_is_vta(tune))
        sl_text_add(out, "vta %s%s, %d-bit bus, %s at %g MHz", tune_core_name(&tune->given, core),
                    more, tune->given.bus_bits, tune->given.timing.name,
                    tune->given.timing.clock_mhz);
    else
        sl_text_add(out, "this cpu, %s, %d thread%s", sl_kernel_type_names[options->type],
                    tune_threads(tune), tune_threads(tune) == 1 ? "" : "s");
    if (options->batch > 1) sl_text_add(out, ", batch %lld", (long long)options->batch);
    if (out->failed) command_no_memory();
}

void tune_method_words(const Tune *tune, SlText *out) {
    const TuneOptions *options = tune->options;
    char count[32];
    sl_text_add(out, "%s, ", tune->tuner->name);
    if (options->budget > 0)
        sl_text_add(out, "%s measurements%s", sl_show_count((double)options->budget, count),
                    tune->n_layers > 1 ? " per layer" : "");
    if (tune->shortlist) sl_text_add(out, " shared by %d cores", (int)tune->options->cores);
    if (options->time > 0)
        sl_text_add(out, "%s%g seconds", options->budget > 0 ? " or " : "", options->time);
    if (tune->transfer) sl_text_add(out, ", starting from other tasks");
    sl_text_add(out, ", seed %lld", (long long)options->seed);
    if (out->failed) command_no_memory();
}

// ---- a row per layer ----

static void add_regret(const TuneLayer *layer, TextTable *table) {
    char text[SHOW_ROOM];
    double regret = tune_regret(layer);
    if (isnan(regret))
        table_cell(table, "-");
    else if (regret <= 0)
        table_cell(table, "optimal");
    else
        table_cell(table, "+%s", show_share(regret, text));
}

static void add_result(const Tune *tune, const TuneLayer *layer, TextTable *table) {
    char text[SHOW_ROOM], count[32];
    double gops = tune_gops(layer, layer->best.seconds);
    double speed_up = tune_speed_up(layer);
    if (tune_is_vta(tune)) {
        table_cell(table, "%s", sl_show_count(layer->best.value, count));
        table_cell(table, "%s", show_share(layer->time.utilisation, text));
    } else {
        table_cell(table, "%s", show_seconds(layer->best.value, text));
        table_cell(table, "%s", show_share(tune_peak_share(tune, gops), text));
    }
    table_cell(table, "%.3g", gops);
    table_cell(table, "%s", show_multiple(speed_up, text));
    if (tune_is_vta(tune)) add_regret(layer, table);
    table_cell(table, "%s", sl_show_count((double)layer->job->record.samples, count));
    table_cell(table, "%s", sl_show_count((double)layer->job->record.best.sample, count));
    table_cell(table, "%s", sl_show_count((double)layer->job->record.failures, count));
}

void tune_layer_table(const Tune *tune, TextTable *table) {
    char shape[SHOW_ROOM];
    table_init(table, tune->arena,
               tune_is_vta(tune)
                   ? "~layer|~shape|n|cycles|busy|GOP/s|faster|above best|tried|at|bad"
                   : "~layer|~shape|n|time|of peak|GOP/s|faster|tried|at|bad");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->job->task) continue;
        table_row(table);
        table_cell(table, "%s", layer->job->layer->name);
        table_cell(table, "%s", show_shape(layer->job->layer, shape));
        table_cell(table, "%d", layer->job->count);
        if (tune_has_result(layer))
            add_result(tune, layer, table);
        else
            table_cell(table, "-");
    }
}

const char *tune_layer_legend(const Tune *tune) {
    return tune_is_vta(tune)
               ? "n: layers of this shape. busy: of the multipliers. faster: than the schedule of "
                 "the untuned template. above best: than the proven optimum of the space. tried, "
                 "at, bad: measurements, the one that found it, those without a program."
               : "n: layers of this shape. of peak: of the multiply-adds that the cores can do. "
                 "faster: than the schedule of the untuned template, measured again in turns. "
                 "tried, at, bad: measurements, the one that found it, those that failed.";
}

// ---- cores of a network ----

void tune_core_table(const Tune *tune, TextTable *table) {
    char name[SHOW_ROOM], count[32];
    table_init(table, tune->arena, "<core|MACs|BRAM36|drafted cycles|tuned cycles");
    for (int i = 0; i < tune->n_cores && i < SHOWN_CORES; i++) {
        const SlJobCore *row = &tune->cores[i];
        SlVtaResources needs;
        sl_vta_resources(&row->core, 0, &needs);
        table_row(table);
        table_cell(table, "%s", tune_core_name(&row->core, name));
        table_cell(table, "%lld", (long long)needs.macs);
        table_cell(table, "%d", needs.bram36_total);
        table_cell(table, "%s", sl_show_count(row->draft, count));
        bool tuned = row->tasks && isfinite(row->cycles);
        table_cell(table, "%s", tuned ? sl_show_count(row->cycles, count) : "-");
    }
}

void tune_preferred_words(const Tune *tune, SlText *out) {
    char name[SHOW_ROOM];
    sl_text_add(out, "Alone, by the draft, the layers would take:");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (layer->preferred)
            sl_text_add(out, " %s %s;", layer->job->layer->name,
                        tune_core_name(layer->preferred, name));
    }
    if (out->failed) command_no_memory();
    out->data[out->n - 1] = '.';
}
