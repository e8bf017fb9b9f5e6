// vta_timing.c - when every instruction of a program starts and ends.
//
// Load, compute and store each serve their instructions in order, one at a time. An instruction
// starts once its module is free, it has been fetched, and the tokens it pops are there; tokens are
// stamped with the end of the instruction that pushed them. Loads of both modules share one read
// channel. Of the instructions that can start, the earliest goes first. Delays are those of the
// latency Petri net of VTA (Ma et al., OSDI 2024) and of the Chisel sources; docs/vta.md names
// each.
#include <math.h>
#include <string.h>

#include "vta_machine.h"

enum { TOKENS_MAX = 255, SYNC_CYCLES = 2, KERNEL_CYCLES = 6 };

int64_t sl_vta_beats(const SlVtaCore *core, int64_t bytes) {
    int64_t bus = core->bus_bits / 8;
    return (bytes + bus - 1) / bus;
}

// A narrow store reads its buffer anew for every element; the cost of a burst is shared by those in
// it, however rows and instructions cut them (27 cycles for 8 elements of two beats).
double sl_vta_store_cycles(const SlVtaCore *core, double elements) {
    double beats = (double)sl_vta_beats(core, sl_vta_element_bytes(core, SL_VTA_MEM_OUT));
    double bursts = elements * beats / VTA_BURST_BEATS;
    return elements * (beats + 1) + bursts * (3 + core->timing.burst_cycles);
}

// ---- queues ----

// What the engine needs of an instruction: 24 bytes instead of all of it.
typedef struct {
    double arrival;
    double work;   // cycles that it keeps its module, without waiting for the channel
    int32_t beats; // of the read channel, 0 = none
    uint8_t module;
    uint8_t tokens; // POP_PREV ...
} Work;
enum { POP_PREV = 1, POP_NEXT = 2, PUSH_PREV = 4, PUSH_NEXT = 8 };

// instructions of a module that wait, oldest at `head`
typedef struct {
    Work *work;
    int room, head, tail;
} Queue;

// stamps of tokens that wait
typedef struct {
    double stamp[TOKENS_MAX + 1];
    uint8_t head, n;
} Tokens;

typedef struct {
    const SlVtaCore *core;
    Queue queue[SL_N_VTA_MODULES];
    Tokens down[2], up[2]; // load -> compute, compute -> store; and back
    double free[SL_N_VTA_MODULES];
    double busy[SL_N_VTA_MODULES];
    double start[SL_N_VTA_MODULES]; // of the next instruction of each module; -1 = it has to wait
    int64_t ran[SL_N_VTA_MODULES];
    double channel, last; // when the read channel is free; the last end
    int64_t fetched;      // instructions so far
    double fetch_time;    // when their last group was through
    double fetch_data;    // when the last group had been read
    int64_t n_insns;      // of the program
} Engine;

static bool queue_make(Queue *queue, int room, SlArena *arena) {
    *queue = (Queue){.work = SL_NEW(arena, (size_t)room, Work), .room = room};
    return queue->work;
}

// move what waits to the front; false if it fills the queue
static bool queue_compact(Queue *queue) {
    int n = queue->tail - queue->head;
    if (n == queue->room) return false;
    memmove(queue->work, queue->work + queue->head, (size_t)n * sizeof *queue->work);
    queue->head = 0;
    queue->tail = n;
    return true;
}

// ---- delays ----

// rows that follow each other in memory are one
static void row_shape(const SlVtaInsn *insn, int64_t *rows, int64_t *elements) {
    bool whole = insn->x_size == insn->x_stride;
    *rows = whole ? 1 : insn->y_size;
    if (!insn->x_size || !insn->y_size) *rows = 0; // all of it is padding
    *elements = whole ? (int64_t)insn->x_size * insn->y_size : insn->x_size;
}

