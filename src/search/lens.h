// lens.h - inside search: what a network sees of a point on its way through the relaxed space, and
// how a slope by what it sees becomes a slope by where the point is.
#pragma once

#include "relax.h"

// The inputs are two blocks: the columns of the relaxed point, and the same columns of the nest
// that the nearest point becomes: tiles clamped and repaired, loops that do not iterate outermost;
// sets of spread dims are 0 there.
enum { SL_MAX_LENS = 2 * SL_MAX_RELAXED };

typedef struct {
    SlRelax relax;
    const SlTask *task;
    bool repair; // points that do not fit are made to fit
    int n;       // inputs: 2 * relax.n
} SlLens;

// False if the space needs more columns than sl_relax_init takes.
bool sl_lens_init(SlLens *lens, const SlTask *task);

// The inputs (n) of a point. Returns the key of its nest.
uint64_t sl_lens_point(const SlLens *lens, const int32_t *point, double *inputs);

// Slope by the relaxed point (relax.n) from that by the inputs. What rounding and repair did counts
// as if it had not happened: a straight-through estimate (Bengio, Leonard, Courville 2013).
void sl_lens_slope(const SlLens *lens, const double *by_inputs, double *slope);
