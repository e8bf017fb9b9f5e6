// run_folder.c - run directories of the program: where they lie, run.json, and what helps.
#include "run_folder.h"

#include <string.h>

enum { MOST_BYTES = 1 << 30 };

static void need_json(const SlDoc *doc, SlText *out) {
    SlError err;
    if (sl_doc_write(doc, SL_FORM_JSON, out, &err) != SL_OK || out->failed) call_no_memory();
}

// what stands behind the schema and the version, each a line of its own
static const char *members_of(const SlText *json) {
    const char *at = json->data;
    for (int line = 0; line < 3; line++) at = strchr(at, '\n') + 1;
    return at;
}

void run_doc_key(const char *more, const SlDoc *setup, char out[static SL_FOLDER_KEY]) {
    SlArena arena;
    SlText text, json;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_text_init(&json, &arena);
    need_json(setup, &json);
    // the members alone: another version of the document is not another run
    sl_text_add(&text, "%s\n%s{\n%s", SL_VERSION, more, members_of(&json));
    if (text.failed) call_no_memory();
    sl_folder_digest(text.data, text.n, out);
    sl_arena_free(&arena);
}

const char *run_choose(const char *name, const char *key, int64_t most, SlArena *arena) {
    return call_need((void *)sl_folder_choose("starling-runs", name, key, most, arena));
}

SlStatus run_lock(const char *dir, bool *alone, SlError *err) {
    SlError inside;
    SlStatus status = sl_folder_lock(dir, alone, &inside);
    if (status == SL_EINPUT)
        return sl_fail(err, status, "%s: wait until it ends, or choose another folder by --out",
                       inside.text);
    if (status != SL_OK) *err = inside;
    return status;
}

SlStatus run_check(const char *dir, const SlHeldRun *held, const char *key, SlError *err) {
    SlError inside;
    SlStatus status = sl_folder_check(dir, held, key, &inside);
    if (status == SL_OK) return SL_OK;
    return sl_fail(err, status,
                   "%s: give another folder by --out, remove that one, or replace the run by "
                   "--no-resume",
                   inside.text);
}

SlStatus run_write_doc(const char *dir, const char *name, const SlDoc *doc, SlError *err) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    need_json(doc, &text);
    SlStatus status = folder_write(dir, name, &text, err);
    sl_arena_free(&arena);
    return status;
}

SlStatus run_reread(const char *dir, const char *name, SlArena *scratch, SlText *out,
                    SlError *err) {
    char path[SL_FOLDER_PATH], *data;
    size_t n;
    sl_folder_path(dir, name, path);
    SlStatus status = sl_file_read(path, MOST_BYTES, scratch, &data, &n, err);
    if (status == SL_OK) sl_text_put(out, data, n);
    return status;
}

const char *run_file(SlForm form, const char *name, const char *table, SlArena *arena) {
    SlText file;
    sl_text_init(&file, arena);
    switch (form) {
    case SL_FORM_TEXT:
        sl_text_add(&file, "%s.txt", name);
        break;
    case SL_FORM_JSON:
        sl_text_add(&file, "%s.json", name);
        break;
    case SL_FORM_HTML:
        sl_text_add(&file, "%s.html", name);
        break;
    case SL_FORM_CSV:
        sl_text_add(&file, "%s.csv", table);
        break;
    default:
        return NULL;
    }
    if (file.failed) call_no_memory();
    return file.data;
}
