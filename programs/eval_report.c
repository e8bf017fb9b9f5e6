// eval_report.c - everything about one layer and its mapping, for reading.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "show.h"
#include "text_table.h"

enum { BAR_COLUMNS = 20 };

// ---- what, and whether it fits ----

static void add_header(const Evaluation *eval, const Priced *priced, SlText *out) {
    const SlNetwork *net = &eval->net;
    char shape[160], count[32];
    sl_layer_show(&priced->layer, sizeof shape, shape);
    if (strcmp(net->name, "inline") == 0)
        sl_text_add(out, "%s on %s\n", shape, eval->accel.name);
    else
        sl_text_add(out, "%s:%s on %s\n%s\n", net->name, net->layers[0].name, eval->accel.name,
                    shape);
    sl_show_count(priced->cost.counts.macs, count);
    if (eval->run)
        sl_text_add(out, "%s MACs, mapping of the run %s\n", count, eval->run);
    else
        sl_text_add(
            out, "%s MACs, %s mapping%s\n", count, eval->mapping_from,
            strcmp(eval->mapping_from, "default") == 0 ? " (--mapping takes one of your own)" : "");
}

// the two numbers that most come for
static void add_headline(const Priced *priced, SlText *out) {
    const SlCost *cost = &priced->cost;
    char cycles[32], energy[SHOW_ROOM], a[SHOW_ROOM], b[SHOW_ROOM];
    sl_show_count(cost->latency_cycles, cycles);
    show_energy(cost->energy_pj, energy);
    if (priced->fit.n)
        sl_text_add(out, "%s cycles, %s, but does not fit\n\n", cycles, energy);
    else
        sl_text_add(out, "%s cycles, %s the floor; %s, %s the floor\n\n", cycles,
                    show_multiple(priced_multiple(priced, SL_LATENCY), a), energy,
                    show_multiple(priced_multiple(priced, SL_ENERGY), b));
}

static void add_fit(const Evaluation *eval, const Priced *priced, SlText *out) {
    char sentence[512];
    if (priced->fit.n == 0) {
        sl_text_add(out, "Fits: every buffer and every fan-out is large enough.\n\n");
        return;
    }
    sl_text_add(out, "DOES NOT FIT %s; the numbers below are those it would have:\n",
                eval->accel.name);
    for (int i = 0; i < priced->fit.n; i++)
        show_wrapped(
            "  - ", "    ",
            sl_violation_text(&eval->accel, &priced->fit.list[i], sizeof sentence, sentence), out);
    sl_text_add(out, "\n");
}

static void add_nest(const Evaluation *eval, const Priced *priced, SlText *out) {
    char nest[SL_NEST_TEXT_MAX];
    sl_mapping_write(&priced->mapping, sizeof nest, nest);
    show_wrapped("Loop nest: ", "           ", nest, out);
    sl_text_add(out, "\n");
    sl_mapping_draw(&priced->layer, &eval->accel, &priced->mapping, out);
    sl_text_add(out, "\n");
}

// ---- buffers ----

static bool keeps(const Priced *priced, int level, int tensor) {
    return level > priced->mapping.n_boundaries || priced->mapping.keep[level - 1] >> tensor & 1;
}

static void add_count_cell(TextTable *table, bool shown, double value) {
    char count[32];
    table_cell(table, "%s", shown ? sl_show_count(value, count) : "-");
}

static void add_buffers(const Evaluation *eval, const Priced *priced, SlText *out) {
    TextTable table;
    char need[32], have[32], share[SHOW_ROOM], used[32], all[32];
    table_init(&table, eval->arena,
               "<Buffers|W words|I words|O words|needs|has|full|used/instances");
    for (int l = 1; l < eval->accel.n_levels; l++) {
        const SlLevelCounts *counts = &priced->cost.counts.level[l];
        double capacity = (double)eval->accel.levels[l].capacity_bytes;
        double bytes = priced->cost.need_bytes[l];
        table_row(&table);
        table_cell(&table, "%s", eval->accel.levels[l].name);
        for (int t = 0; t < SL_N_TENSORS; t++)
            add_count_cell(&table, keeps(priced, l, t), counts->tile[t]);
        table_cell(&table, "%s B", sl_show_count(ceil(bytes), need));
        table_cell(&table, "%s B", sl_show_count(capacity, have));
        table_cell(&table, "%s", capacity > 0 ? show_share(bytes / capacity, share) : "-");
        table_cell(&table, "%s of %s", sl_show_count(counts->inst, used),
                   sl_show_count((double)sl_accel_instances(&eval->accel, l), all));
    }
    table_draw(&table, out);
    sl_text_add(out, "\n");
}

