// vta_stream.c - the program of a schedule, one tile group after the other.
//
// A group is one tile of every virtual thread. Per group: accumulators are cleared, then block by
// block of input channels every thread loads and multiplies, then every thread shifts and clips,
// and stores. Tokens between the modules keep the order; a module runs ahead as far as they allow:
//
//   store    v tokens to compute, once
//   compute  (pop store) reset                push load       per thread
//   load     (pop compute) INP ..., WGT       push compute    per block and thread
//   compute  (pop load) GEMM                  push load       per block and thread
//   load     (pop compute) nothing                            per thread
//   compute  shift, bias, max, min            push store      per thread
//   store    (pop compute) OUT ...            push compute    per thread
#include <string.h>

#include "vta_inside.h"

enum { RESET, GEMM, STEP, N_STEPS = 4 }; // kernels; a STEP for every step of the ALU

void sl_vta_span(const SlVtaTask *task, int axis, int first_output, int outputs, VtaSpan *span) {
    int size = axis ? task->in_columns : task->in_rows;
    int first = first_output * task->stride[axis] - task->pad[axis];
    int wanted = (outputs - 1) * task->stride[axis] + task->taps[axis];
    int from = first < 0 ? 0 : first, to = first + wanted > size ? size : first + wanted;
    if (to < from) to = from;
    *span = (VtaSpan){
        .from = from, .size = to - from, .before = from - first < wanted ? from - first : wanted};
    span->after = wanted - span->size - span->before;
}

// ---- kernels ----

// where a turn of each loop moves the accumulator, the input, the weights
typedef struct {
    int turns[7], dst[7], src[7], wgt[7];
    int n;
} Loops;

static void gemm_loops(const SlVtaTask *task, const SlVtaSchedule *s, Loops *loops) {
    VtaTile tile;
    sl_vta_tile(task, s, &tile);
    int taps = task->taps[0] * task->taps[1], area = tile.in_rows * tile.in_columns;
    *loops = (Loops){.n = 7,
                     .dst = {s->co * s->h * s->w, 0, 1, 0, 0, s->h * s->w, s->w},
                     .src = {s->ci * area, area, task->stride[1], 1, tile.in_columns, 0,
                             task->stride[0] * tile.in_columns},
                     .wgt = {0, taps, 0, 1, task->taps[1], s->ci * taps, 0}};
    sl_vta_gemm_turns(task, s, loops->turns);
}

static void tile_loops(const SlVtaSchedule *s, Loops *loops) {
    *loops = (Loops){.n = 4, .dst = {s->co * s->h * s->w, s->h * s->w, s->w, 1}};
    memcpy(loops->src, loops->dst, sizeof loops->src);
    sl_vta_tile_turns(s, loops->turns);
}

// the bias of a channel block stands behind the tile, and moves with the channel alone
static void bias_loops(const SlVtaSchedule *s, Loops *loops) {
    tile_loops(s, loops);
    memset(loops->src, 0, sizeof loops->src);
    loops->src[1] = 1;
}

static void kernel_insn(const Loops *loops, SlVtaInsn *insn) {
    VtaKernel kernel;
    sl_vta_kernel(loops->n, loops->turns, &kernel);
    int at[2] = {kernel.outer, kernel.inner};
    int *turns[2] = {&insn->outer, &insn->inner};
    for (int k = 0; k < 2; k++) {
        *turns[k] = at[k] < 0 ? 1 : loops->turns[at[k]];
        insn->dst[k] = at[k] < 0 ? 0 : loops->dst[at[k]];
        insn->src[k] = at[k] < 0 ? 0 : loops->src[at[k]];
        insn->wgt[k] = at[k] < 0 ? 0 : loops->wgt[at[k]];
    }
}

static int kernel_uops(const Loops *loops) {
    VtaKernel kernel;
    sl_vta_kernel(loops->n, loops->turns, &kernel);
    return (int)kernel.uops;
}

// micro-ops of a kernel: the loops that are left, the last one fastest
static void write_uops(const Loops *loops, SlVtaUop base, SlVtaUop *uops) {
    VtaKernel kernel;
    sl_vta_kernel(loops->n, loops->turns, &kernel);
    for (int u = 0; u < kernel.uops; u++) {
        SlVtaUop uop = base;
        int left = u;
        for (int i = loops->n - 1; i >= 0; i--) {
            if (i == kernel.outer || i == kernel.inner) continue;
            int at = left % loops->turns[i];
            left /= loops->turns[i];
            uop.dst += at * loops->dst[i];
            uop.src += at * loops->src[i];
            uop.wgt += at * loops->wgt[i];
        }
        uops[u] = uop;
    }
}

