// dense.c - dense layers over strided rows, forward and back, and how their weights begin.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "gemm.h"
#include "vectors.h"

enum { THIN = 8, PIECE = 64 };

void sl_dense_forward(const SlDense *dense) {
    assert(!dense->add || !dense->bias);
    sl_gemm_run(&(SlGemmTask){
        .m = dense->rows,
        .n = dense->out,
        .k = dense->in,
        .a = dense->x,
        .a_row = dense->x_row,
        .a_col = 1,
        .b = dense->w,
        .b_row = (size_t)dense->out,
        .b_col = 1,
        .start = dense->add ? dense->y : dense->bias,
        .start_row = dense->add ? dense->y_row : 0,
        .c = dense->y,
        .c_row = dense->y_row,
        .relu = dense->relu,
    });
}

// add the sums of the columns, row by row
SL_CLONES static void add_columns(int rows, int columns, const SlReal *x, size_t x_row,
                                  SlReal *sums) {
    enum { SOME = 32 };
    for (int j = 0; j < columns; j += SOME, x += SOME) {
        SlReal sum[SOME] = {0};
        const int some = columns - j < SOME ? columns - j : SOME;
        memcpy(sum, sums + j, (size_t)some * sizeof *sum);
        for (int i = 0; i < rows; i++) {
            const SlReal *row = x + (size_t)i * x_row;
            if (some == SOME) {
                for (int l = 0; l < SOME; l++) sum[l] += row[l];
            } else {
                for (int l = 0; l < some; l++) sum[l] += row[l];
            }
        }
        memcpy(sums + j, sum, (size_t)some * sizeof *sum);
    }
}

// dw of a thin layer, out <= THIN: its transpose dy^T x, whose rows fill vectors, a piece at a time
static void thin_gradient(int rows, int in, int out, const SlReal *x, size_t x_row,
                          const SlReal *dy, size_t dy_row, SlReal *dw) {
    SlReal turned[THIN * PIECE];
    for (int i = 0; i < in; i += PIECE) {
        const int some = in - i < PIECE ? in - i : PIECE;
        for (int l = 0; l < some; l++)
            for (int j = 0; j < out && j < THIN; j++) turned[j * PIECE + l] = dw[(i + l) * out + j];
        sl_gemm_run(&(SlGemmTask){
            .m = out,
            .n = some,
            .k = rows,
            .a = dy,
            .a_row = 1,
            .a_col = dy_row,
            .b = x + i,
            .b_row = x_row,
            .b_col = 1,
            .start = turned,
            .start_row = PIECE,
            .c = turned,
            .c_row = PIECE,
        });
        for (int l = 0; l < some; l++)
            for (int j = 0; j < out && j < THIN; j++) dw[(i + l) * out + j] = turned[j * PIECE + l];
    }
}

void sl_dense_gradient(int rows, int in, int out, const SlReal *x, size_t x_row, const SlReal *dy,
                       size_t dy_row, SlReal *dw, SlReal *dbias) {
    if (out <= THIN && in > out) {
        thin_gradient(rows, in, out, x, x_row, dy, dy_row, dw);
        if (dbias) add_columns(rows, out, dy, dy_row, dbias);
        return;
    }
    sl_gemm_run(&(SlGemmTask){
        .m = in,
        .n = out,
        .k = rows,
        .a = x,
        .a_row = 1,
        .a_col = x_row,
        .b = dy,
        .b_row = dy_row,
        .b_col = 1,
        .start = dw,
        .start_row = (size_t)out,
        .c = dw,
        .c_row = (size_t)out,
    });
    if (dbias) add_columns(rows, out, dy, dy_row, dbias);
}

void sl_dense_back(int rows, int in, int out, const SlReal *dy, size_t dy_row, const SlReal *w,
                   SlReal *dx, size_t dx_row) {
    sl_gemm_run(&(SlGemmTask){
        .m = rows,
        .n = in,
        .k = out,
        .a = dy,
        .a_row = dy_row,
        .a_col = 1,
        .b = w,
        .b_row = 1,
        .b_col = (size_t)out,
        .c = dx,
        .c_row = dx_row,
    });
}

SL_CLONES static void relu_back(int rows, int n, const SlReal *y, size_t y_row, SlReal *dy,
                                size_t dy_row) {
    for (int i = 0; i < rows; i++) {
        const SlReal *restrict from = y + (size_t)i * y_row;
        SlReal *restrict to = dy + (size_t)i * dy_row;
        for (int j = 0; j < n; j++) to[j] = from[j] > 0 ? to[j] : 0;
    }
}

void sl_relu_back(int rows, int n, const SlReal *y, size_t y_row, SlReal *dy, size_t dy_row) {
    relu_back(rows, n, y, y_row, dy, dy_row);
}

void sl_mlp_init_uniform(const SlMlpShape *shape, SlRng *rng, SlReal *params) {
    for (int l = 0; l < shape->n_layers; l++) {
        const int in = shape->width[l], out = shape->width[l + 1];
        const double most = sqrt(6.0 / (in + out));
        for (size_t i = 0; i < (size_t)in * (size_t)out; i++)
            *params++ = (SlReal)(most * (2 * sl_rng_uniform(rng) - 1));
        for (int i = 0; i < out; i++) *params++ = 0;
    }
}
