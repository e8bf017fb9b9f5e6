// prove_inside.h - inside prove: what a proof begins with.
#pragma once

#include "starling/prove.h"

#define SL_OPTIMAL_GAP 1e-7 // gaps up to this are none: SL_PROOF_OPTIMAL

// What a proof begins with.
typedef struct {
    SlMapping mapping;
    double value; // INFINITY = none that is finite
    bool inside;  // the space has an equal
} SlIncumbent;

typedef bool SlIncumbentStop(void *context); // true = no time left

// The incumbent of the setup, priced; else the best of a search by its finder. SL_EINPUT as
// sl_prove.
SlStatus sl_incumbent_find(const SlProveSetup *setup, SlTask *task, SlIncumbentStop *stop,
                           void *context, SlArena *scratch, SlIncumbent *start, SlError *err);
