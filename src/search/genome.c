// genome.c - the operators of GAMMA (Kao & Krishna, ICCAD 2020) on the points of a space.
//
// GAMMA's genome has per level a parallel dim, a cluster size and six tiles whose order is the loop
// order. Here these are parameters, told apart by their roles; tiles are clamped when a point
// becomes a nest.
#include "genome.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "neighbour.h"

void sl_genome_init(SlGenome *genome, const SlSpace *space) {
    *genome = (SlGenome){.space = space, .outer_level = SL_MAX_LEVELS};
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->n < 2) continue;
        if (param->role == SL_ROLE_ORDER) genome->orders[genome->n_orders++] = i;
        if (param->role == SL_ROLE_PARALLEL) genome->spreads[genome->n_spreads++] = i;
        if (param->role == SL_ROLE_CLUSTER) genome->clusters[genome->n_clusters++] = i;
        if (param->role != SL_ROLE_ORDER) genome->genes[genome->n_genes++] = i;
        if (param->role != SL_ROLE_TILE) continue;
        genome->dims |= (uint8_t)(1u << param->dim);
        if (param->level < genome->outer_level) genome->outer_level = param->level;
    }
}

void sl_genome_start(const SlGenome *genome, bool ones, SlRng *rng, int32_t *point) {
    const SlSpace *space = genome->space;
    sl_space_sample(space, rng, point);
    for (int i = 0; i < space->n_params && ones; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == SL_ROLE_TILE && param->level > genome->outer_level) point[i] = 0;
    }
}

static int pick(SlRng *rng, int n) {
    return (int)sl_rng_below(rng, (uint64_t)n);
}

// a dim with tiles to choose
static int pick_dim(const SlGenome *genome, SlRng *rng) {
    int nth = pick(rng, __builtin_popcount(genome->dims)), d = 0;
    for (; nth > 0 || !(genome->dims >> d & 1); d++) nth -= genome->dims >> d & 1;
    return d;
}

void sl_genome_cross(const SlGenome *genome, SlRng *rng, int32_t *a, int32_t *b) {
    const SlSpace *space = genome->space;
    if (!genome->dims) return;
    int dim = pick_dim(genome, rng);
    for (int i = 0; i < space->n_params; i++) {
        if (space->params[i].role != SL_ROLE_TILE || space->params[i].dim != dim) continue;
        int32_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void sl_genome_reorder(const SlGenome *genome, SlRng *rng, int32_t *point) {
    if (genome->n_orders == 0) return;
    int i = genome->orders[pick(rng, genome->n_orders)];
    // a near change of an order is the swap of two loops
    const SlSteps swaps = {.near = 1, .reach = 1};
    point[i] = sl_value_change(&genome->space->params[i], &swaps, point[i], rng);
}

// --- mutation

// the size of the tile around that of `param`; the layer's where there is none
static int64_t outer_tile(const SlSpace *space, const SlParam *param, const int32_t *point) {
    for (int l = param->level - 1; l > 0; l--) {
        int i = space->tile_param[l][param->dim];
        if (i >= 0) return space->params[i].sizes[point[i]];
    }
    return space->layer->dims[param->dim];
}

// any size up to that of the tile around it, or one nearby
static int32_t mutate_tile(const SlSpace *space, const SlParam *param, const SlMutation *mutation,
                           SlRng *rng, const int32_t *point, int32_t value) {
    int64_t most = outer_tile(space, param, point);
    int32_t n = param->n;
    while (n > 1 && param->sizes[n - 1] > most) n--;
    if (n < 2) return 0;
    if (!sl_chance(rng, mutation->fine)) return (int32_t)pick(rng, n);
    const SlSteps steps = {.near = 1, .reach = (int64_t)fmax(1, mutation->range * n)};
    SlParam list = {.kind = SL_ORDINAL, .n = n};
    return sl_value_change(&list, &steps, value < n ? value : n - 1, rng);
}

// a size that divides the PEs, or the next one listed above it: as many clusters
static int32_t mutate_cluster(const SlParam *param, SlRng *rng) {
    int64_t pes = param->sizes[param->n - 1];
    int64_t divisor = 1;
    int n_divisors = 0;
    for (int64_t size = 1; size <= pes; size++)
        if (pes % size == 0 && pick(rng, ++n_divisors) == 0) divisor = size;
    int32_t value = 0;
    while (param->sizes[value] < divisor) value++;
    return value;
}

void sl_genome_mutate(const SlGenome *genome, const SlMutation *mutation, SlRng *rng,
                      int32_t *point) {
    if (genome->n_genes == 0) return;
    int i = genome->genes[pick(rng, genome->n_genes)];
    const SlParam *param = &genome->space->params[i];
    if (param->role == SL_ROLE_TILE)
        point[i] = mutate_tile(genome->space, param, mutation, rng, point, point[i]);
    else if (param->role == SL_ROLE_CLUSTER)
        point[i] = mutate_cluster(param, rng);
    else
        point[i] = (int32_t)pick(rng, param->n);
}

// --- levels of parallelism

// the value of a parallel parameter that spreads this set of dims, -1 = none
static int32_t value_of_spread(const SlParam *param, uint8_t spread) {
    for (int32_t v = 0; v < param->n; v++)
        if (param->spreads[v] == spread) return v;
    return -1;
}

void sl_genome_swap(const SlGenome *genome, SlRng *rng, int32_t *point) {
    if (genome->n_spreads < 2) return;
    int first = pick(rng, genome->n_spreads), second = pick(rng, genome->n_spreads - 1);
    int i = genome->spreads[first], j = genome->spreads[second + (second >= first)];
    const SlParam *a = &genome->space->params[i], *b = &genome->space->params[j];
    int32_t to_a = value_of_spread(a, b->spreads[point[j]]);
    int32_t to_b = value_of_spread(b, a->spreads[point[i]]);
    if (to_a < 0 || to_b < 0) return;
    point[i] = to_a;
    point[j] = to_b;
}

static bool flat(const SlParam *param, int32_t value) {
    return value == 0 || value == param->n - 1;
}

void sl_genome_grow(const SlGenome *genome, SlRng *rng, int32_t *point) {
    if (genome->n_clusters == 0) return;
    int i = genome->clusters[pick(rng, genome->n_clusters)];
    const SlParam *param = &genome->space->params[i];
    if (param->n > 2 && flat(param, point[i])) point[i] = 1 + (int32_t)pick(rng, param->n - 2);
}

void sl_genome_age(const SlGenome *genome, SlRng *rng, int32_t *point) {
    if (genome->n_clusters == 0) return;
    int i = genome->clusters[pick(rng, genome->n_clusters)];
    const SlParam *param = &genome->space->params[i];
    if (!flat(param, point[i])) point[i] = sl_chance(rng, 0.5) ? 0 : param->n - 1;
}
