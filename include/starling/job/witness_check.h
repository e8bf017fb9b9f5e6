// witness_check.h - the mappings of an evaluation executed as C programs, and every count compared
// with the model's.
//
// Flow: sl_witness_prepare (what can be executed of each layer) -> sl_witness_source, to read a
//       program; sl_witness_execute -> the pairs of counts; as a document: report/witness_doc.h.
#pragma once

#include "starling/kernel/witness.h"
#include "starling/network/evaluation.h"

SL_API_BEGIN

// One count by both ways.
typedef struct {
    char level[24], name[SL_COUNT_NAME]; // "L2" ("" = of the whole), "l1_fill_W"
    const char *tensor;                  // "W", "" = of none
    double model;
    int64_t execution;
} SlWitnessPair;

enum { SL_WITNESS_MAX_PAIRS = 2 + SL_MAX_LEVELS * SL_N_LEVEL_COUNTS };

// One distinct layer: what is executed, and what came out.
typedef struct {
    const SlPriced *priced;
    SlLayer layer; // scaled down where `trips` is above 0: the most iterations of a loop
    SlMapping mapping;
    int64_t trips;
    SlWitnessCounts execution;
    int n_pairs, n_different;
    SlWitnessPair pairs[SL_WITNESS_MAX_PAIRS]; // (n_pairs)
} SlWitnessed;

typedef struct {
    const SlEvaluation *eval;
    int n;
    SlWitnessed *layers; // (n) the distinct layers, in the network's order
    bool equal;          // every count, and every output is right
} SlWitnessCheck;

// What can be executed of every layer, in the arena of the evaluation. SL_EINPUT if nothing can be
// of one, with the reason.
SlStatus sl_witness_prepare(const SlEvaluation *eval, SlWitnessCheck *check, SlError *err);

// The program of a layer.
void sl_witness_source(const SlWitnessCheck *check, int i, SlText *source);

// Build and run the program of every layer with the system's compiler, and compare.
SlStatus sl_witness_execute(SlWitnessCheck *check, SlError *err);

bool sl_witness_same(const SlWitnessPair *pair);
bool sl_witnessed_agrees(const SlWitnessed *it); // all of its counts, and the output is right

SL_API_END
