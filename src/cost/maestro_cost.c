// maestro_cost.c - MAESTRO's cost of a layer: the analysis, then energy, area and power.
//
// Constants are those of MAESTRO (commit 4eb08d1): energies relative to a MAC of 0.23 pJ, areas in
// um2, powers in mW.
#include <assert.h>

#include "maestro_inside.h"

static const double mac_nj = 0.00023, l1_access = 1.68, l2_access = 18.61; // MACs

// MAESTRO adds up in this order, and the last printed digit depends on it
static double add_l1(double sum, const SlMaestroCost *cost) {
    static const SlTensor order[SL_N_TENSORS] = {SL_I, SL_W, SL_O};
    for (int i = 0; i < SL_N_TENSORS; i++) {
        sum += (double)cost->l1_read[order[i]] * l1_access;
        sum += (double)cost->l1_write[order[i]] * l1_access;
    }
    return sum;
}

static double add_l2(double sum, const SlMaestroCost *cost) {
    sum += (double)cost->l2_read[SL_I] * l2_access;
    sum += (double)cost->l2_write[SL_I] * l2_access;
    sum += (double)cost->l2_read[SL_W] * l2_access;
    sum += (double)cost->l2_write[SL_W] * l2_access;
    return sum + (double)cost->l2_write[SL_O] * l2_access;
}

// of the CSV: without the MACs and what outputs are read back, and with the L1 of the layer before
static void set_energy(const SlMaestroCost *previous, SlMaestroCost *cost) {
    double sum = 0;
    if (cost->single)
        sum = add_l1(add_l2(0, cost), cost);
    else
        sum = add_l2(previous ? add_l1(0, previous) : 0, cost);
    cost->energy_nj = sum * mac_nj;
}

static void set_screen_energy(SlMaestroCost *cost) {
    static const SlTensor order[SL_N_TENSORS] = {SL_I, SL_W, SL_O};
    long double l2_write = 0, l2_read = 0, l1_write = 0, l1_read = 0;
    for (int i = 0; i < SL_N_TENSORS; i++) {
        SlTensor t = order[i];
        l2_write += (double)cost->l2_write[t] * l2_access;
        l2_read += (double)cost->l2_read[t] * l2_access;
        l1_write += (double)cost->l1_write[t] * l1_access;
        l1_read += (double)cost->l1_read[t] * l1_access;
    }
    cost->screen_energy = l2_write + l2_read + l1_write + l1_read + (long double)cost->macs;
}

// one PE after the other, as MAESTRO does; at once where that takes long
static double of_pes(int32_t num_pes, double each) {
    if (num_pes > 1 << 16) return num_pes * each;
    double sum = 0;
    for (int32_t i = 0; i < num_pes; i++) sum += each;
    return sum;
}

static double buffer(int64_t bytes) {
    return bytes == 0 ? 1 : (double)bytes;
}

static void set_area(const SlMaestroHardware *hardware, SlMaestroCost *cost) {
    double pes = hardware->num_pes, lanes = hardware->simd_lanes, bw = hardware->noc_bw;
    double l1 = buffer(cost->l1_bytes), l2 = buffer(cost->l2_bytes);
    double bus = 14.662 * pes + 28.895;
    double arbiter = 1.2886 * pes * pes + 5.5814 * pes - 23.711;
    double arbiter_mw = 0.34 * arbiter / 1000, arbiter_um2 = 395.473 * arbiter;
    cost->pe_mw = of_pes(hardware->num_pes, 1.2223 * lanes);
    cost->l1_mw = of_pes(hardware->num_pes, 0.00345 * l1);
    cost->l2_mw = 0.00345 * l2;
    cost->noc_mw = 0.8 * bus / 1000 * bw + (arbiter_mw > 0.34 ? arbiter_mw : 0.34);
    cost->power_mw = cost->pe_mw + cost->l1_mw + cost->l2_mw + cost->noc_mw;
    cost->area_um2 = of_pes(hardware->num_pes, 283 * lanes + 0.104 * l1) + 0.104 * l2 +
                     101.7938 * bus * bw + (arbiter_um2 > 395.473 ? arbiter_um2 : 395.473);
}

static int64_t declared(const SlMaestroLayer *layer, const SlMaestroDims *dims) {
    uint64_t product = 1;
    for (int d = 0; d < dims->n; d++) {
        int32_t size = layer->size[dims->dims[d]];
        if (size) product *= (uint64_t)size;
    }
    return (int64_t)product;
}

bool sl_maestro_eval(const SlMaestroLayer *layer, const SlMaestroMapping *mapping,
                     const SlMaestroHardware *hardware, const SlMaestroCost *previous,
                     SlMaestroCost *out, SlMaestroFault *fault) {
    SlMaestroModel model;
    assert(hardware->num_pes >= 1 && hardware->simd_lanes >= 1);
    *fault = (SlMaestroFault){.kind = SL_FAULT_NONE};
    if (!sl_maestro_build(layer, mapping, hardware, &model, fault)) return false;
    if (!sl_maestro_analyse(&model, out, fault)) return false;
    // summed in 32 bits
    uint32_t l1 = 0, l2 = 0;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        l1 += (uint32_t)out->l1_need[t];
        l2 += (uint32_t)out->l2_need[t];
    }
    out->l1_bytes = (int32_t)l1;
    out->l2_bytes = (int32_t)l2;
    out->input_pixels = declared(layer, &model.tensor[SL_I]);
    out->weight_pixels = declared(layer, &model.tensor[SL_W]);
    set_energy(previous, out);
    set_screen_energy(out);
    set_area(hardware, out);
    return true;
}
