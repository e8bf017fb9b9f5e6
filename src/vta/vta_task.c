// vta_task.c - a layer in the blocks of a core, and which schedules of the template are valid.
//
// The rules are those of TVM's template and run time at v0.9 (vta_conv2d.py, runtime.cc);
// docs/vta.md lists them. Buffers are shared by the virtual threads, each of which has a copy of
// its own.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vta_inside.h"

static int count_blocks(int64_t extent, int block) {
    return (int)((extent + block - 1) / block);
}

// Inputs along one axis. With a stride several sizes give the same outputs: take that of
// networks, outputs x stride, as far as it is one of them.
static int64_t inputs(int64_t outputs, int64_t stride, int taps, int pad) {
    int64_t least = (outputs - 1) * stride + taps - 2 * pad, most = least + stride - 1;
    int64_t usual = outputs * stride;
    int64_t size = usual < least ? least : usual > most ? most : usual;
    return size < 1 ? 1 : size;
}

// addresses in DRAM are 32 bits with a sign, in elements; padded blocks count
static bool addresses_fit(const SlVtaTask *task) {
    const SlVtaCore *core = &task->core;
    double outside = (double)task->in_rows * task->in_columns;
    double results = (double)task->rows * task->columns;
    double taps = (double)task->taps[0] * task->taps[1];
    double batch = (double)task->n * core->batch, channels = (double)task->ci * core->block_in;
    double filters = (double)task->co * core->block_out, most = 2147483648.0;
    return batch * channels * outside < most && filters * channels * taps < most &&
           batch * filters * results < most;
}

const char *sl_vta_task(const SlVtaCore *core, const SlLayer *layer, SlVtaTask *task) {
    static const SlDim outputs[2] = {SL_P, SL_Q}, filter[2] = {SL_R, SL_S};
    const int64_t *e = layer->dims;
    if (e[SL_G] != 1) return "the template has no groups (depthwise, grouped, batched products)";
    for (int a = 0; a < 2; a++) {
        if (layer->dilation[a] != 1 && e[filter[a]] > 1) return "the template has no dilation";
        if (layer->pad[a] > 15) return "VTA pads at most 15 rows or columns";
        if (e[outputs[a]] > 1 << 14 || e[filter[a]] > 64 || layer->stride[a] > 1 << 14 ||
            inputs(e[outputs[a]], layer->stride[a], (int)e[filter[a]], layer->pad[a]) > 1 << 20)
            return "the layer is too large for VTA";
    }
    if (e[SL_N] > 1 << 14 || e[SL_K] > 1 << 20 || e[SL_C] > 1 << 20)
        return "the layer is too large for VTA";
    *task = (SlVtaTask){.core = *core,
                        .layer = *layer,
                        .n = count_blocks(e[SL_N], core->batch),
                        .ci = count_blocks(e[SL_C], core->block_in),
                        .co = count_blocks(e[SL_K], core->block_out),
                        .rows = (int)e[SL_P],
                        .columns = (int)e[SL_Q]};
    for (int a = 0; a < 2; a++) {
        task->taps[a] = (int)e[filter[a]];
        task->stride[a] = layer->stride[a];
        task->pad[a] = layer->pad[a];
    }
    task->in_rows = (int)inputs(task->rows, task->stride[0], task->taps[0], task->pad[0]);
    task->in_columns = (int)inputs(task->columns, task->stride[1], task->taps[1], task->pad[1]);
    return addresses_fit(task) ? NULL : "a tensor of the layer has 2^31 elements or more";
}

void sl_vta_schedule_init(SlVtaSchedule *schedule) {
    *schedule =
        (SlVtaSchedule){.b = 1, .h = 1, .w = 1, .ci = 1, .co = 1, .oc_threads = 1, .h_threads = 1};
}

const char *sl_vta_schedule_write(const SlVtaSchedule *s, size_t n, char *out) {
    snprintf(out, n, "b=%d,h=%d,w=%d,ci=%d,co=%d,oc_threads=%d,h_threads=%d", s->b, s->h, s->w,
             s->ci, s->co, s->oc_threads, s->h_threads);
    return out;
}

void sl_vta_tile(const SlVtaTask *task, const SlVtaSchedule *s, VtaTile *tile) {
    *tile = (VtaTile){.threads = s->oc_threads * s->h_threads,
                      .in_rows = (s->h - 1) * task->stride[0] + task->taps[0],
                      .in_columns = (s->w - 1) * task->stride[1] + task->taps[1],
                      .outputs = (int64_t)s->b * s->co * s->h * s->w,
                      .weights = (int64_t)s->co * s->ci * task->taps[0] * task->taps[1]};
    tile->inputs = (int64_t)s->b * s->ci * tile->in_rows * tile->in_columns;
    tile->biases = task->bias ? s->co : 0;
}

