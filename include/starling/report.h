// report.h - results as documents (starling/report/doc.h), those of studies, tables of formatted
// cells.
//
// Flow: sl_doc_make -> sl_report_study, or what a command says -> sl_doc_write.
#pragma once

#include "starling/draw.h"
#include "starling/report/doc.h"
#include "starling/study.h"

SL_API_BEGIN

// --- Tables

// `heads` names the columns, with '|' between: "row|<bound by|cycles". Numbers stand right; a mark
// '<' is for text, which stands left; '~' for text that may be cut with an ellipsis when a table of
// text is wider than its room.
SlTable *sl_table_make(SlArena *arena, const char *title, const char *heads); // title may be ""
void sl_table_row(SlTable *table);  // starts a row; cells not given stay empty
void sl_table_rule(SlTable *table); // a line across
void sl_table_cell(SlTable *table, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_table_strong(SlTable *table); // the last cell stands out (the best of its row)

// --- Studies

// Everything that the plan wants shown.
SlStatus sl_report_study(const SlPlan *plan, const SlResults *results, SlDoc *doc, SlError *err);

SL_API_END
