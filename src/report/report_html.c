// report_html.c - a document as one page: everything inside, nothing from elsewhere.
#include <string.h>

#include "starling/report.h"
#include "words.h"

// links to the headings
static void add_contents(const SlReport *report, SlText *out) {
    int n = 0;
    for (const SlBlock *block = report->first; block; block = block->next)
        n += block->kind == SL_BLOCK_HEADING;
    if (n < 3) return;
    sl_text_add(out, "<nav class=\"contents\">");
    for (const SlBlock *block = report->first; block; block = block->next) {
        if (block->kind != SL_BLOCK_HEADING) continue;
        sl_text_add(out, "<a href=\"#");
        sl_words_slug(block->text, out);
        sl_text_add(out, "\">");
        sl_page_text(block->text, out);
        sl_text_add(out, "</a>\n");
    }
    sl_text_add(out, "</nav>\n");
}

// the style sheet inside a picture: where it begins and ends
typedef struct {
    const char *begin, *end;
} Style;

static Style style_of(const char *svg) {
    const char *begin = strstr(svg, "<style>");
    const char *end = begin ? strstr(begin, "</style>") : NULL;
    if (!end) return (Style){0};
    return (Style){begin, end + strlen("</style>")};
}

// a picture; its style sheet only if the picture before has another one, since one serves the page
static void add_svg(const char *svg, Style *last, SlText *out) {
    Style style = style_of(svg);
    size_t n = style.begin ? (size_t)(style.end - style.begin) : 0;
    bool known = n > 0 && last->begin && n == (size_t)(last->end - last->begin) &&
                 strncmp(style.begin, last->begin, n) == 0;
    if (known) {
        sl_text_put(out, svg, (size_t)(style.begin - svg));
        svg = style.end;
    }
    sl_text_add(out, "%s", svg);
    if (n > 0) *last = style;
}

static void add_figure(const SlBlock *block, Style *last, SlText *out) {
    sl_text_add(out, "<figure class=\"wide\" id=\"%s\"><div class=\"picture\" tabindex=\"0\">\n",
                block->name);
    add_svg(block->svg, last, out);
    sl_text_add(out, "</div><figcaption>");
    sl_words_html(block->text, out);
    sl_text_add(out, "</figcaption></figure>\n");
}

void sl_report_html(const SlReport *report, SlText *out) {
    Style last = {0};
    sl_page_begin(report->title, out);
    add_contents(report, out);
    for (const SlBlock *block = report->first; block; block = block->next) {
        switch (block->kind) {
        case SL_BLOCK_HEADING:
            sl_text_add(out, "<h2 id=\"");
            sl_words_slug(block->text, out);
            sl_text_add(out, "\">");
            sl_page_text(block->text, out);
            sl_text_add(out, "</h2>\n");
            break;
        case SL_BLOCK_WORDS:
            sl_text_add(out, "<p>");
            sl_words_html(block->text, out);
            sl_text_add(out, "</p>\n");
            break;
        case SL_BLOCK_TABLE:
            sl_table_html(block->table, out);
            break;
        case SL_BLOCK_FIGURE:
            add_figure(block, &last, out);
            break;
        }
    }
    sl_page_end("", out);
    if (report->failed) out->failed = true;
}
