// tune_anneal.c - simulated annealing on a cost model, as AutoTVM does it (Chen et al. 2018; TVM
// 0.9, sa_model_optimizer.py).
//
// A step changes one knob of every chain. The temperature falls from 1 to 0 in a line. The best
// points of all that were scored are kept in a heap, its least on top.
#include "tune_anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double score;
    int64_t index;
} Found;

struct SlAnnealer {
    const SlKnobs *knobs;
    SlAnnealerSetup setup;
    bool begun;
    int32_t *points, *moved;  // (chains, n_knobs) where the walks are, where they might go
    double *scores, *offered; // (chains) theirs
    int n_found;
    Found *heap; // (most)
    int steps;   // of the last search
};

SlAnnealer *sl_annealer_make(const SlKnobs *knobs, const SlAnnealerSetup *setup, SlArena *arena) {
    const size_t n_numbers = (size_t)setup->chains * (size_t)knobs->n_knobs;
    SlAnnealer *annealer = SL_NEW(arena, 1, SlAnnealer);
    if (!annealer) return NULL;
    *annealer = (SlAnnealer){.knobs = knobs,
                             .setup = *setup,
                             .points = SL_NEW(arena, n_numbers, int32_t),
                             .moved = SL_NEW(arena, n_numbers, int32_t),
                             .scores = SL_NEW(arena, setup->chains, double),
                             .offered = SL_NEW(arena, setup->chains, double),
                             .heap = SL_NEW(arena, setup->most, Found)};
    bool made = annealer->points && annealer->moved && annealer->scores && annealer->offered &&
                annealer->heap;
    return made ? annealer : NULL;
}

bool sl_anneal_accepts(double from, double to, double temperature, double u) {
    return u < exp(fmin((to - from) / (temperature + 1e-5), 1));
}

// --- the heap

static bool below(Found a, Found b) {
    return a.score != b.score ? a.score < b.score : a.index > b.index;
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
static bool offer(SlAnnealer *annealer, const SlPoints *seen, const int32_t *point, double score) {
    const bool full = annealer->n_found == annealer->setup.most;
    Found *heap = annealer->heap;
    if (full && score <= heap[0].score) return false;
    const int64_t index = sl_knobs_index(annealer->knobs, point);
    for (int i = 0; i < annealer->n_found; i++)
        if (heap[i].index == index) return false;
    if (sl_points_has_index(seen, index)) return false;
    if (seen->check && !sl_tuning_check(seen->tuning, point, NULL)) return false;
    if (full) {
        heap[0] = (Found){.score = score, .index = index};
        sink(heap, annealer->n_found);
    } else {
        heap[annealer->n_found] = (Found){.score = score, .index = index};
        rise(heap, annealer->n_found++);
    }
    return true;
}

static bool offer_all(SlAnnealer *annealer, const SlPoints *seen, const int32_t *points,
                      const double *scores) {
    bool any = false;
    for (int c = 0; c < annealer->setup.chains; c++)
        if (offer(annealer, seen, points + (ptrdiff_t)c * annealer->knobs->n_knobs, scores[c]))
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
    SlIndexWalk walk;
    sl_index_walk_init(&walk, annealer->knobs->n_points, rng);
    for (int c = 0; c < annealer->setup.chains; c++) {
        int64_t index = sl_index_walk_next(&walk);
        if (index < 0) index = (int64_t)sl_rng_below(rng, (uint64_t)annealer->knobs->n_points);
        sl_knobs_point(annealer->knobs, index,
                       annealer->points + (ptrdiff_t)c * annealer->knobs->n_knobs);
    }
    annealer->begun = true;
}

// another value of one knob; a space of one point has none
static void move(const SlKnobs *knobs, SlRng *rng, int32_t *point) {
    while (knobs->n_points > 1) {
        const int k = (int)sl_rng_below(rng, (uint64_t)knobs->n_knobs);
        const int32_t to = (int32_t)sl_rng_below(rng, (uint64_t)knobs->knobs[k].n);
        if (to == point[k]) continue;
        point[k] = to;
        return;
    }
}

// one step of all chains; true if the best changed
static bool step(SlAnnealer *annealer, SlPoints *seen, SlTuningModel *model, void *context,
                 double temperature) {
    const SlKnobs *knobs = annealer->knobs;
    const int chains = annealer->setup.chains, n_knobs = knobs->n_knobs;
    const size_t bytes = (size_t)n_knobs * sizeof *annealer->points;
    memcpy(annealer->moved, annealer->points, (size_t)chains * bytes);
    for (int c = 0; c < chains; c++)
        move(knobs, &seen->rng, annealer->moved + (ptrdiff_t)c * n_knobs);
    model(context, chains, annealer->moved, annealer->offered);
    for (int c = 0; c < chains; c++) {
        const double u = sl_rng_uniform(&seen->rng);
        if (!sl_anneal_accepts(annealer->scores[c], annealer->offered[c], temperature, u)) continue;
        memcpy(annealer->points + (ptrdiff_t)c * n_knobs, annealer->moved + (ptrdiff_t)c * n_knobs,
               bytes);
        annealer->scores[c] = annealer->offered[c];
    }
    return offer_all(annealer, seen, annealer->moved, annealer->offered);
}

int sl_annealer_find(SlAnnealer *annealer, SlPoints *seen, SlTuningModel *model, void *context,
                     int64_t *found) {
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
    for (int i = 0; i < annealer->n_found; i++) found[i] = annealer->heap[i].index;
    return annealer->n_found;
}

int sl_annealer_steps(const SlAnnealer *annealer) {
    return annealer->steps;
}
