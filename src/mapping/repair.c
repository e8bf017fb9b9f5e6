// repair.c - make a nest fit an accelerator, changing as little as possible.
//
// In this order, none of which undoes an earlier one:
//   1. levels     surplus boundaries are dropped from the inside, missing ones added after the last
//                 loop
//   2. keep       a level gives up the tensors it cannot hold; they then bypass it
//   3. spread     loops over dims that a fan-out does not take, and what exceeds its instances,
//                 become steps in time; no tile at any boundary changes
//   4. capacity   from the inside out: extra temporal loops just above a boundary cut its tile.
//                 Everything inside sees smaller extents, so no trip count there grows
#include "nest_inside.h"

#include <assert.h>
#include <string.h>

// put a loop at `position` of `segment`; there must be room
static void insert_loop(SlMapping *mapping, int segment, int position, SlLoop loop) {
    assert(mapping->n_loops < SL_MAX_LOOPS);
    memmove(&mapping->loops[position + 1], &mapping->loops[position],
            (size_t)(mapping->n_loops - position) * sizeof loop);
    mapping->loops[position] = loop;
    mapping->n_loops++;
    for (int b = segment; b < mapping->n_boundaries; b++) mapping->at[b]++;
}

// take out the loop at `position` of some segment
static void remove_loop(SlMapping *mapping, int position) {
    mapping->n_loops--;
    memmove(&mapping->loops[position], &mapping->loops[position + 1],
            (size_t)(mapping->n_loops - position) * sizeof mapping->loops[0]);
    mapping->loops[mapping->n_loops] = (SlLoop){0};
    for (int b = 0; b < mapping->n_boundaries; b++)
        if (mapping->at[b] > position) mapping->at[b]--;
}

static void fix_levels(const SlAccel *accel, SlMapping *mapping) {
    int n = accel->n_levels - 1;
    for (int b = mapping->n_boundaries; b < n; b++) {
        mapping->at[b] = mapping->n_loops;
        mapping->keep[b] = accel->levels[b + 1].keep;
    }
    for (int b = n; b < SL_MAX_BOUNDARIES; b++) mapping->at[b] = mapping->keep[b] = 0;
    mapping->n_boundaries = (uint8_t)n;
    for (int b = 0; b < n; b++) mapping->keep[b] &= accel->levels[b + 1].keep;
}

// --- spread

static bool fanout_holds(const SlFanout *fanout, int n, SlSpatial *spread) {
    double product = 1;
    for (int i = 0; i < n; i++) product *= (double)spread[i].trips;
    return n == 0 || (product <= (double)sl_fanout_size(fanout) && sl_axes_hold(fanout, n, spread));
}

// the tightest axis that takes the whole loop, else the one with most room
static int best_axis(const SlFanout *fanout, const int64_t *left, const SlSpatial *spread) {
    int best = -1;
    for (int a = 0; a < fanout->n_axes; a++) {
        if (!(spread->axes >> a & 1)) continue;
        bool takes = left[a] >= spread->trips;
        bool held = best >= 0 && left[best] >= spread->trips;
        if (best < 0 || (takes && !held) || (takes && left[a] < left[best]) ||
            (!held && left[a] > left[best]))
            best = a;
    }
    return best;
}

// give the loop at `i` at most `room` instances; what it did side by side it then does in turns,
// each instance a run of neighbouring tiles
static void narrow_loop(SlMapping *mapping, int segment, int i, int64_t trips, int64_t room) {
    SlLoop *loop = &mapping->loops[i];
    int64_t turns = sl_ceil_div(trips, room);
    if (turns == 1) return;
    if (turns == trips || mapping->n_loops == SL_MAX_LOOPS) {
        loop->spatial = false;
        return;
    }
    SlLoop inner = {.tile = loop->tile, .dim = loop->dim};
    loop->tile *= turns;
    insert_loop(mapping, segment, i + 1, inner);
}

