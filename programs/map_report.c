// map_report.c - what `starling map` found, for reading: a table and sums, or one layer's nest.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "show.h"
#include "starling/draw.h"
#include "text_table.h"

enum { SPARK_COLUMNS = 32, LINE_ROOM = 512 };

// ---- what was asked for ----

static void add_budget(const Map *map, SlText *out) {
    const MapOptions *options = map->options;
    char count[32];
    if (map->samples > 0)
        sl_text_add(out, "%s samples%s", sl_show_count((double)map->samples, count),
                    map->n_layers > 1 ? " per layer" : "");
    if (map->options->time > 0)
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

static void add_settings(const Map *map, SlText *out) {
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
    if (map_is_maestro(map)) sl_text_add(&line, ", model maestro behind the strict guard");
    if (map_is_process(map)) sl_text_add(&line, ", evaluator %s", options->evaluator);
    if (options->space.constraints) sl_text_add(&line, ", constraints %s", map->constraints.name);
    if (options->space.preset != SL_SPACE_NATIVE)
        sl_text_add(&line, ", space %s", sl_space_names[options->space.preset]);
    if (options->batch > 1) sl_text_add(&line, ", batch %lld", (long long)options->batch);
    sl_text_add(&line, ", seed %lld", (long long)options->seed);
    if (line.failed) command_no_memory();
    show_wrapped("", "  ", line.data, out);
    if (map->signal)
        sl_text_add(out, "INTERRUPTED: the best so far; the same command again finishes it\n");
}

static void add_header(const Map *map, SlText *out) {
    const SlNetwork *net = &map->eval.net;
    const SlAccel *accel = &map->eval.accel;
    char line[LINE_ROOM], area[SHOW_ROOM], macs[32];
    snprintf(line, sizeof line, "%s%s%s", net->name, net->title[0] ? ": " : "", net->title);
    show_wrapped("", "  ", line, out);
    snprintf(line, sizeof line, "on %s: %s MACs, %s%s%s", accel->name,
             sl_show_count((double)sl_accel_macs(accel), macs),
             show_area(sl_accel_area_um2(accel), area), accel->title[0] ? ", " : "", accel->title);
    show_wrapped("", "  ", line, out);
    add_settings(map, out);
    sl_text_add(out, "\n");
}

// ---- the curve ----

// best so far over samples, both on log scales
static void add_curve(const Map *map, SlText *out) {
    double y[SPARK_COLUMNS], last = map_longest(map);
    char from[SHOW_ROOM], count[32];
    int first = -1;
    for (int i = 0; i < SPARK_COLUMNS; i++) {
        y[i] = map_curve(map, pow(last, (double)i / (SPARK_COLUMNS - 1)) * (1 + 1e-9));
        if (first < 0 && isfinite(y[i])) first = i;
    }
    if (first < 0 || last < 2) return;
    double begun = floor(pow(last, (double)first / (SPARK_COLUMNS - 1)) * (1 + 1e-9));
    if (y[first] <= 1 + 1e-9) {
        sl_text_add(out, "Curve        nothing better than the first sample\n");
        return;
    }
    if (y[first] < 1.001)
        snprintf(from, sizeof from, "<0.1 %% above");
    else if (y[first] < 1.1)
        snprintf(from, sizeof from, "%.2g %% above", 100 * (y[first] - 1));
    else
        show_multiple(y[first], from);
    for (int i = first; i < SPARK_COLUMNS; i++) y[i] = log(y[i]);
    sl_text_add(out, "Curve        ");
    sl_draw_spark(SPARK_COLUMNS - first, y + first, SPARK_COLUMNS - first, out);
    sl_text_add(out, "  from sample %.0f (%s the result) to %s\n", begun, from,
                sl_show_count(last, count));
}

// ---- one line per distinct layer ----

static bool has_column(const Map *map) {
    SlObjective only = goal_objective(&map->goal);
    return only != SL_LATENCY && only != SL_ENERGY;
}

static void add_goal_head(const Map *map, size_t n, char *out) {
    static const char *const heads[] = {"", "", "|EDP", "|area", "|power", "|value"};
    snprintf(out, n, "n|~layer|~shape|cycles|energy%s|util|floor|gain%s|~bound by",
             has_column(map) ? heads[goal_objective(&map->goal)] : "",
             map_samples_differ(map) ? "|samples" : "");
}

static void add_percent(TextTable *table, double share) {
    if (isnan(share))
        table_cell(table, "-");
    else
        table_cell(table, "%.0f %%", 100 * share);
}

static void add_layer_row(TextTable *table, const Map *map, const MapLayer *layer) {
    const SlCost *cost = &layer->found->cost;
    double clock = map->eval.accel.clock_mhz, value = sl_goal_value(&map->goal, cost);
    char count[32], text[SHOW_ROOM];
    SlLayer single = evaluation_single(&map->eval, &layer->found->layer);
    table_row(table);
    table_cell(table, "%d", layer->job->count);
    table_cell(table, "%s", layer->found->layer.name);
    table_cell(table, "%s", show_shape(&single, text));
    table_cell(table, "%s", sl_show_count(cost->latency_cycles, count));
    table_cell(table, "%s", show_energy(cost->energy_pj, text));
    if (has_column(map)) table_cell(table, "%s", show_goal(&map->goal, value, clock, text));
    add_percent(table, cost->utilisation);
    table_cell(table, "%s",
               show_multiple(value / sl_goal_floor(&map->goal, &layer->found->floor), text));
    table_cell(table, "%s", show_multiple(map_gain(map, layer), text));
    if (map_samples_differ(map))
        table_cell(table, "%s", sl_show_count((double)layer->job->record.samples, count));
    table_cell(table, "%s", show_binder(&map->eval.accel, cost->binder, text));
}

static void add_total_row(TextTable *table, const Map *map) {
    const SlNetworkCost *totals = &map->eval.totals;
    double clock = map->eval.accel.clock_mhz, value = map_total(map, &map->eval);
    char count[32], text[SHOW_ROOM];
    table_rule(table);
    table_row(table);
    table_cell(table, "%d", map->eval.net.n_layers);
    table_cell(table, "total");
    table_cell(table, "%s MACs", sl_show_short(totals->macs, count));
    table_cell(table, "%s", sl_show_count(totals->latency_cycles, count));
    table_cell(table, "%s", show_energy(totals->energy_pj, text));
    if (has_column(map)) table_cell(table, "%s", show_goal(&map->goal, value, clock, text));
    add_percent(table, totals->utilisation);
    table_cell(table, "%s", show_multiple(map_total_multiple(map), text));
    table_cell(table, "%s", show_multiple(map_total(map, &map->base) / value, text));
    if (map_samples_differ(map))
        table_cell(table, "%s", sl_show_count((double)map_samples(map), count));
}

static void add_table(const Map *map, SlText *out) {
    TextTable table;
    char heads[160];
    add_goal_head(map, sizeof heads, heads);
    table_init(&table, map->arena, heads);
    for (int i = 0; i < map->n_layers; i++) add_layer_row(&table, map, &map->layers[i]);
    add_total_row(&table, map);
    table_draw(&table, out);
    sl_text_add(out,
                "\nn: times in the network, all numbers for one of them. floor: %s over the "
                "least possible.\ngain: how many times smaller than with the default mapping "
                "of starling eval.\n\n",
                has_column(map) && goal_objective(&map->goal) == SL_N_OBJECTIVES
                    ? "value"
                    : sl_objective_names[map->shown.objective]);
}

// ---- sums ----

static void add_sums(const Map *map, SlText *out) {
    const SlNetworkCost *found = &map->eval.totals, *base = &map->base.totals;
    double seconds = evaluation_seconds(&map->eval, found->latency_cycles);
    double batch = (double)map->options->batch;
    char a[SHOW_ROOM], b[SHOW_ROOM], c[SHOW_ROOM];
    sl_text_add(out, "Time         %s at %.6g MHz, %s inferences/s\n", show_seconds(seconds, a),
                map->eval.accel.clock_mhz, show_rate(batch / seconds, b));
    sl_text_add(out, "Energy       %s per inference, %s on average\n",
                show_energy(found->energy_pj / batch, a), show_power(found->power_mw, b));
    sl_text_add(out, "Floors       latency %s, energy %s, EDP %s: no mapping is below 1 ×\n",
                show_multiple(sl_network_cost_multiple(found, SL_LATENCY), a),
                show_multiple(sl_network_cost_multiple(found, SL_ENERGY), b),
                show_multiple(sl_network_cost_multiple(found, SL_EDP), c));
    char compared[4 * SHOW_ROOM];
    snprintf(compared, sizeof compared,
             "latency %s, energy %s, EDP %s, against the default mappings",
             show_compared(base->latency_cycles, found->latency_cycles, a),
             show_compared(base->energy_pj, found->energy_pj, b),
             show_compared(sl_network_cost_value(base, SL_EDP),
                           sl_network_cost_value(found, SL_EDP), c));
    show_wrapped("Compared     ", "             ", compared, out);
    // one objective alone takes what it can get from the others
    if (sl_network_cost_value(found, SL_EDP) > 1.1 * sl_network_cost_value(base, SL_EDP))
        sl_text_add(out, "             (--objective edp, or latency=4,energy=1, weighs both)\n");
}

static void add_samples(const Map *map, SlText *out) {
    int64_t assign = 0, warm = 0;
    char count[32];
    for (int i = 0; i < map->n_layers; i++) {
        assign += map->layers[i].job->assign_samples;
        warm += map->layers[i].job->warm_samples;
    }
    sl_text_add(out, "Samples      %s", sl_show_count((double)map_samples(map), count));
    if (warm > 0)
        sl_text_add(out, ", and %s of the warm start", sl_show_count((double)warm, count));
    if (assign > 0)
        sl_text_add(out, ", and %s to group parameters into agents",
                    sl_show_count((double)assign, count));
    sl_text_add(out, "\n");
}

// ---- one layer ----

static void add_compared(TextTable *table, const Map *map, SlObjective objective) {
    const MapLayer *layer = &map->layers[0];
    double found = sl_cost_value(&layer->found->cost, objective);
    double base = sl_cost_value(&layer->base->cost, objective);
    double clock = map->eval.accel.clock_mhz;
    char text[SHOW_ROOM];
    table_row(table);
    table_cell(table, "%s", sl_objective_names[objective]);
    table_cell(table, "%s", show_objective(objective, found, clock, text));
    table_cell(table, "%s",
               show_objective(objective, layer->found->floor.value[objective], clock, text));
    table_cell(table, "%s", show_multiple(priced_multiple(layer->found, objective), text));
    table_cell(table, "%s", show_objective(objective, base, clock, text));
    table_cell(table, "%s", show_multiple(base / found, text));
}

static void add_native_layer(const Map *map, SlText *out) {
    const SlCost *cost = &map->layers[0].found->cost;
    char binder[64], share[SHOW_ROOM];
    TextTable table;
    table_init(&table, map->arena, "<|found|least possible|floor|default mapping|gain");
    for (int o = 0; o < SL_N_OBJECTIVES; o++) add_compared(&table, map, (SlObjective)o);
    table_draw(&table, out);
    sl_text_add(out, "\nBound by     %s, %s of the MACs busy over the whole time\n",
                sl_binder_text(&map->eval.accel, cost->binder, sizeof binder, binder),
                show_share(cost->utilisation, share));
}

static void add_layer(const Map *map, SlText *out) {
    const MapLayer *layer = &map->layers[0];
    const SlRecord *record = &layer->job->record;
    char nest[SL_NEST_TEXT_MAX], count[32];
    show_wrapped("Loop nest: ", "           ",
                 sl_mapping_write(&layer->found->mapping, sizeof nest, nest), out);
    sl_text_add(out, "\n");
    sl_mapping_draw(&layer->found->layer, &map->eval.accel, &layer->found->mapping, out);
    sl_text_add(out, "\n");
    if (map_is_process(map)) add_process_table(map, out);
    if (map_is_maestro(map))
        add_maestro_layer(map, out);
    else
        add_native_layer(map, out);
    sl_text_add(out, "Space        %d parameters, 10^%.1f points", layer->job->space.n_params,
                layer->job->space.log10_size);
    if (map->method->learns)
        sl_text_add(out, ", %d agent%s", layer->job->agents.n_agents,
                    layer->job->agents.n_agents == 1 ? "" : "s");
    sl_text_add(out, "\n");
    add_proof_layer(map, out);
    if (map->exact) return;
    add_samples(map, out);
    sl_text_add(out, "Best         at sample %s; stopped: %s\n",
                sl_show_count((double)record->best.sample, count), sl_stop_names[record->stopped]);
    add_curve(map, out);
}

static void add_layer_header(const Map *map, SlText *out) {
    const SlLayer *layer = &map->eval.net.layers[0];
    char title[EVALUATION_TITLE_ROOM], shape[INLINE_ROOM], macs[32];
    sl_text_add(out, "%s\n%s, %s MACs\n", evaluation_title(&map->eval, title),
                sl_layer_show(layer, sizeof shape, shape),
                sl_show_count((double)sl_layer_macs(layer), macs));
    add_settings(map, out);
    sl_text_add(out, "\n");
}

void add_map_report(const Map *map, SlText *out) {
    if (map->eval.net.n_layers == 1) {
        add_layer_header(map, out);
        add_layer(map, out);
        return;
    }
    add_header(map, out);
    if (map_is_maestro(map)) {
        add_maestro_table(map, out);
    } else {
        if (map_is_process(map)) add_process_table(map, out);
        add_table(map, out);
        add_proof_table(map, out);
        add_sums(map, out);
        add_proof_sums(map, out);
    }
    if (map->exact) return;
    add_samples(map, out);
    add_curve(map, out);
}