// ---- the whole program in numbers ----

static int n_steps(const SlVtaTask *task) {
    return task->bias ? N_STEPS : N_STEPS - 1;
}

// step 1 adds the bias, where there is one
static bool is_bias(const SlVtaTask *task, int step) {
    return task->bias && step == 1;
}

static void step_loops(const SlVtaStream *stream, int step, Loops *loops) {
    if (is_bias(&stream->task, step))
        bias_loops(&stream->schedule, loops);
    else
        tile_loops(&stream->schedule, loops);
}

static void place_kernels(SlVtaStream *stream) {
    Loops gemm, tile;
    int at = 0, threads = stream->schedule.oc_threads * stream->schedule.h_threads;
    gemm_loops(&stream->task, &stream->schedule, &gemm);
    tile_loops(&stream->schedule, &tile);
    for (int kernel = 0; kernel < STEP + n_steps(&stream->task); kernel++) {
        stream->kernel_size[kernel] = kernel_uops(kernel == GEMM ? &gemm : &tile);
        for (int t = 0; t < threads; t++) {
            stream->kernel_begin[kernel][t] = at;
            at += stream->kernel_size[kernel];
        }
    }
    stream->n_uops = at;
}

void sl_vta_stream_init(const SlVtaTask *task, const SlVtaSchedule *s, SlVtaStream *stream) {
    int threads = s->oc_threads * s->h_threads, blocks = task->ci / s->ci;
    int kernels = STEP + n_steps(task);
    *stream = (SlVtaStream){.task = *task, .schedule = *s};
    stream->n_groups = (int64_t)(task->n / s->b) * (task->rows / s->h / s->h_threads) *
                       (task->co / s->co / s->oc_threads) * (task->columns / s->w);
    int64_t thread_insns = 1 + (int64_t)blocks * (s->b * s->ci + 2) + 1 + n_steps(task) +
                           (task->bias ? 1 : 0) + (int64_t)s->b * s->co;
    stream->group_insns = (int)(threads * (thread_insns + kernels + 2) + 1);
    stream->n_insns =
        stream->n_groups * threads * thread_insns + (int64_t)threads * (kernels + 2) + 1;
    place_kernels(stream);
}

void sl_vta_stream_uops(const SlVtaStream *stream, SlVtaUop *uops) {
    const SlVtaSchedule *s = &stream->schedule;
    VtaTile tile;
    Loops loops;
    sl_vta_tile(&stream->task, s, &tile);
    for (int kernel = 0; kernel < STEP + n_steps(&stream->task); kernel++) {
        int step = kernel - STEP;
        if (kernel == GEMM)
            gemm_loops(&stream->task, s, &loops);
        else if (kernel == RESET)
            tile_loops(s, &loops);
        else
            step_loops(stream, step, &loops);
        for (int t = 0; t < tile.threads; t++) {
            SlVtaUop base = {.dst = (int32_t)(t * (tile.outputs + tile.biases))};
            base.src = base.dst;
            if (kernel == GEMM) base.src = (int32_t)(t * tile.inputs);
            if (kernel == GEMM) base.wgt = (int32_t)(t * tile.weights);
            if (kernel > GEMM && is_bias(&stream->task, step)) base.src += (int32_t)tile.outputs;
            write_uops(&loops, base, uops + stream->kernel_begin[kernel][t]);
        }
    }
}

// ---- a group ----

typedef struct {
    const SlVtaStream *stream;
    const SlVtaTask *task;
    const SlVtaSchedule *s;
    VtaTile tile;
    bool first;      // kernels are loaded before they are used
    int b, h, co, w; // tiles of the group, those of thread 0
    int blocks;
    SlVtaInsn *insns;
    int n;
} Group;

static SlVtaInsn *add(Group *group, SlVtaModule module, SlVtaOp op) {
    SlVtaInsn *insn = &group->insns[group->n++];
    *insn = (SlVtaInsn){.module = (uint8_t)module, .op = (uint8_t)op};
    return insn;
}

