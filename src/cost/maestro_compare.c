// maestro_compare.c - MAESTRO's numbers of a layer beside the exact ones of the same mapping.
#include "starling/cost/maestro_compare.h"

#include <math.h>

// ---- both models ----

static void outlast(double cycles, SlBindKind kind, int level, double *longest, SlBinder *binder) {
    if (cycles <= *longest) return;
    *longest = cycles;
    *binder = (SlBinder){kind, level};
}

// The lanes of a PE share its work, whatever the loops; transfers are as without them.
static void set_exact_latency(const SlAccel *accel, int32_t lanes, SlMaestroComparison *it) {
    const SlCost *exact = &it->exact;
    SlBreakdown parts;
    sl_cost_explain(accel, &it->nest, exact, &parts);
    double longest = ceil(exact->counts.cycles / lanes);
    it->binder = (SlBinder){SL_BIND_COMPUTE, 0};
    for (int l = 0; l < accel->n_levels; l++) {
        outlast(parts.port_cycles[l], SL_BIND_PORT, l, &longest, &it->binder);
        outlast(parts.link_cycles[l], SL_BIND_LINK, l, &longest, &it->binder);
    }
    it->exact_latency = longest + exact->ramp_cycles;
}

static void price_exactly(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                          const SlMaestroHardware *hardware, SlMaestroComparison *it) {
    SlAccel accel;
    it->no_layer = sl_maestro_layer(shape, &it->layer);
    it->no_nest = it->no_layer;
    if (it->no_layer) return;
    // a batch that is coupled to nothing is work all the same
    bool conv = shape->type != SL_MAESTRO_GEMM;
    if (conv && shape->size[SL_MV_N]) it->layer.dims[SL_N] = shape->size[SL_MV_N];
    it->no_nest = sl_maestro_nest(shape, list, hardware->num_pes, &it->layer, &it->nest);
    if (!it->no_nest) {
        sl_maestro_accel(hardware, &accel);
        sl_cost_eval(&it->layer, &accel, &it->nest, &it->exact);
        set_exact_latency(&accel, hardware->simd_lanes, it);
    }
    sl_maestro_guard(shape, list, hardware, &it->cost, &it->layer, it->no_nest ? NULL : &it->nest,
                     &it->guard);
}

bool sl_maestro_compare(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                        const SlMaestroHardware *hardware, const SlMaestroCost *previous,
                        SlMaestroComparison *out, SlMaestroFault *fault) {
    *out = (SlMaestroComparison){0};
    if (!sl_maestro_eval(shape, list, hardware, previous, &out->cost, fault)) return false;
    price_exactly(shape, list, hardware, out);
    return true;
}

bool sl_maestro_is_physical(const SlMaestroComparison *it) {
    return !it->no_layer && it->guard.broken == 0;
}

// ---- quantities ----

static double sum(const int64_t values[SL_N_TENSORS]) {
    double total = 0;
    for (int t = 0; t < SL_N_TENSORS; t++) total += (double)values[t];
    return total;
}

static void set_maestro(const SlMaestroCost *cost, SlMaestroQuantity rows[static SL_N_ROWS]) {
    static const double mac_nj = 0.00023;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        rows[SL_ROW_L2_READ + t].maestro = (double)cost->l2_read[t];
        rows[SL_ROW_L2_WRITE + t].maestro = (double)cost->l2_write[t];
    }
    rows[SL_ROW_MACS].maestro = (double)cost->macs;
    rows[SL_ROW_RUNTIME].maestro = (double)cost->runtime_cycles;
    rows[SL_ROW_L1_READ].maestro = sum(cost->l1_read);
    rows[SL_ROW_L1_WRITE].maestro = sum(cost->l1_write);
    rows[SL_ROW_L2_NEED].maestro = (double)cost->l2_bytes;
    rows[SL_ROW_L1_NEED].maestro = (double)cost->l1_bytes;
    rows[SL_ROW_PES].maestro = cost->active_pes;
    rows[SL_ROW_ENERGY].maestro = cost->energy_nj;
    rows[SL_ROW_SCREEN_ENERGY].maestro = (double)cost->screen_energy * mac_nj;
    rows[SL_ROW_OFFCHIP].maestro = (double)cost->offchip_bw;
}

