// maestro_print.c - results as MAESTRO prints them, and faults as sentences.
#include <math.h>
#include <stdio.h>

#include "starling/cost/maestro.h"

// the spacing, and "Min" for the largest compute delay, are MAESTRO's
const char sl_maestro_csv_header[] =
    "Neural Network Name, Layer Number, NumPEs, Runtime (Cycles), Activity count-based Energy "
    "(nJ), Throughput (MACs/Cycle), Throughput Per Energy (GMACs/s*J), Area, Power, NoC BW Req "
    "(Elements/cycle), Avg BW Req, Peak BW Req, Vector Width, Offchip BW Req (Elements/cycle),  L2 "
    "SRAM Size Req (Bytes), L1 SRAM Size Req (Bytes), Multicasting Factor (Weight), Multicasting "
    "Factor (Input), Num Total Input Pixels, Num Total Weight Pixels, Ops/J, Num MACs, PE power, "
    "L1 power, L2 power, NOC power, input l1 read, input l1 write, input l2 read, input l2 write, "
    "input reuse factor,filter l1 read, filter l1 write, filter l2 read, filter l2 write, filter "
    "reuse factor,output l1 read, output l1 write, output l2 read, output l2 write, output reuse "
    "factor,Ingress Delay (Min), Ingress Delay (Max), Ingress Delay (Avg), Egress Delay (Min), "
    "Egress Delay (Max),  Egress Delay (Avg),Compute Delay (Min), Compute Delay (Min), Compute "
    "Delay (Avg),Avg number of utilized PEs, Arithmetic Intensity";

// ---- CSV ----

static void add_whole(SlText *out, int64_t value) {
    sl_text_add(out, ",%lld", (long long)value);
}

// six digits; 0 / 0 as it comes out on x86
static void add_real(SlText *out, long double value) {
    if (isnan(value))
        sl_text_add(out, ",-nan");
    else
        sl_text_add(out, ",%.6Lg", value);
}

static void add_tensor(SlText *out, const SlMaestroCost *cost, SlTensor tensor) {
    add_whole(out, cost->l1_read[tensor]);
    add_whole(out, cost->l1_write[tensor]);
    add_whole(out, cost->l2_read[tensor]);
    add_whole(out, cost->l2_write[tensor]);
    add_real(out, (long double)cost->l1_read[tensor] / (long double)cost->l1_write[tensor]);
}

static void add_delays(SlText *out, SlMaestroDelay delays) {
    add_whole(out, delays.min);
    add_whole(out, delays.max);
    add_whole(out, delays.avg);
}

static void add_multicast(SlText *out, const SlMaestroCost *cost, SlTensor tensor) {
    add_real(out, (double)cost->l1_write[tensor] / (double)cost->l2_read[tensor]);
}

void sl_maestro_csv_row(const char *network, const char *layer, const SlMaestroHardware *hardware,
                        const SlMaestroCost *cost, SlText *out) {
    double macs = (double)cost->macs, runtime = (double)cost->runtime_cycles;
    double throughput = macs / runtime;
    sl_csv_put(network, out);
    sl_text_put(out, ",", 1);
    sl_csv_put(layer, out);
    add_whole(out, hardware->num_pes);
    add_whole(out, cost->runtime_cycles);
    add_real(out, cost->energy_nj);
    add_real(out, throughput);
    add_real(out, (long double)throughput / cost->energy_nj * 1e9L);
    add_real(out, cost->area_um2);
    add_real(out, cost->power_mw);
    add_whole(out, cost->peak_bw);
    add_real(out, cost->avg_bw);
    add_whole(out, cost->peak_bw);
    add_whole(out, hardware->simd_lanes);
    add_whole(out, cost->offchip_bw);
    add_whole(out, cost->l2_bytes);
    add_whole(out, cost->l1_bytes);
    add_multicast(out, cost, SL_W);
    add_multicast(out, cost, SL_I);
    add_whole(out, cost->input_pixels);
    add_whole(out, cost->weight_pixels);
    add_real(out, macs / cost->energy_nj * 1e9);
    add_whole(out, cost->macs);
    add_real(out, cost->pe_mw);
    add_real(out, cost->l1_mw);
    add_real(out, cost->l2_mw);
    add_real(out, cost->noc_mw);
    add_tensor(out, cost, SL_I);
    add_tensor(out, cost, SL_W);
    add_tensor(out, cost, SL_O);
    add_delays(out, cost->ingress);
    add_delays(out, cost->egress);
    add_delays(out, cost->compute);
    add_real(out, cost->active_pes);
    add_real(out, cost->intensity);
    sl_text_add(out, "\n");
}

// ---- faults ----

const char *sl_maestro_fault_text(const SlMaestroFault *fault, size_t n, char *out) {
    const char *var = sl_maestro_var_names[fault->var];
    int level = fault->level;
    switch (fault->kind) {
    case SL_FAULT_NONE:
        snprintf(out, n, "nothing is wrong");
        break;
    case SL_FAULT_DIM_MISSING:
        snprintf(out, n, "the layer declares no %s of 1 or more (MAESTRO exits with 255)", var);
        break;
    case SL_FAULT_DIM_TWICE:
        snprintf(out, n, "the layer declares both %s and %s' (MAESTRO exits with 255)", var, var);
        break;
    case SL_FAULT_VAR_UNKNOWN:
        snprintf(out, n, "level %d maps %s, which is no dim of it (MAESTRO exits with 255)", level,
                 var);
        break;
    case SL_FAULT_FILTER_CUT:
        snprintf(out, n,
                 "level %d has a TemporalMap of %s that is not the whole filter (MAESTRO exits "
                 "with 255)",
                 level, var);
        break;
    case SL_FAULT_OUTPUT_CENTRIC:
        snprintf(out, n,
                 "level %d maps %s without %s, or together with %.1s (MAESTRO reads memory that "
                 "was never set)",
                 level, var, fault->var == SL_MV_YO ? "R" : "S", var);
        break;
    case SL_FAULT_LEVELS:
        snprintf(out, n, "there are more than %d levels (MAESTRO aborts)", SL_MAESTRO_MAX_LEVELS);
        break;
    case SL_FAULT_NO_SPATIAL:
        snprintf(out, n, "level %d has no SpatialMap (MAESTRO exits with 255)", level);
        break;
    case SL_FAULT_MANY_SPATIAL:
        snprintf(out, n, "level %d has more than two SpatialMaps (MAESTRO exits with 255)", level);
        break;
    case SL_FAULT_PES:
        snprintf(out, n, "the clusters need %lld PEs, there are %lld (MAESTRO divides by zero)",
                 (long long)fault->b, (long long)fault->a);
        break;
    case SL_FAULT_BANDWIDTH:
        snprintf(out, n, "a bandwidth is below 1 element per cycle (MAESTRO divides by zero)");
        break;
    case SL_FAULT_NOTHING_NEW:
        snprintf(out, n,
                 "level %d steps along %s although one step holds all of it (MAESTRO exits with "
                 "255)",
                 level, var);
        break;
    case SL_FAULT_IDLE_CLUSTERS:
        snprintf(out, n,
                 "a step of the outermost level gives its clusters nothing to compute (MAESTRO "
                 "divides by zero)");
        break;
    case SL_FAULT_TOO_MANY_STEPS:
        snprintf(out, n, "level %d has more steps than 32 bits count (MAESTRO aborts)", level);
        break;
    }
    return out;
}
