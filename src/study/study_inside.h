// study_inside.h - what the files of this room share.
#pragma once

#include "starling/study.h"

// What a sample of a model costs, microseconds. Nominal, never measured: methods decide by it, and
// the same setup must give the same result on every machine.
static inline double sl_model_us(SlModel model) {
    return model == SL_MODEL_NATIVE ? 3 : 20;
}

// sl_run as number `index` of many.
SlStatus sl_run_numbered(const SlRunSetup *setup, int index, SlWatch *watch, void *context,
                         SlArena *arena, SlRecord *record, SlError *err);
