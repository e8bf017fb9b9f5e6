// tune_folder.c - the run directory of `starling tune`: which one, what an earlier run left in it,
// and what is written there.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tune_command.h"

#define RUNS "starling-runs"
enum { PATH_ROOM = 4352, MAX_RUNS = 10000, MOST_BYTES = 1 << 30 };

// What DIR holds.
typedef struct {
    bool any; // a run
    char key[TUNE_KEY_ROOM];
    bool finished;
} Held;

static void path_of(const char *dir, const char *name, char out[static PATH_ROOM]) {
    snprintf(out, PATH_ROOM, "%s/%s", dir, name);
}

// ---- which ----

// run.json is written first, so it is there whenever something else is
static void look(const char *dir, Held *held) {
    char path[PATH_ROOM];
    const SlNode *root;
    SlArena scratch;
    *held = (Held){0};
    sl_arena_init(&scratch, 0);
    path_of(dir, "run.json", path);
    if (sl_tree_read(path, &scratch, &root, NULL) == SL_OK) {
        const SlNode *key = sl_node_get(root, "key"), *done = sl_node_get(root, "finished");
        held->any = key && sl_node_copy_text(key, sizeof held->key, held->key, NULL) == SL_OK;
        if (!done || sl_node_bool(done, &held->finished, NULL) != SL_OK) held->finished = false;
    }
    sl_arena_free(&scratch);
}

// starling-runs/tune-TARGET-NAME, or -2, -3 ... where that holds another run
static const char *choose_dir(const Tune *tune, const char *workload) {
    char dir[160], name[FILE_NAME_ROOM];
    Held held;
    command_file_name(workload, name);
    for (int i = 1; i < MAX_RUNS; i++) {
        int n = snprintf(dir, sizeof dir, RUNS "/tune-%s-%s",
                         sl_target_names[tune->options->target], name);
        if (i > 1) snprintf(dir + n, sizeof dir - (size_t)n, "-%d", i);
        look(dir, &held);
        if (!held.any || strcmp(held.key, tune->key) == 0) break;
    }
    return command_need(sl_arena_text(tune->arena, dir, strlen(dir)));
}

// FNV-1a of the setup as it is written down
static void set_key(Tune *tune) {
    SlText text;
    SlError err;
    json_t *setup = command_need(json_object());
    size_t mark = sl_arena_mark(tune->arena);
    sl_text_init(&text, tune->arena);
    sl_text_add(&text, "%s\n", SL_VERSION);
    tune_setup_json(tune, setup);
    for (int i = 0; i < tune->n_layers; i++) {
        char layer[512];
        sl_layer_write(&tune->layers[i].layer, sizeof layer, layer);
        sl_text_add(&text, "%s %d %s\n", tune->layers[i].layer.name, tune->layers[i].count, layer);
    }
    if (sl_json_print(setup, &text, &err) != SL_OK || text.failed) command_no_memory();
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.n; i++)
        sum = (sum ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    snprintf(tune->key, sizeof tune->key, "%016llx", (unsigned long long)sum);
    sl_arena_rewind(tune->arena, mark);
}

// ---- opening ----

static SlStatus write_run(const Tune *tune, bool finished, SlError *err) {
    SlText text;
    json_t *document = command_need(sl_json_document("tune-run", 1));
    json_put_text(document, "key", tune->key);
    tune_setup_json(tune, document);
    json_put(document, "finished", json_boolean(finished));
    sl_text_init(&text, tune->arena);
    SlStatus status = sl_json_print(document, &text, err);
    return status == SL_OK ? command_write(tune->dir, "run.json", &text, err) : status;
}

// files of an earlier run would belie a fresh one
static SlStatus start_afresh(const Tune *tune, SlError *err) {
    static const char *const names[] = {"log.jsonl", "tune.json", "tune.txt", "curves.svg"};
    char path[PATH_ROOM];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(tune->dir, names[i], path);
        if (remove(path) != 0 && errno != ENOENT)
            return sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    return write_run(tune, false, err);
}

