// particle_step.h - the arithmetic of a world in numbers of type REAL, for vectors of VEC_BYTES
// over BLOCK worlds, under names that SIZED makes. Rules and sources: docs/particle.md.
//
// Included by world_build.h once per kind of numbers. BITS is the whole-number type of the size of
// REAL, `facts` are those of the world; what it alone does is in WORLD_FILE. Where a pair is far,
// its force is 0: in single worlds of a vector by a mask, in all of them by a branch, so the size
// of vectors changes nothing.
#ifndef VEC_BYTES
#error "set REAL, BITS, VEC_BYTES, BLOCK and SIZED"
#endif

typedef REAL SIZED(Vec) __attribute__((vector_size(VEC_BYTES)));
typedef BITS SIZED(Mask) __attribute__((vector_size(VEC_BYTES))); // what comparisons give
typedef REAL SIZED(AnyVec)                                        // a vector anywhere in an array
    __attribute__((vector_size(VEC_BYTES), aligned(sizeof(REAL)), may_alias));
enum { SIZED(LANES) = VEC_BYTES / sizeof(REAL) };
#define VEC SIZED(Vec)
#define MASK SIZED(Mask)
#define GET(rows, r) (*(const SIZED(AnyVec) *)((rows) + (size_t)(r)*BLOCK))
#define PUT(rows, r) (*(SIZED(AnyVec) *)((rows) + (size_t)(r)*BLOCK))

SL_INLINE VEC SIZED(all)(REAL x) {
    return x - (VEC){0};
}

SL_INLINE VEC SIZED(where)(MASK held, VEC yes) {
    return (VEC)(held & (MASK)yes);
}

SL_INLINE VEC SIZED(select)(MASK held, VEC yes, VEC no) {
    return (VEC)((held & (MASK)yes) | (~held & (MASK)no));
}

SL_INLINE bool SIZED(any)(MASK held) {
#if defined(__x86_64__) && VEC_BYTES == 16
    typedef char Bytes __attribute__((vector_size(16)));
    return __builtin_ia32_pmovmskb128((Bytes)held) != 0;
#elif defined(__x86_64__) && VEC_BYTES == 32
    typedef char Bytes __attribute__((vector_size(32)));
    return __builtin_ia32_pmovmskb256((Bytes)held) != 0;
#else
    uint64_t words[VEC_BYTES / 8], all = 0;
    memcpy(words, &held, sizeof words);
    for (size_t i = 0; i < VEC_BYTES / 8; i++) all |= words[i];
    return all != 0;
#endif
}

SL_INLINE VEC SIZED(root)(VEC x) {
#if defined(__x86_64__) && VEC_BYTES == 16
    return sizeof(REAL) == 4 ? (VEC)__builtin_ia32_sqrtps((Floats)x)
                             : (VEC)__builtin_ia32_sqrtpd((Doubles)x);
#elif defined(__x86_64__) && VEC_BYTES == 32
    return __builtin_ia32_sqrtps256(x);
#else
    for (int l = 0; l < SIZED(LANES); l++) x[l] = (REAL)sqrt((double)x[l]); // rounds the same
    return x;
#endif
}

// log(1 + exp(-y)) of 0 <= y.
//
// exp(-y) = 2^-k exp(r) with |r| <= log(2) / 2 by its Taylor series; log(1 + t) = 2 artanh(t / (2 +
// t)), whose argument is at most 1/3.
SL_INLINE VEC SIZED(log_1_exp)(VEC y) {
    const REAL log_2 = (REAL)0.69314718055994531, by_log_2 = (REAL)1.4426950408889634;
    const bool is_float = sizeof(REAL) == 4;
    const int exp_terms = is_float ? 7 : 14, log_terms = is_float ? 7 : 17;
    const REAL most = is_float ? 80 : 700;
    y = SIZED(select)(y < most, y, SIZED(all)(most));
    MASK k = __builtin_convertvector(y * by_log_2 + (REAL)0.5, MASK);
    VEC r = __builtin_convertvector(k, VEC) * log_2 - y;
    VEC series = SIZED(all)(1);
    for (int i = exp_terms; i > 0; i--) series = 1 + r * (1 / (REAL)i) * series;
    VEC t = series * (VEC)((is_float ? 127 - k : 1023 - k) << (is_float ? 23 : 52));
    VEC s = t / (2 + t), square = s * s;
    VEC sum = SIZED(all)(1 / (REAL)(2 * log_terms - 1));
    for (int i = log_terms - 1; i > 0; i--) sum = 1 / (REAL)(2 * i - 1) + square * sum;
    return 2 * s * sum;
}

