// tiles.h - the product by register tiles, for vectors of VEC_BYTES under names that SIZED makes.
//
// Included by product.c once per size of vectors. ROWS rows by up to VECS vectors of sums stay in
// registers while k is walked; rows and vecs are constants wherever `tile` is used.
#ifndef VEC_BYTES
#error "product.c sets VEC_BYTES and SIZED"
#endif

typedef SlReal SIZED(Vec) __attribute__((vector_size(VEC_BYTES)));
typedef SlReal SIZED(AnyVec) // a vector anywhere in an array
    __attribute__((vector_size(VEC_BYTES), aligned(sizeof(SlReal)), may_alias));
enum { SIZED(LANES) = VEC_BYTES / sizeof(SlReal) };

// c at rows i..i+rows-1 and columns j..j+vecs*lanes-1
INLINE void SIZED(tile)(const SlProduct *q, int i, int j, const int rows, const int vecs) {
    SIZED(Vec) sum[ROWS][VECS];
    for (int r = 0; r < rows; r++) {
        const SlReal *start = q->start ? q->start + (size_t)(i + r) * q->start_row + j : NULL;
        const SIZED(AnyVec) *from = (const SIZED(AnyVec) *)start;
        for (int v = 0; v < vecs; v++) sum[r][v] = from ? from[v] : (SIZED(AnyVec)){0};
    }
    const SlReal *a = q->a + (size_t)i * q->a_row, *b = q->b + j;
    for (int p = 0; p < q->k; p++, a += q->a_col, b += q->n) {
        for (int r = 0; r < rows; r++) {
            SlReal x = a[(size_t)r * q->a_row];
            for (int v = 0; v < vecs; v++) sum[r][v] += x * ((const SIZED(AnyVec) *)b)[v];
        }
    }
    for (int r = 0; r < rows; r++) {
        SIZED(AnyVec) *to = (SIZED(AnyVec) *)(q->c + (size_t)(i + r) * (size_t)q->n + j);
        for (int v = 0; v < vecs; v++) to[v] = sum[r][v];
    }
}

// all rows of the columns from j on, `vecs` vectors at a time; returns the first column left
INLINE int SIZED(columns)(const SlProduct *q, int j, const int vecs) {
    const int width = vecs * SIZED(LANES);
    for (; j + width <= q->n; j += width) {
        int i = 0;
        for (; i + ROWS <= q->m; i += ROWS) SIZED(tile)(q, i, j, ROWS, vecs);
        for (; i < q->m; i++) SIZED(tile)(q, i, j, 1, vecs);
    }
    return j;
}

// as many columns as fill vectors; returns the first column left
INLINE int SIZED(all_columns)(const SlProduct *q) {
    int j = SIZED(columns)(q, 0, VECS);
    j = SIZED(columns)(q, j, 2);
    return SIZED(columns)(q, j, 1);
}
