// gemm_thin.h - products with one or five columns, those of values and actions: a vector holds the
// same column of eight rows, so none of its lanes is idle.
//
// Blocks of eight rows by eight of k are turned in registers. An element is the same chain as
// everywhere. Floats alone; gemm.c includes it where AVX2 can be compiled for.
#pragma once

#define THIN_TARGET __attribute__((target("avx2,fma")))
#define THIN_INLINE THIN_TARGET INLINE

enum { THIN_ROWS = 8, THIN_GROUPS = 2 }; // groups of rows at a time, at most

// rows become columns
THIN_INLINE void turn_eight(__m256 *x) {
    __m256 y[8];
    for (int i = 0; i < 8; i += 2) {
        y[i] = _mm256_unpacklo_ps(x[i], x[i + 1]);
        y[i + 1] = _mm256_unpackhi_ps(x[i], x[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        x[i] = _mm256_shuffle_ps(y[i], y[i + 2], 0x44);
        x[i + 1] = _mm256_shuffle_ps(y[i], y[i + 2], 0xee);
        x[i + 2] = _mm256_shuffle_ps(y[i + 1], y[i + 3], 0x44);
        x[i + 3] = _mm256_shuffle_ps(y[i + 1], y[i + 3], 0xee);
    }
    for (int i = 0; i < 4; i++) {
        y[i] = _mm256_permute2f128_ps(x[i], x[i + 4], 0x20);
        y[i + 4] = _mm256_permute2f128_ps(x[i], x[i + 4], 0x31);
    }
    for (int i = 0; i < 8; i++) x[i] = y[i];
}

// eight numbers of each of eight rows, turned: x[q] is number q of all rows
THIN_INLINE void load_eight(const SlReal *a, size_t a_row, __m256 *x) {
    for (int r = 0; r < THIN_ROWS; r++) x[r] = _mm256_loadu_ps(a + (size_t)r * a_row);
    turn_eight(x);
}

// sum[j] of eight rows, from where they start: the same row for all or none; and where they end
THIN_INLINE void thin_start(const SlGemmTask *task, const int n, __m256 *sum) {
    for (int j = 0; j < n; j++) sum[j] = _mm256_set1_ps(task->start ? task->start[j] : 0);
}

THIN_INLINE void thin_end(const SlGemmTask *task, int i, const int n, const __m256 *sum) {
    __m256 out[8] = {_mm256_setzero_ps()};
    SlReal *c = task->c + (size_t)i * task->c_row;
    for (int j = 0; j < n; j++)
        out[j] = task->relu ? _mm256_max_ps(_mm256_setzero_ps(), sum[j]) : sum[j];
    if (n == 1 && task->c_row == 1) {
        _mm256_storeu_ps(c, out[0]);
        return;
    }
    turn_eight(out);
    for (int r = 0; r < THIN_ROWS; r++) {
        SlReal row[8];
        _mm256_storeu_ps(row, out[r]);
        copy_row(n, row, c + (size_t)r * task->c_row);
    }
}

// eight rows of every group; k is a multiple of eight
THIN_INLINE void thin_rows(const SlGemmTask *task, int i, const int n, const int groups) {
    __m256 sum[THIN_GROUPS][8];
    for (int g = 0; g < groups; g++) thin_start(task, n, sum[g]);
    const SlReal *a = task->a + (size_t)i * task->a_row, *b = task->b;
    for (int p = 0; p < task->k; p += 8, a += 8) {
        __m256 x[THIN_GROUPS][8];
        for (int g = 0; g < groups; g++)
            load_eight(a + (size_t)(g * THIN_ROWS) * task->a_row, task->a_row, x[g]);
        for (int q = 0; q < 8; q++, b += task->b_row) {
            for (int j = 0; j < n; j++) {
                const __m256 y = _mm256_set1_ps(b[(size_t)j * task->b_col]);
                for (int g = 0; g < groups; g++) sum[g][j] = _mm256_fmadd_ps(x[g][q], y, sum[g][j]);
            }
        }
    }
    for (int g = 0; g < groups; g++) thin_end(task, i + g * THIN_ROWS, n, sum[g]);
}

static inline bool is_thin(const SlGemmTask *task) {
    return (task->n == 1 || task->n == 5) && task->k % 8 == 0 && task->a_col == 1 && !task->mask &&
           (!task->start || task->start_row == 0);
}

// as many rows as fill vectors; returns the first row left
THIN_TARGET static int run_thin(const SlGemmTask *task) {
    const SlGemmTask t = *task; // the compiler sees that nothing writes to it
    int i = 0;
    if (t.n == 1) {
        for (; i + 2 * THIN_ROWS <= t.m; i += 2 * THIN_ROWS) thin_rows(&t, i, 1, 2);
    } else {
        for (; i + 2 * THIN_ROWS <= t.m; i += 2 * THIN_ROWS) thin_rows(&t, i, 5, 2);
    }
    return i;
}
