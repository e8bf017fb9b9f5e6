// network.h - what a whole network costs: its layers run one after the other, so cycles and
// energies add up, and everything else follows from the sums.
//
// Flow: sl_network_cost_init -> sl_network_part and sl_network_cost_add per layer -> the fields of
//       SlNetworkCost, sl_network_goal_value. Bounds: sl_network_bound_init -> _add -> _value, and
//       sl_network_gap. Sums are added in the order and with the counts that the caller gives.
#pragma once

#include "starling/cost.h"

SL_API_BEGIN

// One distinct layer's part: what a single one of the `count` equal layers costs. NAN = not known,
// and then the network's sum is not known either.
typedef struct {
    int count;  // equal layers that it stands for, at least 1
    bool again; // equal to a layer that was added before, so not another distinct one
    bool unfit; // the mapping does not fit; it is priced all the same
    double macs, latency_cycles, energy_pj;
    double floor_cycles, floor_pj; // of latency and energy: no mapping is below
    double area_um2;               // of the smallest hardware that runs it
    double seconds; // where time is more than cycles over a clock: measured, or with time per call
    double value;   // of the goal, by an evaluator that says nothing else
} SlNetworkPart;

// A part of which nothing but the count is known.
SlNetworkPart sl_network_part(int count);

// The sums, up to date after every part that is added. NAN = not known.
typedef struct {
    int n_layers, n_distinct, n_unfit; // unfit: of n_layers
    double macs, latency_cycles, energy_pj;
    double floor_cycles, floor_pj;
    double seconds;
    double power_mw;    // energy over time
    double utilisation; // macs / (latency x MAC lanes); NAN where a layer does not fit
    double area_um2;    // that of the only distinct layer; NAN of several
    double value;       // the sum of the values; sl_network_goal_value says when it means something
    double clock_mhz, mac_lanes; // of the machine
} SlNetworkCost;

// Empty sums on a machine; NULL = power and utilisation are not known.
void sl_network_cost_init(SlNetworkCost *cost, const SlAccel *accel);
void sl_network_cost_add(SlNetworkCost *cost, const SlNetworkPart *part);

// One objective of the whole network: latency and energy are sums, EDP is the product of the sums.
double sl_network_cost_value(const SlNetworkCost *cost, SlObjective objective);
// The same over its floor: at least 1; NAN without a floor, and where a layer does not fit.
double sl_network_cost_multiple(const SlNetworkCost *cost, SlObjective objective);

// A goal of the whole network. Where an evaluator gave nothing but values of the goal: their sum if
// the goal is latency or energy, what follows for equal layers if there is one distinct layer, else
// NAN.
double sl_network_goal_value(const SlGoal *goal, const SlNetworkCost *cost);
// The goal of the summed floors: no mappings give the network less. NAN where one has no floor.
double sl_network_goal_floor(const SlGoal *goal, const SlNetworkCost *cost);

// s of a goal latency^a energy^b, s = a + b: n equal layers have n^s times the goal of one. 1 for
// latency and energy, 2 for EDP, 0 for area and power.
double sl_network_degree(const SlGoal *goal);

// From lower bounds of the layers to one of the network: no mappings give it a smaller goal. The
// sum for latency and energy; for products it holds, but need not be sharp where every layer's is.
typedef struct {
    SlGoal goal;
    double root_sum; // of the layers' bounds to the power of 1 / s; NAN = a layer has none
} SlNetworkBound;
void sl_network_bound_init(SlNetworkBound *bound, const SlGoal *goal);
// `layer_bound` is that of one of `count` equal layers, above 0; NAN = it has none.
void sl_network_bound_add(SlNetworkBound *bound, int count, double layer_bound);
// NAN also where area or power has weight: they are no sums.
double sl_network_bound_value(const SlNetworkBound *bound);

// How far a value can be from the best: value / bound - 1, at least 0; NAN where one is not known.
double sl_network_gap(double value, double bound);

SL_API_END
