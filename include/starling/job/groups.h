// groups.h - an assignment as a file: parameters by name, and who steers them
// (docs/formats/assignment.md).
//
// Flow: sl_groups_of (a space and its agents) -> sl_groups_write -> file -> sl_groups_read ->
//       sl_groups_match (another space).
#pragma once

#include "starling/task.h"

SL_API_BEGIN

enum { SL_GROUPS_NAME = 48 }; // bytes of a parameter's name, with its end

typedef struct {
    int n, n_agents;
    struct {
        char name[SL_GROUPS_NAME];
        int agent; // 0..n_agents-1
    } params[SL_MAX_PARAMS];
    // where it comes from; nothing of it decides who steers what. NULL = not known
    const char *file; // it was read from
    const char *layer, *shape, *accel, *evaluator, *space, *open, *constraints, *objective;
    const char *policy, *metric, *linkage;
    int64_t samples, rows, seed; // of the dataset
} SlGroups;

// The parameters of a space and their agents; nothing of where they come from.
void sl_groups_of(const SlSpace *space, const SlAgents *agents, SlGroups *groups);

void sl_groups_write(const SlGroups *groups, SlText *out); // as YAML
// A file, or a folder with assignment.yaml in it. SL_EINPUT with file, line and what was expected.
SlStatus sl_groups_read(const char *path, SlArena *arena, SlGroups *groups, SlError *err);

// The agents of a space by the names of its parameters. A tile of G that is not named counts as
// that of K, and the other way round: in depth-wise layers one takes the other's place. Parameters
// that are not named get an agent of their own each; names and agents that the space has no
// parameters for are passed over. SL_EINPUT where not one parameter is named.
SlStatus sl_groups_match(const SlGroups *groups, const SlSpace *space, SlAgents *agents,
                         SlError *err);

SL_API_END
