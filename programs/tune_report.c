// tune_report.c - what `starling tune` found, for reading: a line per layer, schedules, sums, the
// core. No times of this run: the same run gives the same text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tune_show.h"

enum { LINE_ROOM = 512 };

// ---- what was asked for ----

// one line of the head: `lead`, then what `words` has to say
static void add_head_line(const Tune *tune, const char *lead,
                          void (*words)(const Tune *tune, SlText *out), SlText *out) {
    SlText line;
    sl_text_init(&line, tune->arena);
    sl_text_add(&line, "%s", lead);
    words(tune, &line);
    if (line.failed) command_no_memory();
    show_wrapped("", "  ", line.data, out);
}

static void network_words(const Tune *tune, SlText *out) {
    sl_text_add(out, "%s%s%s", tune->net.name, tune->net.title[0] ? ": " : "", tune->net.title);
}

static void add_header(const Tune *tune, SlText *out) {
    add_head_line(tune, "", network_words, out);
    add_head_line(tune, "on ", tune_target_words, out);
    add_head_line(tune, "by ", tune_method_words, out);
    if (tune->signal)
        sl_text_add(out, "INTERRUPTED: the best so far; the same command again finishes it\n");
    sl_text_add(out, "\n");
}

// ---- a line per layer ----

static void add_layers(const Tune *tune, SlText *out) {
    TextTable table;
    tune_layer_table(tune, &table);
    table_draw(&table, out);
    show_wrapped("", "", tune_layer_legend(tune), out);
}

static void add_schedules(const Tune *tune, SlText *out) {
    int widest = 0;
    for (int i = 0; i < tune->n_layers; i++) {
        int n =
            tune_has_result(&tune->layers[i]) ? show_columns(tune->layers[i].job->layer->name) : 0;
        if (n > widest) widest = n < 24 ? n : 24;
    }
    if (!widest) return;
    sl_text_add(out, "\nSchedules\n");
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        char knobs[LINE_ROOM], lead[128], blank[64];
        if (!tune_has_result(layer)) continue;
        sl_space_show(sl_task_space(layer->job->task), layer->job->record.best.point, sizeof knobs,
                      knobs);
        int columns = show_columns(layer->job->layer->name);
        snprintf(lead, sizeof lead, "  %s%*s  ", layer->job->layer->name,
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
        if (!layer->job->reason[0]) continue;
        if (!any) sl_text_add(out, "\nLeft out, and not in the sums\n");
        any = true;
        snprintf(line, sizeof line, "%s: %s", layer->job->layer->name, layer->job->reason);
        show_wrapped("  ", "    ", line, out);
    }
}

// ---- sums ----

static void add_total(const Tune *tune, SlText *out) {
    TuneSums sums;
    char seconds[SHOW_ROOM], faster[SHOW_ROOM], rate[SHOW_ROOM], gops[SHOW_ROOM], count[32],
        failures[32];
    char line[LINE_ROOM];
    tune_sums(tune, &sums);
    sl_text_add(out, "\n");
    if (isfinite(sums.seconds)) {
        double batch = (double)tune->options->batch;
        int used = snprintf(line, sizeof line, "Total: ");
        if (tune_is_vta(tune))
            used += snprintf(line + used, sizeof line - (size_t)used, "%s cycles, ",
                             sl_show_count(sums.value, count));
        used += snprintf(line + used, sizeof line - (size_t)used,
                         "%s for %lld image%s: ", show_seconds(sums.seconds, seconds),
                         (long long)tune->options->batch, batch > 1 ? "s" : "");
        used += snprintf(line + used, sizeof line - (size_t)used, "%s images/s, %s GOP/s",
                         show_rate(batch / sums.seconds, rate),
                         show_rate(2e-9 * sums.macs / sums.seconds, gops));
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
    double fill = sl_vta_fill(core, &tune->vta.budget, &which);
    sl_vta_resources(core, tune->vta.budget.lut ? tune->vta.budget.dsp : 0, &needs);
    int used =
        snprintf(line, sizeof line, "Core %s: %lld MACs, %d DSP, %d LUT, %d BRAM36, %s of SRAM",
                 tune_core_name(core, name), (long long)needs.macs, needs.dsp, needs.lut,
                 needs.bram36_total, sl_show_bytes((double)needs.sram_bytes, bytes));
    if (fill > 0)
        snprintf(line + used, sizeof line - (size_t)used, "; %.80s: %s of the %s",
                 tune->options->resources ? tune->options->resources : "limits as the core given",
                 show_share(fill, share), which);
    show_wrapped("", "  ", line, out);
}

static void add_core(const Tune *tune, SlText *out) {
    const SlVtaCore *core = tune_core_found(tune);
    if (core) add_resources(tune, core, out);
    if (!tune_is_vta(tune) && tune->peak_gops > 0)
        sl_text_add(out, "Peak of one core: %.3g GOP/s\n", tune->peak_gops);
}

// ---- cores of a network ----

static void add_cores(const Tune *tune, SlText *out) {
    TextTable table;
    SlText line;
    sl_text_add(out, "Cores: %d fit; by the drafts of all schedules, and as tuned\n",
                tune->n_cores);
    tune_core_table(tune, &table);
    table_draw(&table, out);
    sl_text_init(&line, tune->arena);
    tune_preferred_words(tune, &line);
    show_wrapped("", "  ", line.data, out);
    sl_text_add(out, "\n");
}

void tune_text(const Tune *tune, SlText *out) {
    add_header(tune, out);
    if (tune->shortlist) add_cores(tune, out);
    add_layers(tune, out);
    add_schedules(tune, out);
    add_left_out(tune, out);
    add_total(tune, out);
    add_core(tune, out);
}
