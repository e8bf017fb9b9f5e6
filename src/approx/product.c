// product.c - small matrix products. The matrices of our networks fit the first-level cache, so
// nothing is packed.
//
// A BLAS is not used on purpose: its results differ between processors, and the serial build of
// OpenBLAS (0.3.21) computes wrong products when several threads call it at once.
#include "product.h"

#include "vectors.h"

enum { ROWS = 4, VECS = 3 }; // 12 sums, 3 vectors of b and one of a: the 16 registers of x86-64

#define VEC_BYTES 16
#define SIZED(name) name##_16
#include "tiles.h"
#undef VEC_BYTES
#undef SIZED

#if SL_HAS_CLONES
#define VEC_BYTES 32
#define SIZED(name) name##_32
#include "tiles.h"

__attribute__((target("avx2"))) static int wide_columns(const SlProduct *product) {
    const SlProduct q = *product; // the compiler sees that nothing writes to it
    return all_columns_32(&q);
}
#endif

static int vector_columns(const SlProduct *product) {
#if SL_HAS_CLONES
    if (__builtin_cpu_supports("avx2")) return wide_columns(product);
#endif
    const SlProduct q = *product;
    return all_columns_16(&q);
}

// some rows of one column
INLINE void thin_tile(const SlProduct *q, int i, int j, const int rows) {
    SlReal sum[ROWS] = {0};
    for (int r = 0; r < rows && q->start; r++) {
        sum[r] = q->start[(size_t)(i + r) * q->start_row + j];
    }
    const SlReal *a = q->a + (size_t)i * q->a_row, *b = q->b + j;
    for (int p = 0; p < q->k; p++, a += q->a_col, b += q->n) {
        for (int r = 0; r < rows; r++) sum[r] += a[(size_t)r * q->a_row] * *b;
    }
    for (int r = 0; r < rows; r++) q->c[(size_t)(i + r) * (size_t)q->n + j] = sum[r];
}

void sl_product_eval(const SlProduct *product) {
    for (int j = vector_columns(product); j < product->n; j++) {
        int i = 0;
        for (; i + ROWS <= product->m; i += ROWS) thin_tile(product, i, j, ROWS);
        for (; i < product->m; i++) thin_tile(product, i, j, 1);
    }
}

void sl_transpose(int rows, int cols, const SlReal *in, SlReal *out) {
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            out[(size_t)j * (size_t)rows + i] = in[(size_t)i * (size_t)cols + j];
        }
    }
}
