// eval_html.c - an evaluation as one self-contained page: totals, bars, a table, the loop nests.
//
// No scripts and nothing from elsewhere; light and dark, narrow and printed.
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "show.h"

static const char style[] =
    ":root{color-scheme:light dark;--page:#fbfbf9;--ink:#1d2329;--soft:#626b74;--line:#dfe2e0;"
    "--card:#fff;--warn:#b3261e;--floor:#3b6ea5;--above:#b9cde2;--c0:#31588a;--c1:#5a9bc4;"
    "--c2:#9ccbd6;--c3:#7a6fb0;--c4:#b39bd0;--c5:#d5a6c8;--c6:#8a5a83;--net:#d9a441;--mac:#5c9a72}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--page:#14181c;--ink:#e6e8e6;--soft:#9aa4ad;"
    "--line:#30373e;--card:#1b2126;--warn:#ff8a80;--floor:#6ea3dc;--above:#2f4a66;--c0:#6f9fdd;"
    "--c1:#4f86ad;--c2:#3d6b78;--c3:#9a8fd6}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:68rem;margin:0 auto;padding:2rem 1rem 3rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem}h2{font-size:1.1rem;margin:2.2rem 0 "
    ".6rem}"
    "p{margin:.2rem 0;color:var(--soft)}\n"
    ".warn{color:var(--warn);font-weight:600}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.7rem;"
    "margin-top:1.4rem}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;"
    "padding:.7rem .9rem}.card b{display:block;font-size:1.35rem;font-weight:600;line-height:1.3}"
    ".card span{color:var(--soft);font-size:.85rem}\n"
    ".chart{display:grid;grid-template-columns:minmax(3rem,max-content) 1fr max-content;"
    "gap:.25rem .7rem;align-items:center;font-size:.85rem;font-variant-numeric:tabular-nums}"
    ".chart .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:10rem}"
    ".chart .value{text-align:right;color:var(--soft)}"
    ".bar{display:flex;height:1rem;border-radius:.2rem;overflow:hidden;min-width:1px}"
    ".bar i{display:block;height:100%}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:0 0 .8rem;font-size:.85rem;"
    "color:var(--soft)}.key i{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;"
    "margin-right:.35rem;vertical-align:-.08rem}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;"
    "background:var(--card)}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:500}"
    "th.t,td.t{text-align:left}tbody tr:last-child td{border-bottom:0}"
    "tfoot td{font-weight:600;border-top:2px solid var(--line);border-bottom:0}\n"
    "details{border-bottom:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer}"
    "summary span{color:var(--soft);font-size:.85rem}\n"
    "pre{overflow-x:auto;font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;margin:.6rem 0;"
    "padding:.8rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}\n"
    "footer{margin-top:2.5rem;color:var(--soft);font-size:.85rem}\n"
    "@media(max-width:40rem){th:nth-child(2),td:nth-child(2){position:sticky;left:0;"
    "background:var(--card)}.chart .name{max-width:7rem}}\n"
    "@media print{main{max-width:none;padding:0}.scroll,pre{overflow:visible;border:0}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}table{font-size:.7rem}"
    "th,td{padding:.2rem .35rem}.card,tr,.bar{break-inside:avoid}}\n";

static void add_escaped(const char *text, SlText *out) {
    for (; *text; text++) {
        if (*text == '<')
            sl_text_add(out, "&lt;");
        else if (*text == '>')
            sl_text_add(out, "&gt;");
        else if (*text == '&')
            sl_text_add(out, "&amp;");
        else if (*text == '"')
            sl_text_add(out, "&quot;");
        else
            sl_text_put(out, text, 1);
    }
}

// ---- top of the page ----

static void add_title(const Evaluation *eval, SlText *out) {
    const SlNetwork *net = &eval->net;
    if (net->n_layers == 1 && strcmp(net->name, "inline") != 0) {
        add_escaped(net->name, out);
        sl_text_add(out, ":");
    }
    add_escaped(net->n_layers == 1 ? net->layers[0].name : net->name, out);
    sl_text_add(out, " on ");
    add_escaped(eval->accel.name, out);
}

