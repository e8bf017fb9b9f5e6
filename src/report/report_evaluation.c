// report_evaluation.c - an evaluation as a document: what it is, sums, layers, figures
// (docs/formats/eval-json.md).
#include <math.h>
#include <string.h>

#include "doc_inside.h"
#include "evaluation_parts.h"
#include "verdict.h"

// ---- what it is ----

static void add_machine(SlDoc *doc, const SlAccel *accel) {
    char macs[SL_UNIT_ROOM], area[SL_UNIT_ROOM];
    sl_unit_show(SL_UNIT_COUNT, (double)sl_accel_macs(accel), macs);
    sl_unit_show(SL_UNIT_UM2, sl_accel_area_um2(accel), area);
    sl_doc_text(doc, NULL, "accelerator", "%s MACs, %s%s%s", macs, area,
                accel->title[0] ? ", " : "", accel->title);
}

static void add_network_facts(SlDoc *doc, const SlEvaluation *eval) {
    if (eval->net.title[0]) sl_doc_string(doc, NULL, "workload", eval->net.title);
    add_machine(doc, &eval->accel);
    if (eval->batch > 1)
        sl_doc_text(doc, NULL, "batch", "--batch %lld: that many times the batch of the file",
                    (long long)eval->batch);
    if (eval->run)
        sl_doc_text(doc, NULL, "mappings", "those of the run %s", eval->run);
    else
        sl_doc_text(doc, NULL, "mappings", "default mapping of every layer, no search");
}

static void add_layer_facts(SlDoc *doc, const SlEvaluation *eval) {
    const SlPriced *priced = eval->layers[0];
    char shape[160], macs[SL_UNIT_ROOM];
    bool given = strcmp(eval->mapping_from, "default") != 0;
    bool named = strcmp(eval->net.name, "inline") != 0 && eval->net.title[0];
    if (named) sl_doc_string(doc, NULL, "workload", eval->net.title);
    sl_doc_string(doc, NULL, "layer", sl_layer_show(&priced->layer, sizeof shape, shape));
    add_machine(doc, &eval->accel);
    sl_unit_show(SL_UNIT_COUNT, priced->cost.counts.macs, macs);
    if (eval->run)
        sl_doc_text(doc, NULL, "work", "%s MACs, mapping of the run %s", macs, eval->run);
    else
        sl_doc_text(doc, NULL, "work", "%s MACs, %s mapping%s", macs, eval->mapping_from,
                    given ? "" : " (--mapping takes one of your own)");
}

// ---- what comes first ----

// "55.9 ms and 13.4 mJ per inference with default mappings; does not fit eyeriss"
static void add_verdict(SlDoc *doc, const SlEvaluation *eval) {
    const SlNetworkCost *totals = &eval->totals;
    bool many = eval->net.n_layers > 1;
    SlText text;
    sl_text_init(&text, eval->arena);
    sl_verdict_cost(sl_evaluation_seconds(eval, totals->latency_cycles), totals->energy_pj, many,
                    (double)eval->batch, &text);
    if (eval->run)
        sl_text_add(&text, " with the mapping%s of the run %s", many ? "s" : "", eval->run);
    else if (many || strcmp(eval->mapping_from, "default") == 0)
        sl_text_add(&text, " with %s mapping%s, without a search", many ? "default" : "the default",
                    many ? "s" : "");
    else
        sl_text_add(&text, " with the %s mapping", eval->mapping_from);
    if (totals->n_unfit > 0 && many)
        sl_text_add(&text, "; %d of %d layers do not fit %s", totals->n_unfit, eval->net.n_layers,
                    eval->accel.name);
    else if (totals->n_unfit > 0)
        sl_text_add(&text, "; it does not fit %s", eval->accel.name);
    if (text.failed) sl_doc_fail(doc);
    sl_doc_verdict(doc, "%s.", text.data);
}

static void add_outlook(SlDoc *doc, const SlEvaluation *eval) {
    SlText text;
    sl_text_init(&text, eval->arena);
    sl_verdict_floors(&eval->totals, &text);
    sl_doc_open(doc, NULL, NULL);
    sl_verdict_bound_by(doc, eval);
    if (text.n > 0) sl_doc_string(doc, NULL, "floor", text.data);
    if (!eval->run)
        sl_doc_string(doc, NULL, "next",
                      "starling map searches better mappings, --prove says how good they are");
    sl_doc_close(doc);
    if (text.failed) sl_doc_fail(doc);
}

