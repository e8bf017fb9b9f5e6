// table_markup.c - tables as Markdown, HTML and CSV.
#include <ctype.h>
#include <string.h>

#include "table_inside.h"

static const SlTableCell *cell_at(const SlTableRow *row, int c) {
    static const SlTableCell none = {.text = ""};
    return c < row->n_cells ? &row->cells[c] : &none;
}

// ---- Markdown ----

static void markdown_text(const char *text, SlText *out) {
    for (; *text; text++) {
        if (strchr("|*<[]`\\", *text)) sl_text_put(out, "\\", 1);
        sl_text_put(out, text, 1);
    }
}

static void markdown_row(const SlTable *table, const SlTableRow *row, SlText *out) {
    sl_text_put(out, "|", 1);
    for (int c = 0; c < table->n_columns; c++) {
        SlTableCell head = {.text = table->columns[c].name};
        const SlTableCell *cell = row ? cell_at(row, c) : &head;
        const char *mark = cell->strong && *cell->text ? "**" : "";
        sl_text_add(out, " %s", mark);
        markdown_text(cell->text, out);
        sl_text_add(out, "%s |", mark);
    }
    sl_text_put(out, "\n", 1);
}

void sl_table_markdown(const SlTable *table, SlText *out) {
    if (!sl_table_whole(table, out)) return;
    if (*table->title) {
        sl_text_put(out, "**", 2);
        markdown_text(table->title, out);
        sl_text_put(out, "**\n\n", 4);
    }
    markdown_row(table, NULL, out);
    sl_text_put(out, "|", 1);
    for (int c = 0; c < table->n_columns; c++)
        sl_text_add(out, table->columns[c].left ? "---|" : "---:|");
    sl_text_put(out, "\n", 1);
    // Markdown has no lines between rows
    for (const SlTableRow *row = table->first; row; row = row->next)
        if (!row->rule) markdown_row(table, row, out);
}

// ---- HTML ----

static void html_cell(const SlTableColumn *column, const SlTableCell *cell, SlText *out) {
    sl_text_add(out, column->left ? "<td class=\"t\">" : "<td>");
    if (cell->strong) sl_text_add(out, "<strong>");
    sl_page_text(cell->text, out);
    if (cell->strong) sl_text_add(out, "</strong>");
    sl_text_add(out, "</td>");
}

static void html_head(const SlTable *table, SlText *out) {
    sl_text_add(out, "<thead><tr>");
    for (int c = 0; c < table->n_columns; c++) {
        sl_text_add(out, "<th scope=\"col\"%s>", table->columns[c].left ? " class=\"t\"" : "");
        sl_page_text(table->columns[c].name, out);
        sl_text_add(out, "</th>");
    }
    sl_text_add(out, "</tr></thead>\n");
}

void sl_table_html(const SlTable *table, SlText *out) {
    if (!sl_table_whole(table, out)) return;
    if (*table->title) {
        sl_text_add(out, "<h3>");
        sl_page_text(table->title, out);
        sl_text_add(out, "</h3>\n");
    }
    sl_text_add(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"named\">\n");
    html_head(table, out);
    sl_text_add(out, "<tbody>\n");
    for (const SlTableRow *row = table->first; row; row = row->next) {
        // a line is where one group of rows ends and the next begins
        if (row->rule) {
            sl_text_add(out, "</tbody><tbody>\n");
            continue;
        }
        sl_text_add(out, "<tr>");
        for (int c = 0; c < table->n_columns; c++)
            html_cell(&table->columns[c], cell_at(row, c), out);
        sl_text_add(out, "</tr>\n");
    }
    sl_text_add(out, "</tbody></table></div>\n");
}

// ---- CSV ----

// is this comma one between thousands?
static bool is_thousands(const char *text, size_t i) {
    const char *after = text + i + 1;
    return i > 0 && text[i] == ',' && isdigit((unsigned char)text[i - 1]) &&
           isdigit((unsigned char)after[0]) && isdigit((unsigned char)after[1]) &&
           isdigit((unsigned char)after[2]) && !isdigit((unsigned char)after[3]);
}

static void without_thousands(const char *text, size_t n, SlText *out) {
    for (size_t i = 0; i < n; i++)
        if (!is_thousands(text, i)) sl_text_put(out, text + i, 1);
}

// the cell of a column of numbers: "12,345" -> "12345", "3.1 ×" -> "3.1", "96 %" -> "96", "–" -> ""
static void plain_number(const char *text, SlText *out) {
    static const char *const units[] = {" ×", " %"};
    size_t n = strlen(text);
    for (int i = 0; i < 2; i++) {
        size_t unit = strlen(units[i]);
        if (n >= unit && strcmp(text + n - unit, units[i]) == 0) n -= unit;
    }
    if (strcmp(text, "–") == 0) n = 0;
    without_thousands(text, n, out);
}

static void csv_row(const SlTable *table, const SlTableRow *row, SlText *out) {
    for (int c = 0; c < table->n_columns; c++) {
        const SlTableColumn *column = &table->columns[c];
        SlText field;
        sl_text_init(&field, out->arena);
        if (!row)
            without_thousands(column->name, strlen(column->name), &field);
        else if (column->left)
            sl_text_add(&field, "%s", cell_at(row, c)->text);
        else
            plain_number(cell_at(row, c)->text, &field);
        sl_text_add(out, "%s", c > 0 ? "," : "");
        sl_csv_put(field.data, out);
        if (field.failed) out->failed = true;
    }
    sl_text_put(out, "\n", 1);
}

void sl_table_csv(const SlTable *table, SlText *out) {
    if (!sl_table_whole(table, out)) return;
    csv_row(table, NULL, out);
    for (const SlTableRow *row = table->first; row; row = row->next)
        if (!row->rule) csv_row(table, row, out);
}
