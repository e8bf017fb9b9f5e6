// tune_help.h - tuning tasks and runs for the tests of the room.
#pragma once

#include "starling/study/tune.h"
#include "support/check.h"

// Tuners that learn little; the others have tests of their own.
enum { N_QUICK_TUNERS = 5 };
extern const char *const quick_tuners[N_QUICK_TUNERS];

// A task on VTA's usual core in the arena.
SlTuning *vta_tuning(const char *layer, SlHardware hardware, SlArena *arena);
// One that needs no compiler until it is measured.
SlTuning *cpu_tuning(const char *layer, SlArena *arena);
SlTuneSetup tune_setup(SlTuning *tuning, const char *tuner, int64_t measurements);
SlTuneRecord tune_of(const SlTuneSetup *setup, SlArena *arena); // one that must work
void assert_same_tune(const SlTuneRecord *a, const SlTuneRecord *b, int n_knobs);

// A path in a folder of this process; valid until the next call. The folder goes with
// tune_folder_remove, a teardown of the group.
const char *tune_path(const char *name);
int tune_folder_remove(void **state);
SlTuneLog *open_log(const char *path, SlArena *arena); // that must work
void write_text(const char *path, const char *text);
char *read_text(const char *path, SlArena *arena);
