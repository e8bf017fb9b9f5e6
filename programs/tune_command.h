// tune_command.h - inside `starling tune`: the layers of a workload tuned for a target, and the
// forms the result is shown in.
//
// Flow: tune_plan (what the options name; the job) -> tune_open (the run directory, records, log)
//       -> tune_run (the job) -> tune_text, tune_json -> tune_write (which adds tune_page).
#pragma once

#include "run_folder.h"
#include "starling/job.h"
#include "starling/network.h"
#include "starling/task/programs.h"

enum { TUNE_LISTING_LINES = 4000 };

typedef enum { OPTIMUM_AUTO, OPTIMUM_ON, OPTIMUM_OFF } OptimumUse;

typedef struct {
    CommonOptions common;
    const char *evaluator; // vta, cpu
    int hw, profile, type, optimum;
    const char *method, *set, *core, *resources, *log, *transfer;
    int64_t batch, budget, bus, cores, threads, seed;
    double time; // seconds per layer, 0 = no limit
    bool iso_resource, bias, skip_first, resume;
} TuneOptions;

// What a schedule comes to, in the units of people.
typedef struct {
    double value;   // cycles or seconds; INFINITY = it does not run
    double seconds; // of a call: cycles at the clock and the host's share
} TuneValue;

// One distinct layer: its task in the job, and what is shown of it.
typedef struct {
    SlJobTask *job;
    TuneValue best, untuned;
    SlVtaTask task; // vta: the best schedule, on the core found
    SlVtaSchedule schedule;
    SlVtaTime time;
    const SlVtaCore *preferred; // of a network that chose a core: what the layer alone would take,
                                // by the draft; NULL = not known
} TuneLayer;

typedef struct {
    const TuneOptions *options;
    SlArena *arena;
    SlNetwork net;
    SlJob *job;
    int n_layers;
    TuneLayer *layers; // (n_layers), distinct
    SlVtaCore given;   // --core
    SlVtaCore core;    // the same; after a search the one found
    SlVtaOptions vta;
    SlCpuOptions cpu;
    bool joint;     // the core is searched with the schedule: one layer
    bool shortlist; // the core is searched for a network
    int n_cores;
    const SlJobCore *cores; // (n_cores) that fit the budget, by draft
    const SlTaskKind *kind;
    const SlMethod *tuner;
    void *tuner_options;
    SlLog *log, *transfer; // NULL = none
    char transfer_digest[RUN_KEY_ROOM];
    SlKernelBench bench; // cpu
    double peak_gops;    // cpu: of one core, 0 = unknown
    char key[RUN_KEY_ROOM];
    const char *dir; // NULL: none
    bool reported;   // finished before: nothing to do
    int64_t replayed, measured;
    int signal; // that ended it, 0 = none
    double seconds, method_seconds, measure_seconds;
} Tune;

// --- What is to be done (tune_plan.c)

SlStatus tune_plan(const TuneOptions *options, const char *workload, Tune *tune, SlError *err);
bool tune_is_vta(const Tune *tune);
int tune_threads(const Tune *tune); // most of a program on a cpu

// --- The folder (tune_folder.c)

// Choose and make the folder; open the log.
SlStatus tune_open(Tune *tune, const char *workload, SlError *err);
SlStatus tune_reread(const Tune *tune, SlText *out, SlError *err); // what was printed before
SlStatus tune_write(const Tune *tune, const SlText *text, const SlText *json, SlError *err);
// Where a layer's program lies in it: "programs/conv2_1.vta".
enum { TUNE_FILE_ROOM = FILE_NAME_ROOM + 48 };
void tune_program_name(const Tune *tune, int layer, char out[static TUNE_FILE_ROOM]);

// --- The run (tune_run.c)

SlStatus tune_run(Tune *tune, SlError *err);
void tune_free(Tune *tune);

// --- Sums (tune_sums.c)

typedef struct {
    int n_layers;                   // of the network's, tuned
    double macs;                    // of them
    double value, seconds, untuned; // untuned: seconds; NAN = not all are known
    int64_t measurements, failures; // on all cores that were tried
} TuneSums;
void tune_sums(const Tune *tune, TuneSums *sums);
TuneValue tune_value(const Tune *tune, double value);
double tune_found(const SlRecord *record); // the best value, INFINITY = none
double tune_gops(const TuneLayer *layer, double seconds);
double tune_regret(const TuneLayer *layer);   // value / optimum - 1; NAN = not known
double tune_speed_up(const TuneLayer *layer); // over the untuned schedule; NAN = not known
bool tune_finished(const Tune *tune);         // every layer has its record

// --- What came of it (tune_report.c, tune_html.c, tune_json.c, tune_files.c)

void tune_text(const Tune *tune, SlText *out);
void tune_page(const Tune *tune, const SlText *curves, SlText *out); // HTML
struct json_t *tune_json(const Tune *tune);
void tune_setup_json(const Tune *tune, struct json_t *to);
void tune_curves(const Tune *tune, SlText *out); // SVG
// The program of a layer: instructions, or C.
void tune_program(const Tune *tune, const TuneLayer *layer, SlText *out);
