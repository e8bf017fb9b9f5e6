// confidence.h - inside learn: Confidence Sampling, which points of a walk are worth a measurement
// (DCOC, Fayyazi et al. 2025; reconstructed, docs/methods/dcoc.md).
#pragma once

#include "starling/core.h"
#include "starling/task.h"

// What takes the place of points with little confidence.
typedef enum {
    SL_SYNTHESIS_NONE, // nothing: fewer are measured
    SL_SYNTHESIS_MODE, // every knob at its most frequent value among the confident: one point
    SL_SYNTHESIS_HALF, // half of the knobs so, the others drawn from the values of the confident
    SL_N_SYNTHESES
} SlSynthesis;
extern const char *const sl_synthesis_names[SL_N_SYNTHESES + 1]; // "none", "mode", "half", NULL

// Where confidence begins.
typedef enum {
    SL_THRESHOLD_DRAWN, // at the median of the points drawn
    SL_THRESHOLD_ALL,   // at the median of all candidates
    SL_THRESHOLD_MEAN,  // at the mean of the points drawn
    SL_N_THRESHOLDS
} SlThreshold;
extern const char *const sl_threshold_names[SL_N_THRESHOLDS + 1]; // "drawn", "all", "mean", NULL

typedef struct {
    const SlTask *task;
    const SlKeySet *asked; // points that are not to be proposed again
    bool check;            // nor those that fail the free check
    SlSynthesis synthesis;
    SlThreshold threshold;
    double temperature; // of the softmax over values; 0 = their standard deviation
} SlConfidence;

// Up to `want` distinct points (want, n_params) of the candidates (n, n_params; distinct, not
// asked) and their likes; values (n) say how good each is thought to be. Returns how many;
// SL_ENOMEM leaves none (-1).
int sl_confidence_sample(const SlConfidence *confidence, int n, const int32_t *points,
                         const double *values, int want, SlRng *rng, SlArena *scratch,
                         int32_t *out);
