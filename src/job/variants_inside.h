// variants_inside.h - inside job: what networks are compared with.
#pragma once

#include <assert.h>

#include "starling/job/variants.h"

#define SL_VARIANT_NOISE 0.0005 // where nothing is proven, smaller differences are not shown

// What a distinct layer takes of the network's goal: the mean of its shares of latency and energy,
// by their weights in the goal. Shares add up to 1.
double sl_mapped_share(const SlMapped *mapped, int layer);

SlStatus sl_variants_no_memory(SlError *err);

// Turn a copy of the machine into that of the variant, with a name of its own; NULL or why it
// cannot be.
const char *sl_variant_machine(const SlVariant *variant, SlAccel *accel);
