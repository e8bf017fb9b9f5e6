// nest_key.c - one number for all nests that cost the same by construction.
//
// What the counts of a nest depend on (docs/model.md): for every dim the chain of its loops with
// the segment each is in, and the order of the dims of the temporal loops above the innermost
// level. So the key hashes those two and nothing else: a spatial loop may stand anywhere between
// the loops over other dims of its segment. Below the innermost level nothing is held, so neither
// the order there counts nor how a dim goes down to single iterations in time.
#include "nest_inside.h"

#include <string.h>

// One step of a hash: a bijection of `hash` for a fixed word and of the word for a fixed hash.
// The factor is that of splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t step(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 29;
}

// every bit of the result depends on every bit of `hash`
static inline uint64_t finish(uint64_t hash) {
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

// What has been hashed so far.
typedef struct {
    int64_t extent[SL_N_DIMS];
    uint64_t chain[SL_N_DIMS]; // of the loops over each dim
    uint64_t order;            // of the temporal dims and of the boundaries
} Hashed;

static inline uint64_t loop_word(const SlLoop *loop, int segment) {
    return (uint64_t)loop->tile << 4 | (uint64_t)segment << 1 | loop->spatial;
}

// the loops of a segment above the innermost level
static void hash_segment(const SlMapping *mapping, int segment, Hashed *hashed) {
    int end = sl_segment_end(mapping, segment);
    for (int i = sl_segment_begin(mapping, segment); i < end; i++) {
        const SlLoop *loop = &mapping->loops[i];
        int d = loop->dim;
        if (loop->tile >= hashed->extent[d]) continue;
        hashed->extent[d] = loop->tile;
        hashed->chain[d] = step(hashed->chain[d], loop_word(loop, segment));
        if (!loop->spatial) hashed->order = step(hashed->order, (uint64_t)d + 1);
    }
}

// the loops below the innermost level: of each dim those down to its last spatial one
static void hash_inside(const SlMapping *mapping, Hashed *hashed) {
    int segment = mapping->n_boundaries;
    uint64_t chain[SL_N_DIMS];
    memcpy(chain, hashed->chain, sizeof chain);
    for (int i = sl_segment_begin(mapping, segment); i < mapping->n_loops; i++) {
        const SlLoop *loop = &mapping->loops[i];
        int d = loop->dim;
        if (loop->tile >= hashed->extent[d]) continue;
        hashed->extent[d] = loop->tile;
        chain[d] = step(chain[d], loop_word(loop, segment));
        if (loop->spatial) hashed->chain[d] = chain[d];
    }
}

uint64_t sl_mapping_key(const SlLayer *layer, const SlMapping *mapping) {
    Hashed hashed = {.order = mapping->n_boundaries};
    memcpy(hashed.extent, layer->dims, sizeof hashed.extent);
    for (int b = 0; b < mapping->n_boundaries; b++) {
        hash_segment(mapping, b, &hashed);
        hashed.order = step(hashed.order, 16 + (uint64_t)mapping->keep[b]);
    }
    hash_inside(mapping, &hashed);

    uint64_t key = hashed.order;
    for (int d = 0; d < SL_N_DIMS; d++) key = step(key, finish(hashed.chain[d] + (uint64_t)d));
    return finish(key);
}
