// agents.h - agent assignment, Algorithm 1 of the mapping paper: which parameters share an agent.
//
// Flow: SlAssignSetup -> sl_assign_run -> SlAssignment -> sl_assign_count (agents below a height)
//       -> sl_assign_agents (a cut of the tree). A run says what it wants in an SlAgentChoice:
//       sl_agents_choose.
#pragma once

#include "starling/assign.h"
#include "starling/job/groups.h"
#include "starling/task.h"

SL_API_BEGIN

typedef struct {
    const SlMethod *policy; // that collects the dataset, with its default options; NULL = random
    int64_t samples;        // of the dataset
    double share;           // best share that enters the correlations
    bool proposed;          // points enter as the policy proposed them, not as they were repaired
    SlMetric metric;
    SlLinkage linkage;
    uint64_t seed;
} SlAssignSetup;
enum { SL_POLICIES_MAX = 16 };          // that are compared with each other
SlAssignSetup sl_assign_defaults(void); // 2,000 random samples, the best 15 %, rows+objective, Ward

typedef struct {
    int n;                // parameters
    double *r, *distance; // (n, n)
    double *objective;    // (n) r with the logarithm of the objective, in the same rows
    SlMerge *tree;        // (n - 1)
    int64_t samples;      // counted
    int n_rows;           // that entered the correlations
    int n_nearest;        // of them, whose repaired mapping has a size that the space does not list
} SlAssignment;

// `task` says what is evaluated and is left as it is: the dataset has a task of its own. SL_EINPUT
// with the reason where the policy cannot run on the task, or fewer than three rows are left.
SlStatus sl_assign_run(const SlTaskSetup *task, const SlAssignSetup *setup, SlArena *arena,
                       SlAssignment *out, SlError *err);
// Cut to a number of agents (1..n), and the height of that cut; NAN = nothing is cut.
void sl_assign_agents(const SlAssignment *assignment, int n_agents, SlAgents *agents);
double sl_assign_cut(const SlAssignment *assignment, int n_agents);
// Height of the last merge: the scale of the tree. 0 for one parameter.
double sl_assign_top_height(const SlAssignment *assignment);

// A height at which a tree is cut.
typedef struct {
    double height; // 0 = none
    bool of_top;   // a share of the height of the last merge
} SlThreshold;
// "2.5", "40%"; SL_EINPUT with what was expected.
SlStatus sl_threshold_parse(const char *text, SlThreshold *threshold, SlError *err);
int sl_assign_count(const SlAssignment *assignment, const SlThreshold *threshold); // agents, 1..n

// How the parameters of a run are shared out among agents.
typedef struct {
    int n_agents;                 // 0 = one per parameter, unless what follows says otherwise
    SlThreshold threshold;        // as many as are left below this height
    const SlGroups *groups;       // those of a file (groups.h), NULL = none
    const SlTaskSetup *elsewhere; // the task that is looked at, NULL = the run's own
    bool shuffled;                // who steers what is drawn again, groups keep their sizes
    SlAssignSetup assign;         // 0 samples: the defaults but for policy and seed
} SlAgentChoice;

// The agents of a run in a space; *samples is what the assignment took, 0 where it comes from a
// file or another task. Where there are to be at least as many agents as parameters, each has one.
SlStatus sl_agents_choose(const SlTaskSetup *task, const SlSpace *space,
                          const SlAgentChoice *choice, SlArena *arena, SlAgents *agents,
                          int64_t *samples, SlError *err);
// What else than the number of agents decides about them, for fingerprints; nothing for one agent
// or one per parameter.
void sl_agents_describe(const SlAgentChoice *choice, SlText *out);

SL_API_END
