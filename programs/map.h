// map.h - inside `starling map`: the layers of a workload mapped by a method, and the document that
// says what came of it.
//
// Flow: map_plan (find everything the options name; the job, default mappings) -> map_open (the run
// directory, what an earlier run left) -> map_run (every layer, proofs) -> map_finish (prices and
// sums) -> map_document -> map_write.
//
// What differs from evaluator to evaluator (prices, columns, words) is in MapEvaluator. A new one
// is a file with one row, `const MapEvaluator map_NAME`, and its name in MAP_EVALUATORS.
#pragma once

#include "choices.h"
#include "eval_doc.h"
#include "evaluator_options.h"
#include "run_folder.h"
#include "starling/study.h"

typedef struct {
    CommonOptions common;
    const char *accel;     // NULL = DEFAULT_ACCEL
    const char *objective; // an objective, or weights
    SpaceChoice space;
    const char *method;
    const char *set;    // options of the method, NULL = none
    const char *agents; // "all" or a number
    int64_t batch, samples, dataset, warm, seed, threads;
    double time, target; // seconds; percent above the floor; 0 = none
    int critic, illegal, start;
    const char *evaluator; // native, maestro, or a program
    EvaluatorOptions program;
    bool resume;
    const char *prove; // percent, NULL = no proof
    double prove_time; // seconds per layer, 0 = no limit
} MapOptions;

void map_options_init(MapOptions *options); // the defaults of the command line

// One distinct layer: its task in the job, and what it costs.
typedef struct {
    SlJobTask *job;
    const Priced *base; // with the default mapping, by the native model
    Priced *found;      // with the mapping found, the same; part of map->eval
    const SlCost *cost; // what is shown of it: that, or the evaluator's own
    // of the goal, by the evaluator; NAN = not known
    double value, floor;
    double base_value; // of the default mapping
    double gain;       // how many times smaller than that, or than the first sample
    void *own;         // what else the evaluator says of the mapping found
} MapLayer;

typedef struct MapEvaluator MapEvaluator;

typedef struct {
    const MapOptions *options;
    SlArena *arena;
    const MapEvaluator *evaluator;
    void *state;       // of the evaluator, first its options for the job; NULL = none
    Evaluation eval;   // the workload with the mappings found, by the native model
    Evaluation base;   // the same with default mappings
    SlText accel_text; // the accelerator's file
    EvalOptions shown;
    SlGoal goal;
    const SlMethod *method;
    void *method_options;
    SlConstraints constraints; // n_rules = 0: none
    int n_agents;              // at most per layer, 0 = one per parameter
    int64_t samples;           // per layer, 0 = no limit
    bool prove, exact;         // exact: nothing but proofs
    double epsilon;            // gap to prove
    SlJob *job;
    int n_layers;
    MapLayer *layers; // (n_layers), distinct
    // of the whole network, by the evaluator: sums, and the goal (NAN where a sum says nothing)
    SlNetworkCost sums;
    double value, base_value;
    const SlNetworkCost *totals;   // of the costs that are shown: those, or the native model's
    char key[SL_FOLDER_KEY];       // of everything that decides the result
    const char *dir;               // run directory, NULL = none
    char (*names)[FILE_NAME_ROOM]; // (net.n_layers) of the files of a layer in it
    int n_resumed, n_proofs_resumed;
    int signal; // that asked for an end, 0 = none
    double seconds, proof_seconds;
} Map;

// --- Evaluators (map_native.c, map_maestro.c, map_process.c)

// A row per kind of task that prices mappings. Functions marked * may be NULL.
struct MapEvaluator {
    const SlTaskKind *kind;
    int64_t samples;   // per layer, unless they are given
    bool alone;        // evaluates on threads or processes of its own
    const char *costs; // heading of what it says of costs; NULL = those of the native model
    SlGoal floor;      // of which multiples of the floor are shown; no weights = the goal
    const char *key;   // before its name in the key of a run; NULL = it is not in there
    const char *note;  // last line of a page
    // In the table of layers, behind the shape; one without key and label is that of the goal.
    int n_columns;
    const SlColumn *columns;
    const char *legend; // what they mean
    // Of layers.csv, behind those of eval.
    int n_csv;
    const SlColumn *csv;

    SlStatus (*plan)(Map *map, SlError *err); // *read the options into map->state
    SlStatus (*open)(Map *map, SlError *err); // *once there is a run directory
    void (*close)(Map *map);                  // *
    // *Further files in the run directory, of layer `i` of the network.
    SlStatus (*write)(const Map *map, const MapLayer *layer, int i, SlError *err);

