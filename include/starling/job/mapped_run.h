// mapped_run.h - the run directory of `starling map` read back: its network, accelerator, mappings
// and what it says of each (docs/formats/map-json.md).
//
// Flow: sl_mapped_run_exists -> sl_mapped_run_read -> sl_mapped_run_pick (one layer of it) ->
//       sl_mapped_run_evaluate: its mappings, priced; or sl_verify_gather (job/verify.h): what is
//       proven of its results.
#pragma once

#include "starling/network/evaluation.h"
#include "starling/prove.h"

SL_API_BEGIN

// What map.json and accel.yaml say. Everything is in the arena.
typedef struct {
    const char *dir;
    const SlAccel *accel;
    SlNetwork net; // batch included
    int64_t batch;
    const char *constraints; // their name, NULL = none

    int n_results;         // distinct layers
    const char **names;    // (n_results) of the first layer that each is
    SlRunResult *results;  // (n_results)
    const SlNode **places; // (n_results) of the mappings in map.json, for errors
    int *result_of;        // (net.n_layers) the result of a layer
} SlMappedRun;

bool sl_mapped_run_exists(const char *dir); // it has a map.json

// SL_EINPUT with the place of what is not as map writes it.
SlStatus sl_mapped_run_read(const char *dir, SlArena *arena, SlMappedRun *run, SlError *err);

// Leave one layer, by its name or its number from 1. SL_EINPUT if there is none.
SlStatus sl_mapped_run_pick(SlMappedRun *run, const char *layer, SlError *err);

// The mappings priced on the machine `accel`, NULL = that of the run. SL_EINPUT with the place of a
// mapping that is none of its layer, or has other levels than the machine.
SlStatus sl_mapped_run_evaluate(const SlMappedRun *run, const SlAccel *accel, SlObjective objective,
                                SlArena *arena, SlEvaluation *eval, SlError *err);

SL_API_END
