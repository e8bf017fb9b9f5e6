// mapped_run.c - map.json and accel.yaml of a run of `starling map` (docs/formats/map-json.md).
#include "starling/job/mapped_run.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "starling/job/run_dir.h"

bool sl_mapped_run_exists(const char *dir) {
    char path[SL_FOLDER_PATH];
    struct stat info;
    sl_folder_path(dir, "map.json", path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the run");
}

// ---- values of a document ----

static bool is_null(const SlNode *node) {
    return node->kind == SL_NODE_SCALAR && !node->quoted && strcmp(node->text, "null") == 0;
}

static SlStatus need(const SlNode *map, const char *key, SlNodeKind kind, const SlNode **out,
                     SlError *err) {
    SlStatus status = sl_node_need(map, key, out, err);
    return status == SL_OK ? sl_node_expect(*out, kind, key, err) : status;
}

static SlStatus need_text(const SlNode *map, const char *key, const char **out, SlError *err) {
    const SlNode *node;
    SlStatus status = need(map, key, SL_NODE_SCALAR, &node, err);
    if (status == SL_OK) *out = node->text;
    return status;
}

// as what is shown on terminals
static SlStatus need_name(const SlNode *map, const char *key, size_t room, char *out,
                          SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, key, &node, err);
    if (status == SL_OK) status = sl_node_copy_text(node, room, out, err);
    if (status == SL_OK) sl_text_clean(out, false);
    return status;
}

static SlStatus need_int(const SlNode *map, const char *key, int64_t most, int64_t *out,
                         SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, key, &node, err);
    return status == SL_OK ? sl_node_int(node, 1, most, out, err) : status;
}

// null is NAN
static SlStatus need_real(const SlNode *map, const char *key, double *out, SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, key, &node, err);
    *out = NAN;
    return status != SL_OK || is_null(node) ? status : sl_node_real(node, 0, INFINITY, out, err);
}

static SlStatus need_choice(const SlNode *map, const char *key, const char *const *names, int *out,
                            SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, key, &node, err);
    return status == SL_OK ? sl_node_choice(node, names, out, err) : status;
}

// a list of lines as text; NULL where the document has none
static SlStatus get_lines(const SlNode *map, const char *key, SlArena *arena, const char **out,
                          SlError *err) {
    const SlNode *list = sl_node_get(map, key);
    SlText text;
    *out = NULL;
    if (!list || is_null(list)) return SL_OK;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, key, err);
    sl_text_init(&text, arena);
    for (const SlNode *line = status == SL_OK ? list->first : NULL; line; line = line->next) {
        status = sl_node_expect(line, SL_NODE_SCALAR, key, err);
        if (status != SL_OK) return status;
        sl_text_add(&text, "%s\n", line->text);
    }
    *out = text.data;
    return text.failed ? no_memory(err) : status;
}

// ---- what was asked for ----

static SlStatus read_goal(const SlNode *root, SlGoal *goal, SlError *err) {
    const SlNode *node;
    SlError inside;
    SlStatus status = need(root, "objective", SL_NODE_SCALAR, &node, err);
    if (status != SL_OK || sl_goal_parse(node->text, goal, &inside) == SL_OK) return status;
    return sl_node_fail(node, err, "%s", inside.text);
}

// dims as they were typed, "RS" or "r,s", as bits
static SlStatus read_open(const SlNode *space, uint8_t *open, SlError *err) {
    const SlNode *node;
    SlStatus status = need(space, "open", SL_NODE_SCALAR, &node, err);
    for (const char *at = status == SL_OK ? node->text : ""; *at; at++) {
        int d = 0;
        while (d < SL_N_DIMS && sl_dim_names[d][0] != toupper((unsigned char)*at)) d++;
        if (d < SL_N_DIMS)
            *open |= (uint8_t)(1 << d);
        else if (*at != ',' && *at != ' ')
            return sl_node_fail(node, err, "expected dims out of NGKCPQRS");
    }
    return status;
}

