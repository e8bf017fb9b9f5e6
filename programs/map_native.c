// map_native.c - `starling map` by Starling's own model: what is shown of layers and networks,
// beside floors and default mappings.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "show.h"

static void price(const Map *map, MapLayer *layer) {
    layer->value = sl_goal_value(&map->goal, &layer->found->cost);
    layer->base_value = sl_goal_value(&map->goal, &layer->base->cost);
    layer->gain = layer->base_value / layer->value;
}

static SlStatus fail(const Map *map, const MapLayer *layer, SlError *err) {
    char samples[32];
    return sl_fail(err, SL_EINPUT,
                   "%s: none of %s samples fits %s; --illegal repair or --start default finds one "
                   "that does",
                   layer->found->layer.name,
                   sl_show_count((double)layer->job->record.samples, samples),
                   map->eval.accel.name);
}

// ---- sums ----

// "8.3 % less than with default mappings"
static const char *compared(double base, double found, char out[static 2 * SL_UNIT_ROOM]) {
    char text[SL_UNIT_ROOM];
    sl_unit_compare(base, found, text);
    snprintf(out, 2 * SL_UNIT_ROOM, "%s %s with default mappings", text,
             strchr(text, '%') ? "than" : "as");
    return out;
}

static void add_floor(const SlNetworkCost *found, SlObjective objective, const char *name,
                      SlDoc *doc) {
    char label[32];
    snprintf(label, sizeof label, "%s floor", name);
    sl_doc_number(doc, NULL, label, SL_UNIT_TIMES, sl_network_cost_multiple(found, objective));
    sl_doc_remark(doc, "%s over the least of any mapping", name);
}

static void add_energy(const Map *map, SlDoc *doc) {
    const SlNetworkCost *found = &map->eval.totals;
    double batch = (double)map->options->batch;
    char pj[SL_UNIT_ROOM], power[SL_UNIT_ROOM], words[2 * SL_UNIT_ROOM];
    sl_unit_show(SL_UNIT_PJ, found->energy_pj / batch, pj);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, found->energy_pj);
    sl_doc_remark(doc, "%s%sper inference, %s on average; %s", batch > 1 ? pj : "",
                  batch > 1 ? " " : "", sl_unit_show(SL_UNIT_MW, found->power_mw, power),
                  compared(map->base.totals.energy_pj, found->energy_pj, words));
}

void map_add_native_cards(const Map *map, SlDoc *doc) {
    const SlNetworkCost *found = &map->eval.totals, *base = &map->base.totals;
    double seconds = evaluation_seconds(&map->eval, found->latency_cycles);
    double batch = (double)map->options->batch, clock = map->eval.accel.clock_mhz;
    double edp = sl_network_cost_value(found, SL_EDP), before = sl_network_cost_value(base, SL_EDP);
    char rate[SL_UNIT_ROOM], words[2 * SL_UNIT_ROOM];
    sl_doc_number(doc, NULL, "time", SL_UNIT_SECONDS, seconds);
    sl_doc_remark(doc, "%s inferences/s at %.6g MHz; %s",
                  sl_unit_show(SL_UNIT_RATE, batch / seconds, rate), clock,
                  compared(base->latency_cycles, found->latency_cycles, words));
    add_energy(map, doc);
    add_edp(doc, NULL, "EDP", edp, clock);
    sl_doc_remark(doc, "%s", compared(before, edp, words));
    add_floor(found, SL_LATENCY, "latency", doc);
    add_floor(found, SL_ENERGY, "energy", doc);
    add_floor(found, SL_EDP, "EDP", doc);
}

// ---- the only layer ----

static void add_objective(const Map *map, SlObjective objective, SlDoc *doc) {
    const MapLayer *layer = &map->layers[0];
    double clock = map->eval.accel.clock_mhz;
    double found = sl_cost_value(&layer->found->cost, objective);
    double base = sl_cost_value(&layer->base->cost, objective);
    const struct {
        const char *label;
        double value;
    } columns[] = {{"found", found},
                   {"least possible", layer->found->floor.value[objective]},
                   {"default mapping", base}};
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "objective", sl_objective_names[objective]);
    for (int c = 0; c < 3; c++) {
        char text[SHOW_ROOM];
        sl_doc_number(doc, NULL, columns[c].label, SL_UNIT_PLAIN, columns[c].value);
        sl_doc_shown(doc, "%s", show_objective(objective, columns[c].value, clock, text));
    }
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, priced_multiple(layer->found, objective));
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, base / found);
}

