// study_folder.c - where a study lies: its folder, its store, and what changed its plan.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study_command.h"

#define RUNS "starling-runs"
#define STORE "study.db"

static bool is_dir(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static SlStatus too_long(const char *path, SlError *err) {
    return sl_fail(err, SL_EINPUT, "the path '%.80s...' is too long", path);
}

// ---- a plan to run ----

SlPlanChanges study_changes(const StudyOptions *options) {
    return (SlPlanChanges){.quick = options->quick,
                           .samples = options->samples,
                           .seeds = options->seeds,
                           .methods = options->methods,
                           .evaluator = options->evaluator};
}

SlStatus study_open_plan(Study *study, const char *name, SlError *err) {
    const StudyOptions *options = study->options;
    SlPlanChanges changes = study_changes(options);
    SlStatus status = sl_plan_find(name, &changes, study->arena, &study->plan, err);
    if (status != SL_OK) return status;
    int n;
    if (options->common.out) {
        n = snprintf(study->dir, sizeof study->dir, "%s", options->common.out);
    } else {
        char file[FILE_NAME_ROOM];
        folder_file_name(study->plan.name, file);
        n = snprintf(study->dir, sizeof study->dir, RUNS "/study-%s%s%s%s", file,
                     changes.evaluator ? "-" : "", changes.evaluator ? changes.evaluator : "",
                     options->quick ? "-quick" : "");
    }
    if (n >= (int)sizeof study->dir) return too_long(study->dir, err);
    snprintf(study->path, sizeof study->path, "%s/" STORE, study->dir);
    status = folder_make(study->dir, err);
    if (status == SL_OK) status = sl_store_open(study->path, true, &study->store, err);
    if (status == SL_OK) status = sl_study_check(&study->plan, study->store, err);
    return status == SL_OK ? sl_study_keep(&study->plan, &changes, study->store, err) : status;
}

// ---- a store that is there ----

static SlStatus get_plan(Study *study, SlError *err) {
    SlStatus status = sl_study_recall(study->store, study->arena, &study->plan, err);
    if (status != SL_OK || study->plan.name || study->planless) return status;
    return sl_fail(err, SL_EINPUT,
                   "%.300s holds the records of a run, not of a study: 'starling study export' "
                   "prints them",
                   study->path);
}

// the folder that a store lies in
static void set_dir(Study *study, const char *path) {
    const char *slash = strrchr(path, '/');
    snprintf(study->dir, sizeof study->dir, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
}

SlStatus study_open_store(Study *study, const char *where, SlError *err) {
    bool folder = is_dir(where);
    int n = snprintf(study->path, sizeof study->path, folder ? "%s/" STORE : "%s", where);
    if (n >= (int)sizeof study->path || strlen(where) >= sizeof study->dir)
        return too_long(where, err);
    struct stat found;
    if (stat(study->path, &found) != 0)
        return sl_fail(err, SL_EINPUT, "%.300s: expected the folder of a study, or a store: %s",
                       study->path, strerror(errno));
    if (study->options->common.out)
        snprintf(study->dir, sizeof study->dir, "%.*s", (int)sizeof study->dir - 1,
                 study->options->common.out);
    else if (folder)
        snprintf(study->dir, sizeof study->dir, "%s", where);
    else
        set_dir(study, where);
    SlStatus status = sl_store_open(study->path, false, &study->store, err);
    return status == SL_OK ? get_plan(study, err) : status;
}

void study_close(Study *study) {
    sl_store_close(study->store);
    study->store = NULL;
}

// ---- merging ----

static SlStatus merge_one(const Call *call, SlStore *to, const char *where, SlError *err) {
    Study *study = call_need(SL_NEW(call->arena, 1, Study));
    *study = (Study){.call = call, .options = call->options, .arena = call->arena};
    int n_new = 0;
    SlStatus status = study_open_store(study, where, err);
    if (status == SL_OK) status = sl_study_merge(to, study->store, &n_new, err);
    if (status == SL_OK)
        call_note(call, "%s: %d new record%s", where, n_new, n_new == 1 ? "" : "s");
    study_close(study);
    return status;
}

// every study into a new store at `path`
static SlStatus merge_all(const Call *call, const char *path, SlError *err) {
    SlStore *store = NULL;
    SlStatus status = sl_store_open(path, true, &store, err);
    for (int i = 0; i < call->words.n && status == SL_OK; i++)
        status = merge_one(call, store, call->words.words[i], err);
    sl_store_close(store);
    return status;
}

// a path without its last name; what stays of its `n` characters
static size_t without_last(char *path, size_t n) {
    while (n > 0 && path[n - 1] == '/') path[--n] = '\0';
    while (n > 0 && path[n - 1] != '/') path[--n] = '\0';
    return n;
}

// how much of a path is there: the length of its longest leading part that exists
static size_t existing_part(const char *dir) {
    char path[STUDY_PATH_ROOM];
    struct stat found;
    size_t n = (size_t)snprintf(path, sizeof path, "%.4000s", dir);
    while (n > 0 && stat(path, &found) != 0) n = without_last(path, n);
    return n;
}

// remove the folders of `dir` behind its first `n_kept` characters, as long as they are empty
static void remove_made(const char *dir, size_t n_kept) {
    char path[STUDY_PATH_ROOM];
    size_t n = strlen(dir) <= 4000 ? (size_t)snprintf(path, sizeof path, "%.4000s", dir) : 0;
    while (n > n_kept && rmdir(path) == 0) n = without_last(path, n);
}

int study_merge(Call *call) {
    const char *out = call->common->out;
    char path[STUDY_PATH_ROOM];
    struct stat found;
    SlError err;
    if (call->words.n < 2) return call_refuse(call, "study merge: expected two studies or more");
    if (!out)
        return call_refuse(call, "study merge: expected --out DIR, a folder for the new study");
    snprintf(path, sizeof path, "%.4000s/" STORE, out);
    if (stat(path, &found) == 0)
        return call_refuse(call, "study merge: %.300s exists; nothing is overwritten", path);
    // beside the place it will have, so that a merge that fails leaves nothing
    char half[STUDY_PATH_ROOM + 8];
    snprintf(half, sizeof half, "%s.half", path);
    remove(half);
    const size_t n_kept = existing_part(out);
    SlStatus status = folder_make(out, &err);
    if (status == SL_OK) status = merge_all(call, half, &err);
    if (status == SL_OK && rename(half, path) != 0)
        status = sl_fail(&err, SL_EIO, "cannot write %.300s: %s", path, strerror(errno));
    if (status != SL_OK) {
        remove(half);
        remove_made(out, n_kept);
        return call_fail(call, status, &err);
    }
    call_note(call, "Written to %s; 'starling study report %s' shows it", path, out);
    return CODE_DONE;
}
