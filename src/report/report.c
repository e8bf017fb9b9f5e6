// report.c - documents: a list of blocks.
#include "starling/report.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

void sl_report_make(SlReport *report, const char *title, SlArena *arena) {
    *report = (SlReport){.arena = arena, .title = sl_arena_text(arena, title, strlen(title))};
    report->failed = !report->title;
    if (report->failed) report->title = "";
}

static void append(SlReport *report, const SlBlock *block) {
    SlBlock *kept = SL_NEW(report->arena, 1, SlBlock);
    if (!kept || !block->text) {
        report->failed = true;
        return;
    }
    *kept = *block;
    kept->detail = report->details;
    kept->next = NULL;
    if (report->last)
        report->last->next = kept;
    else
        report->first = kept;
    report->last = kept;
}

void sl_report_heading(SlReport *report, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    append(report,
           &(SlBlock){.kind = SL_BLOCK_HEADING, .text = sl_words_format(report->arena, fmt, args)});
    va_end(args);
}

void sl_report_words(SlReport *report, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    append(report,
           &(SlBlock){.kind = SL_BLOCK_WORDS, .text = sl_words_format(report->arena, fmt, args)});
    va_end(args);
}

static bool is_taken(const SlReport *report, const char *name) {
    for (const SlBlock *block = report->first; block; block = block->next)
        if (block->name && strcmp(block->name, name) == 0) return true;
    return false;
}

// small letters, digits and '-', as no other block has it
static const char *own_name(SlReport *report, const char *name) {
    SlText text;
    sl_text_init(&text, report->arena);
    sl_words_slug(name, &text);
    if (text.n == 0) sl_text_add(&text, "block");
    size_t n = text.n;
    for (int i = 2; is_taken(report, text.data); i++) {
        text.n = n;
        sl_text_add(&text, "-%d", i);
        if (text.failed) break;
    }
    if (text.failed) report->failed = true;
    return text.data;
}

void sl_report_table(SlReport *report, const char *name, const SlTable *table) {
    if (!table) {
        report->failed = true;
        return;
    }
    append(report,
           &(SlBlock){
               .kind = SL_BLOCK_TABLE, .name = own_name(report, name), .text = "", .table = table});
}

void sl_report_figure(SlReport *report, const char *name, const char *svg, const char *caption) {
    append(report, &(SlBlock){.kind = SL_BLOCK_FIGURE,
                              .name = own_name(report, name),
                              .text = sl_arena_text(report->arena, caption, strlen(caption)),
                              .svg = svg});
}