// ---- traffic ----

// one line: a count per tensor and their sum; NAN = the count does not exist
static void add_traffic_row(TextTable *table, const char *level, const char *what,
                            const double values[SL_N_TENSORS]) {
    double sum = 0;
    table_row(table);
    table_cell(table, "%s", level);
    table_cell(table, "%s", what);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (!isnan(values[t])) sum += values[t];
        add_count_cell(table, !isnan(values[t]), values[t]);
    }
    add_count_cell(table, true, sum);
}

static void add_level_traffic(TextTable *table, const Evaluation *eval, const Priced *priced,
                              int level) {
    const SlLevelCounts *counts = &priced->cost.counts.level[level];
    bool macs = level == eval->accel.n_levels;
    double fills[SL_N_TENSORS], reads[SL_N_TENSORS];
    const double updates[SL_N_TENSORS] = {NAN, NAN, counts->upd};
    for (int t = 0; t < SL_N_TENSORS; t++) {
        bool kept = keeps(priced, level, t);
        fills[t] = kept ? counts->fill[t] : NAN;
        reads[t] = kept ? counts->pread[t] : NAN;
    }
    // the MACs hold nothing
    if (!macs) add_traffic_row(table, eval->accel.levels[level].name, "filled", fills);
    add_traffic_row(table, macs ? "MACs" : "", "read above", reads);
    if (keeps(priced, level, SL_O)) add_traffic_row(table, "", "updated above", updates);
}

static void add_traffic(const Evaluation *eval, const Priced *priced, SlText *out) {
    TextTable table;
    table_init(&table, eval->arena, "<Traffic|<in words|W|I|O|total");
    for (int l = 1; l <= eval->accel.n_levels; l++) add_level_traffic(&table, eval, priced, l);
    table_draw(&table, out);
    sl_text_add(out, "Above: the next level outwards that keeps the tensor. O read above: partial "
                     "sums that come back.\n\n");
}

// ---- latency ----

// a candidate for the latency; `longest` fills the bar
static void add_candidate(TextTable *table, const char *name, double cycles, double longest,
                          const char *remark) {
    char count[32];
    SlText bar;
    sl_text_init(&bar, table->arena);
    show_bar(0, cycles / longest, BAR_COLUMNS, &bar);
    if (bar.failed) command_no_memory();
    table_row(table);
    table_cell(table, "  %s", name);
    table_cell(table, "%s", sl_show_count(cycles, count));
    table_cell(table, "%s", bar.data);
    table_cell(table, "%s", remark);
}

static const char *rate_remark(double words, double rate, char out[static SHOW_ROOM]) {
    char count[32];
    snprintf(out, SHOW_ROOM, "%s words, %.6g per cycle", sl_show_count(words, count), rate);
    return out;
}

// a port or a link that can never bind is left out
static void add_level_candidates(TextTable *table, const Evaluation *eval, const Priced *priced,
                                 int l, double longest) {
    const SlLevel *level = &eval->accel.levels[l];
    char name[SHOW_ROOM], remark[SHOW_ROOM];
    if (l > 0 && isfinite(level->link_words)) {
        snprintf(name, sizeof name, "%s link", level->name);
        rate_remark(priced->cost.link[l], level->link_words, remark);
        if (level->buffering == SL_BUFFER_SINGLE)
            snprintf(remark, sizeof remark, "single buffered: adds to the time");
        add_candidate(table, name, priced->parts.link_cycles[l], longest, remark);
    }
    if (!isfinite(level->port_words)) return;
    snprintf(name, sizeof name, "%s port", level->name);
    rate_remark(priced->cost.port[l], level->port_words, remark);
    add_candidate(table, name, priced->parts.port_cycles[l], longest, remark);
}

