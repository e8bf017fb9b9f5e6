// doc_inside.h - inside report: the tree of a document, and what its forms share.
#pragma once

#include "starling/report/doc.h"

typedef struct SlTable SlTable; // page.h

typedef enum {
    SL_DOC_NUMBER,
    SL_DOC_TEXT,
    SL_DOC_FLAG,
    SL_DOC_NULL,
    SL_DOC_NUMBERS,
    SL_DOC_JSON,
    SL_DOC_BAR,
    SL_DOC_SPARK,
    SL_DOC_LINK,
    SL_DOC_HEADING,
    SL_DOC_WORDS,
    SL_DOC_LISTING,
    SL_DOC_FIGURE,
    SL_DOC_GRID,
    SL_DOC_GROUP,
    SL_DOC_LIST,
    SL_DOC_TABLE,
    SL_DOC_ROW,
    SL_DOC_RULE,
} SlDocKind;

typedef struct SlDocNode SlDocNode;
struct SlDocNode {
    SlDocKind kind;
    const char *key,
        *label;  // NULL = not for machines, not for people; of figures `key` is the file
    bool people; // never for machines, whatever the key
    bool detail; // too much for a terminal
    bool lead;   // WORDS: the verdict
    bool screen; // not in Markdown
    bool marked; // value: strong; WORDS: a warning; LISTING: for a terminal alone; GROUP: cards;
                 // ROW: of sums
    SlUnit unit;
    double number, end;      // NUMBER, FLAG; BAR from..to
    const char *text;        // TEXT, LINK, HEADING, WORDS, LISTING; caption of a FIGURE
    const char *target;      // of a LINK
    const char *shown;       // NULL = by kind and unit; of a FIGURE its lines, NULL = none
    const char *remark;      // NULL = none
    const char *accent;      // of what is shown, NULL = none
    const char *svg;         // FIGURE
    const SlTable *table;    // GRID
    int n;                   // NUMBERS, SPARK; columns of a TABLE
    const double *numbers;   // (n)
    const SlColumn *columns; // (n)
    SlDocNode *parent, *first, *last, *next;
};

struct SlDoc {
    SlArena *arena;
    const char *kind, *title, *footer; // title, footer: NULL = none
    int version;
    bool detail, failed;
    SlDocNode root;
    SlDocNode *open;  // where the next node goes
    SlDocNode *value; // given last, for sl_doc_shown, _remark, _strong
};

// The document is without memory from now on; the same where the pointer is NULL.
void sl_doc_fail(SlDoc *doc);
void *sl_doc_need(SlDoc *doc, void *pointer);

// What was added last is not for Markdown.
void sl_doc_screen(SlDoc *doc);

// A table of formatted cells, kept; `name` as of a figure.
void sl_doc_grid(SlDoc *doc, const char *name, const SlTable *table);

// For an axis up to `most`: what values are multiplied with to be read easily. The unit of the
// products ("mJ", "cycles") goes to `out`, "" = none.
double sl_unit_axis(SlUnit unit, double most, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// A number beside another: "8.3 % less", "12.0 % more", "2.40 × as much", "the same", "-" beside 0.
const char *sl_unit_compare(double base, double now, char out[SL_AT_LEAST(SL_UNIT_ROOM)]);

// Is it a value, with a label before it or a column above it?
bool sl_docnode_is_value(const SlDocNode *node);

// A value as people see it, in one line of text.
const char *sl_docnode_shown(const SlDocNode *node, SlUnit unit, SlArena *arena);

// The member of a row that a column names; NULL = none.
const SlDocNode *sl_docnode_at(const SlDocNode *row, const SlColumn *column);

// Columns of a table that people see, and those of CSV, into `shown` (node->n); returns how many.
// A column without any value is left out.
int sl_docnode_columns(const SlDocNode *table, bool people, const SlColumn **shown);

// Has the table a cell for people; details: those rows and columns count, too?
bool sl_docnode_is_shown(const SlDocNode *table, bool details);

// Does text stand in the column, to the left?
bool sl_docnode_is_left(const SlDocNode *table, const SlColumn *column);

// The table as one of formatted cells; details: with those columns, too. NULL without memory.
SlTable *sl_docnode_table(const SlDocNode *node, bool details, SlArena *arena);

// What of a bar is filled: 0..1, 0 for what is no number.
double sl_docnode_share(double share);

// JSON's number, or null.
void sl_docnode_put_number(double value, SlText *out);

void sl_form_text(const SlDoc *doc, const SlTextLook *look, SlText *out);
void sl_form_json(const SlDoc *doc, SlText *out);
void sl_form_html(const SlDoc *doc, SlText *out);
void sl_form_markdown(const SlDoc *doc, const char *folder, SlText *out);
bool sl_form_csv(const SlDocNode *table, SlText *out);
