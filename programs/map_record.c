// map_record.c - the record of a finished layer: written at once, read by the next run of the same
// command.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "map.h"

enum { PATH_ROOM = 4352 };

static void record_path(const Map *map, const MapLayer *layer, char out[static PATH_ROOM]) {
    char name[FILE_NAME_ROOM];
    command_file_name(layer->found->layer.name, name);
    snprintf(out, PATH_ROOM, "%s/records/%03d_%s.json", map->dir, (int)(layer - map->layers) + 1,
             name);
}

json_t *layer_curve_json(const MapLayer *layer) {
    json_t *list = command_need(json_array());
    for (int i = 0; i < layer->record.n_curve; i++) {
        const SlCurvePoint *point = &layer->record.curve[i];
        json_t *pair = command_need(json_array());
        json_add(pair, json_integer(point->sample));
        json_add(pair, sl_json_number(point->value));
        json_add(list, pair);
    }
    return list;
}

SlStatus record_write(const Map *map, const MapLayer *layer, SlError *err) {
    char path[PATH_ROOM], nest[SL_NEST_TEXT_MAX];
    const SlRecord *record = &layer->record;
    json_t *document = command_need(sl_json_document("map-record", 1));
    json_put_text(document, "key", map->key);
    json_put_text(document, "layer", layer->text);
    json_put(document, "samples", json_integer(record->samples));
    json_put(document, "best_sample", json_integer(record->best.sample));
    json_put(document, "assign_samples", json_integer(layer->assign_samples));
    json_put(document, "warm_samples", json_integer(layer->warm_samples));
    json_put(document, "agents", json_integer(layer->agents.n_agents));
    json_put_text(document, "stopped", sl_stop_names[record->stopped]);
    json_put_text(document, "mapping", sl_mapping_write(&record->best.mapping, sizeof nest, nest));
    json_put(document, "curve", layer_curve_json(layer));

    // of an arena of its own: several threads come here
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    SlStatus status = sl_json_print(document, &text, err);
    record_path(map, layer, path);
    if (status == SL_OK) status = sl_file_write(path, text.data, text.n, err);
    sl_arena_free(&arena);
    return status;
}

// ---- reading ----

static bool same_text(const SlNode *root, const char *key, const char *text) {
    const SlNode *node = sl_node_get(root, key);
    return node && node->text && strcmp(node->text, text) == 0;
}

static bool get_count(const SlNode *root, const char *key, int64_t most, int64_t *out) {
    const SlNode *node = sl_node_get(root, key);
    return node && node->text && sl_parse_int(node->text, 0, most, out, NULL) == SL_OK;
}

static bool get_mapping(const Map *map, const SlNode *root, MapLayer *layer) {
    const SlNode *node = sl_node_get(root, "mapping");
    const SlLayer *shape = &layer->found->layer;
    SlMapping *mapping = &layer->record.best.mapping;
    SlFit fit;
    return node && node->text && sl_mapping_parse(node->text, mapping, NULL) == SL_OK &&
           !sl_mapping_check(shape, mapping) &&
           sl_mapping_fit(shape, &map->eval.accel, mapping, &fit);
}

static bool get_curve(const SlNode *root, MapLayer *layer) {
    const SlNode *list = sl_node_get(root, "curve");
    SlRecord *record = &layer->record;
    if (!list || list->kind != SL_NODE_LIST || list->n == 0) return false;
    record->curve = command_need(SL_NEW(&layer->arena, list->n, SlCurvePoint));
    for (const SlNode *pair = list->first; pair; pair = pair->next) {
        const SlNode *sample = sl_node_at(pair, 0), *value = sl_node_at(pair, 1);
        SlCurvePoint *point = &record->curve[record->n_curve++];
        if (!sample || !value || !sample->text || !value->text) return false;
        if (sl_parse_int(sample->text, 1, INT64_MAX, &point->sample, NULL) != SL_OK) return false;
        if (sl_parse_real(value->text, 0, 1e300, &point->value, NULL) != SL_OK) return false;
    }
    return true;
}

static bool get_record(const Map *map, const SlNode *root, MapLayer *layer) {
    SlRecord *record = &layer->record;
    int64_t agents = 0;
    if (!same_text(root, "key", map->key) || !same_text(root, "layer", layer->text)) return false;
    if (!get_count(root, "samples", INT64_MAX, &record->samples)) return false;
    if (!get_count(root, "best_sample", record->samples, &record->best.sample)) return false;
    if (!get_count(root, "assign_samples", INT64_MAX, &layer->assign_samples)) return false;
    if (!get_count(root, "warm_samples", INT64_MAX, &layer->warm_samples)) return false;
    if (!get_count(root, "agents", SL_MAX_PARAMS, &agents)) return false;
    layer->agents.n_agents = (int)agents;
    int stopped = 0;
    while (sl_stop_names[stopped] && !same_text(root, "stopped", sl_stop_names[stopped])) stopped++;
    record->stopped = (SlStopReason)stopped;
    return sl_stop_names[stopped] && get_mapping(map, root, layer) && get_curve(root, layer);
}

void record_read(const Map *map, MapLayer *layer) {
    char path[PATH_ROOM];
    const SlNode *root;
    SlArena scratch;
    MapLayer fresh = *layer;
    sl_arena_init(&scratch, 0);
    record_path(map, layer, path);
    layer->record = (SlRecord){0};
    bool good = sl_tree_read(path, &scratch, &root, NULL) == SL_OK && get_record(map, root, layer);
    sl_arena_free(&scratch);
    if (!good) {
        // what is not this run's, or is broken, is as good as absent
        fresh.arena = layer->arena;
        *layer = fresh;
        return;
    }
    SlCost cost;
    sl_cost_eval(&layer->found->layer, &map->eval.accel, &layer->record.best.mapping, &cost);
    layer->record.best.outcome.value = sl_goal_value(&map->goal, &cost);
    layer->resumed = true;
}
