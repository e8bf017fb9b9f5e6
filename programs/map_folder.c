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
    command_file_name(strcmp(net->name, "inline") == 0 ? workload : title, name);
    return run_choose(name, map->key, INT64_MAX, map->arena);
}

static SlStatus make_dirs(const Map *map, SlError *err) {
    char path[RUN_PATH_ROOM];
    run_path(map->dir, "certificates", path);
    return map->prove ? command_make_dir(path, err) : SL_OK;
}

// ---- opening ----

// the files of another run would belie this one
static SlStatus clear_other(const Map *map, SlError *err) {
    static const char *const names[] = {"map.json", "map.txt", "map.html", "layers.csv", NULL};
    static const char *const folders[] = {"mappings", "certificates", NULL};
    sl_folder_empty(map->dir, folders);
    return run_clear(map->dir, names, err);
}

// alone in the folder, which holds this run or none; `same`: this one
static SlStatus take_folder(const Map *map, bool *same, SlError *err) {
    static const char *const folders[] = {".", "mappings", "certificates", NULL};
    RunHeld held;
    bool alone = false;
    SlStatus status = command_make_dir(map->dir, err);
    if (status == SL_OK) status = run_lock(map->dir, &alone, err);
    if (status != SL_OK) return status;
    run_look(map->dir, &held);
    *same = held.any && strcmp(held.key, map->key) == 0;
    if (held.any && !*same)
        status = map->options->resume ? run_check(map->dir, &held, map->key, err)
                                      : clear_other(map, err);
    if (status == SL_OK && alone) run_sweep(map->dir, folders);
    return status == SL_OK ? make_dirs(map, err) : status;
}

// The records of layers; without --resume, or of another run, those that are there go first. A
// proof without its certificate is made again.
static SlStatus open_store(Map *map, bool same, SlError *err) {
    char path[RUN_PATH_ROOM];
    SlStatus status = same && map->options->resume ? SL_OK : run_clear_store(map->dir, err);
    run_path(map->dir, RUN_STORE, path);
    if (status == SL_OK) status = sl_job_set_store(map->job, path, err);
    for (int i = 0; i < map->n_layers && status == SL_OK; i++) {
        const MapLayer *layer = &map->layers[i];
        SlJobTask *task = layer->job;
        if (task->proof_resumed && layer_has_bound(layer) && !certificate_exists(map, layer)) {
            task->proven = task->proof_resumed = false;
            task->resumed = task->resumed && !map->exact;
        }
        map->n_resumed += task->resumed;
        map->n_proofs_resumed += task->proof_resumed;
    }
    return status;
}

SlStatus folder_open(Map *map, const char *workload, SlError *err) {
    const CommonOptions *common = &map->options->common;
    bool same = false;
    map->names = evaluation_file_names(&map->eval);
    if (common->json && !common->out) return SL_OK;
    map->dir = common->out ? common->out : choose_dir(map, workload);
    SlStatus status = take_folder(map, &same, err);
    if (status != SL_OK) return status;
    // what is to be proven is no part of the key, and stands in the file
    status = run_write_json(map->dir, "run.json", map_setup_json(map, "map-run"), map->arena, err);
    if (status == SL_OK) status = process_open_log(map, err);
    return status == SL_OK ? open_store(map, same, err) : status;
}

// ---- what it holds at the end ----

// the proof of a layer as columns of layers.csv; empty where there is no bound
static void add_proof_columns(const void *context, int i, SlText *out) {
    const Map *map = context;
    const MapLayer *layer = map->layers;
    while (layer->found != map->eval.layers[i]) layer++;
    sl_text_add(out, ",%s", sl_proof_names[layer->job->proof.status]);
    if (layer_has_bound(layer))
        sl_text_add(out, ",%.17g,%.17g", layer->job->proof.lower_bound, layer->job->proof.gap);
    else
        sl_text_add(out, ",,");
}

SlStatus map_write_files(const Map *map, const SlText *report, const SlText *json, SlError *err) {
    SlText csv, page;
    sl_text_init(&csv, map->arena);
    sl_text_init(&page, map->arena);
    CsvColumns proofs = {",proof,lower_bound,gap", add_proof_columns, map};
    CsvColumns maestro = {MAESTRO_COLUMNS, add_maestro_columns, map};
    const CsvColumns *more = map_is_maestro(map) ? &maestro : map->prove ? &proofs : NULL;
    add_layers_csv(&map->eval, more, &csv);
    add_map_page(map, report, &page);
    SlStatus status = command_write(map->dir, "map.txt", report, err);
    if (status == SL_OK) status = command_write(map->dir, "map.html", &page, err);
    if (status == SL_OK) status = command_write(map->dir, "layers.csv", &csv, err);
    if (status == SL_OK) status = command_write(map->dir, "accel.yaml", &map->accel_text, err);
    if (status == SL_OK) status = evaluation_write_mappings(&map->eval, map->dir, err);
    if (status == SL_OK && map_is_maestro(map)) status = maestro_write_files(map, err);
    if (status == SL_OK) status = certificates_clear(map, err);
    // last: what eval reads back is then complete
    return status == SL_OK ? command_write(map->dir, "map.json", json, err) : status;
}
