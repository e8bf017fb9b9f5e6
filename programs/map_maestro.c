// map_maestro.c - `starling map --evaluator maestro`: what was found in MAESTRO's model, the native
// numbers of the same mappings beside it, and the mappings as .m files.
#include <math.h>
#include <stdio.h>

#include "map.h"
#include "starling/cost/maestro.h"

// A mapping as MAESTRO sees it: alone in its file.
typedef struct {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlMaestroCost maestro;
    SlCost cost; // latency, energy, area and power of it
} Found;

// ---- prices ----

// only for mappings that its guard let pass
static void price(const Map *map, MapLayer *layer) {
    const SlLayer *shape = &layer->found->layer;
    SlMaestroHardware hardware;
    SlMaestroFault fault;
    Found *found = call_need(SL_NEW(map->arena, 1, Found));
    layer->own = found;
    layer->cost = &found->cost;
    layer->base_value = layer->gain = NAN;
    sl_maestro_hardware_of(&map->eval.accel, &hardware);
    sl_maestro_shape(shape, &found->shape);
    sl_maestro_of_nest(shape, &layer->found->mapping, hardware.num_pes, &found->shape, &found->list,
                       NULL);
    sl_maestro_eval(&found->shape, &found->list, &hardware, NULL, &found->maestro, &fault);
    found->cost = (SlCost){.latency_cycles = (double)found->maestro.runtime_cycles,
                           .energy_pj = 1000 * found->maestro.energy_nj,
                           .area_min_um2 = found->maestro.area_um2,
                           .power_mw = found->maestro.power_mw};
    layer->value = sl_goal_value(&map->goal, &found->cost);
}

static const SlGoal latency = {.weight = {[SL_LATENCY] = 1}};

// MAESTRO's power is of the hardware, not energy over time, so that of several layers is not known
static SlNetworkCost sums(const Map *map) {
    SlNetworkCost sums;
    sl_network_cost_init(&sums, NULL);
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        SlNetworkPart part = sl_network_part(layer->job->count);
        part.latency_cycles = layer->cost->latency_cycles;
        part.energy_pj = layer->cost->energy_pj;
        part.floor_cycles =
            sl_kind_floor(&sl_kind_maestro, &latency, &layer->found->layer, &map->eval.accel);
        part.area_um2 = layer->cost->area_min_um2;
        sl_network_cost_add(&sums, &part);
    }
    if (map->n_layers == 1) sums.power_mw = map->layers[0].cost->power_mw;
    return sums;
}

static SlStatus fail(const Map *map, const MapLayer *layer, SlError *err) {
    char samples[32];
    (void)map;
    return sl_fail(err, SL_EINPUT,
                   "%s: MAESTRO's model has no physical result for any of %s samples; it needs "
                   "whole filters (constraints maestro)",
                   layer->found->layer.name,
                   sl_show_count((double)layer->job->record.samples, samples));
}

// ---- what is shown ----

static void describe(const Map *map, SlText *out) {
    (void)map;
    sl_text_add(out, "model maestro behind the strict guard");
}

static void add_costs(double cycles, double pj, double edp, SlDoc *doc) {
    sl_doc_open(doc, "maestro", NULL);
    sl_doc_number(doc, "latency_cycles", NULL, SL_UNIT_CYCLES, cycles);
    sl_doc_number(doc, "energy_pj", NULL, SL_UNIT_PJ, pj);
    sl_doc_number(doc, "edp", NULL, SL_UNIT_PLAIN, edp);
}

static void add_totals(const Map *map, SlDoc *doc) {
    add_costs(map->sums.latency_cycles, map->sums.energy_pj,
              sl_network_cost_value(&map->sums, SL_EDP), doc);
    sl_doc_close(doc);
}

static void add_numbers(const MapLayer *layer, SlDoc *doc) {
    const Found *found = layer->own;
    const SlCost *cost = layer->cost;
    add_costs(cost->latency_cycles, cost->energy_pj, sl_cost_value(cost, SL_EDP), doc);
    sl_doc_number(doc, "area_um2", NULL, SL_UNIT_UM2, cost->area_min_um2);
    sl_doc_number(doc, "power_mw", NULL, SL_UNIT_MW, cost->power_mw);
    sl_doc_number(doc, "l1_bytes", NULL, SL_UNIT_BYTES, (double)found->maestro.l1_bytes);
    sl_doc_number(doc, "l2_bytes", NULL, SL_UNIT_BYTES, (double)found->maestro.l2_bytes);
    sl_doc_close(doc);
}