static void load_work(const SlVtaCore *core, const SlVtaInsn *insn, Work *work) {
    int64_t rows, elements;
    row_shape(insn, &rows, &elements);
    int64_t beats = rows * sl_vta_beats(core, elements * sl_vta_element_bytes(core, insn->mem));
    int64_t high = insn->y_size + insn->pad_top + insn->pad_bottom;
    int64_t wide = insn->x_size + insn->pad_left + insn->pad_right;
    int64_t padding = high * wide - (int64_t)insn->y_size * insn->x_size;
    beats += rows * core->timing.row_cycles;
    work->beats = (int32_t)beats;
    work->work = (double)(1 + beats + padding + core->timing.load_cycles);
}

static void measure(const SlVtaCore *core, const SlVtaInsn *insn, Work *work) {
    int64_t turns = (int64_t)(insn->uop_end - insn->uop_begin) * insn->outer * insn->inner;
    switch (insn->op) {
    case SL_VTA_READ:
        load_work(core, insn, work);
        break;
    case SL_VTA_WRITE:
        work->work = sl_vta_store_cycles(core, (double)insn->y_size * insn->x_size);
        break;
    case SL_VTA_GEMM:
        work->work = (double)(KERNEL_CYCLES + turns * core->timing.uop_cycles);
        break;
    case SL_VTA_ALU:
        work->work = (double)(KERNEL_CYCLES + turns * (insn->immediate ? 1 : 2));
        break;
    default:
        work->work = SYNC_CYCLES;
    }
    work->module = insn->module;
    work->tokens = (uint8_t)((insn->pop_prev ? POP_PREV : 0) | (insn->pop_next ? POP_NEXT : 0) |
                             (insn->push_prev ? PUSH_PREV : 0) | (insn->push_next ? PUSH_NEXT : 0));
}

// groups of eight are read together, then handed out one per cycle
static double fetch(Engine *engine) {
    if (!engine->core->timing.fetch) return 0;
    int64_t at = engine->fetched % VTA_GROUP_FETCH;
    if (at == 0) {
        int64_t left = engine->n_insns - engine->fetched;
        int64_t n = left < VTA_GROUP_FETCH ? left : VTA_GROUP_FETCH;
        engine->fetch_data = engine->fetch_time + engine->core->timing.latency +
                             (double)sl_vta_beats(engine->core, 16 * n);
        engine->fetch_time = engine->fetch_data + (double)n + 1;
    }
    engine->fetched++;
    return engine->fetch_data + (double)at + 1;
}

// false if the queue of its module is full
static bool enqueue(Engine *engine, const Work *work) {
    Queue *queue = &engine->queue[work->module];
    if (queue->tail == queue->room && !queue_compact(queue)) return false;
    Work *at = &queue->work[queue->tail++];
    *at = *work;
    at->arrival = fetch(engine);
    return true;
}

// ---- the engine ----

// token queues of a module: those it pops from, those it pushes to; NULL = there is no such module
static Tokens *pop_from(Engine *engine, int module, bool prev) {
    if (prev) return module == SL_VTA_LOAD ? NULL : &engine->down[module - 1];
    return module == SL_VTA_STORE ? NULL : &engine->up[module];
}
static Tokens *push_to(Engine *engine, int module, bool prev) {
    if (prev) return module == SL_VTA_LOAD ? NULL : &engine->up[module - 1];
    return module == SL_VTA_STORE ? NULL : &engine->down[module];
}

// when the oldest instruction of a module can start; -1 = it lacks a token
static double start_of(Engine *engine, int module) {
    const Queue *queue = &engine->queue[module];
    if (queue->head == queue->tail) return -1;
    const Work *work = &queue->work[queue->head];
    double start = engine->free[module] > work->arrival ? engine->free[module] : work->arrival;
    for (int side = 0; side < 2; side++) {
        if (!(work->tokens & (side ? POP_NEXT : POP_PREV))) continue;
        const Tokens *tokens = pop_from(engine, module, side == 0);
        if (!tokens || !tokens->n) return -1;
        double stamp = tokens->stamp[tokens->head];
        if (stamp > start) start = stamp;
    }
    return start;
}

static void push(Tokens *tokens, double stamp) {
    if (!tokens || tokens->n == TOKENS_MAX) return; // the counters saturate
    tokens->stamp[(uint8_t)(tokens->head + tokens->n)] = stamp;
    tokens->n++;
}

