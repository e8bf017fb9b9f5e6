// map_record.c - the record of a finished layer: written at once, read by the next run of the same
// command. First what the search found, then, with --prove, the same and what was proven.
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "curve_json.h"
#include "map.h"
#include "starling/cost/bound.h"

enum { PATH_ROOM = 4352 };

static void record_path(const Map *map, const MapLayer *layer, char out[static PATH_ROOM]) {
    char name[FILE_NAME_ROOM];
    command_file_name(layer->found->layer.name, name);
    snprintf(out, PATH_ROOM, "%s/records/%03d_%s.json", map->dir, (int)(layer - map->layers) + 1,
             name);
}

// all digits: what is read back must be the same number
static json_t *digits_json(double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.17g", value);
    return json_string(digits);
}

json_t *layer_curve_json(const MapLayer *layer) {
    const SlRecord *record = &layer->job->record;
    return curve_json(record->n_curve, record->curve, sl_json_number);
}

static void put_search(const MapLayer *layer, json_t *document) {
    char nest[SL_NEST_TEXT_MAX];
    const SlRecord *record = &layer->job->record;
    json_put(document, "samples", json_integer(record->samples));
    json_put(document, "best_sample", json_integer(record->best.sample));
    json_put(document, "assign_samples", json_integer(layer->job->assign_samples));
    json_put(document, "warm_samples", json_integer(layer->job->warm_samples));
    json_put(document, "agents", json_integer(layer->job->agents.n_agents));
    json_put_text(document, "stopped", sl_stop_names[record->stopped]);
    json_put_text(document, "mapping", sl_mapping_write(&record->best.mapping, sizeof nest, nest));
    json_put(document, "value", digits_json(record->best.outcome.value));
    json_put(document, "failures", json_integer(record->failures));
    json_put(document, "curve", curve_json(record->n_curve, record->curve, digits_json));
}

static json_t *proof_json(const Map *map, const SlProof *proof) {
    char nest[SL_NEST_TEXT_MAX];
    json_t *to = command_need(json_object());
    json_put(to, "epsilon", digits_json(map->epsilon));
    json_put(to, "limit_seconds", digits_json(map->options->prove_time));
    json_put_text(to, "status", sl_proof_names[proof->status]);
    json_put(to, "lower_bound", digits_json(proof->lower_bound));
    json_put(to, "start", digits_json(proof->start));
    json_put(to, "improved", json_boolean(proof->improved));
    json_put(to, "branches", json_integer(proof->n_branches));
    json_put(to, "nodes", json_integer(proof->nodes));
    json_put_text(to, "mapping", sl_mapping_write(&proof->mapping, sizeof nest, nest));
    return to;
}

