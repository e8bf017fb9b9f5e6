// dcoc.h - inside learn: what `dcoc` and its relatives are made of.
#pragma once

#include "confidence.h"
#include "mappo.h"
#include "starling/learn.h"
#include "starling/task/trees.h"

// Which walked points are measured.
typedef enum {
    SL_PICK_CONFIDENCE, // Confidence Sampling
    SL_PICK_UNIFORM,    // any
    SL_PICK_TOP,        // those that the cost model thinks best
    SL_N_PICKS
} SlPick;
extern const char *const sl_pick_names[SL_N_PICKS + 1];

// Whose word counts as confidence.
typedef enum {
    SL_TRUST_CRITIC, // the value network
    SL_TRUST_MODEL,  // the cost model
    SL_TRUST_BOTH,
    SL_TRUST_SPREAD, // the cost model, less what models taught without parts of the data differ by
    SL_N_TRUSTS
} SlTrust;
extern const char *const sl_trust_names[SL_N_TRUSTS + 1];

typedef struct {
    int64_t batch, most, first; // measurements of a round; after rounds without success; of the
                                // first one
    int64_t walkers, steps, rollouts;
    int agents;   // 0 three, 1 a single one
    int critic;   // SlMappoCritic
    int pick;     // SlPick
    int trust;    // SlTrust
    double doubt; // deviations of these models taken off a score
    double sure;  // share of a batch that is the model's best, before anything is sampled
    int synthesis, threshold;
    double temperature; // of the softmax, 0 = the deviation of the values
    int sight;          // SlTreeSight
    int prior;          // 0 none, 1 draft
    bool check;         // leave out points that fail the free check
    bool transfer;
    double elite;    // share of walks that begin at one of the best points so far
    bool neighbours; // what lies beside the best points is a candidate too
    int64_t scan;    // points that the draft looks at before the first walk
    int64_t draws;   // random points of which the best begins a walk
    double explore;  // share of a batch that is drawn at random
    int64_t hidden, epochs, minibatch;
    double rate, gamma, lambda, clip, entropy, most_norm;
} SlDcocOptions;

extern const SlOption sl_dcoc_options[], sl_dcoc_paper_options[];
extern const SlMethod sl_method_dcoc, sl_method_dcoc_paper, sl_method_chameleon;
