// evaluation.h - a network whose layers have mappings, priced on a machine.
//
// Flow: fill `arena`, `net`, `accel`, `batch`, `objective` -> sl_evaluation_gather: an entry per
//       distinct layer -> sl_evaluation_default, or mappings from elsewhere and sl_priced_eval
//       -> sl_evaluation_sum -> the fields; as a document: starling/report.h.
#pragma once

#include "starling/network.h"

SL_API_BEGIN

// One layer with its mapping, priced.
typedef struct {
    SlLayer layer;
    SlMapping mapping;
    bool repaired; // it did not fit as it was given
    SlFit fit;
    SlCost cost;
    SlFloor floor;
    SlBreakdown parts;
    SlStatus status; // of making the mapping, with `err`
    SlError err;
} SlPriced;

typedef struct {
    SlArena *arena;
    SlNetwork net; // batch included
    SlAccel accel;
    int64_t batch;         // images at once
    SlObjective objective; // that floors are shown of
    int n_distinct;
    const SlPriced **layers;  // (net.n_layers); equal layers share one
    const char *run;          // run directory that the mappings come from, NULL = none
    const char *mapping_from; // "default", "given", "repaired", or "run" of `starling map`
    SlNetworkCost totals;     // over all layers
} SlEvaluation;

// An entry (n_distinct) per distinct layer, in order of their first; eval->layers then points to
// one of them for each layer. NULL without memory.
SlPriced *sl_evaluation_gather(SlEvaluation *eval);

// The default mapping of every entry, priced on the threads of the pool (NULL = on this one).
// SL_EINPUT: one does not fit.
SlStatus sl_evaluation_default(const SlEvaluation *eval, SlPool *pool, SlPriced *priced,
                               SlError *err);

// Fit, cost, floor and parts of the entry's mapping, which has as many levels as the machine.
void sl_priced_eval(const SlAccel *accel, SlPriced *priced);

void sl_evaluation_sum(SlEvaluation *eval); // the totals, once all are priced

// How far a priced layer is from the floor, and how busy the MACs are; NAN for a mapping that does
// not fit, which may use more hardware than there is.
double sl_priced_multiple(const SlPriced *priced, SlObjective objective);
double sl_priced_utilisation(const SlPriced *priced);

// A layer as it is for one image, for tables that name the batch above.
SlLayer sl_evaluation_single(const SlEvaluation *eval, const SlLayer *layer);
double sl_evaluation_seconds(const SlEvaluation *eval, double cycles);

// "resnet18 on eyeriss", "resnet18:conv2_1 on eyeriss"; returns `out`.
enum { SL_EVALUATION_TITLE = 416 };
const char *sl_evaluation_title(const SlEvaluation *eval,
                                char out[SL_AT_LEAST(SL_EVALUATION_TITLE)]);

SL_API_END
