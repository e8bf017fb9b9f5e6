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

// 0 = there is none
static void add_limit(SlDoc *doc, const char *key, double value) {
    add_number(doc, key, value > 0 ? value : (double)NAN);
}

// ---- what was asked for ----

static void add_space(const Map *map, SlDoc *doc) {
    const SpaceChoice *choice = &map->options->space;
    sl_doc_open(doc, "space", NULL);
    sl_doc_string(doc, "preset", NULL, sl_space_names[choice->preset]);
    sl_doc_string(doc, "open", NULL, choice->open ? choice->open : "");
    sl_doc_string(doc, "constraints", NULL, choice->constraints ? map->constraints.name : NULL);
    sl_doc_close(doc);
}

static void add_limits(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    sl_doc_open(doc, "budget", NULL);
    add_limit(doc, "samples", (double)map->samples);
    add_limit(doc, "seconds", options->time);
    add_limit(doc, "target_percent", options->target);
    add_number(doc, "warm", (double)options->warm);
    sl_doc_close(doc);
    if (!map->prove) {
        sl_doc_null(doc, "prove");
        return;
    }
    sl_doc_open(doc, "prove", NULL);
    add_number(doc, "epsilon", map->epsilon);
    add_limit(doc, "seconds", options->prove_time);
    sl_doc_close(doc);
}

// "all", a number, or null for a method without agents
static void add_agents(const Map *map, SlDoc *doc) {
    if (map->method->learns && map->n_agents > 0)
        add_number(doc, "agents", map->n_agents);
    else
        sl_doc_string(doc, "agents", NULL, map->method->learns ? "all" : NULL);
}

void map_add_setup(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    char goal[256];
    add_workload(doc, &map->eval);
    add_accel(doc, &map->eval.accel);
    sl_doc_string(doc, "objective", NULL, sl_goal_text(&map->goal, sizeof goal, goal));
    sl_doc_string(doc, "unit", NULL, sl_goal_unit(&map->goal));
    sl_doc_string(doc, "model", NULL, map->evaluator->kind->name);
    sl_doc_string(doc, "evaluator", NULL, options->evaluator);
    sl_doc_string(doc, "method", NULL, map->method->name);
    sl_doc_options(doc, "options", map->method->options, map->method_options);
    add_agents(map, doc);
    add_space(map, doc);
    sl_doc_string(doc, "illegal", NULL, sl_illegal_names[options->illegal]);
    sl_doc_string(doc, "start", NULL, sl_start_names[options->start]);
    add_limits(map, doc);
    add_number(doc, "seed", (double)options->seed);
}

// ---- the same for people ----

static void add_budget(const Map *map, SlText *out) {
    const MapOptions *options = map->options;
    char count[32];
    if (map->samples > 0)
        sl_text_add(out, "%s samples%s", sl_show_count((double)map->samples, count),
                    map->n_layers > 1 ? " per layer" : "");
    if (options->time > 0)
        sl_text_add(out, "%s%g seconds", map->samples > 0 ? " or " : "", options->time);
    if (options->target > 0)
        sl_text_add(out, " or until within %g %% of the floor", options->target);
}

// ", proven to 0.5 % in at most 10 s per layer"
static void add_prove(const Map *map, SlText *out) {
    double seconds = map->options->prove_time;
    if (!map->prove) return;
    if (map_uncovered(map)) {
        sl_text_add(out, ", without a proof");
        return;
    }
    sl_text_add(out, "%sproven ", map->exact ? "" : ", ");
    if (map->epsilon > 0)
        sl_text_add(out, "to %g %%", 100 * map->epsilon);
    else
        sl_text_add(out, "optimal");
    if (seconds > 0)
        sl_text_add(out, " in at most %g s%s", seconds, map->n_layers > 1 ? " per layer" : "");
}

static void add_search(const Map *map, SlDoc *doc) {
    const MapOptions *options = map->options;
    char goal[256];
    SlText line;
    sl_text_init(&line, map->arena);
    sl_text_add(&line, "%s by %s, ", sl_goal_text(&map->goal, sizeof goal, goal),
                map->method->name);
    add_budget(map, &line);
    add_prove(map, &line);
    if (map->n_agents > 0)
        sl_text_add(&line, ", %d agent%s", map->n_agents, map->n_agents > 1 ? "s" : "");
    if (options->warm > 0 && map->n_layers > 1)
        sl_text_add(&line, ", warm start of %lld samples", (long long)options->warm);
    if (map->evaluator->describe) {
        sl_text_add(&line, ", ");
        map->evaluator->describe(map, &line);
    }
    if (options->space.constraints) sl_text_add(&line, ", constraints %s", map->constraints.name);
    if (options->space.preset != SL_SPACE_NATIVE)
        sl_text_add(&line, ", space %s", sl_space_names[options->space.preset]);
    if (options->batch > 1) sl_text_add(&line, ", batch %lld", (long long)options->batch);
    sl_text_add(&line, ", seed %lld", (long long)options->seed);
    sl_doc_string(doc, NULL, "search", line.data);
}

