// timeloop_inside.h - what the reader and the writer of Timeloop documents share.
#pragma once

#include "nest_inside.h"

enum {
    SL_TIMELOOP_NAME = 48,  // bytes of a node's name
    SL_TIMELOOP_NODES = 64, // targets of a mapping, nodes of an architecture that is written
    SL_TIMELOOP_TRIPS = 64, // loops of a mapping that iterate, before they are counted
};

extern const char *const sl_timeloop_tensors[SL_N_TENSORS + 1]; // "Weights", "Inputs", "Outputs"

// The name of a level where only letters, digits and '_' are sure to be read: what else it has
// becomes '_', and a digit in front gets an 'L'.
void sl_timeloop_name(const char *level, char out[static SL_TIMELOOP_NAME]);

// One loop of a mapping as Timeloop gives it: `end` iterations, the last one of the loops over this
// dim outside it `last` (equal where tiles divide). end 0 = all that the other loops leave.
typedef struct {
    int64_t end, last;
    uint8_t dim;
    bool spatial;
    const SlNode *node; // for errors
} SlTrip;

// What dims a document has: the letter that stands for K, and the order in which a permutation is
// filled up.
typedef struct {
    char k;      // 'K' or 'M'; 0 = not seen yet
    int n_order; // 0 = unknown
    uint8_t order[SL_N_DIMS];
} SlTimeloopDims;

// The dim that a letter stands for, -1 if none does. M and K are both the output channels, in a
// document only one of them.
int sl_timeloop_dim(SlTimeloopDims *dims, char letter);

// The loops of an entry (a map) that iterate, outermost first, behind those in `trips`
// (SL_TIMELOOP_TRIPS).
SlStatus sl_timeloop_entry(const SlNode *map, bool spatial, SlTimeloopDims *dims, int *n_trips,
                           SlTrip *trips, SlError *err);

// The tiles of all loops into `loops`, given outermost first: zeros are filled in, and the loops
// over each dim must make up the layer.
SlStatus sl_timeloop_tiles(const SlLayer *layer, const SlNode *place, int n_trips, SlTrip *trips,
                           SlLoop *loops, SlError *err);

// `problem` must be that of the layer. Its dims become known.
SlStatus sl_timeloop_problem(const SlNode *problem, const SlLayer *layer, SlTimeloopDims *dims,
                             SlError *err);

typedef enum { SL_ENTRY_TEMPORAL, SL_ENTRY_SPATIAL, SL_ENTRY_KEEP, SL_N_ENTRIES } SlEntryType;

// A node of the architecture, as far as the mapping speaks of it.
typedef struct {
    const char *name;
    const SlNode *entries[SL_N_ENTRIES]; // NULL = none
    const SlNode *place;                 // for errors
    int keep;                            // tensors
    bool storage;                        // a level, not just a place for loops
    bool spread_above;                   // its spatial loops lie outside its boundary
} SlTarget;

// A mapping being read.
typedef struct {
    const SlLayer *layer;
    const SlAccel *accel; // may be NULL
    SlTimeloopDims dims;
    int n;
    SlTarget list[SL_TIMELOOP_NODES]; // outermost first once in order
    SlError *err;
} SlTargets;

SlTarget *sl_timeloop_find(SlTargets *r, const char *name); // NULL if there is none

// What a map with `keep` and `bypass` keeps: all that is not bypassed.
SlStatus sl_timeloop_keep(const SlNode *map, int *keep, SlError *err);

// Put the targets of the entries in `list` in order, outermost first, and find out which are
// levels. `architecture` may be NULL.
SlStatus sl_timeloop_order(SlTargets *r, const SlNode *list, const SlNode *architecture);