static void add_head(SlDoc *doc, const SlEvaluation *eval) {
    char title[SL_EVALUATION_TITLE];
    sl_doc_title(doc, "%s", sl_evaluation_title(eval, title));
    add_verdict(doc, eval);
    sl_verdict_binders(doc, eval);
    add_outlook(doc, eval);
    sl_doc_string(doc, "model", NULL, "native");
    sl_doc_string(doc, "objective", NULL, sl_objective_names[eval->objective]);
    sl_doc_string(doc, "mapping_from", NULL, eval->mapping_from);
    sl_doc_workload(doc, eval);
    sl_doc_accel(doc, &eval->accel);
    if (eval->net.n_layers > 1)
        add_network_facts(doc, eval);
    else
        add_layer_facts(doc, eval);
}

// ---- whether it fits ----

static void add_layer_fit(SlDoc *doc, const SlEvaluation *eval) {
    const SlFit *fit = &eval->layers[0]->fit;
    char sentence[512];
    if (fit->n == 0) {
        sl_doc_words(doc, "Fits: every buffer and every fan-out is large enough.");
        return;
    }
    sl_doc_warn(doc, "DOES NOT FIT %s; the numbers below are those it would have.",
                eval->accel.name);
    for (int i = 0; i < fit->n; i++) {
        sl_violation_text(&eval->accel, &fit->list[i], sizeof sentence, sentence);
        sl_doc_string(doc, NULL, "because", sentence);
    }
}

static void add_fit_words(SlDoc *doc, const SlEvaluation *eval) {
    sl_doc_skipped_words(doc, &eval->net);
    if (eval->net.n_layers == 1)
        add_layer_fit(doc, eval);
    else if (eval->totals.n_unfit > 0)
        sl_doc_warn(doc, "DOES NOT FIT %s: %d of %d layers.", eval->accel.name,
                    eval->totals.n_unfit, eval->net.n_layers);
}

// ---- sums ----

static void add_time(SlDoc *doc, const SlEvaluation *eval) {
    const SlPriced *priced = eval->layers[0];
    double cycles = eval->totals.latency_cycles, seconds = sl_evaluation_seconds(eval, cycles);
    double batch = (double)eval->batch;
    char time[SL_UNIT_ROOM], rate[SL_UNIT_ROOM], binder[64];
    sl_unit_show(SL_UNIT_SECONDS, seconds, time);
    sl_doc_number(doc, "latency_cycles", "latency", SL_UNIT_CYCLES, cycles);
    if (eval->net.n_layers > 1)
        sl_doc_remark(doc, "%s at %.6g MHz", time, eval->accel.clock_mhz);
    else
        sl_doc_remark(doc, "%s at %.6g MHz, bound by %s%s", time, eval->accel.clock_mhz,
                      sl_binder_text(&eval->accel, priced->cost.binder, sizeof binder, binder),
                      priced->fit.n ? ", but does not fit" : "");
    sl_doc_number(doc, "latency_seconds", NULL, SL_UNIT_SECONDS, seconds);
    sl_unit_show(SL_UNIT_RATE, batch / seconds, rate);
    sl_doc_text(doc, NULL, "throughput", "%s %s/s", rate,
                eval->net.n_layers > 1 ? "inferences" : "layers");
    sl_doc_remark(doc, "batch %g", batch);
}

static void add_energy_and_power(SlDoc *doc, const SlEvaluation *eval) {
    const SlNetworkCost *totals = &eval->totals;
    bool one = eval->net.n_layers == 1;
    double batch = (double)eval->batch, pieces = one ? totals->macs : batch;
    char each[SL_UNIT_ROOM];
    sl_doc_number(doc, "energy_pj", "energy", SL_UNIT_PJ, totals->energy_pj);
    sl_unit_show(SL_UNIT_PJ, totals->energy_pj / pieces, each);
    if (one)
        sl_doc_remark(doc, "%s per MAC", each);
    else
        sl_doc_remark(doc, batch > 1 ? ", %s per inference" : " per inference", each);
    sl_doc_edp(doc, "edp", "EDP", sl_network_cost_value(totals, SL_EDP), eval->accel.clock_mhz);
    sl_doc_number(doc, "power_mw", "power", SL_UNIT_MW, totals->power_mw);
    sl_doc_remark(doc, "on average");
}

