// map.h - inside `starling map`: the options, the run directory, and what people see of a job that
// maps a network (starling/job/mapped.h).
//
// Flow: map_plan (find everything the options name, open the job) -> map_open (the run directory,
// what an earlier run left) -> map_run (every layer, proofs, prices) -> sl_report_mapped ->
// map_write.
#pragma once

#include "choices.h"
#include "eval.h"
#include "evaluator_options.h"
#include "run_folder.h"
#include "starling/job/variants.h"
#include "starling/report/mapped_doc.h"
#include "starling/study.h"

typedef struct {
    CommonOptions common;
    const char *accel;     // NULL = DEFAULT_ACCEL
    const char *objective; // an objective, or weights; NULL = edp, of a program latency
    SpaceChoice space;
    const char *method;     // NULL = as --flock says
    const char *flock;      // bundled, file or folder, "none", NULL = the bundled one that suits
    const char *set;        // options of the method, NULL = none
    const char *agents;     // "all" or a number
    const char *threshold;  // a height or percent, NULL = none
    const char *policy;     // of the dataset
    const char *assignment; // file or folder, NULL = none
    int64_t batch, samples, dataset, warm, seed, threads;
    double time, target; // seconds; percent above the floor; 0 = none
    int critic, illegal, start;
    const char *evaluator; // native, maestro, or a program
    EvaluatorOptions program;
    bool resume;
    const char *prove;                 // percent, NULL = no proof
    double prove_time;                 // seconds per layer, 0 = no limit
    const char *compare, *sensitivity; // "all" or a number of layers, NULL = not asked for
    WorkloadOptions graph;
} MapOptions;

typedef struct {
    const MapOptions *options;
    SlArena *arena;
    SlMapped mapped;
    const SlMethod *method;        // also `exact`, which the job does not know
    SlConstraints constraints;     // n_rules = 0: none
    SlText accel_text;             // the accelerator's file
    SlGroups groups;               // of --assignment
    SlProcessOptions process;      // a program of the user's that evaluates
    SlLog *log;                    // of its replies, NULL = none
    SlVariants compared, varied;   // --compare, --sensitivity
    char key[SL_FOLDER_KEY];       // of everything that decides the result
    const char *dir;               // run directory, NULL = none
    char (*names)[FILE_NAME_ROOM]; // (net.n_layers) of the files of a layer in it
    int n_resumed, n_proofs_resumed;
    int signal; // that asked for an end, 0 = none
    double seconds, proof_seconds;
} Map;

// --- What is to be done (map_plan.c, map_method.c)

// Find what the options name, build the spaces and the default mappings. SL_EINPUT with the
// violated inequality where a layer cannot run at all.
SlStatus map_plan(const MapOptions *options, const char *workload, SlArena *arena, Map *map,
                  SlError *err);
void map_free(Map *map);

// The method and its options, agents, the warm start, what is to be proven.
SlStatus map_search(const MapOptions *options, SlArena *arena, Map *map, SlError *err);

// --- Agents (map_agents.c)

// --agents, --threshold, --dataset, --assign-policy, --assignment; then, once the layers are known,
// whether they suit them.
bool map_agents_asked(const MapOptions *options);
SlStatus map_agents_read(const MapOptions *options, Map *map, SlError *err);
SlStatus map_agents_check(const Map *map, SlError *err);

// --- Who evaluates (map_evaluator.c)

SlStatus map_evaluator_find(Map *map, SlError *err);
SlStatus map_evaluator_log(Map *map, SlError *err); // once there is a run directory
// The sentence of an error: no sample of the layer has a value.
SlStatus map_evaluator_fail(const Map *map, const SlMappedLayer *layer, SlError *err);
// Layer i of the network as a file of MAESTRO's, where that evaluated.
SlStatus map_maestro_write(const Map *map, int i, SlError *err);

// --- The run (map_run.c)

// Map every layer that is not resumed, prove what is to be proven, and sum up. Ctrl-C and SIGTERM
// end it early with the best so far. SL_EINPUT if a layer has no mapping that fits.
SlStatus map_run(Map *map, SlError *err);

// --- What else could be (map_variants.c)

// --compare and --sensitivity: whether they can be had.
SlStatus map_variants_check(const Map *map, SlError *err);
// Run them, after the layers are mapped. The watch is that of the run; once it wanted an end,
// nothing is tried.
SlStatus map_variants_run(Map *map, SlPool *pool, SlWatch *watch, void *context, SlError *err);

// --- The run directory (map_folder.c, map_certificates.c)

// The folder of the run: that of --out, else a new one or that of the same run under
// starling-runs/; none where the output is for another program. Made, and marked as this run's;
// finished layers of the same run are taken over.
SlStatus map_open(Map *map, const char *workload, SlError *err);
void map_layers_csv(const Map *map, SlText *out); // a row per layer of the network
SlStatus map_write(const Map *map, const SlDoc *doc, SlError *err);

void certificates_name(Map *map); // the file of every layer
bool certificate_exists(const Map *map, const SlMappedLayer *layer);
SlStatus certificate_write(const Map *map, const SlMappedLayer *layer, const SlProveSetup *setup,
                           SlError *err);
// Remove certificates that an earlier run left and that belong to no layer of this one; nothing
// where this one was interrupted or proves nothing.
SlStatus certificates_clear(const Map *map, SlError *err);