// an instruction that runs a kernel; behind the load of its micro-ops the first time, which then
// waits in its place
static SlVtaInsn *add_kernel(Group *group, int kernel, int t, bool pop_prev, bool pop_next) {
    const SlVtaStream *stream = group->stream;
    int begin = stream->kernel_begin[kernel][t], size = stream->kernel_size[kernel];
    if (group->first) {
        SlVtaInsn *load = add(group, SL_VTA_COMPUTE, SL_VTA_READ);
        load->mem = SL_VTA_MEM_UOP;
        load->sram = load->dram = begin;
        load->y_size = 1;
        load->x_size = load->x_stride = size;
        load->pop_prev = pop_prev;
        load->pop_next = pop_next;
    }
    SlVtaInsn *insn =
        add(group, SL_VTA_COMPUTE, kernel == RESET || kernel == GEMM ? SL_VTA_GEMM : SL_VTA_ALU);
    insn->pop_prev = pop_prev && !group->first;
    insn->pop_next = pop_next && !group->first;
    insn->uop_begin = begin;
    insn->uop_end = begin + size;
    return insn;
}

static void add_resets(Group *group) {
    Loops loops;
    tile_loops(group->s, &loops);
    for (int t = 0; t < group->tile.threads; t++) {
        SlVtaInsn *insn = add_kernel(group, RESET, t, false, true);
        insn->reset = true;
        insn->push_prev = true;
        kernel_insn(&loops, insn);
    }
}

// the tiles of a thread
static int channel_tile(const Group *group, int t) {
    return group->co * group->s->oc_threads + t % group->s->oc_threads;
}
static int row_tile(const Group *group, int t) {
    return group->h * group->s->h_threads + t / group->s->oc_threads;
}

static void add_inputs(Group *group, int block, int t) {
    const SlVtaTask *task = group->task;
    const SlVtaSchedule *s = group->s;
    VtaSpan rows, columns;
    sl_vta_span(task, 0, row_tile(group, t) * s->h, s->h, &rows);
    sl_vta_span(task, 1, group->w * s->w, s->w, &columns);
    int area = group->tile.in_rows * group->tile.in_columns;
    for (int b = 0; b < s->b; b++) {
        for (int c = 0; c < s->ci; c++) {
            SlVtaInsn *insn = add(group, SL_VTA_LOAD, SL_VTA_READ);
            int plane = (group->b * s->b + b) * task->ci + block * s->ci + c;
            insn->mem = SL_VTA_MEM_INP;
            insn->sram = (int32_t)(t * group->tile.inputs) + (b * s->ci + c) * area;
            insn->dram = (plane * task->in_rows + rows.from) * task->in_columns + columns.from;
            insn->y_size = rows.size;
            insn->x_size = columns.size;
            insn->x_stride = task->in_columns;
            insn->pad_top = (uint8_t)rows.before;
            insn->pad_bottom = (uint8_t)rows.after;
            insn->pad_left = (uint8_t)columns.before;
            insn->pad_right = (uint8_t)columns.after;
            insn->pop_next = b == 0 && c == 0;
        }
    }
}

static void add_weights(Group *group, int block, int t) {
    const SlVtaSchedule *s = group->s;
    int taps = group->task->taps[0] * group->task->taps[1];
    SlVtaInsn *insn = add(group, SL_VTA_LOAD, SL_VTA_READ);
    insn->mem = SL_VTA_MEM_WGT;
    insn->sram = (int32_t)(t * group->tile.weights);
    insn->dram = (channel_tile(group, t) * s->co * group->task->ci + block * s->ci) * taps;
    insn->y_size = s->co;
    insn->x_size = s->ci * taps;
    insn->x_stride = group->task->ci * taps;
    insn->push_next = true;
}

static void add_blocks(Group *group) {
    Loops loops;
    gemm_loops(group->task, group->s, &loops);
    bool first = group->first;
    for (int block = 0; block < group->blocks; block++) {
        for (int t = 0; t < group->tile.threads; t++) {
            add_inputs(group, block, t);
            add_weights(group, block, t);
        }
        group->first = first && block == 0;
        for (int t = 0; t < group->tile.threads; t++) {
            SlVtaInsn *insn = add_kernel(group, GEMM, t, true, false);
            insn->push_prev = true;
            kernel_insn(&loops, insn);
        }
    }
    group->first = first;
    for (int t = 0; t < group->tile.threads; t++)
        add(group, SL_VTA_LOAD, SL_VTA_SYNC)->pop_next = true;
}

static void add_bias(Group *group, int t) {
    SlVtaInsn *insn = add(group, SL_VTA_COMPUTE, SL_VTA_READ);
    insn->mem = SL_VTA_MEM_ACC;
    insn->sram = (int32_t)(t * (group->tile.outputs + group->tile.biases) + group->tile.outputs);
    insn->dram = channel_tile(group, t) * group->s->co;
    insn->y_size = 1;
    insn->x_size = insn->x_stride = group->s->co;
}

