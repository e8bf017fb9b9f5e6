// train_folder.c - the run directory of `starling train`: which one, and what an earlier run left.
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "train.h"

static bool exists(const char *dir, const char *name) {
    char path[RUN_PATH_ROOM];
    run_path(dir, name, path);
    return access(path, F_OK) == 0;
}

// ---- which ----

static const char *choose_dir(const Train *train) {
    char name[128];
    const SlEngineSetup *setup = &train->setup;
    snprintf(name, sizeof name, "train-%s-%d-%s", setup->world.world->name, setup->world.n_agents,
             sl_algo_names[setup->algo]);
    return run_choose(name, train->key, train->options->episodes, train->arena);
}

// ---- files ----

static SlStatus write_run(const Train *train, int64_t finished, SlError *err) {
    json_t *document = command_need(sl_json_document("train-run", 1));
    json_put_text(document, "key", train->key);
    train_setup_json(train, document);
    json_put(document, "finished", json_integer(finished));
    return run_write_json(train->dir, "run.json", document, train->arena, err);
}

SlStatus train_save(const Train *train, SlError *err) {
    char path[RUN_PATH_ROOM];
    if (!train->dir) return SL_OK;
    run_path(train->dir, "checkpoint", path);
    return sl_engine_save(train->engine, path, err);
}

static SlStatus go_on(Train *train, SlError *err) {
    char path[RUN_PATH_ROOM];
    run_path(train->dir, "checkpoint", path);
    SlStatus status = sl_engine_load(train->engine, path, err);
    if (status != SL_OK) return status;
    sl_engine_state(train->engine, &train->now);
    train->resumed = train->now.episodes;
    train->first_step = train->now.steps;
    return SL_OK;
}

static SlStatus start_afresh(const Train *train, SlError *err) {
    static const char *const names[] = {"checkpoint", "train.json", "train.txt",
                                        "curve.csv",  "curve.svg",  NULL};
    SlStatus status = run_clear(train->dir, names, err);
    return status == SL_OK ? write_run(train, 0, err) : status;
}

// finished with so many episodes, and reported
static bool is_reported(const Train *train, const RunHeld *held) {
    return train->options->resume && strcmp(held->key, train->key) == 0 &&
           held->finished == train->options->episodes && exists(train->dir, "train.json");
}

// alone in the folder: start afresh, or go on with what is there
static SlStatus take_folder(Train *train, SlError *err) {
    static const char *const folders[] = {".", NULL};
    RunHeld held;
    bool alone = false;
    SlStatus status = run_lock(train->dir, &alone, err);
    if (status != SL_OK) return status;
    run_look(train->dir, &held); // another process may just have ended
    if (held.any && train->options->resume) status = run_check(train->dir, &held, train->key, err);
    if (status != SL_OK) return status;
    if (alone) run_sweep(train->dir, folders);
    if (!held.any || !train->options->resume) return start_afresh(train, err);
    if (held.finished > train->options->episodes)
        return sl_fail(err, SL_EINPUT,
                       "%.200s holds a longer run of %lld episodes: choose another folder, or "
                       "--no-resume to replace it",
                       train->dir, (long long)held.finished);
    return exists(train->dir, "checkpoint") ? go_on(train, err) : SL_OK;
}

SlStatus train_open(Train *train, SlError *err) {
    const TrainOptions *options = train->options;
    RunHeld held;
    json_t *setup = command_need(json_object());
    train_setup_json(train, setup);
    run_key("", setup, train->arena, train->key);
    if (options->common.json && !options->common.out) return SL_OK;
    train->dir = options->common.out ? options->common.out : choose_dir(train);
    SlStatus status = command_make_dir(train->dir, err);
    if (status != SL_OK) return status;
    run_look(train->dir, &held);
    train->reported = is_reported(train, &held); // shown as it is, whoever works there
    return train->reported ? SL_OK : take_folder(train, err);
}

SlStatus train_reread(const Train *train, SlText *out, SlError *err) {
    const char *name = train->options->common.json ? "train.json" : "train.txt";
    return run_reread(train->dir, name, train->arena, out, err);
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
