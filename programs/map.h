// map.h - inside `starling map`: the layers of a workload mapped by a method, and the forms the
// result is shown in.
//
// Flow: map_plan (find everything the options name, spaces, default mappings) -> folder_open (the
// run directory, what an earlier run left) -> map_run (agents, warm start, every layer, proofs) ->
// map_finish (prices and sums) -> add_map_report, map_json, add_map_page -> map_write_files.
#pragma once

#include "choices.h"
#include "eval.h"
#include "evaluator_options.h"
#include "run_folder.h"
#include "starling/cost/maestro.h"
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

enum { MAP_SAMPLES = 2000, PROCESS_SAMPLES = 100, PROVE_SECONDS = 10, INLINE_ROOM = 384 };

// A mapping as MAESTRO sees it: alone in its file.
typedef struct {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlMaestroCost cost;
} MaestroFound;

// One distinct layer: its task in the job, and what it costs.
typedef struct {
    SlJobTask *job;
    const Priced *base;    // with the default mapping
    Priced *found;         // with the mapping found, by the native model; part of map->eval
    SlCost cost;           // of the mapping found, by the model of --model
    MaestroFound *maestro; // of the mapping found, with --model maestro
} MapLayer;

typedef struct {
    const MapOptions *options;
    SlArena *arena;
    Evaluation eval;   // the workload with the mappings found
    Evaluation base;   // the same with default mappings
    SlText accel_text; // the accelerator's file
    EvalOptions shown;
    SlGoal goal;
    const SlTaskKind *kind;
    SlProcessOptions process; // of a program
    SlLog *log;               // of its replies, NULL = none
    const SlMethod *method;
    void *method_options;
    SlConstraints constraints; // n_rules = 0: none
    int n_agents;              // at most per layer, 0 = one per parameter
    int64_t samples;           // per layer, 0 = no limit
    bool prove, exact;         // exact: nothing but proofs
    double epsilon;            // gap to prove
    SlJob *job;
    int n_layers;
    MapLayer *layers;              // (n_layers), distinct
    char key[RUN_KEY_ROOM];        // of everything that decides the result
    const char *dir;               // run directory, NULL = none
    char (*names)[FILE_NAME_ROOM]; // (net.n_layers) of the files of a layer in it
    int n_resumed, n_proofs_resumed;
    int signal; // that asked for an end, 0 = none
    double seconds, proof_seconds;
} Map;

// Find what the options name, build the spaces and the default mappings. SL_EINPUT with the
// violated inequality where a layer cannot run at all.
SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err);
// With --prove: why no layer can have a proof; NULL if one can.
const char *map_uncovered(const Map *map);
void map_free(Map *map); // arenas of the layers

// Options of the method from its table, --set and --critic; map_search: agents, the warm start and
// what is to be proven too.
SlStatus map_method(const MapOptions *options, SlArena *arena, Map *map, SlError *err);
SlStatus map_search(const MapOptions *options, SlArena *arena, Map *map, SlError *err);

// Map every layer that is not resumed, and prove what is to be proven. Ctrl-C and SIGTERM end it
// early with the best so far.
SlStatus map_run(Map *map, SlError *err);

// Price and sum up what was found. SL_EINPUT if a layer has no mapping that fits.
SlStatus map_finish(Map *map, SlError *err);

// The mapping of a layer in the end: that of the proof where it is the better one.
const SlMapping *layer_mapping(const MapLayer *layer);
bool layer_has_bound(const MapLayer *layer);
// What the model of --model says: the floor of the goal (NAN = none), a mapping (INFINITY where
// MAESTRO's model refuses it).
double map_floor(const Map *map, const MapLayer *layer);
double layer_value(const Map *map, const MapLayer *layer, const SlMapping *mapping); // of the goal

// Values of the goal: of the whole network with the mappings found or the default ones (NAN where a
// sum says nothing), and over the floor; how many times smaller than with the default mapping. NAN
// where MAESTRO's model has no such number: of default mappings, which it need not be able to
// price.
double map_total(const Map *map, const Evaluation *eval);
double map_total_multiple(const Map *map);
double map_gain(const Map *map, const MapLayer *layer);
int64_t map_samples(const Map *map); // of all layers, without dataset and warm start

