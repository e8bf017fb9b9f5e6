// grouping.h - inside `starling assign`: parameters of a layer grouped into agents, and the forms
// the grouping is shown in.
//
// Flow: grouping_make -> add_grouping_report (text), grouping_json, grouping_write_pictures (SVG).
#pragma once

#include "choices.h"
#include "starling/draw.h"
#include "starling/study.h"

typedef struct {
    CommonOptions common;
    const char *accel; // NULL = DEFAULT_ACCEL
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

// Find everything that the options name, collect the dataset, group the parameters.
SlStatus grouping_make(const AssignOptions *options, const char *selector, SlArena *arena,
                       Grouping *group, SlError *err);

void add_grouping_report(const Grouping *group, SlText *out); // at most 100 columns wide
struct json_t *grouping_json(const Grouping *group);          // docs/formats/assign-json.md

// The two pictures, for drawing as text or as SVG. Arrays live in the grouping's arena.
void grouping_heat(const Grouping *group, SlHeatMap *heat);
void grouping_tree(const Grouping *group, SlTreePlot *plot);

// matrix.svg and dendrogram.svg into the folder of --out.
SlStatus grouping_write_pictures(const Grouping *group, SlError *err);
