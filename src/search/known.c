// known.c - open addressing with linear probing; the table is at most half full.
#include "known.h"

typedef struct {
    uint64_t key; // 0 = free
    double score;
} Entry;

struct SlKnown {
    SlArena *arena;
    Entry *entries; // (1 << bits)
    int bits;
    int n;
};

enum { FIRST_BITS = 8 };

// 0 marks free entries; its nests count as those of 1
static uint64_t stored(uint64_t key) {
    return key ? key : 1;
}

static Entry *find(Entry *entries, int bits, uint64_t key) {
    size_t last = ((size_t)1 << bits) - 1;
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> (64 - bits));
    while (entries[i].key != 0 && entries[i].key != key) i = (i + 1) & last;
    return &entries[i];
}

SlKnown *sl_known_make(SlArena *arena) {
    SlKnown *known = SL_NEW(arena, 1, SlKnown);
    if (!known) return NULL;
    *known = (SlKnown){.arena = arena, .bits = FIRST_BITS};
    known->entries = SL_NEW(arena, 1 << FIRST_BITS, Entry);
    return known->entries ? known : NULL;
}

static void grow(SlKnown *known) {
    size_t n = (size_t)1 << known->bits;
    Entry *entries = SL_NEW(known->arena, 2 * n, Entry);
    if (!entries) return;
    for (size_t i = 0; i < n; i++)
        if (known->entries[i].key != 0)
            *find(entries, known->bits + 1, known->entries[i].key) = known->entries[i];
    known->entries = entries;
    known->bits++;
}

void sl_known_add(SlKnown *known, uint64_t key, double score) {
    key = stored(key);
    Entry *entry = find(known->entries, known->bits, key);
    if (entry->key == key) {
        entry->score = score;
        return;
    }
    if (known->n == SL_KNOWN_MOST) return;
    if (2 * (known->n + 1) > 1 << known->bits) {
        grow(known);
        entry = find(known->entries, known->bits, key);
    }
    // without memory: one entry stays free, so that every probe ends
    if (known->n + 1 >= 1 << known->bits) return;
    *entry = (Entry){key, score};
    known->n++;
}

bool sl_known_find(const SlKnown *known, uint64_t key, double *score) {
    const Entry *entry = find(known->entries, known->bits, stored(key));
    if (entry->key == 0) return false;
    *score = entry->score;
    return true;
}
