// map_maestro.c - `starling map --model maestro`: what was found in MAESTRO's model, the native
// numbers of the same mappings beside it, and the mappings as .m files.
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "map.h"
#include "show.h"
#include "text_table.h"

bool map_is_maestro(const Map *map) {
    return map->kind == &sl_kind_maestro;
}

// ---- prices ----

bool maestro_find(const Map *map, const MapLayer *layer, const SlMapping *mapping,
                  MaestroFound *found, SlCost *cost) {
    const SlLayer *shape = &layer->found->layer;
    SlMaestroHardware hardware;
    SlMaestroFault fault;
    SlMaestroGuard guard;
    if (sl_maestro_hardware_of(&map->eval.accel, &hardware)) return false;
    if (sl_maestro_shape(shape, &found->shape)) return false;
    if (sl_maestro_of_nest(shape, mapping, hardware.num_pes, &found->shape, &found->list, NULL))
        return false;
    if (!sl_maestro_eval(&found->shape, &found->list, &hardware, NULL, &found->cost, &fault))
        return false;
    *cost = (SlCost){.latency_cycles = (double)found->cost.runtime_cycles,
                     .energy_pj = 1000 * found->cost.energy_nj,
                     .area_min_um2 = found->cost.area_um2,
                     .power_mw = found->cost.power_mw};
    return sl_maestro_guard(&found->shape, &found->list, &hardware, &found->cost, shape, mapping,
                            &guard);
}

static double floor_cycles(const Map *map, const MapLayer *layer) {
    return sl_kind_floor(&sl_kind_maestro, &(SlGoal){.weight = {[SL_LATENCY] = 1}},
                         &layer->found->layer, &map->eval.accel);
}

// MAESTRO's power is of the hardware, not energy over time, so that of several layers is not known
SlNetworkCost maestro_sums(const Map *map) {
    SlNetworkCost sums;
    sl_network_cost_init(&sums, NULL);
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        SlNetworkPart part = sl_network_part(layer->job->count);
        part.latency_cycles = layer->cost.latency_cycles;
        part.energy_pj = layer->cost.energy_pj;
        part.floor_cycles = floor_cycles(map, layer);
        part.area_um2 = layer->cost.area_min_um2;
        sl_network_cost_add(&sums, &part);
    }
    if (map->n_layers == 1) sums.power_mw = map->layers[0].cost.power_mw;
    return sums;
}

// ---- text: a network ----

// latency and energy have columns anyway
static bool has_column(const Map *map) {
    SlObjective only = goal_objective(&map->goal);
    return only != SL_LATENCY && only != SL_ENERGY;
}

static void add_row(TextTable *table, const Map *map, const MapLayer *layer) {
    const SlCost *cost = &layer->cost, *exact = &layer->found->cost;
    double clock = map->eval.accel.clock_mhz;
    char count[32], text[SHOW_ROOM];
    SlLayer single = evaluation_single(&map->eval, &layer->found->layer);
    table_row(table);
    table_cell(table, "%d", layer->job->count);
    table_cell(table, "%s", layer->found->layer.name);
    table_cell(table, "%s", show_shape(&single, text));
    table_cell(table, "%s", sl_show_count(cost->latency_cycles, count));
    table_cell(table, "%s", show_energy(cost->energy_pj, text));
    if (has_column(map))
        table_cell(table, "%s",
                   show_goal(&map->goal, sl_goal_value(&map->goal, cost), clock, text));
    table_cell(table, "%s", show_multiple(cost->latency_cycles / floor_cycles(map, layer), text));
    table_cell(table, "%s", sl_show_count(exact->latency_cycles, count));
    table_cell(table, "%s", show_energy(exact->energy_pj, text));
}

static void add_total(TextTable *table, const Map *map) {
    const SlNetworkCost *exact = &map->eval.totals;
    SlNetworkCost sums = maestro_sums(map);
    char count[32], text[SHOW_ROOM];
    table_rule(table);
    table_row(table);
    table_cell(table, "%d", map->eval.net.n_layers);
    table_cell(table, "total");
    table_cell(table, "%s MACs", sl_show_short(exact->macs, count));
    table_cell(table, "%s", sl_show_count(sums.latency_cycles, count));
    table_cell(table, "%s", show_energy(sums.energy_pj, text));
    if (has_column(map))
        table_cell(
            table, "%s",
            show_goal(&map->goal, map_total(map, &map->eval), map->eval.accel.clock_mhz, text));
    table_cell(table, "%s", show_multiple(sl_network_cost_multiple(&sums, SL_LATENCY), text));
    table_cell(table, "%s", sl_show_count(exact->latency_cycles, count));
    table_cell(table, "%s", show_energy(exact->energy_pj, text));
}

