// map_folder.c - the run directory: which one, what it holds, what an earlier run left in it.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "map.h"

// ---- which ----

static const char *choose_dir(const Map *map, const char *workload) {
    char name[FILE_NAME_ROOM], title[2 * SL_LAYER_NAME];
    const SlNetwork *net = &map->mapped.eval.net;
    snprintf(title, sizeof title, "%s%s%s", net->name, net->n_layers > 1 ? "" : "_",
             net->n_layers > 1 ? "" : net->layers[0].name);
    folder_file_name(strcmp(net->name, "inline") == 0 ? workload : title, name);
    return run_choose(name, map->key, INT64_MAX, map->arena);
}

static SlStatus make_dirs(const Map *map, SlError *err) {
    char path[SL_FOLDER_PATH];
    sl_folder_path(map->dir, "certificates", path);
    return map->mapped.setup.prove ? folder_make(path, err) : SL_OK;
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
    const SlMapped *mapped = &map->mapped;
    char path[SL_FOLDER_PATH];
    SlStatus status = same && map->options->resume ? SL_OK : sl_folder_clear_store(map->dir, err);
    sl_folder_path(map->dir, SL_FOLDER_STORE, path);
    if (status == SL_OK) status = sl_job_set_store(mapped->job, path, err);
    for (int i = 0; i < mapped->n_layers && status == SL_OK; i++) {
        SlJobTask *task = mapped->layers[i].task;
        bool bound = task->proof_resumed && sl_job_has_bound(task);
        if (bound && !certificate_exists(map, &mapped->layers[i])) {
            task->proven = task->proof_resumed = false;
            task->resumed = task->resumed && mapped->setup.method;
        }
        map->n_resumed += task->resumed;
        map->n_proofs_resumed += task->proof_resumed;
    }
    return status;
}

static SlStatus write_run(const Map *map, SlError *err) {
    SlDoc *doc = sl_doc_make(map->arena, "map-run", 1);
    sl_doc_string(doc, "key", NULL, map->key);
    sl_doc_mapped_setup(doc, &map->mapped);
    return run_write_doc(map->dir, "run.json", doc, err);
}

SlStatus map_open(Map *map, const char *workload, SlError *err) {
    const CommonOptions *common = &map->options->common;
    bool same = false;
    map->names = evaluation_file_names(&map->mapped.eval);
    certificates_name(map);
    // what another program reads leaves no files unless they are asked for
    if ((common->json || common->form != SL_FORM_TEXT) && !common->out) return SL_OK;
    map->dir = common->out ? common->out : choose_dir(map, workload);
    SlStatus status = take_folder(map, &same, err);
    // what is to be proven is no part of the key, and stands in the file
    if (status == SL_OK) status = write_run(map, err);
    if (status == SL_OK) status = map_evaluator_log(map, err);
    return status == SL_OK ? open_store(map, same, err) : status;
}

// ---- what it holds at the end ----

void map_layers_csv(const Map *map, SlText *out) {
    const SlDoc *doc = sl_report_mapped_layers(&map->mapped);
    if (!sl_doc_csv(doc, "layers", out) || out->failed) call_no_memory();
}

SlStatus map_write(const Map *map, const SlDoc *doc, SlError *err) {
    const SlEvaluation *eval = &map->mapped.eval;
    SlText csv;
    sl_text_init(&csv, map->arena);
    map_layers_csv(map, &csv);
    SlStatus status = folder_write(map->dir, "layers.csv", &csv, err);
    if (status == SL_OK) status = folder_write(map->dir, "accel.yaml", &map->accel_text, err);
    if (status == SL_OK) status = evaluation_write_mappings(eval, map->dir, err);
    for (int i = 0; i < eval->net.n_layers && status == SL_OK; i++)
        status = map_maestro_write(map, i, err);
    if (status == SL_OK) status = certificates_clear(map, err);
    // last: what eval reads back is then complete
    return status == SL_OK ? call_write_files(doc, map->dir, "map", err) : status;
}
