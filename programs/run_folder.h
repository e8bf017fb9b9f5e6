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

// The folder that a call writes to, made if missing: that of --out, else the one that run_choose
// gives. NULL where another program reads what is printed and no files are asked for.
SlStatus run_open(const Call *call, const char *name, const char *key, int64_t most,
                  const char **dir, SlError *err);

// The document as JSON in DIR/NAME.
SlStatus run_write_doc(const char *dir, const char *name, const SlDoc *doc, SlError *err);

// Whether call_write_files has left what the call is to print: NAME.txt, NAME.json, NAME.html, or
// TABLE.csv. Print that file of a finished run.
bool run_has_printed(const Call *call, const char *dir, const char *name, const char *table);
int run_print_again(const Call *call, const char *dir, const char *name, const char *table);
