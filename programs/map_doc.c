// map_doc.c - what `starling map` found as a document (docs/formats/map-json.md).
//
// Nothing in it depends on threads or on how long it took: the same seed gives the same bytes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "show.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

// ---- layers ----

static void add_instances(const Map *map, const MapLayer *layer, SlDoc *doc) {
    sl_doc_table(doc, "instances", NULL, 0, NULL);
    for (int i = layer->job->first; i < map->eval.net.n_layers; i++) {
        if (map->eval.layers[i] != layer->found) continue;
        sl_doc_row(doc);
        add_number(doc, "index", i + 1);
        sl_doc_string(doc, "name", NULL, map->eval.net.layers[i].name);
    }
    sl_doc_close(doc);
}

// a mapping by the native model; `value` by the evaluator
static void add_cost(const Map *map, const MapLayer *layer, const Priced *priced, double value,
                     SlDoc *doc) {
    const SlCost *cost = &priced->cost;
    const SlAccel *accel = &map->eval.accel;
    char binder[64], shown[SHOW_ROOM];
    add_number(doc, "objective_value", value);
    sl_doc_number(doc, "latency_cycles", NULL, SL_UNIT_CYCLES, cost->latency_cycles);
    sl_doc_number(doc, "energy_pj", NULL, SL_UNIT_PJ, cost->energy_pj);
    add_edp(doc, "edp", NULL, sl_cost_value(cost, SL_EDP), accel->clock_mhz);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, cost->area_min_um2);
    sl_doc_number(doc, "power_mw", NULL, SL_UNIT_MW, cost->power_mw);
    sl_doc_number(doc, "utilisation", NULL, SL_UNIT_SHARE, cost->utilisation);
    sl_doc_shown(doc, "%.0f %%", 100 * cost->utilisation);
    sl_doc_string(doc, "binder", NULL, sl_binder_text(accel, cost->binder, sizeof binder, binder));
    sl_doc_shown(doc, "%s", show_binder(accel, cost->binder, shown));
    add_number(doc, "floor_multiple", value / layer->floor);
}

static void add_nest(const SlMapping *mapping, SlDoc *doc) {
    char nest[SL_NEST_TEXT_MAX];
    sl_doc_string(doc, "mapping", NULL, sl_mapping_write(mapping, sizeof nest, nest));
}

static void add_record(const Map *map, const MapLayer *layer, SlDoc *doc) {
    const SlJobTask *task = layer->job;
    const char *stopped = sl_stop_names[task->record.stopped];
    sl_doc_number(doc, "samples", NULL, SL_UNIT_COUNT, (double)task->record.samples);
    add_number(doc, "assign_samples", (double)task->assign_samples);
    add_number(doc, "warm_samples", (double)task->warm_samples);
    add_number(doc, "best_sample", (double)task->record.best.sample);
    sl_doc_string(doc, "stopped", NULL, map->exact ? NULL : stopped);
    add_number(doc, "agents", map->method->learns ? task->agents.n_agents : 0);
    sl_doc_open(doc, "space", NULL);
    add_number(doc, "parameters", task->space.n_params);
    add_number(doc, "log10_size", task->space.log10_size);
    add_lists(map, layer, doc);
    sl_doc_close(doc);
}

static void add_curve(const SlRecord *record, SlDoc *doc) {
    sl_doc_list(doc, "curve");
    for (int i = 0; i < record->n_curve; i++) {
        double pair[] = {(double)record->curve[i].sample, record->curve[i].value};
        sl_doc_numbers(doc, NULL, 2, pair);
    }
    sl_doc_close(doc);
}

// of the column of the goal; NULL where it has one anyway
static const char *goal_label(const Map *map) {
    static const char *const labels[] = {NULL, NULL, "EDP", "area", "power", "value"};
    return labels[goal_objective(&map->goal)];
}

static void add_goal(const Map *map, double value, SlDoc *doc) {
    const char *label = goal_label(map);
    char text[SHOW_ROOM];
    if (!label) return;
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s", show_goal(&map->goal, value, map->eval.accel.clock_mhz, text));
}

// the goal that floors are shown of
static const SlGoal *floor_goal(const Map *map) {
    const SlGoal *own = &map->evaluator->floor;
    return sl_network_degree(own) > 0 ? own : &map->goal;
}

static void add_floor(const Map *map, const MapLayer *layer, SlDoc *doc) {
    const SlTaskKind *kind = map->evaluator->costs ? map->evaluator->kind : &sl_kind_native;
    const SlGoal *goal = floor_goal(map);
    double floor = sl_kind_floor(kind, goal, &layer->found->layer, &map->eval.accel);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, sl_goal_value(goal, layer->cost) / floor);
}

static void add_row(const Map *map, const MapLayer *layer, SlDoc *doc) {
    SlLayer single = evaluation_single(&map->eval, &layer->found->layer);
    char shape[SHOW_ROOM];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, layer->found->layer.name);
    sl_doc_string(doc, NULL, "shape", show_shape(&single, shape));
    add_number(doc, "count", layer->job->count);
    add_instances(map, layer, doc);
    add_shape(doc, &layer->found->layer);
    add_cost(map, layer, layer->found, layer->value, doc);
    if (map->evaluator->add_numbers) map->evaluator->add_numbers(layer, doc);
    map_add_proof(map, layer, doc);
    add_record(map, layer, doc);
    add_nest(&layer->found->mapping, doc);
    sl_doc_number(doc, "gain", NULL, SL_UNIT_TIMES, layer->gain);
    sl_doc_open(doc, "default", NULL);
    add_cost(map, layer, layer->base, layer->base_value, doc);
    add_nest(&layer->base->mapping, doc);
    sl_doc_close(doc);
    add_curve(&layer->job->record, doc);
    add_goal(map, sl_goal_value(&map->goal, layer->cost), doc);
    add_floor(map, layer, doc);
    map_add_proof_cell(map, layer, doc);
    if (!map->exact) map_add_spark(layer, doc);
}

