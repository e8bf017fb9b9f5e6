// kernel_inside.h - inside kernel: a layer as the generated code sees it, and what a schedule makes
// of it.
#pragma once

#include "starling/kernel.h"

enum {
    SL_MAX_ACCUMULATORS = 64, // vectors of sums in a register block
    SL_MAX_BODY = 2048,       // multiply-adds in the unrolled innermost loop
    SL_MAX_OC_VECTORS = 8,
    SL_MAX_OW_BLOCK = 31, // as TVM's
    SL_MAX_UNROLL = 16,
};

// A layer after flattening: 1x1 filters without stride and padding become one row. Extents are
// those of SlLayer, but a depthwise layer has its groups in k and c = 1.
typedef struct {
    int64_t n, g, k, c, p, q, r, s;
    int64_t sy, sx, dy, dx, py, px; // strides, dilations, padding in front
    int64_t h, w;                   // rows and columns that the input has
    int64_t hp, wp;                 // with padding
    bool depthwise;
} SlKernelShape;

// `n_wide` register blocks of `wide` columns, then `n_narrow` of one less, fill a row of a tile.
typedef struct {
    int64_t wide, n_wide, n_narrow;
} SlRowSplit;

// All numbers that the code is made of.
typedef struct {
    SlKernelShape shape;
    SlKernelType type;
    int64_t vector_bytes, lanes; // of a vector of sums
    int64_t vectors, columns;    // of a register block
    int64_t oc_block, oc_blocks; // output channels, rounded up
    int64_t ic_block, ic_blocks; // input channels, rounded up
    int64_t ic_steps;            // turns of the innermost loop per block: ic_block, or pairs
    int64_t x_block, x_blocks;   // the input's layout: that of ic, or of oc for depthwise
    int64_t tile_oh, tile_ow;    // outputs of a tile
    int64_t tiles_h, tiles_w;    // per image
    int64_t threads, threads_o, threads_h; // threads = threads_o x threads_h
    int64_t unroll_ic, unroll_kw, order;
    int64_t work_bytes;    // of an input or weight where the innermost loop reads it
    SlRowSplit full, last; // rows of all tiles but the last in a row, and of that one
    bool copies;           // the input is padded or widened into a buffer first
} SlKernelPlan;

void sl_kernel_shape_init(const SlLayer *layer, SlKernelShape *shape);
void sl_kernel_plan_init(const SlKernelTask *task, const SlKernelSchedule *schedule,
                         SlKernelPlan *plan);

// The pieces of a program: the loops, and what checks and times them.
void sl_kernel_write_loops(const SlKernelPlan *plan, SlText *out);
void sl_kernel_write_micros(const SlKernelPlan *plan, SlText *out);
void sl_kernel_write_copy(const SlKernelPlan *plan, SlText *out);
void sl_kernel_write_dot(int64_t vector_bytes, SlText *out); // DOT(a, b) for vectors of pairs
extern const char sl_kernel_harness[];
