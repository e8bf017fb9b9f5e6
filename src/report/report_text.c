// report_text.c - a document for a terminal: headings, words and tables in 100 columns.
#include "starling/report.h"
#include "words.h"

enum { WIDTH = 100 };

static void add_underlined(const char *text, const char *line, SlText *out) {
    sl_text_add(out, "%s\n", text);
    for (int i = 0, n = sl_words_columns(text); i < n && i < WIDTH; i++)
        sl_text_add(out, "%s", line);
    sl_text_put(out, "\n", 1);
}

// a heading that stands above pictures alone
static bool is_bare(const SlBlock *heading) {
    const SlBlock *next = heading->next;
    while (next && next->kind == SL_BLOCK_FIGURE) next = next->next;
    return !next || next->kind == SL_BLOCK_HEADING;
}

void sl_report_text(const SlReport *report, SlText *out) {
    add_underlined(report->title, "═", out);
    for (const SlBlock *block = report->first; block; block = block->next) {
        if (block->kind == SL_BLOCK_FIGURE || block->detail) continue;
        if (block->kind == SL_BLOCK_HEADING && is_bare(block)) continue;
        sl_text_put(out, "\n", 1);
        if (block->kind == SL_BLOCK_HEADING) {
            sl_text_put(out, "\n", 1);
            add_underlined(block->text, "─", out);
        } else if (block->kind == SL_BLOCK_WORDS) {
            sl_words_wrap(block->text, WIDTH, out);
        } else {
            sl_table_text(block->table, WIDTH, out);
        }
    }
    if (report->failed) out->failed = true;
}