static bool samples_differ(const Map *map) {
    for (int i = 1; i < map->n_layers; i++)
        if (map->layers[i].job->record.samples != map->layers[0].job->record.samples) return true;
    return false;
}

// columns take what they name
static void add_foot(const Map *map, SlDoc *doc) {
    const SlNetworkCost *shown = map->totals, *exact = &map->eval.totals;
    const SlGoal *goal = floor_goal(map);
    char count[32];
    sl_doc_foot(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, map->eval.net.n_layers);
    sl_doc_string(doc, NULL, "layer", "total");
    sl_doc_text(doc, NULL, "shape", "%s MACs", sl_show_short(exact->macs, count));
    sl_doc_number(doc, NULL, "cycles", SL_UNIT_COUNT, shown->latency_cycles);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, shown->energy_pj);
    add_goal(map, sl_network_goal_value(&map->goal, shown), doc);
    add_edp(doc, NULL, "EDP", sl_network_cost_value(shown, SL_EDP), map->eval.accel.clock_mhz);
    sl_doc_number(doc, NULL, "util", SL_UNIT_SHARE, exact->utilisation);
    sl_doc_shown(doc, "%.0f %%", 100 * exact->utilisation);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES,
                  sl_network_goal_value(goal, shown) / sl_network_goal_floor(goal, shown));
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, map->base_value / map->value);
    sl_doc_number(doc, NULL, "native cycles", SL_UNIT_COUNT, exact->latency_cycles);
    sl_doc_number(doc, NULL, "native energy", SL_UNIT_PJ, exact->energy_pj);
    map_add_proof_cell(map, NULL, doc);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)map_samples(map));
}

// those of the evaluator stand between names and curves
static void open_table(const Map *map, SlDoc *doc) {
    enum { MOST = 24 };
    const MapEvaluator *evaluator = map->evaluator;
    const char *goal = goal_label(map);
    SlColumn columns[MOST] = {SL_COLUMN("name", "layer", .cut = true),
                              SL_COLUMN(NULL, "shape", .cut = true), SL_COLUMN("count", "n")};
    int n = 3;
    for (int i = 0; i < evaluator->n_columns; i++) {
        SlColumn column = evaluator->columns[i];
        bool again = column.label && goal && strcmp(column.label, goal) == 0;
        if (!column.label) column.label = goal;
        if (column.label && !again) columns[n++] = column;
    }
    if (samples_differ(map)) columns[n++] = (SlColumn)SL_COLUMN("samples", "samples");
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "curve", .detail = true);
    // layers.csv is another table: a row per layer of the network
    for (int i = 0; i < n; i++) columns[i].csv = "";
    sl_doc_table(doc, "layers", "Layers", n, columns);
}

static void add_layers(const Map *map, SlDoc *doc) {
    bool network = map->eval.net.n_layers > 1;
    if (network)
        open_table(map, doc);
    else
        sl_doc_table(doc, "layers", NULL, 0, NULL);
    for (int i = 0; i < map->n_layers; i++) add_row(map, &map->layers[i], doc);
    if (network) add_foot(map, doc);
    sl_doc_close(doc);
    if (!network) return;
    sl_doc_words(doc, "n: times in the network, all numbers for one of them. %s",
                 map->evaluator->legend);
    if (map->exact) return;
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "curve: the best so far over samples, both on log scales.");
    sl_doc_detail(doc, false);
}

// ---- the whole ----

// the loop nest of the only layer
static void add_drawing(const Map *map, SlDoc *doc) {
    const Priced *found = map->layers[0].found;
    char nest[SL_NEST_TEXT_MAX];
    SlText drawing;
    sl_text_init(&drawing, map->arena);
    sl_mapping_draw(&found->layer, &map->eval.accel, &found->mapping, &drawing);
    if (drawing.failed) call_no_memory();
    sl_doc_open(doc, NULL, "Mapping");
    sl_doc_string(doc, NULL, "loop nest", sl_mapping_write(&found->mapping, sizeof nest, nest));
    sl_doc_listing(doc, NULL, "", drawing.data);
    sl_doc_close(doc);
}

static void add_pictures(const Map *map, bool network, SlDoc *doc) {
    if (map->evaluator->costs) return; // they would be those of another model
    sl_doc_heading(doc, "Where time and energy go");
    if (network) add_latency_figure(doc, &map->eval);
    add_energy_figure(doc, &map->eval);
}

SlDoc *map_document(const Map *map) {
    bool network = map->eval.net.n_layers > 1;
    SlDoc *doc = sl_doc_make(map->arena, "map", 1);
    map_add_head(map, doc);
    if (map->evaluator->add_values) map->evaluator->add_values(map, doc);
    map_add_totals(map, doc);
    map_add_objectives(map, doc);
    add_layers(map, doc);
    if (network && map->prove) map_add_proof_table(map, doc);
    if (!network) add_drawing(map, doc);
    if (!map->exact) map_add_curve_figure(map, doc);
    add_pictures(map, network, doc);
    if (network) add_loop_nests(doc, &map->eval);
    return doc;
}
