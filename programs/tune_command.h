// tune_command.h - inside `starling tune`: the layers of a workload tuned for a target, and the
// document that says what came of it.
//
// Flow: tune_plan (what the options name; the job) -> tune_open (the run directory, records, log)
//       -> tune_run (the job) -> tune_document -> tune_write.
//
// What differs from target to target (the machine, its columns, its programs) is in TuneTarget. A
// new target is a file with one row, `const TuneTarget tune_NAME`, and its name in TUNE_TARGETS.
#pragma once

#include "run_folder.h"
#include "starling/job.h"
#include "starling/report/doc.h"
#include "starling/task/programs.h"

typedef enum { OPTIMUM_AUTO, OPTIMUM_ON, OPTIMUM_OFF } OptimumUse;

typedef struct {
    CommonOptions common;
    const char *evaluator; // name of a target
    int hw, profile, type, optimum;
    const char *method, *set, *core, *resources, *log, *transfer;
    int64_t batch, budget, bus, cores, threads, seed;
    double time; // seconds per layer, 0 = no limit
    bool iso_resource, bias, skip_first, resume;
} TuneOptions;

// What a schedule comes to.
typedef struct {
    double value;   // in the target's unit; INFINITY = it does not run
    double seconds; // of a call
} TuneValue;

// One distinct layer: its task in the job, and what is shown of it.
typedef struct {
    SlJobTask *job;
    TuneValue best, untuned;
    void *own; // what the target knows of the best schedule, NULL = nothing
} TuneLayer;

typedef struct TuneTarget TuneTarget;

typedef struct {
    const Call *call;
    const TuneOptions *options;
    SlArena *arena;
    const TuneTarget *target;
    void *machine; // the target's
    SlNetwork net;
    SlJob *job;
    int n_layers;
    TuneLayer *layers; // (n_layers), distinct
    int n_cores;
    const SlJobCore *cores; // (n_cores) candidates of a network that chooses a core, by draft
    const SlMethod *tuner;
    void *tuner_options;
    SlLog *log, *transfer; // NULL = none
    char transfer_digest[SL_FOLDER_KEY];
    char key[SL_FOLDER_KEY];
    const char *dir; // NULL: none
    bool reported;   // finished before: nothing to do
    int64_t replayed, measured;
    int signal; // that ended it, 0 = none
    double seconds, method_seconds, measure_seconds;
} Tune;

// Over all layers that were to be tuned, as often as they occur; NAN = not all are known.
typedef struct {
    int n_layers;
    double macs, value, seconds, untuned; // untuned: seconds
    int64_t measurements, failures;       // on all cores that were tried
} TuneSums;

// --- Targets (tune_vta.c, tune_cpu.c)

// A row per kind of task that is tuned for. Functions marked * may be NULL.
struct TuneTarget {
    const SlTaskKind *kind;
    const char *idle; // options that do not apply, with blanks between them
    SlUnit unit;      // of values
    const char *key;  // of values in JSON: "cycles"
    // of curves
    const char *axis;
    double axis_scale; // from values
    // in the table of layers: the value first
    int n_columns;
    const SlColumn *columns;
    const char *legend;  // what they mean
    const char *program; // what a program is: "instructions"
    const char *ending;  // of its file: ".vta"

    // Options that contradict each other: the sentence, or NULL.
    const char *(*conflict)(const TuneOptions *options);
    // Read the options into tune->machine.
    SlStatus (*plan)(Tune *tune, SlError *err);
    // What the job gets of them; `n` distinct layers.
    void (*set_job)(Tune *tune, int n, SlJobSetup *setup);
    // *After the run: what is shown beside its results.
    SlStatus (*finish)(Tune *tune, SlError *err);

    double (*seconds)(const Tune *tune, double value);
    // Of a layer's time, the share that its multiply-accumulates take at the full rate.
    double (*busy)(const Tune *tune, const TuneLayer *layer);
    void (*write_program)(const Tune *tune, const TuneLayer *layer, SlText *out);

    // The machine as found ("vta 1x16x16"), and as asked for.
    void (*name)(const Tune *tune, SlText *out);
    void (*describe)(const Tune *tune, SlText *out);
    // Members of the setup, of the row of a layer (where there is a task), of the sums.
    void (*add_setup)(const Tune *tune, SlDoc *doc);
    void (*add_layer)(const Tune *tune, const TuneLayer *layer, SlDoc *doc);
    void (*add_sums)(const Tune *tune, const TuneSums *sums, SlDoc *doc);
    // The section about the machine.
    void (*add_machine)(const Tune *tune, SlDoc *doc);
};

#define TUNE_TARGETS(ROW) ROW(vta) ROW(cpu)
const TuneTarget *tune_target_find(const char *name, SlError *err); // NULL if there is none

// --- What is to be done (tune_plan.c)

SlStatus tune_plan(const char *workload, Tune *tune, SlError *err);
bool tune_chooses_core(const Tune *tune); // one for a whole network

// --- The folder (tune_folder.c)

// Choose and make the folder; open the log.
SlStatus tune_open(Tune *tune, const char *workload, SlError *err);
SlStatus tune_write(const Tune *tune, const SlDoc *doc, SlError *err);
// Where a layer's program lies in it: "programs/conv2_1.vta".
enum { TUNE_FILE_ROOM = FILE_NAME_ROOM + 48 };
void tune_program_name(const Tune *tune, int layer, char out[static TUNE_FILE_ROOM]);

// --- The run (tune_run.c)

SlStatus tune_run(Tune *tune, SlError *err);
void tune_free(Tune *tune);

// --- Sums (tune_sums.c)

void tune_sums(const Tune *tune, TuneSums *sums);
bool tune_has_result(const TuneLayer *layer); // a schedule that runs
double tune_found(const SlRecord *record);    // the best value, INFINITY = none
double tune_gops(const TuneLayer *layer, double seconds);
double tune_regret(const TuneLayer *layer);   // value / optimum - 1; NAN = not known
double tune_speed_up(const TuneLayer *layer); // over the untuned schedule; NAN = not known
bool tune_finished(const Tune *tune);         // every layer has its record

// --- What came of it (tune_doc.c, tune_figures.c)

SlDoc *tune_document(const Tune *tune);
void tune_add_setup(const Tune *tune, SlDoc *doc); // its members
void tune_add_figures(const Tune *tune, SlDoc *doc);
