// task_inside.h - inside task: how a task prices a nest with another model than the native one.
#pragma once

#include "starling/task.h"

// A layer on an accelerator as MAESTRO sees them.
typedef struct SlMaestroTask SlMaestroTask;

// sl_model_check must have nothing against the pair. NULL without memory. Keeps `layer`.
SlMaestroTask *sl_maestro_task_make(const SlLayer *layer, const SlAccel *accel, SlArena *arena);

// Latency, energy, smallest area and power of a nest into `cost`. False where MAESTRO has no
// directive list or no result for it, or where the strict guard refuses the result; then *excess is
// the log of how far off it is.
bool sl_maestro_task_eval(SlMaestroTask *task, const SlMapping *mapping, SlCost *cost,
                          double *excess);
