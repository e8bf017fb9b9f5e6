// train_folder.c - the run directory of `starling train`: which one, and what an earlier run left.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "train.h"

static bool exists(const char *dir, const char *name) {
    char path[SL_FOLDER_PATH];
    sl_folder_path(dir, name, path);
    return access(path, F_OK) == 0;
}

// ---- files ----

static SlStatus write_run(const Train *train, int64_t finished, SlError *err) {
    SlDoc *doc = sl_doc_make(train->arena, "train-run", 1);
    sl_doc_string(doc, "key", NULL, train->key);
    sl_doc_engine(doc, sl_engine_setup(train->engine));
    sl_doc_number(doc, "finished", NULL, SL_UNIT_PLAIN, (double)finished);
    return run_write_doc(train->dir, "run.json", doc, err);
}

SlStatus train_save(const Train *train, SlError *err) {
    char path[SL_FOLDER_PATH];
    if (!train->dir) return SL_OK;
    sl_folder_path(train->dir, "checkpoint", path);
    return sl_engine_save(train->engine, path, err);
}

static SlStatus go_on(Train *train, SlError *err) {
    char path[SL_FOLDER_PATH];
    sl_folder_path(train->dir, "checkpoint", path);
    SlStatus status = sl_engine_load(train->engine, path, err);
    if (status != SL_OK) return status;
    sl_engine_state(train->engine, &train->result.now);
    train->result.resumed = train->result.now.episodes;
    train->result.first_step = train->result.now.steps;
    return SL_OK;
}

static SlStatus start_afresh(const Train *train, SlError *err) {
    static const char *const names[] = {"checkpoint", "train.json", "train.txt", "train.html",
                                        "curve.csv",  "curve.svg",  NULL};
    SlStatus status = sl_folder_clear(train->dir, names, err);
    return status == SL_OK ? write_run(train, 0, err) : status;
}

// finished with so many episodes, and reported
static bool is_reported(const Train *train, const SlHeldRun *held) {
    return train->options->resume && strcmp(held->key, train->key) == 0 &&
           held->finished == train->options->episodes && exists(train->dir, "train.json") &&
           run_has_printed(train->call, train->dir, "train", "curve");
}

// alone in the folder: start afresh, or go on with what is there
static SlStatus take_folder(Train *train, SlError *err) {
    static const char *const folders[] = {".", NULL};
    SlHeldRun held;
    bool alone = false;
    SlStatus status = run_lock(train->dir, &alone, err);
    if (status != SL_OK) return status;
    sl_folder_look(train->dir, &held); // another process may just have ended
    if (held.any && train->options->resume) status = run_check(train->dir, &held, train->key, err);
    if (status != SL_OK) return status;
    if (alone) sl_folder_sweep(train->dir, folders);
    if (!held.any || !train->options->resume) return start_afresh(train, err);
    if (held.finished > train->options->episodes)
        return sl_fail(err, SL_EINPUT,
                       "%.200s holds a longer run of %lld episodes: choose another folder, or "
                       "--no-resume to replace it",
                       train->dir, (long long)held.finished);
    return exists(train->dir, "checkpoint") ? go_on(train, err) : SL_OK;
}

SlStatus train_open(Train *train, SlError *err) {
    const SlEngineSetup *setup = sl_engine_setup(train->engine);
    char name[128];
    SlHeldRun held;
    SlDoc *doc = sl_doc_make(train->arena, "train-run", 1);
    sl_doc_engine(doc, sl_engine_setup(train->engine));
    run_doc_key("", doc, train->key);
    snprintf(name, sizeof name, "train-%s-%lld-%s", setup->world.world->name,
             (long long)setup->world.n_agents, sl_algo_names[setup->algo]);
    SlStatus status =
        run_open(train->call, name, train->key, train->options->episodes, &train->dir, err);
    if (status != SL_OK || !train->dir) return status;
    sl_folder_look(train->dir, &held);
    train->reported = is_reported(train, &held); // shown as it is, whoever works there
    return train->reported ? SL_OK : take_folder(train, err);
}

SlStatus train_write(const Train *train, const SlDoc *doc, SlError *err) {
    SlStatus status = call_write_files(doc, train->dir, "train", err);
    // last: what says so is then complete
    bool finished = sl_training_is_finished(&train->result);
    return status == SL_OK && finished ? write_run(train, train->options->episodes, err) : status;
}