static SlStatus read_space(const SlNode *root, SlMappedRun *run, SlRunResult *common,
                           SlError *err) {
    const SlNode *space, *constraints;
    int preset = 0;
    SlStatus status = sl_node_need(root, "space", &space, err);
    if (status == SL_OK) status = need_choice(space, "preset", sl_space_names, &preset, err);
    if (status == SL_OK) status = read_open(space, &common->open, err);
    if (status == SL_OK) status = need(space, "constraints", SL_NODE_SCALAR, &constraints, err);
    if (status != SL_OK) return status;
    common->preset = (SlSpacePreset)preset;
    common->constrained = !is_null(constraints);
    if (common->constrained) run->constraints = constraints->text;
    return SL_OK;
}

static SlStatus read_setup(const SlNode *root, SlArena *arena, SlMappedRun *run,
                           SlRunResult *common, SlError *err) {
    const SlNode *prove, *accel;
    const char *name = "";
    SlStatus status = sl_node_need(root, "accel", &accel, err);
    if (status == SL_OK) status = need_text(accel, "name", &name, err);
    if (status == SL_OK && strcmp(name, run->accel->name) != 0)
        return sl_node_fail(accel, err, "the results are of '%.60s', accel.yaml is of '%s'", name,
                            run->accel->name);
    if (status == SL_OK) status = read_goal(root, &common->goal, err);
    if (status == SL_OK) status = read_space(root, run, common, err);
    if (status == SL_OK) status = get_lines(root, "machine", arena, &common->machine, err);
    if (status == SL_OK) status = sl_node_need(root, "prove", &prove, err);
    if (status != SL_OK || is_null(prove)) return status;
    return need_real(prove, "epsilon", &common->epsilon, err);
}

static SlStatus read_workload(const SlNode *root, SlArena *arena, SlMappedRun *run, SlError *err) {
    const SlNode *workload;
    SlNetwork *net = &run->net;
    int64_t n = 0;
    SlStatus status = sl_node_need(root, "workload", &workload, err);
    if (status == SL_OK) status = need_name(workload, "name", sizeof net->name, net->name, err);
    if (status == SL_OK) status = need_name(workload, "title", sizeof net->title, net->title, err);
    if (status == SL_OK) status = need_int(workload, "batch", 1 << 30, &run->batch, err);
    if (status == SL_OK) status = need_int(workload, "n_layers", SL_NETWORK_MAX_LAYERS, &n, err);
    if (status != SL_OK) return status;
    net->n_layers = (int)n;
    net->layers = SL_NEW(arena, n, SlLayer);
    run->result_of = SL_NEW(arena, n, int);
    if (!net->layers || !run->result_of) return no_memory(err);
    for (int i = 0; i < net->n_layers; i++) run->result_of[i] = -1;
    return SL_OK;
}

// ---- a layer ----

// the layer stands there twice: inline, and number by number
static SlStatus read_shape(const SlNode *entry, SlLayer *layer, SlError *err) {
    const SlNode *text, *dims;
    SlError inside;
    SlStatus status = need(entry, "inline", SL_NODE_SCALAR, &text, err);
    if (status == SL_OK) status = sl_node_need(entry, "dims", &dims, err);
    if (status != SL_OK) return status;
    if (sl_layer_parse(text->text, layer, &inside) != SL_OK)
        return sl_node_fail(text, err, "%s", inside.text);
    for (int d = 0; d < SL_N_DIMS && status == SL_OK; d++) {
        double extent = NAN;
        status = need_real(dims, sl_dim_names[d], &extent, err);
        if (status == SL_OK && extent != (double)layer->dims[d])
            return sl_node_fail(dims, err, "expected %s=%lld, as 'inline' says", sl_dim_names[d],
                                (long long)layer->dims[d]);
    }
    return status;
}

static SlStatus read_mapping(const SlNode *entry, SlMapping *mapping, const SlNode **place,
                             SlError *err) {
    SlError inside;
    SlStatus status = need(entry, "mapping", SL_NODE_SCALAR, place, err);
    if (status != SL_OK || sl_mapping_parse((*place)->text, mapping, &inside) == SL_OK)
        return status;
    return sl_node_fail(*place, err, "%s", inside.text);
}

