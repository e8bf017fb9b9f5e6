// tune_points.c - points of a tuning task: those seen, and a random order of the others.
#include "tune_points.h"

#include <stdio.h>

enum { MOST_BITS = 1 << 26, MOST_MISSES = 4000000 };

// --- a random order

static uint64_t mix(uint64_t word) { // the finaliser of splitmix64 (Steele et al. 2014)
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31);
}

void sl_index_walk_init(SlIndexWalk *walk, int64_t n, SlRng *rng) {
    *walk = (SlIndexWalk){.n = (uint64_t)n, .half = 1};
    while (walk->half < 31 && UINT64_C(1) << (2 * walk->half) < walk->n) walk->half++;
    for (int r = 0; r < SL_WALK_ROUNDS; r++) walk->keys[r] = sl_rng_next(rng);
}

static uint64_t scramble(const SlIndexWalk *walk, uint64_t index) {
    const uint64_t mask = (UINT64_C(1) << walk->half) - 1;
    uint64_t left = index >> walk->half, right = index & mask;
    for (int r = 0; r < SL_WALK_ROUNDS; r++) {
        const uint64_t next = left ^ (mix(right + walk->keys[r]) & mask);
        left = right;
        right = next;
    }
    return left << walk->half | right;
}

int64_t sl_index_walk_next(SlIndexWalk *walk) {
    if (walk->at == walk->n) return -1;
    uint64_t index = walk->at++;
    do index = scramble(walk, index);
    while (index >= walk->n);
    return (int64_t)index;
}

// --- points

bool sl_points_init(SlPoints *points, const SlTunerSetup *setup, const char *name, bool check,
                    SlArena *arena) {
    const SlKnobs *knobs = sl_tuning_knobs(setup->tuning);
    *points = (SlPoints){.tuning = setup->tuning, .knobs = knobs, .check = check};
    char stream[160];
    snprintf(stream, sizeof stream, "tune %s %s", name, setup->stream);
    sl_rng_init(&points->rng, setup->seed, stream);
    sl_index_walk_init(&points->walk, knobs->n_points, &points->rng);
    if (knobs->n_points <= MOST_BITS)
        points->bits = SL_NEW(arena, knobs->n_points / 64 + 1, uint64_t);
    else
        points->keys = sl_keyset_make(setup->budget < 4096 ? (size_t)setup->budget : 4096, arena);
    return points->bits || points->keys;
}

bool sl_points_has_index(const SlPoints *points, int64_t index) {
    if (points->keys) return sl_keyset_has(points->keys, (uint64_t)index);
    return points->bits[index / 64] >> (index % 64) & 1;
}

bool sl_points_has(const SlPoints *points, const int32_t *point) {
    return sl_points_has_index(points, sl_knobs_index(points->knobs, point));
}

bool sl_points_add(SlPoints *points, const int32_t *point) {
    const int64_t index = sl_knobs_index(points->knobs, point);
    if (sl_points_has_index(points, index)) return false;
    if (points->keys)
        sl_keyset_add(points->keys, (uint64_t)index);
    else
        points->bits[index / 64] |= UINT64_C(1) << (index % 64);
    points->n_seen++;
    return true;
}

void sl_points_tell(SlPoints *points, int n, const int32_t *told) {
    for (int i = 0; i < n; i++) sl_points_add(points, told + (ptrdiff_t)i * points->knobs->n_knobs);
}

bool sl_points_draw(SlPoints *points, int32_t *point) {
    for (int misses = 0; misses < MOST_MISSES;) {
        const int64_t index = sl_index_walk_next(&points->walk);
        if (index < 0) return false;
        if (sl_points_has_index(points, index)) continue;
        sl_knobs_point(points->knobs, index, point);
        if (!points->check || sl_tuning_check(points->tuning, point, NULL)) return true;
        misses++;
    }
    return false;
}
