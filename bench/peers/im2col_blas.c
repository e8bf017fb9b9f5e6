// im2col_blas.c - a convolution as im2col and one product by OpenBLAS, the way frameworks did it
// first.
//
//     cc -O3 -march=native im2col_blas.c -o im2col_blas -ldl -lm
//     im2col_blas K C P Q R S STRIDE PAD [REPEATS MILLISECONDS]
//
// Prints "ok" and the seconds of one call in each repeat, as the programs of `starling bench
// kernel` do: one thread, its processor time, im2col and product together; weights lie ready as (K,
// C R S). A 1x1 layer with stride 1 and no padding needs no im2col. The answer is checked before
// anything is timed. Leaves with code 77 and a sentence where there is no OpenBLAS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void Sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                   int lda, const float *b, int ldb, float beta, float *c, int ldc);
enum { ROW_MAJOR = 101, AS_IS = 111 };

typedef struct {
    int k, c, p, q, r, s, stride, pad, h, w;
} Layer;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *random_floats(size_t n, unsigned seed) {
    float *x = aligned_alloc(64, (n * sizeof *x + 63) / 64 * 64);
    unsigned state = seed;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u; // Numerical Recipes
        x[i] = (float)(state >> 8) / 8388608.0F - 1;
    }
    return x;
}

// columns (C R S, P Q) of an input (C, H, W)
static void im2col(const Layer *l, const float *x, float *columns) {
    for (int c = 0; c < l->c; c++)
        for (int r = 0; r < l->r; r++)
            for (int s = 0; s < l->s; s++)
                for (int p = 0; p < l->p; p++, columns += l->q) {
                    int y = p * l->stride + r - l->pad, first = 0, end = l->q;
                    if (y < 0 || y >= l->h) {
                        memset(columns, 0, sizeof *columns * (size_t)l->q);
                        continue;
                    }
                    const float *row = x + ((size_t)c * l->h + y) * l->w + s - l->pad;
                    while (first < end && first * l->stride + s < l->pad) columns[first++] = 0;
                    while (end > first && (end - 1) * l->stride + s - l->pad >= l->w)
                        columns[--end] = 0;
                    if (l->stride == 1)
                        memcpy(columns + first, row + first, sizeof *row * (size_t)(end - first));
                    else
                        for (int q = first; q < end; q++) columns[q] = row[q * l->stride];
                }
}

// some outputs by the definition
static int is_right(const Layer *l, const float *x, const float *w, const float *y) {
    for (long i = 0; i < 2000; i++) {
        long at = i * 7919 % ((long)l->k * l->p * l->q);
        int k = (int)(at / (l->p * l->q)), p = (int)(at / l->q % l->p), q = (int)(at % l->q);
        double sum = 0;
        for (int c = 0; c < l->c; c++)
            for (int r = 0; r < l->r; r++)
                for (int s = 0; s < l->s; s++) {
                    int iy = p * l->stride + r - l->pad, ix = q * l->stride + s - l->pad;
                    if (iy < 0 || iy >= l->h || ix < 0 || ix >= l->w) continue;
                    sum += (double)x[((size_t)c * l->h + iy) * l->w + ix] *
                           (double)w[(((size_t)k * l->c + c) * l->r + r) * l->s + s];
                }
        if (!(fabs(sum - (double)y[at]) <=
              1e-3 * (fabs(sum) + sqrt((double)l->c * l->r * l->s) / 3)))
            return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 9)
        return fprintf(stderr, "im2col_blas K C P Q R S STRIDE PAD [REPEATS MILLISECONDS]\n"), 2;
    int v[8];
    for (int i = 0; i < 8; i++) v[i] = atoi(argv[i + 1]);
    Layer l = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 0, 0};
    int deep = l.c * l.r * l.s, wide = l.p * l.q;
    l.h = (l.p - 1) * l.stride + l.r - 2 * l.pad + l.stride - 1;
    l.w = (l.q - 1) * l.stride + l.s - 2 * l.pad + l.stride - 1;
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    Sgemm *sgemm = library ? (Sgemm *)dlsym(library, "cblas_sgemm") : NULL;
    if (!sgemm)
        return fprintf(stderr,
                       "im2col_blas: there is no libopenblas.so.0 (Debian: libopenblas0-serial)\n"),
               77;
    void (*set_threads)(int) = (void (*)(int))dlsym(library, "openblas_set_num_threads");
    char *(*config)(void) = (char *(*)(void))dlsym(library, "openblas_get_config");
    if (set_threads) set_threads(1);
    long repeats = argc > 9 ? atol(argv[9]) : 5;
    double least_s = 1e-3 * (argc > 10 ? atof(argv[10]) : 10);
    int flat = l.r == 1 && l.s == 1 && l.stride == 1 && l.pad == 0;
    float *x = random_floats((size_t)l.c * l.h * l.w, 1), *w = random_floats((size_t)l.k * deep, 2);
    float *y = random_floats((size_t)l.k * wide, 3),
          *columns = flat ? x : random_floats((size_t)deep * wide, 4);
    double begun = 0;
    long calls = 1;
    for (long i = -2; i < repeats; i++) {
        begun = now_s();
        for (long c = 0; c < calls; c++) {
            if (!flat) im2col(&l, x, columns);
            sgemm(ROW_MAJOR, AS_IS, AS_IS, l.k, wide, deep, 1, w, deep, columns, wide, 0, y, wide);
        }
        double seconds = (now_s() - begun) / (double)calls;
        if (i == -2 && !is_right(&l, x, w, y)) return printf("wrong\n"), 1;
        if (i == -1) calls = 1 + (long)(least_s / seconds);
        if (i == 0) printf("ok");
        if (i >= 0) printf(" %.9g", seconds);
    }
    printf("\n");
    if (config) fprintf(stderr, "%s\n", config());
    return 0;
}
