// bound_inside.h - what the files about bounds share (docs/optimum.md).
//
// Flow: bound_branches.c lists the branches and their first bounds -> bound_sizes.c finds the tile
// sizes of a branch when a walk comes to it -> bound_options.c and
// bound_pairs.c build, per dim and window, the tile sizes of a level with what each contributes
// (bound_chain.c: its loops; bound_open.c: with the tiles outside open; bound_cache.c keeps them)
// -> bound_level.c bounds a level from chosen and open dims, bound_stage.c all levels ->
// bound_orders.c finds the best loop orders of fixed tiles -> bound_tree.c walks.
//
// Segment s lies between level s and level s + 1. A dim has at most one loop in time per segment.
// Seen from level l it is in one of 2 l + 1 states: 0 every loop stands where it is; for s = l - 1
// down to 0: the loop of segment s advances and those inside wrap, then: it wraps as well.
#pragma once

#include "price.h"
#include "starling/cost/bound.h"

enum {
    MAX_CHIP = SL_MAX_LEVELS - 1,  // levels on chip
    MAX_STATES = 2 * MAX_CHIP + 1, // of a dim
    N_LOADS = 2 + 2 * MAX_CHIP,    // what mappings use up: energy, links, ports
    LOAD_ENERGY = 0,
    LOAD_LINK = 1,            // of level 1..MAX_CHIP
    LOAD_PORT = 1 + MAX_CHIP, // of level 0..MAX_CHIP
    MAX_BRANCHES = 1 << 16,
    NO_CLASS = SL_N_DIMS, // no loop above the level moves
};

// Energy in pJ, words over links and ports.
enum { LOAD_LANES = (N_LOADS + N_LANES - 1) / N_LANES };
typedef union {
    double of[LOAD_LANES * N_LANES]; // N_LOADS are used
    Lanes lanes[LOAD_LANES];
} Load;

static inline void load_clear(Load *load) {
    for (int i = 0; i < LOAD_LANES; i++) load->lanes[i] = (Lanes){0, 0, 0, 0};
}
static inline void load_add(Load *load, const Load *more) {
    for (int i = 0; i < LOAD_LANES; i++) load->lanes[i] += more->lanes[i];
}
static inline void load_subtract(Load *load, const Load *less) {
    for (int i = 0; i < LOAD_LANES; i++) load->lanes[i] -= less->lanes[i];
}

// How one dim is spread over all fan-outs.
typedef struct {
    int64_t clusters[SL_MAX_LEVELS];          // of fan-out l over this dim, 1 = none
    int64_t most[SL_MAX_LEVELS][SL_MAX_AXES]; // instances it may take
    bool spread;
    bool spread_above[MAX_CHIP + 2]; // at a fan-out outside level l
} Role;

// The tile sizes that a dim may have in a role.
typedef struct {
    int n[MAX_CHIP + 1];               // 0 = whole
    const int64_t *list[MAX_CHIP + 1]; // [level], ascending
} TileSizes;

// A branch with the role of every dim.
typedef struct {
    SlSpread spread;
    uint16_t role[SL_N_DIMS];
    double root;
} Branch;

// A load with a rate: it takes time, beside the MACs or after them.
typedef struct {
    uint8_t load;
    bool adds;
    double cycles_per_word;
} Timed;

struct SlBounds {
    const SlSpace *space;
    const SlLayer *layer;
    const SlAccel *accel;
    SlGoal goal;
    int n_chip; // levels on chip
    int n_live; // dims of extent above 1
    uint8_t live[SL_N_DIMS];
    int64_t start[SL_N_DIMS];                   // T_0: extents, but 1 for outermost dims
    double latency_power, energy_power, factor; // value = factor latency^a energy^b
    Rates rates;
    SlNet net;
    bool plain_macs; // they share no operands, and the port of the level they ask never binds
    int n_timed;
    Timed timed[N_LOADS];
    uint8_t keep[MAX_CHIP + 2], parent[MAX_CHIP + 2][SL_N_TENSORS];
    double words[SL_N_TENSORS], macs; // of the layer
    int64_t stride[2], dilation[2];   // reduced
    double window[2];                 // distinct rows, columns
    // joules and words of one unit of a lane: [level 1..n_chip, n_chip + 1 = MACs][tensor]
    Lanes energy[MAX_CHIP + 2][SL_N_TENSORS];
    double psum_pj[MAX_CHIP + 2]; // of one partial sum read back
    uint8_t inner[MAX_CHIP + 1]
                 [SL_N_DIMS]; // dims that must be inside a dim in the order of a level
    int n_roles[SL_N_DIMS];
    Role *roles[SL_N_DIMS];
    int n_branches;
    Branch *branches;
};

