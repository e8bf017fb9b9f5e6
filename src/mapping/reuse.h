// reuse.h - what a nest tells at a glance: trips, tiles, and about how many words it moves.
//
// The classic reading of a loop nest, as in plan_estimate.c but for any nest: a tensor is fetched
// again in every iteration of the loops that do not index it, except for those inside its innermost
// loop that does. Trip counts are means over partial tiles. Rows shared by neighbouring windows are
// credited along the innermost loop only.
//
// Flow: sl_nest_glance -> sl_nest_traffic. Nests of one key (sl_mapping_key) give the same bits.
#pragma once

#include "nest_inside.h"

// Segment s is below level s; index s of tiles is what level s + 1 holds, the last one a MAC.
typedef struct {
    const SlLayer *layer;
    const SlAccel *accel;
    int n;                                    // segments = storage levels with DRAM
    double stride[2], dilation[2];            // of the windows, without common divisor
    double macs, words[SL_N_TENSORS];         // of the whole layer
    double extent[SL_MAX_LEVELS][SL_N_DIMS];  // of the largest tile
    double pieces[SL_MAX_LEVELS][SL_N_DIMS];  // tiles a dim is cut into
    double tile[SL_MAX_LEVELS][SL_N_TENSORS]; // words of the largest tile
    double time[SL_MAX_LEVELS][SL_N_DIMS];    // mean trips of a segment's temporal loops
    double space[SL_MAX_LEVELS][SL_N_DIMS];   // and of its spatial ones
    double idle[SL_MAX_LEVELS][SL_N_TENSORS]; // of those over dims that do not index the tensor:
                                              // instances that hold the same word
    double grid[SL_MAX_LEVELS];               // instances laid out by the segment
    double steps;                             // cycles of the MACs, edges included

    // the temporal loops above the innermost level that iterate, outermost first
    uint8_t first[SL_MAX_LEVELS]; // of segment s; first[n - 1] is their number
    uint8_t dim[SL_MAX_LOOPS];
    double trips[SL_MAX_LOOPS]; // mean
} Glance;

void sl_nest_glance(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                    Glance *glance);

// About what the exact counts would say, in words.
typedef struct {
    double fetched[SL_MAX_LEVELS][SL_N_TENSORS]; // sent towards level l (O: from it), words that
                                                 // several instances share once; 0 = not kept
    double port[SL_MAX_LEVELS];                  // accesses of instance 0
    double link[SL_MAX_LEVELS];                  // over the network that feeds the level
    double ramp_cycles, latency_cycles, energy_pj;
} Traffic;

void sl_nest_traffic(const Glance *glance, const SlMapping *mapping, Traffic *traffic);

// Half the natural logarithm of n positive numbers, in place; the same bits on every machine.
void sl_half_logs(int n, float *x);
