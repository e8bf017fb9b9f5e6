// study_inside.h - what the files of this room share.
#pragma once

#include "starling/study.h"

// What a sample of the native model costs, microseconds. Nominal, never measured: methods decide by
// it, and the same setup must give the same result on every machine.
#define SL_NATIVE_SAMPLE_US 3.0

// sl_run as number `index` of many.
SlStatus sl_run_numbered(const SlRunSetup *setup, int index, SlWatch *watch, void *context,
                         SlArena *arena, SlRecord *record, SlError *err);
