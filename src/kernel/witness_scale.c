// witness_scale.c - the same nest over a smaller layer.
//
// Every loop keeps at most `most` iterations. Tiles are rebuilt from the inside out: a tile is as
// many inner tiles as its loop has iterations left, less what was missing at its edge.
#include "witness_inside.h"

enum { MOST_TRIPS = 4096 }; // more are too large anyhow

// the extent that a loop cuts into tiles, from the tile it was cut into and the one it has now
static int64_t rebuilt(int64_t extent, int64_t tile, int64_t trips, int64_t most, int64_t now) {
    int64_t last = extent - (trips - 1) * tile, left = trips < most ? trips : most;
    if (last == tile) return left * now;
    return (left - 1) * now + (last < now ? last : now - 1);
}

static void shrink(const SlWitnessJob *job, const WitnessPlan *plan, int64_t most, SlLayer *layer,
                   SlMapping *mapping) {
    const SlMapping *old = job->mapping;
    for (int d = 0; d < SL_N_DIMS; d++) {
        // what each loop cuts, before
        int64_t extent[SL_MAX_LOOPS + 1], now = 1;
        extent[0] = job->layer->dims[d];
        for (int i = 0; i < old->n_loops; i++) {
            bool cuts = old->loops[i].dim == d && old->loops[i].tile < extent[i];
            extent[i + 1] = cuts ? old->loops[i].tile : extent[i];
        }
        for (int i = old->n_loops - 1; i >= 0; i--) {
            if (old->loops[i].dim != d) continue;
            mapping->loops[i].tile = now;
            now = rebuilt(extent[i], extent[i + 1], plan->trips[i], most, now);
        }
        layer->dims[d] = now;
    }
}

bool sl_witness_scale(const SlWitnessJob *job, SlLayer *layer, SlMapping *mapping, int64_t *trips) {
    WitnessPlan plan;
    *layer = *job->layer;
    *mapping = *job->mapping;
    *trips = 0;
    if (!sl_witness_check(job)) return true;
    sl_witness_plan(job, &plan);
    const SlWitnessJob small = {.layer = layer, .accel = job->accel, .mapping = mapping};
    for (int64_t most = MOST_TRIPS; most >= 2; most--) {
        shrink(job, &plan, most, layer, mapping);
        *trips = most;
        if (!sl_witness_check(&small)) return true;
    }
    return false;
}