int sl_vta_element_bytes(const SlVtaCore *core, int mem) {
    switch (mem) {
    case SL_VTA_MEM_UOP:
        return 4;
    case SL_VTA_MEM_WGT:
        return core->block_in * core->block_out;
    case SL_VTA_MEM_INP:
        return core->batch * core->block_in;
    case SL_VTA_MEM_ACC:
        return core->batch * core->block_out * 4;
    default:
        return core->batch * core->block_out;
    }
}

// ---- the loops of a kernel ----

// The first two loops that turn more than once run in hardware, the others become micro-ops.
void sl_vta_kernel(int n_loops, const int *turns, VtaKernel *kernel) {
    *kernel = (VtaKernel){.outer = -1, .inner = -1, .uops = 1};
    for (int i = 0; i < n_loops; i++) {
        if (turns[i] == 1) continue;
        if (kernel->outer < 0)
            kernel->outer = i;
        else if (kernel->inner < 0)
            kernel->inner = i;
        else
            kernel->uops *= turns[i];
    }
}

void sl_vta_gemm_turns(const SlVtaTask *task, const SlVtaSchedule *s, int turns[7]) {
    int all[7] = {s->b, s->ci, s->w, task->taps[1], task->taps[0], s->co, s->h};
    memcpy(turns, all, sizeof all);
}

void sl_vta_tile_turns(const SlVtaSchedule *s, int turns[4]) {
    int all[4] = {s->b, s->co, s->h, s->w};
    memcpy(turns, all, sizeof all);
}

// micro-ops of all kernels of all threads
static int64_t all_uops(const SlVtaTask *task, const SlVtaSchedule *s) {
    int turns[7];
    VtaKernel gemm, tile;
    sl_vta_gemm_turns(task, s, turns);
    sl_vta_kernel(7, turns, &gemm);
    sl_vta_tile_turns(s, turns);
    sl_vta_kernel(4, turns, &tile);
    int64_t per_thread = gemm.uops + tile.uops * (task->bias ? 5 : 4); // reset and the steps
    return per_thread * s->oc_threads * s->h_threads;
}

// ---- validity ----

typedef struct {
    SlVtaFault *fault;
    bool fails;
} Check;

__attribute__((format(printf, 5, 6))) static void demand(Check *check, SlVtaRule rule, double need,
                                                         double have, const char *format, ...) {
    if (need <= have) return;
    if (check->fault) {
        check->fault->excess += need / have - 1;
        if (!check->fails) {
            va_list args;
            va_start(args, format);
            check->fault->rule = rule;
            check->fault->need = need;
            check->fault->have = have;
            vsnprintf(check->fault->text, sizeof check->fault->text, format, args);
            va_end(args);
        }
    }
    check->fails = true;
}

static void check_division(const SlVtaTask *task, const SlVtaSchedule *s, Check *check) {
    const struct {
        const char *name;
        int tile, extent;
    } axes[] = {{"b", s->b, task->n},
                {"h", s->h, task->rows},
                {"w", s->w, task->columns},
                {"ci", s->ci, task->ci},
                {"co", s->co, task->co}};
    for (int i = 0; i < 5; i++) {
        bool divides = axes[i].tile >= 1 && axes[i].extent % axes[i].tile == 0;
        demand(check, SL_VTA_DIVIDES, divides ? 0 : 2, 1, "tile %s=%d does not divide %d",
               axes[i].name, axes[i].tile, axes[i].extent);
    }
    const int threads[2] = {s->oc_threads, s->h_threads};
    for (int i = 0; i < 2; i++)
        demand(check, SL_VTA_THREADS, threads[i] == 1 || threads[i] == 2 ? 0 : 2, 1,
               "%s_threads=%d is neither 1 nor 2", i ? "h" : "oc", threads[i]);
    if (check->fails) return;
    int channel_tiles = task->co / s->co, row_tiles = task->rows / s->h;
    demand(check, SL_VTA_THREADS, channel_tiles % s->oc_threads ? 2 : 0, 1,
           "%d channel tiles cannot be shared by %d threads", channel_tiles, s->oc_threads);
    demand(check, SL_VTA_THREADS, row_tiles % s->h_threads ? 2 : 0, 1,
           "%d row tiles cannot be shared by %d threads", row_tiles, s->h_threads);
}

