// study_cells.h - inside study: cells told apart, and one cell run.
#pragma once

#include "starling/study.h"

// A hash of everything that decides what comes of a cell, 16 digits in the arena; NULL without
// memory.
const char *sl_cell_fingerprint(const SlPlan *plan, const SlPlanCell *cell, SlArena *arena);

// Called now and then while a cell runs; true = stop soon.
typedef bool SlCellWatch(void *context, int64_t samples);

// What came of a cell: a record whose texts belong to the plan, the cell and the arena, its reason
// to `why`. False: it was stopped, and there is no record. Seconds are set, machine and finished
// are not.
bool sl_cell_run(const SlPlan *plan, const SlPlanCell *cell, SlCellWatch *watch, void *context,
                 SlArena *arena, SlCellRecord *record, SlError *why);
