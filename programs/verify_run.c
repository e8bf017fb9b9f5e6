// verify_run.c - what map.json and accel.yaml of a run say, and which certificate belongs to what
// (docs/formats/map-json.md).
#include "verify_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "choices.h"
#include "run_folder.h"

enum { MAX_BYTES = 1 << 28 };

bool run_is_mapped(const char *dir) {
    char path[SL_FOLDER_PATH];
    struct stat info;
    sl_folder_path(dir, "map.json", path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// ---- values of a document ----

static bool is_null(const SlNode *node) {
    return node->kind == SL_NODE_SCALAR && !node->quoted && strcmp(node->text, "null") == 0;
}

static SlStatus need_text(const SlNode *map, const char *key, const char **out, SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, key, &node, err);
    if (status == SL_OK) status = sl_node_expect(node, SL_NODE_SCALAR, key, err);
    if (status == SL_OK) *out = node->text;
    return status;
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
    if (text.failed) call_no_memory();
    *out = text.data;
    return status;
}

// ---- what was asked for ----

static SlStatus read_goal(const SlNode *root, SlGoal *goal, SlError *err) {
    const SlNode *node;
    SlError inside;
    SlStatus status = sl_node_need(root, "objective", &node, err);
    if (status == SL_OK) status = sl_node_expect(node, SL_NODE_SCALAR, "objective", err);
    if (status != SL_OK || sl_goal_parse(node->text, goal, &inside) == SL_OK) return status;
    return sl_node_fail(node, err, "%s", inside.text);
}

static SlStatus read_space(const SlNode *root, SlArena *arena, MappedRun *run, SlRunResult *common,
                           SlError *err) {
    const SlNode *space, *constraints;
    SpaceChoice choice = {0};
    SlSpaceOptions options = {0};
    SlStatus status = sl_node_need(root, "space", &space, err);
    if (status == SL_OK) status = need_choice(space, "preset", sl_space_names, &choice.preset, err);
    if (status == SL_OK) status = need_text(space, "open", &choice.open, err);
    if (status == SL_OK) status = sl_node_need(space, "constraints", &constraints, err);
    if (status == SL_OK) status = choices_read_space(&choice, arena, NULL, &options, err);
    if (status != SL_OK) return status;
    common->preset = options.preset;
    common->open = options.open;
    common->constrained = !is_null(constraints);
    if (common->constrained) run->constraints = constraints->text;
    return SL_OK;
}

static SlStatus read_setup(const SlNode *root, SlArena *arena, MappedRun *run, SlRunResult *common,
                           SlError *err) {
    const SlNode *prove, *accel;
    const char *name = "";
    SlStatus status = sl_node_need(root, "accel", &accel, err);
    if (status == SL_OK) status = need_text(accel, "name", &name, err);
    if (status == SL_OK && strcmp(name, run->accel.name) != 0)
        return sl_node_fail(accel, err, "the results are of '%.60s', accel.yaml is of '%s'", name,
                            run->accel.name);
    if (status == SL_OK) status = read_goal(root, &common->goal, err);
    if (status == SL_OK) status = read_space(root, arena, run, common, err);
    if (status == SL_OK) status = get_lines(root, "machine", arena, &common->machine, err);
    if (status == SL_OK) status = sl_node_need(root, "prove", &prove, err);
    if (status != SL_OK || is_null(prove)) return status;
    return need_real(prove, "epsilon", &common->epsilon, err);
}

// ---- a layer ----

// the layer stands there twice: inline, and number by number
static SlStatus read_shape(const SlNode *entry, SlLayer *layer, SlError *err) {
    const SlNode *text, *dims;
    SlError inside;
    SlStatus status = sl_node_need(entry, "inline", &text, err);
    if (status == SL_OK) status = sl_node_expect(text, SL_NODE_SCALAR, "inline", err);
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

static SlStatus read_mapping(const SlNode *entry, SlMapping *mapping, SlError *err) {
    const SlNode *node;
    SlError inside;
    SlStatus status = sl_node_need(entry, "mapping", &node, err);
    if (status == SL_OK) status = sl_node_expect(node, SL_NODE_SCALAR, "mapping", err);
    if (status != SL_OK || sl_mapping_parse(node->text, mapping, &inside) == SL_OK) return status;
    return sl_node_fail(node, err, "%s", inside.text);
}

static SlStatus read_proof(const SlNode *entry, SlArena *arena, SlRunResult *result, SlError *err) {
    const SlNode *proof, *space, *file = sl_node_get(entry, "certificate");
    int status_name = SL_N_PROOFS;
    SlStatus status = need_real(entry, "lower_bound", &result->lower_bound, err);
    if (status == SL_OK) status = need_real(entry, "gap", &result->gap, err);
    if (status == SL_OK) status = sl_node_need(entry, "proof", &proof, err);
    if (status == SL_OK && !is_null(proof))
        status = need_choice(proof, "status", sl_proof_names, &status_name, err);
    if (status == SL_OK) status = sl_node_need(entry, "space", &space, err);
    if (status == SL_OK) status = get_lines(space, "lists", arena, &result->lists, err);
    result->status = (SlProofStatus)status_name;
    if (isnan(result->lower_bound)) result->lower_bound = 0;
    if (file && file->kind == SL_NODE_SCALAR && !is_null(file)) result->certificate = file->text;
    return status;
}

static SlStatus read_layer(const SlNode *entry, SlArena *arena, const char **name,
                           SlRunResult *result, SlError *err) {
    SlStatus status = need_text(entry, "name", name, err);
    if (status == SL_OK) status = read_shape(entry, &result->layer, err);
    if (status == SL_OK) status = read_mapping(entry, &result->mapping, err);
    if (status == SL_OK) status = need_real(entry, "objective_value", &result->value, err);
    if (status == SL_OK) status = need_real(entry, "latency_cycles", &result->latency_cycles, err);
    if (status == SL_OK) status = need_real(entry, "energy_pj", &result->energy_pj, err);
    return status == SL_OK ? read_proof(entry, arena, result, err) : status;
}

// ---- the run ----

static SlStatus read_document(const char *path, SlArena *arena, const SlNode **root,
                              const SlNode **layers, SlError *err) {
    const char *schema = "";
    SlStatus status = sl_tree_read(path, arena, root, err);
    if (status == SL_OK) status = need_text(*root, "schema", &schema, err);
    if (status == SL_OK && strcmp(schema, "starling.map/1") != 0)
        return sl_node_fail(sl_node_get(*root, "schema"), err,
                            "expected a document of 'starling map', schema starling.map/1");
    if (status == SL_OK) status = sl_node_need(*root, "layers", layers, err);
    return status == SL_OK ? sl_node_expect(*layers, SL_NODE_LIST, "layers", err) : status;
}

SlStatus run_read(const char *dir, SlArena *arena, MappedRun *run, SlError *err) {
    char path[SL_FOLDER_PATH];
    const SlNode *root = NULL, *layers = NULL;
    SlRunResult common = {.accel = &run->accel};
    *run = (MappedRun){.dir = dir};
    sl_folder_path(dir, "accel.yaml", path);
    SlStatus status = sl_accel_read(path, arena, &run->accel, err);
    // nodes keep the name of their file
    sl_folder_path(dir, "map.json", path);
    const char *file = call_need(sl_arena_text(arena, path, strlen(path)));
    if (status == SL_OK) status = read_document(file, arena, &root, &layers, err);
    if (status == SL_OK) status = read_setup(root, arena, run, &common, err);
    if (status != SL_OK || !layers) return status;
    run->names = call_need(SL_NEW(arena, layers->n + 1, const char *));
    run->results = call_need(SL_NEW(arena, layers->n + 1, SlRunResult));
    run->bindings = call_need(SL_NEW(arena, layers->n + 1, SlBinding));
    for (const SlNode *entry = layers->first; entry && status == SL_OK; entry = entry->next) {
        int i = run->n_layers++;
        run->results[i] = common;
        status = read_layer(entry, arena, &run->names[i], &run->results[i], err);
    }
    return status;
}

// NULL where it cannot be read, which is told when its claims are checked
static const SlProofClaims *read_claims(const char *path, SlArena *arena) {
    SlProofClaims *claims = call_need(SL_NEW(arena, 1, SlProofClaims));
    SlArena inside;
    char *text;
    size_t n;
    sl_arena_init(&inside, 0);
    SlStatus status = sl_file_read(path, MAX_BYTES, &inside, &text, &n, NULL);
    if (status == SL_OK) status = sl_certificate_claims(path, text, n, &inside, claims, NULL);
    if (status == SL_ENOMEM) call_no_memory();
    if (status == SL_OK)
        claims->lists = call_need(sl_arena_text(arena, claims->lists, strlen(claims->lists)));
    sl_arena_free(&inside);
    return status == SL_OK ? claims : NULL;
}

SlStatus run_bind(MappedRun *run, int n_files, CertificateFile *files, SlArena *arena) {
    SlRunCertificate *certificates = call_need(SL_NEW(arena, n_files + 1, SlRunCertificate));
    int *owners = call_need(SL_NEW(arena, n_files + 1, int));
    for (int f = 0; f < n_files; f++)
        certificates[f] = (SlRunCertificate){.name = files[f].path + strlen(run->dir) + 1,
                                             .claims = read_claims(files[f].path, arena)};
    const SlRunProofs proofs = {run->n_layers, n_files, run->results, certificates};
    SlStatus status = sl_certificates_bind(&proofs, arena, run->bindings, owners);
    for (int f = 0; f < n_files && status == SL_OK; f++) {
        files[f].constraints = run->constraints;
        if (owners[f] < 0) {
            files[f].fault = "no layer of the run has it as its proof";
            continue;
        }
        files[f].layer = run->names[owners[f]];
        const char *reason = run->bindings[owners[f]].reason;
        if (run->bindings[owners[f]].file == f && reason[0]) files[f].fault = reason;
    }
    return status;
}
