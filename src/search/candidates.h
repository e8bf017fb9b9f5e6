// candidates.h - inside search: points that Bayesian optimisation weighs before it asks for one.
//
// Flow: sl_candidates_clear -> sl_candidates_add ... -> sl_candidates_judge -> sl_candidates_best.
#pragma once

#include "region.h"
#include "sight.h"

// All rows (room).
typedef struct {
    const SlSight *sight;
    int n_params, room;
    int n;           // candidates
    int n_judged;    // of them
    int32_t *points; // (room, n_params)
    double *inputs;  // (room, sight->n)
    uint64_t *keys;  // of their nests
    double *means;   // expected score
    double *gains;   // log of the expected improvement
    double *scratch; // (room)
} SlCandidates;

// Empty. False without memory.
bool sl_candidates_make(SlCandidates *some, const SlSight *sight, int n_params, int room,
                        SlArena *arena);

static inline const int32_t *sl_candidate(const SlCandidates *some, int row) {
    return some->points + (ptrdiff_t)row * some->n_params;
}

// Take a point unless its nest is in `seen` or among the candidates, or there is no space.
void sl_candidates_add(SlCandidates *some, const int32_t *point, const SlKeySet *seen);

// Expected improvement over the score `best` of those not judged yet.
void sl_candidates_judge(SlCandidates *some, SlGp *gp, double best);

// Rows of the `most` that promise most, best first; returns how many.
int sl_candidates_best(const SlCandidates *some, int most, int *rows);

// log E max(best - s, 0) of s ~ N(mean, variance), variance > 0. Finite for finite numbers.
double sl_log_improvement(double best, double mean, double variance);
