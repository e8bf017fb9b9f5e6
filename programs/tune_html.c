// tune_html.c - what `starling tune` found as one self-contained page: sums, a table of layers,
// where the time goes, the best so far, knobs with links to the programs, the core. No times of
// this run: the same run gives the same page.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page_bars.h"
#include "tune_show.h"

enum { TITLE_ROOM = 256, MAX_COLUMNS = 4 * SL_MAX_PARAMS };

// ---- top of the page ----

static void add_title(const Tune *tune, SlText *out) {
    const SlNetwork *net = &tune->net;
    const SlVtaCore *core = tune_core_found(tune);
    char title[TITLE_ROOM], name[SHOW_ROOM] = "";
    bool one = net->n_layers == 1, inside = one && strcmp(net->name, "inline") != 0;
    if (core) tune_core_name(core, name);
    snprintf(title, sizeof title, "%s%s%s on %s%s%s", inside ? net->name : "", inside ? ":" : "",
             one ? net->layers[0].name : net->name, tune_is_vta(tune) ? "vta" : "this cpu",
             core ? " " : "", name);
    sl_page_begin(title, out);
}

static void add_head(const Tune *tune, SlText *out) {
    SlText words;
    add_title(tune, out);
    if (tune->net.title[0]) {
        sl_text_add(out, "<p>");
        sl_page_text(tune->net.title, out);
        sl_text_add(out, "</p>\n");
    }
    sl_text_init(&words, tune->arena);
    sl_text_add(&words, "Tuned for ");
    tune_target_words(tune, &words);
    sl_text_add(&words, " · by ");
    tune_method_words(tune, &words);
    sl_text_add(out, "<p>");
    sl_page_text(words.data, out);
    sl_text_add(out, "</p>\n");
    if (tune->signal)
        sl_text_add(out, "<p class=\"warn\">Interrupted: the best so far; the same command again "
                         "finishes it.</p>\n");
}

// ---- sums ----

// how far from the optimum, where that was proven
static void add_optimum_card(const Tune *tune, SlText *out) {
    int proven = 0, optimal = 0;
    double most = 0;
    char value[SHOW_ROOM], share[SHOW_ROOM];
    for (int i = 0; i < tune->n_layers; i++) {
        double regret = tune_regret(&tune->layers[i]);
        if (isnan(regret)) continue;
        proven++;
        optimal += regret <= 0;
        most = fmax(most, regret);
    }
    if (proven == 0) return;
    if (tune->n_layers == 1) {
        snprintf(value, sizeof value, "+%s", show_share(most, share));
        sl_page_card(out, "Above best", most > 0 ? value : "optimal", "proven for the space");
        return;
    }
    snprintf(value, sizeof value, "%d of %d", optimal, proven);
    if (most > 0)
        sl_page_card(out, "Optimal", value, "that are proven; others up to +%s",
                     show_share(most, share));
    else
        sl_page_card(out, "Optimal", value, "that are proven");
}

static void add_time_cards(const Tune *tune, const TuneSums *sums, SlText *out) {
    double batch = (double)tune->options->batch, gops = 2e-9 * sums->macs / sums->seconds;
    char text[SHOW_ROOM], share[SHOW_ROOM], count[32];
    show_seconds(sums->seconds, text);
    if (tune_is_vta(tune))
        sl_page_card(out, "Time", text, "%s cycles at %g MHz", sl_show_count(sums->value, count),
                     tune->core.timing.clock_mhz);
    else
        sl_page_card(out, "Time", text, "measured on this processor");
    sl_page_card(out, "Images", show_rate(batch / sums->seconds, text), "per second, batch %lld",
                 (long long)tune->options->batch);
    show_rate(gops, text);
    if (!tune_is_vta(tune) && tune->peak_gops > 0)
        sl_page_card(out, "GOP/s", text, "%s of the peak",
                     show_share(tune_peak_share(tune, gops), share));
    else
        sl_page_card(out, "GOP/s", text, "%s MACs", sl_show_short(sums->macs, count));
    if (isfinite(sums->untuned))
        sl_page_card(out, "Speed-up", show_multiple(sums->untuned / sums->seconds, text),
                     "untuned: %s", show_seconds(sums->untuned, share));
}

