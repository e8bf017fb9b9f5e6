// gemm_tile.h - the product by register tiles, for one instruction set under names that SIZED
// makes.
//
// Included by gemm.c once per set, which gives VEC (a vector), TARGET, FUSED(x, y, z) = x y + z
// rounded once, SPREAD(x), CUT(x) (below zero cut off), and ROWS rows by two vectors of sums that
// stay in registers while k is walked.
//
// Blocks of DEPTH by COLUMNS of b and, if its rows are not contiguous, of HEIGHT by DEPTH of a are
// copied into the order in which tiles read them. Sums pass from one block of k to the next through
// c, which rounds nothing.
#ifndef SIZED
#error "gemm.c sets SIZED and the rest"
#endif

#define TILE_INLINE TARGET INLINE
#define LANES_ (sizeof(VEC) / sizeof(SlReal))
#define WIDTH (2 * LANES_)     // columns of a panel of b
#define NARROW_ROWS (2 * ROWS) // of a tile one vector wide

typedef SlReal SIZED(Any) // a vector anywhere in an array
    __attribute__((vector_size(sizeof(VEC)), aligned(sizeof(SlReal)), may_alias));

TILE_INLINE void SIZED(tile)(const Part *t, const int rows, const int vecs) {
    VEC sum[NARROW_ROWS][2];
    for (int r = 0; r < rows; r++) {
        const SIZED(Any) *from =
            (const SIZED(Any) *)(t->start ? t->start + (size_t)r * t->start_row : NULL);
        for (int v = 0; v < vecs; v++) sum[r][v] = from ? (VEC)from[v] : (VEC){0};
    }
    const SlReal *a = t->a, *b = t->b;
    for (int p = 0; p < t->k; p++, a += t->a_col, b += t->b_row) {
        VEC y[2];
        for (int v = 0; v < vecs; v++) y[v] = (VEC)((const SIZED(Any) *)b)[v];
        for (int r = 0; r < rows; r++) {
            VEC x = SPREAD(a[(size_t)r * t->a_row]);
            for (int v = 0; v < vecs; v++) sum[r][v] = FUSED(x, y[v], sum[r][v]);
        }
    }
    for (int r = 0; r < rows; r++) {
        SIZED(Any) *to = (SIZED(Any) *)(t->c + (size_t)r * t->c_row);
        for (int v = 0; v < vecs; v++) to[v] = (SIZED(Any))(t->relu ? CUT(sum[r][v]) : sum[r][v]);
    }
}

INLINE int SIZED(next_rows)(int left, int most) {
    return left >= most ? most : left >= ROWS ? ROWS : left >= 5 ? 5 : left == 3 ? 2 : left;
}

// rows is a number that next_rows gives
TARGET static void SIZED(tile_of)(const Part *part, int rows, int vecs) {
    const Part t = *part; // the compiler sees that nothing writes to it
    switch (rows * 2 + vecs) {
    case NARROW_ROWS * 2 + 1:
        SIZED(tile)(&t, NARROW_ROWS, 1);
        return;
    case ROWS * 2 + 2:
        SIZED(tile)(&t, ROWS, 2);
        return;
    case ROWS * 2 + 1:
        SIZED(tile)(&t, ROWS, 1);
        return;
    case 5 * 2 + 2:
        SIZED(tile)(&t, 5, 2);
        return;
    case 5 * 2 + 1:
        SIZED(tile)(&t, 5, 1);
        return;
    case 4 * 2 + 2:
        SIZED(tile)(&t, 4, 2);
        return;
    case 4 * 2 + 1:
        SIZED(tile)(&t, 4, 1);
        return;
    case 2 * 2 + 2:
        SIZED(tile)(&t, 2, 2);
        return;
    case 2 * 2 + 1:
        SIZED(tile)(&t, 2, 1);
        return;
    case 1 * 2 + 2:
        SIZED(tile)(&t, 1, 2);
        return;
    default:
        SIZED(tile)(&t, 1, 1);
        return;
    }
}

// a tile of columns that do not fill its vectors, through a buffer
TARGET static void SIZED(edge)(const Part *part, int rows, int columns) {
    SlReal buffer[NARROW_ROWS * WIDTH], *row = buffer;
    Part t = *part;
    if (part->start) {
        memset(buffer, 0, (size_t)rows * WIDTH * sizeof *buffer);
        for (int r = 0; r < rows; r++, row += WIDTH)
            copy_row(columns, part->start + (size_t)r * part->start_row, row);
        t.start = buffer;
    }
    t.start_row = t.c_row = WIDTH;
    t.c = row = buffer;
    SIZED(tile_of)(&t, rows, columns <= (int)LANES_ ? 1 : 2);
    for (int r = 0; r < rows; r++, row += WIDTH)
        copy_row(columns, row, part->c + (size_t)r * part->c_row);
}