// What a dim contributes at one level, for one tile or the least over several.
typedef struct {
    Lanes plain[SL_N_TENSORS]; // every loop kept: extents (relevant) or combinations at work
    Lanes near[SL_N_TENSORS];  // relevant: plain minus what stays when its innermost loop wraps;
                               // irrelevant: combinations with the loop above the level wrapped
    Lanes still[SL_N_TENSORS]; // relevant: plain; irrelevant: all loops wrapped
    Lanes mac[SL_N_TENSORS];   // the same at the MACs, every loop kept
    double first[SL_N_TENSORS], first_more; // in the first step over the network
    double inst;                            // instances of the level at work; of one tile alone
} Factors;

// A tile size of a dim in a level, below fixed outer tiles.
typedef struct {
    int64_t tile, extent;
    bool moves;  // its loop just above the level iterates
    bool active; // some loop above the level does
    bool rests;  // none does (with tiles outside open both may be)
    Factors own;
    Lanes state[MAX_CHIP + 1][SL_N_TENSORS]; // [s]: loops of segments s.. wrapped; [level]: plain
    double ratio[SL_N_TENSORS];              // least of near / plain
} Option;

typedef struct {
    int n;
    Option *list;         // (n) ascending
    Factors *least;       // (n) over options 0..i
    Factors *least_class; // (n) over those of 0..i that can have the innermost loop: they move
                          // (innermost level) or are active
    int first_class;      // the first of those; n = none
    int64_t rest_extent;  // least extent of those that rest, 0 = none does
} Block;

// The same of the window groups.
typedef struct {
    Lanes plain;   // volume
    Lanes near[2]; // where the first (second) dim has the innermost loop
} PairFactors;

typedef struct {
    int n[2];
    PairFactors *own;    // (n[0], n[1])
    PairFactors *row;    // (n[0]) least over the second dim
    PairFactors *column; // (n[1]) least over the first
    PairFactors *least;  // (n[0]) least over rows 0..i
    Lanes *state;        // (n[0], n[1], states, states), NULL where tiles outside are open
    int n_states;
} PairBlock;

// Everything known at one level while walking.
typedef struct {
    const Block *block[SL_N_DIMS];
    const PairBlock *pair[2];
    int chosen[SL_N_DIMS];    // option, -1 = open
    int cap[SL_N_DIMS];       // largest option that can fit
    uint8_t order[SL_N_DIMS]; // of the live dims in the walk
    bool window_split[2];     // instances share rows (columns) of the input among them
    bool strict;              // the class names the loop just above the level, else any above it
    double instances; // of the parent of O that ever work, over reduction dims; the most if open
} Stage;

typedef struct CacheSlot CacheSlot;

struct SlBoundWork {
    const SlBounds *bounds;
    Tables tables; // where factors are computed
    Stage stages[MAX_CHIP + 1];
    const Branch *branch;
    const TileSizes *sizes[SL_N_DIMS];              // in this branch
    double most_instances[MAX_CHIP + 1][SL_N_DIMS]; // of a level over a dim, in this branch
    Load fixed[MAX_CHIP + 1];  // of levels whose tiles are all chosen: the least over orders
    Load deep[MAX_CHIP + 1];   // of levels whose tiles are all open
    double mac_instances;      // of the level that keeps the sums of the MACs, over reduction dims
    double ramp[MAX_CHIP + 1]; // of levels whose tiles are all chosen
    int class_now;             // of the innermost level
    bool thrifty;              // without tiles that others make needless
    struct OrderFront *fronts; // scratch of bound_orders.c
    CacheSlot *slots;
    size_t n_slots, n_used;
    struct Chunk *chunks;
    size_t bytes; // on the heap
    bool failed;  // no memory
    // of the walk
    double threshold, epsilon, bound, value;
    SlMapping mapping;
    SlPricer *pricer; // prices what is found
    int64_t nodes;
    const SlCloseLimits *limits; // NULL = none
    bool stopped;
};

static inline int64_t ceil_div(int64_t a, int64_t b) {
    return (a - 1) / b + 1;
}

static inline bool has(unsigned set, int d) {
    return set >> d & 1;
}

// ---- bound_sizes.c ----

const SlParam *sl_tile_param(const SlSpace *space, int level, int d); // NULL = whole
int sl_sort_unique(int n, int64_t *list); // ascending; returns how many differ
// Sizes of dim d in the branch at which the work stands; kept until the work is cleared. NULL
// without memory.
const TileSizes *sl_sizes_get(SlBoundWork *work, int d);
// Sizes of a tile below a tile of `whole`; returns their number, counted only if NULL.
int sl_sizes_below(const TileSizes *known, int level, int64_t whole, int64_t *sizes);

// ---- bound_chain.c: the loops of one dim ----

// Loops of dim d above level `level` (n_chip + 1 = all) with tiles[0..]; extents[l] of every level.
int sl_chain_loops(const SlBounds *bounds, int d, const Role *role, const int64_t *tiles, int level,
                   DimLoop *loops);