static SlStatus read_proof(const SlNode *entry, SlArena *arena, SlRunResult *result, SlError *err) {
    const SlNode *proof, *space, *file = sl_node_get(entry, "certificate");
    int proven = SL_N_PROOFS;
    SlStatus status = need_real(entry, "lower_bound", &result->lower_bound, err);
    if (status == SL_OK) status = need_real(entry, "gap", &result->gap, err);
    if (status == SL_OK) status = sl_node_need(entry, "proof", &proof, err);
    if (status == SL_OK && !is_null(proof))
        status = need_choice(proof, "status", sl_proof_names, &proven, err);
    if (status == SL_OK) status = sl_node_need(entry, "space", &space, err);
    if (status == SL_OK) status = get_lines(space, "lists", arena, &result->lists, err);
    result->status = (SlProofStatus)proven;
    if (isnan(result->lower_bound)) result->lower_bound = 0;
    if (file && file->kind == SL_NODE_SCALAR && !is_null(file)) result->certificate = file->text;
    return status;
}

// every layer of the network that the result i is
static SlStatus read_instances(const SlNode *entry, int i, SlMappedRun *run, SlError *err) {
    const SlNode *list;
    SlStatus status = need(entry, "instances", SL_NODE_LIST, &list, err);
    for (const SlNode *node = status == SL_OK ? list->first : NULL; node; node = node->next) {
        int64_t index = 0;
        status = need_int(node, "index", run->net.n_layers, &index, err);
        if (status != SL_OK) return status;
        SlLayer *layer = &run->net.layers[index - 1];
        *layer = run->results[i].layer;
        run->result_of[index - 1] = i;
        status = need_name(node, "name", sizeof layer->name, layer->name, err);
        if (status != SL_OK) return status;
    }
    return status;
}

static SlStatus read_layer(const SlNode *entry, int i, SlArena *arena, SlMappedRun *run,
                           SlError *err) {
    SlRunResult *result = &run->results[i];
    SlStatus status = need_text(entry, "name", &run->names[i], err);
    if (status == SL_OK) status = read_shape(entry, &result->layer, err);
    if (status == SL_OK) status = read_mapping(entry, &result->mapping, &run->places[i], err);
    if (status == SL_OK) status = need_real(entry, "objective_value", &result->value, err);
    if (status == SL_OK) status = need_real(entry, "latency_cycles", &result->latency_cycles, err);
    if (status == SL_OK) status = need_real(entry, "energy_pj", &result->energy_pj, err);
    if (status == SL_OK) status = read_proof(entry, arena, result, err);
    return status == SL_OK ? read_instances(entry, i, run, err) : status;
}

static SlStatus read_layers(const SlNode *list, const SlRunResult *common, SlArena *arena,
                            SlMappedRun *run, SlError *err) {
    run->names = SL_NEW(arena, list->n + 1, const char *);
    run->results = SL_NEW(arena, list->n + 1, SlRunResult);
    run->places = SL_NEW(arena, list->n + 1, const SlNode *);
    if (!run->names || !run->results || !run->places) return no_memory(err);
    for (const SlNode *entry = list->first; entry; entry = entry->next) {
        int i = run->n_results++;
        run->results[i] = *common;
        SlStatus status = read_layer(entry, i, arena, run, err);
        if (status != SL_OK) return status;
    }
    for (int i = 0; i < run->net.n_layers; i++)
        if (run->result_of[i] < 0)
            return sl_node_fail(list, err, "a layer of the network is missing");
    return SL_OK;
}

// ---- the run ----

static SlStatus read_accel(const char *dir, SlArena *arena, const SlAccel **out, SlError *err) {
    char path[SL_FOLDER_PATH];
    SlAccel *accel = SL_NEW(arena, 1, SlAccel);
    if (!accel) return no_memory(err);
    *out = accel;
    sl_folder_path(dir, "accel.yaml", path);
    return sl_accel_read(path, arena, accel, err);
}

