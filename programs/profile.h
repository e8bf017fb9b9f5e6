// profile.h - inside `starling profile`.
//
// Flow: cmd_profile reads lists of what to measure -> every combination -> sl_engine_profile ->
//       profile_document.
#pragma once

#include "command.h"
#include "starling/learn/engine_profile.h"

typedef struct {
    CommonOptions common;
    const char *env, *agents, *algo, *layouts, *samplings, *mode; // lists
    SlEngineSetup engine; // neighbors, batch, hidden and seed alone
    int64_t fill, memory, rounds, threads;
} ProfileOptions;

// Cases, and what was measured of them. Those of a world and a number of agents stand together.
typedef struct {
    const Call *call;
    const ProfileOptions *options;
    SlArena *arena;
    int n;
    SlEngineSetup *setups;  // (n)
    SlEngineProfile *times; // (n)
} Profile;

// Are two cases of one world and number of agents?
bool profile_together(const Profile *profile, int a, int b);
// The case with another number of agents or another sampling and all else as in `like`; -1 = none.
int profile_find(const Profile *profile, int like, int64_t agents, int sampling);
int profile_twice(const Profile *profile, int like); // the one with twice the agents
int profile_uniform(const Profile *profile,
                    int like); // the one with uniform sampling; -1 for itself

// docs/formats/profile-json.md
SlDoc *profile_document(const Profile *profile);
void profile_figures(const Profile *profile, SlDoc *doc);
