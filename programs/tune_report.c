// tune_report.c - what `starling tune` found, for reading: a line per layer, schedules, sums, the
// core. No times of this run: the same run gives the same text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "text_table.h"
#include "tune_command.h"

enum { LINE_ROOM = 512, SHOWN_CORES = 10 };

static const char *core_name(const SlVtaCore *core, char out[static SHOW_ROOM]) {
    snprintf(out, SHOW_ROOM, "%dx%dx%d", core->batch, core->block_in, core->block_out);
    return out;
}

static bool has_result(const TuneLayer *layer) {
    return layer->tuned && layer->record.found;
}

// ---- what was asked for ----

static void add_target(const Tune *tune, SlText *line) {
    const TuneOptions *options = tune->options;
    char core[SHOW_ROOM];
    const char *more = tune->joint || tune->shortlist ? " or another core" : "";
    if (tune_is_vta(tune))
        sl_text_add(line, "vta %s%s, %d-bit bus, %s at %g MHz", core_name(&tune->given, core), more,
                    tune->given.bus_bits, tune->given.timing.name, tune->given.timing.clock_mhz);
    else
        sl_text_add(line, "this cpu, %s, %d thread%s", sl_kernel_type_names[options->type],
                    tune_threads(tune), tune_threads(tune) == 1 ? "" : "s");
    if (options->batch > 1) sl_text_add(line, ", batch %lld", (long long)options->batch);
}

static void add_header(const Tune *tune, SlText *out) {
    const TuneOptions *options = tune->options;
    char count[32];
    SlText line;
    sl_text_init(&line, tune->arena);
    sl_text_add(&line, "%s%s%s", tune->net.name, tune->net.title[0] ? ": " : "", tune->net.title);
    if (line.failed) command_no_memory();
    show_wrapped("", "  ", line.data, out);
    sl_text_init(&line, tune->arena);
    sl_text_add(&line, "on ");
    add_target(tune, &line);
    if (line.failed) command_no_memory();
    show_wrapped("", "  ", line.data, out);
    sl_text_init(&line, tune->arena);
    sl_text_add(&line, "by %s, ", tune->tuner->name);
    if (options->budget > 0)
        sl_text_add(&line, "%s measurements%s", sl_show_count((double)options->budget, count),
                    tune->n_layers > 1 ? " per layer" : "");
    if (tune->shortlist) sl_text_add(&line, " shared by %d cores", tune_shortlist(tune));
    if (options->time > 0)
        sl_text_add(&line, "%s%g seconds", options->budget > 0 ? " or " : "", options->time);
    if (tune->transfer) sl_text_add(&line, ", starting from other tasks");
    sl_text_add(&line, ", seed %lld", (long long)options->seed);
    if (line.failed) command_no_memory();
    show_wrapped("", "  ", line.data, out);
    if (tune->signal)
        sl_text_add(out, "INTERRUPTED: the best so far; the same command again finishes it\n");
    sl_text_add(out, "\n");
}

// ---- a line per layer ----

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
    double peak = tune->peak_gops * tune_threads(tune);
    if (tune_is_vta(tune)) {
        table_cell(table, "%s", sl_show_count(layer->best.value, count));
        table_cell(table, "%s", show_share(layer->time.utilisation, text));
    } else {
        table_cell(table, "%s", show_seconds(layer->best.value, text));
        table_cell(table, "%s", show_share(peak > 0 ? gops / peak : NAN, text));
    }
    table_cell(table, "%.3g", gops);
    table_cell(table, "%s", show_multiple(speed_up, text));
    if (tune_is_vta(tune)) add_regret(layer, table);
    table_cell(table, "%s", sl_show_count((double)layer->record.measurements, count));
    table_cell(table, "%s", sl_show_count((double)layer->record.found_at, count));
    table_cell(table, "%s", sl_show_count((double)layer->record.failures, count));
}

