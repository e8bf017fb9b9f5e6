// store_merge.c - two stores become one; whether two hold the same.
#include <string.h>

#include "store_inside.h"

// What is to be taken over.
typedef struct {
    int n, n_mine;
    SlCellRecord *records, *mine; // in the order of their keys
    bool *take;                   // (n)
    int n_take;
} Merge;

// A broken record is no result: a whole one takes its place, and of two broken ones ours stays.
static SlStatus compare(const SlStore *store, const SlCellRecord *mine, const SlCellRecord *other,
                        bool *take, SlError *err) {
    *take = mine->reason && !other->reason;
    if (mine->reason || other->reason) return SL_OK;
    if (strcmp(mine->fingerprint, other->fingerprint) != 0)
        return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                          "both stores hold '%s', of different plans or versions (%.20s and "
                          "%.20s): merge only stores of one plan and version",
                          mine->key, mine->version, other->version);
    if (sl_record_same(mine, other)) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                      "both stores hold '%s', with different results", mine->key);
}

static SlStatus choose(const SlStore *store, Merge *merge, SlError *err) {
    int m = 0;
    SlStatus status = SL_OK;
    for (int i = 0; i < merge->n && status == SL_OK; i++) {
        const char *key = merge->records[i].key;
        while (m < merge->n_mine && strcmp(merge->mine[m].key, key) < 0) m++;
        bool both = m < merge->n_mine && strcmp(merge->mine[m].key, key) == 0;
        merge->take[i] = true;
        if (both)
            status = compare(store, &merge->mine[m], &merge->records[i], &merge->take[i], err);
        merge->n_take += merge->take[i];
    }
    return status;
}

static SlStatus write_all(SlStore *store, const Merge *merge, SlError *err) {
    pthread_mutex_lock(&store->lock);
    SlStatus status = sl_store_begin(store, err);
    if (status == SL_OK) {
        for (int i = 0; i < merge->n && status == SL_OK; i++)
            if (merge->take[i]) status = sl_store_write(store, &merge->records[i], err);
        status = sl_store_end(store, status, err);
    }
    pthread_mutex_unlock(&store->lock);
    return status;
}

SlStatus sl_store_merge(SlStore *store, SlStore *from, int *n_new, SlError *err) {
    SlArena arena;
    Merge merge = {0};
    *n_new = 0;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_store_cells(store, &arena, &merge.n_mine, &merge.mine, err);
    if (status == SL_OK) status = sl_store_cells(from, &arena, &merge.n, &merge.records, err);
    if (status == SL_OK) {
        merge.take = SL_NEW(&arena, merge.n, bool);
        status = merge.take ? choose(store, &merge, err)
                            : sl_fail(err, SL_ENOMEM, "not enough memory to merge stores");
    }
    if (status == SL_OK && merge.n_take) status = write_all(store, &merge, err);
    if (status == SL_OK) *n_new = merge.n_take;
    sl_arena_free(&arena);
    return status;
}

SlStatus sl_store_digest(SlStore *store, uint64_t *digest, SlError *err) {
    SlArena arena;
    int n = 0;
    SlCellRecord *records = NULL;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_store_cells(store, &arena, &n, &records, err);
    *digest = SL_FNV_START;
    for (int i = 0; i < n && status == SL_OK; i++) *digest = sl_record_hash(*digest, &records[i]);
    sl_arena_free(&arena);
    return status;
}
