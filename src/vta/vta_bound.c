// vta_bound.c - what a program costs, in closed form: a floor that no simulation goes below, a
// draft that guesses the cycles, and features for cost models.
//
// One virtual thread overlaps nothing: a tile loads, multiplies and stores in turn, so its floor is
// the sum of all work. With more threads modules overlap, and the busiest one is the floor, plus
// what it cannot begin or end with. The draft adds the bubbles at the ends of a group.
#include <math.h>

#include "vta_inside.h"

// All work of a program, cycles unless named otherwise.
typedef struct {
    double tiles, groups, blocks, threads;
    double reset, gemm, step;       // of one tile: cleared, one block, all steps of the ALU
    double inputs, weights, biases; // loads of all tiles
    double input_beats, weight_beats, input_rows, weight_rows, n_input_loads;
    double compute, load, store, fetch;
    double first_load, tile_store;
} Totals;

// What reading tiles of an input plane takes; `tiles` are those that are more than padding.
typedef struct {
    double beats, rows, tiles;
} Reads;

// tiles of whole rows, which follow each other, or of rows of their own (columns < in_columns)
static void column_reads(const SlVtaTask *task, const SlVtaSchedule *s, int columns, Reads *reads) {
    int64_t bytes = sl_vta_element_bytes(&task->core, SL_VTA_MEM_INP);
    bool whole = columns == task->in_columns;
    double row_beats = (double)sl_vta_beats(&task->core, columns * bytes);
    *reads = (Reads){.beats = 0};
    for (int i = 0; i < task->rows / s->h; i++) {
        VtaSpan span;
        sl_vta_span(task, 0, i * s->h, s->h, &span);
        if (!span.size) continue;
        reads->tiles++;
        reads->rows += whole ? 1 : span.size;
        reads->beats += whole ? (double)sl_vta_beats(&task->core, span.size * columns * bytes)
                              : span.size * row_beats;
    }
}

static void plane_reads(const SlVtaTask *task, const SlVtaSchedule *s, Reads *all) {
    int last = 0; // columns of the tile before; most are alike
    Reads reads = {.beats = 0};
    *all = reads;
    for (int j = 0; j < task->columns / s->w; j++) {
        VtaSpan span;
        sl_vta_span(task, 1, j * s->w, s->w, &span);
        if (!span.size) continue;
        if (span.size != last) column_reads(task, s, span.size, &reads);
        last = span.size;
        all->beats += reads.beats;
        all->rows += reads.rows;
        all->tiles += reads.tiles;
    }
}

static void count_loads(const SlVtaTask *task, const SlVtaSchedule *s, Totals *t) {
    const SlVtaTiming *timing = &task->core.timing;
    double request = 1 + timing->latency + timing->load_cycles;
    double planes = (double)(task->co / s->co) * task->n * task->ci;
    Reads plane;
    int taps = task->taps[0] * task->taps[1];
    int bytes = sl_vta_element_bytes(&task->core, SL_VTA_MEM_WGT);
    plane_reads(task, s, &plane);
    t->input_beats = planes * plane.beats;
    t->input_rows = planes * plane.rows;
    t->n_input_loads = planes * plane.tiles;
    t->inputs = t->input_beats + t->input_rows * timing->row_cycles + t->n_input_loads * request;

    bool whole = s->ci == task->ci;
    double rows = whole ? 1 : s->co;
    int64_t row_bytes = (int64_t)s->ci * taps * bytes * (whole ? s->co : 1);
    double loads = t->tiles * t->blocks;
    t->weight_rows = loads * rows;
    t->weight_beats = t->weight_rows * (double)sl_vta_beats(&task->core, row_bytes);
    t->weights = t->weight_beats + t->weight_rows * timing->row_cycles + loads * request;
    t->load = t->inputs + t->weights;
    t->first_load = t->load / (t->tiles * t->blocks); // an average one; edges load less
}

static void count_compute(const SlVtaTask *task, const SlVtaSchedule *s, Totals *t) {
    const SlVtaTiming *timing = &task->core.timing;
    double outputs = (double)s->b * s->co * s->h * s->w;
    double taps = (double)task->taps[0] * task->taps[1];
    t->reset = 6 + outputs * timing->uop_cycles;
    t->gemm = 6 + outputs * s->ci * taps * timing->uop_cycles;
    t->step = 3 * (6 + outputs);
    if (task->bias) {
        int64_t bytes = (int64_t)s->co * sl_vta_element_bytes(&task->core, SL_VTA_MEM_ACC);
        t->biases = 1 + timing->latency + (double)sl_vta_beats(&task->core, bytes) +
                    timing->row_cycles + timing->load_cycles;
        t->step += 6 + 2 * outputs + t->biases;
    }
    t->compute = t->tiles * (t->reset + t->blocks * t->gemm + t->step);
    t->tile_store = sl_vta_store_cycles(&task->core, outputs);
    t->store = t->tiles * t->tile_store;
}

