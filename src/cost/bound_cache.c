// bound_cache.c - tables of one thread: memory in chunks on the heap, found again by key.
#include "bound_blocks.h"

#include <stdlib.h>
#include <string.h>

typedef struct Chunk {
    struct Chunk *next;
    size_t used, room;
} Chunk;

enum { CHUNK_HEADER = 64, CHUNK_BYTES = 1 << 20 };

struct CacheSlot {
    Key key;
    const void *value; // NULL = free
};

void *sl_work_take(SlBoundWork *work, size_t n, size_t size) {
    Chunk *chunk = work->chunks;
    size_t bytes = (n * size + 63) & ~(size_t)63;
    if (!chunk || chunk->used + bytes > chunk->room) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        Chunk *fresh = aligned_alloc(64, CHUNK_HEADER + room);
        if (!fresh) {
            work->failed = true;
            return NULL;
        }
        *fresh = (Chunk){chunk, 0, room};
        work->chunks = chunk = fresh;
        work->bytes += room;
    }
    void *piece = (char *)chunk + CHUNK_HEADER + chunk->used;
    chunk->used += bytes;
    return piece;
}

void sl_work_clear(SlBoundWork *work) {
    for (Chunk *chunk = work->chunks; chunk;) {
        Chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(work->slots);
    work->chunks = NULL;
    work->slots = NULL;
    work->bytes = work->n_slots = work->n_used = 0;
}

bool sl_work_interrupted(SlBoundWork *work) {
    const SlCloseLimits *limits = work->limits;
    if (limits && limits->stop && limits->stop(limits->context)) work->stopped = true;
    return limits && work->stopped;
}

static size_t slot_of(const SlBoundWork *work, const Key *key) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < KEY_WORDS; i++) {
        hash ^= (uint64_t)key->word[i];
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    size_t i = hash & (work->n_slots - 1);
    while (work->slots[i].value && memcmp(&work->slots[i].key, key, sizeof *key) != 0)
        i = (i + 1) & (work->n_slots - 1);
    return i;
}

static bool grow_slots(SlBoundWork *work) {
    size_t n = work->n_slots ? 2 * work->n_slots : 1024, n_old = work->n_slots;
    CacheSlot *old = work->slots, *fresh = calloc(n, sizeof *fresh);
    if (!fresh) {
        work->failed = true;
        return false;
    }
    work->slots = fresh;
    work->n_slots = n;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].value) fresh[slot_of(work, &old[i].key)] = old[i];
    free(old);
    return true;
}

const void *sl_work_recall(const SlBoundWork *work, const Key *key) {
    return work->n_slots ? work->slots[slot_of(work, key)].value : NULL;
}

void sl_work_keep(SlBoundWork *work, const Key *key, const void *value) {
    if (2 * work->n_used >= work->n_slots && !grow_slots(work)) return;
    work->slots[slot_of(work, key)] = (CacheSlot){*key, value};
    work->n_used++;
}
