// factors.h - what one dim contributes to the counts of a nest.
//
// A count is a sum of products over dims, and the factor of a dim depends on that dim's tiles alone
// (docs/model.md). Flow: split the nest by dim -> sl_dim_build -> factors with every loop kept are
// ready; those with wrapped loops (sl_dim_factor, sl_window_factor) are computed when first needed.
#pragma once

#include "starling/cost.h"

// Four counts at once. Whole numbers below 2^53, so exact in doubles.
typedef double Lanes __attribute__((vector_size(32)));
enum { LANE_FILL, LANE_PREAD, LANE_OWN0, LANE_SRV0, N_LANES };

// What takes or returns lanes is always inlined: plain functions and clones for AVX2 would pass
// them in different ways (lint/vectors).
#define INLINE static inline __attribute__((always_inline))

enum {
    N_STORES = SL_MAX_LEVELS + 1,                             // storage levels and the MACs
    MAX_ENTRIES = SL_MAX_LEVELS * (SL_MAX_LOOPS + SL_N_DIMS), // (dim, level, wrapped loops)
    MAX_LEAVES = 512, // of one dim: at most (a+1)(b+1) with a+b < SL_MAX_LOOPS loops
    FEW_LEAVES = 16,  // as many as nests in practice have
    MEMO_SLOTS = 225, // pairs of states of a window kept per level: up to 7 loops a dim
};

// A loop of one dim that iterates. Segment s lies between level s and level s + 1.
typedef struct {
    int64_t tile;
    uint8_t segment;
    bool spatial;
} DimLoop;

// What a dim looks like from one level (1..n_levels, the last being the MACs).
typedef struct {
    uint8_t above;          // loops above the level
    uint8_t temporal;       // temporal ones among them
    uint64_t spread;        // spatial ones among them, as bits of DimTable.loops
    int entry;              // its factors start here in Tables.entries, by number of wrapped loops
    int64_t tile;           // largest extent inside
    double grid;            // spatial trips above
    double inst;            // instances of those that ever work
    double runs, runs0;     // steps x instances at work; steps of instance 0
    double sum0;            // extents summed over those (over all instances: the extent of the dim)
    double excess, excess0; // window dims: the same sums of max(0, extent - reduce)
    double first[SL_N_TENSORS]; // part of the words over the network in the first step
    double first_excess;
} DimLevel;

typedef struct {
    int64_t extent;
    int64_t reduce; // window dims: extents up to here share no coordinates
    bool exact;     // every tile divides what it splits
    int n_loops;
    DimLoop loops[SL_MAX_LOOPS];
    DimLevel levels[N_STORES];
} DimTable;

// Factors of one (dim, level, wrapped loops): for each tensor its relevant sum or irrelevant count.
typedef struct {
    Lanes factor[SL_N_TENSORS];
    uint8_t ready; // bit T
} Entry;

// A leaf of a relevant dim: new and old extent of the tile, shift of its start, multiplicity.
typedef struct {
    int64_t now, old, shift;
    double times;
} Leaf;

// The leaves of one state of a window dim, one list per distinct choice of counted instances.
typedef struct {
    int level, state;      // whose leaves these are; level 0 = nothing
    bool overflow;         // more than FEW_LEAVES: not kept
    uint8_t list[N_LANES]; // which list a lane uses
    int n[N_LANES];
    Leaf leaf[N_LANES][FEW_LEAVES];
} LeafSet;

// Factors of one window group, kept between evaluations (search path only).
typedef struct {
    uint32_t age; // a slot is valid if its stamp equals this
    uint32_t stamp[SL_MAX_LEVELS][MEMO_SLOTS];
    Lanes slot[SL_MAX_LEVELS][MEMO_SLOTS];
} WindowMemo;

// A window group: P with R, or Q with S; stride and dilation without their common divisor.
typedef struct {
    int64_t stride, dilation;
    LeafSet cache[2][2]; // [dim of the group][state is an advance]
    WindowMemo *memo;    // NULL = none
} Window;

