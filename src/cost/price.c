// price.c - latency, energy, power and area of a counted nest (docs/model.md).
#include "price.h"

#include <assert.h>
#include <math.h>

SlNet sl_accel_net(const SlAccel *accel) {
    SlNet net = {0};
    for (int l = 0; l < accel->n_levels; l++) {
        if (accel->fanouts[l].multicast) net.multicast |= (uint8_t)(1 << l);
        if (accel->fanouts[l].reduction) net.reduction |= (uint8_t)(1 << l);
    }
    return net;
}

void sl_rates_init(Rates *rates, const SlLayer *layer, const SlAccel *accel) {
    for (int t = 0; t < SL_N_TENSORS; t++)
        rates->word_bytes[t] = sl_word_bytes(layer, accel, (SlTensor)t);
    for (int l = 0; l < accel->n_levels; l++)
        rates->need_factor[l] = accel->levels[l].buffering == SL_BUFFER_DOUBLE ? 2 : 1;
    rates->area_um2 = sl_accel_area_um2(accel);
    rates->mac_lanes = (double)sl_accel_macs(accel);
}

// accesses of every level: what its children ask of it, and its own fills and read-outs
static inline void add_accesses(const Tables *tables, SlCost *cost) {
    int n = tables->n_levels;
    for (int l = 0; l < n; l++) {
        const SlLevelCounts *own = &cost->counts.level[l];
        // zero for what is not kept, and for DRAM
        cost->reads[l] = own->fill[SL_O];
        cost->writes[l] = own->fill[SL_W] + own->fill[SL_I] + own->pread[SL_O];
        cost->port[l] = own->own0[SL_W] + own->own0[SL_I] + 2 * own->own0[SL_O] - own->cov0;
        cost->link[l] = own->pread[SL_W] + own->pread[SL_I] + own->pread[SL_O] + own->upd;
    }
    for (int l = 1; l <= n; l++) {
        const SlLevelCounts *child = &cost->counts.level[l];
        for (int t = 0; t < SL_N_TENSORS; t++) {
            int parent = tables->parent[l][t];
            cost->reads[parent] += child->pread[t];
            cost->port[parent] += child->srv0[t];
        }
        cost->writes[tables->parent[l][SL_O]] += child->upd;
        cost->port[tables->parent[l][SL_O]] += child->upd0;
    }
}

static inline void consider(double cycles, SlBindKind kind, int level, double *longest,
                            SlBinder *binder) {
    if (cycles <= *longest) return;
    *longest = cycles;
    *binder = (SlBinder){kind, level};
}

static inline void add_latency(const SlAccel *accel, SlCost *cost) {
    double longest = cost->counts.cycles, stalls = 0, ramp = 0;
    cost->binder = (SlBinder){SL_BIND_COMPUTE, 0};
    for (int l = 0; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        const SlLevelCounts *counts = &cost->counts.level[l];
        consider(ceil(cost->port[l] / level->port_words), SL_BIND_PORT, l, &longest, &cost->binder);
        if (l == 0) continue;
        double link = ceil(cost->link[l] / level->link_words);
        if (level->buffering == SL_BUFFER_SINGLE)
            stalls += link;
        else
            consider(link, SL_BIND_LINK, l, &longest, &cost->binder);
        ramp += ceil((counts->first[SL_W] + counts->first[SL_I]) / level->link_words);
    }
    cost->ramp_cycles = ramp;
    cost->latency_cycles = longest + stalls + ramp;
}

static inline void add_energy_and_area(const SlAccel *accel, const Rates *rates, SlCost *cost) {
    int n = accel->n_levels;
    double energy = cost->counts.macs * accel->mac_pj;
    double area = cost->counts.level[n].grid * accel->mac_area_um2;
    for (int l = 0; l < n; l++) {
        const SlLevel *level = &accel->levels[l];
        const SlLevelCounts *c = &cost->counts.level[l];
        energy += cost->reads[l] * level->read_pj + cost->writes[l] * level->write_pj;
        energy += (c->fill[SL_W] + c->fill[SL_I] + c->fill[SL_O] + c->pread[SL_O]) * level->link_pj;
        double need = 0;
        for (int t = 0; t < SL_N_TENSORS; t++) need += c->tile[t] * rates->word_bytes[t];
        cost->need_bytes[l] = need * rates->need_factor[l];
        if (l > 0) area += c->grid * cost->need_bytes[l] * level->area_um2_per_byte;
    }
    cost->energy_pj = energy;
    cost->area_um2 = rates->area_um2;
    cost->area_min_um2 = area;
}

CLONES static void price(const Tables *tables, const SlAccel *accel, const Rates *rates,
                         SlCost *cost) {
    add_accesses(tables, cost);
    add_latency(accel, cost);
    add_energy_and_area(accel, rates, cost);
    // pJ per microsecond are microwatts
    cost->power_mw = cost->energy_pj * accel->clock_mhz / cost->latency_cycles * 1e-3;
    cost->utilisation = cost->counts.macs / (cost->latency_cycles * rates->mac_lanes);
}

void sl_price(const Tables *tables, const SlAccel *accel, const Rates *rates, SlCost *cost) {
    price(tables, accel, rates, cost);
}

void sl_cost_eval(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                  SlCost *out) {
    assert(mapping->n_boundaries == accel->n_levels - 1);
    Tables tables;
    Rates rates;
    sl_rates_init(&rates, layer, accel);
    sl_tables_build(&tables, layer, sl_accel_net(accel), mapping);
    sl_tables_count(&tables, &out->counts);
    sl_price(&tables, accel, &rates, out);
}
