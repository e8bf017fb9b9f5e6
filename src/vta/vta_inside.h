// vta_inside.h - inside vta: what a tile needs, and the loops of its kernels.
#pragma once

#include "starling/vta.h"

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
