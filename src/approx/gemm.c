// gemm.c - matrix products by fused multiply-adds, in blocks that fit the caches (Goto & van de
// Geijn 2008), with one version per instruction set.
//
// An element is one chain in the order of k: sum <- a b + sum, rounded once. All versions therefore
// give the same bits. Without an instruction for it, fma() of the C library does the same slowly.
#include "gemm.h"

#include <assert.h>
#include <string.h>

#include "vectors.h"

#if defined(__x86_64__) && !defined(SL_NO_CLONES)
#define HAS_SETS 1
#include <immintrin.h>
#else
#define HAS_SETS 0
#endif

enum {
    COLUMNS = 64, // of a block of b
    NEAR = 16384 / sizeof(SlReal),
    LINE = 64 / sizeof(SlReal), // numbers of a cache line
    AHEAD = 2 * LINE,           // how early the numbers of the next tiles are asked for
};

// what a tile reads and writes
typedef struct {
    int k;
    const SlReal *a, *b, *start, *mask; // start NULL means zero, mask NULL means none
    size_t a_row, a_col, b_row, start_row, mask_row;
    SlReal *c;
    size_t c_row;
    bool relu;
} Part;

// the compiler knows the sizes of small outputs: actions and values
INLINE void copy_row(int n, const SlReal *from, SlReal *to) {
    if (n == 5) {
        memcpy(to, from, 5 * sizeof *to);
    } else if (n == 1) {
        *to = *from;
    } else {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

#ifdef SL_APPROX_DOUBLE
#define FMA_PLAIN __builtin_fma
#define OF_SET(name) name##d
#define BY_SET(name) name##_pd
#define CMP512 _mm512_cmp_pd_mask
#else
#define FMA_PLAIN __builtin_fmaf
#define OF_SET(name) name
#define BY_SET(name) name##_ps
#define CMP512 _mm512_cmp_ps_mask
#endif

#if HAS_SETS
#define SIZED(name) name##_avx2
#define VEC OF_SET(__m256)
#define TARGET __attribute__((target("avx2,fma")))
#define FUSED(x, y, z) BY_SET(_mm256_fmadd)(x, y, z)
#define SPREAD(x) BY_SET(_mm256_set1)(x)
#define CUT(x) BY_SET(_mm256_max)((VEC){0}, x) // a NaN stays one
#define KEEP(x, m) BY_SET(_mm256_and)(BY_SET(_mm256_cmp)(m, (VEC){0}, _CMP_GT_OQ), x)
#define ROWS 6 // 12 sums, 2 vectors of b and one of a: of 16 registers
#define VECS 2
#define DEPTH 256 // a panel of b, 16 KiB, stays in the first-level cache
#include "gemm_tile.h"
#undef SIZED
#undef VEC
#undef TARGET
#undef FUSED
#undef SPREAD
#undef CUT
#undef KEEP
#undef ROWS
#undef VECS
#undef DEPTH

#define SIZED(name) name##_avx512
#define VEC OF_SET(__m512)
#define TARGET __attribute__((target("avx512f")))
#define FUSED(x, y, z) BY_SET(_mm512_fmadd)(x, y, z)
#define SPREAD(x) BY_SET(_mm512_set1)(x)
#define CUT(x) BY_SET(_mm512_max)((VEC){0}, x)
#define KEEP(x, m) BY_SET(_mm512_maskz_mov)(CMP512(m, (VEC){0}, _CMP_GT_OQ), x)
#define ROWS 6 // 24 sums, 4 vectors of b and one of a: of 32 registers
#define VECS 4
#define DEPTH 128 // a panel of b, 32 KiB
#include "gemm_tile.h"

#ifndef SL_APPROX_DOUBLE
#define HAS_THIN 1
#define THIN(name) name##_avx2
#define THIN_VEC __m256
#define THIN_TARGET __attribute__((target("avx2,fma")))
#define THIN_BY(name) _mm256_##name
#define THIN_LOAD(from, row) _mm256_loadu_ps(from)
#define PAIR_EVEN(x, y) _mm256_permute2f128_ps(x, y, 0x20)
#define PAIR_ODD(x, y) _mm256_permute2f128_ps(x, y, 0x31)
#include "gemm_thin.h"
#undef THIN
#undef THIN_VEC
#undef THIN_TARGET
#undef THIN_BY
#undef THIN_LOAD
#undef PAIR_EVEN
#undef PAIR_ODD

#define THIN(name) name##_avx512
#define THIN_VEC __m512
#define THIN_TARGET __attribute__((target("avx512f")))
#define THIN_BY(name) _mm512_##name
#define THIN_LOAD(from, row)                                                                       \
    _mm512_castpd_ps(                                                                              \
        _mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(_mm256_loadu_ps(from))),        \
                           _mm256_castps_pd(_mm256_loadu_ps((from) + 8 * (row))), 1))
#define PAIR(x, y, first)                                                                          \
    _mm512_castpd_ps(_mm512_permutex2var_pd(                                                       \
        _mm512_castps_pd(x),                                                                       \
        _mm512_setr_epi64(first, (first) + 1, (first) + 8, (first) + 9, (first) + 4, (first) + 5,  \
                          (first) + 12, (first) + 13),                                             \
        _mm512_castps_pd(y)))
