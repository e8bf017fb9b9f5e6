// nest_inside.h - what the files of the mapping module share.
//
// Segment s of a nest = the loops below storage level s and above level s + 1 (the MACs after the
// last); its spatial loops belong to the accelerator's fanouts[s].
#pragma once

#include "starling/mapping.h"

// The nest text as part of a file; `file` may be NULL.
SlStatus sl_nest_parse(const char *file, const char *text, SlMapping *mapping, SlError *err);

int sl_dim_find(char letter); // -1 if no dim has this letter

static inline int sl_segment_begin(const SlMapping *mapping, int segment) {
    return segment > 0 ? mapping->at[segment - 1] : 0;
}

static inline int sl_segment_end(const SlMapping *mapping, int segment) {
    return segment < mapping->n_boundaries ? mapping->at[segment] : mapping->n_loops;
}

static inline int64_t sl_ceil_div(int64_t a, int64_t b) {
    return (a - 1) / b + 1; // a >= 1
}

static inline int64_t sl_smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// Words of a tile of these extents, per tensor.
void sl_tile_words(const SlLayer *layer, const int64_t extent[SL_N_DIMS],
                   int64_t words[SL_N_TENSORS]);

// Do tiles of `words` fit a storage level that keeps `keep`? `why` is filled either way.
bool sl_level_fits(const SlLayer *layer, const SlAccel *accel, int level, int keep,
                   const int64_t words[SL_N_TENSORS], SlViolation *why);

// A spatial loop that iterates: where it is, its largest trip count, the axes (bits) that may take
// it.
typedef struct {
    int loop;
    int64_t trips;
    int axes;
} SlSpatial;

// Those of a segment in nest order into `spread` (SL_MAX_LOOPS); returns their number.
int sl_spread_loops(const SlMapping *mapping, const SlFootprint *foot, const SlFanout *fanout,
                    int segment, SlSpatial *spread);
void sl_spread_sort(int n, SlSpatial *spread); // most trips first

// Is there an axis for every loop? Sorts `spread`. Each axis takes a product of trips up to its
// size.
bool sl_axes_hold(const SlFanout *fanout, int n, SlSpatial *spread);

// The YAML form of a mapping alone (docs/formats/mapping.md).
SlStatus sl_mapping_parse_yaml(const char *name, const char *text, size_t n, SlArena *scratch,
                               SlMapping *mapping, SlError *err);

// Drop loops that never iterate. Changes no count.
void sl_mapping_simplify(const SlLayer *layer, SlMapping *mapping);
