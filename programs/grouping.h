// grouping.h - inside `starling assign`: parameters of a layer grouped into agents, and what is
// shown of them.
//
// Flow: options -> Grouping -> grouping_doc.
#pragma once

#include "choices.h"
#include "starling/study.h"

typedef struct {
    CommonOptions common;
    const char *accel;
    const char *objective;
    const char *agents; // a number or "all"
    int64_t batch, samples, seed;
    double share; // percent
    SpaceChoice space;
    int policy, metric, linkage;
} AssignOptions;

extern const char *const assign_policies[3]; // "random", "local", NULL

// What Algorithm 1 made of one layer.
typedef struct {
    const AssignOptions *options;
    SlArena *arena;
    SlLayer layer;
    SlAccel accel;
    SlGoal goal;
    SlConstraints constraints; // n_rules = 0: none
    SlSpace space;
    SlAssignment found;
    SlAgents agents;
    double cut;         // height at which the tree falls into the agents; NAN = nowhere
    int *leaves;        // (n_params) in the order of the tree
    const char **names; // (n_params) of the parameters
} Grouping;

// docs/formats/assign-json.md; the figures are matrix and dendrogram.
SlDoc *grouping_doc(const Grouping *group);
