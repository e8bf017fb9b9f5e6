// nest.c - is a loop list a nest of a layer, and the same nest without loops that never iterate.
#include "nest_inside.h"
#include "starling/mapping.h"

#include <assert.h>

// one sentence per dim, so that a reason is a constant
static const char *const no_loop[SL_N_DIMS] = {
    "no loop over N, but N is larger than 1", "no loop over G, but G is larger than 1",
    "no loop over K, but K is larger than 1", "no loop over C, but C is larger than 1",
    "no loop over P, but P is larger than 1", "no loop over Q, but Q is larger than 1",
    "no loop over R, but R is larger than 1", "no loop over S, but S is larger than 1",
};
static const char *const not_finished[SL_N_DIMS] = {
    "the last loop over N must have tiles of 1", "the last loop over G must have tiles of 1",
    "the last loop over K must have tiles of 1", "the last loop over C must have tiles of 1",
    "the last loop over P must have tiles of 1", "the last loop over Q must have tiles of 1",
    "the last loop over R must have tiles of 1", "the last loop over S must have tiles of 1",
};

static const char *check_boundaries(const SlMapping *mapping) {
    if (mapping->n_boundaries > SL_MAX_BOUNDARIES) return "more than 6 storage boundaries";
    int above = 0;
    for (int b = 0; b < mapping->n_boundaries; b++) {
        if (mapping->at[b] < above) return "storage boundaries are not in order";
        if (mapping->at[b] > mapping->n_loops)
            return "a storage boundary lies beyond the last loop";
        if (mapping->keep[b] > SL_KEEP_ALL) return "a level keeps more than W, I and O";
        above = mapping->at[b];
    }
    return NULL;
}

static const char *check_loops(const SlMapping *mapping) {
    if (mapping->n_loops > SL_MAX_LOOPS) return "more than 40 loops";
    for (int i = 0; i < mapping->n_loops; i++) {
        const SlLoop *loop = &mapping->loops[i];
        if (loop->dim >= SL_N_DIMS) return "a loop over an unknown dim";
        if (loop->tile < 1) return "a loop has tiles below 1";
        if (loop->tile > SL_MACS_LIMIT) return "a loop has tiles above 2^53";
    }
    return NULL;
}

const char *sl_mapping_check(const SlLayer *layer, const SlMapping *mapping) {
    const char *reason = check_loops(mapping);
    if (!reason) reason = check_boundaries(mapping);
    if (reason) return reason;

    int64_t last[SL_N_DIMS] = {0}; // tile of the last loop over each dim; 0 = no loop
    for (int i = 0; i < mapping->n_loops; i++) last[mapping->loops[i].dim] = mapping->loops[i].tile;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (layer->dims[d] <= 1) continue;
        if (last[d] == 0) return no_loop[d];
        if (last[d] > 1) return not_finished[d];
    }
    return NULL;
}

void sl_mapping_simplify(const SlLayer *layer, SlMapping *mapping) {
    SlMapping old = *mapping;
    int64_t extent[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = layer->dims[d];

    int n = 0, b = 0;
    for (int i = 0; i < old.n_loops; i++) {
        for (; b < old.n_boundaries && old.at[b] == i; b++) mapping->at[b] = (uint8_t)n;
        SlLoop loop = old.loops[i];
        if (loop.tile >= extent[loop.dim]) continue;
        extent[loop.dim] = loop.tile;
        mapping->loops[n++] = loop;
    }
    for (; b < old.n_boundaries; b++) mapping->at[b] = (uint8_t)n;

    // what is left over is cleared, so that equal nests are equal bytes
    mapping->n_loops = (uint8_t)n;
    for (int i = n; i < SL_MAX_LOOPS; i++) mapping->loops[i] = (SlLoop){0};
}
