// map_sums.c - what `starling map` found in sum: cards, objectives beside floors and default
// mappings, and for one layer what there is to say of its search.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "show.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static void count_apart(const Map *map, int64_t *assign, int64_t *warm) {
    for (int i = 0; i < map->n_layers; i++) {
        *assign += map->layers[i].job->assign_samples;
        *warm += map->layers[i].job->warm_samples;
    }
}

// ", and 60 of the warm start"
static void add_apart(const Map *map, SlText *out) {
    int64_t assign = 0, warm = 0;
    char count[32];
    count_apart(map, &assign, &warm);
    if (warm > 0)
        sl_text_add(out, ", and %s of the warm start", sl_show_count((double)warm, count));
    if (assign > 0)
        sl_text_add(out, ", and %s to group parameters into agents",
                    sl_show_count((double)assign, count));
}

static void add_samples_card(const Map *map, SlDoc *doc) {
    SlText apart;
    sl_text_init(&apart, map->arena);
    sl_text_add(&apart, "for %d distinct layer%s", map->n_layers, map->n_layers == 1 ? "" : "s");
    add_apart(map, &apart);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)map_samples(map));
    sl_doc_remark(doc, "%s", apart.data);
}

// of mappings found, or of default ones
static void add_network(const SlNetworkCost *totals, double value, SlDoc *doc) {
    add_number(doc, "objective_value", value);
    add_number(doc, "latency_cycles", totals->latency_cycles);
    add_number(doc, "energy_pj", totals->energy_pj);
    add_number(doc, "edp", sl_network_cost_value(totals, SL_EDP));
    add_number(doc, "power_mw", totals->power_mw);
    add_number(doc, "utilisation", totals->utilisation);
}

static void add_sums(const Map *map, SlDoc *doc) {
    int64_t assign = 0, warm = 0;
    double bound = sl_job_bound(map->job);
    count_apart(map, &assign, &warm);
    add_network(&map->eval.totals, map->value, doc);
    if (map->evaluator->add_totals) map->evaluator->add_totals(map, doc);
    add_number(doc, "lower_bound", bound);
    add_number(doc, "gap", sl_network_gap(map->value, bound));
    add_number(doc, "floor_multiple", map->value / sl_network_goal_floor(&map->goal, &map->sums));
    add_number(doc, "macs", map->eval.totals.macs);
    add_number(doc, "samples", (double)map_samples(map));
    add_number(doc, "assign_samples", (double)assign);
    add_number(doc, "warm_samples", (double)warm);
    add_number(doc, "gain", map->base_value / map->value);
    sl_doc_open(doc, "default", NULL);
    add_network(&map->base.totals, map->base_value, doc);
    sl_doc_close(doc);
}

// ---- cards ----

// "8.3 % less than with default mappings"; the native model knows them
static void add_compared(const Map *map, SlObjective objective, const char *lead, SlDoc *doc) {
    char text[SL_UNIT_ROOM];
    sl_unit_compare(sl_network_cost_value(&map->base.totals, objective),
                    sl_network_cost_value(map->totals, objective), text);
    const char *join = strchr(text, '%') ? "than" : "as";
    if (map->evaluator->costs)
        sl_doc_remark(doc, "%s", lead);
    else
        sl_doc_remark(doc, "%s%s%s %s with default mappings", lead, *lead ? "; " : "", text, join);
}

static void add_cards(const Map *map, SlDoc *doc) {
    const SlNetworkCost *shown = map->totals;
    double seconds = evaluation_seconds(&map->eval, shown->latency_cycles);
    double batch = (double)map->options->batch, mhz = map->eval.accel.clock_mhz;
    char lead[4 * SL_UNIT_ROOM], text[SL_UNIT_ROOM];
    snprintf(lead, sizeof lead, "%s inferences/s at %.6g MHz",
             sl_unit_show(SL_UNIT_RATE, batch / seconds, text), mhz);
    sl_doc_number(doc, NULL, "time", SL_UNIT_SECONDS, seconds);
    add_compared(map, SL_LATENCY, lead, doc);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, shown->energy_pj);
    snprintf(lead, sizeof lead, "%s per inference",
             sl_unit_show(SL_UNIT_PJ, shown->energy_pj / batch, text));
    add_compared(map, SL_ENERGY, batch > 1 ? lead : "per inference", doc);
    add_edp(doc, NULL, "EDP", sl_network_cost_value(shown, SL_EDP), mhz);
    add_compared(map, SL_EDP, "", doc);
    if (map->prove) map_add_gap_card(map, doc);
    if (!map->exact) add_samples_card(map, doc);
}

