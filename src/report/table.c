// table.c - tables: columns, rows, cells; and as text, with columns as wide as their cells and
// numbers to the right.
#include <string.h>

#include "page.h"
#include "table_inside.h"
#include "words.h"

enum {
    GAP = 2,
    READABLE = 14, // text is cut to so many columns before others are left out
    NARROWEST = 8,
    LEAST = 2, // columns that are always there
};

// one name and its mark
static bool add_column(SlTable *table, const char *head, size_t n) {
    SlTableColumn *column = &table->columns[table->n_columns++];
    column->flexible = n > 0 && head[0] == '~';
    column->left = column->flexible || (n > 0 && head[0] == '<');
    char *name = sl_arena_text(table->arena, head + column->left, n - column->left);
    if (name) sl_text_clean(name, false);
    column->name = name;
    return name;
}

SlTable *sl_table_make(SlArena *arena, const char *title, const char *heads) {
    int n = 1;
    for (const char *c = heads; *c; c++) n += *c == '|';
    SlTable *table = SL_NEW(arena, 1, SlTable);
    if (!table) return NULL;
    *table = (SlTable){.arena = arena,
                       .title = sl_arena_text(arena, title, strlen(title)),
                       .columns = SL_NEW(arena, n, SlTableColumn)};
    if (!table->title || !table->columns) return NULL;
    for (const char *head = heads;; head++) {
        size_t bytes = strcspn(head, "|");
        if (!add_column(table, head, bytes)) return NULL;
        head += bytes;
        if (!*head) return table;
    }
}

bool sl_table_whole(const SlTable *table, SlText *out) {
    if (table && !table->failed) return true;
    out->failed = true;
    return false;
}

void sl_table_row(SlTable *table) {
    if (!table || table->failed) return;
    SlTableRow *row = SL_NEW(table->arena, 1, SlTableRow);
    SlTableCell *cells = SL_NEW(table->arena, table->n_columns, SlTableCell);
    table->failed = !row || !cells;
    if (table->failed) return;
    row->cells = cells;
    if (table->last)
        table->last->next = row;
    else
        table->first = row;
    table->last = row;
}

void sl_table_rule(SlTable *table) {
    sl_table_row(table);
    if (table && !table->failed) table->last->rule = true;
}

void sl_table_cell(SlTable *table, const char *fmt, ...) {
    if (!table || table->failed || !table->last) return;
    SlTableRow *row = table->last;
    if (row->rule || row->n_cells == table->n_columns) return;
    va_list args;
    va_start(args, fmt);
    char *text = sl_words_format(table->arena, fmt, args);
    va_end(args);
    table->failed = !text;
    if (!text) return;
    // a cell is one line
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\t' || *c == '\r') *c = ' ';
    sl_text_clean(text, false);
    row->cells[row->n_cells++].text = text;
}

void sl_table_strong(SlTable *table) {
    if (!table || table->failed || !table->last || table->last->n_cells == 0) return;
    int c = table->last->n_cells - 1;
    table->last->cells[c].strong = true;
    table->columns[c].strong = true;
}

// ---- as text ----

typedef struct {
    const SlTable *table;
    int n;             // columns that are shown
    int *widths;       // (n_columns)
    const char **rest; // (n_columns) what is still to be drawn of the row
} Layout;

// the columns that a cell takes, with the star of one that stands out or the space for it
static int needed(const SlTable *table, int c, const char *text) {
    return sl_words_columns(text) + table->columns[c].strong;
}

static int total_width(const Layout *layout) {
    int total = -GAP;
    for (int c = 0; c < layout->n; c++) total += layout->widths[c] + GAP;
    return total;
}

// what each column needs
static void measure(Layout *layout) {
    const SlTable *table = layout->table;
    layout->n = table->n_columns;
    for (int c = 0; c < table->n_columns; c++) {
        layout->widths[c] = needed(table, c, table->columns[c].name);
        for (const SlTableRow *row = table->first; row; row = row->next) {
            int columns = c < row->n_cells ? needed(table, c, row->cells[c].text) : 0;
            if (columns > layout->widths[c]) layout->widths[c] = columns;
        }
    }
}

// flexible columns give way, down to `least`, until the whole fits
static void shrink(Layout *layout, int width, int least) {
    for (int total = total_width(layout); total > width; total--) {
        int widest = -1;
        for (int c = 0; c < layout->n; c++) {
            if (!layout->table->columns[c].flexible || layout->widths[c] <= least) continue;
            if (widest < 0 || layout->widths[c] > layout->widths[widest]) widest = c;
        }
        if (widest < 0) return;
        layout->widths[widest]--;
    }
}

