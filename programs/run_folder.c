// run_folder.c - run directories: which one a run takes, and what an earlier run left in it.
#include "run_folder.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define RUNS "starling-runs"
enum { MAX_RUNS = 10000, MOST_BYTES = 1 << 30 };

void run_path(const char *dir, const char *name, char out[static RUN_PATH_ROOM]) {
    snprintf(out, RUN_PATH_ROOM, "%s/%s", dir, name);
}

// ---- keys ----

void run_digest(const void *data, size_t n, char out[static RUN_KEY_ROOM]) {
    const unsigned char *bytes = data;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    snprintf(out, RUN_KEY_ROOM, "%016llx", (unsigned long long)sum);
}

void run_key(const char *more, json_t *setup, SlArena *scratch, char out[static RUN_KEY_ROOM]) {
    SlText text;
    SlError err;
    size_t mark = sl_arena_mark(scratch);
    sl_text_init(&text, scratch);
    sl_text_add(&text, "%s\n%s", SL_VERSION, more);
    if (sl_json_print(setup, &text, &err) != SL_OK || text.failed) command_no_memory();
    run_digest(text.data, text.n, out);
    sl_arena_rewind(scratch, mark);
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
static void describe(const SlNode *root, RunHeld *held) {
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
void run_look(const char *dir, RunHeld *held) {
    char path[RUN_PATH_ROOM];
    const SlNode *root;
    SlArena scratch;
    *held = (RunHeld){0};
    sl_arena_init(&scratch, 0);
    run_path(dir, "run.json", path);
    if (sl_tree_read(path, &scratch, &root, NULL) == SL_OK) {
        const SlNode *key = sl_node_get(root, "key");
        held->any = key && sl_node_copy_text(key, sizeof held->key, held->key, NULL) == SL_OK;
        held->finished = read_finished(sl_node_get(root, "finished"));
        describe(root, held);
    }
    sl_arena_free(&scratch);
}

const char *run_choose(const char *name, const char *key, int64_t most, SlArena *arena) {
    char dir[256];
    RunHeld held;
    for (int i = 1; i < MAX_RUNS; i++) {
        snprintf(dir, sizeof dir, i > 1 ? RUNS "/%.200s-%d" : RUNS "/%.200s", name, i);
        run_look(dir, &held);
        if (!held.any || (strcmp(held.key, key) == 0 && held.finished <= most)) break;
    }
    return command_need(sl_arena_text(arena, dir, strlen(dir)));
}

SlStatus run_check(const char *dir, const RunHeld *held, const char *key, SlError *err) {
    if (strcmp(held->key, key) == 0) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "%.200s holds a run of another setup (%s): give another folder by --out, remove "
                   "that one, or replace the run by --no-resume",
                   dir, held->what);
}

// ---- files ----

SlStatus run_clear(const char *dir, const char *const *names, SlError *err) {
    char path[RUN_PATH_ROOM];
    for (; *names; names++) {
        run_path(dir, *names, path);
        if (remove(path) != 0 && errno != ENOENT)
            return sl_fail_at(err, SL_EIO, path, 0, 0, "cannot be removed: %s", strerror(errno));
    }
    return SL_OK;
}

SlStatus run_clear_store(const char *dir, SlError *err) {
    // with what SQLite leaves beside it where a process was killed
    static const char *const names[] = {RUN_STORE, RUN_STORE "-wal", RUN_STORE "-shm",
                                        RUN_STORE "-journal", NULL};
    return run_clear(dir, names, err);
}

SlStatus run_write_json(const char *dir, const char *name, json_t *json, SlArena *scratch,
                        SlError *err) {
    SlText text;
    size_t mark = sl_arena_mark(scratch);
    sl_text_init(&text, scratch);
    SlStatus status = sl_json_print(json, &text, err);
    if (status == SL_OK) status = command_write(dir, name, &text, err);
    sl_arena_rewind(scratch, mark);
    return status;
}

SlStatus run_reread(const char *dir, const char *name, SlArena *scratch, SlText *out,
                    SlError *err) {
    char path[RUN_PATH_ROOM], *data;
    size_t n;
    run_path(dir, name, path);
    SlStatus status = sl_file_read(path, MOST_BYTES, scratch, &data, &n, err);
    if (status == SL_OK) sl_text_put(out, data, n);
    return status;
}