// of one layer a terminal has a table instead
void map_add_totals(const Map *map, SlDoc *doc) {
    sl_doc_detail(doc, map->eval.net.n_layers == 1);
    sl_doc_cards(doc, "totals", NULL);
    add_cards(map, doc);
    add_sums(map, doc);
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

// ---- objectives ----

static void add_value(const Map *map, const char *label, SlObjective objective, double value,
                      SlDoc *doc) {
    char text[SHOW_ROOM];
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s", show_objective(objective, value, map->eval.accel.clock_mhz, text));
}

// beside the native model, or by it beside the default mappings
static void add_objective(const Map *map, SlObjective objective, SlDoc *doc) {
    const char *own = map->evaluator->costs;
    double value = sl_network_cost_value(map->totals, objective);
    double multiple = sl_network_cost_multiple(map->totals, objective);
    double before = sl_network_cost_value(&map->base.totals, objective);
    if (isnan(value)) return;
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "objective", sl_objective_names[objective]);
    add_value(map, own ? own : "found", objective, value, doc);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, multiple);
    if (own)
        add_value(map, "native model", objective,
                  sl_network_cost_value(&map->eval.totals, objective), doc);
    if (own) return;
    add_value(map, "least possible", objective, value / multiple, doc);
    add_value(map, "default mapping", objective, before, doc);
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, before / value);
}

static void add_table(const Map *map, SlDoc *doc) {
    const SlColumn columns[] = {
        SL_COLUMN(NULL, "objective"),
        SL_COLUMN(NULL, map->evaluator->costs ? map->evaluator->costs : "found"),
        SL_COLUMN(NULL, "least possible"),
        SL_COLUMN(NULL, "floor"),
        SL_COLUMN(NULL, "native model"),
        SL_COLUMN(NULL, "default mapping"),
        SL_COLUMN(NULL, "gain"),
    };
    sl_doc_table(doc, NULL, NULL, sizeof columns / sizeof *columns, columns);
    for (int o = 0; o < SL_N_OBJECTIVES; o++) add_objective(map, (SlObjective)o, doc);
    sl_doc_close(doc);
}

// of the only layer
static void add_space_fact(const Map *map, SlDoc *doc) {
    const SlJobTask *task = map->layers[0].job;
    int n_agents = task->agents.n_agents;
    sl_doc_text(doc, NULL, "space", "%d parameters, 10^%.1f points", task->space.n_params,
                task->space.log10_size);
    if (map->method->learns) sl_doc_remark(doc, "%d agent%s", n_agents, n_agents == 1 ? "" : "s");
}

static void add_best_fact(const Map *map, SlDoc *doc) {
    const SlRecord *record = &map->layers[0].job->record;
    char at[32], all[32];
    SlText apart;
    sl_text_init(&apart, map->arena);
    add_apart(map, &apart);
    sl_doc_text(doc, NULL, "best", "at sample %s of %s%s; stopped: %s",
                sl_show_count((double)record->best.sample, at),
                sl_show_count((double)record->samples, all), apart.data,
                sl_stop_names[record->stopped]);
}

void map_add_objectives(const Map *map, SlDoc *doc) {
    bool layer = map->eval.net.n_layers == 1;
    double edp = sl_network_cost_value(map->totals, SL_EDP);
    add_table(map, doc);
    // one objective alone takes what it can get from the others
    if (!map->evaluator->costs && edp > 1.1 * sl_network_cost_value(&map->base.totals, SL_EDP))
        sl_doc_words(doc, "`--objective edp`, or `latency=4,energy=1`, weighs time and energy.");
    if (layer && map->evaluator->add_facts) map->evaluator->add_facts(map, doc);
    if (layer) add_space_fact(map, doc);
    if (map->prove) map_add_proven(map, doc);
    if (layer && !map->exact) add_best_fact(map, doc);
    if (!map->exact) map_add_curve(map, doc);
    if (!map->prove) return;
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "`certificates/` has what it takes to check proofs: `starling verify`.");
    sl_doc_detail(doc, false);
}
