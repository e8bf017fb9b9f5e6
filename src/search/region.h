// region.h - inside search: the samples that Bayesian optimisation keeps of a region, and the
// Gaussian process that they make.
//
// Flow: sl_region_make -> sl_region_add (every sample) -> sl_region_update -> sl_gp_predict.
#pragma once

#include "starling/approx.h"

typedef struct {
    int n_params, n_inputs;
    int room, n;     // samples kept, row by row
    int32_t *points; // (room, n_params)
    double *inputs;  // (room, n_inputs) what the process sees
    double *scores;  // (room)
    double *sorted;  // (room) scratch
    SlGp *gp;        // knows the first sl_gp_n rows; the order is the same
    int64_t told;    // samples since the region began
    int64_t next_fit;
    int64_t every;   // samples between two fits, at least
    double growth;   // and as a share of those told
    int evaluations; // of a fit
} SlRegion;

// `shape` says how many samples are kept. NULL without memory.
SlRegion *sl_region_make(int n_params, const SlGpShape *shape, SlArena *arena);
void sl_region_clear(SlRegion *region); // the length scales stay

static inline const int32_t *sl_region_point(const SlRegion *region, int row) {
    return region->points + (ptrdiff_t)row * region->n_params;
}

// Where there is no space left, the better half and the newest quarter stay.
void sl_region_add(SlRegion *region, const int32_t *point, const double *inputs, double score);

// The process learns what was added, and fits its length scales when that is due.
void sl_region_update(SlRegion *region);

// Rows of the `most` best samples, best first, ties: the newest; returns how many.
int sl_region_best(const SlRegion *region, int most, int *rows);
