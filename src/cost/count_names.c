// count_names.c - the counts of a level one by one, under the names of the golden files.

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "starling/cost.h"

// Counts in the order of their names: three tensors each, then single ones.
static const size_t triples[] = {
    offsetof(SlLevelCounts, fill), offsetof(SlLevelCounts, pread), offsetof(SlLevelCounts, own0),
    offsetof(SlLevelCounts, srv0), offsetof(SlLevelCounts, tile),  offsetof(SlLevelCounts, first),
};
static const size_t singles[] = {
    offsetof(SlLevelCounts, upd),  offsetof(SlLevelCounts, upd0), offsetof(SlLevelCounts, cov0),
    offsetof(SlLevelCounts, inst), offsetof(SlLevelCounts, grid),
};
enum {
    N_IN_TRIPLES = SL_N_TENSORS * sizeof triples / sizeof *triples,
    N_SINGLES = sizeof singles / sizeof *singles
};
static_assert((int)N_IN_TRIPLES + (int)N_SINGLES == SL_N_LEVEL_COUNTS, "every count has a name");

double sl_level_count(const SlLevelCounts *counts, int i) {
    int single = i - (int)N_IN_TRIPLES;
    size_t offset = single < 0 ? triples[i / SL_N_TENSORS] : singles[single];
    const SlCount *value = (const SlCount *)((const char *)counts + offset);
    return single < 0 ? value[i % SL_N_TENSORS] : *value;
}

const char *sl_level_count_name(int level, int n_levels, int i,
                                char out[SL_AT_LEAST(SL_COUNT_NAME)]) {
    if (level < n_levels)
        snprintf(out, SL_COUNT_NAME, "l%d_%s", level, sl_count_names[i]);
    else
        snprintf(out, SL_COUNT_NAME, "mac_%s", sl_count_names[i]);
    return out;
}