// exp(x) of 0 <= x <= 3, by the Taylor series of a quarter
SL_INLINE VEC SIZED(exp_small)(VEC x) {
    const int terms = sizeof(REAL) == 4 ? 10 : 19;
    VEC series = SIZED(all)(1);
    for (int i = terms; i > 0; i--) series = 1 + x * (REAL)0.25 * (1 / (REAL)i) * series;
    VEC square = series * series;
    return square * square;
}

// What a contact does per unit of distance between two centres, of which `square` is the square:
// 100 k softplus(x) / distance with x = (least - distance) / k. Worlds on one spot feel nothing.
SL_INLINE VEC SIZED(push_by)(VEC square, REAL least) {
    const REAL by_margin = 1000, strength = (REAL)0.1; // 1 / k, 100 k
    VEC distance = SIZED(root)(square);
    VEC x = (least - distance) * by_margin;
    VEC softplus = SIZED(where)(x > 0, x) + SIZED(log_1_exp)(SIZED(select)(x > 0, x, -x));
    VEC safe = SIZED(select)(square > 0, distance, SIZED(all)(1));
    return strength * softplus / safe;
}

// A mover while its contacts are added up.
typedef struct {
    VEC x, y, fx, fy;
} SIZED(Mover);

// contacts with those whose x are in rows first, first+2 ... of `state`; they are pushed back if
// they have forces
SL_INLINE void SIZED(contacts)(SIZED(Mover) * mover, int n, REAL least, const REAL *state,
                               REAL *force) {
    const REAL reach = least + (sizeof(REAL) == 4 ? (REAL)0.02 : (REAL)0.05); // x = -20, -50
    const REAL near_square = reach * reach;
    for (int i = 0; i < n; i++) {
        VEC dx = mover->x - GET(state, 2 * i), dy = mover->y - GET(state, 2 * i + 1);
        VEC square = dx * dx + dy * dy;
        MASK near = square < near_square;
        if (!SIZED(any)(near)) continue;
        VEC push = SIZED(where)(near, SIZED(push_by)(square, least));
        VEC fx = push * dx, fy = push * dy;
        mover->fx += fx;
        mover->fy += fy;
        if (!force) continue;
        PUT(force, 2 * i) -= fx;
        PUT(force, 2 * i + 1) -= fy;
    }
}

// those from i + 1 on, by kind
SL_INLINE void SIZED(all_contacts)(const ParticleWorld *world, int i, const REAL *state,
                                   REAL *force) {
    const int n = world->n_agents, n_movers = world->n_movers;
    const bool agent = i < n;
    const REAL size = agent ? (REAL)facts.agent.size : (REAL)facts.scripted.size;
    SIZED(Mover)
    m = {GET(state, 2 * i), GET(state, 2 * i + 1), GET(force, 2 * i), GET(force, 2 * i + 1)};
    const size_t next = (size_t)(2 * (i + 1)) * BLOCK, scripted = (size_t)(2 * n) * BLOCK;
    if (agent) SIZED(contacts)(&m, n - i - 1, size + size, state + next, force + next);
    if (facts.scripted.pushes) {
        const size_t from = agent ? scripted : next;
        const int n_scripted = agent ? n_movers - n : n_movers - i - 1;
        SIZED(contacts)
        (&m, n_scripted, size + (REAL)facts.scripted.size, state + from, force + from);
    }
    if (facts.landmark.pushes) SIZED(contacts)
    (&m, world->n_landmarks, size + (REAL)facts.landmark.size,
     state + (size_t)(4 * n_movers) * BLOCK, NULL);
    PUT(force, 2 * i) = m.fx;
    PUT(force, 2 * i + 1) = m.fy;
}

