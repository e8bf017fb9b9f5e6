// doc.c - documents: the tree as it grows.
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "words.h"

enum { NAME_MOST = 100 }; // bytes of a file's name, without what tells it from others

const char *const sl_form_names[] = {"text", "json", "html", "markdown", "csv", NULL};

SlDoc *sl_doc_make(SlArena *arena, const char *kind, int version) {
    SlDoc *doc = SL_NEW(arena, 1, SlDoc);
    if (!doc) return NULL;
    *doc = (SlDoc){.arena = arena,
                   .kind = sl_arena_text(arena, kind, strlen(kind)),
                   .version = version,
                   .root = {.kind = SL_DOC_GROUP}};
    doc->open = &doc->root;
    doc->failed = !doc->kind;
    return doc;
}

SlArena *sl_doc_arena(SlDoc *doc) {
    return doc ? doc->arena : NULL;
}

void sl_doc_detail(SlDoc *doc, bool detail) {
    if (doc) doc->detail = detail;
}

void sl_doc_fail(SlDoc *doc) {
    if (doc) doc->failed = true;
}

void *sl_doc_need(SlDoc *doc, void *pointer) {
    if (!pointer) sl_doc_fail(doc);
    return pointer;
}

// ---- nodes ----

// names come from files and go to terminals
static const char *keep_lines(SlDoc *doc, const char *text, bool lines) {
    if (!text || doc->failed) return NULL;
    char *kept = sl_arena_text(doc->arena, text, strlen(text));
    doc->failed |= !kept;
    if (kept) sl_text_clean(kept, lines);
    return kept;
}

static const char *keep(SlDoc *doc, const char *text) {
    return keep_lines(doc, text, false);
}

static const char *format(SlDoc *doc, const char *fmt, va_list args) {
    if (doc->failed) return NULL;
    char *text = sl_words_format(doc->arena, fmt, args);
    doc->failed |= !text;
    if (text) sl_text_clean(text, true);
    return text;
}

// a node at the end of what is open; NULL without memory
static SlDocNode *add(SlDoc *doc, SlDocKind kind, const char *key, const char *label) {
    if (!doc || doc->failed) return NULL;
    SlDocNode *node = SL_NEW(doc->arena, 1, SlDocNode);
    doc->failed |= !node;
    if (!node) return NULL;
    *node = (SlDocNode){.kind = kind,
                        .key = keep(doc, key),
                        .label = keep(doc, label),
                        .detail = doc->detail,
                        .parent = doc->open};
    node->people = !key;
    if (doc->open->last)
        doc->open->last->next = node;
    else
        doc->open->first = node;
    doc->open->last = node;
    if (sl_docnode_is_value(node)) doc->value = node;
    return node;
}

bool sl_docnode_is_value(const SlDocNode *node) {
    return node->kind <= SL_DOC_LINK && node->kind != SL_DOC_NUMBERS && node->kind != SL_DOC_JSON;
}

// ---- values ----

void sl_doc_number(SlDoc *doc, const char *key, const char *label, SlUnit unit, double value) {
    SlDocNode *node = add(doc, SL_DOC_NUMBER, key, label);
    if (!node) return;
    node->unit = unit;
    node->number = value;
}

