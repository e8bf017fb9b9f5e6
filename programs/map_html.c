// map_html.c - what `starling map` found as one self-contained page: sums, how it was approached, a
// table with the curve of every layer, where time and energy go, the loop nests.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "proof_show.h"
#include "show.h"
#include "starling/report.h"

enum { N_CURVE = 160, SPARK_WIDTH = 64, SPARK_HEIGHT = 18 };

static void add_head(const Map *map, SlText *out) {
    const MapOptions *options = map->options;
    char title[EVALUATION_TITLE_ROOM], goal[256], count[32];
    sl_page_begin(evaluation_title(&map->eval, title), out);
    sl_text_add(out, "<p>");
    sl_page_text(map->eval.net.title, out);
    sl_text_add(out, "%s", map->eval.net.title[0] ? " · " : "");
    sl_page_text(map->eval.accel.title, out);
    sl_text_add(out, "</p>\n<p>Mapped for %s by %s", sl_goal_text(&map->goal, sizeof goal, goal),
                map->method->name);
    if (map->samples > 0)
        sl_text_add(out, " · %s samples%s", sl_show_count((double)map->samples, count),
                    map->n_layers > 1 ? " per distinct layer" : "");
    if (options->time > 0) sl_text_add(out, " · %g seconds", options->time);
    if (map_is_maestro(map)) sl_text_add(out, " · model maestro behind the strict guard");
    if (map->prove && map_uncovered(map))
        sl_text_add(out, " · without a proof");
    else if (map->prove)
        sl_text_add(out, " · proven to %g %%", 100 * map->epsilon);
    if (options->space.constraints) {
        sl_text_add(out, " · constraints ");
        sl_page_text(map->constraints.name, out);
    }
    sl_text_add(out, " · seed %lld</p>\n", (long long)options->seed);
    if (map->signal) sl_text_add(out, "<p class=\"warn\">Interrupted: the best so far.</p>\n");
}

// ---- sums ----

static const char *compared(double base, double found, char out[static SHOW_ROOM]) {
    char text[SHOW_ROOM];
    show_compared(base, found, text);
    snprintf(out, SHOW_ROOM, "%.40s %s default", text, strchr(text, '%') ? "than" : "as");
    return out;
}

// the largest proven gap; "-" where a layer has no bound
static void add_proof_card(const Map *map, SlText *out) {
    char gap[SHOW_ROOM];
    double most = 0;
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        most = layer_has_bound(layer) ? fmax(most, layer->job->proof.gap) : INFINITY;
        if (isinf(most)) break;
    }
    sl_page_card(out, "Proven gap", show_gap(most, gap), "%s from the optimum of the space at most",
                 map->n_layers > 1 ? "every layer" : "the mapping");
}

static void add_proof_words(const Map *map, SlText *out) {
    SlText words;
    sl_text_init(&words, map->arena);
    add_proof_counts(map, &words);
    sl_text_add(&words, ". Lower bounds hold for every mapping of the space (");
    add_proof_space(map, &words);
    sl_text_add(&words, "); certificates/ has what it takes to check them: starling verify.");
    if (words.failed) command_no_memory();
    sl_text_add(out, "<p>Proven: ");
    sl_page_text(words.data, out);
    sl_text_add(out, "</p>\n");
}

// MAESTRO's numbers, those of the native model beside them
static void add_maestro_cards(const Map *map, SlText *out) {
    const SlNetworkCost *exact = &map->eval.totals;
    SlNetworkCost sums = maestro_sums(map);
    double clock = map->eval.accel.clock_mhz;
    char a[SHOW_ROOM], b[SHOW_ROOM];
    sl_text_add(out, "<section class=\"cards\">\n");
    sl_page_card(
        out, "Latency", show_seconds(evaluation_seconds(&map->eval, sums.latency_cycles), a),
        "native model: %s", show_seconds(evaluation_seconds(&map->eval, exact->latency_cycles), b));
    sl_page_card(out, "Energy", show_energy(sums.energy_pj, a), "native model: %s",
                 show_energy(exact->energy_pj, b));
    show_edp(sl_network_cost_value(&sums, SL_EDP), clock, a);
    sl_page_card(out, "EDP", a, "native model: %s",
                 show_edp(sl_network_cost_value(exact, SL_EDP), clock, b));
    sl_page_card(out, "Latency floor",
                 show_multiple(sl_network_cost_multiple(&sums, SL_LATENCY), a),
                 "every lane of every PE busy is 1&nbsp;×");
    sl_page_card(out, "Samples", sl_show_count((double)map_samples(map), a), "%d distinct layer%s",
                 map->n_layers, map->n_layers == 1 ? "" : "s");
    sl_text_add(out, "</section>\n");
}

