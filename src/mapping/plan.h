// plan.h - the regular nests among which the default mapping is chosen, and an estimate of their
// cost.
//
// A plan has in every segment (see nest_inside.h) at most one temporal loop per dim, then at most
// one spatial loop per dim just above the boundary: `d:(tile * spread) ... d*tile @`. What the
// temporal order decides is which tensor stays, so dims form four classes that move together: by
// the tensor they do not index, and G, which indexes all three.
//
// Flow: sl_plan_world_init -> sl_layouts_find (who is spread where) -> sl_plan_climb (tiles,
// orders) -> sl_plan_write.
#pragma once

#include "nest_inside.h"

typedef enum { CLASS_NPQ, CLASS_K, CLASS_CRS, CLASS_G, N_CLASSES } DimClass;
enum { N_ORDERS = 6, N_STAYING = 3 };

// The dims of each class.
typedef struct {
    int n;
    uint8_t dims[3];
} ClassDims;
extern const ClassDims sl_plan_classes[N_CLASSES];

// The classes without G from outermost to innermost; G is always outside.
extern const uint8_t sl_plan_orders[N_ORDERS][N_STAYING];

// The class that does not index a tensor.
extern const uint8_t sl_plan_idle[SL_N_TENSORS];

// What does not change while plans of one layer on one accelerator are compared.
typedef struct {
    const SlLayer *layer;
    const SlAccel *accel;
    int n;                      // segments = storage levels with DRAM
    double words[SL_N_TENSORS]; // of the whole tensors
    double macs;
    double stride[2], dilation[2];               // without their common divisor
    int parent[SL_MAX_LEVELS + 1][SL_N_TENSORS]; // nearest outer level that keeps the tensor
    uint8_t keep[SL_MAX_LEVELS + 1];             // [0] DRAM and [n] the MACs: all
} World;

typedef struct {
    int64_t tile[SL_MAX_LEVELS][SL_N_DIMS];   // inside segment s; ones in the last segment
    int64_t spread[SL_MAX_LEVELS][SL_N_DIMS]; // instances that segment s may use, >= 1
    uint8_t order[SL_MAX_LEVELS];             // of segment s, row of sl_plan_orders
} Plan;

// Counts of one dim after each segment, partial tiles included.
typedef struct {
    double steps[SL_MAX_LEVELS]; // iterations of the temporal loops (instance 0)
    double tiles[SL_MAX_LEVELS]; // pieces the dim is cut into
    int n_loops;                 // with more than one trip
} DimRow;

// Mean trip counts of a segment.
typedef struct {
    double time[N_CLASSES];  // of the temporal loops of a class
    double space[N_CLASSES]; // of its spatial loops
    double rows, columns;    // of the temporal loops over P and Q
    double all;              // instances: product of `space`
} Trips;

// Everything that is counted of a plan before its orders matter.
typedef struct {
    DimRow dim[SL_N_DIMS];
    Trips trips[SL_MAX_LEVELS];
    double steps;       // of the whole nest
    double ramp_cycles; // before the first step of every level can start
} PlanCounts;

void sl_plan_world_init(World *world, const SlLayer *layer, const SlAccel *accel);

// Count the dims in `dims` (bits) anew, and what follows.
void sl_plan_count(const World *world, const Plan *plan, int dims, PlanCounts *counts);
bool sl_plan_fits(const World *world, const Plan *plan, int boundary, SlViolation *why);

// All tiles fit and a nest has space for the loops.
bool sl_plan_is_legal(const World *world, const Plan *plan, const PlanCounts *counts);
void sl_plan_write(const World *world, const Plan *plan, SlMapping *mapping);

// About what sl_cost_eval would say. Exact where all tilings are, except for halos of windows.
typedef struct {
    double latency_cycles, energy_pj;
} Estimate;
Estimate sl_plan_estimate(const World *world, const Plan *plan, const PlanCounts *counts);

// The smallest tiles that keep the plan's spread busy; cuts the spread until they fit. All levels
// must be able to hold tiles of one.
void sl_plan_start(const World *world, Plan *plan);

// Give boundary b tiles of `size` in one dim. Tiles further in are cut to it; tiles further out
// grow so that no spread loses instances.
void sl_plan_set_tile(const World *world, int b, int dim, int64_t size, Plan *plan);

// Double tiles from the inside out while they fit, the dims of one class first, then the next ones.
void sl_plan_fill(const World *world, DimClass first, Plan *plan);

// Ways to spread dims over the fan-outs that leave few steps and little energy, best first, into
// `plans` (room); returns their number, >= 1. Tiles are those of sl_plan_start.
int sl_layouts_find(const World *world, int room, Plan *plans);

// Improve tiles and orders while that lowers latency x energy; `sweeps` bounds the work. Returns
// the product, INFINITY for a plan that is not legal.
double sl_plan_climb(const World *world, int sweeps, Plan *plan);