static void fix_spread(const SlLayer *layer, const SlAccel *accel, int segment,
                       SlMapping *mapping) {
    const SlFanout *fanout = &accel->fanouts[segment];
    SlSpatial spread[SL_MAX_LOOPS];
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    int n = sl_spread_loops(mapping, &foot, fanout, segment, spread);
    for (int i = 0; i < n; i++)
        if (spread[i].axes == 0) mapping->loops[spread[i].loop].spatial = false;
    n = sl_spread_loops(mapping, &foot, fanout, segment, spread);
    if (fanout_holds(fanout, n, spread)) return;

    // the loops with most trips choose their axes first and get what is left of them
    int64_t left[SL_MAX_AXES] = {0}, room[SL_MAX_LOOPS] = {0};
    for (int a = 0; a < fanout->n_axes; a++) left[a] = fanout->axes[a].size;
    sl_spread_sort(n, spread);
    for (int i = 0; i < n; i++) {
        int a = best_axis(fanout, left, &spread[i]);
        assert(a >= 0 && left[a] >= 1); // loops without an axis are temporal by now
        room[spread[i].loop] = left[a];
        int64_t turns = sl_ceil_div(spread[i].trips, left[a]);
        left[a] /= sl_ceil_div(spread[i].trips, turns);
    }

    // from the inside, so that positions further out stay
    for (int i = SL_MAX_LOOPS - 1; i >= 0; i--)
        if (room[i] > 0) narrow_loop(mapping, segment, i, foot.trips[i], room[i]);
}

// --- capacity

// The tile of one boundary and what decides its size.
typedef struct {
    const SlLayer *layer;
    const SlAccel *accel;
    const SlMapping *mapping;
    int b; // boundary; storage level b + 1
} Tile;

static bool tile_fits(const Tile *tile, const int64_t *extent, SlViolation *why) {
    int64_t words[SL_N_TENSORS];
    sl_tile_words(tile->layer, extent, words);
    return sl_level_fits(tile->layer, tile->accel, tile->b + 1, tile->mapping->keep[tile->b], words,
                         why);
}

// instances that dim `dim` keeps busy below the boundary when the tile has extent e
static double busy_below(const Tile *tile, int dim, int64_t e) {
    double busy = 1;
    for (int i = tile->mapping->at[tile->b]; i < tile->mapping->n_loops; i++) {
        const SlLoop *loop = &tile->mapping->loops[i];
        if (loop->dim != dim) continue;
        if (loop->spatial) busy *= (double)sl_ceil_div(e, sl_smaller(loop->tile, e));
        e = sl_smaller(loop->tile, e);
    }
    return busy;
}

// bytes freed by halving a dim per byte that then moves twice; 0 = frees nothing
static double halving_score(const Tile *tile, const int64_t *extent, int dim) {
    SlViolation before, after;
    int64_t half[SL_N_DIMS];
    memcpy(half, extent, sizeof half);
    half[dim] = (extent[dim] + 1) / 2;
    tile_fits(tile, extent, &before);
    tile_fits(tile, half, &after);
    double lost = 0;
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (2 * after.bytes[t] > before.bytes[t]) lost += 2 * after.bytes[t] - before.bytes[t];
    double idle = busy_below(tile, dim, extent[dim]) / busy_below(tile, dim, half[dim]);
    return (before.need - after.need) / ((1 + lost) * idle * idle);
}

// the largest balanced extent of `dim` up to `whole` that still fits
static int64_t regrow(const Tile *tile, const int64_t *extent, int dim, int64_t whole) {
    int64_t grown[SL_N_DIMS], low = extent[dim], high = whole;
    memcpy(grown, extent, sizeof grown);
    while (low < high) {
        SlViolation why;
        grown[dim] = low + (high - low + 1) / 2;
        if (tile_fits(tile, grown, &why))
            low = grown[dim];
        else
            high = grown[dim] - 1;
    }
    return sl_ceil_div(whole, sl_ceil_div(whole, low));
}

