// eval.h - inside `starling eval`: a workload priced on an accelerator, and its document.
//
// Flow: evaluation_make or evaluation_read_run -> sl_report_evaluation -> the files and forms of
// command.h. Beside it: eval_export, eval_witness, eval_maestro; many nests: eval_batch.
#pragma once

#include "command.h"
#include "starling/report/evaluation_doc.h"
#include "workload_options.h"

enum { MODEL_NATIVE, MODEL_MAESTRO };
enum { EXPORT_NONE, EXPORT_MAESTRO, EXPORT_TIMELOOP };

// MAESTRO's hardware as given on the command line; 0 = not given.
typedef struct {
    const char *hw_file;
    int64_t num_pes, simd_lanes, noc_bw, noc_hops, noc_hop_latency, offchip_bw, l1_size, l2_size;
} MaestroOptions;

typedef struct {
    CommonOptions common;
    const char *accel;   // NULL = DEFAULT_ACCEL
    const char *mapping; // nest text or file, NULL = default mappings
    const char *nests;   // CSV of many nests, NULL = none
    int64_t batch, threads;
    int objective, model, export;
    bool csv, repair, witness;
    const char *witness_source; // file for the C program, NULL = none
    MaestroOptions maestro;
    WorkloadOptions graph;
} EvalOptions;

#define DEFAULT_ACCEL "eyeriss"

// Find everything that the options name, map (unless a mapping is given) and price every layer.
// `machine` stands for --accel, NULL = that.
SlStatus evaluation_make(const EvalOptions *options, const char *selector, const SlAccel *machine,
                         SlArena *arena, SlEvaluation *eval, SlError *err);

// SL_EINPUT unless the network that `word` names has one layer, which --mapping maps.
SlStatus evaluation_need_one(const SlNetwork *net, const char *word, SlError *err);

// The same from a run directory of `starling map`: DIR or DIR:LAYER. run_find says whether a word
// is one. The accelerator is the run's unless the options name another.
typedef struct {
    const char *dir, *layer; // NULL = every layer
} RunName;
bool run_find(const char *word, SlArena *arena, RunName *run);
SlStatus evaluation_read_run(const EvalOptions *options, const RunName *name, SlArena *arena,
                             SlEvaluation *eval, SlError *err);

// The default mapping of every distinct layer of eval->net, priced on several threads.
SlStatus evaluation_map_default(const SlEvaluation *eval, int64_t threads, SlPriced *priced,
                                SlError *err);
SlPriced *evaluation_gather(SlEvaluation *eval); // exits without memory

// Is CSV asked for, by --csv or --form csv?
bool eval_is_csv(const Call *call);

// Print the mapping of the one layer as --export says. Returns the exit code.
int eval_export(const Call *call, const SlEvaluation *eval);

// --model maestro: the layers of a .m file, or a workload of ours as one, in MAESTRO's model, and
// beside them the exact counts. Returns the exit code.
int eval_maestro(const Call *call, const char *word);
// Options that cannot go together with it, or only with it; the reason in `out`, or NULL.
enum { CONFLICT_ROOM = 160 };
const char *maestro_conflict(const Call *call, const char *word, char out[static CONFLICT_ROOM]);

// Execute the mapping of every layer as a C program and compare its counts with the model's, or
// write the program of the one layer, as --witness and --witness-source say. Returns the exit code.
int eval_witness(const Call *call, const SlEvaluation *eval);

// Names and titles come from files and go to terminals.
void evaluation_clean_names(SlEvaluation *eval);

int evaluation_code(const SlEvaluation *eval); // CODE_DONE or CODE_UNFIT

// Names of a file per layer (net.n_layers), all different, without an ending; in the arena.
char (*evaluation_file_names(const SlEvaluation *eval))[FILE_NAME_ROOM];

// mappings/LAYER.yaml into the folder `run`.
SlStatus evaluation_write_mappings(const SlEvaluation *eval, const char *run, SlError *err);

// Count (and with --accel price) every nest of a CSV file; prints CSV. Returns the exit code.
int eval_batch(const Call *call);
