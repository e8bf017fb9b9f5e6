// eval_html.c - an evaluation as one self-contained page: totals, bars, a table, the loop nests.
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "page_bars.h"
#include "show.h"
#include "starling/report.h"

// ---- top of the page ----

static void add_head(const Evaluation *eval, SlText *out) {
    char title[EVALUATION_TITLE_ROOM];
    sl_page_begin(evaluation_title(eval, title), out);
    sl_text_add(out, "<p>");
    sl_page_text(eval->net.title, out);
    sl_text_add(out, "%s", eval->net.title[0] ? " · " : "");
    sl_page_text(eval->accel.title, out);
    sl_text_add(out, " · %s mapping%s</p>\n", eval->mapping_from,
                strcmp(eval->mapping_from, "default") == 0 ? ", no search" : "");
    if (eval->totals.n_unfit > 0)
        sl_text_add(out, "<p class=\"warn\">Does not fit this accelerator: %d of %d layers.</p>\n",
                    eval->totals.n_unfit, eval->net.n_layers);
}

static void add_cards(const Evaluation *eval, SlText *out) {
    const SlNetworkCost *totals = &eval->totals;
    double seconds = evaluation_seconds(eval, totals->latency_cycles);
    double batch = (double)eval->options->batch;
    char a[SHOW_ROOM], b[SHOW_ROOM], macs[32], count[32];
    sl_text_add(out, "<section class=\"cards\">\n");
    sl_page_card(out, "Latency", show_seconds(seconds, a), "%s cycles at %.6g MHz",
                 sl_show_count(totals->latency_cycles, count), eval->accel.clock_mhz);
    snprintf(a, sizeof a, "%.40s/s", show_rate(batch / seconds, b));
    sl_page_card(out, "Inferences", a, "batch %lld", (long long)eval->options->batch);
    sl_page_card(out, "Energy", show_energy(totals->energy_pj, a), "%s on average",
                 show_power(totals->power_mw, b));
    sl_page_card(out, "Utilisation", show_share(totals->utilisation, a), "of %s MACs",
                 sl_show_count((double)sl_accel_macs(&eval->accel), macs));
    sl_page_card(out, "Latency floor",
                 show_multiple(sl_network_cost_multiple(totals, SL_LATENCY), a),
                 "no mapping is below 1&nbsp;×");
    sl_page_card(out, "Energy floor", show_multiple(sl_network_cost_multiple(totals, SL_ENERGY), a),
                 "no mapping is below 1&nbsp;×");
    sl_text_add(out, "</section>\n");
}

// ---- charts ----

// Places that energy goes to: the levels, all networks together, the MACs.
enum { MAX_PLACES = SL_MAX_LEVELS + 2 };

typedef struct {
    char color[16]; // of the style sheet
    const char *name;
} Place;

static int list_places(const SlAccel *accel, Place places[static MAX_PLACES]) {
    int n = 0;
    for (; n < accel->n_levels; n++) {
        places[n].name = accel->levels[n].name;
        snprintf(places[n].color, sizeof places[n].color, "c%d", n);
    }
    places[n++] = (Place){"net", "networks"};
    places[n++] = (Place){"mac", "MACs"};
    return n;
}

static double place_pj(const Evaluation *eval, const Priced *priced, int place) {
    const SlBreakdown *parts = &priced->parts;
    int n = eval->accel.n_levels;
    double sum = 0;
    if (place > n) return parts->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (place < n) sum += parts->level_pj[place][t];
        for (int l = 0; l < n && place == n; l++) sum += parts->link_pj[l][t];
    }
    return sum;
}

void add_energy_chart(const Evaluation *eval, SlText *out) {
    Place places[MAX_PLACES];
    char text[SHOW_ROOM];
    int n = list_places(&eval->accel, places);
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.energy_pj > most) most = eval->layers[i]->cost.energy_pj;
    sl_text_add(out, "<h2>Energy by layer</h2>\n<div class=\"key\">");
    for (int p = 0; p < n; p++) sl_page_key(out, places[p].color, places[p].name);
    sl_text_add(out, "</div>\n");
    page_bars_begin(out);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double whole = priced->cost.energy_pj;
        page_bar_begin(eval->net.layers[i].name, whole / most, out);
        for (int p = 0; p < n; p++) {
            double pj = place_pj(eval, priced, p);
            page_bar_piece(places[p].color, places[p].name, show_energy(pj, text), pj / whole, out);
        }
        page_bar_end(show_energy(whole, text), out);
    }
    page_bars_end(out);
}

void add_latency_chart(const Evaluation *eval, SlText *out) {
    char text[SHOW_ROOM];
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.latency_cycles > most)
            most = eval->layers[i]->cost.latency_cycles;
    sl_text_add(out, "<h2>Latency by layer</h2>\n<div class=\"key\">");
    sl_page_key(out, "floor", "floor: no mapping is faster");
    sl_page_key(out, "above", "above the floor");
    sl_text_add(out, "</div>\n");
    page_bars_begin(out);
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double cycles = priced->cost.latency_cycles, least = priced->floor.value[SL_LATENCY];
        page_bar_begin(eval->net.layers[i].name, cycles / most, out);
        page_bar_piece("floor", "floor", show_seconds(evaluation_seconds(eval, least), text),
                       least / cycles, out);
        show_seconds(evaluation_seconds(eval, cycles - least), text);
        page_bar_piece("above", "above the floor", text, 1 - least / cycles, out);
        page_bar_end(show_seconds(evaluation_seconds(eval, cycles), text), out);
    }
    page_bars_end(out);
}