static void count(const SlVtaTask *task, const SlVtaSchedule *s, Totals *t) {
    SlVtaStream stream;
    sl_vta_stream_init(task, s, &stream);
    *t = (Totals){.groups = (double)stream.n_groups,
                  .blocks = (double)(task->ci / s->ci),
                  .threads = s->oc_threads * s->h_threads};
    t->tiles = t->groups * t->threads;
    count_compute(task, s, t);
    count_loads(task, s, t);
    if (!task->core.timing.fetch) return;
    double group = task->core.timing.latency +
                   (double)sl_vta_beats(&task->core, 16 * VTA_GROUP_FETCH) + VTA_GROUP_FETCH + 1;
    t->fetch = floor((double)stream.n_insns / VTA_GROUP_FETCH) * group;
}

double sl_vta_floor(const SlVtaTask *task, const SlVtaSchedule *schedule) {
    Totals t;
    count(task, schedule, &t);
    if (t.threads == 1) return fmax(t.load + t.compute + t.store, t.fetch);
    // the last tile is stored when nothing else is left to do; the first one waits for a request
    double wait = fmax(0, task->core.timing.latency - (t.threads - 1) * t.reset);
    double busiest = fmax(t.compute + wait + t.tile_store, t.load + t.reset + t.gemm + t.step);
    return fmax(busiest, fmax(t.store, t.fetch));
}

double sl_vta_draft(const SlVtaTask *task, const SlVtaSchedule *schedule) {
    Totals t;
    count(task, schedule, &t);
    if (t.threads == 1) return fmax(t.load + t.compute + t.store, t.fetch);
    double load = t.first_load, others = t.threads - 1;
    double compute_group = t.threads * (t.reset + t.blocks * t.gemm + t.step) +
                           fmax(0, t.tile_store - others * t.step) +
                           fmax(0, load - others * t.reset);
    double load_group = t.threads * t.blocks * load + t.gemm + t.step + t.reset +
                        fmax(0, t.tile_store - others * t.step);
    double pair = t.blocks * (load + t.gemm) + t.reset + t.step + t.tile_store; // of one thread
    double group = fmax(fmax(compute_group, load_group), pair);
    return fmax(t.groups * group + t.tile_store, t.fetch);
}

// ---- features ----

const char *const sl_vta_feature_names[SL_N_VTA_FEATURES + 1] = {
    "batch",     "block_in",     "block_out", "tile_b",    "tile_h",   "tile_w",       "tile_ci",
    "tile_co",   "oc_threads",   "h_threads", "groups",    "blocks",   "instructions", "inp_beats",
    "wgt_beats", "inp_rows",     "wgt_rows",  "inp_loads", "compute",  "load",         "store",
    "fetch",     "load_compute", "inp_fill",  "wgt_fill",  "acc_fill", "uops",         NULL};

static float log_of(double x) {
    return (float)log2(fmax(x, 0) + 1);
}

void sl_vta_features(const SlVtaTask *task, const SlVtaSchedule *s,
                     float out[static SL_N_VTA_FEATURES]) {
    const SlVtaCore *core = &task->core;
    SlVtaStream stream;
    VtaTile tile;
    Totals t;
    count(task, s, &t);
    sl_vta_stream_init(task, s, &stream);
    sl_vta_tile(task, s, &tile);
    double fill[3] = {(double)tile.inputs * sl_vta_element_bytes(core, SL_VTA_MEM_INP) /
                          (double)(1 << core->log_inp),
                      (double)tile.weights * sl_vta_element_bytes(core, SL_VTA_MEM_WGT) /
                          (double)(1 << core->log_wgt),
                      (double)tile.outputs * sl_vta_element_bytes(core, SL_VTA_MEM_ACC) /
                          (double)(1 << core->log_acc)};
    const double counts[] = {core->batch,
                             core->block_in,
                             core->block_out,
                             s->b,
                             s->h,
                             s->w,
                             s->ci,
                             s->co,
                             s->oc_threads,
                             s->h_threads,
                             t.groups,
                             t.blocks,
                             (double)stream.n_insns,
                             t.input_beats,
                             t.weight_beats,
                             t.input_rows,
                             t.weight_rows,
                             t.n_input_loads,
                             t.compute,
                             t.load,
                             t.store,
                             t.fetch};
    int n = 0;
    for (; n < (int)(sizeof counts / sizeof *counts); n++) out[n] = log_of(counts[n]);
    out[n++] = (float)log2(t.load / t.compute);
    for (int i = 0; i < 3; i++) out[n++] = (float)(fill[i] * tile.threads);
    out[n++] = log_of(stream.n_uops);
}
