// report_mapped.c - a mapped network as a document (docs/formats/map-json.md).
//
// Nothing in it depends on threads or on how long it took: the same seed gives the same bytes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluation_parts.h"
#include "mapped_inside.h"

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

// ---- layers ----

static void add_instances(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    sl_doc_table(doc, "instances", NULL, 0, NULL);
    for (int i = layer->task->first; i < mapped->eval.net.n_layers; i++) {
        if (mapped->eval.layers[i] != layer->found) continue;
        sl_doc_row(doc);
        add_number(doc, "index", i + 1);
        sl_doc_string(doc, "name", NULL, mapped->eval.net.layers[i].name);
    }
    sl_doc_close(doc);
}

// a mapping by the native model; `value` by the evaluator
static void add_cost(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer,
                     const SlPriced *priced, double value) {
    const SlCost *cost = &priced->cost;
    const SlAccel *accel = &mapped->eval.accel;
    char binder[64], shown[SL_UNIT_ROOM];
    add_number(doc, "objective_value", value);
    sl_doc_number(doc, "latency_cycles", NULL, SL_UNIT_CYCLES, cost->latency_cycles);
    sl_doc_number(doc, "energy_pj", NULL, SL_UNIT_PJ, cost->energy_pj);
    sl_doc_edp(doc, "edp", NULL, sl_cost_value(cost, SL_EDP), accel->clock_mhz);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, cost->area_min_um2);
    sl_doc_number(doc, "power_mw", NULL, SL_UNIT_MW, cost->power_mw);
    sl_doc_number(doc, "utilisation", NULL, SL_UNIT_SHARE, cost->utilisation);
    sl_doc_shown(doc, "%.0f %%", 100 * cost->utilisation);
    sl_doc_string(doc, "binder", NULL, sl_binder_text(accel, cost->binder, sizeof binder, binder));
    sl_doc_shown(doc, "%s", sl_binder_show(accel, cost->binder, shown));
    add_number(doc, "floor_multiple", value / layer->floor);
}

static void add_nest(SlDoc *doc, const SlMapping *mapping) {
    char nest[SL_NEST_TEXT_MAX];
    sl_doc_string(doc, "mapping", NULL, sl_mapping_write(mapping, sizeof nest, nest));
}

static void add_record(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    const SlJobTask *task = layer->task;
    const char *stopped = sl_stop_names[task->record.stopped];
    sl_doc_number(doc, "samples", NULL, SL_UNIT_COUNT, (double)task->record.samples);
    add_number(doc, "assign_samples", (double)task->assign_samples);
    add_number(doc, "warm_samples", (double)task->warm_samples);
    add_number(doc, "best_sample", (double)task->record.best.sample);
    sl_doc_string(doc, "stopped", NULL, mapped->setup.method ? stopped : NULL);
    add_number(doc, "agents", sl_mapped_learns(mapped) ? task->agents.n_agents : 0);
    sl_doc_open(doc, "space", NULL);
    add_number(doc, "parameters", task->space.n_params);
    add_number(doc, "log10_size", task->space.log10_size);
    sl_mapped_add_lists(doc, mapped, layer);
    sl_doc_close(doc);
    if (!mapped->setup.flock) {
        sl_doc_null(doc, "taught");
        return;
    }
    sl_doc_open(doc, "taught", NULL);
    add_number(doc, "distance", layer->taught_distance);
    add_number(doc, "share", layer->taught_share);
    sl_doc_close(doc);
}

static void add_curve(SlDoc *doc, const SlRecord *record) {
    sl_doc_list(doc, "curve");
    for (int i = 0; i < record->n_curve; i++) {
        double pair[] = {(double)record->curve[i].sample, record->curve[i].value};
        sl_doc_numbers(doc, NULL, 2, pair);
    }
    sl_doc_close(doc);
}

// of the column of the goal; NULL where it has one anyway
static const char *goal_label(const SlMapped *mapped) {
    // products do not add up from layer to layer, so EDP has no column
    static const char *const labels[] = {NULL, NULL, NULL, "area", "power", "value"};
    return labels[sl_goal_objective(&mapped->setup.goal)];
}

static void add_goal(SlDoc *doc, const SlMapped *mapped, double value) {
    const char *label = goal_label(mapped);
    char text[SL_UNIT_ROOM];
    if (!label) return;
    sl_doc_number(doc, NULL, label, SL_UNIT_PLAIN, value);
    sl_doc_shown(doc, "%s",
                 sl_goal_show(&mapped->setup.goal, value, mapped->eval.accel.clock_mhz, text));
}

// the goal that floors are shown of
static const SlGoal *floor_goal(const SlMapped *mapped) {
    const SlGoal *own = &sl_mapped_kind(mapped)->floor;
    return sl_network_degree(own) > 0 ? own : &mapped->setup.goal;
}

