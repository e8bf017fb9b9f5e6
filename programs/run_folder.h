// run_folder.h - run directories of the program (starling/job/run_dir.h): under starling-runs/
// unless --out names one, with run.json as a document.
//
// Flow: run_doc_key -> run_choose (unless --out names one) -> run_lock -> sl_folder_look ->
//       run_check, or sl_folder_clear to start afresh -> run_write_doc("run.json") first and, with
//       "finished", last.
#pragma once

#include "command.h"
#include "starling/job/run_dir.h"

// The key of a run: the digest of the program's version, of `more` (what else decides the result,
// may be "") and of the setup.
void run_doc_key(const char *more, const SlDoc *setup, char out[static SL_FOLDER_KEY]);

// sl_folder_choose under starling-runs/; sl_folder_lock and sl_folder_check, whose errors name the
// options that help.
const char *run_choose(const char *name, const char *key, int64_t most, SlArena *arena);
SlStatus run_lock(const char *dir, bool *alone, SlError *err);
SlStatus run_check(const char *dir, const SlHeldRun *held, const char *key, SlError *err);

// The document as JSON in DIR/NAME. Read a file back as it was printed.
SlStatus run_write_doc(const char *dir, const char *name, const SlDoc *doc, SlError *err);
SlStatus run_reread(const char *dir, const char *name, SlArena *scratch, SlText *out, SlError *err);

// The file in which call_write_files leaves a form of what was printed: NAME.txt, NAME.json,
// NAME.html, or TABLE.csv. NULL = there is none.
const char *run_file(SlForm form, const char *name, const char *table, SlArena *arena);

// ---- for commands that are not documents yet (run_folder_json.c) ----

#define RUN_PATH_ROOM SL_FOLDER_PATH
#define RUN_KEY_ROOM SL_FOLDER_KEY
#define RUN_STORE SL_FOLDER_STORE
#define RunHeld SlHeldRun
#define run_path sl_folder_path
#define run_digest sl_folder_digest
#define run_look sl_folder_look
#define run_sweep sl_folder_sweep
#define run_clear sl_folder_clear
#define run_clear_store sl_folder_clear_store

// The same as run_doc_key and run_write_doc. Both take the reference.
void run_key(const char *more, struct json_t *setup, SlArena *scratch,
             char out[static RUN_KEY_ROOM]);
SlStatus run_write_json(const char *dir, const char *name, struct json_t *json, SlArena *scratch,
                        SlError *err);