// ---- table ----

static void add_table_row(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    const SlCost *cost = &priced->cost;
    SlObjective objective = (SlObjective)eval->options->objective;
    char text[SHOW_ROOM], count[32];
    SlLayer single = evaluation_single(eval, &priced->layer);
    sl_text_add(out, "<tr><td>%d</td>", i + 1);
    sl_page_cell(out, true, eval->net.layers[i].name);
    sl_page_cell(out, true, show_shape(&single, text));
    sl_page_cell(out, false, sl_show_short(cost->counts.macs, count));
    sl_page_cell(out, false, sl_show_count(cost->latency_cycles, count));
    sl_page_cell(out, false, show_energy(cost->energy_pj, text));
    sl_page_cell(out, false, show_edp(sl_cost_value(cost, SL_EDP), eval->accel.clock_mhz, text));
    sl_page_cell(out, false, show_share(priced_utilisation(priced), text));
    sl_page_cell(out, false, show_multiple(priced_multiple(priced, objective), text));
    if (priced->fit.n)
        sl_text_add(out, "<td class=\"t warn\">does not fit</td>");
    else
        sl_page_cell(out, true, show_binder(&eval->accel, cost->binder, text));
    sl_text_add(out, "</tr>\n");
}

static void add_table(const Evaluation *eval, SlText *out) {
    const SlNetworkCost *totals = &eval->totals;
    SlObjective objective = (SlObjective)eval->options->objective;
    char text[SHOW_ROOM], count[32];
    sl_text_add(out,
                "<h2>Layers</h2>\n<p>Shapes: K×C P×Q R×S /stride, or M×N×K. × floor: %s over "
                "the least any mapping needs.</p>\n<div class=\"scroll\"><table>\n<thead><tr>"
                "<th>#</th><th class=\"t\">layer</th><th class=\"t\">shape</th><th>MACs</th>"
                "<th>cycles</th><th>energy</th><th>EDP</th><th>utilisation</th><th>× floor</th>"
                "<th class=\"t\">bound by</th></tr></thead>\n<tbody>\n",
                sl_objective_names[objective]);
    for (int i = 0; i < eval->net.n_layers; i++) add_table_row(eval, i, out);
    sl_text_add(out,
                "</tbody>\n<tfoot><tr><td></td><td class=\"t\">total</td><td class=\"t\">%d "
                "distinct</td>",
                eval->n_distinct);
    sl_page_cell(out, false, sl_show_short(totals->macs, count));
    sl_page_cell(out, false, sl_show_count(totals->latency_cycles, count));
    sl_page_cell(out, false, show_energy(totals->energy_pj, text));
    sl_page_cell(out, false,
                 show_edp(sl_network_cost_value(totals, SL_EDP), eval->accel.clock_mhz, text));
    sl_page_cell(out, false, show_share(totals->utilisation, text));
    sl_page_cell(out, false, show_multiple(sl_network_cost_multiple(totals, objective), text));
    sl_text_add(out, "<td></td></tr></tfoot></table></div>\n");
}

// ---- loop nests ----

static void add_nest(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    char nest[SL_NEST_TEXT_MAX];
    SlText drawing;
    sl_text_init(&drawing, eval->arena);
    sl_mapping_draw(&priced->layer, &eval->accel, &priced->mapping, &drawing);
    if (drawing.failed) command_no_memory();
    sl_text_add(out, "<details><summary>");
    sl_page_text(eval->net.layers[i].name, out);
    sl_text_add(out, " <span>");
    sl_page_text(sl_mapping_write(&priced->mapping, sizeof nest, nest), out);
    sl_text_add(out, "</span></summary><pre>");
    sl_page_text(drawing.data, out);
    sl_text_add(out, "</pre></details>\n");
}

void add_nests(const Evaluation *eval, SlText *out) {
    sl_text_add(out, "<h2>Loop nests</h2>\n<p>One per distinct layer.</p>\n");
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) seen = eval->layers[j] == eval->layers[i];
        if (!seen) add_nest(eval, i, out);
    }
}

// a network: the nest of every distinct layer; one layer: its whole report
static void add_details(const Evaluation *eval, const SlText *report, SlText *out) {
    if (eval->net.n_layers > 1) {
        add_nests(eval, out);
        return;
    }
    sl_text_add(out, "<h2>Report</h2>\n<pre>");
    sl_page_text(report->data, out);
    sl_text_add(out, "</pre>\n");
}

void add_page(const Evaluation *eval, const SlText *report, SlText *out) {
    add_head(eval, out);
    add_cards(eval, out);
    add_energy_chart(eval, out);
    if (eval->net.n_layers > 1) {
        add_latency_chart(eval, out);
        add_table(eval, out);
    }
    add_details(eval, report, out);
    sl_page_end(COUNTS_NOTE, out);
}
