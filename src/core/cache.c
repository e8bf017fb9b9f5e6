// cache.c - set-associative levels with least-recently-used replacement (Mattson, Gecsei, Slutz &
// Traiger, "Evaluation techniques for storage hierarchies", 1970), stacked into caches and TLBs.
//
// Not simulated: prefetchers, victim caches, walks that hit in caches, physical addresses.
#include "starling/core/cache.h"

#include <assert.h>
#include <string.h>

#include "cache_inside.h"

const char *const sl_cache_level_names[SL_N_CACHE_LEVELS + 1] = {
    "l1", "l2", "l3", "dtlb_4k", "walks_4k", "dtlb_2m", "walks_2m", NULL};

// B. Cohen, M. Subramony, "Next Generation Zen 5 Core", Hot Chips 2024; L3 and lines by cpuid; the
// ways of the second TLB are assumed
const SlCachesShape sl_caches_zen5 = {.levels = {[SL_CACHE_L1] = {768, 12, 6},
                                                 [SL_CACHE_L2] = {16384, 16, 6},
                                                 [SL_CACHE_L3] = {524288, 16, 6},
                                                 [SL_CACHE_TLB_4K] = {96, 96, 12},
                                                 [SL_CACHE_WALK_4K] = {4096, 16, 12},
                                                 [SL_CACHE_TLB_2M] = {96, 96, 21},
                                                 [SL_CACHE_WALK_2M] = {4096, 16, 21}}};

// ---- one level ----

bool sl_cache_make(const SlCacheShape *shape, SlArena *arena, SlCache *cache) {
    // whole sets, and a power of two of them
    const int64_t sets = shape->n_units == 0 ? 0 : shape->n_units / shape->n_ways;
    assert(sets * shape->n_ways == shape->n_units && (sets & (sets - 1)) == 0);
    (void)sets;
    *cache = (SlCache){.shape = *shape, .units = SL_NEW(arena, shape->n_units, uint64_t)};
    return cache->units != NULL;
}

bool sl_cache_touch(SlCache *cache, uint64_t number) {
    const SlCacheShape *shape = &cache->shape;
    if (shape->n_units == 0) return false;
    const uint64_t set = number & (uint64_t)(shape->n_units / shape->n_ways - 1);
    uint64_t *units = cache->units + set * (uint64_t)shape->n_ways;
    int way = 0;
    while (way < shape->n_ways - 1 && units[way] != number + 1) way++;
    const bool there = units[way] == number + 1;
    memmove(units + 1, units, (size_t)way * sizeof *units);
    units[0] = number + 1;
    return there;
}

// ---- all of them ----

bool sl_caches_make(const SlCachesShape *shape, SlArena *arena, SlCaches *caches) {
    *caches = (SlCaches){0};
    for (int i = 0; i < SL_N_CACHE_LEVELS; i++)
        if (!sl_cache_make(&shape->levels[i], arena, &caches->levels[i])) return false;
    return true;
}

// the levels from `first` to `last`, until one has it
static void ask(SlCaches *caches, int first, int last, uint64_t address, double *misses) {
    for (int i = first; i <= last; i++) {
        SlCache *level = &caches->levels[i];
        if (sl_cache_touch(level, address >> level->shape.unit_bits)) return;
        misses[i]++;
    }
}

void sl_caches_touch(SlCaches *caches, uint64_t address, uint64_t bytes, bool write) {
    double *misses = write ? caches->write_misses : caches->read_misses;
    const int line_bits = caches->levels[SL_CACHE_L1].shape.unit_bits;
    const int page_bits = caches->levels[SL_CACHE_TLB_4K].shape.unit_bits;
    uint64_t page = UINT64_MAX;
    if (bytes == 0) return;
    for (uint64_t line = address >> line_bits; line <= (address + bytes - 1) >> line_bits; line++) {
        const uint64_t at = line << line_bits;
        // the page of the line before is the latest one: to ask again changes nothing
        if (at >> page_bits != page) {
            page = at >> page_bits;
            ask(caches, SL_CACHE_TLB_4K, SL_CACHE_WALK_4K, at, misses);
            ask(caches, SL_CACHE_TLB_2M, SL_CACHE_WALK_2M, at, misses);
        }
        ask(caches, SL_CACHE_L1, SL_CACHE_L3, at, misses);
        *(write ? &caches->writes : &caches->reads) += 1;
    }
}

void sl_caches_forget(SlCaches *caches) {
    caches->reads = caches->writes = 0;
    memset(caches->read_misses, 0, sizeof caches->read_misses);
    memset(caches->write_misses, 0, sizeof caches->write_misses);
}
