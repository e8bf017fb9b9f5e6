// cache.h - simulated caches and TLBs of a processor, fed with addresses: where there are no
// hardware counters, misses are counted here.
//
// Flow: sl_caches_make (SlCachesShape) -> sl_caches_touch for every piece that is read or written
// ->
//       reads, writes and misses of SlCaches; sl_caches_forget begins to count anew.
#pragma once

#include "starling/core/arena.h"

SL_API_BEGIN

// One level. It holds units: lines of a cache, or pages of a TLB. Every unit has one set, by the
// lowest bits of its number; of the units of a full set the least recently used goes.
typedef struct {
    int64_t n_units; // n_ways times a power of two; 0 = there is no such level
    int n_ways;      // units of a set; n_units = fully associative
    int unit_bits;   // 6: lines of 64 bytes; 12, 21: pages of 4 KiB, 2 MiB
} SlCacheShape;

typedef struct {
    SlCacheShape shape;
    uint64_t *units; // (sets, ways), latest first; number + 1, 0 = empty
} SlCache;

// Levels of a processor. A level is asked for what the one before it, of the same kind, misses; all
// levels that were asked then hold it. Pages of both sizes are simulated side by side, as if all
// memory had the one or the other.
typedef enum {
    SL_CACHE_L1, // caches of data
    SL_CACHE_L2,
    SL_CACHE_L3,
    SL_CACHE_TLB_4K,  // first TLB of data, pages of 4 KiB
    SL_CACHE_WALK_4K, // second one; what misses here walks the page table
    SL_CACHE_TLB_2M,  // the same with pages of 2 MiB
    SL_CACHE_WALK_2M,
    SL_N_CACHE_LEVELS
} SlCacheLevel;
extern const char
    *const sl_cache_level_names[SL_N_CACHE_LEVELS + 1]; // "l1", ..., "dtlb_4k", "walks_4k", ...

typedef struct {
    SlCacheShape levels[SL_N_CACHE_LEVELS];
} SlCachesShape;
// AMD Zen 5: 48 KiB, 1 MiB and 32 MiB of 12, 16 and 16 ways; TLBs of 96 entries, fully associative,
// and 4,096 of 16 ways.
extern const SlCachesShape sl_caches_zen5;

typedef struct {
    SlCache levels[SL_N_CACHE_LEVELS];
    double reads, writes; // lines asked for, since the last sl_caches_forget
    double read_misses[SL_N_CACHE_LEVELS], write_misses[SL_N_CACHE_LEVELS];
} SlCaches;

bool sl_caches_make(const SlCachesShape *shape, SlArena *arena, SlCaches *caches); // or no memory
// Read, or write, `bytes` from `address` on, line after line. A written line is fetched like a read
// one.
void sl_caches_touch(SlCaches *caches, uint64_t address, uint64_t bytes, bool write);
void sl_caches_forget(SlCaches *caches); // counts are 0 again; levels hold what they hold

SL_API_END
