// gemm_cases.h - products of many shapes and strides, to the bit, for every instruction set at
// hand.
//
// Included by test_dense.c in floats and by test_dense_double.c in doubles.
#pragma once

#include <string.h>

#include "approx/gemm.h"
#include "support/check.h"

#ifdef SL_APPROX_DOUBLE
#define CASE_FMA __builtin_fma
#else
#define CASE_FMA __builtin_fmaf
#endif

enum { CASE_ROOM = 200 * 1000 };

typedef struct {
    SlReal a[CASE_ROOM], b[CASE_ROOM], start[CASE_ROOM], expected[CASE_ROOM], c[CASE_ROOM];
} CaseRoom;

static inline void case_fill(CaseRoom *room) {
    SlRng rng;
    sl_rng_init(&rng, 1, "gemm");
    for (int i = 0; i < CASE_ROOM; i++) {
        room->a[i] = (SlReal)sl_rng_normal(&rng);
        room->b[i] = (SlReal)sl_rng_normal(&rng);
        room->start[i] = (SlReal)sl_rng_normal(&rng);
    }
}

// one chain of fused multiply-adds in the order of k
static inline SlReal case_element(const SlGemmTask *q, int i, int j) {
    SlReal sum = q->start ? q->start[(size_t)i * q->start_row + (size_t)j] : 0;
    for (size_t p = 0; p < (size_t)q->k; p++)
        sum = CASE_FMA(q->a[(size_t)i * q->a_row + p * q->a_col],
                       q->b[p * q->b_row + (size_t)j * q->b_col], sum);
    if (q->mask && !(q->mask[(size_t)i * q->mask_row + (size_t)j] > 0)) return 0;
    return q->relu && sum < 0 ? 0 : sum;
}

// c holds 42 beside the product, before and after
static inline void case_check(CaseRoom *room, SlGemmTask q) {
    const size_t size = (size_t)q.m * q.c_row + 1;
    assert_true(size <= CASE_ROOM && (size_t)q.m * q.a_row + (size_t)q.k * q.a_col <= CASE_ROOM);
    assert_true((size_t)q.n * q.b_col + (size_t)q.k * q.b_row <= CASE_ROOM);
    for (size_t i = 0; i < size; i++) room->expected[i] = 42;
    for (int i = 0; i < q.m; i++)
        for (int j = 0; j < q.n; j++)
            room->expected[(size_t)i * q.c_row + (size_t)j] = case_element(&q, i, j);
    q.c = room->c;
    for (SlGemmSet set = SL_GEMM_PLAIN; set < SL_N_GEMM_SETS; set++) {
        if (!sl_gemm_has(set)) continue;
        for (size_t i = 0; i < size; i++) room->c[i] = 42;
        sl_gemm_run_with(set, &q);
        if (memcmp(room->c, room->expected, size * sizeof *room->c) != 0)
            fail_msg("set %d: %d x %d x %d, strides %zu %zu %zu %zu", (int)set, q.m, q.n, q.k,
                     q.a_row, q.a_col, q.b_row, q.b_col);
    }
}

// all ways to lie of one shape
static inline void case_shape(CaseRoom *room, int m, int n, int k) {
    SlGemmTask q = {.m = m, .n = n, .k = k, .a = room->a, .b = room->b, .c_row = (size_t)n};
    q.a_row = (size_t)k, q.a_col = 1, q.b_row = (size_t)n, q.b_col = 1;
    case_check(room, q);
    q.a_row += 3, q.b_row += 5, q.c_row += 2; // rows with gaps
    q.start = room->start;                    // one row for all
    q.relu = true;
    case_check(room, q);
    q.relu = false;
    q.mask = room->start, q.mask_row = (size_t)n + 1; // about half of them above zero
    case_check(room, q);
    q.mask = NULL;
    q.a_row = 1, q.a_col = (size_t)m + 1; // a transposed, a start per row
    q.start_row = (size_t)n;
    case_check(room, q);
    q.b_row = 1, q.b_col = (size_t)k; // both transposed
    case_check(room, q);
    q.a_row = 2, q.a_col = 2 * (size_t)m + 1; // no dimension contiguous
    q.start = NULL;
    case_check(room, q);
}
