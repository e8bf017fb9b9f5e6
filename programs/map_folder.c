// map_folder.c - the run directory: which one, what it holds, what an earlier run left in it.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "map.h"

// ---- which ----

static const char *choose_dir(const Map *map, const char *workload) {
    char name[FILE_NAME_ROOM], title[160];
    const SlNetwork *net = &map->eval.net;
    snprintf(title, sizeof title, "%s%s%s", net->name, net->n_layers > 1 ? "" : "_",
             net->n_layers > 1 ? "" : net->layers[0].name);
    folder_file_name(strcmp(net->name, "inline") == 0 ? workload : title, name);
    return run_choose(name, map->key, INT64_MAX, map->arena);
}

static SlStatus make_dirs(const Map *map, SlError *err) {
    char path[SL_FOLDER_PATH];
    sl_folder_path(map->dir, "certificates", path);
    return map->prove ? folder_make(path, err) : SL_OK;
}

// ---- opening ----

// the files of another run would belie this one
static SlStatus clear_other(const Map *map, SlError *err) {
    static const char *const names[] = {"map.json",  "map.txt",    "map.html",    "layers.csv",
                                        "curve.svg", "energy.svg", "latency.svg", NULL};
    static const char *const folders[] = {"mappings", "certificates", NULL};
    sl_folder_empty(map->dir, folders);
    return sl_folder_clear(map->dir, names, err);
}

// alone in the folder, which holds this run or none; `same`: this one
static SlStatus take_folder(const Map *map, bool *same, SlError *err) {
    static const char *const folders[] = {".", "mappings", "certificates", NULL};
    SlHeldRun held;
    bool alone = false;
    SlStatus status = folder_make(map->dir, err);
    if (status == SL_OK) status = run_lock(map->dir, &alone, err);
    if (status != SL_OK) return status;
    sl_folder_look(map->dir, &held);
    *same = held.any && strcmp(held.key, map->key) == 0;
    if (held.any && !*same)
        status = map->options->resume ? run_check(map->dir, &held, map->key, err)
                                      : clear_other(map, err);
    if (status == SL_OK && alone) sl_folder_sweep(map->dir, folders);
    return status == SL_OK ? make_dirs(map, err) : status;
}

// The records of layers; without --resume, or of another run, those that are there go first. A
// proof without its certificate is made again.
static SlStatus open_store(Map *map, bool same, SlError *err) {
    char path[SL_FOLDER_PATH];
    SlStatus status = same && map->options->resume ? SL_OK : sl_folder_clear_store(map->dir, err);
    sl_folder_path(map->dir, SL_FOLDER_STORE, path);
    if (status == SL_OK) status = sl_job_set_store(map->job, path, err);
    for (int i = 0; i < map->n_layers && status == SL_OK; i++) {
        const MapLayer *layer = &map->layers[i];
        SlJobTask *task = layer->job;
        if (task->proof_resumed && sl_job_has_bound(task) && !certificate_exists(map, layer)) {
            task->proven = task->proof_resumed = false;
            task->resumed = task->resumed && !map->exact;
        }
        map->n_resumed += task->resumed;
        map->n_proofs_resumed += task->proof_resumed;
    }
    return status;
}

static SlStatus write_run(const Map *map, SlError *err) {
    SlDoc *doc = sl_doc_make(map->arena, "map-run", 1);
    sl_doc_string(doc, "key", NULL, map->key);
    map_add_setup(map, doc);
    return run_write_doc(map->dir, "run.json", doc, err);
}

SlStatus map_open(Map *map, const char *workload, SlError *err) {
    const CommonOptions *common = &map->options->common;
    bool same = false;
    map->names = evaluation_file_names(&map->eval);
    // what another program reads leaves no files unless they are asked for
    if ((common->json || common->form != SL_FORM_TEXT) && !common->out) return SL_OK;
    map->dir = common->out ? common->out : choose_dir(map, workload);
    SlStatus status = take_folder(map, &same, err);
    // what is to be proven is no part of the key, and stands in the file
    if (status == SL_OK) status = write_run(map, err);
    if (status == SL_OK && map->evaluator->open) status = map->evaluator->open(map, err);
    return status == SL_OK ? open_store(map, same, err) : status;
}

// ---- what it holds at the end ----

static const MapLayer *layer_of(const Map *map, int i) {
    const MapLayer *layer = map->layers;
    while (layer->found != map->eval.layers[i]) layer++;
    return layer;
}

void map_layers_csv(const Map *map, SlText *out) {
    static const SlColumn proofs[] = {SL_COLUMN("proof.status", NULL, .csv = "proof"),
                                      SL_COLUMN("lower_bound", NULL), SL_COLUMN("gap", NULL)};
    const MapEvaluator *evaluator = map->evaluator;
    LayersTable table = {.n_more = evaluator->n_csv, .more = evaluator->csv};
    SlDoc *doc = sl_doc_make(map->arena, "layers", 1);
    if (map->prove) table = (LayersTable){.n_more = 3, .more = proofs};
    begin_layers(doc, &map->eval, &table);
    for (int i = 0; i < map->eval.net.n_layers; i++) {
        add_layer(doc, &map->eval, i);
        if (map->prove) map_add_proof(map, layer_of(map, i), doc);
        if (evaluator->add_numbers) evaluator->add_numbers(layer_of(map, i), doc);
    }
    sl_doc_close(doc);
    if (!sl_doc_csv(doc, "layers", out) || out->failed) call_no_memory();
}

SlStatus map_write(const Map *map, const SlDoc *doc, SlError *err) {
    SlText csv;
    sl_text_init(&csv, map->arena);
    map_layers_csv(map, &csv);
    SlStatus status = folder_write(map->dir, "layers.csv", &csv, err);
    if (status == SL_OK) status = folder_write(map->dir, "accel.yaml", &map->accel_text, err);
    if (status == SL_OK) status = evaluation_write_mappings(&map->eval, map->dir, err);
    for (int i = 0; i < map->eval.net.n_layers && map->evaluator->write && status == SL_OK; i++)
        status = map->evaluator->write(map, layer_of(map, i), i, err);
    if (status == SL_OK) status = certificates_clear(map, err);
    // last: what eval reads back is then complete
    return status == SL_OK ? call_write_files(doc, map->dir, "map", err) : status;
}
