// genome.h - inside search: GAMMA's view of a point, and its operators.
//
// Flow: sl_genome_init (which parameter plays which part) -> sl_genome_start (a point of the first
//       population) -> operators that change points in place. An operator that finds no parameter
//       of its kind does nothing.
#pragma once

#include "starling/search.h"

// Parameters that have a choice, by the part they play.
typedef struct {
    const SlSpace *space;
    uint8_t dims;    // with tiles to choose, bit d
    int outer_level; // the outermost with tiles to choose
    int n_orders, n_spreads, n_clusters, n_genes;
    int orders[SL_MAX_PARAMS];   // (n_orders)
    int spreads[SL_MAX_PARAMS];  // (n_spreads) parallel dims
    int clusters[SL_MAX_PARAMS]; // (n_clusters) cluster sizes
    int genes[SL_MAX_PARAMS];    // (n_genes) what mutation picks from: spreads, clusters, tiles
} SlGenome;

void sl_genome_init(SlGenome *genome, const SlSpace *space);

// A uniform point; with `ones` the tiles inside the outermost level are the smallest.
void sl_genome_start(const SlGenome *genome, bool ones, SlRng *rng, int32_t *point);

// Two points exchange the tiles of one dim at all levels.
void sl_genome_cross(const SlGenome *genome, SlRng *rng, int32_t *a, int32_t *b);

// Two loops of one level's order change places.
void sl_genome_reorder(const SlGenome *genome, SlRng *rng, int32_t *point);

// Where sizes go that mutate.
typedef struct {
    double fine;  // chance of a step nearby instead of any size
    double range; // how far that goes at most, as share of the list of sizes
} SlMutation;

// One gene anew: a spread, a cluster size that divides the PEs, a tile within the one outside it.
void sl_genome_mutate(const SlGenome *genome, const SlMutation *mutation, SlRng *rng,
                      int32_t *point);

// Two fan-outs, or two axes of one, exchange what they spread, if each takes the other's.
void sl_genome_swap(const SlGenome *genome, SlRng *rng, int32_t *point);

// PEs without clusters (one cluster, or clusters of one PE) get clusters of some size; and back.
void sl_genome_grow(const SlGenome *genome, SlRng *rng, int32_t *point);
void sl_genome_age(const SlGenome *genome, SlRng *rng, int32_t *point);