void add_maestro_table(const Map *map, SlText *out) {
    static const char *const heads[] = {"", "", "|EDP", "|area", "|power", "|value"};
    char text[160];
    TextTable table;
    snprintf(text, sizeof text, "n|~layer|~shape|cycles|energy%s|floor|native cycles|native energy",
             has_column(map) ? heads[goal_objective(&map->goal)] : "");
    table_init(&table, map->arena, text);
    for (int i = 0; i < map->n_layers; i++) add_row(&table, map, &map->layers[i]);
    add_total(&table, map);
    table_draw(&table, out);
    sl_text_add(out, "\nn: times in the network, all numbers for one of them. cycles, energy: "
                     "MAESTRO's, energy as of a\nlayer alone in its file. floor: cycles over those "
                     "of busy PEs. native: the same mappings in the\nnative model.\n\n");
}

// ---- text: a layer ----

static void add_objective(TextTable *table, const Map *map, SlObjective objective) {
    const MapLayer *layer = &map->layers[0];
    double clock = map->eval.accel.clock_mhz;
    char text[SHOW_ROOM];
    table_row(table);
    table_cell(table, "%s", sl_objective_names[objective]);
    table_cell(table, "%s",
               show_objective(objective, sl_cost_value(&layer->cost, objective), clock, text));
    table_cell(
        table, "%s",
        show_objective(objective, sl_cost_value(&layer->found->cost, objective), clock, text));
}

void add_maestro_layer(const Map *map, SlText *out) {
    const MapLayer *layer = &map->layers[0];
    const SlMaestroCost *cost = &layer->maestro->cost;
    const SlLevel *levels = map->eval.accel.levels;
    char a[32], b[32], c[32], d[32], text[SHOW_ROOM];
    TextTable table;
    table_init(&table, map->arena, "<|MAESTRO|native model");
    for (int o = 0; o < SL_N_OBJECTIVES; o++) add_objective(&table, map, (SlObjective)o);
    table_draw(&table, out);
    sl_text_add(out,
                "\nFloor        %s the cycles of busy PEs; MAESTRO's model has no other floor\n",
                show_multiple(layer->cost.latency_cycles / floor_cycles(map, layer), text));
    sl_text_add(out, "Buffers      %s needs %s of %s words, %s %s of %s, as MAESTRO counts them\n",
                levels[2].name, sl_show_count((double)cost->l1_bytes, a),
                sl_show_count((double)levels[2].capacity_bytes / map->eval.accel.word_bytes[0], b),
                levels[1].name, sl_show_count((double)cost->l2_bytes, c),
                sl_show_count((double)levels[1].capacity_bytes / map->eval.accel.word_bytes[0], d));
}

// ---- for machines ----

void add_maestro_columns(const void *context, int i, SlText *out) {
    const Map *map = context;
    const MapLayer *layer = map->layers;
    while (layer->found != map->eval.layers[i]) layer++;
    sl_text_add(out, ",%.17g,%.17g,%.17g,%.17g,%lld,%lld", layer->cost.latency_cycles,
                layer->cost.energy_pj, layer->cost.area_min_um2, layer->cost.power_mw,
                (long long)layer->maestro->cost.l1_bytes, (long long)layer->maestro->cost.l2_bytes);
}

json_t *maestro_layer_json(const MapLayer *layer) {
    const SlCost *cost = &layer->cost;
    json_t *to = command_need(json_object());
    json_put_number(to, "latency_cycles", cost->latency_cycles);
    json_put_number(to, "energy_pj", cost->energy_pj);
    json_put_number(to, "edp", sl_cost_value(cost, SL_EDP));
    json_put_number(to, "area_um2", cost->area_min_um2);
    json_put_number(to, "power_mw", cost->power_mw);
    json_put(to, "l1_bytes", json_integer(layer->maestro->cost.l1_bytes));
    json_put(to, "l2_bytes", json_integer(layer->maestro->cost.l2_bytes));
    return to;
}

json_t *maestro_totals_json(const Map *map) {
    SlNetworkCost sums = maestro_sums(map);
    json_t *to = command_need(json_object());
    json_put_number(to, "latency_cycles", sums.latency_cycles);
    json_put_number(to, "energy_pj", sums.energy_pj);
    json_put_number(to, "edp", sl_network_cost_value(&sums, SL_EDP));
    return to;
}

static SlStatus write_file(const Map *map, const MapLayer *layer, int i, SlError *err) {
    char file[4352];
    SlText text;
    SlMaestroLayer shape = layer->maestro->shape;
    SlMaestroNetwork net = {.n_layers = 1, .layers = &shape, .mappings = &layer->maestro->list};
    size_t mark = sl_arena_mark(map->arena);
    snprintf(net.name, sizeof net.name, "%s", shape.name);
    sl_text_init(&text, map->arena);
    sl_text_add(&text, "// starling eval --model maestro %s.m --accel %s\n", map->names[i],
                map->eval.accel.name);
    sl_maestro_write(&net, &text);
    snprintf(file, sizeof file, "mappings/%s.m", map->names[i]);
    SlStatus status = command_write(map->dir, file, &text, err);
    sl_arena_rewind(map->arena, mark);
    return status;
}

SlStatus maestro_write_files(const Map *map, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < map->eval.net.n_layers && status == SL_OK; i++) {
        const MapLayer *layer = map->layers;
        while (layer->found != map->eval.layers[i]) layer++;
        status = write_file(map, layer, i, err);
    }
    return status;
}
