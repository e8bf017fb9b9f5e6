// cache_inside.h - inside core: one level of the simulated caches.
#pragma once

#include "starling/core/cache.h"

// An empty level; false without memory.
bool sl_cache_make(const SlCacheShape *shape, SlArena *arena, SlCache *cache);
// Whether unit `number` (an address divided by the bytes of a unit) was there; now it is.
bool sl_cache_touch(SlCache *cache, uint64_t number);
