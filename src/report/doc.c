// doc.c - documents: the tree as it grows.
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
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

// one option of a struct as a value
static void add_option(SlDoc *doc, const SlOption *option, const void *options) {
    const void *field = (const char *)options + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        sl_doc_flag(doc, option->name, NULL, *(const bool *)field);
        return;
    case SL_OPTION_INT:
        sl_doc_number(doc, option->name, NULL, SL_UNIT_PLAIN, (double)*(const int64_t *)field);
        return;
    case SL_OPTION_REAL:
        sl_doc_number(doc, option->name, NULL, SL_UNIT_PLAIN, *(const double *)field);
        return;
    case SL_OPTION_CHOICE:
        sl_doc_text(doc, option->name, NULL, "%s", option->choices[*(const int *)field]);
        return;
    case SL_OPTION_TEXT:
        if (*(const char *const *)field)
            sl_doc_text(doc, option->name, NULL, "%s", *(const char *const *)field);
        else
            sl_doc_null(doc, option->name);
        return;
    }
}

void sl_doc_options(SlDoc *doc, const char *key, const SlOption *table, const void *options) {
    sl_doc_open(doc, key, NULL);
    for (; table->name; table++) add_option(doc, table, options);
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

void sl_doc_listing(SlDoc *doc, const char *key, const char *label, const char *text) {
    SlDocNode *node = add(doc, SL_DOC_LISTING, key, label);
    if (node) node->text = keep_lines(doc, text ? text : "", true);
}

// ---- names of files ----

static bool is_taken(const SlDocNode *node, const char *name) {
    for (; node; node = node->next) {
        bool file = node->kind == SL_DOC_FIGURE || node->kind == SL_DOC_GRID;
        if (file && node->key && strcmp(node->key, name) == 0) return true;
        if (is_taken(node->first, name)) return true;
    }
    return false;
}

// small letters, digits and '-', as no other figure or table has it
static const char *own_name(SlDoc *doc, const char *name) {
    SlText text;
    sl_text_init(&text, doc->arena);
    sl_words_slug(name, &text);
    if (text.n == 0) sl_text_add(&text, "block");
    size_t n = text.n < NAME_MOST ? text.n : NAME_MOST;
    if (!text.failed) text.data[n] = '\0';
    for (int i = 2; is_taken(doc->root.first, text.data); i++) {
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
    node->key = own_name(doc, name);
    node->svg = svg;
    node->text = keep(doc, caption);
}

void sl_doc_grid(SlDoc *doc, const char *name, const SlTable *table) {
    SlDocNode *node = table ? add(doc, SL_DOC_GRID, NULL, NULL) : NULL;
    if (doc && !table) doc->failed = true;
    if (!node) return;
    node->key = own_name(doc, name);
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

void sl_doc_foot(SlDoc *doc) {
    end_row(doc);
    SlDocNode *node = add(doc, SL_DOC_ROW, NULL, NULL);
    if (!node) return;
    node->marked = true; // people: no key
    doc->open = node;
}

void sl_doc_close(SlDoc *doc) {
    end_row(doc);
    if (doc && !doc->failed && doc->open->parent) doc->open = doc->open->parent;
    if (doc) doc->value = NULL;
}
