// text_table.c - tables in text: columns as wide as their cells, numbers to the right.
#include "text_table.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "show.h"

enum { GAP = 2, NARROWEST = 8 };

struct TableRow {
    TableRow *next;
    bool rule;
    int n_cells;
    const char *cells[TABLE_MAX_COLUMNS];
};

void table_init(TextTable *table, SlArena *arena, const char *heads) {
    *table = (TextTable){.arena = arena};
    for (bool more = true; more && table->n_columns < TABLE_MAX_COLUMNS;) {
        size_t n = strcspn(heads, "|");
        table->heads[table->n_columns++] = command_need(sl_arena_text(arena, heads, n));
        more = heads[n] == '|';
        heads += n + more;
    }
}

static bool is_left(const TextTable *table, int c) {
    return table->heads[c][0] == '<' || table->heads[c][0] == '~';
}

static bool is_flexible(const TextTable *table, int c) {
    return table->heads[c][0] == '~';
}

// the head without its mark
static const char *head(const TextTable *table, int c) {
    return table->heads[c] + is_left(table, c);
}

void table_row(TextTable *table) {
    TableRow *row = command_need(SL_NEW(table->arena, 1, TableRow));
    if (table->last)
        table->last->next = row;
    else
        table->first = row;
    table->last = row;
}

void table_rule(TextTable *table) {
    table_row(table);
    table->last->rule = true;
}

void table_cell(TextTable *table, const char *fmt, ...) {
    TableRow *row = table->last;
    if (!row || row->n_cells == table->n_columns) return;
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    row->cells[row->n_cells++] = command_need(sl_arena_text(table->arena, text, strlen(text)));
}

// the columns that each column needs; flexible ones give way until the whole fits
static void measure(const TextTable *table, int widths[static TABLE_MAX_COLUMNS]) {
    int total = -GAP;
    for (int c = 0; c < table->n_columns; c++) {
        widths[c] = show_columns(head(table, c));
        for (const TableRow *row = table->first; row; row = row->next) {
            int columns = c < row->n_cells ? show_columns(row->cells[c]) : 0;
            if (columns > widths[c]) widths[c] = columns;
        }
        total += widths[c] + GAP;
    }
    while (total > TABLE_WIDTH) {
        int widest = -1;
        for (int c = 0; c < table->n_columns; c++) {
            if (!is_flexible(table, c) || widths[c] <= NARROWEST) continue;
            if (widest < 0 || widths[c] > widths[widest]) widest = c;
        }
        if (widest < 0) return;
        widths[widest]--;
        total--;
    }
}

// the first `columns` columns of `text`
static size_t cut(const char *text, int columns) {
    size_t n = 0;
    for (int seen = 0; text[n]; n++) {
        seen += ((unsigned char)text[n] & 0xC0) != 0x80;
        if (seen > columns) break;
    }
    return n;
}

static void draw_cells(const TextTable *table, const int *widths, const char *const *cells, int n,
                       SlText *out) {
    int blanks = 0; // owed; blanks at the end of a line are never written
    for (int c = 0; c < table->n_columns && c < n; c++) {
        int columns = show_columns(cells[c]), room = widths[c];
        bool cut_off = columns > room;
        int before = is_left(table, c) || cut_off ? 0 : room - columns;
        if (columns > 0) sl_text_add(out, "%*s", blanks + before, "");
        if (cut_off)
            sl_text_add(out, "%.*s…", (int)cut(cells[c], room - 1), cells[c]);
        else
            sl_text_add(out, "%s", cells[c]);
        int after = cut_off ? 0 : room - before - columns;
        blanks = columns > 0 ? after + GAP : blanks + room + GAP;
    }
    sl_text_add(out, "\n");
}

void table_draw(const TextTable *table, SlText *out) {
    int widths[TABLE_MAX_COLUMNS] = {0}, total = -GAP;
    const char *heads[TABLE_MAX_COLUMNS];
    measure(table, widths);
    for (int c = 0; c < table->n_columns; c++) {
        heads[c] = head(table, c);
        total += widths[c] + GAP;
    }
    draw_cells(table, widths, heads, table->n_columns, out);
    for (const TableRow *row = table->first; row; row = row->next) {
        for (int i = 0; row->rule && i < total; i++) sl_text_add(out, "─");
        if (row->rule)
            sl_text_add(out, "\n");
        else
            draw_cells(table, widths, row->cells, row->n_cells, out);
    }
}