// Level 1 is L2, level 2 is L1.
static void set_exact(const SlMaestroComparison *it, SlMaestroQuantity rows[static SL_N_ROWS]) {
    const SlCost *exact = &it->exact;
    const SlLevelCounts *l2 = &exact->counts.level[1], *l1 = &exact->counts.level[2];
    for (int t = SL_W; t <= SL_I; t++) {
        rows[SL_ROW_L2_READ + t].exact = l1->pread[t];
        rows[SL_ROW_L2_WRITE + t].exact = l2->fill[t];
    }
    // partial sums that return to the array, and everything that leaves for DRAM
    rows[SL_ROW_L2_READ + SL_O].exact = l1->pread[SL_O] + l2->fill[SL_O];
    rows[SL_ROW_L2_WRITE + SL_O].exact = l1->upd;
    rows[SL_ROW_MACS].exact = exact->counts.macs;
    rows[SL_ROW_RUNTIME].exact = it->exact_latency;
    rows[SL_ROW_L1_READ].exact = exact->reads[2];
    rows[SL_ROW_L1_WRITE].exact = exact->writes[2];
    rows[SL_ROW_L2_NEED].exact = exact->need_bytes[1];
    rows[SL_ROW_L1_NEED].exact = exact->need_bytes[2];
    rows[SL_ROW_PES].exact = exact->counts.macs / exact->counts.cycles;
    rows[SL_ROW_ENERGY].exact = rows[SL_ROW_SCREEN_ENERGY].exact = exact->energy_pj / 1000;
    rows[SL_ROW_OFFCHIP].exact = (exact->reads[0] + exact->writes[0]) / it->exact_latency;
}

static const char *const names[SL_N_ROWS][2] = {
    [SL_ROW_MACS] = {"macs", "MACs"},
    [SL_ROW_RUNTIME] = {"runtime_cycles", "runtime, cycles"},
    [SL_ROW_L2_READ + SL_W] = {"l2_read_w", "L2 reads of W"},
    [SL_ROW_L2_READ + SL_I] = {"l2_read_i", "L2 reads of I"},
    [SL_ROW_L2_READ + SL_O] = {"l2_read_o", "L2 reads of O"},
    [SL_ROW_L2_WRITE + SL_W] = {"l2_write_w", "L2 writes of W"},
    [SL_ROW_L2_WRITE + SL_I] = {"l2_write_i", "L2 writes of I"},
    [SL_ROW_L2_WRITE + SL_O] = {"l2_write_o", "L2 writes of O"},
    [SL_ROW_L1_READ] = {"l1_reads", "L1 reads"},
    [SL_ROW_L1_WRITE] = {"l1_writes", "L1 writes"},
    [SL_ROW_L2_NEED] = {"l2_need_bytes", "L2 needs, bytes"},
    [SL_ROW_L1_NEED] = {"l1_need_bytes", "L1 needs, bytes"},
    [SL_ROW_PES] = {"active_pes", "PEs at work"},
    [SL_ROW_ENERGY] = {"energy_nj", "energy, nJ (CSV)"},
    [SL_ROW_SCREEN_ENERGY] = {"screen_energy_nj", "energy, nJ (screen)"},
    [SL_ROW_OFFCHIP] = {"offchip_bw", "off-chip words/cycle"},
};

void sl_maestro_quantities(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                           const SlMaestroHardware *hardware, const SlMaestroComparison *it,
                           SlMaestroQuantity rows[static SL_N_ROWS]) {
    SlMaestroReasons reasons;
    sl_maestro_reasons(shape, list, hardware, &it->cost, &reasons);
    for (int r = 0; r < SL_N_ROWS; r++)
        rows[r] = (SlMaestroQuantity){
            .key = names[r][0], .title = names[r][1], .exact = NAN, .reasons = reasons.row[r]};
    set_maestro(&it->cost, rows);
    if (!it->no_nest) set_exact(it, rows);
    // without a nest the work is known all the same
    if (!it->no_layer) rows[SL_ROW_MACS].exact = (double)sl_layer_macs(&it->layer);
    for (int r = 0; r < SL_N_ROWS; r++) {
        double gap = fabs(rows[r].maestro - rows[r].exact);
        if (!(gap > 1e-9 * fabs(rows[r].exact))) rows[r].reasons = 0;
    }
}