void map_add_native_objectives(const Map *map, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "objective"),       SL_COLUMN(NULL, "found"),
        SL_COLUMN(NULL, "least possible"),  SL_COLUMN(NULL, "floor"),
        SL_COLUMN(NULL, "default mapping"), SL_COLUMN(NULL, "gain"),
    };
    const SlCost *cost = &map->layers[0].found->cost;
    char binder[64], share[SL_UNIT_ROOM];
    sl_doc_table(doc, NULL, NULL, sizeof columns / sizeof *columns, columns);
    for (int o = 0; o < SL_N_OBJECTIVES; o++) add_objective(map, (SlObjective)o, doc);
    sl_doc_close(doc);
    sl_doc_string(doc, NULL, "bound by",
                  sl_binder_text(&map->eval.accel, cost->binder, sizeof binder, binder));
    sl_doc_remark(doc, "%s of the MACs busy over the whole time",
                  sl_unit_show(SL_UNIT_SHARE, cost->utilisation, share));
}

// ---- a network ----

const SlColumn map_native_columns[N_NATIVE_COLUMNS] = {
    SL_COLUMN("latency_cycles", "cycles", .unit = SL_UNIT_COUNT),
    SL_COLUMN("energy_pj", "energy"),
    SL_COLUMN(NULL, NULL),
    SL_COLUMN("edp", "EDP", .detail = true),
    SL_COLUMN("utilisation", "util"),
    SL_COLUMN(NULL, "floor"),
    SL_COLUMN("gain", "gain"),
    SL_COLUMN(NULL, "proven gap", .detail = true),
    SL_COLUMN("binder", "bound by", .cut = true),
};

const char map_native_legend[] = "floor: the objective over the least that any mapping needs, "
                                 "never below 1 ×. gain: how many times smaller than "
                                 "with the default mapping of starling eval.";

void map_add_goal(const Map *map, double value, SlDoc *doc) {
    const char *label = map_goal_label(map);
    char text[SHOW_ROOM];
    if (!label) return;
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s", show_goal(&map->goal, value, map->eval.accel.clock_mhz, text));
}

void map_add_native_row(const Map *map, const MapLayer *layer, SlDoc *doc) {
    double value = sl_goal_value(&map->goal, &layer->found->cost);
    map_add_goal(map, value, doc);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES,
                  value / sl_goal_floor(&map->goal, &layer->found->floor));
}

void map_add_native_foot(const Map *map, SlDoc *doc) {
    const SlNetworkCost *totals = &map->eval.totals;
    double floor = sl_network_goal_floor(&map->goal, &map->sums);
    sl_doc_number(doc, NULL, "cycles", SL_UNIT_COUNT, totals->latency_cycles);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, totals->energy_pj);
    map_add_goal(map, map->value, doc);
    add_edp(doc, NULL, "EDP", sl_network_cost_value(totals, SL_EDP), map->eval.accel.clock_mhz);
    sl_doc_number(doc, NULL, "util", SL_UNIT_SHARE, totals->utilisation);
    if (!isnan(totals->utilisation)) sl_doc_shown(doc, "%.0f %%", 100 * totals->utilisation);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, map->value / floor);
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, map->base_value / map->value);
}

const MapEvaluator map_native = {
    .kind = &sl_kind_native,
    .samples = MAP_SAMPLES,
    .charts = true,
    .note = NUMBERS_NOTE,
    .n_columns = N_NATIVE_COLUMNS,
    .columns = map_native_columns,
    .legend = map_native_legend,
    .price = price,
    .fail = fail,
    .add_cards = map_add_native_cards,
    .add_objectives = map_add_native_objectives,
    .add_row = map_add_native_row,
    .add_foot = map_add_native_foot,
};
