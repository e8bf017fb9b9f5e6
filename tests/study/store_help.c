// store_help.c - stores in a folder of their own, and small plans.
#include "store_help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

void folder_make(Folder *folder) {
    const char *base = getenv("TMPDIR");
    snprintf(folder->dir, sizeof folder->dir, "%.80s/starling-study-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(folder->dir));
}

const char *folder_path(const Folder *folder, const char *name, char out[static TEMP_ROOM]) {
    snprintf(out, TEMP_ROOM, "%s/%s", folder->dir, name);
    return out;
}

void folder_remove(const Folder *folder) {
    DIR *dir = opendir(folder->dir);
    assert_non_null(dir);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char path[sizeof folder->dir + sizeof entry->d_name + 2];
        snprintf(path, sizeof path, "%s/%s", folder->dir, entry->d_name);
        if (entry->d_name[0] != '.') assert_int_equal(unlink(path), 0);
    }
    closedir(dir);
    assert_int_equal(rmdir(folder->dir), 0);
}

void plan_of(const char *text, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan) {
    SlError err = {0};
    if (sl_plan_parse("plan.yaml", text, strlen(text), changes, arena, plan, &err) != SL_OK)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
}

SlStore *open_store(const char *path) {
    SlStore *store = NULL;
    SlError err = {0};
    if (sl_store_open(path, true, &store, &err) != SL_OK) fail_msg("%s: %s", err.file, err.text);
    return store;
}

uint64_t digest_of(const char *path) {
    SlStore *store = open_store(path);
    uint64_t digest = 0;
    assert_int_equal(sl_store_digest(store, &digest, NULL), SL_OK);
    sl_store_close(store);
    return digest;
}