    // Set what the layer's mapping is worth; the native prices are there.
    void (*price)(const Map *map, MapLayer *layer);
    SlNetworkCost (*sums)(const Map *map); // *NULL = those of the native model
    // The sentence of an error: no sample of the layer has a value.
    SlStatus (*fail)(const Map *map, const MapLayer *layer, SlError *err);

    void (*describe)(const Map *map, SlText *out);  // *among the settings
    void (*add_values)(const Map *map, SlDoc *doc); // *before all other results
    void (*add_facts)(const Map *map, SlDoc *doc);  // *of the only layer
    // *A group of a layer, and of the sums.
    void (*add_numbers)(const MapLayer *layer, SlDoc *doc);
    void (*add_totals)(const Map *map, SlDoc *doc);
};

// The last one takes every name that is not that of an evaluator: a command.
#define MAP_EVALUATORS(ROW) ROW(native) ROW(maestro) ROW(process)

// Of evaluators that leave costs to the native model.
enum { MAP_SAMPLES = 2000, N_NATIVE_COLUMNS = 9 };
extern const SlColumn map_native_columns[N_NATIVE_COLUMNS];
extern const char map_native_legend[];
void map_add_native_facts(const Map *map, SlDoc *doc);

// --- What is to be done (map_plan.c, map_method.c)

// Find what the options name, build the spaces and the default mappings. SL_EINPUT with the
// violated inequality where a layer cannot run at all.
SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err);
// With --prove: why no layer can have a proof; NULL if one can.
const char *map_uncovered(const Map *map);
void map_free(Map *map); // arenas of the layers

// The method and its options, agents, the warm start, what is to be proven.
SlStatus map_search(const MapOptions *options, SlArena *arena, Map *map, SlError *err);

// --- The run (map_run.c)

// Map every layer that is not resumed, and prove what is to be proven. Ctrl-C and SIGTERM end it
// early with the best so far.
SlStatus map_run(Map *map, SlError *err);
// Price and sum up what was found. SL_EINPUT if a layer has no mapping that fits.
SlStatus map_finish(Map *map, SlError *err);
int64_t map_samples(const Map *map); // of all layers, without dataset and warm start

// --- The run directory (map_folder.c, map_certificates.c)

// The folder of the run: that of --out, else a new one or that of the same run under
// starling-runs/; none where the output is for another program. Made, and marked as this run's;
// finished layers of the same run are taken over.
SlStatus map_open(Map *map, const char *workload, SlError *err);
void map_layers_csv(const Map *map, SlText *out); // a row per layer of the network
SlStatus map_write(const Map *map, const SlDoc *doc, SlError *err);

bool certificate_exists(const Map *map, const MapLayer *layer);
SlStatus certificate_write(const Map *map, const MapLayer *layer, const SlProveSetup *setup,
                           SlError *err);
// Remove certificates that an earlier run left and that belong to no layer of this one; nothing
// where this one was interrupted or proves nothing.
SlStatus certificates_clear(const Map *map, SlError *err);
// What `starling verify` compares: the file of a layer, null without a bound; the machine as
// certificates say it; the lists of a space that constraints narrowed, else null.
void add_certificate(const Map *map, const MapLayer *layer, SlDoc *doc);
void add_machine(const Map *map, SlDoc *doc);
void add_lists(const Map *map, const MapLayer *layer, SlDoc *doc);

// --- What came of it (map_doc.c, map_setup.c, map_sums.c, map_proofs.c, map_curves.c)

SlDoc *map_document(const Map *map);            // docs/formats/map-json.md
void map_add_setup(const Map *map, SlDoc *doc); // what was asked for, for machines
void map_add_head(const Map *map, SlDoc *doc);  // and for people
// The sums, on cards; objectives beside what they are compared with, of a layer with facts.
void map_add_totals(const Map *map, SlDoc *doc);
void map_add_objectives(const Map *map, SlDoc *doc);
// Members "lower_bound", "gap", "proof" and "certificate" of a layer.
void map_add_proof(const Map *map, const MapLayer *layer, SlDoc *doc);

// What is proven: the largest gap on a card, sentences, a table, a cell in that of the layers.
void map_add_gap_card(const Map *map, SlDoc *doc);
void map_add_proven(const Map *map, SlDoc *doc);
void map_add_proof_table(const Map *map, SlDoc *doc);
void map_add_proof_cell(const Map *map, const MapLayer *layer, SlDoc *doc);

// How it was approached: a line, a picture, a cell in the table of layers.
void map_add_curve(const Map *map, SlDoc *doc);
void map_add_curve_figure(const Map *map, SlDoc *doc);
void map_add_spark(const MapLayer *layer, SlDoc *doc);
