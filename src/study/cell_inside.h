// cell_inside.h - inside study: a cell while it runs.
#pragma once

#include "study_cells.h"

typedef struct {
    const SlPlan *plan;
    const SlPlanCell *cell;
    const SlPlanTask *task;
    SlCellWatch *watch;
    void *context;
    SlArena *arena;
    SlCellRecord *record;
    SlError *why;
    bool stopped;
} SlCellState;

SlStatus sl_cell_no_memory(SlCellState *run);

// A text of the record, kept in the arena.
SlStatus sl_cell_keep_text(SlCellState *run, const char *text, const char **out);

// What no value of a task of tuners is below: every MAC of the core at work in every cycle. NAN =
// not known.
double sl_tuning_task_floor(const SlTuningSetup *setup);

// Cells of plans of tuners (cell_tune.c).
SlStatus sl_cell_tune(SlCellState *run);
SlStatus sl_cell_oracle(SlCellState *run);
