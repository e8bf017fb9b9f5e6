// vta_inside.h - inside vta: instructions, what a tile needs, and the loops of its kernels.
//
// Flow: sl_vta_stream_init -> sl_vta_stream_group, one tile group after the other: the timing
//       engine, the functional simulator and the listing read the same instructions.
#pragma once

#include "starling/vta.h"

// ---- instructions ----

typedef enum { SL_VTA_SYNC, SL_VTA_READ, SL_VTA_WRITE, SL_VTA_GEMM, SL_VTA_ALU } SlVtaOp;
typedef enum {
    SL_VTA_MEM_UOP,
    SL_VTA_MEM_WGT,
    SL_VTA_MEM_INP,
    SL_VTA_MEM_ACC,
    SL_VTA_MEM_OUT
} SlVtaMem;
typedef enum { SL_VTA_MIN, SL_VTA_MAX, SL_VTA_ADD, SL_VTA_SHR } SlVtaAlu;

// One instruction. Sizes and addresses are in elements of the memory.
typedef struct {
    uint8_t module, op;                               // SlVtaModule, SlVtaOp
    bool pop_prev, pop_next, push_prev, push_next;    // tokens: load <-> compute <-> store
    uint8_t mem;                                      // of READ, WRITE
    uint8_t alu;                                      // of ALU
    bool immediate, reset;                            // ALU; GEMM
    int16_t value;                                    // the immediate
    uint8_t pad_top, pad_bottom, pad_left, pad_right; // of READ
    int32_t sram, dram, y_size, x_size, x_stride;     // of READ, WRITE
    int32_t uop_begin, uop_end, outer, inner;         // of GEMM, ALU: micro-ops inside two loops
    int32_t dst[2], src[2], wgt[2];                   // what a turn of outer, inner adds
} SlVtaInsn;

// A micro-op: where it accumulates, what it multiplies (ALU: source instead of inp).
typedef struct {
    int32_t dst, src, wgt;
} SlVtaUop;

// The program of a schedule that passed the check, one tile group after the other. Group 0 begins
// with the set-up, the last one ends with FINISH.
typedef struct {
    SlVtaTask task;
    SlVtaSchedule schedule;
    int64_t n_groups, n_insns;              // of the program
    int group_insns;                        // most of one group
    int n_uops;                             // of all kernels
    int kernel_begin[6][4], kernel_size[6]; // [reset, gemm, steps of the ALU][thread]
} SlVtaStream;
void sl_vta_stream_init(const SlVtaTask *task, const SlVtaSchedule *schedule, SlVtaStream *stream);
int sl_vta_stream_group(const SlVtaStream *stream, int64_t at, SlVtaInsn *insns); // returns n
void sl_vta_stream_uops(const SlVtaStream *stream, SlVtaUop *uops);               // (n_uops)

// Any program, all of it in memory.
SlStatus sl_vta_time_program(const SlVtaCore *core, int64_t n, const SlVtaInsn *insns,
                             SlArena *scratch, SlVtaTime *time, SlError *err);

// ---- tiles and kernels ----

enum { VTA_MAX_THREADS = 4, VTA_GROUP_FETCH = 8, VTA_BURST_BEATS = 16 };

// One thread's tile, in elements.
typedef struct {
    int threads;
    int in_rows, in_columns;
    int64_t inputs, weights, outputs, biases;
} VtaTile;
void sl_vta_tile(const SlVtaTask *task, const SlVtaSchedule *schedule, VtaTile *tile);

int sl_vta_element_bytes(const SlVtaCore *core, int mem);

// Which loops run in hardware (-1 = none), and how many micro-ops the others make.
typedef struct {
    int outer, inner;
    int64_t uops;
} VtaKernel;
void sl_vta_kernel(int n_loops, const int *turns, VtaKernel *kernel);
void sl_vta_gemm_turns(const SlVtaTask *task, const SlVtaSchedule *schedule, int turns[7]);
void sl_vta_tile_turns(const SlVtaSchedule *schedule, int turns[4]);

// The part of a tile's input rows (axis 0) or columns (1) that exists; the rest is padding.
typedef struct {
    int from, size, before, after; // first input, inputs, zeros before and behind
} VtaSpan;
void sl_vta_span(const SlVtaTask *task, int axis, int first_output, int outputs, VtaSpan *span);

// What of a group's place its instructions depend on, besides addresses: the inputs of each thread
// along rows, and along columns.
typedef struct {
    int column, n_columns; // of tiles
    VtaSpan rows[2], columns;
} VtaGroupShape;
void sl_vta_group_shape(const SlVtaStream *stream, int64_t at, VtaGroupShape *shape);
bool sl_vta_same_shape(const VtaGroupShape *a, const VtaGroupShape *b);

// Cycles of parts of instructions.
int64_t sl_vta_beats(const SlVtaCore *core, int64_t bytes);
double sl_vta_store_cycles(const SlVtaCore *core, double elements);
