// product.h - the matrix product of small networks.
#pragma once

#include "starling/approx.h"

// c (m, n) = start (m, n) + a (m, k) b (k, n). Strides let `a` be transposed and `start` be one row
// for all, zero, or c itself.
typedef struct {
    int m, n, k;
    const SlReal *a;
    size_t a_row, a_col; // element (i, p) of a is a[i * a_row + p * a_col]
    const SlReal *b;
    const SlReal *start; // NULL means zero
    size_t start_row;    // element (i, j) of start is start[i * start_row + j]
    SlReal *c;
} SlProduct;

// Each element is summed in the order of p, whatever the shape. Allocates nothing; any thread.
void sl_product_eval(const SlProduct *product);

void sl_transpose(int rows, int cols, const SlReal *in,
                  SlReal *out); // (rows, cols) to (cols, rows)
