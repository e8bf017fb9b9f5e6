// repeats.c - open addressing with linear probing over a growing list of samples.
#include "repeats.h"

#include <string.h>

typedef struct {
    uint64_t key;
    SlSample sample;
} Entry;

struct SlRepeats {
    SlArena *arena;
    int n, room;    // entries
    Entry *entries; // (room)
    int *slots;     // (2 * room) number of an entry + 1, 0 = free
};

enum { FIRST_ROOM = 64 }; // a power of two

static int slot_of(const SlRepeats *repeats, uint64_t key) {
    int last = 2 * repeats->room - 1;
    int at = (int)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & last;
    while (repeats->slots[at] && repeats->entries[repeats->slots[at] - 1].key != key)
        at = (at + 1) & last;
    return at;
}

static bool grow(SlRepeats *repeats, int room) {
    Entry *entries = SL_NEW(repeats->arena, room, Entry);
    int *slots = SL_NEW(repeats->arena, 2 * room, int);
    if (!entries || !slots) return false;
    if (repeats->n) memcpy(entries, repeats->entries, (size_t)repeats->n * sizeof *entries);
    repeats->entries = entries;
    repeats->slots = slots;
    repeats->room = room;
    for (int i = 0; i < repeats->n; i++) slots[slot_of(repeats, entries[i].key)] = i + 1;
    return true;
}

SlRepeats *sl_repeats_make(SlArena *arena) {
    SlRepeats *repeats = SL_NEW(arena, 1, SlRepeats);
    if (!repeats) return NULL;
    repeats->arena = arena;
    return grow(repeats, FIRST_ROOM) ? repeats : NULL;
}

const SlSample *sl_repeats_find(const SlRepeats *repeats, uint64_t key) {
    int entry = repeats->slots[slot_of(repeats, key)];
    return entry ? &repeats->entries[entry - 1].sample : NULL;
}

bool sl_repeats_add(SlRepeats *repeats, uint64_t key, const SlSample *sample) {
    if (repeats->n == repeats->room && !grow(repeats, 2 * repeats->room)) return false;
    int at = slot_of(repeats, key);
    if (repeats->slots[at]) return true;
    repeats->entries[repeats->n++] = (Entry){key, *sample};
    repeats->slots[at] = repeats->n;
    return true;
}