static void add_cards(const Tune *tune, SlText *out) {
    TuneSums sums;
    char count[32], failures[32];
    tune_sums(tune, &sums);
    if (!isfinite(sums.seconds))
        sl_text_add(out, "<p class=\"warn\">Not every layer has a schedule.</p>\n");
    sl_text_add(out, "<section class=\"cards\">\n");
    if (isfinite(sums.seconds)) add_time_cards(tune, &sums, out);
    add_optimum_card(tune, out);
    sl_page_card(out, "Measurements", sl_show_count((double)sums.measurements, count),
                 "of which %s without a program", sl_show_count((double)sums.failures, failures));
    sl_text_add(out, "</section>\n");
}

// ---- layers ----

static void add_table(const TextTable *table, SlText *out) {
    sl_table_html(table->table, out);
    if (out->failed) command_no_memory();
}

static void add_layers(const Tune *tune, SlText *out) {
    TextTable table;
    tune_layer_table(tune, &table);
    sl_text_add(out, "<h2>Layers</h2>\n<p>");
    sl_page_text(tune_layer_legend(tune), out);
    sl_text_add(out, "</p>\n");
    add_table(&table, out);
}

static void add_left_out(const Tune *tune, SlText *out) {
    bool any = false;
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        if (!layer->job->reason[0]) continue;
        sl_text_add(out, any ? "; " : "<p>Left out, and not in the sums: ");
        any = true;
        sl_page_text(layer->job->layer->name, out);
        sl_text_add(out, " (");
        sl_page_text(layer->job->reason, out);
        sl_text_add(out, ")");
    }
    if (any) sl_text_add(out, ".</p>\n");
}

// of the time of a layer: what its multiply-accumulates would take with nothing to wait for
static double busy_share(const Tune *tune, const TuneLayer *layer) {
    if (tune_is_vta(tune)) {
        double cycles = layer->time.utilisation * layer->best.value;
        return cycles / (tune->core.timing.clock_mhz * 1e6) / layer->best.seconds;
    }
    return fmin(1, tune_peak_share(tune, tune_gops(layer, layer->best.seconds)));
}

static double whole_seconds(const TuneLayer *layer) {
    return tune_has_result(layer) ? layer->job->count * layer->best.seconds : 0;
}

// all layers of a shape together
static void add_time_chart(const Tune *tune, SlText *out) {
    double most = 0;
    for (int i = 0; i < tune->n_layers; i++) most = fmax(most, whole_seconds(&tune->layers[i]));
    if (most <= 0 || tune->n_layers < 2) return;
    sl_text_add(out, "<h2>Where the time goes</h2>\n<p>All layers of a shape together.</p>\n"
                     "<div class=\"key\">");
    sl_page_key(out, "floor", "multiplying at full rate");
    sl_page_key(out, "above", "the rest");
    sl_text_add(out, "</div>\n");
    page_bars_begin(out);
    for (int i = 0; i < tune->n_layers; i++) {
        const TuneLayer *layer = &tune->layers[i];
        double seconds = whole_seconds(layer), busy = busy_share(tune, layer);
        char text[SHOW_ROOM];
        if (seconds <= 0) continue;
        if (!(busy > 0)) busy = 0;
        page_bar_begin(layer->job->layer->name, seconds / most, out);
        show_seconds(busy * seconds, text);
        page_bar_piece("floor", "multiplying at full rate", text, busy, out);
        show_seconds((1 - busy) * seconds, text);
        page_bar_piece("above", "the rest", text, 1 - busy, out);
        page_bar_end(show_seconds(seconds, text), out);
    }
    page_bars_end(out);
}

static void add_curves(const Tune *tune, const SlText *svg, SlText *out) {
    if (svg->n == 0) return;
    bool proven = false;
    for (int i = 0; i < tune->n_layers; i++) proven |= !isnan(tune_regret(&tune->layers[i]));
    sl_text_add(out, "<h2>How it was approached</h2>\n<figure class=\"wide\"><div "
                     "class=\"picture\" tabindex=\"0\">\n");
    sl_text_put(out, svg->data, svg->n);
    sl_text_add(out,
                "</div><figcaption>The best of the measurements so far.%s</figcaption>"
                "</figure>\n",
                proven ? " Dashed: the proven optimum of the space." : "");
}

// ---- knobs ----