static void add_floor(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    const SlMappedKind *row = sl_mapped_kind(mapped);
    const SlTaskKind *kind = row->costs ? row->kind : &sl_kind_native;
    const SlGoal *goal = floor_goal(mapped);
    double floor = sl_kind_floor(kind, goal, &layer->found->layer, &mapped->eval.accel);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES, sl_goal_value(goal, layer->cost) / floor);
}

// what all instances take together, so that columns add up
static void add_instances_cost(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    const SlNetworkCost *whole = mapped->totals;
    double n = layer->task->count, cycles = n * layer->cost->latency_cycles;
    double pj = n * layer->cost->energy_pj;
    sl_doc_number(doc, NULL, "latency", SL_UNIT_SECONDS,
                  sl_evaluation_seconds(&mapped->eval, cycles));
    sl_doc_number(doc, NULL, "% time", SL_UNIT_SHARE, cycles / whole->latency_cycles);
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, pj);
    sl_doc_number(doc, NULL, "% energy", SL_UNIT_SHARE, pj / whole->energy_pj);
    sl_doc_number(doc, NULL, "native latency", SL_UNIT_SECONDS,
                  sl_evaluation_seconds(&mapped->eval, n * layer->found->cost.latency_cycles));
    sl_doc_number(doc, NULL, "native energy", SL_UNIT_PJ, n * layer->found->cost.energy_pj);
}

static void add_row(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer) {
    const SlMappedKind *row = sl_mapped_kind(mapped);
    SlLayer single = sl_evaluation_single(&mapped->eval, &layer->found->layer);
    char shape[SL_UNIT_ROOM];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, layer->found->layer.name);
    sl_doc_string(doc, NULL, "shape", sl_layer_shape(&single, shape));
    add_number(doc, "count", layer->task->count);
    add_instances(doc, mapped, layer);
    sl_doc_shape(doc, &layer->found->layer);
    add_cost(doc, mapped, layer, layer->found, layer->value);
    if (row->add_numbers) row->add_numbers(doc, layer);
    sl_mapped_add_proof(doc, layer);
    add_record(doc, mapped, layer);
    add_nest(doc, &layer->found->mapping);
    sl_mapped_add_gain(doc, mapped, layer, "gain", layer->gain);
    sl_doc_open(doc, "default", NULL);
    add_cost(doc, mapped, layer, layer->base, layer->base_value);
    add_nest(doc, &layer->base->mapping);
    sl_doc_close(doc);
    add_curve(doc, &layer->task->record);
    add_instances_cost(doc, mapped, layer);
    add_goal(doc, mapped, sl_goal_value(&mapped->setup.goal, layer->cost));
    add_floor(doc, mapped, layer);
    sl_mapped_add_proof_cell(doc, mapped, layer);
    if (mapped->setup.method) sl_mapped_add_spark(doc, layer);
}

static bool samples_differ(const SlMapped *mapped) {
    for (int i = 1; i < mapped->n_layers; i++)
        if (mapped->layers[i].task->record.samples != mapped->layers[0].task->record.samples)
            return true;
    return false;
}

// columns take what they name
static void add_foot(SlDoc *doc, const SlMapped *mapped) {
    const SlNetworkCost *shown = mapped->totals, *exact = &mapped->eval.totals;
    const SlGoal *goal = floor_goal(mapped);
    char count[32];
    sl_doc_foot(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, mapped->eval.net.n_layers);
    sl_doc_string(doc, NULL, "layer", "total");
    sl_doc_text(doc, NULL, "shape", "%s MACs", sl_show_short(exact->macs, count));
    sl_doc_number(doc, NULL, "latency", SL_UNIT_SECONDS,
                  sl_evaluation_seconds(&mapped->eval, shown->latency_cycles));
    sl_doc_number(doc, NULL, "energy", SL_UNIT_PJ, shown->energy_pj);
    add_goal(doc, mapped, sl_network_goal_value(&mapped->setup.goal, shown));
    sl_doc_number(doc, NULL, "util", SL_UNIT_SHARE, exact->utilisation);
    sl_doc_shown(doc, "%.0f %%", 100 * exact->utilisation);
    sl_doc_number(doc, NULL, "floor", SL_UNIT_TIMES,
                  sl_network_goal_value(goal, shown) / sl_network_goal_floor(goal, shown));
    sl_mapped_add_gain(doc, mapped, NULL, NULL, mapped->base_value / mapped->value);
    sl_doc_number(doc, NULL, "native latency", SL_UNIT_SECONDS,
                  sl_evaluation_seconds(&mapped->eval, exact->latency_cycles));
    sl_doc_number(doc, NULL, "native energy", SL_UNIT_PJ, exact->energy_pj);
    sl_mapped_add_proof_cell(doc, mapped, NULL);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)sl_mapped_samples(mapped));
}

