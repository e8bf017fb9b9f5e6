// report_markdown.c - a document in Markdown; pictures are files beside it.
#include <string.h>

#include "starling/report.h"

// headings and captions: what would be a mark is text
static void add_escaped(const char *text, SlText *out) {
    for (; *text; text++) {
        if (strchr("*<[]`\\", *text)) sl_text_put(out, "\\", 1);
        sl_text_put(out, text, 1);
    }
}

// words have their marks; what would be HTML is text
static void add_words(const char *text, SlText *out) {
    bool code = false;
    for (; *text; text++) {
        if (*text == '`') code = !code;
        if (*text == '<' && !code) sl_text_put(out, "\\", 1);
        sl_text_put(out, text, 1);
    }
    sl_text_put(out, "\n", 1);
}

static void add_figure(const SlBlock *block, const char *folder, SlText *out) {
    sl_text_add(out, "![");
    add_escaped(block->text, out);
    sl_text_add(out, "](%s%s%s.svg)\n\n*", folder, *folder ? "/" : "", block->name);
    add_escaped(block->text, out);
    sl_text_add(out, "*\n");
}

void sl_report_markdown(const SlReport *report, const char *folder, SlText *out) {
    sl_text_add(out, "# ");
    add_escaped(report->title, out);
    sl_text_put(out, "\n", 1);
    for (const SlBlock *block = report->first; block; block = block->next) {
        sl_text_put(out, "\n", 1);
        switch (block->kind) {
        case SL_BLOCK_HEADING:
            sl_text_add(out, "## ");
            add_escaped(block->text, out);
            sl_text_put(out, "\n", 1);
            break;
        case SL_BLOCK_WORDS:
            add_words(block->text, out);
            break;
        case SL_BLOCK_TABLE:
            sl_table_markdown(block->table, out);
            break;
        case SL_BLOCK_FIGURE:
            add_figure(block, folder, out);
            break;
        }
    }
    if (report->failed) out->failed = true;
}