static void add_head(const Map *map, SlDoc *doc) {
    const SlNetwork *net = &map->eval.net;
    const SlAccel *accel = &map->eval.accel;
    char title[EVALUATION_TITLE_ROOM], shape[384], count[32], area[SL_UNIT_ROOM];
    sl_doc_title(doc, "%s", evaluation_title(&map->eval, title));
    sl_doc_footer(doc, "%s", map->evaluator->note);
    map_add_setup(map, doc);
    add_machine(map, doc);
    sl_doc_flag(doc, "interrupted", NULL, map->signal != 0);
    if (net->title[0] && strcmp(net->name, "inline") != 0)
        sl_doc_string(doc, NULL, "workload", net->title);
    if (net->n_layers == 1)
        sl_doc_text(doc, NULL, "layer", "%s, %s MACs",
                    sl_layer_show(net->layers, sizeof shape, shape),
                    sl_show_count((double)sl_layer_macs(net->layers), count));
    sl_doc_text(doc, NULL, "machine", "%s MACs, %s%s%s",
                sl_show_count((double)sl_accel_macs(accel), count),
                sl_unit_show(SL_UNIT_UM2, sl_accel_area_um2(accel), area),
                accel->title[0] ? ", " : "", accel->title);
    add_search(map, doc);
    if (map->signal)
        sl_doc_warn(doc, "INTERRUPTED: the best so far; the same command again finishes it.");
}

// ---- sums ----

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

// of one layer a terminal has a table instead
static void add_totals(const Map *map, SlDoc *doc) {
    const SlNetworkCost *found = &map->eval.totals, *base = &map->base.totals;
    sl_doc_detail(doc, map->eval.net.n_layers == 1);
    sl_doc_cards(doc, "totals", NULL);
    map->evaluator->add_cards(map, doc);
    if (map->prove) map_add_gap_card(map, doc);
    if (!map->exact) add_samples_card(map, doc);
    add_sums(map, doc);
    sl_doc_close(doc);
    // one objective alone takes what it can get from the others
    if (map->evaluator->charts &&
        sl_network_cost_value(found, SL_EDP) > 1.1 * sl_network_cost_value(base, SL_EDP))
        sl_doc_words(doc, "`--objective edp`, or `latency=4,energy=1`, weighs time and energy.");
    sl_doc_detail(doc, false);
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
    map->evaluator->add_row(map, layer, doc);
    map_add_proof_cell(map, layer, doc);
    if (!map->exact) map_add_spark(layer, doc);
}

static bool samples_differ(const Map *map) {
    for (int i = 1; i < map->n_layers; i++)
        if (map->layers[i].job->record.samples != map->layers[0].job->record.samples) return true;
    return false;
}

static void add_foot(const Map *map, SlDoc *doc) {
    char count[32];
    sl_doc_foot(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, map->eval.net.n_layers);
    sl_doc_string(doc, NULL, "layer", "total");
    sl_doc_text(doc, NULL, "shape", "%s MACs", sl_show_short(map->eval.totals.macs, count));
    map->evaluator->add_foot(map, doc);
    map_add_proof_cell(map, NULL, doc);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)map_samples(map));
}

const char *map_goal_label(const Map *map) {
    static const char *const labels[] = {NULL, NULL, "EDP", "area", "power", "value"};
    return labels[goal_objective(&map->goal)];
}

// those of the evaluator stand between names and curves
static void open_table(const Map *map, SlDoc *doc) {
    enum { MOST = 24 };
    const MapEvaluator *evaluator = map->evaluator;
    const char *goal = map_goal_label(map);
    SlColumn columns[MOST] = {SL_COLUMN("count", "n"), SL_COLUMN("name", "layer", .cut = true),
                              SL_COLUMN(NULL, "shape", .cut = true)};
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
    if (!map->evaluator->charts) return;
    sl_doc_heading(doc, "Where time and energy go");
    if (network) add_latency_figure(doc, &map->eval);
    add_energy_figure(doc, &map->eval);
}

SlDoc *map_document(const Map *map) {
    bool network = map->eval.net.n_layers > 1;
    SlDoc *doc = sl_doc_make(map->arena, "map", 1);
    add_head(map, doc);
    if (map->evaluator->add_values) map->evaluator->add_values(map, doc);
    add_totals(map, doc);
    if (!network) map->evaluator->add_objectives(map, doc);
    if (!network) add_space_fact(map, doc);
    if (map->prove) map_add_proven(map, doc);
    if (!network && !map->exact) add_best_fact(map, doc);
    if (!map->exact) map_add_curve(map, doc);
    add_layers(map, doc);
    if (network && map->prove) map_add_proof_table(map, doc);
    if (!network) add_drawing(map, doc);
    if (!map->exact) map_add_curve_figure(map, doc);
    add_pictures(map, network, doc);
    if (network) add_loop_nests(doc, &map->eval);
    return doc;
}
