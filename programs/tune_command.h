// tune_command.h - inside `starling tune`: options become a job of programs, with a run directory;
// what came of it is a document of the library (starling/report/tuned_doc.h).
//
// Flow: tune_plan (what the options name; the job) -> tune_open (the run directory, records, log)
//       -> tune_run (the job) -> sl_report_tuned -> tune_write.
//
// Which options a target has is in TuneTarget. A new target is a file with one row,
// `const TuneTarget tune_NAME`, and its name in TUNE_TARGETS; how it is shown is a row of report.
#pragma once

#include "run_folder.h"
#include "starling/report/tuned_doc.h"
#include "starling/task/programs.h"

typedef enum { OPTIMUM_AUTO, OPTIMUM_ON, OPTIMUM_OFF } OptimumUse;

typedef struct {
    CommonOptions common;
    const char *evaluator; // name of a target
    int hw, profile, type, optimum;
    const char *method; // NULL = as --flock says
    const char *flock;  // bundled, file or folder, NULL = none
    const char *set, *core, *resources, *log, *transfer;
    int64_t batch, budget, bus, cores, threads, seed;
    double time; // seconds per layer, 0 = no limit
    bool iso_resource, bias, skip_first, resume;
} TuneOptions;

typedef struct TuneTarget TuneTarget;

typedef struct {
    const Call *call;
    const TuneOptions *options;
    SlArena *arena;
    const TuneTarget *target;
    SlNetwork net;
    SlJobSetup setup; // of the job
    SlLog *log;       // NULL = none
    char transfer_digest[SL_FOLDER_KEY], key[SL_FOLDER_KEY];
    const char *dir; // NULL: none
    bool reported;   // finished before: nothing to do
    int signal;      // that ended it, 0 = none
    SlTuned tuned;   // the job, and what the document says of the run
} Tune;

// --- Targets (tune_vta.c, tune_cpu.c)

// A row per kind of task that is tuned for. Functions marked * may be NULL.
struct TuneTarget {
    const SlTaskKind *kind;
    const char *idle; // options that do not apply, with blanks between them
    // Options that contradict each other: the sentence, or NULL.
    const char *(*conflict)(const TuneOptions *options);
    // What the job (tune->setup) gets of them; `n` distinct layers.
    SlStatus (*plan)(Tune *tune, int n, SlError *err);
    // *After the run: what is measured beside it.
    void (*finish)(Tune *tune);
};

#define TUNE_TARGETS(ROW) ROW(vta) ROW(cpu)
const TuneTarget *tune_target_find(const char *name, SlError *err); // NULL if there is none

// --- What is to be done (tune_plan.c)

SlStatus tune_plan(const char *workload, Tune *tune, SlError *err);

// --- The run directory (tune_folder.c)

// Choose and make it; open the log.
SlStatus tune_open(Tune *tune, const char *workload, SlError *err);
SlStatus tune_write(const Tune *tune, const SlDoc *doc, SlError *err);
void tune_add_files(const Tune *tune, SlDoc *doc); // which there are, for people

// --- The run (tune_run.c)

SlStatus tune_run(Tune *tune, SlError *err);
void tune_free(Tune *tune);
