// run_folder_json.c - run.json and run keys of commands that are not documents yet.
#include "run_folder.h"

void run_key(const char *more, struct json_t *setup, SlArena *scratch,
             char out[static RUN_KEY_ROOM]) {
    SlText text;
    SlError err;
    size_t mark = sl_arena_mark(scratch);
    sl_text_init(&text, scratch);
    sl_text_add(&text, "%s\n%s", SL_VERSION, more);
    if (sl_json_print(setup, &text, &err) != SL_OK || text.failed) command_no_memory();
    run_digest(text.data, text.n, out);
    sl_arena_rewind(scratch, mark);
}

SlStatus run_write_json(const char *dir, const char *name, struct json_t *json, SlArena *scratch,
                        SlError *err) {
    SlText text;
    size_t mark = sl_arena_mark(scratch);
    sl_text_init(&text, scratch);
    SlStatus status = sl_json_print(json, &text, err);
    if (status == SL_OK) status = command_write(dir, name, &text, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