// new velocity and position of one mover
SL_INLINE void SIZED(integrate)(const ParticleWorld *world, int i, REAL max_speed, REAL *state,
                                const REAL *force) {
    const REAL dt = (REAL)0.1, kept = (REAL)0.75; // damping 0.25
    const int at = 2 * i, v_at = 2 * world->n_movers + 2 * i;
    VEC old_x = GET(state, v_at), old_y = GET(state, v_at + 1);
    VEC vx = old_x * kept + GET(force, at) * dt, vy = old_y * kept + GET(force, at + 1) * dt;
    if (max_speed < (REAL)INFINITY) {
        VEC speed = SIZED(root)(vx * vx + vy * vy);
        MASK fast = speed > max_speed;
        vx = SIZED(select)(fast, vx / speed * max_speed, vx);
        vy = SIZED(select)(fast, vy / speed * max_speed, vy);
    }
    PUT(state, v_at) = vx;
    PUT(state, v_at + 1) = vy;
    const bool openai = world->rules == SL_RULES_OPENAI;
    PUT(state, at) += (openai ? vx : old_x) * dt;
    PUT(state, at + 1) += (openai ? vy : old_y) * dt;
}

SL_INLINE void SIZED(move_column)(const ParticleWorld *world, REAL *state, REAL *force) {
    const int n = world->n_agents, n_movers = world->n_movers;
    const int first = facts.agent.pushes ? 0 : n, last = facts.scripted.pushes ? n_movers : n;
    for (int i = first; i < last; i++) SIZED(all_contacts)(world, i, state, force);
    for (int i = 0; i < n; i++)
        SIZED(integrate)(world, i, (REAL)facts.agent.max_speed, state, force);
    for (int i = n; i < n_movers; i++)
        SIZED(integrate)(world, i, (REAL)facts.scripted.max_speed, state, force);
}

static void SIZED(move)(const ParticleWorld *world, REAL *state, REAL *force) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES)) SIZED(move_column)(world, state + l, force + l);
}

// ---- what rewards and scripts are made of ----

// how many of the n movers from `state` on are closer to (x, y) than `least`, as numbers; and one
// more for each of those that are, in `counts` (n)
SL_INLINE VEC SIZED(count_close)(VEC x, VEC y, int n, REAL least, const REAL *state, REAL *counts) {
    const REAL maybe_square = least * least * (REAL)1.0001;
    VEC count = {0};
    for (int i = 0; i < n; i++) {
        VEC dx = x - GET(state, 2 * i), dy = y - GET(state, 2 * i + 1);
        VEC square = dx * dx + dy * dy;
        if (!SIZED(any)(square < maybe_square)) continue;
        VEC close = SIZED(where)(SIZED(root)(square) < least, SIZED(all)(1));
        count += close;
        if (counts) PUT(counts, i) += close;
    }
    return count;
}

// squared distance of the one that is nearest to a place, of the n movers from `state` on
SL_INLINE VEC SIZED(nearest)(int n, const REAL *state, VEC x, VEC y) {
    VEC least = SIZED(all)((REAL)INFINITY);
    for (int i = 0; i < n; i++) {
        VEC dx = GET(state, 2 * i) - x, dy = GET(state, 2 * i + 1) - y;
        VEC square = dx * dx + dy * dy;
        least = SIZED(select)(square < least, square, least);
    }
    return least;
}

// ---- the world's own ----

#include WORLD_FILE // NOLINT(bugprone-suspicious-include)

static void SIZED(reward)(const ParticleWorld *world, const REAL *state, REAL *rewards) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES))
        SIZED(reward_column)(world, state + l, rewards + l);
}

#ifdef WORLD_SHAPES
static inline void SIZED(shape)(const ParticleWorld *world, const REAL *state, REAL *shaping) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES))
        SIZED(shape_column)(world, state + l, shaping + l);
}
#endif

#ifdef WORLD_DRIVES
static inline void SIZED(drive)(const ParticleWorld *world, const REAL *state, REAL *force) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES))
        for (int i = world->n_agents; i < world->n_movers; i++)
            SIZED(drive_one)(world, i, state + l, force + l);
}

static inline void SIZED(reward_scripted)(const ParticleWorld *world, const REAL *state,
                                          REAL *rewards) {
    for (int l = 0; l < BLOCK; l += SIZED(LANES))
        for (int i = world->n_agents; i < world->n_movers; i++)
            PUT(rewards + l, i) = SIZED(reward_one)(world, i, state + l);
}
#endif

#undef VEC
#undef MASK
#undef GET
#undef PUT
