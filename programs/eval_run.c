// eval_run.c - the run directory of `starling map` read back: its workload, accelerator and
// mappings.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "eval.h"

enum { PATH_ROOM = 4352 };

// A run as it stands in map.json.
typedef struct {
    const char *file;
    const SlNode *root;
    SlNetwork net;
    const SlNode **nests; // (net.n_layers) the nest of each layer
    int64_t batch;
} Run;

// ---- which words are runs ----

static bool holds_run(const char *dir) {
    char path[PATH_ROOM];
    struct stat info;
    snprintf(path, sizeof path, "%s/map.json", dir);
    return strlen(dir) < 4096 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool run_find(const char *word, SlArena *arena, RunName *run) {
    // bundled networks and inline layers go before a folder of their name; ./NAME is the folder
    char *name = call_need(sl_arena_text(arena, word, strcspn(word, ":")));
    *run = (RunName){.dir = name};
    if (sl_bundle_find("networks", name)) return false;
    for (int t = 0; t < SL_N_LAYER_TYPES; t++)
        if (word[strlen(name)] == ':' && strcmp(name, sl_layer_type_names[t]) == 0) return false;
    run->dir = call_need(sl_arena_text(arena, word, strlen(word)));
    if (holds_run(run->dir)) return true;
    const char *colon = strrchr(word, ':');
    if (!colon) return false;
    run->dir = call_need(sl_arena_text(arena, word, (size_t)(colon - word)));
    run->layer = colon + 1;
    return holds_run(run->dir);
}

// ---- map.json ----

static SlStatus fail_at(const SlNode *node, const char *what, SlError *err) {
    return sl_fail_at(err, SL_EINPUT, node->file, node->line, node->column, "%s", what);
}

static SlStatus need(const SlNode *map, const char *key, SlNodeKind kind, const SlNode **out,
                     SlError *err) {
    char what[96];
    *out = sl_node_get(map, key);
    if (*out && (*out)->kind == kind) return SL_OK;
    snprintf(what, sizeof what, "expected '%s', as 'starling map' writes it", key);
    return fail_at(*out ? *out : map, what, err);
}

static SlStatus need_int(const SlNode *map, const char *key, int64_t most, int64_t *out,
                         SlError *err) {
    const SlNode *node;
    SlStatus status = need(map, key, SL_NODE_SCALAR, &node, err);
    if (status != SL_OK) return status;
    SlError inside;
    status = sl_parse_int(node->text, 1, most, out, &inside);
    return status == SL_OK ? SL_OK : fail_at(node, inside.text, err);
}

static SlStatus read_workload(SlArena *arena, Run *run, SlError *err) {
    const SlNode *schema, *workload, *name, *title;
    int64_t n_layers = 0;
    SlStatus status = need(run->root, "schema", SL_NODE_SCALAR, &schema, err);
    if (status == SL_OK && strcmp(schema->text, "starling.map/1") != 0)
        return fail_at(schema, "expected a document of 'starling map', schema starling.map/1", err);
    if (status == SL_OK) status = need(run->root, "workload", SL_NODE_MAP, &workload, err);
    if (status == SL_OK) status = need(workload, "name", SL_NODE_SCALAR, &name, err);
    if (status == SL_OK) status = need(workload, "title", SL_NODE_SCALAR, &title, err);
    if (status == SL_OK) status = need_int(workload, "batch", 1 << 30, &run->batch, err);
    if (status == SL_OK)
        status = need_int(workload, "n_layers", SL_NETWORK_MAX_LAYERS, &n_layers, err);
    if (status != SL_OK) return status;
    SlNetwork *net = &run->net;
    *net = (SlNetwork){.n_layers = (int)n_layers};
    snprintf(net->name, sizeof net->name, "%s", name->text);
    snprintf(net->title, sizeof net->title, "%s", title->text);
    net->layers = call_need(SL_NEW(arena, n_layers, SlLayer));
    run->nests = call_need(SL_NEW(arena, n_layers, const SlNode *));
    return SL_OK;
}

// one distinct layer: every layer of the network that it is
static SlStatus read_layer(const SlNode *entry, Run *run, SlError *err) {
    const SlNode *text, *nest, *list;
    SlLayer layer;
    SlError inside;
    SlStatus status = need(entry, "inline", SL_NODE_SCALAR, &text, err);
    if (status == SL_OK) status = need(entry, "mapping", SL_NODE_SCALAR, &nest, err);
    if (status == SL_OK) status = need(entry, "instances", SL_NODE_LIST, &list, err);
    if (status != SL_OK) return status;
    if (sl_layer_parse(text->text, &layer, &inside) != SL_OK)
        return fail_at(text, inside.text, err);
    for (const SlNode *node = list->first; node; node = node->next) {
        const SlNode *name;
        int64_t index = 0;
        status = need_int(node, "index", run->net.n_layers, &index, err);
        if (status == SL_OK) status = need(node, "name", SL_NODE_SCALAR, &name, err);
        if (status != SL_OK) return status;
        run->net.layers[index - 1] = layer;
        run->nests[index - 1] = nest;
        snprintf(layer.name, sizeof layer.name, "%s", name->text);
        memcpy(run->net.layers[index - 1].name, layer.name, sizeof layer.name);
    }
    return SL_OK;
}

static SlStatus read_run(const char *dir, SlArena *arena, Run *run, SlError *err) {
    char path[PATH_ROOM];
    const SlNode *layers;
    snprintf(path, sizeof path, "%s/map.json", dir);
    SlStatus status = sl_tree_read(path, arena, &run->root, err);
    if (status == SL_OK) status = read_workload(arena, run, err);
    if (status == SL_OK) status = need(run->root, "layers", SL_NODE_LIST, &layers, err);
    if (status != SL_OK) return status;
    for (const SlNode *entry = layers->first; entry && status == SL_OK; entry = entry->next)
        status = read_layer(entry, run, err);
    for (int i = 0; i < run->net.n_layers && status == SL_OK; i++)
        if (!run->nests[i]) return fail_at(layers, "a layer of the network is missing", err);
    return status;
}

// leave one layer of it
static SlStatus pick(const RunName *name, Run *run, SlError *err) {
    if (!name->layer) return SL_OK;
    int i = sl_network_layer(&run->net, name->layer);
    if (i < 0) return sl_fail(err, SL_EINPUT, "%s has no layer '%.64s'", name->dir, name->layer);
    run->net.layers += i;
    run->nests += i;
    run->net.n_layers = 1;
    return SL_OK;
}

// ---- prices ----

static SlStatus read_mapping(const SlAccel *accel, const SlNode *nest, Priced *priced,
                             SlError *err) {
    SlError inside;
    SlStatus status = sl_mapping_parse(nest->text, &priced->mapping, &inside);
    const char *reason =
        status == SL_OK ? sl_mapping_check(&priced->layer, &priced->mapping) : inside.text;
    if (reason) return fail_at(nest, reason, err);
    if (priced->mapping.n_boundaries == accel->n_levels - 1) return SL_OK;
    sl_mapping_fit(&priced->layer, accel, &priced->mapping, &priced->fit);
    char sentence[256];
    return fail_at(nest, sl_violation_text(accel, &priced->fit.list[0], sizeof sentence, sentence),
                   err);
}

SlStatus evaluation_read_run(const EvalOptions *options, const RunName *name, SlArena *arena,
                             Evaluation *eval, SlError *err) {
    Run run = {0};
    char path[PATH_ROOM];
    if (options->mapping || options->batch != 1)
        return sl_fail(err, SL_EINPUT, "%s is a run of 'starling map' with its own %s", name->dir,
                       options->mapping ? "mappings, so not with --mapping"
                                        : "batch, so not with --batch");
    EvalOptions *own = call_need(SL_NEW(arena, 1, EvalOptions));
    *own = *options;
    *eval = (Evaluation){.options = own, .arena = arena, .mapping_from = "run", .run = name->dir};
    snprintf(path, sizeof path, "%s/accel.yaml", name->dir);
    SlStatus status = read_run(name->dir, arena, &run, err);
    if (status == SL_OK) status = pick(name, &run, err);
    if (status == SL_OK && options->accel)
        status = sl_accel_find(options->accel, arena, &eval->accel, err);
    else if (status == SL_OK)
        status = sl_accel_read(path, arena, &eval->accel, err);
    if (status != SL_OK) return status;

    own->batch = run.batch;
    eval->net = run.net;
    evaluation_clean_names(eval);
    Priced *priced = evaluation_gather(eval);
    for (int i = 0; i < run.net.n_layers && status == SL_OK; i++)
        status = read_mapping(&eval->accel, run.nests[i], &priced[eval->layers[i] - priced], err);
    if (status != SL_OK) return status;
    for (int i = 0; i < eval->n_distinct; i++) priced_eval(&eval->accel, &priced[i]);
    evaluation_sum(eval);
    return SL_OK;
}