// those of the evaluator stand between names and curves
static void open_table(SlDoc *doc, const SlMapped *mapped) {
    enum { MOST = 24 };
    const SlMappedKind *row = sl_mapped_kind(mapped);
    const char *goal = goal_label(mapped);
    SlColumn columns[MOST] = {SL_COLUMN("name", "layer", .cut = true),
                              SL_COLUMN(NULL, "shape", .cut = true), SL_COLUMN("count", "n")};
    int n = 3;
    for (int i = 0; i < row->n_columns; i++) {
        SlColumn column = row->columns[i];
        bool again = column.label && goal && strcmp(column.label, goal) == 0;
        if (!column.label) column.label = goal;
        if (column.label && !again) columns[n++] = column;
    }
    if (samples_differ(mapped)) columns[n++] = (SlColumn)SL_COLUMN("samples", "samples");
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "curve", .detail = true);
    // layers.csv is another table: a row per layer of the network
    for (int i = 0; i < n; i++) columns[i].csv = "";
    sl_doc_table(doc, "layers", "Layers", n, columns);
}

static void add_layers(SlDoc *doc, const SlMapped *mapped) {
    bool network = mapped->eval.net.n_layers > 1;
    if (network)
        open_table(doc, mapped);
    else
        sl_doc_table(doc, "layers", NULL, 0, NULL);
    for (int i = 0; i < mapped->n_layers; i++) add_row(doc, mapped, &mapped->layers[i]);
    if (network) add_foot(doc, mapped);
    sl_doc_close(doc);
    if (!network) return;
    sl_doc_words(
        doc, "n: times in the network; latency and energy are those of all of them together. %s",
        sl_mapped_kind(mapped)->legend);
    if (!mapped->setup.method) return;
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "curve: the best so far over samples, both on log scales.");
    sl_doc_detail(doc, false);
}

// ---- the whole ----

// the loop nest of the only layer
static void add_drawing(SlDoc *doc, const SlMapped *mapped) {
    const SlPriced *found = mapped->layers[0].found;
    char nest[SL_NEST_TEXT_MAX];
    SlText drawing;
    sl_text_init(&drawing, mapped->arena);
    sl_mapping_draw(&found->layer, &mapped->eval.accel, &found->mapping, &drawing);
    if (drawing.failed) sl_doc_fail(doc);
    sl_doc_open(doc, NULL, "Mapping");
    sl_doc_string(doc, NULL, "loop nest", sl_mapping_write(&found->mapping, sizeof nest, nest));
    sl_doc_listing(doc, NULL, "", drawing.data);
    sl_doc_close(doc);
}

static void add_pictures(SlDoc *doc, const SlMapped *mapped, bool network) {
    if (sl_mapped_kind(mapped)->costs) return; // they would be those of another model
    sl_doc_heading(doc, "Where time and energy go");
    if (network) sl_doc_latency_figure(doc, &mapped->eval);
    sl_doc_energy_figure(doc, &mapped->eval);
}

SlDoc *sl_report_mapped(const SlMapped *mapped) {
    const SlMappedKind *row = sl_mapped_kind(mapped);
    bool network = mapped->eval.net.n_layers > 1;
    SlDoc *doc = sl_doc_make(mapped->arena, "map", 1);
    sl_mapped_add_head(doc, mapped);
    if (row->add_values) row->add_values(doc, mapped);
    sl_mapped_add_totals(doc, mapped);
    sl_mapped_add_objectives(doc, mapped);
    sl_mapped_add_compared(doc, mapped);
    add_layers(doc, mapped);
    if (network && mapped->setup.prove) sl_mapped_add_proof_table(doc, mapped);
    sl_mapped_add_sensitivity(doc, mapped);
    if (!network) add_drawing(doc, mapped);
    if (mapped->setup.method) sl_mapped_add_curve_figure(doc, mapped);
    add_pictures(doc, mapped, network);
    if (network) sl_doc_loop_nests(doc, &mapped->eval);
    return doc;
}

// ---- every layer of the network ----

SlDoc *sl_report_mapped_layers(const SlMapped *mapped) {
    static const SlColumn proofs[] = {SL_COLUMN("proof.status", NULL, .csv = "proof"),
                                      SL_COLUMN("lower_bound", NULL), SL_COLUMN("gap", NULL)};
    const SlMappedKind *row = sl_mapped_kind(mapped);
    SlLayersTable table = {.n_more = row->n_csv, .more = row->csv};
    SlDoc *doc = sl_doc_make(mapped->arena, "layers", 1);
    if (mapped->setup.prove) table = (SlLayersTable){.n_more = 3, .more = proofs};
    sl_doc_layers(doc, &mapped->eval, &table);
    for (int i = 0; i < mapped->eval.net.n_layers; i++) {
        const SlMappedLayer *layer = sl_mapped_layer(mapped, i);
        sl_doc_layer(doc, &mapped->eval, i);
        if (mapped->setup.prove) sl_mapped_add_proof(doc, layer);
        if (row->add_numbers) row->add_numbers(doc, layer);
    }
    sl_doc_close(doc);
    return doc;
}
