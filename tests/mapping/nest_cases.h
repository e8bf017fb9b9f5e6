// nest_cases.h - layers and nests for the tests of the mapping module.
#pragma once

#include "starling/mapping.h"

// An inline layer ("conv:K=4,C=3"); ends the test if it cannot be read.
SlLayer layer_of(const char *text);

// A nest text; ends the test if it cannot be read.
SlMapping nest_of(const char *text);

// A bundled accelerator; ends the test if there is none.
SlAccel accel_of(const char *name);

// Any machine: 2 to 7 levels that hold little or much of anything, fan-outs of 0 to 4 axes for any
// dims, words of half a byte to 4 bytes.
void accel_sample(SlRng *rng, SlAccel *accel);

// Any layer below 2^40 MACs: convolutions of all kinds with strides and dilations, GEMMs, large and
// tiny dims.
void layer_sample(SlRng *rng, SlLayer *layer);

// Any well-formed nest of the layer: 0 to 6 boundaries, up to 40 loops, spatial loops anywhere,
// repeated dims, loops with one trip.
void nest_sample(SlRng *rng, const SlLayer *layer, SlMapping *mapping);