// what only one layer has
static void add_area(SlDoc *doc, const SlEvaluation *eval) {
    const SlCost *cost = &eval->layers[0]->cost;
    SlObjective objective = eval->objective;
    char text[SL_UNIT_ROOM];
    if (eval->net.n_layers > 1) return;
    sl_doc_number(doc, NULL, "area", SL_UNIT_UM2, cost->area_um2);
    sl_doc_remark(doc, "the smallest hardware for this mapping has %s",
                  sl_unit_show(SL_UNIT_UM2, cost->area_min_um2, text));
    if (objective == SL_LATENCY) return;
    sl_objective_show(objective, sl_cost_value(cost, objective), eval->accel.clock_mhz, text);
    sl_doc_text(doc, NULL, "objective", "%s %s", sl_objective_names[objective], text);
}

// how far from what no mapping can be below
static void add_floors(SlDoc *doc, const SlEvaluation *eval) {
    static const char *const labels[] = {"latency floor", "energy floor", "EDP floor"};
    for (int o = SL_LATENCY; o <= SL_EDP; o++) {
        sl_doc_number(doc, NULL, labels[o], SL_UNIT_TIMES,
                      sl_network_cost_multiple(&eval->totals, (SlObjective)o));
        sl_doc_remark(doc, "no mapping is below 1 ×");
    }
}

static void add_totals(SlDoc *doc, const SlEvaluation *eval) {
    const SlNetworkCost *totals = &eval->totals;
    double values[SL_N_OBJECTIVES], multiples[SL_N_OBJECTIVES];
    char macs[SL_UNIT_ROOM];
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        values[o] = sl_network_cost_value(totals, (SlObjective)o);
        multiples[o] = sl_network_cost_multiple(totals, (SlObjective)o);
    }
    values[SL_AREA] = NAN; // layers have areas, the whole has none
    sl_doc_cards(doc, "totals", NULL);
    sl_doc_number(doc, "macs", NULL, SL_UNIT_COUNT, totals->macs);
    add_time(doc, eval);
    add_energy_and_power(doc, eval);
    sl_doc_number(doc, "utilisation", "utilisation", SL_UNIT_SHARE, totals->utilisation);
    sl_doc_remark(doc, "of %s MACs over the whole time",
                  sl_unit_show(SL_UNIT_COUNT, (double)sl_accel_macs(&eval->accel), macs));
    add_area(doc, eval);
    add_floors(doc, eval);
    sl_doc_objectives(doc, "objectives", values);
    sl_doc_objectives(doc, "floor_multiples", multiples);
    sl_doc_number(doc, "n_unfit", NULL, SL_UNIT_COUNT, totals->n_unfit);
    sl_doc_close(doc);
}

// ---- layers ----

static void add_layers(SlDoc *doc, const SlEvaluation *eval) {
    bool many = eval->net.n_layers > 1;
    sl_doc_layers(doc, eval, &(SlLayersTable){.label = many ? "Layers" : NULL});
    for (int i = 0; i < eval->net.n_layers; i++) sl_doc_layer(doc, eval, i);
    if (many) sl_doc_layer_sums(doc, eval);
    sl_doc_close(doc);
}

SlDoc *sl_report_evaluation(const SlEvaluation *eval) {
    SlDoc *doc = sl_doc_make(eval->arena, "eval", 1);
    add_head(doc, eval);
    add_fit_words(doc, eval);
    add_totals(doc, eval);
    add_layers(doc, eval);
    if (eval->net.n_layers > 1) {
        sl_evaluation_words(doc, eval);
        sl_doc_energy_figure(doc, eval);
        sl_doc_latency_figure(doc, eval);
        sl_doc_loop_nests(doc, eval);
    } else {
        sl_evaluation_parts(doc, eval);
        sl_doc_energy_figure(doc, eval);
    }
    sl_doc_footer(doc, SL_NUMBERS_NOTE);
    return doc;
}
