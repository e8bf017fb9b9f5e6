// run_dir.h - run directories: which one a run takes, what an earlier run left in it, and one
// process at a time.
//
// Flow: sl_folder_digest (of what decides the result) -> sl_folder_choose (unless the caller names
// one) -> sl_folder_lock ->
//       sl_folder_look -> sl_folder_check, or sl_folder_clear to start afresh -> the caller writes
//       run.json first and, with "finished", last.
//
// run.json is a map with "key" and what tells runs apart ("workload", "accel", "seed" ...).
#pragma once

#include "starling/core.h"

SL_API_BEGIN

enum { SL_FOLDER_PATH = 4352, SL_FOLDER_KEY = 17 };
#define SL_FOLDER_STORE "records.db" // records of finished layers (docs/formats/store.md)

void sl_folder_path(const char *dir, const char *name,
                    char out[SL_AT_LEAST(SL_FOLDER_PATH)]); // DIR/NAME

// A hash of 64 bits (FNV-1a) as 16 digits.
void sl_folder_digest(const void *data, size_t n, char out[SL_AT_LEAST(SL_FOLDER_KEY)]);

// What run.json of a folder says.
typedef struct {
    bool any; // there is a run
    char key[SL_FOLDER_KEY];
    int64_t finished; // its "finished": a number, or 1 for true; 0 = it is not
    char what[256];   // "map: workload mlp, accel eyeriss, objective latency, seed 1"
} SlHeldRun;
void sl_folder_look(const char *dir, SlHeldRun *held);

// RUNS/NAME, or RUNS/NAME-2, -3 ... where that holds another run, or the same one but finished
// beyond `most`: nothing is overwritten, and the same run finds its own again. NULL without memory.
const char *sl_folder_choose(const char *runs, const char *name, const char *key, int64_t most,
                             SlArena *arena);

// SL_EINPUT, with what is there, if the run there is another one.
SlStatus sl_folder_check(const char *dir, const SlHeldRun *held, const char *key, SlError *err);

// Keep other processes out of the folder until this one ends. SL_EINPUT if one works there; `alone`
// is false where the file system has no locks.
SlStatus sl_folder_lock(const char *dir, bool *alone, SlError *err);

// Remove the half-written files (NAME.PID-N.tmp) of killed runs from `folders` of `dir` ("." is
// itself; ends with NULL). Only for who is alone in it.
void sl_folder_sweep(const char *dir, const char *const *folders);
// Remove the results of another run, files of the kinds that runs write, from `folders` of `dir`.
void sl_folder_empty(const char *dir, const char *const *folders);

// Remove the files `names` (ends with NULL): those of an earlier run would belie a fresh one. The
// same for the store of records.
SlStatus sl_folder_clear(const char *dir, const char *const *names, SlError *err);
SlStatus sl_folder_clear_store(const char *dir, SlError *err);

SL_API_END