void sl_doc_plain(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

void sl_doc_text(SlDoc *doc, const char *key, const char *label, const char *fmt, ...) {
    SlDocNode *node = add(doc, SL_DOC_TEXT, key, label);
    if (!node) return;
    va_list args;
    va_start(args, fmt);
    node->text = format(doc, fmt, args);
    va_end(args);
}

void sl_doc_string(SlDoc *doc, const char *key, const char *label, const char *text) {
    SlDocNode *node = add(doc, text ? SL_DOC_TEXT : SL_DOC_NULL, key, label);
    if (node && text) node->text = keep_lines(doc, text, true);
}

void sl_doc_flag(SlDoc *doc, const char *key, const char *label, bool value) {
    SlDocNode *node = add(doc, SL_DOC_FLAG, key, label);
    if (node) node->number = value;
}

void sl_doc_null(SlDoc *doc, const char *key) {
    add(doc, SL_DOC_NULL, key, NULL);
}

static const double *keep_numbers(SlDoc *doc, int n, const double *values) {
    double *kept = SL_NEW(doc->arena, n > 0 ? n : 1, double);
    doc->failed |= !kept;
    if (kept && n > 0) memcpy(kept, values, (size_t)n * sizeof *kept);
    return kept;
}

void sl_doc_numbers(SlDoc *doc, const char *key, int n, const double *values) {
    SlDocNode *node = add(doc, SL_DOC_NUMBERS, key, NULL);
    if (!node) return;
    node->people = false; // an item of a list has no key
    node->n = n;
    node->numbers = keep_numbers(doc, n, values);
}

void sl_doc_json(SlDoc *doc, const char *key, const char *json) {
    bool valid = json && sl_json_check(json, strlen(json));
    SlDocNode *node = add(doc, valid ? SL_DOC_JSON : SL_DOC_NULL, key, NULL);
    if (!node || !valid) return;
    // nothing is replaced in it: quotes and escapes are JSON's
    node->text = sl_arena_text(doc->arena, json, strlen(json));
    doc->failed |= !node->text;
}

void sl_doc_option(SlDoc *doc, const char *key, const SlOption *option, const void *options) {
    const void *field = (const char *)options + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        sl_doc_flag(doc, key, NULL, *(const bool *)field);
        return;
    case SL_OPTION_INT:
        sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, (double)*(const int64_t *)field);
        return;
    case SL_OPTION_REAL:
        sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, *(const double *)field);
        return;
    case SL_OPTION_CHOICE:
        sl_doc_string(doc, key, NULL, option->choices[*(const int *)field]);
        return;
    case SL_OPTION_TEXT:
        sl_doc_string(doc, key, NULL, *(const char *const *)field);
        return;
    }
}

void sl_doc_options(SlDoc *doc, const char *key, const SlOption *table, const void *options) {
    sl_doc_open(doc, key, NULL);
    for (; table->name; table++) sl_doc_option(doc, table->name, table, options);
    sl_doc_close(doc);
}

void sl_doc_shown(SlDoc *doc, const char *fmt, ...) {
    if (!doc || !doc->value) return;
    va_list args;
    va_start(args, fmt);
    doc->value->shown = format(doc, fmt, args);
    va_end(args);
}

void sl_doc_remark(SlDoc *doc, const char *fmt, ...) {
    if (!doc || !doc->value) return;
    va_list args;
    va_start(args, fmt);
    doc->value->remark = format(doc, fmt, args);
    va_end(args);
}

void sl_doc_strong(SlDoc *doc) {
    if (doc && doc->value) doc->value->marked = true;
}

// ---- for people only ----

void sl_doc_bar(SlDoc *doc, const char *label, double from, double to) {
    SlDocNode *node = add(doc, SL_DOC_BAR, NULL, label);
    if (!node) return;
    node->number = from;
    node->end = to;
}

void sl_doc_spark(SlDoc *doc, const char *label, int n, const double *y) {
    SlDocNode *node = add(doc, SL_DOC_SPARK, NULL, label);
    if (!node) return;
    node->n = n;
    node->numbers = keep_numbers(doc, n, y);
}

void sl_doc_link(SlDoc *doc, const char *label, const char *target, const char *fmt, ...) {
    SlDocNode *node = add(doc, SL_DOC_LINK, NULL, label);
    if (!node) return;
    va_list args;
    va_start(args, fmt);
    node->text = format(doc, fmt, args);
    va_end(args);
    node->target = keep(doc, target);
}

// text of a kind: title, footer, or a node
#define FORMAT_INTO(place)                                                                         \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, fmt);                                                                       \
        (place) = format(doc, fmt, args);                                                          \
        va_end(args);                                                                              \
    } while (0)

void sl_doc_title(SlDoc *doc, const char *fmt, ...) {
    if (doc) FORMAT_INTO(doc->title);
}

void sl_doc_footer(SlDoc *doc, const char *fmt, ...) {
    if (doc) FORMAT_INTO(doc->footer);
}