// extents not above `extent` that fit; false, with the inequality, if none does
static bool shrink_tile(const Tile *tile, int64_t *extent, SlViolation *why) {
    int64_t whole[SL_N_DIMS];
    memcpy(whole, extent, sizeof whole);
    while (!tile_fits(tile, extent, why)) {
        int best = -1;
        double best_score = 0;
        for (int d = 0; d < SL_N_DIMS; d++) {
            double score = extent[d] > 1 ? halving_score(tile, extent, d) : 0;
            if (score <= best_score) continue;
            best = d;
            best_score = score;
        }
        if (best < 0) return false;
        extent[best] = (extent[best] + 1) / 2;
    }
    for (int d = 0; d < SL_N_DIMS; d++)
        if (extent[d] < whole[d]) extent[d] = regrow(tile, extent, d, whole[d]);
    return true;
}

// first loop over `dim` at or after `from`, -1 if there is none
static int find_loop(const SlMapping *mapping, int dim, int from) {
    for (int i = from; i < mapping->n_loops; i++)
        if (mapping->loops[i].dim == dim) return i;
    return -1;
}

// cut `dim` to tiles of at most `size` above boundary b: by the segment's own last loop if that is
// temporal, by a new loop, or, where the nest is full, by the next loop from inside
static void cut_dim(SlMapping *mapping, int b, int dim, int64_t size) {
    int begin = sl_segment_begin(mapping, b), last = -1;
    for (int i = find_loop(mapping, dim, begin); i >= 0 && i < mapping->at[b];
         i = find_loop(mapping, dim, i + 1))
        last = i;
    if (last >= 0 && !mapping->loops[last].spatial) {
        mapping->loops[last].tile = size;
        return;
    }
    SlLoop cut = {.tile = size, .dim = (uint8_t)dim};
    if (mapping->n_loops == SL_MAX_LOOPS) {
        int next = find_loop(mapping, dim, mapping->at[b]);
        assert(next >= 0); // the extent here is above 1, so a loop further in makes it 1
        cut.tile = sl_smaller(size, mapping->loops[next].tile);
        remove_loop(mapping, next);
    }
    insert_loop(mapping, b, mapping->at[b], cut);
}

static SlStatus fix_capacity(const SlLayer *layer, const SlAccel *accel, int b, SlMapping *mapping,
                             SlError *err) {
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    Tile tile = {.layer = layer, .accel = accel, .mapping = mapping, .b = b};
    int64_t extent[SL_N_DIMS];
    memcpy(extent, foot.extent[b], sizeof extent);

    SlViolation why;
    if (!shrink_tile(&tile, extent, &why)) {
        char text[256];
        sl_violation_text(accel, &why, sizeof text, text);
        return sl_fail(err, SL_EINPUT, "%s even for the smallest tile", text);
    }
    for (int d = 0; d < SL_N_DIMS; d++)
        if (extent[d] < foot.extent[b][d]) cut_dim(mapping, b, d, extent[d]);
    sl_mapping_simplify(layer, mapping);
    return SL_OK;
}

SlStatus sl_mapping_repair(const SlLayer *layer, const SlAccel *accel, SlMapping *mapping,
                           SlError *err) {
    assert(!sl_mapping_check(layer, mapping));
    SlFit fit;
    if (sl_mapping_fit(layer, accel, mapping, &fit)) return SL_OK;

    SlMapping mended = *mapping;
    sl_mapping_simplify(layer, &mended);
    fix_levels(accel, &mended);
    for (int s = 0; s < accel->n_levels; s++) fix_spread(layer, accel, s, &mended);
    for (int b = mended.n_boundaries - 1; b >= 0; b--) {
        SlStatus status = fix_capacity(layer, accel, b, &mended, err);
        if (status != SL_OK) return status;
    }
    assert(!sl_mapping_check(layer, &mended) && sl_mapping_fit(layer, accel, &mended, &fit));
    *mapping = mended;
    return SL_OK;
}
