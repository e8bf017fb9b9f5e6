// tune_points.c - points of a tuning task: those seen, and a random order of the others.
#include "fresh.h"

#include <stdio.h>

enum { MOST_MISSES = 4000000, MOST_REDRAWS = 10000 };

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

bool sl_fresh_init(SlFresh *fresh, const SlMethodSetup *setup, const char *name, bool check,
                   SlArena *arena) {
    const SlSpace *space = sl_task_space(setup->task);
    *fresh = (SlFresh){.task = setup->task, .space = space, .check = check};
    char stream[160];
    snprintf(stream, sizeof stream, "tune %s %s", name, setup->stream);
    sl_rng_init(&fresh->rng, setup->seed, stream);
    if (space->n_points > 0) sl_index_walk_init(&fresh->walk, space->n_points, &fresh->rng);
    return sl_seen_init(&fresh->seen, setup->task, setup->budget, arena);
}

bool sl_fresh_has(const SlFresh *fresh, const int32_t *point) {
    return sl_seen_has(&fresh->seen, point);
}

bool sl_fresh_add(SlFresh *fresh, const int32_t *point) {
    return sl_seen_add(&fresh->seen, point);
}

void sl_fresh_tell(SlFresh *fresh, int n, const int32_t *told) {
    for (int i = 0; i < n; i++) sl_fresh_add(fresh, told + (ptrdiff_t)i * fresh->space->n_params);
}

bool sl_fresh_wants(const SlFresh *fresh, const int32_t *point) {
    return !sl_fresh_has(fresh, point) &&
           (!fresh->check || sl_task_check(fresh->task, point, NULL));
}

// spaces without numbers are so large that chance finds new points
static bool redraw(SlFresh *fresh, int32_t *point) {
    for (int i = 0; i < MOST_REDRAWS; i++) {
        sl_space_sample(fresh->space, &fresh->rng, point);
        if (sl_fresh_wants(fresh, point)) return true;
    }
    return false;
}

bool sl_fresh_draw(SlFresh *fresh, int32_t *point) {
    if (fresh->space->n_points == 0) return redraw(fresh, point);
    for (int misses = 0; misses < MOST_MISSES;) {
        const int64_t index = sl_index_walk_next(&fresh->walk);
        if (index < 0) return false;
        sl_space_at(fresh->space, index, point);
        if (sl_fresh_has(fresh, point)) continue;
        if (!fresh->check || sl_task_check(fresh->task, point, NULL)) return true;
        misses++;
    }
    return false;
}
