// cpu_draft.c - what a schedule should cost, from counts alone; the same counts as features.
//
// A register block costs the most of: multiply-adds, loads, the length of a chain of sums, and the
// front end; sums that find no register are loaded and stored at every step. Around it, weights,
// inputs and outputs come from the smallest cache that holds what is touched between two uses.
#include <math.h>
#include <string.h>

#include "kernel_inside.h"

// The processor, per cycle of one core: about that of a Zen 3 or a recent Xeon.
static const double FMAS = 2, LOADS = 2, ISSUE = 5, SUM_LATENCY = 4, CLOCK_HZ = 3e9;
static const double WINDOW = 256, SPILL_CYCLES = 1.1; // instructions in flight; a load and a store
static const double L1_BYTES = 24e3, L2_BYTES = 384e3, L3_BYTES = 12e6; // of what is really free
static const double L2_RATE = 32, L3_RATE = 20, DRAM_RATE = 6;          // bytes per cycle
static const double COPY_RATE = 8, CALL_CYCLES = 8, BARRIER_S = 2e-6;
static const double CALL_ISSUE = 24, TAP_ISSUE = 6, TURN_ISSUE = 3; // instructions around loops

// Counts of a schedule.
typedef struct {
    double steps;       // turns of the innermost loop, all register blocks
    double calls;       // visits of register blocks
    double passes;      // visits of the same outputs
    double columns;     // of a register block, on average
    double sums;        // vectors of sums in a register block, on average
    double spilled;     // of these, without a register
    double loads;       // per step, without spilled ones
    double step_cycles; // by the slowest unit
    double weight_bytes, input_bytes, output_bytes;       // touched by one visit of a tile
    double weight_set, input_set;                         // what is touched before they come again
    double weight_traffic, input_traffic, output_traffic; // bytes that pass from L2 to L1
    double memory_cycles;
    double waste;   // steps of lanes and channels that are rounding
    double balance; // work of the busiest thread over the average
} Counts;

static double most(double a, double b) {
    return a > b ? a : b;
}

// cycles to bring bytes whose home is as large as `set`
static double fetch_cycles(double bytes, double set) {
    if (set <= L2_BYTES) return bytes / L2_RATE;
    return bytes / (set <= L3_BYTES ? L3_RATE : DRAM_RATE);
}

static void count_register_block(const SlKernelPlan *p, Counts *c) {
    const SlKernelShape *s = &p->shape;
    double blocks_full = (double)(p->full.n_wide + p->full.n_narrow);
    double blocks_last = (double)(p->last.n_wide + p->last.n_narrow);
    double per_row = blocks_full * (double)(p->tiles_w - 1) + blocks_last;
    bool whole = p->order == SL_ORDER_OH_C || p->order == SL_ORDER_HO_C;
    double registers = p->vector_bytes == 64 ? 32 : 16, v = (double)p->vectors;
    c->columns = (double)s->q / per_row;
    c->sums = c->columns * v;
    c->passes = whole ? 1 : (double)p->ic_blocks;
    c->calls = (double)(s->n * s->g * s->p * p->oc_blocks) * per_row * c->passes;
    c->steps = c->calls / c->passes * (double)(p->ic_blocks * p->ic_steps * s->r * s->s);
    double operands = s->depthwise ? v + 1 : fmin(v, c->columns) + 1;
    c->spilled = fmax(0, c->sums + operands - registers);
    c->loads = s->depthwise ? c->sums + v : c->columns + v;
    // instructions of one visit; visits overlap as far as they are in flight together
    double operations = p->work_bytes == 2 ? 2 : 1; // a product of pairs and a sum
    double turns = c->steps / c->calls, taps = turns / (double)p->ic_steps;
    double issue = turns * (c->sums * operations + c->loads + 2 * c->spilled) +
                   turns / fmin((double)p->unroll_ic, (double)p->ic_steps) * TURN_ISSUE +
                   taps * (p->unroll_kw ? 1 : TAP_ISSUE) + 2 * c->sums + CALL_ISSUE;
    double chain = p->type == SL_KERNEL_FP32 ? SUM_LATENCY : 1;
    double bound = most(most(c->sums / FMAS, c->loads / LOADS), issue / turns / ISSUE);
    bound = most(bound, chain / most(1, WINDOW / issue));
    c->step_cycles = bound + c->spilled * SPILL_CYCLES;
}

// bytes of each tensor that one visit of a tile touches, and what lies between two visits
static void count_tiles(const SlKernelPlan *p, Counts *c) {
    const SlKernelShape *s = &p->shape;
    bool whole = p->order == SL_ORDER_OH_C || p->order == SL_ORDER_HO_C;
    bool outputs_outside = p->order == SL_ORDER_OH_C || p->order == SL_ORDER_OHC;
    double width = (double)p->work_bytes, blocks = whole ? (double)p->ic_blocks : 1;
    double rows = (double)((p->tile_oh - 1) * s->sy + (s->r - 1) * s->dy + 1);
    double columns = (double)((p->tile_ow - 1) * s->sx + (s->s - 1) * s->dx + 1);
    c->weight_bytes = blocks * (double)(s->r * s->s * p->ic_block * p->oc_block) * width;
    c->input_bytes = blocks * rows * columns * (double)p->x_block * width;
    if (s->depthwise) c->input_bytes = rows * columns * (double)p->x_block * width;
    c->output_bytes = (double)(p->tile_oh * p->tile_ow * p->oc_block) * 4;
    double image = (double)(s->hp * s->wp * p->x_block * p->x_blocks) * width;
    double filters = c->weight_bytes * (double)p->oc_blocks;
    c->weight_set =
        outputs_outside ? c->weight_bytes * (whole ? 1 : (double)p->ic_blocks) : filters;
    if (p->order == SL_ORDER_HCO) c->weight_set = filters * (double)p->ic_blocks;
    c->input_set = outputs_outside ? image : c->input_bytes;
}