// Instances over which a role spreads a dim in the fan-outs from..to.
double sl_role_instances(const SlBounds *bounds, const Role *role, int from, int to);
// The least a dim contributes to the MACs if instance 0 takes `steps` steps; out [tensor].
void sl_role_macs(const SlBounds *bounds, int d, const Role *role, double steps, Lanes *out);

int64_t sl_chain_extent(const Role *role, int level, const int64_t *tiles);

// ---- bound_options.c, bound_pairs.c, bound_open.c, bound_cache.c ----

// Options of dim d in `level` below the tiles[0..level-1]; kept until the work is cleared. NULL
// without memory, or interrupted.
const Block *sl_block_get(SlBoundWork *work, int d, int level, const int64_t *tiles);
const PairBlock *sl_pair_get(SlBoundWork *work, int group, int level, const int64_t *tiles_a,
                             const int64_t *tiles_b);
// The same for all tiles outside at once: the least over them.
const Block *sl_block_any(SlBoundWork *work, int d, int level);
const PairBlock *sl_pair_any(SlBoundWork *work, int group, int level);
void sl_work_clear(SlBoundWork *work); // forget all blocks
// Does someone want an end while blocks are built? Then what is being built is left.
bool sl_work_interrupted(SlBoundWork *work);

// ---- bound_level.c ----

// Bytes that tiles of these extents need in a level.
double sl_level_bytes(const SlBounds *bounds, int level, const int64_t e[SL_N_DIMS]);

// Can class c have the innermost loop above the level, given what is chosen and can fit?
bool sl_class_open(const SlBounds *bounds, int level, const Stage *stage, int c);

// Largest options that fit next to what is chosen, into cap; false if nothing fits.
bool sl_stage_caps(const SlBounds *bounds, int level, Stage *stage);

// Lower bound of what level `level` uses up if class c has the innermost loop above it.
void sl_level_bound(const SlBounds *bounds, int level, const Stage *stage, int c, Load *out);
// What the level would use up if nothing stayed from step to step; all tiles chosen.
void sl_level_volume(const SlBounds *bounds, int level, const Stage *stage, Load *out);
// Of the MACs: cycles, and what they use up.
double sl_macs_bound(const SlBounds *bounds, const Factors *const of[SL_N_DIMS], double instances,
                     Load *out);
// Fill the level for the first time.
double sl_ramp_bound(const SlBounds *bounds, int level, const Stage *stage);

double sl_load_value(const SlBounds *bounds, const Load *load, double cycles, double ramp);

// ---- bound_orders.c ----

struct OrderFront *sl_fronts_make(int n, SlArena *arena); // NULL without memory

// What level `level` uses up at least, over all orders of the loops above; all tiles chosen.
void sl_orders_least(SlBoundWork *work, int level, Load *out);

// The least value over all orders with class_now innermost above the last level; all tiles chosen.
// Orders into `order` [level][..] unless NULL, exact where it is below the threshold.
double sl_orders_best(SlBoundWork *work, double threshold, SlScheme *scheme);

// ---- bound_stage.c ----

// Begin at a branch: the bounds of levels with open tiles, and the options of level 1. If it is
// interrupted, the work is stopped and stands nowhere.
SlStatus sl_branch_enter(SlBoundWork *work, int i, SlError *err);
// Begin at a level whose outer levels are chosen; false without memory, or interrupted.
bool sl_stage_enter(SlBoundWork *work, int level);
// Lower bound of every mapping below the node at which the walk stands in `level`.
double sl_node_bound(const SlBoundWork *work, int level);

// Tiles of dim d in levels 0..level-1.
void sl_tiles_above(const SlBoundWork *work, int d, int level, int64_t *tiles);
// Instances of level p over the reduction dims: exact where its tiles are chosen, else the most.
double sl_instances_of(const SlBoundWork *work, int p, int chosen_upto);

// ---- for tests ----

// The exact least value over all loop orders for fixed tiles. The scheme must be of branch i; its
// orders are set to the best ones. INFINITY if it does not fit.
double sl_bounds_orders(SlBoundWork *work, int i, SlScheme *scheme);

// Bounds of all nodes on the way from the root of branch i to a scheme, in the order of the walk
// (root, tiles of each level one by one, the leaf); returns how many, at most SL_MAX_PATH. `out`
// (SL_MAX_PATH). -1 where the scheme is not in the branch.
enum { SL_MAX_PATH = 96 };
int sl_bounds_path(SlBoundWork *work, int i, const SlScheme *scheme, double *out);

// The branch that holds a scheme (as decoded and repaired), -1 if none.
int sl_bounds_find(const SlBounds *bounds, const SlScheme *scheme);

// Sizes that a tile of `dim` in `level` may have in branch i below a tile of `whole` of the level
// outside, ascending, into `sizes` (docs/formats/certificate.md); returns their number, counted
// only if NULL; -1 without memory.
int sl_bounds_sizes(SlBoundWork *work, int i, int level, int dim, int64_t whole, int64_t *sizes);
