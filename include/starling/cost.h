// cost.h - what a mapping costs: counts equal to executing the nest, then latency, energy, area.
//
// Flow: sl_cost_eval prices any nest; a search uses sl_pricer_make -> _set_nest, _set_tiles,
// _set_order -> _eval. sl_cost_explain says where the numbers come from, sl_floor_eval how far they
// are from the limit.
#pragma once

#include "starling/mapping.h"

SL_API_BEGIN

// A whole number below 2^53, so exact.
typedef double SlCount;

// Counts of one storage level (or of the MACs), in words. Definitions: docs/model.md. Zero where a
// tensor is not kept.
typedef struct {
    SlCount fill[SL_N_TENSORS];  // written into all instances (O: residencies begun)
    SlCount pread[SL_N_TENSORS]; // read at the parent (O: partial sums read back)
    SlCount own0[SL_N_TENSORS];  // fill of instance 0
    SlCount srv0[SL_N_TENSORS];  // pread at parent instance 0
    SlCount tile[SL_N_TENSORS];  // largest tile of one instance
    SlCount first[SL_N_TENSORS]; // over the network in the first step
    SlCount upd, upd0;           // updates of O at the parent; at parent instance 0
    SlCount cov0;                // distinct O elements instance 0 ever holds
    SlCount inst, grid;          // instances that ever work; instances laid out
} SlLevelCounts;

// The i-th count of a level (of sl_count_names), and its name at one of `n_levels` (with DRAM):
// "l1_fill_W", "mac_..." behind the last of them.
enum { SL_COUNT_NAME = 32 };
double sl_level_count(const SlLevelCounts *counts, int i);
const char *sl_level_count_name(int level, int n_levels, int i,
                                char out[SL_AT_LEAST(SL_COUNT_NAME)]);

// All counts of a nest. Index l = storage level (0 DRAM, boundary b of the nest being level b + 1);
// level[n_levels] = the MACs; what lies beyond is left alone.
typedef struct {
    int n_levels; // with DRAM
    SlCount macs, cycles;
    SlLevelCounts level[SL_MAX_LEVELS + 1]; // [0] is empty: nothing fills DRAM
} SlCounts;

// Which networks multicast and reduce: bit l is the fan-out below level l.
typedef struct {
    uint8_t multicast, reduction;
} SlNet;
SlNet sl_accel_net(const SlAccel *accel);

// Count any well-formed nest (sl_mapping_check). Pure; allocates nothing, but takes up to 150 KB of
// stack; any thread.
void sl_counts_eval(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlCounts *out);

// What the latency is made of and what binds it.
typedef enum { SL_BIND_COMPUTE, SL_BIND_PORT, SL_BIND_LINK } SlBindKind;
typedef struct {
    SlBindKind kind;
    int level; // PORT, LINK
} SlBinder;

// Everything about one mapping on one accelerator.
typedef struct {
    SlCounts counts;
    SlCount reads[SL_MAX_LEVELS], writes[SL_MAX_LEVELS]; // of all instances of a level
    SlCount port[SL_MAX_LEVELS];                         // accesses of instance 0
    SlCount link[SL_MAX_LEVELS];                         // words over the network feeding the level
    double need_bytes[SL_MAX_LEVELS];                    // of one instance, doubling included
    double latency_cycles, ramp_cycles;
    SlBinder binder;
    double energy_pj, power_mw;
    double area_um2;     // of the given hardware
    double area_min_um2; // of the smallest hardware that runs this mapping
    double utilisation;  // macs / (latency x MAC lanes of the hardware)
} SlCost;

// Price any well-formed nest with as many boundaries as the accelerator has on-chip levels, whether
// or not it fits. Pure; allocates nothing; any thread.
void sl_cost_eval(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                  SlCost *out);

// Objectives.
typedef enum { SL_LATENCY, SL_ENERGY, SL_EDP, SL_AREA, SL_POWER, SL_N_OBJECTIVES } SlObjective;
extern const char *const sl_objective_names[SL_N_OBJECTIVES + 1]; // "latency" ..., ends with NULL

// In cycles, pJ, pJ x cycles, um2 (of the smallest hardware), mW.
double sl_cost_value(const SlCost *cost, SlObjective objective);

// What is to be made small: a product of objectives, each raised to its weight. One objective alone
// has weight 1.
typedef struct {
    double weight[SL_N_OBJECTIVES]; // >= 0, at least one above 0
} SlGoal;

// "edp", or weights: "latency=2,energy=1". SL_EINPUT with what was expected. The text reads back.
SlStatus sl_goal_parse(const char *text, SlGoal *goal, SlError *err);
const char *sl_goal_text(const SlGoal *goal, size_t n, char *out);
const char *sl_goal_unit(const SlGoal *goal); // "cycles", "pJ", "pJ x cycles", "um2", "mW", ""
double sl_goal_value(const SlGoal *goal, const SlCost *cost); // one objective: its exact value

// Physical floors of a layer on an accelerator: no mapping is below. NAN where there is none (area,
// power).
typedef struct {
    double compute_cycles, dram_cycles; // the two sides of the latency floor
    double value[SL_N_OBJECTIVES];
} SlFloor;
void sl_floor_eval(const SlLayer *layer, const SlAccel *accel, SlFloor *out);

// The value over its floor: at least 1 for every mapping that fits, NAN without a floor.
double sl_floor_multiple(const SlFloor *floor, const SlCost *cost, SlObjective objective);

// The same for a goal; NAN where an objective with weight has no floor.
double sl_goal_floor(const SlGoal *goal, const SlFloor *floor);
SlObjective sl_goal_objective(const SlGoal *goal); // the only one, SL_N_OBJECTIVES = several

// Energy by place, and every candidate for the latency.
typedef struct {
    double level_pj[SL_MAX_LEVELS][SL_N_TENSORS]; // reads and writes
    double link_pj[SL_MAX_LEVELS][SL_N_TENSORS];
    double mac_pj;
    double port_cycles[SL_MAX_LEVELS], link_cycles[SL_MAX_LEVELS]; // time each would take alone
    double stall_cycles; // added by single-buffered levels
} SlBreakdown;
void sl_cost_explain(const SlAccel *accel, const SlMapping *mapping, const SlCost *cost,
                     SlBreakdown *out);

// "compute", "DRAM port", "network into L1".
const char *sl_binder_text(const SlAccel *accel, SlBinder binder, size_t n, char *out);

// The search path: many mappings of one layer on one accelerator. What a dim contributes depends on
// its own tiles alone, never on the loop order, so it is kept in tables, and only those of the dim
// that changed are rebuilt. Same results as sl_cost_eval, bit by bit. One pricer per thread.
typedef struct SlPricer SlPricer;

// NULL without memory. Keeps both pointers.
SlPricer *sl_pricer_make(const SlLayer *layer, const SlAccel *accel, SlArena *arena);

// Stand at a nest. Tables of dims whose loops are as before are kept.
void sl_pricer_set_nest(SlPricer *pricer, const SlMapping *mapping);

// New tiles for the loops over one dim, outermost first, as many as the nest has for it; the last
// must be 1.
void sl_pricer_set_tiles(SlPricer *pricer, SlDim dim, const int64_t *tiles);

// A new order of the temporal loops: `dims` (number of temporal loops) names the dim of each,
// outermost first; between two boundaries every dim must appear as often as before. The loops over
// one dim, spatial ones included, keep their own order.
void sl_pricer_set_order(SlPricer *pricer, const uint8_t *dims);

void sl_pricer_eval(SlPricer *pricer, SlCost *out);

SL_API_END
