// train_folder.c - the run directory of `starling train`: which one, and what an earlier run left.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "train.h"

#define RUNS "starling-runs"
enum { PATH_ROOM = 4352, MAX_RUNS = 10000, MOST_BYTES = 1 << 30 };

// What DIR holds.
typedef struct {
    bool any;                 // a run
    char key[TRAIN_KEY_ROOM]; // of it
    int64_t finished;         // episodes of a run that is through, 0 = none
} Held;

static void path_of(const char *dir, const char *name, char out[static PATH_ROOM]) {
    snprintf(out, PATH_ROOM, "%s/%s", dir, name);
}

static bool exists(const char *dir, const char *name) {
    char path[PATH_ROOM];
    path_of(dir, name, path);
    return access(path, F_OK) == 0;
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
        if (!done || sl_node_int(done, 0, INT64_MAX, &held->finished, NULL) != SL_OK)
            held->finished = 0;
    }
    sl_arena_free(&scratch);
}

// a run of this setup that is not longer than what is wanted
static bool fits(const Train *train, const Held *held) {
    return strcmp(held->key, train->key) == 0 && held->finished <= train->options->episodes;
}

// starling-runs/train-ENV-N-ALGO, or -2, -3 ... where that holds another run
static const char *choose_dir(const Train *train) {
    char dir[128];
    Held held;
    const SlEngineSetup *setup = &train->setup;
    for (int i = 1; i < MAX_RUNS; i++) {
        int n = snprintf(dir, sizeof dir, RUNS "/train-%s-%d-%s",
                         sl_scenario_names[setup->world.scenario], setup->world.n_agents,
                         sl_algo_names[setup->algo]);
        if (i > 1) snprintf(dir + n, sizeof dir - (size_t)n, "-%d", i);
        look(dir, &held);
        if (!held.any || fits(train, &held)) break;
    }
    return command_need(sl_arena_text(train->arena, dir, strlen(dir)));
}

// FNV-1a of the setup as it is written down
static void set_key(Train *train) {
    SlText text;
    SlError err;
    json_t *setup = command_need(json_object());
    size_t mark = sl_arena_mark(train->arena);
    sl_text_init(&text, train->arena);
    sl_text_add(&text, "%s\n", SL_VERSION);
    train_setup_json(train, setup);
    if (sl_json_print(setup, &text, &err) != SL_OK || text.failed) command_no_memory();
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.n; i++)
        sum = (sum ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    snprintf(train->key, sizeof train->key, "%016llx", (unsigned long long)sum);
    sl_arena_rewind(train->arena, mark);
}

// ---- files ----

static SlStatus write_run(const Train *train, int64_t finished, SlError *err) {
    SlText text;
    json_t *document = command_need(sl_json_document("train-run", 1));
    json_put_text(document, "key", train->key);
    train_setup_json(train, document);
    json_put(document, "finished", json_integer(finished));
    sl_text_init(&text, train->arena);
    SlStatus status = sl_json_print(document, &text, err);
    return status == SL_OK ? command_write(train->dir, "run.json", &text, err) : status;
}

SlStatus train_save(const Train *train, SlError *err) {
    char path[PATH_ROOM];
    if (!train->dir) return SL_OK;
    path_of(train->dir, "checkpoint", path);
    return sl_engine_save(train->engine, path, err);
}

static SlStatus go_on(Train *train, SlError *err) {
    char path[PATH_ROOM];
    path_of(train->dir, "checkpoint", path);
    SlStatus status = sl_engine_load(train->engine, path, err);
    if (status != SL_OK) return status;
    sl_engine_state(train->engine, &train->now);
    train->resumed = train->now.episodes;
    train->first_step = train->now.steps;
    return SL_OK;
}

// files of an earlier run would belie a fresh one
static SlStatus start_afresh(const Train *train, SlError *err) {
    static const char *const names[] = {"checkpoint", "train.json", "train.txt", "curve.csv",
                                        "curve.svg"};
    char path[PATH_ROOM];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        path_of(train->dir, names[i], path);
        if (remove(path) != 0 && errno != ENOENT)
            return sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    return write_run(train, 0, err);
}

SlStatus train_open(Train *train, SlError *err) {
    const TrainOptions *options = train->options;
    Held held;
    set_key(train);
    if (options->common.json && !options->common.out) return SL_OK;
    train->dir = options->common.out ? options->common.out : choose_dir(train);
    SlStatus status = command_make_dir(train->dir, err);
    if (status != SL_OK) return status;
    look(train->dir, &held);
    if (!held.any || !options->resume) return start_afresh(train, err);
    if (strcmp(held.key, train->key) != 0)
        return sl_fail(err, SL_EINPUT,
                       "%.200s holds a run of another setup: choose another folder, or --no-resume "
                       "to replace it",
                       train->dir);
    if (held.finished > options->episodes)
        return sl_fail(err, SL_EINPUT,
                       "%.200s holds a longer run of %lld episodes: choose another folder, or "
                       "--no-resume to replace it",
                       train->dir, (long long)held.finished);
    if (held.finished == options->episodes && exists(train->dir, "train.json")) {
        train->reported = true;
        return SL_OK;
    }
    return exists(train->dir, "checkpoint") ? go_on(train, err) : SL_OK;
}

SlStatus train_reread(const Train *train, SlText *out, SlError *err) {
    char path[PATH_ROOM], *data;
    size_t n;
    path_of(train->dir, train->options->common.json ? "train.json" : "train.txt", path);
    SlStatus status = sl_file_read(path, MOST_BYTES, train->arena, &data, &n, err);
    if (status == SL_OK) sl_text_put(out, data, n);
    return status;
}

SlStatus train_write(const Train *train, const SlText *text, const SlText *json, SlError *err) {
    SlText csv, svg;
    sl_text_init(&csv, train->arena);
    sl_text_init(&svg, train->arena);
    train_csv(train, &csv);
    train_svg(train, &svg);
    SlStatus status = command_write(train->dir, "train.txt", text, err);
    if (status == SL_OK) status = command_write(train->dir, "curve.csv", &csv, err);
    if (status == SL_OK) status = command_write(train->dir, "curve.svg", &svg, err);
    if (status == SL_OK) status = command_write(train->dir, "train.json", json, err);
    // last: what says so is then complete
    bool finished = train_finished(train);
    return status == SL_OK && finished ? write_run(train, train->options->episodes, err) : status;
}
