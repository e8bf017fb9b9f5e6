// mapped.h - a network mapped by a job: what was asked for, the mappings found, and what they cost
// by who evaluated them and by the native model, beside default mappings.
//
// Flow: fill `arena`, `eval` (net, accel, batch) and `setup` -> sl_mapped_open -> sl_job_set_store,
//       where records are kept -> sl_job_run -> sl_mapped_finish -> the fields; as a document:
//       starling/report/mapped_doc.h -> sl_job_close.
#pragma once

#include "starling/cost/maestro.h"
#include "starling/job/network_job.h"
#include "starling/network/evaluation.h"

SL_API_BEGIN

// A mapping as MAESTRO's model sees it: alone in its file.
typedef struct {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlMaestroCost maestro;
    SlCost cost; // latency, energy, area and power of it
} SlMappedMaestro;

// One distinct layer: its task in the job, and what it costs. Values are of the goal, by the
// evaluator; NAN = not known.
typedef struct {
    SlJobTask *task;
    const SlPriced *base; // with the default mapping, by the native model
    SlPriced *found;      // with the mapping found, the same; part of the network's `eval`
    const SlCost *cost;   // what is shown of it: that, or MAESTRO's
    double value, floor;
    double first;                   // of the first sample
    double base_value;              // of the default mapping
    double gain;                    // how many times smaller than that, or than the first sample
    const SlMappedMaestro *maestro; // kind maestro alone, else NULL
    double taught_distance; // from the nearest task that the flock was taught on, NAN = none
    double taught_share;    // of taught tasks that are farther than that from the nearest other one
    const char *certificate; // file of its proof, for documents; NULL = there is none
} SlMappedLayer;

// It stays where it is while the job is open.
typedef struct {
    // given
    SlArena *arena;
    SlEvaluation eval; // the workload; in the end with the mappings found, by the native model
    SlJobSetup setup;  // of a kind that maps; net, accel and the target are set by sl_mapped_open
    const char *evaluator; // its name or command, NULL = that of the kind
    const char *flock;     // name, file or folder of setup.flock, NULL = none
    const char *open;      // the dims of setup.space.open in words, NULL = none
    double target_percent; // above the floor, where a layer is done; 0 = none
    bool interrupted;      // the run ended early

    // after sl_mapped_open
    SlEvaluation base; // the workload with default mappings
    SlJob *job;
    int n_layers;
    SlMappedLayer *layers; // (n_layers), distinct

    // after sl_mapped_finish: of the whole network, by the evaluator
    SlNetworkCost sums;
    double value, base_value;    // NAN where a sum says nothing
    const SlNetworkCost *totals; // of the costs that are shown: those sums, or the native model's

    // given, if asked for: fixed dataflows and other machines beside it (job/variants.h)
    const struct SlVariants *compared, *sensitivity;
} SlMapped;

// Open the job and price default mappings on the threads of the pool (NULL = on this one). Errors
// are those of sl_job_open; close the job in the end, also after a failed open.
SlStatus sl_mapped_open(SlMapped *mapped, SlPool *pool, SlError *err);

// Price and sum up what was found. SL_EINPUT if a layer has no mapping; SL_ENOMEM.
SlStatus sl_mapped_finish(SlMapped *mapped, SlError *err);

int64_t sl_mapped_samples(const SlMapped *mapped); // of all layers, without dataset and warm start
// Where proofs are asked for: why no layer can have one; NULL if one can.
const char *sl_mapped_uncovered(const SlMapped *mapped);
// The distinct layer that layer i of the network is.
const SlMappedLayer *sl_mapped_layer(const SlMapped *mapped, int i);

SL_API_END
