// eval.h - inside `starling eval`: a workload priced on an accelerator, and its document.
//
// Flow: evaluation_make or evaluation_read_run -> evaluation_document -> the files and forms of
// command.h. Beside it: eval_export, eval_witness, eval_maestro; many nests: eval_batch.
#pragma once

#include "command.h"
#include "starling/network.h"

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
} EvalOptions;

#define DEFAULT_ACCEL "eyeriss"

// One layer with its mapping, priced.
typedef struct {
    SlLayer layer;
    SlMapping mapping;
    bool repaired; // --repair changed it
    SlFit fit;
    SlCost cost;
    SlFloor floor;
    SlBreakdown parts;
    SlStatus status; // of making the mapping, with `err`
    SlError err;
} Priced;

typedef struct {
    const EvalOptions *options;
    SlArena *arena;
    SlNetwork net;
    SlAccel accel;
    int n_distinct;
    const Priced **layers;    // (net.n_layers); equal layers share one
    const char *run;          // run directory that the mappings come from, NULL = none
    const char *mapping_from; // "default", "given", "repaired", or "run" of `starling map`
    SlNetworkCost totals;     // over all layers
} Evaluation;

// Find everything that the options name, map (unless a mapping is given) and price every layer.
// `machine` stands for --accel, NULL = that.
SlStatus evaluation_make(const EvalOptions *options, const char *selector, const SlAccel *machine,
                         SlArena *arena, Evaluation *eval, SlError *err);

// The same from a run directory of `starling map`: DIR or DIR:LAYER. run_find says whether a word
// is one. The accelerator is the run's unless the options name another.
typedef struct {
    const char *dir, *layer; // NULL = every layer
} RunName;
bool run_find(const char *word, SlArena *arena, RunName *run);
SlStatus evaluation_read_run(const EvalOptions *options, const RunName *name, SlArena *arena,
                             Evaluation *eval, SlError *err);

// The steps of it, for mappings that come from elsewhere: an entry (n_distinct) per distinct layer
// of eval->net, of which eval->layers then points to one for each layer; the default mapping of
// each, priced, on several threads; the price of a mapping; the sums once all are priced.
Priced *evaluation_gather(Evaluation *eval);
SlStatus evaluation_map_default(Evaluation *eval, Priced *priced, SlError *err);
void priced_eval(const SlAccel *accel, Priced *priced);
void evaluation_sum(Evaluation *eval);

// The mapping in a file: nest text, YAML of ours or of Timeloop, or a .m file of MAESTRO.
SlStatus mapping_read(const Evaluation *eval, const char *word, Priced *priced, SlError *err);

// Is CSV asked for, by --csv or --form csv?
bool eval_is_csv(const Call *call);

// Print the mapping of the one layer as --export says. Returns the exit code.
int eval_export(const Call *call, const Evaluation *eval);

// Execute the mapping of every layer as a C program and compare its counts with the model's, or
// write the program of the one layer, as --witness and --witness-source say. Returns the exit code.
int eval_witness(const Call *call, const Evaluation *eval);

// Names and titles come from files and go to terminals.
void evaluation_clean_names(Evaluation *eval);

// "resnet18 on eyeriss", "resnet18:conv2_1 on eyeriss"; returns `out`.
enum { EVALUATION_TITLE_ROOM = 224 };
const char *evaluation_title(const Evaluation *eval, char out[static EVALUATION_TITLE_ROOM]);

// How far a priced layer is from the floor, and how busy the MACs are; NAN for a mapping that does
// not fit, which may use more hardware than there is.
double priced_multiple(const Priced *priced, SlObjective objective);
double priced_utilisation(const Priced *priced);

// A layer as it is without --batch, for tables that name the batch above.
SlLayer evaluation_single(const Evaluation *eval, const SlLayer *layer);
double evaluation_seconds(const Evaluation *eval, double cycles);
int evaluation_code(const Evaluation *eval); // CODE_DONE or CODE_UNFIT

// Everything about it: a layer in full, a network with a line per layer
// (docs/formats/eval-json.md, docs/formats/eval-csv.md). Then the parts that only people see.
SlDoc *evaluation_document(const Evaluation *eval);
void add_layer_parts(SlDoc *doc, const Evaluation *eval); // buffers, traffic, time, energy, floors
void add_network_words(SlDoc *doc, const Evaluation *eval); // which layers matter, what binds them

// Names of a file per layer (net.n_layers), all different, without an ending; in the arena.
char (*evaluation_file_names(const Evaluation *eval))[FILE_NAME_ROOM];

// mappings/LAYER.yaml into the folder `run`.
SlStatus evaluation_write_mappings(const Evaluation *eval, const char *run, SlError *err);

// Count (and with --accel price) every nest of a CSV file; prints CSV. Returns the exit code.
int eval_batch(const Call *call);