// Every knob that a layer has, by the agent that turns it.
typedef struct {
    int n;
    const SlParam *knobs[MAX_COLUMNS];
} Columns;

static bool has_column(const Columns *columns, const char *name) {
    for (int c = 0; c < columns->n; c++)
        if (strcmp(columns->knobs[c]->name, name) == 0) return true;
    return false;
}

static void list_columns(const Tune *tune, Columns *columns) {
    columns->n = 0;
    for (int agent = 0; agent < SL_N_PROFESSIONS; agent++) {
        for (int i = 0; i < tune->n_layers; i++) {
            if (!tune_has_result(&tune->layers[i])) continue;
            const SlSpace *knobs = sl_task_space(tune->layers[i].job->task);
            for (int k = 0; k < knobs->n_params && columns->n < MAX_COLUMNS; k++)
                if ((int)sl_param_profession(&knobs->params[k]) == agent &&
                    !has_column(columns, knobs->params[k].name))
                    columns->knobs[columns->n++] = &knobs->params[k];
        }
    }
}

// whose knobs they are: "Knobs of hardware: block_in; of scheduling: ..."
static void add_agents(const Columns *columns, SlText *out) {
    const char *lead = "Knobs of";
    for (int agent = 0; agent < SL_N_PROFESSIONS; agent++) {
        bool any = false;
        for (int c = 0; c < columns->n; c++) {
            if ((int)sl_param_profession(columns->knobs[c]) != agent) continue;
            if (!any) sl_text_add(out, "%s %s: ", lead, sl_profession_names[agent]);
            sl_text_add(out, "%s<code>%s</code>", any ? ", " : "", columns->knobs[c]->name);
            any = true;
        }
        if (any) lead = "; of";
    }
    sl_text_add(out, ".");
}

static void add_knob_row(const Tune *tune, int i, const Columns *columns, SlText *out) {
    const TuneLayer *layer = &tune->layers[i];
    const SlSpace *knobs = sl_task_space(layer->job->task);
    char file[TUNE_FILE_ROOM];
    sl_text_add(out, "<tr>");
    sl_page_cell(out, true, layer->job->layer->name);
    for (int c = 0; c < columns->n; c++) {
        int k = 0;
        while (k < knobs->n_params && strcmp(knobs->params[k].name, columns->knobs[c]->name) != 0)
            k++;
        if (k < knobs->n_params)
            sl_text_add(out, "<td>%d</td>",
                        (int)knobs->params[k].sizes[layer->job->record.best.point[k]]);
        else
            sl_text_add(out, "<td>-</td>");
    }
    tune_program_name(tune, i, file);
    sl_text_add(out, "<td class=\"t\"><a href=\"%s\">%s</a></td></tr>\n", file,
                tune_is_vta(tune) ? "instructions" : "C program");
}

