// eval_network.c - a whole network: a line per layer, totals, and what to look at first.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "show.h"
#include "text_table.h"

enum { N_TOP = 3 };

static SlObjective objective_of(const Evaluation *eval) {
    return (SlObjective)eval->options->objective;
}

// ---- the table ----

// the table has no room for tenths
static void add_whole_percent(TextTable *table, double share) {
    if (isnan(share))
        table_cell(table, "-");
    else
        table_cell(table, "%.0f %%", 100 * share);
}

static void add_layer_row(TextTable *table, const Evaluation *eval, int i) {
    const Priced *priced = eval->layers[i];
    const SlCost *cost = &priced->cost;
    char count[32], text[SHOW_ROOM];
    SlLayer single = evaluation_single(eval, &priced->layer);
    table_row(table);
    table_cell(table, "%d", i + 1);
    table_cell(table, "%s", eval->net.layers[i].name);
    table_cell(table, "%s", show_shape(&single, text));
    table_cell(table, "%s", sl_show_short(cost->counts.macs, count));
    table_cell(table, "%s", sl_show_count(cost->latency_cycles, count));
    table_cell(table, "%s", show_energy(cost->energy_pj, text));
    table_cell(table, "%s", show_edp(sl_cost_value(cost, SL_EDP), eval->accel.clock_mhz, text));
    add_whole_percent(table, priced_utilisation(priced));
    table_cell(table, "%s", show_multiple(priced_multiple(priced, objective_of(eval)), text));
    table_cell(table, "%s%s", show_binder(&eval->accel, cost->binder, text),
               priced->fit.n ? " (does not fit)" : "");
}

static void add_total_row(TextTable *table, const Evaluation *eval) {
    const SlNetworkCost *totals = &eval->totals;
    char count[32], text[SHOW_ROOM];
    table_rule(table);
    table_row(table);
    table_cell(table, "%s", "");
    table_cell(table, "total");
    table_cell(table, "%d distinct", eval->n_distinct);
    table_cell(table, "%s", sl_show_short(totals->macs, count));
    table_cell(table, "%s", sl_show_count(totals->latency_cycles, count));
    table_cell(table, "%s", show_energy(totals->energy_pj, text));
    table_cell(table, "%s",
               show_edp(sl_network_cost_value(totals, SL_EDP), eval->accel.clock_mhz, text));
    add_whole_percent(table, totals->utilisation);
    table_cell(table, "%s",
               show_multiple(sl_network_cost_multiple(totals, objective_of(eval)), text));
}

static void add_table(const Evaluation *eval, SlText *out) {
    TextTable table;
    table_init(&table, eval->arena, "#|~layer|~shape|MACs|cycles|energy|EDP|util|floor|~bound by");
    for (int i = 0; i < eval->net.n_layers; i++) add_layer_row(&table, eval, i);
    add_total_row(&table, eval);
    table_draw(&table, out);
    sl_text_add(out, "\n");
}

// ---- the summary ----

// "Most time    conv1 12.0 %, conv2_1 8.1 %, ..."; `values` (n_layers) is used up
static void add_top(const Evaluation *eval, const char *title, double *values, double whole,
                    SlText *out) {
    char share[SHOW_ROOM];
    sl_text_add(out, "%s", title);
    for (int place = 0; place < N_TOP && place < eval->net.n_layers; place++) {
        int best = 0;
        for (int i = 1; i < eval->net.n_layers; i++)
            if (values[i] > values[best]) best = i;
        sl_text_add(out, "%s%.24s %s", place ? ", " : "", eval->net.layers[best].name,
                    show_share(values[best] / whole, share));
        values[best] = -1;
    }
    sl_text_add(out, "\n");
}

static void add_tops(const Evaluation *eval, SlText *out) {
    int n = eval->net.n_layers;
    double *values = command_need(SL_NEW(eval->arena, n, double));
    for (int i = 0; i < n; i++) values[i] = eval->layers[i]->cost.latency_cycles;
    add_top(eval, "Most time    ", values, eval->totals.latency_cycles, out);
    for (int i = 0; i < n; i++) values[i] = eval->layers[i]->cost.energy_pj;
    add_top(eval, "Most energy  ", values, eval->totals.energy_pj, out);
}

