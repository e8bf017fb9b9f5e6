// doc.h - a result as a tree of named values, tables, words and figures; five forms walk it.
//
// Flow: sl_doc_make -> sl_doc_number, _text, _words, _open ... _close, _table, _row ... _close,
//       _figure -> sl_doc_write: text, JSON, HTML, Markdown or CSV.
//
// A value has a key for machines and a label for people; NULL leaves it out on that side. So a
// command says once what it shows, in the order in which people read it, and JSON, CSV, pages and
// terminals cannot disagree. All text is copied, and what cannot be shown becomes '?'. Without
// memory a document stays what it was and sl_doc_write fails: nothing needs checking in between,
// and every call takes a NULL document.
#pragma once

#include "starling/report/unit.h"

SL_API_BEGIN

typedef struct SlDoc SlDoc;

typedef enum {
    SL_FORM_TEXT,
    SL_FORM_JSON,
    SL_FORM_HTML,
    SL_FORM_MARKDOWN,
    SL_FORM_CSV,
    SL_N_FORMS
} SlForm;
extern const char *const sl_form_names[SL_N_FORMS + 1]; // "text", "json", "html", ..., NULL

// An empty document of the schema "starling.KIND/VERSION". NULL without memory.
SlDoc *sl_doc_make(SlArena *arena, const char *kind, int version);
void sl_doc_title(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);  // none if not given
void sl_doc_footer(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3); // last line of a page
SlArena *sl_doc_arena(SlDoc *doc);

// --- Values: members of the document, of the open group, or of the row begun last

// NAN and infinities are null for machines, "-" for people.
void sl_doc_number(SlDoc *doc, const char *key, const char *label, SlUnit unit, double value);
void sl_doc_plain(SlDoc *doc, const char *key, double value); // without unit, machines only
void sl_doc_text(SlDoc *doc, const char *key, const char *label, const char *fmt, ...)
    SL_PRINTF(4, 5);
void sl_doc_string(SlDoc *doc, const char *key, const char *label, const char *text); // NULL = null
void sl_doc_flag(SlDoc *doc, const char *key, const char *label, bool value);         // "yes", "no"
void sl_doc_null(SlDoc *doc, const char *key);                                 // machines only
void sl_doc_numbers(SlDoc *doc, const char *key, int n, const double *values); // machines only
// JSON as it is, machines only; null for NULL, "" and what is not JSON.
void sl_doc_json(SlDoc *doc, const char *key, const char *json);
void sl_doc_option(SlDoc *doc, const char *key, const SlOption *option, const void *options);
// A member per option of the table, in an object.
void sl_doc_options(SlDoc *doc, const char *key, const SlOption *table, const void *options);