static void add_cards(const Map *map, SlText *out) {
    const SlNetworkCost *found = &map->eval.totals, *base = &map->base.totals;
    double seconds = evaluation_seconds(&map->eval, found->latency_cycles);
    char a[SHOW_ROOM], b[SHOW_ROOM], count[32];
    sl_text_add(out, "<section class=\"cards\">\n");
    sl_page_card(out, "Latency", show_seconds(seconds, a), "%s",
                 compared(base->latency_cycles, found->latency_cycles, b));
    sl_page_card(out, "Energy", show_energy(found->energy_pj, a), "%s",
                 compared(base->energy_pj, found->energy_pj, b));
    show_edp(sl_network_cost_value(found, SL_EDP), map->eval.accel.clock_mhz, a);
    sl_page_card(
        out, "EDP", a, "%s",
        compared(sl_network_cost_value(base, SL_EDP), sl_network_cost_value(found, SL_EDP), b));
    sl_page_card(out, "Latency floor",
                 show_multiple(sl_network_cost_multiple(found, SL_LATENCY), a),
                 "no mapping is below 1&nbsp;×");
    sl_page_card(out, "Energy floor", show_multiple(sl_network_cost_multiple(found, SL_ENERGY), a),
                 "no mapping is below 1&nbsp;×");
    if (map->prove) add_proof_card(map, out);
    if (!map->exact)
        sl_page_card(out, "Samples", sl_show_count((double)map_samples(map), count),
                     "%d distinct layer%s", map->n_layers, map->n_layers == 1 ? "" : "s");
    sl_text_add(out, "</section>\n");
    if (map->prove) add_proof_words(map, out);
}

// ---- curves ----

// sample numbers from 1 to `last`, evenly on a log scale
static double sample_at(int i, int n, double last) {
    return pow(last, (double)i / (n - 1)) * (1 + 1e-9);
}

static void add_curve(const Map *map, SlText *out) {
    double x[N_CURVE], y[N_CURVE], last = map_longest(map);
    int n = 0;
    for (int i = 0; i < N_CURVE; i++) {
        x[n] = sample_at(i, N_CURVE, last);
        y[n] = map_curve(map, x[n]);
        if (isfinite(y[n])) n++;
    }
    if (n < 2 || last < 2) return;
    SlCurve curve = {.name = map->method->name, .n = n, .x = x, .y = y, .steps = true};
    SlCurvePlot plot = {.n = 1,
                        .curves = &curve,
                        .title = "Best so far over the final result",
                        .x_label = map->n_layers > 1 ? "samples per layer" : "samples",
                        .y_label = map->n_layers > 1 ? "geometric mean over the layers" : "times",
                        .log_x = true,
                        .log_y = y[0] > 2};
    sl_text_add(out, "<h2>How it was approached</h2>\n<figure>\n");
    sl_draw_curves_svg(&plot, out);
    sl_text_add(out, "</figure>\n");
}

// the curve of one layer in a cell: from its first value down to its best
static void add_spark(const MapLayer *layer, SlText *out) {
    if (layer->job->record.n_curve == 0) {
        sl_text_add(out, "<td></td>");
        return;
    }
    double last = (double)layer->job->record.samples, best = layer->job->record.best.outcome.value;
    double top = layer->job->record.curve[0].value, span = log(top / best);
    sl_text_add(out,
                "<td><svg class=\"spark\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"img\" aria-label=\"best so far\"><path d=\"",
                SPARK_WIDTH, SPARK_HEIGHT, SPARK_WIDTH, SPARK_HEIGHT);
    bool begun = false;
    for (int i = 0; i < SPARK_WIDTH; i++) {
        double value = layer_best_at(layer, sample_at(i, SPARK_WIDTH, fmax(last, 2)));
        if (!isfinite(value)) continue;
        double share = span > 1e-9 ? log(value / best) / span : 0;
        sl_text_add(out, "%c%d %.1f", begun ? 'L' : 'M', i,
                    SPARK_HEIGHT - 2 - share * (SPARK_HEIGHT - 4));
        begun = true;
    }
    sl_text_add(out, "\"/></svg></td>");
}

// ---- table ----

// how far above the optimum the mapping is at most, or why that is not known to be little
static void add_proof_cell(const Map *map, const MapLayer *layer, SlText *out) {
    char text[SHOW_ROOM];
    sl_page_cell(out, true,
                 layer->job->proof.status == SL_PROOF_WITHIN
                     ? show_gap(layer->job->proof.gap, text)
                     : show_proof(&layer->job->proof, map->epsilon, text));
}

