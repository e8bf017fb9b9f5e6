// seen.h - which points were asked for or told, by their keys: equal nests count as one.
//
// Flow: sl_seen_init -> sl_seen_add (true = not seen before) ... -> sl_seen_has.
#pragma once

#include "starling/task.h"

SL_API_BEGIN

typedef struct {
    const SlTask *task;
    uint64_t *bits; // one per key, of small spaces with numbers
    SlKeySet *keys; // of the others
    int64_t n;      // seen
} SlSeen;

// `expected` points; more are fine. False without memory.
bool sl_seen_init(SlSeen *seen, const SlTask *task, int64_t expected, SlArena *arena);
bool sl_seen_add(SlSeen *seen, const int32_t *point);
bool sl_seen_has(const SlSeen *seen, const int32_t *point);
bool sl_seen_has_key(const SlSeen *seen, uint64_t key);

SL_API_END