static void run_head(Engine *engine, int module, double start) {
    Queue *queue = &engine->queue[module];
    const Work *work = &queue->work[queue->head++];
    engine->ran[module]++;
    double end = start + work->work;
    if (work->beats) {
        double data = start + 1 + engine->core->timing.latency;
        if (data < engine->channel) data = engine->channel;
        engine->channel = data + work->beats;
        double through = engine->channel + engine->core->timing.load_cycles;
        if (through > end) end = through;
    }
    if (work->tokens & (PUSH_PREV | PUSH_NEXT)) end = ceil(end); // tokens move on clock edges
    for (int side = 0; side < 2; side++) {
        if (work->tokens & (side ? POP_NEXT : POP_PREV)) {
            Tokens *tokens = pop_from(engine, module, side == 0);
            tokens->head++;
            tokens->n--;
        }
        if (work->tokens & (side ? PUSH_NEXT : PUSH_PREV))
            push(push_to(engine, module, side == 0), end);
    }
    engine->free[module] = end;
    engine->busy[module] += end - start;
    if (end > engine->last) engine->last = end;
}

// The module that can start first (ties go to the first), -1 = none; whether something waits.
static int next_module(const Engine *engine, bool *waiting) {
    int best = -1;
    *waiting = false;
    for (int m = 0; m < SL_N_VTA_MODULES; m++) {
        *waiting |= engine->queue[m].head < engine->queue[m].tail;
        if (engine->start[m] >= 0 && (best < 0 || engine->start[m] < engine->start[best])) best = m;
    }
    return best;
}

// Run whatever can start, as long as every module shows its next instruction (or has none left:
// `ended`). False if nothing can start though something waits.
static bool advance(Engine *engine, bool ended) {
    for (int m = 0; m < SL_N_VTA_MODULES; m++) {
        engine->start[m] = start_of(engine, m);
        if (!ended && engine->queue[m].head == engine->queue[m].tail) return true;
    }
    for (;;) {
        bool waiting;
        int m = next_module(engine, &waiting);
        if (m < 0) return !waiting;
        run_head(engine, m, engine->start[m]);
        if (!ended && engine->queue[m].head == engine->queue[m].tail) return true;
        // others change only by a token that they waited for
        engine->start[m] = start_of(engine, m);
        if (m > 0 && engine->start[m - 1] < 0) engine->start[m - 1] = start_of(engine, m - 1);
        if (m < SL_N_VTA_MODULES - 1 && engine->start[m + 1] < 0)
            engine->start[m + 1] = start_of(engine, m + 1);
    }
}

static SlStatus engine_make(Engine *engine, const SlVtaCore *core, int64_t n_insns, int room,
                            SlArena *arena) {
    *engine = (Engine){.core = core, .n_insns = n_insns};
    for (int m = 0; m < SL_N_VTA_MODULES; m++)
        if (!queue_make(&engine->queue[m], room, arena)) return SL_ENOMEM;
    return SL_OK;
}

// the first instruction that waits in a program that cannot go on
static SlStatus stuck(const Engine *engine, int64_t n, const SlVtaInsn *insns, SlError *err) {
    int64_t seen[SL_N_VTA_MODULES] = {0};
    for (int64_t i = 0; i < n; i++) {
        char name[32];
        if (seen[insns[i].module]++ < engine->ran[insns[i].module]) continue;
        return sl_fail(err, SL_EINPUT, "instruction %lld (%s of %s) waits forever", (long long)i,
                       sl_vta_insn_name(&insns[i], sizeof name, name),
                       sl_vta_module_names[insns[i].module]);
    }
    return sl_fail(err, SL_EINPUT, "the program waits forever");
}

static void result(const Engine *engine, SlVtaTime *time) {
    *time = (SlVtaTime){.cycles = engine->last, .insns = engine->n_insns};
    for (int m = 0; m < SL_N_VTA_MODULES; m++) time->busy[m] = engine->busy[m];
}

// ---- streams ----

// The work of a group, kept for the groups that are like it: those at the same edges.
typedef struct {
    VtaGroupShape shape;
    Work *work;
    int n; // 0 = nothing is kept yet
} Page;
enum { N_PAGES = 3 }; // at the first column, the last one, and between

