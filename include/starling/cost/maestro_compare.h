// maestro_compare.h - a layer in MAESTRO's model and in the exact one, quantity by quantity.
//
// Flow: sl_maestro_compare -> SlMaestroComparison -> sl_maestro_quantities: rows with the reasons
//       why the two differ.
#pragma once

#include "starling/cost/maestro.h"

SL_API_BEGIN

typedef struct {
    SlMaestroCost cost;
    const char *no_layer; // why the shape is no layer of ours, NULL = `layer` is it
    SlLayer layer;
    const char *no_nest; // why the list is no loop nest, NULL = `nest` is it, priced in `exact`
    SlMapping nest;
    SlCost exact;         // on sl_maestro_accel
    double exact_latency; // cycles; with the lanes of the hardware
    SlBinder binder;      // of it
    SlMaestroGuard guard; // not set without a layer
} SlMaestroComparison;

// Price a layer in both models. `previous` and what it returns are those of sl_maestro_eval.
bool sl_maestro_compare(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                        const SlMaestroHardware *hardware, const SlMaestroCost *previous,
                        SlMaestroComparison *out, SlMaestroFault *fault);

// Is it a layer, and does the guard accept what MAESTRO says of it?
bool sl_maestro_is_physical(const SlMaestroComparison *it);

// One quantity in both models; the reasons are none where both agree.
typedef struct {
    const char *key, *title; // "l2_read_w", "L2 reads of W"
    double maestro, exact;   // NAN = not known
    uint32_t reasons;        // bits of SlMaestroReason
} SlMaestroQuantity;

// `rows` by SlMaestroRow, of a layer that sl_maestro_compare has priced.
void sl_maestro_quantities(const SlMaestroLayer *shape, const SlMaestroMapping *list,
                           const SlMaestroHardware *hardware, const SlMaestroComparison *it,
                           SlMaestroQuantity rows[SL_AT_LEAST(SL_N_ROWS)]);

SL_API_END