static void add_layers(const Tune *tune, SlText *out) {
    TextTable table;
    char shape[SHOW_ROOM];
    table_init(&table, tune->arena,
               tune_is_vta(tune)
                   ? "~layer|~shape|n|cycles|busy|GOP/s|faster|above best|tried|at|bad"
                   : "~layer|~shape|n|time|of peak|GOP/s|faster|tried|at|bad");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->tuning) continue;
        table_row(&table);
        table_cell(&table, "%s", layer->layer.name);
        table_cell(&table, "%s", show_shape(&layer->layer, shape));
        table_cell(&table, "%d", layer->count);
        if (has_result(layer))
            add_result(tune, layer, &table);
        else
            table_cell(&table, "-");
    }
    table_draw(&table, out);
}

static void add_legend(const Tune *tune, SlText *out) {
    const char *about =
        tune_is_vta(tune)
            ? "n: layers of this shape. busy: of the multipliers. faster: than the schedule of the "
              "untuned template. above best: than the proven optimum of the space. tried, at, bad: "
              "measurements, the one that found it, those without a program."
            : "n: layers of this shape. of peak: of the multiply-adds that the cores can do. "
              "faster: than the schedule of the untuned template, measured again in turns. tried, "
              "at, bad: measurements, the one that found it, those that failed.";
    show_wrapped("", "", about, out);
}

static void add_schedules(const Tune *tune, SlText *out) {
    int widest = 0;
    for (int i = 0; i < tune->n_layers; i++) {
        int n = has_result(&tune->layers[i]) ? show_columns(tune->layers[i].layer.name) : 0;
        if (n > widest) widest = n < 24 ? n : 24;
    }
    if (!widest) return;
    sl_text_add(out, "\nSchedules\n");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        char knobs[LINE_ROOM], lead[128], blank[64];
        if (!has_result(layer)) continue;
        sl_knobs_show(sl_tuning_knobs(layer->tuning), layer->record.best, sizeof knobs, knobs);
        int columns = show_columns(layer->layer.name);
        snprintf(lead, sizeof lead, "  %s%*s  ", layer->layer.name,
                 widest > columns ? widest - columns : 0, "");
        snprintf(blank, sizeof blank, "%*s", widest + 4, "");
        show_wrapped(lead, blank, knobs, out);
    }
}

static void add_left_out(const Tune *tune, SlText *out) {
    bool any = false;
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        char line[LINE_ROOM];
        if (!layer->reason[0]) continue;
        if (!any) sl_text_add(out, "\nLeft out, and not in the sums\n");
        any = true;
        snprintf(line, sizeof line, "%s: %s", layer->layer.name, layer->reason);
        show_wrapped("  ", "    ", line, out);
    }
}

// ---- sums ----

static void add_total(const Tune *tune, SlText *out) {
    TuneSums sums;
    char seconds[SHOW_ROOM], faster[SHOW_ROOM], count[32], failures[32], line[LINE_ROOM];
    tune_sums(tune, &sums);
    sl_text_add(out, "\n");
    if (isfinite(sums.seconds)) {
        double batch = (double)tune->options->batch, rate = batch / sums.seconds;
        int used = snprintf(line, sizeof line, "Total: ");
        if (tune_is_vta(tune))
            used += snprintf(line + used, sizeof line - (size_t)used, "%s cycles, ",
                             sl_show_count(sums.value, count));
        used += snprintf(line + used, sizeof line - (size_t)used,
                         "%s for %lld image%s: ", show_seconds(sums.seconds, seconds),
                         (long long)tune->options->batch, batch > 1 ? "s" : "");
        if (rate >= 1000)
            sl_show_count(round(rate), count);
        else
            snprintf(count, sizeof count, "%.3g", rate);
        used += snprintf(line + used, sizeof line - (size_t)used, "%s images/s, %.3g GOP/s", count,
                         2e-9 * sums.macs / sums.seconds);
        if (isfinite(sums.untuned))
            snprintf(line + used, sizeof line - (size_t)used, ", %s as fast as untuned",
                     show_multiple(sums.untuned / sums.seconds, faster));
        show_wrapped("", "  ", line, out);
    } else {
        sl_text_add(out, "Total: not every layer has a schedule\n");
    }
    sl_text_add(out, "Measurements: %s, of which %s without a program\n",
                sl_show_count((double)sums.measurements, count),
                sl_show_count((double)sums.failures, failures));
}