typedef struct {
    Engine engine;
    SlVtaStream stream;
    SlVtaInsn *insns;
    Page pages[N_PAGES];
} Timing;

static SlStatus timing_make(Timing *timing, const SlVtaTask *task, const SlVtaSchedule *schedule,
                            SlArena *arena) {
    sl_vta_stream_init(task, schedule, &timing->stream);
    int room = timing->stream.group_insns;
    timing->insns = SL_NEW(arena, (size_t)room, SlVtaInsn);
    for (int i = 0; i < N_PAGES; i++) {
        timing->pages[i] = (Page){.work = SL_NEW(arena, (size_t)room, Work)};
        if (!timing->pages[i].work) return SL_ENOMEM;
    }
    // modules are never more than two groups apart: tokens see to that
    return timing->insns ? engine_make(&timing->engine, &timing->stream.task.core,
                                       timing->stream.n_insns, 4 * room, arena)
                         : SL_ENOMEM;
}

// the page of a group, written anew unless it holds a group of the same shape; the first and the
// last group have more than others
static const Page *open_page(Timing *timing, int64_t group) {
    const SlVtaStream *stream = &timing->stream;
    VtaGroupShape shape;
    sl_vta_group_shape(stream, group, &shape);
    Page *page = &timing->pages[shape.column == 0 ? 0 : shape.column < shape.n_columns - 1 ? 1 : 2];
    bool own = group == 0 || group == stream->n_groups - 1;
    if (!own && page->n && sl_vta_same_shape(&page->shape, &shape)) return page;
    page->n = sl_vta_stream_group(stream, group, timing->insns);
    for (int i = 0; i < page->n; i++) {
        page->work[i] = (Work){.arrival = 0};
        measure(&stream->task.core, &timing->insns[i], &page->work[i]);
    }
    page->shape = shape;
    if (own) page->shape.columns.size = -1; // like no other
    return page;
}

static SlStatus run_stream(Timing *timing, SlError *err) {
    int64_t n_groups = timing->stream.n_groups;
    for (int64_t g = 0; g < n_groups; g++) {
        const Page *page = open_page(timing, g);
        bool goes_on = true;
        for (int i = 0; i < page->n && goes_on; i++)
            goes_on = enqueue(&timing->engine, &page->work[i]);
        if (!goes_on || !advance(&timing->engine, g == n_groups - 1))
            return stuck(&timing->engine, 0, NULL, err);
    }
    return SL_OK;
}

SlStatus sl_vta_time(const SlVtaTask *task, const SlVtaSchedule *schedule, SlArena *scratch,
                     SlVtaTime *time, SlError *err) {
    Timing timing;
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = timing_make(&timing, task, schedule, scratch);
    if (status == SL_OK) status = run_stream(&timing, err);
    if (status == SL_OK) {
        result(&timing.engine, time);
        double macs = (double)sl_layer_macs(&task->layer);
        time->macs_per_cycle = macs / time->cycles;
        time->utilisation = time->macs_per_cycle /
                            ((double)task->core.batch * task->core.block_in * task->core.block_out);
    }
    sl_arena_rewind(scratch, mark);
    return status == SL_ENOMEM ? sl_fail(err, SL_ENOMEM, "not enough memory") : status;
}

SlStatus sl_vta_time_program(const SlVtaCore *core, int64_t n, const SlVtaInsn *insns,
                             SlArena *scratch, SlVtaTime *time, SlError *err) {
    Engine engine;
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = n < INT32_MAX ? engine_make(&engine, core, n, (int)n, scratch) : SL_ENOMEM;
    if (status == SL_OK) {
        for (int64_t i = 0; i < n; i++) {
            Work work = {.arrival = 0};
            measure(core, &insns[i], &work);
            enqueue(&engine, &work);
        }
        if (!advance(&engine, true)) status = stuck(&engine, n, insns, err);
    }
    if (status == SL_OK) result(&engine, time);
    sl_arena_rewind(scratch, mark);
    return status == SL_ENOMEM ? sl_fail(err, SL_ENOMEM, "not enough memory") : status;
}
