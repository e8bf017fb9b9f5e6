// tune_command.h - inside `starling tune`: the layers of a workload tuned for a target, and the
// forms the result is shown in.
//
// Flow: tune_plan (what the options name, a tuning task per distinct layer) -> tune_open (the run
//       directory, the log) -> tune_layers, or tune_cores where a network looks for a core ->
//       tune_finish (sums) -> tune_text, tune_json -> tune_write (which adds tune_page).
#pragma once

#include "run_folder.h"
#include "starling/job.h"
#include "starling/network.h"
#include "starling/task/programs.h"

enum { TUNE_REASON_ROOM = 256, TUNE_LISTING_LINES = 4000 };

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

typedef struct TuneProgress TuneProgress;
typedef struct TuneArena TuneArena;

// What a schedule comes to, in the units of people.
typedef struct {
    double value;   // cycles or seconds; INFINITY = it does not run
    double seconds; // of a call: cycles at the clock and the host's share
} TuneValue;

// One distinct layer.
typedef struct {
    int first, count; // of the network's layers that it is
    SlLayer layer;
    char reason[TUNE_REASON_ROOM]; // why it is left out; "" = it is not
    SlArena *arena;                // of its task and records
    SlTask *tuning;
    int n_history; // measurements of other tasks to learn from
    bool tuned;    // there is a record
    SlRecord record;
    TuneValue best, untuned;
    bool has_optimum;
    SlRecord optimum;
    SlVtaTask task; // vta: on the core found
    SlVtaSchedule schedule;
    SlVtaTime time;
    bool duelled;           // cpu: best and untuned are of the duel
    bool untuned_won;       // it: the best is the untuned schedule
    SlVtaCore preferred;    // of a network that looks for a core: what the layer alone would take,
    double preferred_draft; // by the draft, in cycles
} TuneLayer;

// A core that a network was tuned on, or might have been.
typedef struct {
    SlVtaCore core;
    double *drafts;    // (n_layers) cycles of a layer: the least of all schedules
    double draft;      // the sum over the network
    double cycles;     // as tuned; NAN = it was not
    TuneLayer *layers; // (n_layers) NULL = not tuned
} TuneCore;

typedef struct {
    const TuneOptions *options;
    SlArena *arena;
    SlNetwork net;
    int n_layers;
    TuneLayer *layers; // (n_layers), distinct
    SlVtaCore given;   // --core
    SlVtaCore core;    // the same; after a search the one found
    SlVtaBudget budget;
    bool joint;      // the core is searched with the schedule: one layer
    bool shortlist;  // the core is searched for a network
    int n_cores;     // that fit the budget
    TuneCore *cores; // (n_cores) by draft
    const SlTaskKind *kind;
    const SlMethod *tuner;
    void *tuner_options;
    SlLog *log, *transfer; // NULL = none
    char transfer_digest[RUN_KEY_ROOM];
    SlKernelBench bench; // cpu
    double peak_gops;    // cpu: of one core, 0 = unknown
    char key[RUN_KEY_ROOM];
    SlPool *pool;
    TuneProgress *progress;
    TuneArena *arenas; // of all layers
    const char *dir;   // NULL: none
    bool reported;     // finished before: nothing to do
    int64_t replayed, measured;
    int signal; // that ended it, 0 = none
    double seconds, method_seconds, measure_seconds;
} Tune;

// --- What is to be done (tune_plan.c)

SlStatus tune_plan(const TuneOptions *options, const char *workload, Tune *tune, SlError *err);
// The task of a layer on a core; SL_EINPUT with the reason where there is none.
SlStatus tune_task(const Tune *tune, const SlLayer *layer, const SlVtaCore *core,
                   SlHardware hardware, SlArena *arena, SlTask **tuning, SlError *err);
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

// --- The run (tune_layers.c, tune_cores.c)

SlStatus tune_run(Tune *tune, SlError *err);

// Tune layers (n_layers) side by side with at most `budget` measurements each.
SlStatus tune_layers(Tune *tune, TuneLayer *layers, int64_t budget, SlError *err);
// Choose a core for the network.
SlStatus tune_cores(Tune *tune, SlError *err);
int tune_shortlist(const Tune *tune); // cores that are tuned on, at most
// Where a layer keeps its task; given back by tune_free.
SlArena *tune_new_arena(Tune *tune);
void tune_free(Tune *tune);

// --- What people see meanwhile (tune_watch.c)

// `n_todo` runs of a tuner by `n_workers`.
TuneProgress *tune_progress_make(const Tune *tune, int n_todo, int n_workers);
// What a worker is at; an SlWatch and its context.
void *tune_progress_begin(TuneProgress *progress, int worker, const char *what, const char *layer);
bool tune_progress_watch(void *context, const SlEvent *now);
void tune_progress_end(TuneProgress *progress, int worker, bool counts);
void tune_progress_close(TuneProgress *progress);

// --- Sums (tune_sums.c)

typedef struct {
    int n_layers;                   // of the network's, tuned
    double macs;                    // of them
    double value, seconds, untuned; // untuned: seconds; NAN = not all are known
    int64_t measurements, failures; // on all cores that were tried
} TuneSums;
void tune_sums(const Tune *tune, TuneSums *sums);
// Layers (n_layers) as they are tuned: their sums of values (cycles or seconds), seconds and MACs.
SlNetworkCost tune_cost(const Tune *tune, const TuneLayer *layers);
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