static SlStatus read_document(const char *dir, SlArena *arena, const SlNode **root,
                              const SlNode **layers, SlError *err) {
    char path[SL_FOLDER_PATH];
    const char *schema = "";
    sl_folder_path(dir, "map.json", path);
    // nodes keep the name of their file
    const char *file = sl_arena_text(arena, path, strlen(path));
    if (!file) return no_memory(err);
    SlStatus status = sl_tree_read(file, arena, root, err);
    if (status == SL_OK) status = need_text(*root, "schema", &schema, err);
    if (status == SL_OK && strcmp(schema, "starling.map/1") != 0)
        return sl_node_fail(sl_node_get(*root, "schema"), err,
                            "expected a document of 'starling map', schema starling.map/1");
    return status == SL_OK ? need(*root, "layers", SL_NODE_LIST, layers, err) : status;
}

SlStatus sl_mapped_run_read(const char *dir, SlArena *arena, SlMappedRun *run, SlError *err) {
    const SlNode *root = NULL, *layers = NULL;
    SlRunResult common = {0};
    *run = (SlMappedRun){.dir = sl_arena_text(arena, dir, strlen(dir))};
    if (!run->dir) return no_memory(err);
    SlStatus status = read_accel(dir, arena, &run->accel, err);
    common.accel = run->accel;
    if (status == SL_OK) status = read_document(dir, arena, &root, &layers, err);
    if (status != SL_OK || !layers) return status;
    status = read_setup(root, arena, run, &common, err);
    if (status == SL_OK) status = read_workload(root, arena, run, err);
    return status == SL_OK ? read_layers(layers, &common, arena, run, err) : status;
}

SlStatus sl_mapped_run_pick(SlMappedRun *run, const char *layer, SlError *err) {
    int i = sl_network_layer(&run->net, layer);
    if (i < 0) return sl_fail(err, SL_EINPUT, "%s has no layer '%.64s'", run->dir, layer);
    run->net.layers += i;
    run->result_of += i;
    run->net.n_layers = 1;
    return SL_OK;
}

// ---- prices ----

static SlStatus take_mapping(const SlMappedRun *run, int i, const SlAccel *accel, SlPriced *priced,
                             SlError *err) {
    const SlNode *place = run->places[run->result_of[i]];
    char sentence[256];
    priced->mapping = run->results[run->result_of[i]].mapping;
    const char *reason = sl_mapping_check(&priced->layer, &priced->mapping);
    if (reason) return sl_node_fail(place, err, "%s", reason);
    if (priced->mapping.n_boundaries == accel->n_levels - 1) return SL_OK;
    sl_mapping_fit(&priced->layer, accel, &priced->mapping, &priced->fit);
    sl_violation_text(accel, &priced->fit.list[0], sizeof sentence, sentence);
    return sl_node_fail(place, err, "%s", sentence);
}

SlStatus sl_mapped_run_evaluate(const SlMappedRun *run, const SlAccel *accel, SlObjective objective,
                                SlArena *arena, SlEvaluation *eval, SlError *err) {
    *eval = (SlEvaluation){.arena = arena,
                           .net = run->net,
                           .accel = accel ? *accel : *run->accel,
                           .batch = run->batch,
                           .objective = objective,
                           .run = run->dir,
                           .mapping_from = "run"};
    sl_text_clean(eval->accel.title, false);
    SlPriced *priced = sl_evaluation_gather(eval);
    if (!priced) return no_memory(err);
    for (int i = 0; i < run->net.n_layers; i++) {
        SlPriced *own = &priced[eval->layers[i] - priced];
        SlStatus status = take_mapping(run, i, &eval->accel, own, err);
        if (status != SL_OK) return status;
    }
    for (int i = 0; i < eval->n_distinct; i++) sl_priced_eval(&eval->accel, &priced[i]);
    sl_evaluation_sum(eval);
    return SL_OK;
}
