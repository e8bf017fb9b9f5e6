// annealer.c - simulated annealing on a cost model, as AutoTVM does it (Chen et al. 2018; TVM
// 0.9, sa_model_optimizer.py).
//
// A step changes one parameter of every chain. The temperature falls from 1 to 0 in a line. The
// best points of all that were scored are kept in a heap, its least on top.
#include "annealer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double score;
    uint64_t key;
    int row; // of `kept`
} Found;

struct SlAnnealer {
    const SlSpace *space;
    SlAnnealerSetup setup;
    bool begun;
    int32_t *points, *moved;  // (chains, n_params) where the walks are, where they might go
    double *scores, *offered; // (chains) theirs
    int n_found;
    Found *heap;   // (most)
    int32_t *kept; // (most, n_params) points of the heap
    int steps;     // of the last search
};

SlAnnealer *sl_annealer_make(const SlSpace *space, const SlAnnealerSetup *setup, SlArena *arena) {
    const size_t n_numbers = (size_t)setup->chains * (size_t)space->n_params;
    SlAnnealer *annealer = SL_NEW(arena, 1, SlAnnealer);
    if (!annealer) return NULL;
    *annealer = (SlAnnealer){.space = space,
                             .setup = *setup,
                             .points = SL_NEW(arena, n_numbers, int32_t),
                             .moved = SL_NEW(arena, n_numbers, int32_t),
                             .scores = SL_NEW(arena, setup->chains, double),
                             .offered = SL_NEW(arena, setup->chains, double),
                             .heap = SL_NEW(arena, setup->most, Found),
                             .kept = SL_NEW(arena, setup->most * space->n_params, int32_t)};
    bool made = annealer->points && annealer->moved && annealer->scores && annealer->offered &&
                annealer->heap && annealer->kept;
    return made ? annealer : NULL;
}

bool sl_anneal_accepts(double from, double to, double temperature, double u) {
    return u < exp(fmin((to - from) / (temperature + 1e-5), 1));
}

// --- the heap

static bool below(Found a, Found b) {
    return a.score != b.score ? a.score < b.score : a.key > b.key;
}

static void swap(Found *a, Found *b) {
    Found aside = *a;
    *a = *b;
    *b = aside;
}

