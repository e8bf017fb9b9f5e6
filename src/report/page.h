// page.h - inside report: the frame of every HTML page, and forms of tables.
#pragma once

#include "doc_inside.h"
#include "starling/report.h"

// Head, style and the title as heading; what follows is inside <main>. sl_page_end closes it: who
// wrote the page, and `footer` (escaped, may be NULL) as one more sentence.
void sl_page_begin(const char *title, SlText *out);
void sl_page_end(const char *footer, SlText *out);
void sl_page_text(const char *text, SlText *out); // escaped

// `heads` names the columns, with '|' between: "row|<bound by|cycles". Numbers stand right; a mark
// '<' is for text, which stands left; '~' for text that may be cut with an ellipsis when a table of
// text is wider than its room.
SlTable *sl_table_make(SlArena *arena, const char *title, const char *heads); // title may be ""
void sl_table_row(SlTable *table);  // starts a row; cells not given stay empty
void sl_table_rule(SlTable *table); // a line across
void sl_table_cell(SlTable *table, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_table_strong(SlTable *table); // the last cell stands out (the best of its row)

// What stands out has a star. Where the table is wider than `width` columns, text is cut, then
// columns are left out from the right and named below.
void sl_table_text(const SlTable *table, int width, SlText *out);
void sl_table_markdown(const SlTable *table, SlText *out);
void sl_table_html(const SlTable *table, SlText *out);
void sl_table_csv(const SlTable *table, SlText *out); // the cells without signs for people: no
                                                      // thousands' commas