void sl_doc_heading(SlDoc *doc, const char *fmt, ...) {
    SlDocNode *node = add(doc, SL_DOC_HEADING, NULL, NULL);
    if (node) FORMAT_INTO(node->text);
}

// nothing to say is no paragraph
static void add_words(SlDoc *doc, const char *text, bool warning) {
    SlDocNode *node = text && *text ? add(doc, SL_DOC_WORDS, NULL, NULL) : NULL;
    if (!node) return;
    node->text = text;
    node->marked = warning;
}

void sl_doc_words(SlDoc *doc, const char *fmt, ...) {
    const char *text = NULL;
    if (doc) FORMAT_INTO(text);
    add_words(doc, text, false);
}

void sl_doc_warn(SlDoc *doc, const char *fmt, ...) {
    const char *text = NULL;
    if (doc) FORMAT_INTO(text);
    add_words(doc, text, true);
}

void sl_doc_verdict(SlDoc *doc, const char *fmt, ...) {
    const char *text = NULL;
    if (doc) FORMAT_INTO(text);
    sl_doc_string(doc, "verdict", NULL, text);
    add_words(doc, text, false);
    if (doc && doc->open->last && text) doc->open->last->lead = true;
}

void sl_doc_screen(SlDoc *doc) {
    if (doc && doc->open->last) doc->open->last->screen = true;
}

void sl_doc_accent(SlDoc *doc, const char *text) {
    if (!doc || !doc->value || !text) return;
    doc->value->accent = sl_doc_need(doc, sl_arena_text(doc->arena, text, strlen(text)));
}

void sl_doc_listing(SlDoc *doc, const char *key, const char *label, const char *text) {
    SlDocNode *node = add(doc, SL_DOC_LISTING, key, label);
    if (node) node->text = keep_lines(doc, text ? text : "", true);
}

void sl_doc_terminal(SlDoc *doc, const char *text) {
    SlDocNode *node = add(doc, SL_DOC_LISTING, NULL, "");
    if (!node) return;
    node->text = keep_lines(doc, text ? text : "", true);
    node->marked = true;
}

// ---- names of files ----

static bool is_taken(const SlDocNode *node, SlDocKind kind, const char *name) {
    for (; node; node = node->next) {
        if (node->kind == kind && node->key && strcmp(node->key, name) == 0) return true;
        if (is_taken(node->first, kind, name)) return true;
    }
    return false;
}

// small letters, digits and '-', as no other of that kind has it: NAME.svg beside NAME.csv is well
static const char *own_name(SlDoc *doc, SlDocKind kind, const char *name) {
    SlText text;
    sl_text_init(&text, doc->arena);
    sl_words_slug(name, &text);
    if (text.n == 0) sl_text_add(&text, "block");
    size_t n = text.n < NAME_MOST ? text.n : NAME_MOST;
    if (!text.failed) text.data[n] = '\0';
    for (int i = 2; is_taken(doc->root.first, kind, text.data); i++) {
        text.n = n;
        sl_text_add(&text, "-%d", i);
        if (text.failed) break;
    }
    doc->failed |= text.failed;
    return text.data;
}

void sl_doc_figure(SlDoc *doc, const char *name, const char *svg, const char *caption) {
    SlDocNode *node = add(doc, SL_DOC_FIGURE, NULL, NULL);
    if (!node) return;
    node->key = own_name(doc, SL_DOC_FIGURE, name);
    node->svg = svg;
    node->text = keep(doc, caption);
}

void sl_doc_sketch(SlDoc *doc, const char *text) {
    SlDocNode *figure = doc && !doc->failed ? doc->open->last : NULL;
    if (figure && figure->kind == SL_DOC_FIGURE) figure->shown = keep_lines(doc, text, true);
}

void sl_doc_grid(SlDoc *doc, const char *name, const SlTable *table) {
    SlDocNode *node = table ? add(doc, SL_DOC_GRID, NULL, NULL) : NULL;
    if (doc && !table) doc->failed = true;
    if (!node) return;
    node->key = own_name(doc, SL_DOC_GRID, name);
    node->table = table;
}

// ---- groups and tables ----