static void rise(Found *heap, int i) {
    for (; i > 0 && below(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

static void sink(Found *heap, int n) {
    for (int i = 0;;) {
        int least = 2 * i + 1;
        if (least >= n) return;
        if (least + 1 < n && below(heap[least + 1], heap[least])) least++;
        if (!below(heap[least], heap[i])) return;
        swap(&heap[i], &heap[least]);
        i = least;
    }
}

// keep a point if it is one of the best; true if it is
static bool offer(SlAnnealer *annealer, const SlFresh *seen, const int32_t *point, double score) {
    const bool full = annealer->n_found == annealer->setup.most;
    const int n_params = annealer->space->n_params;
    Found *heap = annealer->heap;
    if (full && score <= heap[0].score) return false;
    const uint64_t key = sl_task_key(seen->task, point);
    for (int i = 0; i < annealer->n_found; i++)
        if (heap[i].key == key) return false;
    if (sl_seen_has_key(&seen->seen, key)) return false;
    if (seen->check && !sl_task_check(seen->task, point, NULL)) return false;
    const int row = full ? heap[0].row : annealer->n_found;
    memcpy(annealer->kept + (ptrdiff_t)row * n_params, point, (size_t)n_params * sizeof *point);
    if (full) {
        heap[0] = (Found){.score = score, .key = key, .row = row};
        sink(heap, annealer->n_found);
    } else {
        heap[annealer->n_found] = (Found){.score = score, .key = key, .row = row};
        rise(heap, annealer->n_found++);
    }
    return true;
}

static bool offer_all(SlAnnealer *annealer, const SlFresh *seen, const int32_t *points,
                      const double *scores) {
    bool any = false;
    for (int c = 0; c < annealer->setup.chains; c++)
        if (offer(annealer, seen, points + (ptrdiff_t)c * annealer->space->n_params, scores[c]))
            any = true;
    return any;
}

static int best_first(const void *a, const void *b) {
    const Found *x = a, *y = b;
    return below(*y, *x) ? -1 : below(*x, *y) ? 1 : 0;
}

// --- the walks

// distinct points while there are any
static void begin(SlAnnealer *annealer, SlRng *rng) {
    const SlSpace *space = annealer->space;
    SlIndexWalk walk;
    if (space->n_points > 0) sl_index_walk_init(&walk, space->n_points, rng);
    for (int c = 0; c < annealer->setup.chains; c++) {
        int32_t *point = annealer->points + (ptrdiff_t)c * space->n_params;
        int64_t index = space->n_points > 0 ? sl_index_walk_next(&walk) : -1;
        if (space->n_points == 0) {
            sl_space_sample(space, rng, point);
            continue;
        }
        if (index < 0) index = (int64_t)sl_rng_below(rng, (uint64_t)space->n_points);
        sl_space_at(space, index, point);
    }
    annealer->begun = true;
}

// another value of one parameter; a space of one point has none
static void move(const SlSpace *space, SlRng *rng, int32_t *point) {
    while (space->n_points != 1) {
        const int k = (int)sl_rng_below(rng, (uint64_t)space->n_params);
        const int32_t to = (int32_t)sl_rng_below(rng, (uint64_t)space->params[k].n);
        if (to == point[k]) continue;
        point[k] = to;
        return;
    }
}

// one step of all chains; true if the best changed
static bool step(SlAnnealer *annealer, SlFresh *seen, SlPointModel *model, void *context,
                 double temperature) {
    const SlSpace *space = annealer->space;
    const int chains = annealer->setup.chains, n_params = space->n_params;
    const size_t bytes = (size_t)n_params * sizeof *annealer->points;
    memcpy(annealer->moved, annealer->points, (size_t)chains * bytes);
    for (int c = 0; c < chains; c++)
        move(space, &seen->rng, annealer->moved + (ptrdiff_t)c * n_params);
    model(context, chains, annealer->moved, annealer->offered);
    for (int c = 0; c < chains; c++) {
        const double u = sl_rng_uniform(&seen->rng);
        if (!sl_anneal_accepts(annealer->scores[c], annealer->offered[c], temperature, u)) continue;
        memcpy(annealer->points + (ptrdiff_t)c * n_params,
               annealer->moved + (ptrdiff_t)c * n_params, bytes);
        annealer->scores[c] = annealer->offered[c];
    }
    return offer_all(annealer, seen, annealer->moved, annealer->offered);
}

int sl_annealer_find(SlAnnealer *annealer, SlFresh *seen, SlPointModel *model, void *context,
                     int32_t *found) {
    const SlAnnealerSetup *setup = &annealer->setup;
    annealer->n_found = 0;
    if (!annealer->begun) begin(annealer, &seen->rng);
    model(context, setup->chains, annealer->points, annealer->scores);
    offer_all(annealer, seen, annealer->points, annealer->scores);

    const double cooling = 1.0 / (setup->steps + 1);
    int k = 0;
    for (int changed = 0; k < setup->steps && k < changed + setup->patience; k++)
        if (step(annealer, seen, model, context, 1 - k * cooling)) changed = k;
    annealer->steps = k;

    qsort(annealer->heap, (size_t)annealer->n_found, sizeof *annealer->heap, best_first);
    const int n_params = annealer->space->n_params;
    for (int i = 0; i < annealer->n_found; i++)
        memcpy(found + (ptrdiff_t)i * n_params,
               annealer->kept + (ptrdiff_t)annealer->heap[i].row * n_params,
               (size_t)n_params * sizeof *found);
    return annealer->n_found;
}

int sl_annealer_steps(const SlAnnealer *annealer) {
    return annealer->steps;
}
