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

// add the sums of some columns, row by row; sizes are known where `some` is
INLINE void add_some(int rows, const int some, const SlReal *x, size_t x_row, SlReal *sums) {
    SlReal sum[PIECE] = {0};
    memcpy(sum, sums, (size_t)some * sizeof *sum);
    for (int i = 0; i < rows; i++, x += x_row)
        for (int l = 0; l < some; l++) sum[l] += x[l];
    memcpy(sums, sum, (size_t)some * sizeof *sum);
}

SL_CLONES static void add_columns(int rows, int columns, const SlReal *x, size_t x_row,
                                  SlReal *sums) {
    for (int j = 0; j < columns; j += PIECE) {
        const int some = columns - j < PIECE ? columns - j : PIECE;
        if (some == PIECE) {
            add_some(rows, PIECE, x + j, x_row, sums + j);
        } else if (some == 5) {
            add_some(rows, 5, x + j, x_row, sums + j);
        } else if (some == 1) {
            add_some(rows, 1, x + j, x_row, sums + j);
        } else {
            add_some(rows, some, x + j, x_row, sums + j);
        }
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

void sl_dense_turn(int in, int out, const SlReal *w, SlReal *turned) {
    for (int j = 0; j < out; j++)
        for (int i = 0; i < in; i++) turned[j * in + i] = w[i * out + j];
}

void sl_dense_back(const SlDenseBack *back) {
    sl_gemm_run(&(SlGemmTask){
        .m = back->rows,
        .n = back->in,
        .k = back->out,
        .a = back->dy,
        .a_row = back->dy_row,
        .a_col = 1,
        .b = back->turned,
        .b_row = (size_t)back->in,
        .b_col = 1,
        .mask = back->y,
        .mask_row = back->y_row,
        .c = back->dx,
        .c_row = back->dx_row,
    });
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
