// run_folder.c - run directories of the program: where they lie, run.json, and what helps.
#include "run_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

SlStatus run_open(const Call *call, const char *name, const char *key, int64_t most,
                  const char **dir, SlError *err) {
    const char *out = call->common->out;
    *dir = NULL;
    if (call_form(call) != SL_FORM_TEXT && !out) return SL_OK;
    *dir = out ? out : run_choose(name, key, most, call->arena);
    return folder_make(*dir, err);
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
                   "%s: choose another folder by --out, or replace the run by --no-resume",
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

// ---- a finished run ----

// the file in which a form lies; false = there is none
static bool file_of(const Call *call, const char *dir, const char *name, const char *table,
                    char path[static SL_FOLDER_PATH]) {
    static const char *const endings[SL_N_FORMS] = {[SL_FORM_TEXT] = "txt",
                                                    [SL_FORM_JSON] = "json",
                                                    [SL_FORM_HTML] = "html",
                                                    [SL_FORM_CSV] = "csv"};
    SlForm form = call_form(call);
    char file[256];
    if (!endings[form]) return false;
    snprintf(file, sizeof file, "%.200s.%s", form == SL_FORM_CSV ? table : name, endings[form]);
    sl_folder_path(dir, file, path);
    return true;
}

bool run_has_printed(const Call *call, const char *dir, const char *name, const char *table) {
    char path[SL_FOLDER_PATH];
    return file_of(call, dir, name, table, path) && access(path, F_OK) == 0;
}

int run_print_again(const Call *call, const char *dir, const char *name, const char *table) {
    char path[SL_FOLDER_PATH], *data;
    size_t n;
    SlError err;
    file_of(call, dir, name, table, path);
    SlStatus status = sl_file_read(path, MOST_BYTES, call->arena, &data, &n, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    int code = call_print(call, data, n, CODE_DONE);
    call_note(call, "Already finished in %s (--no-resume repeats it)", dir);
    return code;
}
