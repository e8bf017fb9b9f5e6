// text_table.h - tables in the reports of the program (starling/report.h); without memory the
// program ends.
//
// Flow: table_init -> table_row, then table_cell for each column ... -> table_draw.
#pragma once

#include "starling/report.h"

enum { TABLE_WIDTH = 100 };

typedef struct {
    SlArena *arena;
    SlTable *table;
} TextTable;

// `heads` names the columns, with '|' between: "#|~layer|<bound by|cycles". Numbers stand right; a
// mark '<' is for text, which stands left; '~' for text that may be cut with "…" when the table is
// wider than TABLE_WIDTH.
void table_init(TextTable *table, SlArena *arena, const char *heads);
void table_row(TextTable *table);  // starts a row; cells not given stay empty
void table_rule(TextTable *table); // a line across
void table_cell(TextTable *table, const char *fmt, ...) SL_PRINTF(2, 3);
void table_draw(const TextTable *table, SlText *out);