static void add_row(const Map *map, const MapLayer *layer, SlText *out) {
    const SlCost *cost = &layer->found->cost;
    double value = sl_goal_value(&map->goal, cost);
    char text[SHOW_ROOM], count[32];
    SlLayer single = evaluation_single(&map->eval, &layer->found->layer);
    sl_text_add(out, "<tr><td>%d</td>", layer->job->count);
    sl_page_cell(out, true, layer->found->layer.name);
    sl_page_cell(out, true, show_shape(&single, text));
    sl_page_cell(out, false, sl_show_count(cost->latency_cycles, count));
    sl_page_cell(out, false, show_energy(cost->energy_pj, text));
    sl_page_cell(out, false,
                 show_edp(sl_cost_value(cost, SL_EDP), map->eval.accel.clock_mhz, text));
    sl_page_cell(out, false, show_share(cost->utilisation, text));
    sl_page_cell(out, false,
                 show_multiple(value / sl_goal_floor(&map->goal, &layer->found->floor), text));
    sl_page_cell(out, false, show_multiple(map_gain(map, layer), text));
    if (map->prove) add_proof_cell(map, layer, out);
    sl_page_cell(out, true, show_binder(&map->eval.accel, cost->binder, text));
    if (map_samples_differ(map))
        sl_page_cell(out, false, sl_show_count((double)layer->job->record.samples, count));
    if (!map->exact) add_spark(layer, out);
    sl_text_add(out, "</tr>\n");
}

static void add_foot(const Map *map, SlText *out) {
    const SlNetworkCost *totals = &map->eval.totals;
    double value = map_total(map, &map->eval);
    char text[SHOW_ROOM], count[32];
    sl_text_add(out, "</tbody>\n<tfoot><tr><td>%d</td>", map->eval.net.n_layers);
    sl_text_add(out, "<td class=\"t\">total</td><td class=\"t\">%s MACs</td>",
                sl_show_short(totals->macs, count));
    sl_page_cell(out, false, sl_show_count(totals->latency_cycles, count));
    sl_page_cell(out, false, show_energy(totals->energy_pj, text));
    sl_page_cell(out, false,
                 show_edp(sl_network_cost_value(totals, SL_EDP), map->eval.accel.clock_mhz, text));
    sl_page_cell(out, false, show_share(totals->utilisation, text));
    sl_page_cell(out, false, show_multiple(map_total_multiple(map), text));
    sl_page_cell(out, false, show_multiple(map_total(map, &map->base) / value, text));
    if (map->prove) sl_page_cell(out, true, show_gap(map_total_gap(map), text));
    sl_text_add(out, "<td></td>");
    if (map_samples_differ(map))
        sl_page_cell(out, false, sl_show_count((double)map_samples(map), count));
    sl_text_add(out, "%s</tr></tfoot></table></div>\n", map->exact ? "" : "<td></td>");
}

static void add_table(const Map *map, SlText *out) {
    char goal[256];
    sl_text_add(out,
                "<h2>Layers</h2>\n<p>n: times in the network; the numbers are those of one. × "
                "floor: %s over the least any mapping needs. Gain: over the default mapping. "
                "%s</p>\n"
                "<div class=\"scroll\"><table>\n<thead><tr><th>n</th><th class=\"t\">layer</th>"
                "<th class=\"t\">shape</th><th>cycles</th><th>energy</th><th>EDP</th>"
                "<th>util</th><th>× floor</th><th>gain</th>%s<th class=\"t\">bound by</th>"
                "%s%s</tr></thead>\n<tbody>\n",
                sl_goal_text(&map->goal, sizeof goal, goal),
                map->exact ? "" : "Curve: best so far over samples, both on log scales.",
                map->prove ? "<th class=\"t\">proven gap</th>" : "",
                map_samples_differ(map) ? "<th>samples</th>" : "",
                map->exact ? "" : "<th>curve</th>");
    for (int i = 0; i < map->n_layers; i++) add_row(map, &map->layers[i], out);
    add_foot(map, out);
}

// one layer: the report, which draws its nest
static void add_report(const SlText *report, SlText *out) {
    sl_text_add(out, "<h2>Report</h2>\n<pre>");
    sl_page_text(report->data, out);
    sl_text_add(out, "</pre>\n");
}

// charts would be those of another model
static void add_maestro_page(const Map *map, const SlText *report, SlText *out) {
    add_maestro_cards(map, out);
    add_curve(map, out);
    add_report(report, out);
    if (map->eval.net.n_layers > 1) add_nests(&map->eval, out);
    sl_page_end("Numbers of MAESTRO's model, as far as they are physical.", out);
}

void add_map_page(const Map *map, const SlText *report, SlText *out) {
    bool network = map->eval.net.n_layers > 1;
    add_head(map, out);
    if (map_is_maestro(map)) {
        add_maestro_page(map, report, out);
        return;
    }
    add_cards(map, out);
    if (!map->exact) add_curve(map, out);
    if (network) {
        add_table(map, out);
        add_latency_chart(&map->eval, out);
    }
    add_energy_chart(&map->eval, out);
    if (network)
        add_nests(&map->eval, out);
    else
        add_report(report, out);
    sl_page_end(COUNTS_NOTE, out);
}
