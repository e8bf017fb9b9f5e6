// tune_points.h - inside search: points of a tuning task that were asked for or told, and a random
// order of all others.
//
// Flow: sl_points_init -> sl_points_draw (a random one that is new) -> sl_points_add (not again).
#pragma once

#include "starling/task/tuning.h"

// A pseudo-random order of 0..n-1 that needs no memory: a Feistel network on as many bits as n has,
// stepped over what lies outside (Black & Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
enum { SL_WALK_ROUNDS = 6 };
typedef struct {
    uint64_t n, at;
    int half; // bits of a half
    uint64_t keys[SL_WALK_ROUNDS];
} SlIndexWalk;
void sl_index_walk_init(SlIndexWalk *walk, int64_t n, SlRng *rng);
// The next index, -1 after all n.
int64_t sl_index_walk_next(SlIndexWalk *walk);

typedef struct {
    const SlTuning *tuning;
    const SlKnobs *knobs;
    bool check; // draw only points that pass the check
    SlRng rng;
    SlIndexWalk walk;
    uint64_t *bits; // one per point, of spaces that are small enough
    SlKeySet *keys; // of the others
    int64_t n_seen;
} SlPoints;

// Random numbers are those of the setup's seed and stream, and of the tuner's name. False without
// memory.
bool sl_points_init(SlPoints *points, const SlTunerSetup *setup, const char *name, bool check,
                    SlArena *arena);
// True if it was new.
bool sl_points_add(SlPoints *points, const int32_t *point);
bool sl_points_has(const SlPoints *points, const int32_t *point);
bool sl_points_has_index(const SlPoints *points, int64_t index);
void sl_points_tell(SlPoints *points, int n, const int32_t *told); // adds them
// A new point at random, which is not added yet; none is drawn twice. False if there are none left,
// or if 4 million in a row failed the check.
bool sl_points_draw(SlPoints *points, int32_t *point);
