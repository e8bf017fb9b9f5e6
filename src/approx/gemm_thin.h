// gemm_thin.h - products with one or five columns, those of values and actions, for one instruction
// set under names that THIN makes: a vector holds the same column of many rows, so none of its
// lanes is idle.
//
// Blocks of rows by eight of k are turned in registers: a vector is one eighth of eight rows, with
// AVX-512 of sixteen, the later eight in its upper half. An element is the same chain as
// everywhere. Floats alone; gemm.c sets THIN, THIN_VEC, THIN_BY(name) for intrinsics, THIN_TARGET,
// THIN_LOAD(from, row) (eight numbers of a row, and of the eighth after it), and PAIR_EVEN(x, y),
// PAIR_ODD(x, y) (even or odd quarters of both in turn).
#ifndef THIN
#error "gemm.c sets THIN and the rest"
#endif

#define THIN_INLINE THIN_TARGET INLINE
#define THIN_ROWS ((int)(sizeof(THIN_VEC) / sizeof(SlReal)))

// rows become columns, in every half alone
THIN_INLINE void THIN(turn_eight)(THIN_VEC *x) {
    THIN_VEC y[8];
    for (int i = 0; i < 8; i += 2) {
        y[i] = THIN_BY(unpacklo_ps)(x[i], x[i + 1]);
        y[i + 1] = THIN_BY(unpackhi_ps)(x[i], x[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        x[i] = THIN_BY(shuffle_ps)(y[i], y[i + 2], 0x44);
        x[i + 1] = THIN_BY(shuffle_ps)(y[i], y[i + 2], 0xee);
        x[i + 2] = THIN_BY(shuffle_ps)(y[i + 1], y[i + 3], 0x44);
        x[i + 3] = THIN_BY(shuffle_ps)(y[i + 1], y[i + 3], 0xee);
    }
    for (int i = 0; i < 4; i++) {
        y[i] = PAIR_EVEN(x[i], x[i + 4]);
        y[i + 4] = PAIR_ODD(x[i], x[i + 4]);
    }
    for (int i = 0; i < 8; i++) x[i] = y[i];
}

THIN_INLINE void THIN(thin_end)(const SlGemmTask *task, int i, const int n, const THIN_VEC *sum) {
    THIN_VEC out[8] = {{0}};
    SlReal *c = task->c + (size_t)i * task->c_row;
    for (int j = 0; j < n; j++)
        out[j] = task->relu ? THIN_BY(max_ps)((THIN_VEC){0}, sum[j]) : sum[j];
    if (n == 1 && task->c_row == 1) {
        THIN_BY(storeu_ps)(c, out[0]);
        return;
    }
    THIN(turn_eight)(out);
    for (int r = 0; r < 8; r++) {
        SlReal row[THIN_ROWS];
        THIN_BY(storeu_ps)(row, out[r]);
        for (int h = 0; h < THIN_ROWS; h += 8)
            copy_row(n, row + h, c + (size_t)(r + h) * task->c_row);
    }
}

// a vector of rows in every group; k is a multiple of eight, sums start from one row or from zero
THIN_INLINE void THIN(thin_rows)(const SlGemmTask *task, int i, const int n, const int groups) {
    THIN_VEC sum[2][8];
    for (int j = 0; j < n; j++)
        sum[0][j] = sum[1][j] = THIN_BY(set1_ps)(task->start ? task->start[j] : 0);
    const SlReal *a = task->a + (size_t)i * task->a_row, *b = task->b;
    for (int p = 0; p < task->k; p += 8, a += 8) {
        THIN_VEC x[2][8];
        for (int g = 0; g < groups; g++) {
            const SlReal *from = a + (size_t)(g * THIN_ROWS) * task->a_row;
            for (int r = 0; r < 8; r++)
                x[g][r] = THIN_LOAD(from + (size_t)r * task->a_row, task->a_row);
            THIN(turn_eight)(x[g]);
        }
        for (int q = 0; q < 8; q++, b += task->b_row) {
            for (int j = 0; j < n; j++) {
                const THIN_VEC y = THIN_BY(set1_ps)(b[(size_t)j * task->b_col]);
                for (int g = 0; g < groups; g++)
                    sum[g][j] = THIN_BY(fmadd_ps)(x[g][q], y, sum[g][j]);
            }
        }
    }
    for (int g = 0; g < groups; g++) THIN(thin_end)(task, i + g * THIN_ROWS, n, sum[g]);
}

// as many rows as fill vectors; returns the first row left
THIN_TARGET static int THIN(run_thin)(const SlGemmTask *task) {
    const SlGemmTask t = *task; // the compiler sees that nothing writes to it
    int i = 0;
    if (t.n == 1) { // two groups, since one chain each would wait for itself
        for (; i + 2 * THIN_ROWS <= t.m; i += 2 * THIN_ROWS) THIN(thin_rows)(&t, i, 1, 2);
    } else {
        for (; i + THIN_ROWS <= t.m; i += THIN_ROWS) THIN(thin_rows)(&t, i, 5, 1);
    }
    return i;
}

#undef THIN_INLINE
#undef THIN_ROWS
