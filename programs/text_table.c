// text_table.c - tables in the reports of the program.
#include "text_table.h"

#include <stdio.h>

#include "command.h"

void table_init(TextTable *table, SlArena *arena, const char *heads) {
    *table = (TextTable){.arena = arena};
    table->table = command_need(sl_table_make(arena, "", heads));
}

void table_row(TextTable *table) {
    sl_table_row(table->table);
}

void table_rule(TextTable *table) {
    sl_table_rule(table->table);
}

void table_cell(TextTable *table, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_table_cell(table->table, "%s", text);
}

void table_draw(const TextTable *table, SlText *out) {
    sl_table_text(table->table, TABLE_WIDTH, out);
    if (out->failed) command_no_memory();
}
