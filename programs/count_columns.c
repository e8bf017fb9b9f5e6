// count_columns.c - the counts of the cost model under the names of the golden files.
#include "count_columns.h"

#include <assert.h>
#include <stdio.h>

// Groups of counts in the order of the columns: three tensors each, then single ones.
typedef struct {
    const char *name;
    size_t offset;
} Field;

enum { N_TRIPLES = 6, N_SINGLES = 5 };

static const Field triples[N_TRIPLES] = {
    {"fill", offsetof(SlLevelCounts, fill)}, {"pread", offsetof(SlLevelCounts, pread)},
    {"own0", offsetof(SlLevelCounts, own0)}, {"srv0", offsetof(SlLevelCounts, srv0)},
    {"tile", offsetof(SlLevelCounts, tile)}, {"first", offsetof(SlLevelCounts, first)},
};

static const Field singles[N_SINGLES] = {
    {"upd", offsetof(SlLevelCounts, upd)},   {"upd0", offsetof(SlLevelCounts, upd0)},
    {"cov0", offsetof(SlLevelCounts, cov0)}, {"inst", offsetof(SlLevelCounts, inst)},
    {"grid", offsetof(SlLevelCounts, grid)},
};

static_assert(N_TRIPLES * SL_N_TENSORS + N_SINGLES == COUNTS_PER_LEVEL, "every count has a name");

double level_count(const SlLevelCounts *counts, int i) {
    int single = i - N_TRIPLES * SL_N_TENSORS;
    const Field *field = single < 0 ? &triples[i / SL_N_TENSORS] : &singles[single];
    const SlCount *value = (const SlCount *)((const char *)counts + field->offset);
    return single < 0 ? value[i % SL_N_TENSORS] : *value;
}

const char *level_count_name(int i, char out[static COUNT_NAME_ROOM]) {
    int single = i - N_TRIPLES * SL_N_TENSORS;
    if (single < 0)
        snprintf(out, COUNT_NAME_ROOM, "%s_%s", triples[i / SL_N_TENSORS].name,
                 sl_tensor_names[i % SL_N_TENSORS]);
    else
        snprintf(out, COUNT_NAME_ROOM, "%s", singles[single].name);
    return out;
}

const char *level_name(int level, int n_levels, char out[static COUNT_NAME_ROOM]) {
    if (level < n_levels)
        snprintf(out, COUNT_NAME_ROOM, "l%d", level);
    else
        snprintf(out, COUNT_NAME_ROOM, "mac");
    return out;
}