static void add_head(const Evaluation *eval, SlText *out) {
    sl_text_add(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                     "<title>");
    add_title(eval, out);
    sl_text_add(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", style);
    add_title(eval, out);
    sl_text_add(out, "</h1>\n<p>");
    add_escaped(eval->net.title, out);
    sl_text_add(out, "%s", eval->net.title[0] ? " · " : "");
    add_escaped(eval->accel.title, out);
    sl_text_add(out, " · %s mapping%s</p>\n", evaluation_mapping_from(eval),
                eval->options->mapping ? "" : ", no search");
    if (eval->totals.n_unfit > 0)
        sl_text_add(out, "<p class=\"warn\">Does not fit this accelerator: %d of %d layers.</p>\n",
                    eval->totals.n_unfit, eval->net.n_layers);
}

SL_PRINTF(4, 5)
static void add_card(SlText *out, const char *title, const char *value, const char *fmt, ...) {
    char remark[160];
    va_list args;
    va_start(args, fmt);
    vsnprintf(remark, sizeof remark, fmt, args);
    va_end(args);
    sl_text_add(out, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n", title,
                value, remark);
}

static void add_cards(const Evaluation *eval, SlText *out) {
    const Totals *totals = &eval->totals;
    double seconds = evaluation_seconds(eval, totals->latency_cycles);
    double batch = (double)eval->options->batch;
    char a[SHOW_ROOM], b[SHOW_ROOM], macs[32], count[32];
    sl_text_add(out, "<section class=\"cards\">\n");
    add_card(out, "Latency", show_seconds(seconds, a), "%s cycles at %.6g MHz",
             sl_show_count(totals->latency_cycles, count), eval->accel.clock_mhz);
    snprintf(a, sizeof a, "%.3g/s", batch / seconds);
    add_card(out, "Inferences", a, "batch %lld", (long long)eval->options->batch);
    add_card(out, "Energy", show_energy(totals->energy_pj, a), "%s on average",
             show_power(totals->power_mw, b));
    add_card(out, "Utilisation", show_share(totals->utilisation, a), "of %s MACs",
             sl_show_count((double)sl_accel_macs(&eval->accel), macs));
    add_card(out, "Latency floor", show_multiple(totals_multiple(totals, SL_LATENCY), a),
             "no mapping is below 1&nbsp;×");
    add_card(out, "Energy floor", show_multiple(totals_multiple(totals, SL_ENERGY), a),
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

static void add_key(SlText *out, const char *color, const char *name) {
    sl_text_add(out, "<span><i style=\"background:var(--%s)\"></i>", color);
    add_escaped(name, out);
    sl_text_add(out, "</span>");
}

static void add_piece(SlText *out, const char *color, const char *name, const char *value,
                      double share) {
    if (share <= 0) return;
    sl_text_add(out, "<i style=\"background:var(--%s);width:%.2f%%\" title=\"", color, 100 * share);
    add_escaped(name, out);
    sl_text_add(out, " %s\"></i>", value);
}

// name, then the start of a bar as long as `share` of the longest
static void begin_row(const Evaluation *eval, int i, double share, SlText *out) {
    sl_text_add(out, "<span class=\"name\">");
    add_escaped(eval->net.layers[i].name, out);
    sl_text_add(out, "</span><div><div class=\"bar\" style=\"width:%.2f%%\">", 100 * share);
}

static void end_row(const char *value, SlText *out) {
    sl_text_add(out, "</div></div><span class=\"value\">%s</span>\n", value);
}

static void add_energy_chart(const Evaluation *eval, SlText *out) {
    Place places[MAX_PLACES];
    char text[SHOW_ROOM];
    int n = list_places(&eval->accel, places);
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.energy_pj > most) most = eval->layers[i]->cost.energy_pj;
    sl_text_add(out, "<h2>Energy by layer</h2>\n<div class=\"key\">");
    for (int p = 0; p < n; p++) add_key(out, places[p].color, places[p].name);
    sl_text_add(out, "</div>\n<div class=\"chart\">\n");
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double whole = priced->cost.energy_pj;
        begin_row(eval, i, whole / most, out);
        for (int p = 0; p < n; p++) {
            double pj = place_pj(eval, priced, p);
            add_piece(out, places[p].color, places[p].name, show_energy(pj, text), pj / whole);
        }
        end_row(show_energy(whole, text), out);
    }
    sl_text_add(out, "</div>\n");
}

static void add_latency_chart(const Evaluation *eval, SlText *out) {
    char text[SHOW_ROOM];
    double most = 0;
    for (int i = 0; i < eval->net.n_layers; i++)
        if (eval->layers[i]->cost.latency_cycles > most)
            most = eval->layers[i]->cost.latency_cycles;
    sl_text_add(out, "<h2>Latency by layer</h2>\n<div class=\"key\">");
    add_key(out, "floor", "floor: no mapping is faster");
    add_key(out, "above", "above the floor");
    sl_text_add(out, "</div>\n<div class=\"chart\">\n");
    for (int i = 0; i < eval->net.n_layers; i++) {
        const Priced *priced = eval->layers[i];
        double cycles = priced->cost.latency_cycles, least = priced->floor.value[SL_LATENCY];
        begin_row(eval, i, cycles / most, out);
        add_piece(out, "floor", "floor", show_seconds(evaluation_seconds(eval, least), text),
                  least / cycles);
        show_seconds(evaluation_seconds(eval, cycles - least), text);
        add_piece(out, "above", "above the floor", text, 1 - least / cycles);
        end_row(show_seconds(evaluation_seconds(eval, cycles), text), out);
    }
    sl_text_add(out, "</div>\n");
}

// ---- table ----

static void add_cell(SlText *out, bool text, const char *value) {
    sl_text_add(out, text ? "<td class=\"t\">" : "<td>");
    add_escaped(value, out);
    sl_text_add(out, "</td>");
}

static void add_table_row(const Evaluation *eval, int i, SlText *out) {
    const Priced *priced = eval->layers[i];
    const SlCost *cost = &priced->cost;
    SlObjective objective = (SlObjective)eval->options->objective;
    char text[SHOW_ROOM], count[32];
    SlLayer single = evaluation_single(eval, &priced->layer);
    sl_text_add(out, "<tr><td>%d</td>", i + 1);
    add_cell(out, true, eval->net.layers[i].name);
    add_cell(out, true, show_shape(&single, text));
    add_cell(out, false, sl_show_short(cost->counts.macs, count));
    add_cell(out, false, sl_show_count(cost->latency_cycles, count));
    add_cell(out, false, show_energy(cost->energy_pj, text));
    add_cell(out, false, show_edp(sl_cost_value(cost, SL_EDP), eval->accel.clock_mhz, text));
    add_cell(out, false, show_share(priced_utilisation(priced), text));
    add_cell(out, false, show_multiple(priced_multiple(priced, objective), text));
    if (priced->fit.n)
        sl_text_add(out, "<td class=\"t warn\">does not fit</td>");
    else
        add_cell(out, true, show_binder(&eval->accel, cost->binder, text));
    sl_text_add(out, "</tr>\n");
}

static void add_table(const Evaluation *eval, SlText *out) {
    const Totals *totals = &eval->totals;
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
    add_cell(out, false, sl_show_short(totals->macs, count));
    add_cell(out, false, sl_show_count(totals->latency_cycles, count));
    add_cell(out, false, show_energy(totals->energy_pj, text));
    add_cell(out, false, show_edp(totals_value(totals, SL_EDP), eval->accel.clock_mhz, text));
    add_cell(out, false, show_share(totals->utilisation, text));
    add_cell(out, false, show_multiple(totals_multiple(totals, objective), text));
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
    add_escaped(eval->net.layers[i].name, out);
    sl_text_add(out, " <span>");
    add_escaped(sl_mapping_write(&priced->mapping, sizeof nest, nest), out);
    sl_text_add(out, "</span></summary><pre>");
    add_escaped(drawing.data, out);
    sl_text_add(out, "</pre></details>\n");
}

// a network: the nest of every distinct layer; one layer: its whole report
static void add_details(const Evaluation *eval, const SlText *report, SlText *out) {
    if (eval->net.n_layers == 1) {
        sl_text_add(out, "<h2>Report</h2>\n<pre>");
        add_escaped(report->data, out);
        sl_text_add(out, "</pre>\n");
        return;
    }
    sl_text_add(out, "<h2>Loop nests</h2>\n<p>One per distinct layer.</p>\n");
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) seen = eval->layers[j] == eval->layers[i];
        if (!seen) add_nest(eval, i, out);
    }
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
    sl_text_add(out, "<footer>Written by starling " SL_VERSION
                     ". Counts equal those of executing the loop nests.</footer>\n"
                     "</main></body></html>\n");
}
