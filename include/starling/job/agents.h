// agents.h - agent assignment, Algorithm 1 of the mapping paper: which parameters share an agent.
//
// Flow: SlAssignSetup -> sl_assign_run -> SlAssignment -> sl_assign_agents (a cut of the tree).
#pragma once

#include "starling/assign.h"
#include "starling/task.h"

SL_API_BEGIN

typedef struct {
    const SlMethod *policy; // that collects the dataset; NULL = random
    int64_t samples;        // of the dataset
    double share;           // best share that enters the correlations
    SlMetric metric;
    SlLinkage linkage;
    uint64_t seed;
} SlAssignSetup;
SlAssignSetup sl_assign_defaults(void); // 2,000 random samples, the best 15 %, rows, Ward

typedef struct {
    int n;                // parameters
    double *r, *distance; // (n, n)
    SlMerge *tree;        // (n - 1)
    int64_t samples;      // counted
    int n_rows;           // that entered the correlations
} SlAssignment;

// `task` says what is evaluated and is left as it is: the dataset has a task of its own.
SlStatus sl_assign_run(const SlTaskSetup *task, const SlAssignSetup *setup, SlArena *arena,
                       SlAssignment *out, SlError *err);
// Cut to a number of agents (1..n), and the height of that cut; NAN = nothing is cut.
void sl_assign_agents(const SlAssignment *assignment, int n_agents, SlAgents *agents);
double sl_assign_cut(const SlAssignment *assignment, int n_agents);

// Agents of a run: one per parameter (`n_agents` 0, or at least as many as there are parameters),
// one for all (1), else by the assignment; *samples is what that took.
SlStatus sl_agents_assign(const SlTaskSetup *task, const SlAssignSetup *setup, int n_agents,
                          SlArena *arena, SlAgents *agents, int64_t *samples, SlError *err);

SL_API_END
