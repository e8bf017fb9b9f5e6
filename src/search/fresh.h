// fresh.h - inside search: a random order of the points that were not asked for or told.
//
// Flow: sl_fresh_init -> sl_fresh_draw (a random one that is new) -> sl_fresh_add (not again).
#pragma once

#include "starling/task/seen.h"

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
    const SlTask *task;
    const SlSpace *space;
    bool check; // draw only points that pass the check
    SlRng rng;
    SlIndexWalk walk; // of spaces with numbers
    SlSeen seen;
} SlFresh;

// Random numbers are those of the setup's seed and stream, and of the method's name. False without
// memory.
bool sl_fresh_init(SlFresh *fresh, const SlMethodSetup *setup, const char *name, bool check,
                   SlArena *arena);
bool sl_fresh_add(SlFresh *fresh, const int32_t *point); // true if it was new
bool sl_fresh_has(const SlFresh *fresh, const int32_t *point);
void sl_fresh_tell(SlFresh *fresh, int n, const int32_t *told); // adds them
// Whether a point may be asked for: new, and passing the check where that is wanted.
bool sl_fresh_wants(const SlFresh *fresh, const int32_t *point);
// A new point at random, which is not added yet. In spaces with numbers none is drawn twice. False
// if there are none left, or if 4 million in a row (10,000 in spaces without numbers) were not
// wanted.
bool sl_fresh_draw(SlFresh *fresh, int32_t *point);