#define PAIR_EVEN(x, y) PAIR(x, y, 0)
#define PAIR_ODD(x, y) PAIR(x, y, 2)
#include "gemm_thin.h"
#endif
#endif
#ifndef HAS_THIN
#define HAS_THIN 0
#endif

// some columns of one row, without vectors of a given size
static void plain_row(const SlGemmTask *task, int k, int i, int j, int columns) {
    SlReal sum[COLUMNS] = {0};
    const SlReal *a = task->a + (size_t)i * task->a_row, *b = task->b + (size_t)j * task->b_col;
    for (int l = 0; l < columns && task->start; l++)
        sum[l] = task->start[(size_t)i * task->start_row + (size_t)(j + l)];
    for (int p = 0; p < k; p++, a += task->a_col, b += task->b_row)
        for (int l = 0; l < columns; l++)
            sum[l] = FMA_PLAIN(*a, b[(size_t)l * task->b_col], sum[l]);
    SlReal *c = task->c + (size_t)i * task->c_row + j;
    const SlReal *mask = task->mask ? task->mask + (size_t)i * task->mask_row + j : NULL;
    for (int l = 0; l < columns; l++) {
        c[l] = task->relu && sum[l] < 0 ? 0 : sum[l];
        if (mask && !(mask[l] > 0)) c[l] = 0;
    }
}

static void block_plain(const SlGemmTask *task, int k, int columns) {
    for (int i = 0; i < task->m; i++) plain_row(task, k, i, 0, columns);
}

static void run_block(SlGemmSet set, const SlGemmTask *task, int k, int columns) {
#if HAS_SETS
    if (set == SL_GEMM_AVX512) {
        block_avx512(task, k, columns);
        return;
    }
    if (set == SL_GEMM_AVX2) {
        block_avx2(task, k, columns);
        return;
    }
#endif
    (void)set;
    block_plain(task, k, columns);
}

// of k in a block; the plain version has no blocks
static int depth_of(SlGemmSet set, int k) {
    return set == SL_GEMM_AVX512 ? 128 : set == SL_GEMM_AVX2 ? 256 : k > 0 ? k : 1;
}

// all of k for some columns
static void run_columns(SlGemmSet set, const SlGemmTask *task, int columns) {
    SlGemmTask part = *task;
    const int most = depth_of(set, task->k);
    int left = task->k, blocks = (left + most - 1) / most; // of about the same size
    do {
        int depth = blocks > 1 ? left / blocks : left;
        blocks--;
        left -= depth;
        part.relu = task->relu && left == 0;
        part.mask = left == 0 ? task->mask : NULL;
        run_block(set, &part, depth, columns);
        part.a += (size_t)depth * part.a_col;
        part.b += (size_t)depth * part.b_row;
        part.start = part.c;
        part.start_row = part.c_row;
    } while (left > 0);
}

bool sl_gemm_has(SlGemmSet set) {
#if HAS_SETS
    if (set == SL_GEMM_AVX512) return __builtin_cpu_supports("avx512f");
    if (set == SL_GEMM_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return set == SL_GEMM_PLAIN;
}

static inline bool is_thin(const SlGemmTask *task) {
    return (task->n == 1 || task->n == 5) && task->k % 8 == 0 && task->a_col == 1 && !task->mask &&
           (!task->start || task->start_row == 0);
}

// the rows of thin products that fill vectors; returns those that are left
static SlGemmTask without_thin(SlGemmSet set, const SlGemmTask *task) {
    SlGemmTask left = *task;
#if HAS_THIN
    if (set == SL_GEMM_PLAIN || !is_thin(task)) return left;
    const int done = set == SL_GEMM_AVX512 ? run_thin_avx512(task) : run_thin_avx2(task);
    left.m -= done;
    left.a += (size_t)done * left.a_row;
    left.c += (size_t)done * left.c_row;
    if (left.start) left.start += (size_t)done * left.start_row;
#endif
    (void)set;
    return left;
}

void sl_gemm_run_with(SlGemmSet set, const SlGemmTask *task) {
    const SlGemmTask all = without_thin(set, task);
    for (int j = 0; j < all.n && all.m > 0; j += COLUMNS) {
        SlGemmTask part = all;
        part.b += (size_t)j * part.b_col;
        part.c += j;
        if (part.start) part.start += j;
        if (part.mask) part.mask += j;
        run_columns(set, &part, all.n - j < COLUMNS ? all.n - j : COLUMNS);
    }
}

void sl_gemm_run(const SlGemmTask *task) {
    SlGemmSet set = SL_GEMM_AVX512;
    while (!sl_gemm_has(set)) set--;
    sl_gemm_run_with(set, task);
}

void sl_gemm(const SlGemm *gemm) {
    sl_gemm_run(&(SlGemmTask){
        .m = gemm->m,
        .n = gemm->n,
        .k = gemm->k,
        .a = gemm->a,
        .a_row = gemm->a_row,
        .a_col = gemm->a_col,
        .b = gemm->b,
        .b_row = gemm->b_row,
        .b_col = 1,
        .start = gemm->add ? gemm->c : NULL,
        .start_row = gemm->c_row,
        .c = gemm->c,
        .c_row = gemm->c_row,
    });
}