static void count_traffic(const SlKernelPlan *p, Counts *c) {
    const SlKernelShape *s = &p->shape;
    double tiles = (double)(s->n * s->g * p->tiles_h * p->tiles_w * p->oc_blocks) * c->passes;
    // a tile's weights stay in L1 while it is swept, or come again for every register block
    bool weights_stay = c->weight_bytes + c->input_bytes / (double)p->tile_oh < L1_BYTES;
    c->weight_traffic = (weights_stay ? tiles : c->calls) * c->weight_bytes;
    // rows that filters share stay, or come again for every row of the filter
    double window = (double)(s->r * s->wp * p->x_block) * (double)p->work_bytes *
                    (c->passes > 1 ? 1 : (double)p->ic_blocks);
    double again =
        window + (weights_stay ? c->weight_bytes : 0) < L1_BYTES ? 1 : (double)s->r / (double)s->sy;
    bool inputs_stay = p->order == SL_ORDER_HCO || p->order == SL_ORDER_HO_C
                           ? c->input_bytes + c->weight_bytes < L1_BYTES
                           : false;
    c->input_traffic =
        tiles / (inputs_stay ? (double)p->oc_blocks : 1) * c->input_bytes * most(1, again);
    double visits = c->passes > 1 ? 2 : 1;
    bool outputs_stay =
        p->order == SL_ORDER_OHC && c->output_bytes + c->weight_bytes + c->input_bytes < L1_BYTES;
    c->output_traffic = tiles / (outputs_stay ? c->passes : 1) * c->output_bytes * visits;
    double everything = (double)(s->n * s->p * s->q * p->oc_block * p->oc_blocks) * 4;
    double output_set = p->order == SL_ORDER_HCO ? c->output_bytes * (double)p->oc_blocks
                        : c->passes > 1          ? c->output_bytes
                                                 : everything;
    c->memory_cycles = fetch_cycles(c->weight_traffic, c->weight_set) +
                       fetch_cycles(c->input_traffic, c->input_set) +
                       fetch_cycles(c->output_traffic, output_set);
}

static void count(const SlKernelPlan *p, Counts *c) {
    const SlKernelShape *s = &p->shape;
    *c = (Counts){0};
    count_register_block(p, c);
    count_tiles(p, c);
    count_traffic(p, c);
    double channels = (double)(p->ic_blocks * p->ic_block) / (double)s->c;
    c->waste = channels * (double)(p->oc_blocks * p->oc_block) / (double)s->k;
    double o = (double)p->oc_blocks / (double)p->threads_o;
    double h = (double)(s->n * p->tiles_h) / (double)p->threads_h;
    c->balance = ceil(o) / o * (ceil(h) / h);
}

static double seconds_of(const SlKernelPlan *p, const Counts *c) {
    const SlKernelShape *s = &p->shape;
    double compute = c->steps * c->step_cycles + c->calls * CALL_CYCLES;
    // fetching ahead hides part of what memory takes
    double cycles = most(compute, c->memory_cycles) + 0.25 * fmin(compute, c->memory_cycles);
    double copied =
        p->copies ? (double)(s->n * s->g * p->x_blocks * s->hp * s->wp * p->x_block) : 0;
    double share = cycles * c->balance / (double)p->threads;
    share += copied * (double)p->work_bytes * 2 / COPY_RATE / (double)p->threads;
    return share / CLOCK_HZ + (p->threads > 1 ? BARRIER_S : 0);
}

double sl_kernel_draft(const SlKernelTask *task, const SlKernelSchedule *schedule) {
    SlKernelPlan plan;
    Counts c;
    sl_kernel_plan_init(task, schedule, &plan);
    count(&plan, &c);
    return seconds_of(&plan, &c);
}

static float log_of(double x) {
    return (float)log2(x + 1);
}

int sl_kernel_features(const SlKernelTask *task, const SlKernelSchedule *schedule,
                       float out[SL_N_KERNEL_FEATURES]) {
    SlKernelPlan p;
    Counts c;
    sl_kernel_plan_init(task, schedule, &p);
    count(&p, &c);
    const SlKernelShape *s = &p.shape;
    int n = 0;
    const double sizes[] = {
        // the layer
        (double)s->k, (double)s->c, (double)s->p, (double)s->q, (double)(s->r * s->s),
        (double)(s->sy * s->sx), (double)(s->n * s->g),
        // the schedule
        (double)p.lanes, (double)p.vectors, (double)p.columns, (double)p.unroll_ic,
        (double)p.tile_oh, (double)p.tile_ow, (double)p.ic_block, (double)p.threads,
        // what it leads to
        c.steps, c.calls, c.passes, c.columns, c.sums, c.spilled, c.weight_bytes, c.input_bytes,
        c.output_bytes, c.weight_set, c.input_set, c.weight_traffic, c.input_traffic,
        c.output_traffic, c.memory_cycles};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) out[n++] = log_of(sizes[i]);
    out[n++] = (float)(c.loads / c.sums);
    out[n++] = (float)(c.sums / FMAS / c.step_cycles);
    out[n++] = (float)c.waste;
    out[n++] = (float)c.balance;
    out[n++] = (float)p.unroll_kw;
    for (int o = 1; o < SL_N_KERNEL_ORDERS; o++) out[n++] = p.order == o ? 1 : 0;
    out[n++] = (float)((double)p.threads_o / (double)p.threads);
    out[n++] = (float)log2(seconds_of(&p, &c));
    _Static_assert(sizeof sizes / sizeof *sizes + 10 == SL_N_KERNEL_FEATURES,
                   "as many as promised");
    return n;
}