static void add_latency(const Evaluation *eval, const Priced *priced, SlText *out) {
    const SlCost *cost = &priced->cost;
    char cycles[32], seconds[SHOW_ROOM], binder[64], macs[SHOW_ROOM], count[32];
    sl_text_add(out, "Latency  %s cycles = %s at %.6g MHz, bound by %s\n",
                sl_show_count(cost->latency_cycles, cycles),
                show_seconds(evaluation_seconds(eval, cost->latency_cycles), seconds),
                eval->accel.clock_mhz,
                sl_binder_text(&eval->accel, cost->binder, sizeof binder, binder));
    TextTable table;
    double longest = cost->latency_cycles;
    int n = eval->accel.n_levels;
    table_init(&table, eval->arena, "<  each alone|cycles|<|<");
    snprintf(macs, sizeof macs, "%s of %s MACs at work",
             sl_show_count(cost->counts.level[n].inst, count),
             sl_show_count((double)sl_accel_macs(&eval->accel), cycles));
    add_candidate(&table, "compute", cost->counts.cycles, longest, macs);
    for (int l = 0; l < n; l++) add_level_candidates(&table, eval, priced, l, longest);
    add_candidate(&table, "+ ramp", cost->ramp_cycles, longest, "first tiles, before work starts");
    if (priced->parts.stall_cycles > 0)
        add_candidate(&table, "+ stalls", priced->parts.stall_cycles, longest,
                      "transfers of single-buffered levels");
    table_draw(&table, out);
    sl_text_add(out, "\n");
}

// ---- floors and the rest ----

static void add_floors(const Evaluation *eval, const Priced *priced, SlText *out) {
    const SlFloor *floor = &priced->floor;
    bool compute = floor->compute_cycles >= floor->dram_cycles;
    const char *const reasons[] = {compute ? "every MAC busy" : "every word once over DRAM",
                                   "the MACs, every word once over DRAM", "product of the two"};
    char value[SHOW_ROOM], least[SHOW_ROOM], multiple[SHOW_ROOM];
    double clock = eval->accel.clock_mhz;
    TextTable table;
    table_init(&table, eval->arena, "<Floors|this mapping|least possible|multiple|<floor");
    for (int o = SL_LATENCY; o <= SL_EDP; o++) {
        SlObjective objective = (SlObjective)o;
        table_row(&table);
        table_cell(&table, "%s", sl_objective_names[o]);
        table_cell(
            &table, "%s",
            show_objective(objective, sl_cost_value(&priced->cost, objective), clock, value));
        table_cell(&table, "%s", show_objective(objective, floor->value[o], clock, least));
        table_cell(&table, "%s", show_multiple(priced_multiple(priced, objective), multiple));
        table_cell(&table, "%s", reasons[o]);
    }
    table_draw(&table, out);
    sl_text_add(out, "\n");
}

static void add_rest(const Evaluation *eval, const Priced *priced, SlText *out) {
    const SlCost *cost = &priced->cost;
    char share[SHOW_ROOM], power[SHOW_ROOM], area[SHOW_ROOM], least[SHOW_ROOM];
    sl_text_add(out, "Utilisation  %s of the MACs over the whole time\n",
                show_share(priced_utilisation(priced), share));
    sl_text_add(out, "Power        %s on average\n", show_power(cost->power_mw, power));
    sl_text_add(out, "Area         %s; the smallest hardware for this mapping has %s\n",
                show_area(cost->area_um2, area), show_area(cost->area_min_um2, least));
    int objective = eval->options->objective;
    if (objective == SL_LATENCY) return;
    sl_text_add(out, "Objective    %s %s\n", sl_objective_names[objective],
                show_objective((SlObjective)objective, sl_cost_value(cost, (SlObjective)objective),
                               eval->accel.clock_mhz, share));
}

void add_layer_report(const Evaluation *eval, SlText *out) {
    const Priced *priced = eval->layers[0];
    add_header(eval, priced, out);
    add_headline(priced, out);
    add_fit(eval, priced, out);
    add_nest(eval, priced, out);
    add_buffers(eval, priced, out);
    add_traffic(eval, priced, out);
    add_latency(eval, priced, out);
    add_energy_table(eval, priced, out);
    add_floors(eval, priced, out);
    add_rest(eval, priced, out);
}