static void check_buffers(const SlVtaTask *task, const SlVtaSchedule *s, Check *check) {
    const SlVtaCore *core = &task->core;
    VtaTile tile;
    sl_vta_tile(task, s, &tile);
    const struct {
        SlVtaRule rule;
        const char *name;
        int mem, log_bytes;
        int64_t elements;
    } buffers[] = {{SL_VTA_INP, "INP", SL_VTA_MEM_INP, core->log_inp, tile.inputs},
                   {SL_VTA_WGT, "WGT", SL_VTA_MEM_WGT, core->log_wgt, tile.weights},
                   {SL_VTA_ACC, "ACC", SL_VTA_MEM_ACC, core->log_acc, tile.outputs + tile.biases}};
    for (int i = 0; i < 3; i++) {
        double element = sl_vta_element_bytes(core, buffers[i].mem);
        double need = (double)buffers[i].elements * tile.threads * element;
        double have = (double)(1 << buffers[i].log_bytes);
        demand(check, buffers[i].rule, need, have,
               "%s: %d thread%s x %lld elements need %.0f bytes, the buffer has %.0f",
               buffers[i].name, tile.threads, tile.threads == 1 ? "" : "s",
               (long long)buffers[i].elements, need, have);
    }
    double uops = (double)all_uops(task, s), room = (double)(1 << core->log_uop) / 4;
    demand(check, SL_VTA_UOP, uops, room, "UOP: the kernels have %.0f micro-ops, the buffer %.0f",
           uops, room);
}

// loops of the hardware have 14 bits
static void check_loops(int n_loops, const int *turns, Check *check) {
    VtaKernel kernel;
    sl_vta_kernel(n_loops, turns, &kernel);
    for (int k = 0; k < 2; k++) {
        int loop = k ? kernel.inner : kernel.outer;
        if (loop < 0) continue;
        demand(check, SL_VTA_FIELD, turns[loop], 16383, "FIELD: %d turns of a loop, at most 16383",
               turns[loop]);
    }
}

static void check_fields(const SlVtaTask *task, const SlVtaSchedule *s, Check *check) {
    VtaTile tile;
    sl_vta_tile(task, s, &tile);
    double taps = (double)task->taps[0] * task->taps[1];
    const struct {
        const char *name;
        double size;
    } sizes[] = {{"input rows in a tile", tile.in_rows},
                 {"input columns in a tile", tile.in_columns},
                 {"weight blocks in a row", s->ci * taps},
                 {"blocks between input rows", task->in_columns},
                 {"blocks between weight rows", task->ci * taps}};
    for (int i = 0; i < 5; i++)
        demand(check, SL_VTA_FIELD, sizes[i].size, 65535, "FIELD: %.0f %s, at most 65535",
               sizes[i].size, sizes[i].name);
    double blocks = (double)task->ci / s->ci, most = 1 << 24; // a group is held in memory
    double insns = tile.threads * (blocks * ((double)s->b * s->ci + 2) + (double)s->b * s->co);
    demand(check, SL_VTA_FIELD, insns, most, "FIELD: %.0f instructions in a group, at most %.0f",
           insns, most);
    int turns[7];
    sl_vta_gemm_turns(task, s, turns);
    check_loops(7, turns, check);
    sl_vta_tile_turns(s, turns);
    check_loops(4, turns, check);
}

// A kernel that writes one accumulator twice within two micro-ops: the innermost loops that are
// unrolled move none of its indices.
static void check_distance(const SlVtaTask *task, const SlVtaSchedule *s, Check *check) {
    static const bool moves[7] = {true, false, true, false, false, true, true};
    int turns[7];
    VtaKernel kernel;
    sl_vta_gemm_turns(task, s, turns);
    sl_vta_kernel(7, turns, &kernel);
    if (kernel.uops == 1) return;
    int distance = 1; // micro-ops until an accumulator comes again
    for (int i = 6; i >= 0; i--) {
        if (i == kernel.outer || i == kernel.inner || turns[i] == 1) continue;
        if (!moves[i]) break;
        distance *= turns[i];
        if (distance == kernel.uops) return;
    }
    demand(check, SL_VTA_DEP, 3, distance,
           "DEP: an accumulator is written again after %d micro-ops, 3 are needed", distance);
}

bool sl_vta_check(const SlVtaTask *task, const SlVtaSchedule *schedule, SlVtaFault *fault) {
    Check check = {.fault = fault};
    if (fault) *fault = (SlVtaFault){.rule = SL_VTA_FITS};
    check_division(task, schedule, &check);
    if (check.fails) return false;
    check_buffers(task, schedule, &check);
    check_fields(task, schedule, &check);
    if (task->core.strict) check_distance(task, schedule, &check);
    return !check.fails;
}
