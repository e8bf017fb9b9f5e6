// run_dir.c - run directories: which one a run takes, and what an earlier run left in it.
#include "starling/job/run_dir.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RUNS = 10000 };

void sl_folder_path(const char *dir, const char *name, char out[static SL_FOLDER_PATH]) {
    snprintf(out, SL_FOLDER_PATH, "%s/%s", dir, name);
}

// ---- keys ----

void sl_folder_digest(const void *data, size_t n, char out[static SL_FOLDER_KEY]) {
    uint64_t sum = sl_fnv_bytes(SL_FNV_START, data, n);
    snprintf(out, SL_FOLDER_KEY, "%016llx", (unsigned long long)sum);
}

// ---- which ----

static int64_t read_finished(const SlNode *node) {
    bool through;
    int64_t n;
    if (!node) return 0;
    if (sl_node_bool(node, &through, NULL) == SL_OK) return through;
    return sl_node_int(node, 0, INT64_MAX, &n, NULL) == SL_OK ? n : 0;
}

// ", accel eyeriss"; of a map its "name"
static void add_setting(const SlNode *root, const char *key, size_t room, char *out) {
    const SlNode *node = sl_node_get(root, key);
    char value[80];
    size_t used = strlen(out);
    if (node && node->kind == SL_NODE_MAP) node = sl_node_get(node, "name");
    if (!node || sl_node_copy_text(node, sizeof value, value, NULL) != SL_OK) return;
    snprintf(out + used, room - used, "%s%s %s", strchr(out, ' ') ? ", " : " ", key, value);
}

// what a run is, by the schema of its run.json ("starling.map-run/1") and what tells runs apart
static void describe(const SlNode *root, SlHeldRun *held) {
    static const char *const keys[] = {"workload",  "env",  "target", "accel",
                                       "objective", "algo", "method", "seed"};
    const SlNode *schema = sl_node_get(root, "schema"), *version = sl_node_get(root, "version");
    char name[80];
    int n = 0;
    if (schema && sl_node_copy_text(schema, sizeof name, name, NULL) == SL_OK)
        sscanf(name, "starling.%*[a-z]%n", &n);
    if (n > 9) snprintf(held->what, sizeof held->what, "%.*s:", n - 9, name + 9);
    // results of another version are not those of this one, so its runs do not go on
    if (version && sl_node_copy_text(version, sizeof name, name, NULL) == SL_OK &&
        strcmp(name, SL_VERSION) != 0)
        add_setting(root, "version", sizeof held->what, held->what);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add_setting(root, keys[i], sizeof held->what, held->what);
}

// run.json is written first, so it is there whenever something else is
void sl_folder_look(const char *dir, SlHeldRun *held) {
    char path[SL_FOLDER_PATH];
    const SlNode *root;
    SlArena scratch;
    *held = (SlHeldRun){0};
    sl_arena_init(&scratch, 0);
    sl_folder_path(dir, "run.json", path);
    if (sl_tree_read(path, &scratch, &root, NULL) == SL_OK) {
        const SlNode *key = sl_node_get(root, "key");
        held->any = key && sl_node_copy_text(key, sizeof held->key, held->key, NULL) == SL_OK;
        held->finished = read_finished(sl_node_get(root, "finished"));
        describe(root, held);
    }
    sl_arena_free(&scratch);
}

const char *sl_folder_choose(const char *runs, const char *name, const char *key, int64_t most,
                             SlArena *arena) {
    char dir[SL_FOLDER_PATH];
    SlHeldRun held;
    for (int i = 1; i < MAX_RUNS; i++) {
        snprintf(dir, sizeof dir, i > 1 ? "%s/%.200s-%d" : "%s/%.200s", runs, name, i);
        sl_folder_look(dir, &held);
        if (!held.any || (strcmp(held.key, key) == 0 && held.finished <= most)) break;
    }
    return sl_arena_text(arena, dir, strlen(dir));
}

SlStatus sl_folder_check(const char *dir, const SlHeldRun *held, const char *key, SlError *err) {
    if (strcmp(held->key, key) == 0) return SL_OK;
    return sl_fail(err, SL_EINPUT, "%.200s holds a run of another setup (%s)", dir, held->what);
}

// ---- files ----

SlStatus sl_folder_clear(const char *dir, const char *const *names, SlError *err) {
    char path[SL_FOLDER_PATH];
    for (; *names; names++) {
        sl_folder_path(dir, *names, path);
        if (remove(path) != 0 && errno != ENOENT)
            return sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    return SL_OK;
}

SlStatus sl_folder_clear_store(const char *dir, SlError *err) {
    // with what SQLite leaves beside it where a process was killed
    static const char *const names[] = {SL_FOLDER_STORE, SL_FOLDER_STORE "-wal",
                                        SL_FOLDER_STORE "-shm", SL_FOLDER_STORE "-journal", NULL};
    return sl_folder_clear(dir, names, err);
}