// text is cut a little, then columns are left out from the right, then text is cut to what can be
// told apart
static void fit(Layout *layout, int width) {
    measure(layout);
    shrink(layout, width, READABLE);
    while (layout->n > LEAST && total_width(layout) > width) layout->n--;
    shrink(layout, width, NARROWEST);
}

// one cell; returns the blanks it owes before the next one. Blanks at the end of a line are never
// written
static int draw_cell(const Layout *layout, int c, const SlTableCell *cell, int blanks,
                     SlText *out) {
    const SlTableColumn *column = &layout->table->columns[c];
    int columns = sl_words_columns(cell->text), room = layout->widths[c] - column->strong;
    if (columns == 0) return blanks + layout->widths[c] + GAP;
    bool cut_off = columns > room;
    int before = column->left || cut_off ? 0 : room - columns;
    sl_text_add(out, "%*s", blanks + before, "");
    if (cut_off)
        sl_text_add(out, "%.*s…", (int)sl_words_cut(cell->text, room - 1), cell->text);
    else
        sl_text_add(out, "%s", cell->text);
    if (cell->strong) sl_text_put(out, "*", 1);
    return (cut_off ? 0 : room - before - columns) + (column->strong && !cell->strong) + GAP;
}

// takes the next line of a cell off what is left of it: words that fit, where it wraps
static const char *next_line(const Layout *layout, int c, SlText *out) {
    const char *text = layout->rest[c];
    layout->rest[c] = "";
    if (!layout->table->columns[c].wrap || needed(layout->table, c, text) <= layout->widths[c])
        return text;
    size_t most = sl_words_cut(text, layout->widths[c]), n = most;
    while (n > 0 && text[n] != ' ') n--;
    if (n == 0) n = most;
    layout->rest[c] = text + n + strspn(text + n, " ");
    const char *line = sl_arena_text(out->arena, text, n);
    out->failed |= !line;
    return line ? line : "";
}

// row NULL = the heads
static void draw_row(const Layout *layout, const SlTableRow *row, SlText *out) {
    for (int c = 0; c < layout->n; c++) {
        layout->rest[c] = layout->table->columns[c].name;
        if (row) layout->rest[c] = c < row->n_cells ? row->cells[c].text : "";
    }
    for (bool more = true; more;) {
        int blanks = 0;
        more = false;
        for (int c = 0; c < layout->n; c++) {
            SlTableCell cell = {.strong = row && c < row->n_cells && row->cells[c].strong};
            cell.text = next_line(layout, c, out);
            blanks = draw_cell(layout, c, &cell, blanks, out);
            more |= *layout->rest[c] != '\0';
        }
        sl_text_put(out, "\n", 1);
    }
}

static void draw_rule(const Layout *layout, SlText *out) {
    for (int i = 0, n = total_width(layout); i < n; i++) sl_text_add(out, "─");
    sl_text_put(out, "\n", 1);
}

// "(not shown at this width: gain, proven gap)"
static void draw_missing(const Layout *layout, int width, SlText *out) {
    const SlTable *table = layout->table;
    SlText line;
    if (layout->n == table->n_columns) return;
    sl_text_init(&line, out->arena);
    sl_text_add(&line, "(not shown at this width");
    for (int c = layout->n; c < table->n_columns; c++)
        sl_text_add(&line, "%s %s", c == layout->n ? ":" : ",", table->columns[c].name);
    sl_text_add(&line, ")");
    out->failed |= line.failed;
    sl_words_lines(line.data, width, out);
}

void sl_table_text(const SlTable *table, int width, SlText *out) {
    if (!sl_table_whole(table, out)) return;
    Layout layout = {.table = table,
                     .widths = SL_NEW(out->arena, table->n_columns, int),
                     .rest = SL_NEW(out->arena, table->n_columns, const char *)};
    if (!layout.widths || !layout.rest) {
        out->failed = true;
        return;
    }
    fit(&layout, width);
    if (*table->title) sl_text_add(out, "%s\n", table->title);
    draw_row(&layout, NULL, out);
    for (const SlTableRow *row = table->first; row; row = row->next) {
        if (row->rule)
            draw_rule(&layout, out);
        else
            draw_row(&layout, row, out);
    }
    draw_missing(&layout, width, out);
}
