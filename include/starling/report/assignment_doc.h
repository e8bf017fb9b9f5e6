// assignment_doc.h - parameters of a layer grouped into agents, as a document.
//
// Flow: sl_assign_run -> SlGrouping -> sl_report_assignment.
#pragma once

#include "starling/job/agents.h"
#include "starling/report/doc.h"

SL_API_BEGIN

// What Algorithm 1 made of one layer.
typedef struct {
    const SlSpace *space;           // of mappings
    const char *open, *constraints; // of it: dims opened besides, name of the rules; NULL = none
    const char *evaluator;          // who priced mappings
    SlGoal goal;
    SlAssignSetup setup;
    SlAssignment found;
    int n_agents;          // that the tree is cut into, 1..found.n
    SlThreshold threshold; // where that was asked for as a height
} SlGrouping;

// What a file of it says; texts belong to the grouping, the names of numbers to the arena. False
// without memory.
bool sl_grouping_groups(const SlGrouping *grouping, SlArena *arena, SlGroups *groups);

// The dataset, the correlations, the tree, who steers what; the pictures matrix.svg and
// dendrogram.svg (docs/formats/assign-json.md). NULL without memory.
SlDoc *sl_report_assignment(const SlGrouping *grouping, SlArena *arena);

SL_API_END
