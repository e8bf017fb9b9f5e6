// keyset.c - open addressing with linear probing; the table is at most half full.
#include "starling/core/keyset.h"

struct SlKeySet {
    SlArena *arena;
    uint64_t *slots; // (1 << bits), 0 = free
    int bits;
    size_t n;      // keys in slots
    bool has_zero; // the key that marks free slots
};

enum { FEWEST_BITS = 6, MOST_BITS = 40 };

// Fibonacci hashing, Knuth vol. 3, 6.4: the high bits of key x 2^64 / golden ratio
static size_t home(int bits, uint64_t key) {
    return (size_t)(key * 0x9E3779B97F4A7C15u >> (64 - bits));
}

// the slot of the key, or the free one where it belongs
static uint64_t *find(uint64_t *slots, int bits, uint64_t key) {
    size_t last = ((size_t)1 << bits) - 1, i = home(bits, key);
    while (slots[i] != 0 && slots[i] != key) i = (i + 1) & last;
    return &slots[i];
}

SlKeySet *sl_keyset_make(size_t expected, SlArena *arena) {
    SlKeySet *set = SL_NEW(arena, 1, SlKeySet);
    if (!set) return NULL;
    int bits = FEWEST_BITS;
    while (bits < MOST_BITS && ((size_t)1 << (bits - 1)) < expected) bits++;
    *set = (SlKeySet){.arena = arena, .bits = bits};
    set->slots = SL_NEW(arena, (size_t)1 << bits, uint64_t);
    return set->slots ? set : NULL;
}

// a table twice as large; without memory all stays as it is
static void grow(SlKeySet *set) {
    if (set->bits == MOST_BITS) return;
    size_t n_slots = (size_t)1 << set->bits;
    uint64_t *slots = SL_NEW(set->arena, 2 * n_slots, uint64_t);
    if (!slots) return;
    for (size_t i = 0; i < n_slots; i++)
        if (set->slots[i] != 0) *find(slots, set->bits + 1, set->slots[i]) = set->slots[i];
    set->slots = slots;
    set->bits++;
}

bool sl_keyset_add(SlKeySet *set, uint64_t key) {
    if (key == 0) {
        bool was = set->has_zero;
        set->has_zero = true;
        return !was;
    }
    uint64_t *slot = find(set->slots, set->bits, key);
    if (*slot == key) return false;
    if (2 * (set->n + 1) > (size_t)1 << set->bits) {
        grow(set);
        slot = find(set->slots, set->bits, key);
    }
    // one slot stays free, so that every probe ends
    if (set->n + 1 == (size_t)1 << set->bits) return true;
    *slot = key;
    set->n++;
    return true;
}

bool sl_keyset_has(const SlKeySet *set, uint64_t key) {
    return key == 0 ? set->has_zero : *find(set->slots, set->bits, key) == key;
}
