// doc_table.c - tables of documents: which member stands in which column, and how it is shown.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/draw.h"
#include "table_inside.h"

enum { BAR_COLUMNS = 20, SPARK_COLUMNS = 24 };

// ---- values ----

double sl_docnode_share(double share) {
    return share > 0 ? fmin(share, 1) : 0;
}

// BAR_COLUMNS of which the share from..to is filled, in steps of an eighth of a column
static void draw_bar(double from, double to, SlText *out) {
    static const char *const eighths[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    from = sl_docnode_share(from);
    to = fmax(sl_docnode_share(to), from);
    int blanks = (int)lround(from * BAR_COLUMNS);
    int filled = (int)lround((to - from) * BAR_COLUMNS * 8);
    // something that is not nothing is seen, and inside
    if (filled <= 0 && to > from) filled = 1;
    if (filled > 0 && blanks == BAR_COLUMNS) blanks--;
    for (int i = 0; i < blanks; i++) sl_text_put(out, " ", 1);
    for (; filled >= 8; filled -= 8) sl_text_add(out, "%s", eighths[7]);
    if (filled > 0) sl_text_add(out, "%s", eighths[filled - 1]);
}

static const char *show_number(double value, SlUnit unit, SlArena *arena) {
    char text[SL_UNIT_ROOM];
    sl_unit_show(unit, value, text);
    return sl_arena_text(arena, text, strlen(text));
}

const char *sl_docnode_shown(const SlDocNode *node, SlUnit unit, SlArena *arena) {
    SlText text;
    if (node->shown) return node->shown;
    switch (node->kind) {
    case SL_DOC_NUMBER:
        return show_number(node->number, unit != SL_UNIT_PLAIN ? unit : node->unit, arena);
    case SL_DOC_TEXT:
    case SL_DOC_LINK:
        return node->text;
    case SL_DOC_FLAG:
        return node->number != 0 ? "yes" : "no";
    case SL_DOC_BAR:
        sl_text_init(&text, arena);
        draw_bar(node->number, node->end, &text);
        return text.failed ? NULL : text.data;
    case SL_DOC_SPARK:
        sl_text_init(&text, arena);
        if (node->n > 0) sl_draw_spark(node->n, node->numbers, SPARK_COLUMNS, &text);
        return text.failed ? NULL : text.data;
    case SL_DOC_NULL:
        return "-";
    default:
        return "";
    }
}

// ---- columns ----

// is `name` the first `n` bytes of `key`, no more?
static bool is_named(const char *name, const char *key, size_t n) {
    return name && strncmp(name, key, n) == 0 && name[n] == '\0';
}

static const SlDocNode *find_key(const SlDocNode *group, const char *path);

// what "2.reads" means in a table: a member of its row 2, the first is 0
static const SlDocNode *find_in_row(const SlDocNode *table, const char *path) {
    char *rest;
    long at = strtol(path, &rest, 10);
    if (rest == path || *rest != '.') return NULL;
    for (const SlDocNode *row = table->first; row; row = row->next)
        if (row->kind == SL_DOC_ROW && at-- == 0) return find_key(row, rest + 1);
    return NULL;
}

// the member of a group that a path of keys leads to; a key may have points itself ("0.5")
static const SlDocNode *find_key(const SlDocNode *group, const char *path) {
    size_t n = strcspn(path, ".");
    for (const SlDocNode *node = group->first; node; node = node->next) {
        if (is_named(node->key, path, strlen(path)) && sl_docnode_is_value(node)) return node;
        if (!is_named(node->key, path, n)) continue;
        bool inside = path[n] == '.';
        if (inside && node->kind == SL_DOC_GROUP) return find_key(node, path + n + 1);
        if (inside && node->kind == SL_DOC_TABLE) return find_in_row(node, path + n + 1);
    }
    return NULL;
}

const SlDocNode *sl_docnode_at(const SlDocNode *row, const SlColumn *column) {
    if (column->key) {
        const SlDocNode *found = find_key(row, column->key);
        if (found || !row->marked) return found;
    }
    // for people, and in rows of sums, the label does
    for (const SlDocNode *node = row->first; node && column->label; node = node->next)
        if (!node->key && node->label && strcmp(node->label, column->label) == 0) return node;
    return NULL;
}

static const SlDocNode *first_value(const SlDocNode *table, const SlColumn *column) {
    const SlDocNode *found = NULL;
    for (const SlDocNode *row = table->first; row && !found; row = row->next)
        if (row->kind == SL_DOC_ROW) found = sl_docnode_at(row, column);
    return found;
}

static bool is_shown(const SlColumn *column, bool people) {
    return people ? column->label != NULL : column->key && !(column->csv && !*column->csv);
}

int sl_docnode_columns(const SlDocNode *table, bool people, const SlColumn **shown) {
    int n = 0;
    bool empty = !table->first;
    for (int c = 0; c < table->n; c++) {
        const SlColumn *column = &table->columns[c];
        if (!is_shown(column, people)) continue;
        if (empty || first_value(table, column)) shown[n++] = column;
    }
    return n;
}

bool sl_docnode_is_shown(const SlDocNode *table, bool details) {
    for (const SlDocNode *row = table->first; row; row = row->next) {
        if (row->kind != SL_DOC_ROW || (row->detail && !details)) continue;
        for (int c = 0; c < table->n; c++) {
            const SlColumn *column = &table->columns[c];
            if (!column->label || (column->detail && !details)) continue;
            if (sl_docnode_at(row, column)) return true;
        }
    }
    return false;
}

// text, as long as no number stands in the column
bool sl_docnode_is_left(const SlDocNode *table, const SlColumn *column) {
    bool left = false;
    for (const SlDocNode *row = table->first; row; row = row->next) {
        const SlDocNode *node = row->kind == SL_DOC_ROW ? sl_docnode_at(row, column) : NULL;
        if (!node || row->marked) continue;
        if (node->kind == SL_DOC_NUMBER) return false;
        left |= node->kind != SL_DOC_NULL;
    }
    return left;
}

// ---- as formatted cells ----

static SlTable *make_table(const SlDocNode *node, int n, const SlColumn **shown, SlArena *arena) {
    SlTable *table = SL_NEW(arena, 1, SlTable);
    SlTableColumn *columns = SL_NEW(arena, n > 0 ? n : 1, SlTableColumn);
    if (!table || !columns) return NULL;
    *table = (SlTable){.arena = arena, .title = "", .n_columns = n, .columns = columns};
    for (int c = 0; c < n; c++)
        columns[c] = (SlTableColumn){.name = shown[c]->label,
                                     .left = sl_docnode_is_left(node, shown[c]),
                                     .flexible = shown[c]->cut || shown[c]->wrap,
                                     .wrap = shown[c]->wrap};
    return table;
}

static void add_cells(const SlDocNode *row, int n, const SlColumn **shown, SlTable *table) {
    sl_table_row(table);
    for (int c = 0; c < n; c++) {
        const SlDocNode *node = sl_docnode_at(row, shown[c]);
        const char *text = node ? sl_docnode_shown(node, shown[c]->unit, table->arena) : "";
        table->failed |= !text;
        if (table->failed) return;
        sl_table_cell(table, "%s", text);
        if (node && node->marked) sl_table_strong(table);
    }
}

SlTable *sl_docnode_table(const SlDocNode *node, bool details, SlArena *arena) {
    const SlColumn **shown = SL_NEW(arena, node->n > 0 ? node->n : 1, const SlColumn *);
    if (!shown) return NULL;
    int n = sl_docnode_columns(node, true, shown), kept = 0;
    for (int c = 0; c < n; c++)
        if (details || !shown[c]->detail) shown[kept++] = shown[c];
    SlTable *table = make_table(node, kept, shown, arena);
    bool foot = false;
    for (const SlDocNode *row = node->first; row && table; row = row->next) {
        if (row->detail && !details) continue;
        bool begins = row->kind == SL_DOC_ROW && row->marked && !foot;
        if (row->kind == SL_DOC_RULE || begins) sl_table_rule(table);
        foot |= begins;
        if (row->kind == SL_DOC_ROW) add_cells(row, kept, shown, table);
    }
    return table && !table->failed ? table : NULL;
}