// all rows of some columns of c, at most WIDTH, from a panel of b
TARGET static void SIZED(panel)(const Part *part, int m, int columns) {
    Part t = *part;
    const int most = columns <= (int)LANES_ && !part->packed ? NARROW_ROWS : ROWS;
    for (int i = 0, rows; i < m; i += rows) {
        rows = SIZED(next_rows)(m - i, most);
        t.a = part->a + (size_t)i * part->a_row;
        // copied rows: `ROWS` of them lie together, number by number
        if (part->packed) t.a = part->a + (size_t)(i / ROWS) * DEPTH * ROWS + (size_t)(i % ROWS);
        t.start = part->start ? part->start + (size_t)i * part->start_row : NULL;
        t.c = part->c + (size_t)i * part->c_row;
        if (columns == (int)WIDTH || columns == (int)LANES_) {
            SIZED(tile_of)(&t, rows, columns / (int)LANES_);
        } else {
            SIZED(edge)(&t, rows, columns);
        }
    }
}

// copy m rows of a, at most HEIGHT
TARGET static void SIZED(pack_a)(const SlGemmTask *task, const SlReal *a, int m, int k,
                                 SlReal *to) {
    for (int p = 0; p < k; p++, a += task->a_col) {
        int i = 0;
        for (int r = 0; r < m && p + AHEAD < k && task->a_row == 1; r += LINE)
            __builtin_prefetch(a + AHEAD * task->a_col + r);
        SlReal *at = to + (size_t)p * ROWS;
        for (; i + ROWS <= m && task->a_row == 1; i += ROWS, at += (size_t)DEPTH * ROWS)
            memcpy(at, a + i, ROWS * sizeof *at);
        for (; i + ROWS <= m; i += ROWS, at += (size_t)DEPTH * ROWS)
            for (int r = 0; r < ROWS; r++) at[r] = a[(size_t)(i + r) * task->a_row];
        for (int r = 0; i + r < m; r++) at[r] = a[(size_t)(i + r) * task->a_row];
    }
}

// copy some columns of b, at most WIDTH, zeros beside them
TARGET static void SIZED(pack_b)(const SlGemmTask *task, const SlReal *b, int k, int columns,
                                 SlReal *to) {
    if (columns < (int)WIDTH) memset(to, 0, (size_t)k * WIDTH * sizeof *to);
    if (task->b_col == 1 && columns == (int)WIDTH) {
        for (int p = 0; p < k; p++, b += task->b_row, to += WIDTH)
            memcpy(to, b, WIDTH * sizeof *to);
    } else if (task->b_col == 1) {
        for (int p = 0; p < k; p++, b += task->b_row, to += WIDTH)
            for (int j = 0; j < columns; j++) to[j] = b[j];
    } else {
        for (int j = 0; j < columns; j++, b += task->b_col)
            for (int p = 0; p < k; p++)
                to[(size_t)p * WIDTH + (size_t)j] = b[(size_t)p * task->b_row];
    }
}

// one block of k and of columns
TARGET static void SIZED(block)(const SlGemmTask *task, int k, int columns) {
    _Alignas(64) SlReal panels[DEPTH * COLUMNS], rows_of_a[HEIGHT * DEPTH];
    // few rows, or a b that fits the first-level cache: it is read where it lies
    const bool direct = task->b_col == 1 && (task->m < 32 || (size_t)k * task->b_row <= NEAR);
    for (int j = 0; j < columns; j += (int)WIDTH) {
        int some = columns - j < (int)WIDTH ? columns - j : (int)WIDTH;
        if (!direct || some % (int)LANES_ != 0) SIZED(pack_b)
        (task, task->b + (size_t)j * task->b_col, k, some, panels + (size_t)k * (size_t)j);
    }
    Part t = {.k = k,
              .a_row = task->a_row,
              .a_col = task->a_col,
              .start_row = task->start_row,
              .c_row = task->c_row,
              .relu = task->relu,
              .packed = task->a_col != 1};
    if (t.packed) t.a_row = 1, t.a_col = ROWS;
    for (int i = 0; i < task->m; i += HEIGHT) {
        const int rows = task->m - i < HEIGHT ? task->m - i : HEIGHT;
        t.a = task->a + (size_t)i * task->a_row;
        if (t.packed) {
            SIZED(pack_a)(task, t.a, rows, k, rows_of_a);
            t.a = rows_of_a;
        }
        for (int j = 0; j < columns; j += (int)WIDTH) {
            const int some = columns - j < (int)WIDTH ? columns - j : (int)WIDTH;
            const bool here = direct && some % (int)LANES_ == 0;
            t.b = here ? task->b + j : panels + (size_t)k * (size_t)j;
            t.b_row = here ? task->b_row : WIDTH;
            t.start = task->start ? task->start + (size_t)i * task->start_row + j : NULL;
            t.c = task->c + (size_t)i * task->c_row + j;
            SIZED(panel)(&t, rows, some);
        }
    }
}

#undef TILE_INLINE
#undef LANES_
#undef WIDTH
#undef NARROW_ROWS
