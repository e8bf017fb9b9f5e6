// keyset.h - a growing set of 64-bit keys: what has been seen.
//
// Flow: sl_keyset_make -> sl_keyset_add (true = new) ..., sl_keyset_has.
#pragma once

#include "starling/core/arena.h"

SL_API_BEGIN

typedef struct SlKeySet SlKeySet;

// Empty, with space for about `expected` keys before it grows (0 = a few). It grows in the arena,
// which must stay; what it outgrows is not given back: in all at most 64 bytes per key. NULL
// without memory.
SlKeySet *sl_keyset_make(size_t expected, SlArena *arena);

// Any key, 0 too. Returns true if it was not there. Where the arena has no memory left, keys that
// find no space are forgotten: they stay new.
bool sl_keyset_add(SlKeySet *set, uint64_t key);
bool sl_keyset_has(const SlKeySet *set, uint64_t key);

SL_API_END