// "L1 needs 138 of 512 words"
static void add_buffer(const Map *map, int level, int64_t need, SlText *out) {
    const SlLevel *buffer = &map->eval.accel.levels[level];
    double words = (double)buffer->capacity_bytes / map->eval.accel.word_bytes[0];
    char a[32], b[32];
    sl_text_add(out, "%s needs %s of %s words, ", buffer->name, sl_show_count((double)need, a),
                sl_show_count(words, b));
}

static void add_facts(const Map *map, SlDoc *doc) {
    const Found *found = map->layers[0].own;
    SlText words;
    sl_text_init(&words, map->arena);
    add_buffer(map, 2, found->maestro.l1_bytes, &words);
    add_buffer(map, 1, found->maestro.l2_bytes, &words);
    sl_doc_string(doc, NULL, "floor", "the cycles of busy PEs; MAESTRO's model has no other floor");
    sl_doc_text(doc, NULL, "buffers", "%sas MAESTRO counts them", words.data);
}

// ---- columns and files ----

static const SlColumn columns[] = {
    SL_COLUMN("maestro.latency_cycles", "cycles", .unit = SL_UNIT_COUNT),
    SL_COLUMN("maestro.energy_pj", "energy"),
    SL_COLUMN(NULL, NULL),
    SL_COLUMN(NULL, "floor"),
    SL_COLUMN("latency_cycles", "native cycles", .unit = SL_UNIT_COUNT),
    SL_COLUMN("energy_pj", "native energy"),
};

static const SlColumn csv[] = {
    SL_COLUMN("maestro.latency_cycles", NULL, .csv = "maestro_cycles"),
    SL_COLUMN("maestro.energy_pj", NULL),
    SL_COLUMN("maestro.area_um2", NULL),
    SL_COLUMN("maestro.power_mw", NULL),
    SL_COLUMN("maestro.l1_bytes", NULL),
    SL_COLUMN("maestro.l2_bytes", NULL),
};

// mappings/LAYER.m
static SlStatus write_file(const Map *map, const MapLayer *layer, int i, SlError *err) {
    const Found *found = layer->own;
    char file[FILE_NAME_ROOM + 16];
    SlText text;
    SlMaestroLayer shape = found->shape;
    SlMaestroNetwork net = {
        .n_layers = 1, .layers = &shape, .mappings = (SlMaestroMapping *)&found->list};
    size_t mark = sl_arena_mark(map->arena);
    snprintf(net.name, sizeof net.name, "%s", shape.name);
    sl_text_init(&text, map->arena);
    sl_text_add(&text, "// starling eval --model maestro %s.m --accel %s\n", map->names[i],
                map->eval.accel.name);
    sl_maestro_write(&net, &text);
    snprintf(file, sizeof file, "mappings/%s.m", map->names[i]);
    SlStatus status = folder_write(map->dir, file, &text, err);
    sl_arena_rewind(map->arena, mark);
    return status;
}

const MapEvaluator map_maestro = {
    .kind = &sl_kind_maestro,
    .samples = MAP_SAMPLES,
    .costs = "MAESTRO",
    .floor = {.weight = {[SL_LATENCY] = 1}},
    .key = "model",
    .note = "Numbers of MAESTRO's model, as far as they are physical.",
    .n_columns = sizeof columns / sizeof *columns,
    .columns = columns,
    .legend = "cycles, energy: MAESTRO's, energy as of a layer alone in its file. floor: cycles "
              "over those of busy PEs. native: the same mappings in the native model.",
    .n_csv = sizeof csv / sizeof *csv,
    .csv = csv,
    .write = write_file,
    .price = price,
    .sums = sums,
    .fail = fail,
    .describe = describe,
    .add_facts = add_facts,
    .add_numbers = add_numbers,
    .add_totals = add_totals,
};