static bool same_binder(SlBinder a, SlBinder b) {
    return a.kind == b.kind && a.level == b.level;
}

// "compute (18 layers, 93.1 % of the time)" for the layers bound like layer i
static void add_binder(const Evaluation *eval, int i, SlText *out) {
    SlBinder binder = eval->layers[i]->cost.binder;
    char name[SHOW_ROOM], share[SHOW_ROOM];
    int layers = 0;
    double cycles = 0;
    for (int j = i; j < eval->net.n_layers; j++) {
        if (!same_binder(eval->layers[j]->cost.binder, binder)) continue;
        layers++;
        cycles += eval->layers[j]->cost.latency_cycles;
    }
    sl_text_add(out, "%s%s (%d layer%s, %s of the time)", out->n ? ", " : "",
                show_binder(&eval->accel, binder, name), layers, layers == 1 ? "" : "s",
                show_share(cycles / eval->totals.latency_cycles, share));
}

static void add_binders(const Evaluation *eval, SlText *out) {
    SlText list;
    sl_text_init(&list, eval->arena);
    for (int i = 0; i < eval->net.n_layers; i++) {
        bool seen = false;
        for (int j = 0; j < i && !seen; j++)
            seen = same_binder(eval->layers[j]->cost.binder, eval->layers[i]->cost.binder);
        if (!seen) add_binder(eval, i, &list);
    }
    if (list.failed) command_no_memory();
    show_wrapped("Bound by     ", "             ", list.data, out);
}

static void add_summary(const Evaluation *eval, SlText *out) {
    const SlNetworkCost *totals = &eval->totals;
    double seconds = evaluation_seconds(eval, totals->latency_cycles);
    double batch = (double)eval->options->batch;
    char a[SHOW_ROOM], b[SHOW_ROOM], c[SHOW_ROOM];
    sl_text_add(out, "Time         %s at %.6g MHz, %s inferences/s\n", show_seconds(seconds, a),
                eval->accel.clock_mhz, show_rate(batch / seconds, b));
    sl_text_add(out, "Energy       %s per inference, %s on average\n",
                show_energy(totals->energy_pj / batch, a), show_power(totals->power_mw, b));
    sl_text_add(out, "Floors       latency %s, energy %s, EDP %s: no mapping is below 1 ×\n",
                show_multiple(sl_network_cost_multiple(totals, SL_LATENCY), a),
                show_multiple(sl_network_cost_multiple(totals, SL_ENERGY), b),
                show_multiple(sl_network_cost_multiple(totals, SL_EDP), c));
    add_tops(eval, out);
    add_binders(eval, out);
    if (totals->n_unfit > 0)
        sl_text_add(out, "DOES NOT FIT %d of %d layers\n", totals->n_unfit, eval->net.n_layers);
}

static void add_header(const Evaluation *eval, SlText *out) {
    const SlNetwork *net = &eval->net;
    const SlAccel *accel = &eval->accel;
    char line[384], area[SHOW_ROOM], macs[32];
    snprintf(line, sizeof line, "%s%s%s", net->name, net->title[0] ? ": " : "", net->title);
    show_wrapped("", "  ", line, out);
    snprintf(line, sizeof line, "on %s: %s MACs, %s%s%s", accel->name,
             sl_show_count((double)sl_accel_macs(accel), macs),
             show_area(sl_accel_area_um2(accel), area), accel->title[0] ? ", " : "", accel->title);
    show_wrapped("", "  ", line, out);
    if (eval->options->batch > 1)
        sl_text_add(out, "--batch %lld: that many times the batch of the file\n",
                    (long long)eval->options->batch);
    if (eval->run)
        sl_text_add(out, "mappings of the run %s", eval->run);
    else
        sl_text_add(out, "default mapping of every layer");
    sl_text_add(out,
                "; shapes are KxC PxQ RxS /stride, or MxNxK; floors "
                "of %s\n\n",
                sl_objective_names[eval->options->objective]);
}

void add_network_report(const Evaluation *eval, SlText *out) {
    add_header(eval, out);
    add_table(eval, out);
    add_summary(eval, out);
}
