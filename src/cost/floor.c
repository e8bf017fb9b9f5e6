// floor.c - physical floors, objectives, and where a cost comes from (docs/model.md).
#include "starling/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const sl_objective_names[SL_N_OBJECTIVES + 1] = {"latency", "energy", "edp",
                                                             "area",    "power",  NULL};

double sl_cost_value(const SlCost *cost, SlObjective objective) {
    switch (objective) {
    case SL_LATENCY:
        return cost->latency_cycles;
    case SL_ENERGY:
        return cost->energy_pj;
    case SL_EDP:
        return cost->energy_pj * cost->latency_cycles;
    case SL_AREA:
        return cost->area_min_um2;
    case SL_POWER:
        return cost->power_mw;
    default:
        return NAN;
    }
}

void sl_floor_eval(const SlLayer *layer, const SlAccel *accel, SlFloor *out) {
    const SlLevel *dram = &accel->levels[0];
    double macs = (double)sl_layer_macs(layer);
    double w = (double)sl_layer_words(layer, SL_W), i = (double)sl_layer_words(layer, SL_I),
           o = (double)sl_layer_words(layer, SL_O);
    out->compute_cycles = ceil(macs / (double)sl_accel_macs(accel));
    out->dram_cycles = ceil((w + i + o) / dram->port_words);
    double latency = fmax(out->compute_cycles, out->dram_cycles);
    // added up in the order of sl_price, so that rounding cannot put a cost below its floor
    double energy = macs * accel->mac_pj;
    energy += (w + i) * dram->read_pj + o * dram->write_pj;
    out->value[SL_LATENCY] = latency;
    out->value[SL_ENERGY] = energy;
    out->value[SL_EDP] = latency * energy;
    out->value[SL_AREA] = out->value[SL_POWER] = NAN;
}

double sl_floor_multiple(const SlFloor *floor, const SlCost *cost, SlObjective objective) {
    return sl_cost_value(cost, objective) / floor->value[objective];
}

// what a level and its network spend on one tensor between it and its child or parent
static void add_energy(const SlAccel *accel, int parent, int level, SlTensor t,
                       const SlLevelCounts *child, SlBreakdown *out) {
    const SlLevel *up = &accel->levels[parent];
    out->level_pj[parent][t] += child->pread[t] * up->read_pj;
    if (t == SL_O) out->level_pj[parent][t] += child->upd * up->write_pj;
    if (level == accel->n_levels) return;
    const SlLevel *own = &accel->levels[level];
    if (t == SL_O) {
        out->level_pj[level][t] += child->fill[t] * own->read_pj + child->pread[t] * own->write_pj;
        out->link_pj[level][t] += (child->fill[t] + child->pread[t]) * own->link_pj;
    } else {
        out->level_pj[level][t] += child->fill[t] * own->write_pj;
        out->link_pj[level][t] += child->fill[t] * own->link_pj;
    }
}

void sl_cost_explain(const SlAccel *accel, const SlMapping *mapping, const SlCost *cost,
                     SlBreakdown *out) {
    memset(out, 0, sizeof *out);
    out->mac_pj = cost->counts.macs * accel->mac_pj;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int parent = 0;
        for (int l = 1; l <= accel->n_levels; l++) {
            if (l < accel->n_levels && !(mapping->keep[l - 1] >> t & 1)) continue;
            add_energy(accel, parent, l, (SlTensor)t, &cost->counts.level[l], out);
            parent = l;
        }
    }
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        out->port_cycles[l] = ceil(cost->port[l] / level->port_words);
        if (l == 0) continue;
        out->link_cycles[l] = ceil(cost->link[l] / level->link_words);
        if (level->buffering == SL_BUFFER_SINGLE) out->stall_cycles += out->link_cycles[l];
    }
}

const char *sl_binder_text(const SlAccel *accel, SlBinder binder, size_t n, char *out) {
    const char *name = accel->levels[binder.level].name;
    if (binder.kind == SL_BIND_COMPUTE)
        snprintf(out, n, "compute");
    else if (binder.kind == SL_BIND_PORT)
        snprintf(out, n, "%s port", name);
    else
        snprintf(out, n, "network into %s", name);
    return out;
}
