// gemm_tile.h - the product by register tiles, for one instruction set under names that SIZED
// makes.
//
// Included by gemm.c once per set, which gives VEC (a vector), TARGET, FUSED(x, y, z) = x y + z
// rounded once, SPREAD(x), CUT(x) (below zero cut off), KEEP(x, m) (x where m is above zero, else
// zero), DEPTH (of k in a block), and ROWS rows by VECS vectors of sums that stay in registers
// while k is walked; narrower tiles have more rows.
//
// Blocks of DEPTH by COLUMNS of b are copied into the order in which tiles read them, unless they
// lie so already. Sums pass from one block of k to the next through c, which rounds nothing.
#ifndef SIZED
#error "gemm.c sets SIZED and the rest"
#endif

#define TILE_INLINE TARGET INLINE
#define LANES_ (sizeof(VEC) / sizeof(SlReal))
#define WIDTH (VECS * LANES_) // columns of a panel of b

typedef SlReal SIZED(Any) // a vector anywhere in an array
    __attribute__((vector_size(sizeof(VEC)), aligned(sizeof(SlReal)), may_alias));

// `turned`: the rows of a lie side by side, those that come next are asked for early
TILE_INLINE void SIZED(tile)(const Part *t, const int rows, const int vecs, const bool turned) {
    VEC sum[ROWS * VECS][VECS];
    for (int r = 0; r < rows; r++) {
        const SIZED(Any) *from =
            (const SIZED(Any) *)(t->start ? t->start + (size_t)r * t->start_row : NULL);
        for (int v = 0; v < vecs; v++) sum[r][v] = from ? (VEC)from[v] : (VEC){0};
    }
    const SlReal *a = t->a, *b = t->b;
    const size_t a_row = turned ? 1 : t->a_row;
    for (int p = 0; p < t->k; p++, a += t->a_col, b += t->b_row) {
        VEC y[VECS];
        if (turned) __builtin_prefetch(a + AHEAD);
        for (int v = 0; v < vecs; v++) y[v] = (VEC)((const SIZED(Any) *)b)[v];
        for (int r = 0; r < rows; r++) {
            VEC x = SPREAD(a[(size_t)r * a_row]);
            for (int v = 0; v < vecs; v++) sum[r][v] = FUSED(x, y[v], sum[r][v]);
        }
    }
    for (int r = 0; r < rows; r++) {
        SIZED(Any) *to = (SIZED(Any) *)(t->c + (size_t)r * t->c_row);
        const SIZED(Any) *mask =
            (const SIZED(Any) *)(t->mask ? t->mask + (size_t)r * t->mask_row : NULL);
        for (int v = 0; v < vecs; v++) {
            VEC x = t->relu ? CUT(sum[r][v]) : sum[r][v];
            to[v] = (SIZED(Any))(mask ? KEEP(x, (VEC)mask[v]) : x);
        }
    }
}

// rows of the next tile when so many are left: no tile of one row behind full ones
INLINE int SIZED(next_rows)(int left, int vecs) {
    const int most = ROWS * VECS / vecs;
    if (left >= 2 * most || left == most) return most;
    if (left > most) return left >= most + 4 || vecs < VECS ? most : 4;
    return left >= 8 ? 8 : left == 7 ? 4 : left;
}

#define TILE(rows, vecs)                                                                           \
    case (rows)*8 + (vecs):                                                                        \
        SIZED(tile)(&t, rows, vecs, false);                                                        \
        return;
#define TILES(vecs)                                                                                \
    TILE(6, vecs) TILE(5, vecs) TILE(4, vecs) TILE(3, vecs) TILE(2, vecs) TILE(1, vecs)

// rows is a number that next_rows gives
TARGET static void SIZED(tile_of)(const Part *part, int rows, int vecs) {
    const Part t = *part; // the compiler sees that nothing writes to it
    if (rows == ROWS && vecs == VECS && t.a_row == 1 && t.a_col != 1) {
        SIZED(tile)(&t, ROWS, VECS, true);
        return;
    }
    switch (rows * 8 + vecs) {
        TILES(1)
        TILES(2)
        TILE(8, 1)
        TILE(12, 1)
#if VECS == 4
        TILES(3)
        TILES(4)
        TILE(24, 1)
        TILE(12, 2)
        TILE(8, 2)
        TILE(8, 3)
#endif
    default:
        assert(false);
    }
}

// a tile of columns that do not fill its vectors, through a buffer
TARGET static void SIZED(edge)(const Part *part, int rows, int columns) {
    SlReal buffer[ROWS * VECS * WIDTH], *row = buffer;
    Part t = *part;
    if (part->start) {
        memset(buffer, 0, (size_t)rows * WIDTH * sizeof *buffer);
        for (int r = 0; r < rows; r++, row += WIDTH)
            copy_row(columns, part->start + (size_t)r * part->start_row, row);
        t.start = buffer;
    }
    t.start_row = t.c_row = WIDTH;
    t.c = row = buffer;
    t.mask = NULL;
    SIZED(tile_of)(&t, rows, (columns + (int)LANES_ - 1) / (int)LANES_);
    for (int r = 0; r < rows; r++, row += WIDTH) {
        const SlReal *mask = part->mask + (size_t)r * part->mask_row;
        for (int j = 0; j < columns && part->mask; j++) row[j] = mask[j] > 0 ? row[j] : 0;
        copy_row(columns, row, part->c + (size_t)r * part->c_row);
    }
}

// all rows of some columns of c, at most WIDTH, from a panel of b
TARGET static void SIZED(panel)(const Part *part, int m, int columns) {
    Part t = *part;
    const int vecs = (columns + (int)LANES_ - 1) / (int)LANES_;
    for (int i = 0, rows; i < m; i += rows) {
        rows = SIZED(next_rows)(m - i, vecs);
        t.a = part->a + (size_t)i * part->a_row;
        t.start = part->start ? part->start + (size_t)i * part->start_row : NULL;
        t.mask = part->mask ? part->mask + (size_t)i * part->mask_row : NULL;
        t.c = part->c + (size_t)i * part->c_row;
        if (columns % (int)LANES_ == 0) {
            SIZED(tile_of)(&t, rows, vecs);
        } else {
            SIZED(edge)(&t, rows, columns);
        }
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
    _Alignas(64) SlReal panels[DEPTH * COLUMNS];
    // few rows, a b that fits the first-level cache, or one that lies as a panel would: it is read
    // where it lies
    const bool direct = task->b_col == 1 &&
                        (task->m < 32 || (size_t)k * task->b_row <= NEAR || task->b_row == WIDTH);
    Part t = {.k = k,
              .a = task->a,
              .a_row = task->a_row,
              .a_col = task->a_col,
              .start_row = task->start_row,
              .mask_row = task->mask_row,
              .c_row = task->c_row,
              .relu = task->relu};
    for (int j = 0; j < columns; j += (int)WIDTH) {
        const int some = columns - j < (int)WIDTH ? columns - j : (int)WIDTH;
        const bool here = direct && some % (int)LANES_ == 0;
        if (!here) SIZED(pack_b)(task, task->b + (size_t)j * task->b_col, k, some, panels);
        t.b = here ? task->b + j : panels;
        t.b_row = here ? task->b_row : WIDTH;
        t.start = task->start ? task->start + j : NULL;
        t.mask = task->mask ? task->mask + j : NULL;
        t.c = task->c + j;
        SIZED(panel)(&t, task->m, some);
    }
}

#undef TILE_INLINE
#undef LANES_
#undef WIDTH
#undef TILE
#undef TILES
