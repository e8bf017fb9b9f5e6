// tune_folder.c - the run directory of `starling tune`: which one, what an earlier run left in it,
// and what is written there.
#include <stdio.h>
#include <string.h>

#include "run_folder.h"
#include "tune_command.h"

static void set_key(Tune *tune) {
    SlText layers;
    size_t mark = sl_arena_mark(tune->arena);
    SlDoc *setup = sl_doc_make(tune->arena, "tune-run", 1);
    sl_text_init(&layers, tune->arena);
    for (int i = 0; i < tune->n_layers; i++) {
        const SlJobTask *task = tune->layers[i].job;
        char layer[512];
        sl_layer_write(task->layer, sizeof layer, layer);
        sl_text_add(&layers, "%s %d %s\n", task->layer->name, task->count, layer);
    }
    if (layers.failed) call_no_memory();
    tune_add_setup(tune, setup);
    run_doc_key(layers.data, setup, tune->key);
    sl_arena_rewind(tune->arena, mark);
}

// ---- opening ----

static SlStatus write_run(const Tune *tune, bool finished, SlError *err) {
    SlDoc *doc = sl_doc_make(tune->arena, "tune-run", 1);
    sl_doc_string(doc, "key", NULL, tune->key);
    tune_add_setup(tune, doc);
    sl_doc_flag(doc, "finished", NULL, finished);
    return run_write_doc(tune->dir, "run.json", doc, err);
}

static SlStatus start_afresh(const Tune *tune, SlError *err) {
    static const char *const names[] = {"log.jsonl",  "tune.json",  "tune.txt",
                                        "tune.html",  "curves.svg", "time.svg",
                                        "layers.csv", "cores.csv",  NULL};
    SlStatus status = sl_folder_clear(tune->dir, names, err);
    if (status == SL_OK) status = sl_folder_clear_store(tune->dir, err);
    return status == SL_OK ? write_run(tune, false, err) : status;
}

static SlStatus open_dir(Tune *tune, const char *workload, SlError *err) {
    const TuneOptions *options = tune->options;
    SlHeldRun held;
    char name[FILE_NAME_ROOM + 16], file[FILE_NAME_ROOM];
    folder_file_name(workload, file);
    snprintf(name, sizeof name, "tune-%s-%s", tune->target->kind->name, file);
    SlStatus status = run_open(tune->call, name, tune->key, INT64_MAX, &tune->dir, err);
    if (status != SL_OK || !tune->dir) return status;
    sl_folder_look(tune->dir, &held);
    if (!held.any || !options->resume) return start_afresh(tune, err);
    tune->reported = held.finished > 0 && run_has_printed(tune->call, tune->dir, "tune", "layers");
    return run_check(tune->dir, &held, tune->key, err);
}

// records of finished layers; and the log, from which the others go on
static SlStatus open_records(Tune *tune, SlError *err) {
    char path[SL_FOLDER_PATH];
    const char *log = tune->options->log;
    SlStatus status = SL_OK;
    if (!log && !tune->dir) return SL_OK;
    if (!log) sl_folder_path(tune->dir, "log.jsonl", path);
    status = sl_log_open(log ? log : path, tune->arena, &tune->log, err);
    if (status != SL_OK) return status;
    sl_job_set_log(tune->job, tune->log);
    if (!tune->dir) return SL_OK;
    sl_folder_path(tune->dir, SL_FOLDER_STORE, path);
    return sl_job_set_store(tune->job, path, err);
}

SlStatus tune_open(Tune *tune, const char *workload, SlError *err) {
    set_key(tune);
    SlStatus status = open_dir(tune, workload, err);
    return status == SL_OK && !tune->reported ? open_records(tune, err) : status;
}

// ---- files ----

// of the layer, with a number where an earlier one has it already
static void file_name(const Tune *tune, int i, char out[static FILE_NAME_ROOM + 16]) {
    char name[FILE_NAME_ROOM], other[FILE_NAME_ROOM];
    int same = 0;
    folder_file_name(tune->layers[i].job->layer->name, name);
    for (int j = 0; j < i; j++) {
        folder_file_name(tune->layers[j].job->layer->name, other);
        same += strcmp(name, other) == 0;
    }
    if (same)
        snprintf(out, FILE_NAME_ROOM + 16, "%s_%d", name, same + 1);
    else
        snprintf(out, FILE_NAME_ROOM + 16, "%s", name);
}

void tune_program_name(const Tune *tune, int layer, char out[static TUNE_FILE_ROOM]) {
    char name[FILE_NAME_ROOM + 16];
    file_name(tune, layer, name);
    snprintf(out, TUNE_FILE_ROOM, "programs/%s%s", name, tune->target->ending);
}

static SlStatus write_layer(const Tune *tune, int i, SlError *err) {
    SlText text;
    const TuneLayer *layer = &tune->layers[i];
    char name[FILE_NAME_ROOM + 16], file[TUNE_FILE_ROOM], knobs[512];
    if (!tune_has_result(layer)) return SL_OK;
    file_name(tune, i, name);
    sl_text_init(&text, tune->arena);
    sl_space_show(sl_task_space(layer->job->task), layer->job->record.best.point, sizeof knobs,
                  knobs);
    sl_text_add(&text, "%s\n", knobs);
    snprintf(file, sizeof file, "schedules/%s.txt", name);
    SlStatus status = folder_write(tune->dir, file, &text, err);
    if (status != SL_OK) return status;
    sl_text_init(&text, tune->arena);
    tune->target->write_program(tune, layer, &text);
    tune_program_name(tune, i, file);
    return folder_write(tune->dir, file, &text, err);
}

static SlStatus write_layers(const Tune *tune, SlError *err) {
    static const char *const folders[] = {"schedules", "programs"};
    SlStatus status = SL_OK;
    for (int i = 0; i < 2 && status == SL_OK; i++) {
        char path[SL_FOLDER_PATH];
        sl_folder_path(tune->dir, folders[i], path);
        status = folder_make(path, err);
    }
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++) {
        size_t mark = sl_arena_mark(tune->arena);
        status = write_layer(tune, i, err);
        sl_arena_rewind(tune->arena, mark);
    }
    return status;
}

SlStatus tune_write(const Tune *tune, const SlDoc *doc, SlError *err) {
    SlStatus status = write_layers(tune, err);
    if (status == SL_OK) status = call_write_files(doc, tune->dir, "tune", err);
    // last: what says so is then complete
    return status == SL_OK && tune_finished(tune) ? write_run(tune, true, err) : status;
}
