// price.h - from counts to latency, energy and area.
#pragma once

#include "counts.h"

// What does not depend on the mapping.
typedef struct {
    double word_bytes[SL_N_TENSORS];
    double need_factor[SL_MAX_LEVELS]; // 2 where a tile counts twice
    double area_um2, mac_lanes;
} Rates;

void sl_rates_init(Rates *rates, const SlLayer *layer, const SlAccel *accel);

// Everything of `cost` but the counts, which must be there already. `tables` knows who keeps what.
void sl_price(const Tables *tables, const SlAccel *accel, const Rates *rates, SlCost *cost);

// The nest it stands at, or an equal one in which spatial loops have moved outwards.
void sl_pricer_mapping(const SlPricer *pricer, SlMapping *out);
