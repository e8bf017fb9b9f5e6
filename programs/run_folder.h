// run_folder.h - run directories: which one a run takes, and what an earlier run left in it.
//
// Flow: run_key -> run_choose (unless --out names one) -> run_lock -> run_look -> run_check, or
//       run_clear to start afresh -> run_write_json("run.json") first and, with "finished", last.
#pragma once

#include "command.h"

enum { RUN_PATH_ROOM = 4352, RUN_KEY_ROOM = 17 };
#define RUN_STORE "records.db" // records of finished layers (docs/formats/store.md)

void run_path(const char *dir, const char *name, char out[static RUN_PATH_ROOM]); // DIR/NAME

// A hash of 64 bits (FNV-1a) as 16 digits.
void run_digest(const void *data, size_t n, char out[static RUN_KEY_ROOM]);
// The key of a run: the digest of the program's version, of `more` (what else decides the result,
// may be "") and of the setup. Takes the reference.
void run_key(const char *more, struct json_t *setup, SlArena *scratch,
             char out[static RUN_KEY_ROOM]);

// What run.json of a folder says.
typedef struct {
    bool any; // there is a run
    char key[RUN_KEY_ROOM];
    int64_t finished; // its "finished": a number, or 1 for true; 0 = it is not
    char what[256];   // "map: workload mlp, accel eyeriss, objective latency, seed 1"
} RunHeld;
void run_look(const char *dir, RunHeld *held);

// starling-runs/NAME, or NAME-2, NAME-3 ... where that holds another run, or the same one but
// finished beyond `most`: nothing is overwritten, and the same command finds its own again.
const char *run_choose(const char *name, const char *key, int64_t most, SlArena *arena);

// SL_EINPUT, with what is there, if the run there is another one.
SlStatus run_check(const char *dir, const RunHeld *held, const char *key, SlError *err);

// Keep other processes out of the folder until this one ends (run_lock.c). SL_EINPUT if one works
// there; `alone` is false where the file system has no locks.
SlStatus run_lock(const char *dir, bool *alone, SlError *err);

// Remove the half-written files (NAME.PID-N.tmp) of killed runs from `folders` of `dir` ("." is
// itself; ends with NULL). Only for who is alone in it.
void run_sweep(const char *dir, const char *const *folders);
// Remove the results of another run, files of the kinds that runs write, from `folders` of `dir`.
void run_empty(const char *dir, const char *const *folders);

// Remove the files `names` (ends with NULL): those of an earlier run would belie a fresh one.
SlStatus run_clear(const char *dir, const char *const *names, SlError *err);

// The same for the store of records.
SlStatus run_clear_store(const char *dir, SlError *err);

// Write DIR/NAME; takes the reference. Read it back as it was printed.
SlStatus run_write_json(const char *dir, const char *name, struct json_t *json, SlArena *scratch,
                        SlError *err);
SlStatus run_reread(const char *dir, const char *name, SlArena *scratch, SlText *out, SlError *err);
