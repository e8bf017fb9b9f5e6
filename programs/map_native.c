// map_native.c - `starling map` by Starling's own model.
#include "map.h"

static void price(const Map *map, MapLayer *layer) {
    layer->value = sl_goal_value(&map->goal, layer->cost);
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

void map_add_native_facts(const Map *map, SlDoc *doc) {
    const SlCost *cost = map->layers[0].cost;
    char binder[64], share[SL_UNIT_ROOM];
    sl_doc_string(doc, NULL, "bound by",
                  sl_binder_text(&map->eval.accel, cost->binder, sizeof binder, binder));
    sl_doc_remark(doc, "%s of the MACs busy over the whole time",
                  sl_unit_show(SL_UNIT_SHARE, cost->utilisation, share));
}

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

const char map_native_legend[] =
    "floor: the objective over the least that any mapping needs, never below 1 ×. gain: how many "
    "times smaller than with the default mapping of starling eval.";

const MapEvaluator map_native = {
    .kind = &sl_kind_native,
    .samples = MAP_SAMPLES,
    .note = NUMBERS_NOTE,
    .n_columns = N_NATIVE_COLUMNS,
    .columns = map_native_columns,
    .legend = map_native_legend,
    .price = price,
    .fail = fail,
    .add_facts = map_add_native_facts,
};