// How people see the value just given, instead of by its unit; and words behind it (in a line of
// text after a comma, on a card below the value).
void sl_doc_shown(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_doc_remark(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_doc_accent(SlDoc *doc, const char *text); // the part of it that a terminal colours

// --- For people only

void sl_doc_bar(SlDoc *doc, const char *label, double from, double to); // of 0..1
void sl_doc_spark(SlDoc *doc, const char *label, int n, const double *y);
void sl_doc_link(SlDoc *doc, const char *label, const char *target, const char *fmt, ...)
    SL_PRINTF(4, 5);
void sl_doc_heading(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
// A paragraph; `code` in backquotes, **strong**. sl_doc_warn: one that must be seen.
void sl_doc_words(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_doc_warn(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
// What the whole document says, in one or two sentences: a member "verdict" for machines, what
// stands out for people.
void sl_doc_verdict(SlDoc *doc, const char *fmt, ...) SL_PRINTF(2, 3);
// Lines as they are. With a key a text for machines, too. Details are folded on pages.
void sl_doc_listing(SlDoc *doc, const char *key, const char *label, const char *text);
// Lines as they are for a terminal alone, where pages have a table or a figure of the same.
void sl_doc_terminal(SlDoc *doc, const char *text);
// `name` is that of its file without ending; `svg` is kept, not copied. The caption says what is
// seen, in one sentence.
void sl_doc_figure(SlDoc *doc, const char *name, const char *svg, const char *caption);
// The figure just given in characters: lines as they are, which a terminal shows in its place.
// Without them it shows none.
void sl_doc_sketch(SlDoc *doc, const char *text);
// What is added from now on, rows of a table too, is detail: pages and files have it, a terminal is
// spared.
void sl_doc_detail(SlDoc *doc, bool detail);

// --- Groups: what follows until sl_doc_close is inside

void sl_doc_open(SlDoc *doc, const char *key, const char *label);  // an object; label: a heading
void sl_doc_cards(SlDoc *doc, const char *key, const char *label); // its values are cards on a page
void sl_doc_list(SlDoc *doc, const char *key);                     // items; their keys are NULL
void sl_doc_close(SlDoc *doc); // the last group, list or table that was opened

// --- Tables

// For machines a table is a list of objects, its rows, with all members that are given there.
// People and CSV see those that a column names: by its key, which may lead into groups of the row
// ("default.energy_pj") and to rows of tables in it ("levels.0.reads"), or by its label where it
// has no key. A column without any value is left out. CSV has the columns with keys, under their
// `csv` names, and numbers with all their digits; people those with labels.
typedef struct {
    const char *key, *label;
    SlUnit unit;      // of numbers; PLAIN = that of the value
    bool cut;         // text that may be cut where a terminal is too narrow
    bool wrap;        // text that goes on in further lines there
    bool detail;      // too much for a terminal
    const char *csv;  // NULL = the key, with '_' for '.'; "" = not in CSV
    double csv_scale; // of numbers in CSV, 0 = 1: 1e-6 for mm2 of a key in um2
} SlColumn;
// SL_COLUMN("energy_pj", "energy", .unit = SL_UNIT_PJ)
#define SL_COLUMN(name, title, ...)                                                                \
    { .key = (name), .label = (title), __VA_ARGS__ }

// `columns` (n) is copied, its strings are kept. The label is a heading.
void sl_doc_table(SlDoc *doc, const char *key, const char *label, int n, const SlColumn *columns);
// The same with the values of its first row as columns, those in groups of the row too: CSV has
// those with keys, people those with labels. Text may be cut.
void sl_doc_rows(SlDoc *doc, const char *key, const char *label);
void sl_doc_row(SlDoc *doc);
void sl_doc_rule(SlDoc *doc); // a line across, for people
void sl_doc_foot(SlDoc *doc); // begins a row of sums below a line, for people only
void sl_doc_sums(SlDoc *doc,
                 const char *key); // one that machines see as an object beside the table
void sl_doc_strong(SlDoc *doc);    // the value just given stands out (the best of its column)

// --- Forms

// CSV: the first table with a key, else the first grid. Text is at most 100 columns wide, but
// for listings and for words and cells that are wider alone.
SlStatus sl_doc_write(const SlDoc *doc, SlForm form, SlText *out, SlError *err);

// How a terminal is written to: sl_doc_write takes 100 columns without colour, in UTF-8.
enum { SL_WIDTH_LEAST = 80, SL_WIDTH_USUAL = 100, SL_WIDTH_MOST = 120 };
typedef struct {
    int width;   // columns, SL_WIDTH_LEAST..SL_WIDTH_MOST; no line is wider
    bool colour; // the verdict is bold, and what binds it stands out
    bool ascii;  // every other character is replaced by one that is like it
} SlTextLook;
SlStatus sl_doc_write_text(const SlDoc *doc, const SlTextLook *look, SlText *out, SlError *err);
// One table by its key; false if there is none.
bool sl_doc_csv(const SlDoc *doc, const char *key, SlText *out);

// The pictures and tables (with a column for CSV) for files of their own, in order. `visit` gets
// the name of the file and its bytes (SVG or CSV), and returns SL_OK to go on.
typedef SlStatus SlDocVisit(void *context, const char *file, const SlText *bytes, SlError *err);
SlStatus sl_doc_files(const SlDoc *doc, SlDocVisit *visit, void *context, SlError *err);
// Markdown whose pictures are links to FOLDER/NAME.svg; sl_doc_write takes folder "".
SlStatus sl_doc_markdown(const SlDoc *doc, const char *folder, SlText *out, SlError *err);

SL_API_END
