// engine_profile.h - where the time of training goes: phases of engines that take turns.
//
// Flow: SlEngineSetup of every engine -> sl_engine_profile -> SlEngineProfile of every engine;
//       sl_engine_misses of one that is not made; with many of them SlProfile -> sl_profile_group
//       -> sl_engine_profile of each group; as a document: starling/report/training_doc.h.
#pragma once

#include "starling/learn/engine.h"

SL_API_BEGIN

// A unit is what all times are of: so many env steps and one round of updates.
enum { SL_PROFILE_STEPS = 100 };

typedef struct {
    int64_t rounds; // units measured of each engine, after one that only warms up
    int64_t fill;   // transitions of random play that each engine holds
    double bytes;   // most memory of all replays together; fewer transitions where it is too little
    int64_t simulate; // transitions of the simulated replays (sl_engine_misses); 0 = no simulation
} SlProfileSetup;

typedef struct {
    double median, low, high; // milliseconds of a unit; quartiles
} SlPhaseTime;

// What one round of sampling does to simulated caches and TLBs (starling/core/cache.h).
typedef struct {
    int64_t rows;         // transitions in the replay; 0 = not simulated
    size_t row_bytes;     // of one
    double reads, writes; // lines of the replay, and of the batch
    double read_misses[SL_N_CACHE_LEVELS], write_misses[SL_N_CACHE_LEVELS];
} SlMisses;

typedef struct {
    int64_t rows;     // transitions held, in whole episodes; the same for all engines
    size_t row_bytes; // of one
    SlPhaseTime all, phases[SL_N_PHASES];
    double counts[SL_N_COUNTERS]; // while batches are drawn and gathered, per unit; NAN = unknown
    SlMisses misses;              // per unit, simulated
    SlMisses list; // of the original's lists instead; layout separate of mode faithful alone
} SlEngineProfile;

// Measure `n` engines side by side, unit by unit, so that what else the machine does strikes all of
// them alike. Capacity, warm and update_every of the setups (n) are not looked at. SL_EINPUT or
// SL_ENOMEM if an engine cannot be made, SL_EINPUT also where networks need more memory than the
// machine has.
SlStatus sl_engine_profile(int n, const SlEngineSetup *setups, const SlProfileSetup *profile,
                           SlPool *pool, SlEngineProfile *out, SlError *err);

// Simulate the sampling of one round from a replay of `rows` transitions on sl_caches_zen5. Every
// gather begins with what the one before it left in caches; networks and worlds do not come in
// between. Needs no memory for the replay. `list`: of Python's list of tuples per agent instead of
// the setup's layout. SL_EINPUT or SL_ENOMEM.
SlStatus sl_engine_misses(const SlEngineSetup *setup, int64_t rows, bool list, SlMisses *out,
                          SlError *err);

double sl_profile_share(const SlEngineProfile *profile, SlPhase phase); // of the sum of medians
double sl_profile_update(const SlEngineProfile *profile); // ms: sampling, target Q, Q and P loss

// --- Many engines, and which of them are compared

// Those of a world and a number of agents stand together: a group, which is measured side by side.
typedef struct {
    SlProfileSetup measured;
    int threads; // of the pool, as asked for
    int n;
    SlEngineSetup *setups;  // (n), all with the batch, hidden, neighbors and seed of the first
    SlEngineProfile *times; // (n)
} SlProfile;

// What is combined: numbers of agents, and indices of sl_worlds, sl_algo_names and so on.
enum { SL_PROFILE_LIST = 64, SL_PROFILE_CASES = 1024 };
typedef struct {
    int n;
    int items[SL_PROFILE_LIST];
} SlProfileList;
typedef struct {
    SlProfileList worlds, agents, algos, modes, layouts, samplings;
} SlProfileLists;

// Fill the cases with every combination, all else as in `like`; folded modes have layout state
// alone. Times are as yet unknown. SL_EINPUT: as many as SL_PROFILE_CASES, or more; SL_ENOMEM.
SlStatus sl_profile_combine(SlProfile *profile, const SlProfileLists *lists,
                            const SlEngineSetup *like, SlArena *arena, SlError *err);

int sl_profile_group(const SlProfile *profile, int first); // cases of the group that begins there
// The case with twice the agents, and the one with uniform sampling (not for itself), all else as
// in case i; -1 = none.
int sl_profile_twice(const SlProfile *profile, int i);
int sl_profile_uniform(const SlProfile *profile, int i);

// Times as long with twice the agents, by medians.
typedef struct {
    double all, update; // a unit, its update of all trainers
    double phases[SL_N_PHASES];
} SlGrowth;
bool sl_profile_growth(const SlProfile *profile, int i, SlGrowth *growth); // false: not measured
// The mean over all algorithms, all else as in case i, as in Figure 3 of the paper. False unless
// case i is the last of at least two algorithms.
bool sl_profile_mean_growth(const SlProfile *profile, int i, SlGrowth *mean);

SL_API_END