// What does not depend on the loop order.
typedef struct {
    bool ready;
    SlCount macs, words_out;
    Lanes reach[N_STORES][SL_N_TENSORS]; // product over the relevant dims (I: without windows), all
                                         // loops kept
    Lanes window[N_STORES][2];           // volumes of the window groups
    SlLevelCounts level[N_STORES];       // sizes; of the MACs everything
} Prepared;

// A nest split by dim.
typedef struct {
    int n_levels; // with DRAM
    SlNet net;
    uint8_t keep[N_STORES];                 // of levels 1..; the MACs "keep" everything
    uint8_t parent[N_STORES][SL_N_TENSORS]; // nearest outer level that keeps the tensor
    uint8_t shared[N_STORES]
                  [SL_N_TENSORS]; // fan-outs from there that multicast or reduce it, as bits
    Window windows[2];
    // temporal loops that iterate: bit p of mask[d] = position p, from the innermost, is of dim d
    uint64_t mask[SL_N_DIMS];
    uint8_t dim_at[SL_MAX_LOOPS]; // dim of the temporal loop at position p
    uint8_t inside[N_STORES];     // temporal loops inside the level
    Prepared prepared;
    DimTable dims[SL_N_DIMS];
    Entry entries[MAX_ENTRIES];
} Tables;

static const uint8_t WINDOW_DIMS[2][2] = {{SL_P, SL_R}, {SL_Q, SL_S}};

// Tensors that a dim indexes: sl_tensor_dims the other way round, for the compiler to see.
static const uint8_t DIM_TENSORS[SL_N_DIMS] = {
    1 << SL_I | 1 << SL_O,             // N
    1 << SL_W | 1 << SL_I | 1 << SL_O, // G
    1 << SL_W | 1 << SL_O,             // K
    1 << SL_W | 1 << SL_I,             // C
    1 << SL_I | 1 << SL_O,             // P
    1 << SL_I | 1 << SL_O,             // Q
    1 << SL_W | 1 << SL_I,             // R
    1 << SL_W | 1 << SL_I,             // S
};

static inline bool is_relevant(int dim, int tensor) {
    return DIM_TENSORS[dim] >> tensor & 1;
}

static inline int64_t min_size(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// Take the levels of a mapping: keep masks, parents, networks, windows.
void sl_tables_levels(Tables *tables, const SlLayer *layer, SlNet net, const SlMapping *mapping);

// Rebuild one dim from its loops (those with one trip are dropped); bit i of the result: loop i
// iterates. levels[].entry must be set. Forgets all that was known of the dim.
uint64_t sl_dim_build(Tables *tables, int dim, int64_t extent, int n_loops, const DimLoop *loops);

// Spatial loops (as bits) that each lane counts at index 0 only.
void sl_dim_masks(const Tables *tables, int dim, int level, int tensor, uint64_t zero[N_LANES]);

// Fill entries[entry + wrapped].factor[tensor], wrapped >= 1: overlaps or combinations at work.
void sl_dim_factor(Tables *tables, int dim, int level, int wrapped, int tensor);

// Sum of max(0, extent - reduce) of a window dim over everything the counted instances hold.
double sl_dim_excess(const DimTable *dim, int level, uint64_t zero);

// Sum of |new tile n old tile| with `wrapped` loops wrapped, and all leaves of a state into `list`
// (MAX_LEAVES).
double sl_dim_overlap(const DimTable *dim, int level, int wrapped, uint64_t zero);
int sl_dim_leaves(const DimTable *dim, int level, int state, uint64_t zero, Leaf *list);

// Volume (both states 0) or overlap factor of a window group. A state is twice the number of
// wrapped loops, plus 1 where the next loop outside of them advances.
void sl_window_factor(Tables *tables, int group, int level, int state_a, int state_b, Lanes *out);
