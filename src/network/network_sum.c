// network_sum.c - sums over the layers of a network, what follows from them, and their bounds.
#include "starling/network.h"

#include <assert.h>
#include <math.h>

// ---- sums ----

SlNetworkPart sl_network_part(int count) {
    return (SlNetworkPart){.count = count,
                           .macs = NAN,
                           .latency_cycles = NAN,
                           .energy_pj = NAN,
                           .floor_cycles = NAN,
                           .floor_pj = NAN,
                           .area_um2 = NAN,
                           .seconds = NAN,
                           .value = NAN};
}

void sl_network_cost_init(SlNetworkCost *cost, const SlAccel *accel) {
    *cost = (SlNetworkCost){.power_mw = NAN,
                            .utilisation = NAN,
                            .area_um2 = NAN,
                            .clock_mhz = accel ? accel->clock_mhz : NAN,
                            .mac_lanes = accel ? (double)sl_accel_macs(accel) : NAN};
}

void sl_network_cost_add(SlNetworkCost *cost, const SlNetworkPart *part) {
    assert(part->count >= 1);
    double n = part->count;
    cost->n_layers += part->count;
    cost->n_unfit += part->unfit ? part->count : 0;
    cost->macs += n * part->macs;
    cost->latency_cycles += n * part->latency_cycles;
    cost->energy_pj += n * part->energy_pj;
    cost->floor_cycles += n * part->floor_cycles;
    cost->floor_pj += n * part->floor_pj;
    cost->seconds += n * part->seconds;
    cost->value += n * part->value;
    if (!part->again) cost->area_um2 = cost->n_distinct++ == 0 ? part->area_um2 : NAN;

    // what follows from the sums
    cost->power_mw = cost->energy_pj * cost->clock_mhz / cost->latency_cycles * 1e-3;
    cost->utilisation = cost->macs / (cost->latency_cycles * cost->mac_lanes);
    if (cost->n_unfit > 0) cost->utilisation = NAN;
}

// ---- values ----

// the whole as if it were one layer, for what is known of costs of layers
static SlCost as_layer(const SlNetworkCost *cost) {
    return (SlCost){.latency_cycles = cost->latency_cycles,
                    .energy_pj = cost->energy_pj,
                    .area_min_um2 = cost->area_um2,
                    .power_mw = cost->power_mw};
}

double sl_network_cost_value(const SlNetworkCost *cost, SlObjective objective) {
    SlCost whole = as_layer(cost);
    return sl_cost_value(&whole, objective);
}

double sl_network_cost_multiple(const SlNetworkCost *cost, SlObjective objective) {
    double latency = cost->latency_cycles / cost->floor_cycles;
    double energy = cost->energy_pj / cost->floor_pj;
    if (cost->n_unfit > 0) return NAN;
    if (objective == SL_LATENCY) return latency;
    if (objective == SL_ENERGY) return energy;
    return objective == SL_EDP ? latency * energy : NAN;
}

double sl_network_degree(const SlGoal *goal) {
    return goal->weight[SL_LATENCY] + goal->weight[SL_ENERGY] + 2 * goal->weight[SL_EDP];
}

// area and power do not add up from layer to layer
static bool has_other(const SlGoal *goal) {
    return goal->weight[SL_AREA] > 0 || goal->weight[SL_POWER] > 0;
}

// latency or energy alone
static bool is_sum(const SlGoal *goal) {
    bool one = goal->weight[SL_LATENCY] == 1 || goal->weight[SL_ENERGY] == 1;
    return one && sl_network_degree(goal) == 1 && !has_other(goal);
}

// from values of the goal alone: `value` is n times that of one of n equal layers
static double told_value(const SlGoal *goal, const SlNetworkCost *cost) {
    if (is_sum(goal)) return cost->value;
    if (cost->n_distinct != 1) return NAN;
    return cost->value * pow(cost->n_layers, sl_network_degree(goal) - 1);
}

double sl_network_goal_value(const SlGoal *goal, const SlNetworkCost *cost) {
    if (!isnan(cost->value)) return told_value(goal, cost);
    SlCost whole = as_layer(cost);
    return sl_goal_value(goal, &whole);
}

double sl_network_goal_floor(const SlGoal *goal, const SlNetworkCost *cost) {
    SlFloor floor = {.value = {[SL_LATENCY] = cost->floor_cycles,
                               [SL_ENERGY] = cost->floor_pj,
                               [SL_EDP] = cost->floor_cycles * cost->floor_pj,
                               [SL_AREA] = NAN,
                               [SL_POWER] = NAN}};
    return sl_goal_floor(goal, &floor);
}

// ---- bounds ----

// The layers' bounds say B_i <= L_i^a E_i^b for latency L_i and energy E_i of any mapping. With s =
// a + b, Hoelder's inequality gives (sum L_i)^a (sum E_i)^b >= (sum (L_i^a E_i^b)^(1/s))^s >=
// (sum B_i^(1/s))^s: the plain sum for one objective, and what holds for their products.
void sl_network_bound_init(SlNetworkBound *bound, const SlGoal *goal) {
    *bound = (SlNetworkBound){.goal = *goal};
}

void sl_network_bound_add(SlNetworkBound *bound, int count, double layer_bound) {
    assert(count >= 1 && !(layer_bound <= 0));
    bound->root_sum += count * pow(layer_bound, 1 / sl_network_degree(&bound->goal));
}

double sl_network_bound_value(const SlNetworkBound *bound) {
    if (has_other(&bound->goal)) return NAN;
    return pow(bound->root_sum, sl_network_degree(&bound->goal));
}

double sl_network_gap(double value, double bound) {
    return isnan(value) || isnan(bound) ? NAN : fmax(value / bound - 1, 0);
}
