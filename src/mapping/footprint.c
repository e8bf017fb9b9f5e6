// footprint.c - the largest tile at every boundary: extents, words, instances, trip counts.
//
// The largest tiles are those of step 0 and instance 0, so an extent is the smallest of the dim and
// of all tile sizes above (native model, section 5).
#include "nest_inside.h"

#include <assert.h>
#include <string.h>

void sl_tile_words(const SlLayer *layer, const int64_t e[SL_N_DIMS], int64_t words[SL_N_TENSORS]) {
    int64_t rows = sl_window_size(e[SL_P], e[SL_R], layer->stride[0], layer->dilation[0]);
    int64_t columns = sl_window_size(e[SL_Q], e[SL_S], layer->stride[1], layer->dilation[1]);
    words[SL_W] = e[SL_G] * e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S];
    words[SL_I] = e[SL_N] * e[SL_G] * e[SL_C] * rows * columns;
    words[SL_O] = e[SL_N] * e[SL_G] * e[SL_K] * e[SL_P] * e[SL_Q];
}

// partial tiles can make the product of the largest trip counts exceed any extent: stop at the top
static int64_t times(int64_t a, int64_t b) {
    return a > INT64_MAX / b ? INT64_MAX : a * b;
}

void sl_mapping_footprint(const SlLayer *layer, const SlMapping *mapping, SlFootprint *out) {
    assert(mapping->n_loops <= SL_MAX_LOOPS && mapping->n_boundaries <= SL_MAX_BOUNDARIES);
    int64_t extent[SL_N_DIMS], grid = 1;
    memcpy(extent, layer->dims, sizeof extent);

    int i = 0;
    for (int b = 0; b <= mapping->n_boundaries; b++) {
        int end = b < mapping->n_boundaries ? mapping->at[b] : mapping->n_loops;
        for (; i < end; i++) {
            const SlLoop *loop = &mapping->loops[i];
            int64_t inside = sl_smaller(loop->tile, extent[loop->dim]);
            out->trips[i] = sl_ceil_div(extent[loop->dim], inside);
            if (loop->spatial) grid = times(grid, out->trips[i]);
            extent[loop->dim] = inside;
        }
        memcpy(out->extent[b], extent, sizeof extent);
        sl_tile_words(layer, extent, out->words[b]);
        out->grid[b] = grid;
    }
}