// shift, bias, max, min; the values of immediates come from whoever executes
static void add_steps(Group *group) {
    int last = n_steps(group->task) - 1;
    Loops loops;
    for (int t = 0; t < group->tile.threads; t++) {
        for (int step = 0; step <= last; step++) {
            bool bias = is_bias(group->task, step);
            if (bias) add_bias(group, t);
            step_loops(group->stream, step, &loops);
            SlVtaInsn *insn = add_kernel(group, STEP + step, t, false, false);
            insn->alu = (uint8_t)(step == 0      ? SL_VTA_SHR
                                  : bias         ? SL_VTA_ADD
                                  : step == last ? SL_VTA_MIN
                                                 : SL_VTA_MAX);
            insn->immediate = !bias;
            insn->push_next = step == last;
            kernel_insn(&loops, insn);
        }
    }
}

static void add_stores(Group *group) {
    const SlVtaTask *task = group->task;
    const SlVtaSchedule *s = group->s;
    for (int t = 0; t < group->tile.threads; t++) {
        for (int b = 0; b < s->b; b++) {
            for (int c = 0; c < s->co; c++) {
                SlVtaInsn *insn = add(group, SL_VTA_STORE, SL_VTA_WRITE);
                int plane = (group->b * s->b + b) * task->co + channel_tile(group, t) * s->co + c;
                insn->mem = SL_VTA_MEM_OUT;
                insn->sram = (int32_t)(t * (group->tile.outputs + group->tile.biases)) +
                             (b * s->co + c) * s->h * s->w;
                insn->dram = (plane * task->rows + row_tile(group, t) * s->h) * task->columns +
                             group->w * s->w;
                insn->y_size = s->h;
                insn->x_size = s->w;
                insn->x_stride = task->columns;
                insn->pop_prev = b == 0 && c == 0;
                insn->push_prev = b == s->b - 1 && c == s->co - 1;
            }
        }
    }
}

// tiles in the order batch, rows, channels, columns
static void find_tiles(Group *group, int64_t at) {
    const SlVtaTask *task = group->task;
    const SlVtaSchedule *s = group->s;
    int columns = task->columns / s->w, channels = task->co / s->co / s->oc_threads;
    int rows = task->rows / s->h / s->h_threads;
    group->w = (int)(at % columns), at /= columns;
    group->co = (int)(at % channels), at /= channels;
    group->h = (int)(at % rows), at /= rows;
    group->b = (int)at;
}

void sl_vta_group_shape(const SlVtaStream *stream, int64_t at, VtaGroupShape *shape) {
    const SlVtaTask *task = &stream->task;
    const SlVtaSchedule *s = &stream->schedule;
    Group group = {.stream = stream, .task = task, .s = s};
    find_tiles(&group, at);
    *shape = (VtaGroupShape){.column = group.w, .n_columns = task->columns / s->w};
    for (int t = 0; t < s->h_threads; t++)
        sl_vta_span(task, 0, (group.h * s->h_threads + t) * s->h, s->h, &shape->rows[t]);
    sl_vta_span(task, 1, group.w * s->w, s->w, &shape->columns);
}

static bool same_span(const VtaSpan *a, const VtaSpan *b) {
    return a->size == b->size && a->before == b->before && a->after == b->after;
}

bool sl_vta_same_shape(const VtaGroupShape *a, const VtaGroupShape *b) {
    return same_span(&a->columns, &b->columns) && same_span(&a->rows[0], &b->rows[0]) &&
           same_span(&a->rows[1], &b->rows[1]);
}

int sl_vta_stream_group(const SlVtaStream *stream, int64_t at, SlVtaInsn *insns) {
    const SlVtaTask *task = &stream->task;
    const SlVtaSchedule *s = &stream->schedule;
    Group group = {.stream = stream,
                   .task = task,
                   .s = s,
                   .first = at == 0,
                   .blocks = task->ci / s->ci,
                   .insns = insns};
    sl_vta_tile(task, s, &group.tile);

    find_tiles(&group, at);
    if (at == 0)
        for (int t = 0; t < group.tile.threads; t++)
            add(&group, SL_VTA_STORE, SL_VTA_SYNC)->push_prev = true;
    add_resets(&group);
    add_blocks(&group);
    add_steps(&group);
    add_stores(&group);
    if (at == stream->n_groups - 1) {
        for (int t = 0; t < group.tile.threads; t++)
            add(&group, SL_VTA_COMPUTE, SL_VTA_SYNC)->pop_next = true;
        add(&group, SL_VTA_COMPUTE, SL_VTA_SYNC); // FINISH
    }
    return group.n;
}
