// tune_folder.c - the run directory of `starling tune`: which one, what an earlier run left in it,
// and what is written there.
#include <stdio.h>
#include <string.h>

#include "run_folder.h"
#include "tune_command.h"

enum { NAME_ROOM = FILE_NAME_ROOM + 16 };

static void set_key(Tune *tune) {
    SlText layers;
    size_t mark = sl_arena_mark(tune->arena);
    SlDoc *setup = sl_doc_make(tune->arena, "tune-run", 1);
    sl_text_init(&layers, tune->arena);
    for (int i = 0; i < sl_job_n_tasks(tune->tuned.job); i++) {
        const SlJobTask *task = sl_job_task(tune->tuned.job, i);
        char layer[512];
        sl_layer_write(task->layer, sizeof layer, layer);
        sl_text_add(&layers, "%s %d %s\n", task->layer->name, task->count, layer);
    }
    if (layers.failed) call_no_memory();
    sl_doc_tuned_setup(setup, &tune->tuned);
    run_doc_key(layers.data, setup, tune->key);
    sl_arena_rewind(tune->arena, mark);
}

// ---- names of files ----

// of the layer, with a number where an earlier one has it already
static void file_name(const Tune *tune, int i, char out[static NAME_ROOM]) {
    char name[FILE_NAME_ROOM], other[FILE_NAME_ROOM];
    int same = 0;
    folder_file_name(sl_job_task(tune->tuned.job, i)->layer->name, name);
    for (int j = 0; j < i; j++) {
        folder_file_name(sl_job_task(tune->tuned.job, j)->layer->name, other);
        same += strcmp(name, other) == 0;
    }
    if (same)
        snprintf(out, NAME_ROOM, "%s_%d", name, same + 1);
    else
        snprintf(out, NAME_ROOM, "%s", name);
}

// "programs/conv2_1.vta" of every layer
static const char *const *name_programs(const Tune *tune) {
    int n = sl_job_n_tasks(tune->tuned.job);
    const char **names = call_need(SL_NEW(tune->arena, n, const char *));
    for (int i = 0; i < n; i++) {
        char name[NAME_ROOM], file[NAME_ROOM + 32];
        file_name(tune, i, name);
        int used =
            snprintf(file, sizeof file, "programs/%s%s", name, sl_tuned_ending(&tune->tuned));
        names[i] = call_need(sl_arena_text(tune->arena, file, (size_t)used));
    }
    return names;
}

// ---- opening ----

static SlStatus write_run(const Tune *tune, bool finished, SlError *err) {
    SlDoc *doc = sl_doc_make(tune->arena, "tune-run", 1);
    sl_doc_string(doc, "key", NULL, tune->key);
    sl_doc_tuned_setup(doc, &tune->tuned);
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
    sl_job_set_log(tune->tuned.job, tune->log);
    if (!tune->dir) return SL_OK;
    sl_folder_path(tune->dir, SL_FOLDER_STORE, path);
    return sl_job_set_store(tune->tuned.job, path, err);
}

SlStatus tune_open(Tune *tune, const char *workload, SlError *err) {
    set_key(tune);
    SlStatus status = open_dir(tune, workload, err);
    if (status != SL_OK || tune->reported) return status;
    if (tune->dir) tune->tuned.programs = name_programs(tune);
    return open_records(tune, err);
}

// ---- files ----

void tune_add_files(const Tune *tune, SlDoc *doc) {
    static const char *const files[][2] = {{"numbers", "tune.json"}, {"as printed", "tune.txt"},
                                           {"layers", "layers.csv"}, {"best so far", "curves.svg"},
                                           {"knobs", "schedules/"},  {"programs", "programs/"}};
    const char *log = tune->options->log;
    if (!tune->dir) return;
    sl_doc_detail(doc, true);
    sl_doc_open(doc, NULL, "Files");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sl_doc_link(doc, files[i][0], files[i][1], "%s", files[i][1]);
    if (log)
        sl_doc_string(doc, NULL, "measurements", log);
    else
        sl_doc_link(doc, "measurements", "log.jsonl", "log.jsonl");
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

static SlStatus write_layer(const Tune *tune, int i, SlError *err) {
    SlText text;
    const SlJobTask *task = sl_job_task(tune->tuned.job, i);
    char name[NAME_ROOM], file[NAME_ROOM + 32], knobs[512];
    if (!sl_tuned_has_result(task)) return SL_OK;
    file_name(tune, i, name);
    sl_text_init(&text, tune->arena);
    sl_space_show(sl_task_space(task->task), task->record.best.point, sizeof knobs, knobs);
    sl_text_add(&text, "%s\n", knobs);
    snprintf(file, sizeof file, "schedules/%s.txt", name);
    SlStatus status = folder_write(tune->dir, file, &text, err);
    if (status != SL_OK) return status;
    sl_text_init(&text, tune->arena);
    sl_tuned_program(&tune->tuned, task, &text);
    return folder_write(tune->dir, tune->tuned.programs[i], &text, err);
}

static SlStatus write_layers(const Tune *tune, SlError *err) {
    static const char *const folders[] = {"schedules", "programs"};
    SlStatus status = SL_OK;
    for (int i = 0; i < 2 && status == SL_OK; i++) {
        char path[SL_FOLDER_PATH];
        sl_folder_path(tune->dir, folders[i], path);
        status = folder_make(path, err);
    }
    for (int i = 0; i < sl_job_n_tasks(tune->tuned.job) && status == SL_OK; i++) {
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
    return status == SL_OK && sl_tuned_is_finished(&tune->tuned) ? write_run(tune, true, err)
                                                                 : status;
}
