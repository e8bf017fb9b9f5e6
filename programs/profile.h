// profile.h - inside `starling profile`.
//
// Flow: cmd_profile reads lists of what to measure -> profile_list (every combination) ->
//       profile_measure -> profile_text, profile_json, pictures.
#pragma once

#include "command.h"
#include "starling/learn/engine.h"

typedef struct {
    CommonOptions common;
    const char *env, *agents, *algo, *layouts, *samplings, *mode; // lists
    int64_t fill, memory, rounds, threads, batch, hidden, neighbors, seed;
} ProfileOptions;

enum { PROFILE_MOST_AGENTS = 48, PROFILE_MOST_CASES = 1024 };

typedef struct {
    double median, low, high; // milliseconds; quartiles
} ProfileTime;

// A combination and what was measured of it. A unit is 100 env steps and one round of updates.
typedef struct {
    const SlWorld *env;
    int agents;
    SlAlgo algo;
    SlEngineMode mode;
    SlReplayLayout layout;
    SlSampling sampling;
    int64_t rows; // held
    size_t row_bytes;
    ProfileTime all, phases[SL_N_PHASES];
    double counts[SL_N_COUNTERS]; // of sampling, per unit; NAN = unavailable
} ProfileCase;

typedef struct {
    const ProfileOptions *options;
    SlArena *arena;
    int n;
    ProfileCase *cases; // those of an env and a number of agents stand together
    bool fewer;         // rows than asked for
} Profile;

SlStatus profile_list(Profile *profile, SlError *err);
SlStatus profile_measure(Profile *profile, SlError *err);

// The case with other numbers of agents or another sampling and all else the same; NULL = none.
const ProfileCase *profile_find(const Profile *profile, const ProfileCase *like, int agents,
                                SlSampling sampling);
double profile_update(const ProfileCase *one); // ms of the four phases of an update

void profile_text(const Profile *profile, SlText *out);
struct json_t *profile_json(const Profile *profile);
SlStatus profile_draw(const Profile *profile, SlError *err); // into --out