static SlStatus open_dir(Tune *tune, const char *workload, SlError *err) {
    const TuneOptions *options = tune->options;
    Held held;
    if (options->common.json && !options->common.out) return SL_OK;
    tune->dir = options->common.out ? options->common.out : choose_dir(tune, workload);
    SlStatus status = command_make_dir(tune->dir, err);
    if (status != SL_OK) return status;
    look(tune->dir, &held);
    if (!held.any || !options->resume) return start_afresh(tune, err);
    if (strcmp(held.key, tune->key) != 0)
        return sl_fail(err, SL_EINPUT,
                       "%.200s holds a run of another setup: choose another folder, or --no-resume "
                       "to replace it",
                       tune->dir);
    tune->reported = held.finished;
    return SL_OK;
}

SlStatus tune_open(Tune *tune, const char *workload, SlError *err) {
    char path[PATH_ROOM];
    const char *log = tune->options->log;
    set_key(tune);
    SlStatus status = open_dir(tune, workload, err);
    if (status != SL_OK || tune->reported) return status;
    if (!log && !tune->dir) return SL_OK;
    if (!log) path_of(tune->dir, "log.jsonl", path);
    return sl_tune_log_open(log ? log : path, tune->arena, &tune->log, err);
}

SlStatus tune_reread(const Tune *tune, SlText *out, SlError *err) {
    char path[PATH_ROOM], *data;
    size_t n;
    path_of(tune->dir, tune->options->common.json ? "tune.json" : "tune.txt", path);
    SlStatus status = sl_file_read(path, MOST_BYTES, tune->arena, &data, &n, err);
    if (status == SL_OK) sl_text_put(out, data, n);
    return status;
}

// ---- files ----

// of the layer, with a number where an earlier one has it already
static void file_name(const Tune *tune, int i, char out[static FILE_NAME_ROOM + 16]) {
    char name[FILE_NAME_ROOM], other[FILE_NAME_ROOM];
    int same = 0;
    command_file_name(tune->layers[i].layer.name, name);
    for (int j = 0; j < i; j++) {
        command_file_name(tune->layers[j].layer.name, other);
        same += strcmp(name, other) == 0;
    }
    if (same)
        snprintf(out, FILE_NAME_ROOM + 16, "%s_%d", name, same + 1);
    else
        snprintf(out, FILE_NAME_ROOM + 16, "%s", name);
}

static SlStatus write_layer(const Tune *tune, int i, SlError *err) {
    SlText text;
    const TuneLayer *layer = &tune->layers[i];
    char name[FILE_NAME_ROOM + 16], file[FILE_NAME_ROOM + 48], knobs[512];
    if (!layer->tuned || !layer->record.found) return SL_OK;
    file_name(tune, i, name);
    sl_text_init(&text, tune->arena);
    sl_knobs_show(sl_tuning_knobs(layer->tuning), layer->record.best, sizeof knobs, knobs);
    sl_text_add(&text, "%s\n", knobs);
    snprintf(file, sizeof file, "schedules/%s.txt", name);
    SlStatus status = command_write(tune->dir, file, &text, err);
    if (status != SL_OK) return status;
    sl_text_init(&text, tune->arena);
    tune_program(tune, layer, &text);
    snprintf(file, sizeof file, tune_is_vta(tune) ? "programs/%s.vta" : "programs/%s.c", name);
    return command_write(tune->dir, file, &text, err);
}

SlStatus tune_write(const Tune *tune, const SlText *text, const SlText *json, SlError *err) {
    SlText svg;
    SlStatus status = SL_OK;
    sl_text_init(&svg, tune->arena);
    tune_curves(tune, &svg);
    static const char *const folders[] = {"schedules", "programs"};
    for (int i = 0; i < 2 && status == SL_OK; i++) {
        char path[PATH_ROOM];
        path_of(tune->dir, folders[i], path);
        status = command_make_dir(path, err);
    }
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++) {
        size_t mark = sl_arena_mark(tune->arena);
        status = write_layer(tune, i, err);
        sl_arena_rewind(tune->arena, mark);
    }
    if (status == SL_OK) status = command_write(tune->dir, "curves.svg", &svg, err);
    if (status == SL_OK) status = command_write(tune->dir, "tune.txt", text, err);
    if (status == SL_OK) status = command_write(tune->dir, "tune.json", json, err);
    // last: what says so is then complete
    return status == SL_OK && tune_finished(tune) ? write_run(tune, true, err) : status;
}
