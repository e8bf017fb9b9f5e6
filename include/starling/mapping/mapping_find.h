// mapping_find.h - a mapping by what a user gives: nest text or a file of any kind.
//
// Flow: SlMappingQuery -> sl_mapping_find -> SlMapping -> cost.
#pragma once

#include "starling/mapping/nest.h"

SL_API_BEGIN

typedef struct {
    const char *word; // nest text (`K:4 ...`, `K*4 ...`, `@7 ...`), or a file: nest text, YAML of
                      // ours or of Timeloop, FILE.m or FILE.m:LAYER of MAESTRO
    const char *name; // of nest text in errors, such as that of an option
    const SlLayer *layer;
    const SlAccel *accel;
    int64_t num_pes; // that a list for MAESTRO is meant for, 0 = those of the accelerator
    bool repair;     // make it fit (sl_mapping_repair)
} SlMappingQuery;

// A nest of the layer with as many levels as the accelerator; without `repair` it need not fit.
// *repaired: it did not fit as it was given. `scratch` is used.
SlStatus sl_mapping_find(const SlMappingQuery *query, SlArena *scratch, SlMapping *mapping,
                         bool *repaired, SlError *err);

SL_API_END
