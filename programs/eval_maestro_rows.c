// eval_maestro_rows.c - the quantities that both models have, side by side.
#include <math.h>
#include <stdio.h>

#include "eval_maestro.h"

static double sum(const int64_t values[SL_N_TENSORS]) {
    double total = 0;
    for (int t = 0; t < SL_N_TENSORS; t++) total += (double)values[t];
    return total;
}

static void set_maestro(const SlMaestroCost *cost, MaestroRow rows[static SL_N_ROWS]) {
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
static void set_exact(const MaestroPriced *priced, MaestroRow rows[static SL_N_ROWS]) {
    const SlCost *exact = &priced->exact;
    const SlLevelCounts *l2 = &exact->counts.level[1], *l1 = &exact->counts.level[2];
    for (int t = SL_W; t <= SL_I; t++) {
        rows[SL_ROW_L2_READ + t].exact = l1->pread[t];
        rows[SL_ROW_L2_WRITE + t].exact = l2->fill[t];
    }
    // partial sums that return to the array, and everything that leaves for DRAM
    rows[SL_ROW_L2_READ + SL_O].exact = l1->pread[SL_O] + l2->fill[SL_O];
    rows[SL_ROW_L2_WRITE + SL_O].exact = l1->upd;
    rows[SL_ROW_MACS].exact = exact->counts.macs;
    rows[SL_ROW_RUNTIME].exact = priced->exact_latency;
    rows[SL_ROW_L1_READ].exact = exact->reads[2];
    rows[SL_ROW_L1_WRITE].exact = exact->writes[2];
    rows[SL_ROW_L2_NEED].exact = exact->need_bytes[1];
    rows[SL_ROW_L1_NEED].exact = exact->need_bytes[2];
    rows[SL_ROW_PES].exact = exact->counts.macs / exact->counts.cycles;
    rows[SL_ROW_ENERGY].exact = rows[SL_ROW_SCREEN_ENERGY].exact = exact->energy_pj / 1000;
    rows[SL_ROW_OFFCHIP].exact = (exact->reads[0] + exact->writes[0]) / priced->exact_latency;
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

void maestro_rows(const MaestroEval *eval, int i, MaestroRow rows[static SL_N_ROWS]) {
    const MaestroPriced *priced = &eval->layers[i];
    SlMaestroReasons reasons;
    sl_maestro_reasons(&eval->net.layers[i], &eval->net.mappings[i], &eval->hardware, &priced->cost,
                       &reasons);
    for (int r = 0; r < SL_N_ROWS; r++)
        rows[r] = (MaestroRow){
            .key = names[r][0], .title = names[r][1], .exact = NAN, .reasons = reasons.row[r]};
    set_maestro(&priced->cost, rows);
    if (!priced->no_nest) set_exact(priced, rows);
    // without a nest the work is known all the same
    if (!priced->no_layer) rows[SL_ROW_MACS].exact = (double)sl_layer_macs(&priced->layer);
    for (int r = 0; r < SL_N_ROWS; r++) {
        double gap = fabs(rows[r].maestro - rows[r].exact);
        if (!(gap > 1e-9 * fabs(rows[r].exact))) rows[r].reasons = 0;
    }
}