// No mappings of the layers' spaces give the whole network less; NAN where a layer has no bound, or
// a sum says nothing.
double map_total_bound(const Map *map);
double map_total_gap(const Map *map);
bool map_is_product(const Map *map); // of sums, for which that bound is not sharp

bool map_samples_differ(const Map *map); // a layer stopped before the others

// The best so far after `sample` samples, over the final best: the geometric mean over the layers.
double map_curve(const Map *map, double sample);
double layer_best_at(const MapLayer *layer, double sample); // value; INFINITY before the first
double map_longest(const Map *map);                         // most samples of a layer

// ---- MAESTRO's model (map_maestro.c) ----

bool map_is_maestro(const Map *map);

// A mapping in its model behind the strict guard: latency, energy, area and power into `cost`.
// False where it is refused.
bool maestro_find(const Map *map, const MapLayer *layer, const SlMapping *mapping,
                  MaestroFound *found, SlCost *cost);

SlNetworkCost maestro_sums(const Map *map); // over the network

void add_maestro_table(const Map *map, SlText *out); // a line per distinct layer, sums
void add_maestro_layer(const Map *map, SlText *out); // of the only layer
void add_maestro_columns(const void *context, int i, SlText *out); // of layers.csv
#define MAESTRO_COLUMNS                                                                            \
    ",maestro_cycles,maestro_energy_pj,maestro_area_um2,maestro_power_mw,maestro_l1_bytes,"        \
    "maestro_l2_bytes"
struct json_t *maestro_layer_json(const MapLayer *layer);
struct json_t *maestro_totals_json(const Map *map);
SlStatus maestro_write_files(const Map *map, SlError *err); // mappings/LAYER.m

// ---- a program of the user's (map_process.c) ----

bool map_is_process(const Map *map);
SlStatus process_find(const MapOptions *options, Map *map, SlError *err); // sets map->kind
SlStatus process_open_log(Map *map, SlError *err);
void process_close(Map *map);
double process_gain(const MapLayer *layer); // of the best over the first sample; NAN = not known
SlNetworkCost process_sums(const Map *map); // over the network, of values alone
void add_process_table(const Map *map, SlText *out);

// ---- the run directory (map_folder.c) ----

// The folder of the run: that of --out, else a new one or that of the same run under
// starling-runs/. Made, and marked as this run's; finished layers of the same run are taken over.
SlStatus folder_open(Map *map, const char *workload, SlError *err);
SlStatus certificate_write(const Map *map, const MapLayer *layer, const SlProveSetup *setup,
                           SlError *err);
bool certificate_exists(const Map *map, const MapLayer *layer);

// ---- what certificates are compared with (map_certificates.c) ----

// The certificate of a layer in the run directory, null without a bound; the lines of a certificate
// about the machine; those about the lists of a space that constraints narrowed, else null.
struct json_t *certificate_json(const Map *map, const MapLayer *layer);
struct json_t *machine_json(const Map *map);
struct json_t *lists_json(const Map *map, const MapLayer *layer);

// Remove certificates that an earlier run left and that belong to no layer of this one; nothing
// where this one was interrupted or proves nothing.
SlStatus certificates_clear(const Map *map, SlError *err);
SlStatus map_write_files(const Map *map, const SlText *report, const SlText *json, SlError *err);

// ---- forms ----

void add_map_report(const Map *map, SlText *out);  // text of at most 100 columns
void add_proof_table(const Map *map, SlText *out); // a line per distinct layer (map_proofs.c)
void add_proof_sums(const Map *map, SlText *out);
void add_proof_layer(const Map *map, SlText *out);  // of the only layer
void add_proof_counts(const Map *map, SlText *out); // "12 layers: 9 optimal, 3 within 0.5 %"
void add_proof_space(const Map *map, SlText *out);  // "native sizes, all orders"
struct json_t *map_json(const Map *map);            // docs/formats/map-json.md
struct json_t *map_setup_json(const Map *map, const char *kind);      // what was asked for alone
struct json_t *layer_curve_json(const MapLayer *layer);               // [[samples, best], ...]
void add_map_page(const Map *map, const SlText *report, SlText *out); // HTML, self-contained