SlStatus record_write(const Map *map, const MapLayer *layer, SlError *err) {
    char path[PATH_ROOM];
    json_t *document = command_need(sl_json_document("map-record", 1));
    json_put_text(document, "key", map->key);
    json_put_text(document, "layer", layer->job->text);
    if (!map->exact) put_search(layer, document);
    if (layer->job->proven) json_put(document, "proof", proof_json(map, &layer->job->proof));

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

static bool get_mapping(const Map *map, const SlNode *root, const MapLayer *layer,
                        SlMapping *mapping) {
    const SlNode *node = sl_node_get(root, "mapping");
    const SlLayer *shape = &layer->found->layer;
    SlFit fit;
    return node && node->text && sl_mapping_parse(node->text, mapping, NULL) == SL_OK &&
           !sl_mapping_check(shape, mapping) &&
           sl_mapping_fit(shape, &map->eval.accel, mapping, &fit);
}

static bool get_curve(const SlNode *root, MapLayer *layer) {
    const SlNode *list = sl_node_get(root, "curve");
    SlRecord *record = &layer->job->record;
    if (!list || list->kind != SL_NODE_LIST || list->n == 0) return false;
    record->curve = command_need(SL_NEW(&layer->job->arena, list->n, SlCurvePoint));
    for (const SlNode *pair = list->first; pair; pair = pair->next) {
        const SlNode *sample = sl_node_at(pair, 0), *value = sl_node_at(pair, 1);
        SlCurvePoint *point = &record->curve[record->n_curve++];
        if (!sample || !value || !sample->text || !value->text) return false;
        if (sl_parse_int(sample->text, 1, INT64_MAX, &point->sample, NULL) != SL_OK) return false;
        if (sl_parse_real(value->text, 0, 1e300, &point->value, NULL) != SL_OK) return false;
    }
    return true;
}

// index of a text in a list of names that ends with NULL, -1 if it is not there
static int get_name(const SlNode *root, const char *key, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (same_text(root, key, names[i])) return i;
    return -1;
}

static bool get_digits(const SlNode *root, const char *key, double *out) {
    const SlNode *node = sl_node_get(root, key);
    return node && node->text && sl_parse_real(node->text, 0, INFINITY, out, NULL) == SL_OK;
}

// what a program of the user's said is not computed again
static bool get_value(const Map *map, const SlNode *root, SlRecord *record) {
    if (!map_is_process(map)) return true;
    return get_count(root, "failures", INT64_MAX, &record->failures) &&
           get_digits(root, "value", &record->best.outcome.value);
}

static bool get_search(const Map *map, const SlNode *root, MapLayer *layer) {
    SlRecord *record = &layer->job->record;
    int64_t agents = 0;
    if (!get_count(root, "samples", INT64_MAX, &record->samples)) return false;
    if (!get_count(root, "best_sample", record->samples, &record->best.sample)) return false;
    if (!get_count(root, "assign_samples", INT64_MAX, &layer->job->assign_samples)) return false;
    if (!get_count(root, "warm_samples", INT64_MAX, &layer->job->warm_samples)) return false;
    if (!get_count(root, "agents", SL_MAX_PARAMS, &agents)) return false;
    layer->job->agents.n_agents = (int)agents;
    if (!get_value(map, root, record)) return false;
    int stopped = get_name(root, "stopped", sl_stop_names);
    record->stopped = (SlStopReason)stopped;
    return stopped >= 0 && get_mapping(map, root, layer, &record->best.mapping) &&
           get_curve(root, layer);
}

// the proof that is asked for now, with its certificate
static bool get_proof(const Map *map, const SlNode *root, MapLayer *layer) {
    const SlNode *node = sl_node_get(root, "proof");
    SlProof *proof = &layer->job->proof;
    double epsilon = 0, seconds = 0;
    int64_t branches = 0;
    if (!node || node->kind != SL_NODE_MAP) return false;
    if (!get_digits(node, "epsilon", &epsilon) || epsilon != map->epsilon) return false;
    if (!get_digits(node, "limit_seconds", &seconds)) return false;
    if (seconds != map->options->prove_time) return false;
    int status = get_name(node, "status", sl_proof_names);
    if (status < 0 || !get_mapping(map, node, layer, &proof->mapping)) return false;
    if (!get_digits(node, "lower_bound", &proof->lower_bound)) return false;
    if (!get_digits(node, "start", &proof->start)) return false;
    if (!get_count(node, "branches", INT_MAX, &branches)) return false;
    if (!get_count(node, "nodes", INT64_MAX, &proof->nodes)) return false;
    proof->status = (SlProofStatus)status;
    proof->n_branches = (int)branches;
    proof->improved = same_text(node, "improved", "true");
    proof->value = layer_value(map, layer, &proof->mapping);
    proof->gap = fmax(proof->value / proof->lower_bound - 1, 0);
    proof->reason = sl_bounds_reason(&layer->job->space, &map->goal);
    layer->job->proven = true;
    return !layer_has_bound(layer) || certificate_exists(map, layer);
}

static bool get_record(const Map *map, const SlNode *root, MapLayer *layer) {
    if (!same_text(root, "key", map->key) || !same_text(root, "layer", layer->job->text))
        return false;
    if (!map->exact && !get_search(map, root, layer)) return false;
    layer->job->proof_resumed = map->prove && get_proof(map, root, layer);
    layer->job->proven = layer->job->proof_resumed;
    if (!layer->job->proven) layer->job->proof = (SlProof){0};
    return layer->job->proven || !map->exact;
}

void record_read(const Map *map, MapLayer *layer) {
    char path[PATH_ROOM];
    const SlNode *root;
    SlArena scratch;
    SlJobTask fresh = *layer->job;
    sl_arena_init(&scratch, 0);
    record_path(map, layer, path);
    layer->job->record = (SlRecord){0};
    bool good = sl_tree_read(path, &scratch, &root, NULL) == SL_OK && get_record(map, root, layer);
    sl_arena_free(&scratch);
    if (good && !map->exact) {
        double value = layer_value(map, layer, &layer->job->record.best.mapping);
        layer->job->record.best.outcome.value = value;
        good = isfinite(value);
    }
    if (!good) {
        // what is not this run's, or is broken, is as good as absent
        fresh.arena = layer->job->arena;
        *layer->job = fresh;
        return;
    }
    layer->job->resumed = true;
}

// ---- certificates ----

static void certificate_path(const Map *map, const MapLayer *layer, char out[static PATH_ROOM]) {
    snprintf(out, PATH_ROOM, "%s/certificates/%s.cert", map->dir, map->names[layer->job->first]);
}

bool certificate_exists(const Map *map, const MapLayer *layer) {
    char path[PATH_ROOM];
    struct stat info;
    certificate_path(map, layer, path);
    return stat(path, &info) == 0;
}

SlStatus certificate_write(const Map *map, const MapLayer *layer, const SlProveSetup *setup,
                           SlError *err) {
    char path[PATH_ROOM];
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_certificate_write(setup, &layer->job->proof, &text);
    if (text.failed) command_no_memory();
    certificate_path(map, layer, path);
    SlStatus status = sl_file_write(path, text.data, text.n, err);
    sl_arena_free(&arena);
    return status;
}
