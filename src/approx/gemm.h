// gemm.h - inside the matrix product by fused multiply-adds: the task of sl_gemm and of dense
// layers, and the instruction sets it is compiled for.
#pragma once

#include "starling/approx/dense.h"

typedef enum { SL_GEMM_PLAIN, SL_GEMM_AVX2, SL_GEMM_AVX512, SL_N_GEMM_SETS } SlGemmSet;

// c (m, n) = start (m, n) + a (m, k) b (k, n), below zero cut off if `relu`, then zero where `mask`
// is not above zero. Strides let a and b be transposed, and start be one row for all or c itself.
typedef struct {
    int m, n, k;
    const SlReal *a, *b;
    size_t a_row, a_col, b_row, b_col; // element (i, p) of a is a[i * a_row + p * a_col]
    const SlReal *start;               // NULL means zero
    size_t start_row;                  // element (i, j) of start is start[i * start_row + j]
    const SlReal *mask;                // NULL means none
    size_t mask_row;
    SlReal *c;
    size_t c_row;
    bool relu;
} SlGemmTask;

bool sl_gemm_has(SlGemmSet set); // this build and this processor
void sl_gemm_run_with(SlGemmSet set, const SlGemmTask *task);
void sl_gemm_run(const SlGemmTask *task); // with the widest set

// c (m, n) = a (m, k) b (k, n), added to what c holds if `add`. Element (i, p) of a is
// a[i * a_row + p * a_col]; rows of b and c begin b_row and c_row numbers apart. Allocates nothing;
// any thread. c overlaps neither a nor b.
typedef struct {
    int m, n, k;
    const SlReal *a;
    size_t a_row, a_col;
    const SlReal *b;
    size_t b_row;
    SlReal *c;
    size_t c_row;
    bool add;
} SlGemm;
void sl_gemm(const SlGemm *gemm);