static void add_resources(const Tune *tune, const SlVtaCore *core, SlText *out) {
    SlVtaResources needs;
    const char *which;
    char name[SHOW_ROOM], bytes[32], share[SHOW_ROOM], line[LINE_ROOM];
    double fill = sl_vta_fill(core, &tune->budget, &which);
    sl_vta_resources(core, tune->budget.lut ? tune->budget.dsp : 0, &needs);
    int used =
        snprintf(line, sizeof line, "Core %s: %lld MACs, %d DSP, %d LUT, %d BRAM36, %s of SRAM",
                 core_name(core, name), (long long)needs.macs, needs.dsp, needs.lut,
                 needs.bram36_total, sl_show_bytes((double)needs.sram_bytes, bytes));
    if (fill > 0)
        snprintf(line + used, sizeof line - (size_t)used, "; %.80s: %s of the %s",
                 tune->options->resources ? tune->options->resources : "limits as the core given",
                 show_share(fill, share), which);
    show_wrapped("", "  ", line, out);
}

static void add_core(const Tune *tune, SlText *out) {
    if (!tune_is_vta(tune)) {
        if (tune->peak_gops > 0)
            sl_text_add(out, "Peak of one core: %.3g GOP/s\n", tune->peak_gops);
        return;
    }
    if (tune->joint && !has_result(&tune->layers[0])) return;
    add_resources(tune, tune->joint ? &tune->layers[0].task.core : &tune->core, out);
}

// ---- cores of a network ----

static void add_cores(const Tune *tune, SlText *out) {
    TextTable table;
    char name[SHOW_ROOM], count[32];
    sl_text_add(out, "Cores: %d fit; by the drafts of all schedules, and as tuned\n",
                tune->n_cores);
    table_init(&table, tune->arena, "<core|MACs|BRAM36|drafted cycles|tuned cycles");
    for (int i = 0; i < tune->n_cores && i < SHOWN_CORES; i++) {
        const TuneCore *row = &tune->cores[i];
        SlVtaResources needs;
        sl_vta_resources(&row->core, 0, &needs);
        table_row(&table);
        table_cell(&table, "%s", core_name(&row->core, name));
        table_cell(&table, "%lld", (long long)needs.macs);
        table_cell(&table, "%d", needs.bram36_total);
        table_cell(&table, "%s", sl_show_count(row->draft, count));
        bool tuned = row->layers && isfinite(row->cycles);
        table_cell(&table, "%s", tuned ? sl_show_count(row->cycles, count) : "-");
    }
    table_draw(&table, out);
    SlText line;
    sl_text_init(&line, tune->arena);
    sl_text_add(&line, "Alone, by the draft, the layers would take:");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (layer->tuning && layer->preferred_draft > 0)
            sl_text_add(&line, " %s %s;", layer->layer.name, core_name(&layer->preferred, name));
    }
    if (line.failed) command_no_memory();
    line.data[line.n - 1] = '.';
    show_wrapped("", "  ", line.data, out);
    sl_text_add(out, "\n");
}

void tune_text(const Tune *tune, SlText *out) {
    add_header(tune, out);
    if (tune->shortlist) add_cores(tune, out);
    add_layers(tune, out);
    add_legend(tune, out);
    add_schedules(tune, out);
    add_left_out(tune, out);
    add_total(tune, out);
    add_core(tune, out);
}
