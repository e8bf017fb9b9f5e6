// tune_folder.c - the run directory of `starling tune`: which one, what an earlier run left in it,
// and what is written there.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tune_command.h"

// ---- which ----

static const char *choose_dir(const Tune *tune, const char *workload) {
    char name[FILE_NAME_ROOM + 16], file[FILE_NAME_ROOM];
    command_file_name(workload, file);
    snprintf(name, sizeof name, "tune-%s-%s", tune->kind->name, file);
    return run_choose(name, tune->key, INT64_MAX, tune->arena);
}

static void set_key(Tune *tune) {
    SlText layers;
    json_t *setup = command_need(json_object());
    size_t mark = sl_arena_mark(tune->arena);
    sl_text_init(&layers, tune->arena);
    for (int i = 0; i < tune->n_layers; i++) {
        char layer[512];
        sl_layer_write(tune->layers[i].job->layer, sizeof layer, layer);
        sl_text_add(&layers, "%s %d %s\n", tune->layers[i].job->layer->name,
                    tune->layers[i].job->count, layer);
    }
    if (layers.failed) command_no_memory();
    tune_setup_json(tune, setup);
    run_key(layers.data, setup, tune->arena, tune->key);
    sl_arena_rewind(tune->arena, mark);
}

// ---- opening ----

static SlStatus write_run(const Tune *tune, bool finished, SlError *err) {
    json_t *document = command_need(sl_json_document("tune-run", 1));
    json_put_text(document, "key", tune->key);
    tune_setup_json(tune, document);
    json_put(document, "finished", json_boolean(finished));
    return run_write_json(tune->dir, "run.json", document, tune->arena, err);
}

static SlStatus start_afresh(const Tune *tune, SlError *err) {
    static const char *const names[] = {"log.jsonl", "tune.json",  "tune.txt",
                                        "tune.html", "curves.svg", NULL};
    SlStatus status = run_clear(tune->dir, names, err);
    if (status == SL_OK) status = run_clear_store(tune->dir, err);
    return status == SL_OK ? write_run(tune, false, err) : status;
}

static SlStatus open_dir(Tune *tune, const char *workload, SlError *err) {
    const TuneOptions *options = tune->options;
    RunHeld held;
    if (options->common.json && !options->common.out) return SL_OK;
    tune->dir = options->common.out ? options->common.out : choose_dir(tune, workload);
    SlStatus status = command_make_dir(tune->dir, err);
    if (status != SL_OK) return status;
    run_look(tune->dir, &held);
    if (!held.any || !options->resume) return start_afresh(tune, err);
    tune->reported = held.finished > 0;
    return run_check(tune->dir, &held, tune->key, err);
}

// records of finished layers; and the log, from which the others go on
static SlStatus open_records(Tune *tune, SlError *err) {
    char path[RUN_PATH_ROOM];
    const char *log = tune->options->log;
    SlStatus status = SL_OK;
    if (!log && !tune->dir) return SL_OK;
    if (!log) run_path(tune->dir, "log.jsonl", path);
    status = sl_log_open(log ? log : path, tune->arena, &tune->log, err);
    if (status != SL_OK) return status;
    sl_job_set_log(tune->job, tune->log);
    if (!tune->dir) return SL_OK;
    run_path(tune->dir, RUN_STORE, path);
    return sl_job_set_store(tune->job, path, err);
}

SlStatus tune_open(Tune *tune, const char *workload, SlError *err) {
    set_key(tune);
    SlStatus status = open_dir(tune, workload, err);
    return status == SL_OK && !tune->reported ? open_records(tune, err) : status;
}

SlStatus tune_reread(const Tune *tune, SlText *out, SlError *err) {
    const char *name = tune->options->common.json ? "tune.json" : "tune.txt";
    return run_reread(tune->dir, name, tune->arena, out, err);
}

// ---- files ----

// of the layer, with a number where an earlier one has it already
static void file_name(const Tune *tune, int i, char out[static FILE_NAME_ROOM + 16]) {
    char name[FILE_NAME_ROOM], other[FILE_NAME_ROOM];
    int same = 0;
    command_file_name(tune->layers[i].job->layer->name, name);
    for (int j = 0; j < i; j++) {
        command_file_name(tune->layers[j].job->layer->name, other);
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
    snprintf(out, TUNE_FILE_ROOM, tune_is_vta(tune) ? "programs/%s.vta" : "programs/%s.c", name);
}

static SlStatus write_layer(const Tune *tune, int i, SlError *err) {
    SlText text;
    const TuneLayer *layer = &tune->layers[i];
    char name[FILE_NAME_ROOM + 16], file[TUNE_FILE_ROOM], knobs[512];
    if (!layer->job->searched || layer->job->record.best.sample == 0) return SL_OK;
    file_name(tune, i, name);
    sl_text_init(&text, tune->arena);
    sl_space_show(sl_task_space(layer->job->task), layer->job->record.best.point, sizeof knobs,
                  knobs);
    sl_text_add(&text, "%s\n", knobs);
    snprintf(file, sizeof file, "schedules/%s.txt", name);
    SlStatus status = command_write(tune->dir, file, &text, err);
    if (status != SL_OK) return status;
    sl_text_init(&text, tune->arena);
    tune_program(tune, layer, &text);
    tune_program_name(tune, i, file);
    return command_write(tune->dir, file, &text, err);
}

SlStatus tune_write(const Tune *tune, const SlText *text, const SlText *json, SlError *err) {
    SlText svg, page;
    SlStatus status = SL_OK;
    sl_text_init(&svg, tune->arena);
    sl_text_init(&page, tune->arena);
    tune_curves(tune, &svg);
    tune_page(tune, &svg, &page);
    static const char *const folders[] = {"schedules", "programs"};
    for (int i = 0; i < 2 && status == SL_OK; i++) {
        char path[RUN_PATH_ROOM];
        run_path(tune->dir, folders[i], path);
        status = command_make_dir(path, err);
    }
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++) {
        size_t mark = sl_arena_mark(tune->arena);
        status = write_layer(tune, i, err);
        sl_arena_rewind(tune->arena, mark);
    }
    if (status == SL_OK) status = command_write(tune->dir, "curves.svg", &svg, err);
    if (status == SL_OK) status = command_write(tune->dir, "tune.html", &page, err);
    if (status == SL_OK) status = command_write(tune->dir, "tune.txt", text, err);
    if (status == SL_OK) status = command_write(tune->dir, "tune.json", json, err);
    // last: what says so is then complete
    return status == SL_OK && tune_finished(tune) ? write_run(tune, true, err) : status;
}
