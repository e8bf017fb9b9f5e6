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
