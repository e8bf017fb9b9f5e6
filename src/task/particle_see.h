// particle_see.h - what movers see, from the state of one world as a row of numbers of type REAL,
// for vectors of VEC_BYTES under names that SIZED makes.
//
// Every number is the very difference that sl_particle_map names, or a copy, so that the map is
// exact. Rows hold x and y in turn: a row minus (x, y, x, y ...) is what one sees of its entities.
#ifndef VEC_BYTES
#error "set REAL, VEC_BYTES and SIZED"
#endif

typedef REAL SIZED(SeeVec)
    __attribute__((vector_size(VEC_BYTES), aligned(sizeof(REAL)), may_alias));
typedef REAL SIZED(Half)
    __attribute__((vector_size(VEC_BYTES / 2), aligned(sizeof(REAL)), may_alias));
typedef REAL SIZED(Pair)
    __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
enum { SIZED(SEEN) = VEC_BYTES / sizeof(REAL) };

// n / 2 pairs minus one pair; returns where the next number goes
SL_INLINE REAL *SIZED(differ)(int n, const REAL *from, SIZED(Pair) own, REAL *out) {
    SIZED(SeeVec) wide;
    SIZED(Half) half;
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

SL_INLINE REAL *SIZED(see)(const ParticleWorld *world, const REAL *row, int mover, REAL *out) {
    const int n_movers = world->n_movers, after = n_movers - mover - 1;
    const REAL *velocities = row + 2 * n_movers;
    const SIZED(Pair) none = {0}, own = *(const SIZED(Pair) *)(row + 2 * mover);
    *(SIZED(Pair) *)out = *(const SIZED(Pair) *)(velocities + 2 * mover);
    *(SIZED(Pair) *)(out + 2) = own;
    out = SIZED(differ)(2 * world->n_landmarks, row + 4 * n_movers, own, out + 4);
    out = SIZED(differ)(2 * mover, row, own, out);
    out = SIZED(differ)(2 * after, row + 2 * (mover + 1), own, out);
    if (world->scenario == SL_SPREAD) { // what the others say, which is nothing
        for (int i = 0; i < 2 * (n_movers - 1); i++) out[i] = 0;
        return out + 2 * (n_movers - 1);
    }
    // velocities of the prey, but not one's own
    const int n = world->n_agents, before = mover > n ? mover - n : 0;
    out = SIZED(differ)(2 * before, velocities + 2 * n, none, out);
    const int first = mover < n ? n : mover + 1;
    return SIZED(differ)(2 * (n_movers - first), velocities + 2 * first, none, out);
}
