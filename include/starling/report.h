// report.h - results as documents: tables, figures and words in a list of blocks, written as text,
// Markdown, HTML or CSV.
//
// Flow: sl_report_make -> sl_report_heading, _words, _table, _figure ... (sl_report_study does it
//       for a whole study) -> sl_report_text, _markdown, _html; sl_table_csv table by table.
#pragma once

#include "starling/draw.h"
#include "starling/study.h"

// --- Tables

// `heads` names the columns, with '|' between: "row|<bound by|cycles". Numbers stand right; a mark
// '<' is for text, which stands left; '~' for text that may be cut with an ellipsis when a table of
// text is wider than its room.
typedef struct SlTable SlTable;
SlTable *sl_table_make(SlArena *arena, const char *title, const char *heads); // title may be ""
void sl_table_row(SlTable *table);  // starts a row; cells not given stay empty
void sl_table_rule(SlTable *table); // a line across
void sl_table_cell(SlTable *table, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_table_strong(SlTable *table); // the last cell stands out (the best of its row)
// What stands out has a star. A table that stays wider than `width` columns comes in parts, each
// with the names of the rows.
void sl_table_text(const SlTable *table, int width, SlText *out);
void sl_table_markdown(const SlTable *table, SlText *out);
void sl_table_html(const SlTable *table, SlText *out);
void sl_table_csv(const SlTable *table, SlText *out); // the cells without signs for people: no
                                                      // thousands' commas

// --- Documents

typedef enum { SL_BLOCK_HEADING, SL_BLOCK_WORDS, SL_BLOCK_TABLE, SL_BLOCK_FIGURE } SlBlockKind;

typedef struct SlBlock SlBlock;
struct SlBlock {
    SlBlockKind kind;
    const char *name; // TABLE, FIGURE: of its file without ending ("table3-latency")
    const char *text; // heading, words (plain; `code` in backquotes, **strong**), caption
    const SlTable *table;
    const char *svg; // FIGURE
    bool detail;     // pages and files have it, a terminal is spared
    const SlBlock *next;
};

typedef struct {
    const char *title;
    SlArena *arena;
    const SlBlock *first;
    SlBlock *last;
    bool details; // what is added from now on is detail
    bool failed;  // memory ran out: what is there is not whole
} SlReport;

void sl_report_make(SlReport *report, const char *title, SlArena *arena);
void sl_report_heading(SlReport *report, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_report_words(SlReport *report, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_report_table(SlReport *report, const char *name, const SlTable *table);
// `svg` is kept. The caption says what is seen, in one sentence.
void sl_report_figure(SlReport *report, const char *name, const char *svg, const char *caption);

void sl_report_text(const SlReport *report,
                    SlText *out); // tables and words, 100 columns, no details
// Figures are links to FOLDER/NAME.svg.
void sl_report_markdown(const SlReport *report, const char *folder, SlText *out);
void sl_report_html(const SlReport *report, SlText *out); // one page, everything inside

// --- Studies

// Everything that the plan wants shown.
SlStatus sl_report_study(const SlPlan *plan, const SlResults *results, SlReport *report,
                         SlError *err);

// --- Pages: the frame of every HTML page

// Head, style and the title as heading; what follows is inside <main>. sl_page_end closes it: who
// wrote the page, and `footer` (escaped, may be NULL) as one more sentence.
void sl_page_begin(const char *title, SlText *out);
void sl_page_end(const char *footer, SlText *out);
void sl_page_text(const char *text, SlText *out); // escaped

// A number with its name above and a remark below; all three are HTML.
void sl_page_card(SlText *out, const char *title, const char *value, const char *fmt, ...)
    SL_PRINTF(4, 5);
void sl_page_cell(SlText *out, bool text, const char *value); // escaped; text stands left
// An entry of a chart's key: a colour of the style sheet and its meaning, escaped.
void sl_page_key(SlText *out, const char *color, const char *name);
