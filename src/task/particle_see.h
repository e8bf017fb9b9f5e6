// particle_see.h - what movers see, from the state of one world as a row of numbers of type REAL,
// for vectors of SEE_BYTES under names that SIZED makes.
//
// The world's `facts` list the parts. Every number is the very difference that sl_particle_map
// names, or a copy, so that the map is exact. Rows hold x and y in turn: a row minus (x, y, x, y
// ...) is what one sees of its entities.
#ifndef SEE_BYTES
#error "set REAL, BLOCK, SEE_BYTES and SIZED"
#endif

typedef REAL SIZED(SeeVec)
    __attribute__((vector_size(SEE_BYTES), aligned(sizeof(REAL)), may_alias));
typedef REAL SIZED(Half)
    __attribute__((vector_size(SEE_BYTES / 2), aligned(sizeof(REAL)), may_alias));
typedef REAL SIZED(Pair)
    __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
enum { SIZED(SEEN) = SEE_BYTES / sizeof(REAL) };

// n / 2 pairs minus one pair; returns where the next number goes
SL_INLINE REAL *SIZED(differ)(int n, const REAL *from, SIZED(Pair) own, REAL *out) {
    SIZED(SeeVec) wide = {0};
    SIZED(Half) half = {0};
    for (int l = 0; l < SIZED(SEEN); l++) wide[l] = own[l % 2];
    for (int l = 0; l < SIZED(SEEN) / 2; l++) half[l] = own[l % 2];
    int i = 0;
    for (; i + SIZED(SEEN) <= n; i += SIZED(SEEN))
        *(SIZED(SeeVec) *)(out + i) = *(const SIZED(SeeVec) *)(from + i) - wide;
    for (; i + SIZED(SEEN) / 2 <= n; i += SIZED(SEEN) / 2)
        *(SIZED(Half) *)(out + i) = *(const SIZED(Half) *)(from + i) - half;
    for (; i < n; i += 2) *(SIZED(Pair) *)(out + i) = *(const SIZED(Pair) *)(from + i) - own;
    return out + n;
}

// pairs of the row but one, minus a pair
SL_INLINE REAL *SIZED(see_span)(const ParticleSpan *span, const REAL *row, SIZED(Pair) own,
                                REAL *out) {
    const int first = span->first, last = first + span->n, skip = span->skip;
    if (skip < 0) return SIZED(differ)(2 * span->n, row + 2 * first, own, out);
    out = SIZED(differ)(2 * (skip - first), row + 2 * first, own, out);
    return SIZED(differ)(2 * (last - skip - 1), row + 2 * (skip + 1), own, out);
}

SL_INLINE REAL *SIZED(see)(const ParticleWorld *world, const REAL *row, int mover, REAL *out) {
    const SIZED(Pair) none = {0}, own = *(const SIZED(Pair) *)(row + 2 * mover);
#pragma GCC unroll 8 // the parts are known when it is compiled
    for (int p = 0; p < PARTICLE_MAX_SIGHT; p++) {
        const ParticleSpan span = particle_span(world, facts.sight[p], mover);
        if (span.silent) {
            for (int i = 0; i < 2 * span.n; i++) out[i] = 0;
            out += 2 * span.n;
        } else {
            out = SIZED(see_span)(&span, row, span.relative ? own : none, out);
        }
    }
    return out;
}

// what movers see, one after the other
static void SIZED(observe)(const ParticleWorld *world, const REAL *row, int first, int last,
                           REAL *out) {
    for (int i = first; i < last; i++) out = SIZED(see)(world, row, i, out);
}

static inline void SIZED(rows)(int n_rows, const REAL *state, size_t stride, REAL *out) {
    for (int l = 0; l < BLOCK; l++)
        for (int r = 0; r < n_rows; r++)
            out[(size_t)l * stride + (size_t)r] = state[(size_t)r * BLOCK + (size_t)l];
}
