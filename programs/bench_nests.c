// bench_nests.c - draw random two-level nests.
#include <string.h>

#include "bench_nests.h"

static int64_t draw_size(bool perfect, int64_t extent, SlRng *rng) {
    int64_t size = sl_rng_range(rng, 1, extent);
    if (!perfect) return size;
    while (extent % size) size = sl_rng_range(rng, 1, extent);
    return size;
}

int nest_draw_tiles(const NestDraw *draw, const NestSpread *spread, SlDim dim, SlRng *rng,
                    int64_t tiles[BENCH_MAX_DIM_LOOPS]) {
    int64_t outer = draw_size(draw->perfect, draw->layer->dims[dim], rng);
    int64_t inner = draw_size(draw->perfect, outer, rng);
    int n = 0;
    tiles[n++] = dim == spread->outer ? outer * spread->n_clusters : outer;
    if (dim == spread->outer) tiles[n++] = outer;
    tiles[n++] = dim == spread->inner ? inner * spread->cluster : inner;
    if (dim == spread->inner) tiles[n++] = inner;
    tiles[n++] = 1;
    return n;
}

static void add_loop(SlMapping *out, int dim, bool spatial, int64_t tile) {
    out->loops[out->n_loops++] = (SlLoop){.tile = tile, .dim = (uint8_t)dim, .spatial = spatial};
}

// dims that iterate; returns their number
static int busy_dims(const SlLayer *layer, int dims[SL_N_DIMS]) {
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] > 1) dims[n++] = d;
    return n;
}

// one of those that arrays usually spread: not the filter's
static SlDim draw_spread_dim(const SlLayer *layer, SlRng *rng) {
    SlDim dim = SL_R;
    while (dim >= SL_R || layer->dims[dim] == 1) dim = (SlDim)sl_rng_below(rng, SL_R);
    return dim;
}

void nest_draw(const NestDraw *draw, SlRng *rng, NestSpread *spread, SlMapping *out) {
    int dims[SL_N_DIMS], n = busy_dims(draw->layer, dims), next[SL_N_DIMS] = {0};
    int64_t tiles[SL_N_DIMS][BENCH_MAX_DIM_LOOPS];
    spread->outer = draw_spread_dim(draw->layer, rng);
    spread->inner = draw_spread_dim(draw->layer, rng);
    spread->cluster = draw->perfect ? INT64_C(1) << sl_rng_below(rng, 5) : sl_rng_range(rng, 1, 32);
    spread->n_clusters = draw->n_pes > spread->cluster ? draw->n_pes / spread->cluster : 1;
    for (int i = 0; i < n; i++) nest_draw_tiles(draw, spread, (SlDim)dims[i], rng, tiles[dims[i]]);
    memset(out, 0, sizeof *out);
    out->n_boundaries = 2;
    for (int level = 0; level < 3; level++) {
        sl_rng_shuffle(rng, n, dims);
        if (level == 1)
            add_loop(out, spread->outer, true, tiles[spread->outer][next[spread->outer]++]);
        for (int i = 0; i < n; i++) add_loop(out, dims[i], false, tiles[dims[i]][next[dims[i]]++]);
        if (level == 1)
            add_loop(out, spread->inner, true, tiles[spread->inner][next[spread->inner]++]);
        if (level == 2) continue;
        out->at[level] = out->n_loops;
        out->keep[level] = SL_KEEP_ALL;
    }
}

void nest_draw_order(const SlMapping *mapping, SlRng *rng, uint8_t dims[SL_MAX_LOOPS]) {
    int n = 0, start = 0;
    for (int b = 0; b <= mapping->n_boundaries; b++) {
        int end = b < mapping->n_boundaries ? mapping->at[b] : mapping->n_loops;
        int part[SL_MAX_LOOPS], n_part = 0;
        for (; start < end; start++)
            if (!mapping->loops[start].spatial) part[n_part++] = mapping->loops[start].dim;
        sl_rng_shuffle(rng, n_part, part);
        for (int i = 0; i < n_part; i++) dims[n++] = (uint8_t)part[i];
    }
}