static SlDocNode *open_group(SlDoc *doc, SlDocKind kind, const char *key, const char *label) {
    SlDocNode *node = add(doc, kind, key, label);
    if (!node) return NULL;
    // an item of a list has no key, a group of the document without one is for people
    if (node->parent->kind == SL_DOC_LIST) node->people = false;
    doc->open = node;
    return node;
}

void sl_doc_open(SlDoc *doc, const char *key, const char *label) {
    open_group(doc, SL_DOC_GROUP, key, label);
}

void sl_doc_cards(SlDoc *doc, const char *key, const char *label) {
    SlDocNode *node = open_group(doc, SL_DOC_GROUP, key, label);
    if (node) node->marked = true;
}

void sl_doc_list(SlDoc *doc, const char *key) {
    open_group(doc, SL_DOC_LIST, key, NULL);
}

void sl_doc_table(SlDoc *doc, const char *key, const char *label, int n, const SlColumn *columns) {
    SlDocNode *node = open_group(doc, SL_DOC_TABLE, key, label);
    if (!node) return;
    SlColumn *kept = SL_NEW(doc->arena, n > 0 ? n : 1, SlColumn);
    doc->failed |= !kept;
    if (!kept) return;
    if (n > 0) memcpy(kept, columns, (size_t)n * sizeof *kept);
    node->n = n;
    node->columns = kept;
}

void sl_doc_rows(SlDoc *doc, const char *key, const char *label) {
    open_group(doc, SL_DOC_TABLE, key, label);
}

// the values of a row, those in its groups too, into `columns` (NULL: they are counted); `lead` is
// the way to them
static int list_members(SlDoc *doc, const SlDocNode *row, const char *lead, SlColumn *columns) {
    int n = 0;
    for (const SlDocNode *node = row->first; node && !doc->failed; node = node->next) {
        SlText path;
        sl_text_init(&path, doc->arena);
        sl_text_add(&path, "%s%s", lead, node->key ? node->key : "");
        if (node->kind == SL_DOC_GROUP) {
            sl_text_put(&path, ".", 1);
            n += list_members(doc, node, path.data, columns ? columns + n : NULL);
        } else if (sl_docnode_is_value(node)) {
            if (columns)
                columns[n] = (SlColumn){.key = node->key ? path.data : NULL,
                                        .label = node->label,
                                        .cut = node->kind == SL_DOC_TEXT};
            n++;
        }
        doc->failed |= path.failed;
    }
    return n;
}

// the columns of a table that was opened without
static void name_columns(SlDoc *doc, SlDocNode *table) {
    if (table->columns || !table->first) return;
    int n = list_members(doc, table->first, "", NULL);
    SlColumn *columns = SL_NEW(doc->arena, n > 0 ? n : 1, SlColumn);
    doc->failed |= !columns;
    if (doc->failed) return;
    table->n = list_members(doc, table->first, "", columns);
    table->columns = columns;
}

// a row ends where the next one begins
static void end_row(SlDoc *doc) {
    if (doc && doc->open->kind == SL_DOC_ROW) doc->open = doc->open->parent;
}

void sl_doc_row(SlDoc *doc) {
    end_row(doc);
    SlDocNode *node = add(doc, SL_DOC_ROW, NULL, NULL);
    if (!node) return;
    node->people = false;
    doc->open = node;
}

void sl_doc_rule(SlDoc *doc) {
    end_row(doc);
    add(doc, SL_DOC_RULE, NULL, NULL);
}

void sl_doc_sums(SlDoc *doc, const char *key) {
    end_row(doc);
    SlDocNode *node = add(doc, SL_DOC_ROW, key, NULL);
    if (!node) return;
    node->marked = true;
    node->people = true; // no item of the table
    doc->open = node;
}

void sl_doc_foot(SlDoc *doc) {
    sl_doc_sums(doc, NULL);
}

void sl_doc_close(SlDoc *doc) {
    end_row(doc);
    if (doc && !doc->failed && doc->open->kind == SL_DOC_TABLE) name_columns(doc, doc->open);
    if (doc && !doc->failed && doc->open->parent) doc->open = doc->open->parent;
    if (doc) doc->value = NULL;
}
