// seen.c - points that were seen: a bit each in small spaces with numbers, else a set of keys.
#include "starling/task/seen.h"

enum { MOST_BITS = 1 << 26 };

bool sl_seen_init(SlSeen *seen, const SlTask *task, int64_t expected, SlArena *arena) {
    const SlSpace *space = sl_task_space(task);
    *seen = (SlSeen){.task = task};
    // a large budget need not be used up: the set grows
    if (!space->accel && space->n_points > 0 && space->n_points <= MOST_BITS)
        seen->bits = SL_NEW(arena, space->n_points / 64 + 1, uint64_t);
    else
        seen->keys = sl_keyset_make(expected < 4096 ? (size_t)expected : 4096, arena);
    return seen->bits || seen->keys;
}

bool sl_seen_has_key(const SlSeen *seen, uint64_t key) {
    if (seen->keys) return sl_keyset_has(seen->keys, key);
    return seen->bits[key / 64] >> (key % 64) & 1;
}

static bool add_key(SlSeen *seen, uint64_t key) {
    if (seen->keys) {
        bool fresh = sl_keyset_add(seen->keys, key);
        seen->n += fresh;
        return fresh;
    }
    if (sl_seen_has_key(seen, key)) return false;
    seen->bits[key / 64] |= UINT64_C(1) << (key % 64);
    seen->n++;
    return true;
}

bool sl_seen_has(const SlSeen *seen, const int32_t *point) {
    return sl_seen_has_key(seen, sl_task_key(seen->task, point));
}

bool sl_seen_add(SlSeen *seen, const int32_t *point) {
    return add_key(seen, sl_task_key(seen->task, point));
}
