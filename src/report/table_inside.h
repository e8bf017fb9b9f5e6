// table_inside.h - inside report: what a table holds.
#pragma once

#include "starling/report.h"

typedef struct {
    const char *text;
    bool strong;
} SlTableCell;

typedef struct SlTableRow SlTableRow;
struct SlTableRow {
    SlTableRow *next;
    bool rule; // a line, no cells
    int n_cells;
    SlTableCell *cells; // (n_columns)
};

typedef struct {
    const char *name; // without its mark
    bool left;        // stands left: text
    bool flexible;    // may be narrower than its cells: they are cut
    bool wrap;        // or go on in further lines
    bool strong;      // has a cell that stands out
} SlTableColumn;

struct SlTable {
    SlArena *arena;
    const char *title;
    int n_columns;
    SlTableColumn *columns; // (n_columns)
    SlTableRow *first, *last;
    bool failed; // memory ran out
};

// Is there a table to write? Marks `out` as failed if not.
bool sl_table_whole(const SlTable *table, SlText *out);