static void add_knobs(const Tune *tune, SlText *out) {
    Columns columns;
    list_columns(tune, &columns);
    if (columns.n == 0) return;
    sl_text_add(out, "<h2>Schedules</h2>\n<p>");
    add_agents(&columns, out);
    sl_text_add(out, "</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"named\">\n<thead>"
                     "<tr><th class=\"t\">layer</th>");
    for (int c = 0; c < columns.n; c++) sl_text_add(out, "<th>%s</th>", columns.knobs[c]->name);
    sl_text_add(out, "<th class=\"t\">program</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < tune->n_layers; i++)
        if (tune_has_result(&tune->layers[i])) add_knob_row(tune, i, &columns, out);
    sl_text_add(out, "</tbody></table></div>\n");
}

// ---- the core ----

// what the core needs of one thing, and how full its limit is; fill < 0: there is none
static void add_need(const char *name, const char *need, const char *have, double fill,
                     SlText *out) {
    char share[SHOW_ROOM];
    if (fill >= 0)
        sl_page_card(out, name, need, "%s of %s", show_share(fill, share), have);
    else
        sl_page_card(out, name, need, "no limit");
}

static void add_resources(const Tune *tune, const SlVtaCore *core, SlText *out) {
    const SlVtaBudget *budget = &tune->vta.budget;
    SlVtaResources needs;
    char need[32], have[32];
    sl_vta_resources(core, budget->lut ? budget->dsp : 0, &needs);
    const struct {
        const char *name;
        double need, have;
    } rows[] = {{"MACs", (double)needs.macs, (double)budget->macs},
                {"DSP", needs.dsp, budget->dsp},
                {"LUT of multipliers", needs.lut, budget->lut},
                {"BRAM36", needs.bram36_total, budget->bram36}};
    sl_text_add(out, "<section class=\"cards\">\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_need(rows[i].name, sl_show_count(rows[i].need, need), sl_show_count(rows[i].have, have),
                 rows[i].have > 0 ? rows[i].need / rows[i].have : -1, out);
    double sram = (double)needs.sram_bytes, room = (double)budget->sram_bytes;
    add_need("SRAM", sl_show_bytes(sram, need), sl_show_bytes(room, have),
             room > 0 ? sram / room : -1, out);
    sl_text_add(out, "</section>\n");
}

static void add_core(const Tune *tune, SlText *out) {
    const SlVtaCore *core = tune_core_found(tune);
    const char *resources = tune->options->resources;
    char name[SHOW_ROOM], whole[96];
    if (!core) return;
    sl_text_add(out, "<h2>Core %s</h2>\n<p><code>%s</code>", tune_core_name(core, name),
                sl_vta_core_write(core, sizeof whole, whole));
    if (sl_vta_fill(core, &tune->vta.budget, NULL) > 0) {
        sl_text_add(out, " · limits: ");
        sl_page_text(resources ? resources : "what the core given needs", out);
    }
    sl_text_add(out, "</p>\n");
    add_resources(tune, core, out);
}

// the cores that a network was tuned on, or might have been
static void add_cores(const Tune *tune, SlText *out) {
    TextTable table;
    SlText words;
    sl_text_add(out,
                "<h2>Other cores</h2>\n<p>%d fit. By the drafts of all schedules, and as "
                "tuned; the least sum wins.</p>\n",
                tune->n_cores);
    tune_core_table(tune, &table);
    add_table(&table, out);
    sl_text_init(&words, tune->arena);
    tune_preferred_words(tune, &words);
    sl_text_add(out, "<p>");
    sl_page_text(words.data, out);
    sl_text_add(out, "</p>\n");
}

// as the system calls it, "" if it does not
static void processor_name(size_t n, char *out) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = '\0';
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, n, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file) fclose(file);
    clean_text(out);
}

static void add_processor(const Tune *tune, SlText *out) {
    int threads = tune_threads(tune);
    char name[256];
    processor_name(sizeof name, name);
    sl_text_add(out, "<h2>Processor</h2>\n<p>");
    sl_page_text(name, out);
    sl_text_add(out, "%s%d thread%s · ", name[0] ? " · " : "", threads, threads == 1 ? "" : "s");
    if (tune->peak_gops > 0)
        sl_text_add(out, "peak of a core, as just measured: %.3g GOP/s.", tune->peak_gops);
    else
        sl_text_add(out, "its peak is not known.");
    sl_text_add(out, " Times are those of one machine on one day.</p>\n");
}

// ---- files ----

static void add_files(const Tune *tune, SlText *out) {
    static const char *const names[] = {"tune.json", "tune.txt", "curves.svg", "schedules/",
                                        "programs/"};
    sl_text_add(out, "<h2>Files</h2>\n<nav class=\"contents\">");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sl_text_add(out, "<a href=\"%s\">%s</a>\n", names[i], names[i]);
    if (!tune->options->log) sl_text_add(out, "<a href=\"log.jsonl\">log.jsonl</a>\n");
    sl_text_add(out, "</nav>\n");
    if (!tune->options->log) return;
    sl_text_add(out, "<p>Measurements: <code>");
    sl_page_text(tune->options->log, out);
    sl_text_add(out, "</code></p>\n");
}

void tune_page(const Tune *tune, const SlText *curves, SlText *out) {
    add_head(tune, out);
    add_cards(tune, out);
    add_layers(tune, out);
    add_left_out(tune, out);
    add_time_chart(tune, out);
    add_curves(tune, curves, out);
    add_knobs(tune, out);
    add_core(tune, out);
    if (tune->shortlist) add_cores(tune, out);
    if (!tune_is_vta(tune)) add_processor(tune, out);
    add_files(tune, out);
    sl_page_end(NULL, out);
    if (out->failed) command_no_memory();
}
