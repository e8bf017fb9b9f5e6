// page.h - inside report: the frame of every HTML page, and forms of tables.
#pragma once

#include "starling/report.h"

// Head, style and the title as heading; what follows is inside <main>. sl_page_end closes it: who
// wrote the page, and `footer` (escaped, may be NULL) as one more sentence.
void sl_page_begin(const char *title, SlText *out);
void sl_page_end(const char *footer, SlText *out);
void sl_page_text(const char *text, SlText *out); // escaped

// What stands out has a star. A table that stays wider than `width` columns comes in parts, each
// with the names of the rows.
void sl_table_text(const SlTable *table, int width, SlText *out);
void sl_table_markdown(const SlTable *table, SlText *out);
void sl_table_html(const SlTable *table, SlText *out);
void sl_table_csv(const SlTable *table, SlText *out); // the cells without signs for people: no
                                                      // thousands' commas
