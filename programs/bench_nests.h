// bench_nests.h - random two-level nests to measure the cost models with.
//
// Every dim is tiled at both on-chip levels, two dims are spread over clusters of PEs, orders are
// random: the hard end of what a search asks for. Buffers may overflow; pricing does not care.
#pragma once

#include "starling/cost.h"

// How the tiles of a nest are drawn.
typedef struct {
    const SlLayer *layer;
    int64_t n_pes;
    bool perfect; // tiles divide what they split
} NestDraw;

// What is spread in one nest, and over how many clusters of how many PEs.
typedef struct {
    SlDim outer, inner;
    int64_t n_clusters, cluster;
} NestSpread;

enum { BENCH_MAX_DIM_LOOPS = 5 };

// The tiles of the loops over one dim of a nest with this spread, outermost first; returns how
// many.
int nest_draw_tiles(const NestDraw *draw, const NestSpread *spread, SlDim dim, SlRng *rng,
                    int64_t tiles[BENCH_MAX_DIM_LOOPS]);

void nest_draw(const NestDraw *draw, SlRng *rng, NestSpread *spread, SlMapping *out);

// The temporal loops of a nest in a new random order between the boundaries, as dims.
void nest_draw_order(const SlMapping *mapping, SlRng *rng, uint8_t dims[SL_MAX_LOOPS]);
