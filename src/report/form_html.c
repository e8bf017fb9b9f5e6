// form_html.c - a document as one page: everything inside, nothing from elsewhere.
#include <math.h>
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"
#include "words.h"

enum { SPARK_WIDTH = 64, SPARK_HEIGHT = 18 };

// the style sheet inside a picture: where it begins and ends
typedef struct {
    const char *begin, *end;
} Style;

typedef struct {
    SlText *out;
    Style last; // of the picture before
    int depth;  // of headings
} Page;

// ---- headings ----

static void put_slug_heading(Page *page, const char *text) {
    int level = page->depth > 0 ? 3 : 2;
    sl_text_add(page->out, "<h%d id=\"", level);
    sl_words_slug(text, page->out);
    sl_text_add(page->out, "\">");
    sl_page_text(text, page->out);
    sl_text_add(page->out, "</h%d>\n", level);
}

static const char *heading_of(const SlDocNode *node) {
    if (node->kind == SL_DOC_HEADING) return node->text;
    bool headed = node->kind == SL_DOC_GROUP && node->first;
    if (node->kind == SL_DOC_TABLE) headed = sl_docnode_is_shown(node, true);
    return headed && node->label && *node->label ? node->label : NULL;
}

// links to the headings
static void put_contents(const SlDoc *doc, SlText *out) {
    int n = 0;
    for (const SlDocNode *node = doc->root.first; node; node = node->next)
        n += heading_of(node) != NULL;
    if (n < 3) return;
    sl_text_add(out, "<nav class=\"contents\">");
    for (const SlDocNode *node = doc->root.first; node; node = node->next) {
        const char *heading = heading_of(node);
        if (!heading) continue;
        sl_text_add(out, "<a href=\"#");
        sl_words_slug(heading, out);
        sl_text_add(out, "\">");
        sl_page_text(heading, out);
        sl_text_add(out, "</a>\n");
    }
    sl_text_add(out, "</nav>\n");
}

// ---- figures ----

static Style style_of(const char *svg) {
    const char *begin = strstr(svg, "<style>");
    const char *end = begin ? strstr(begin, "</style>") : NULL;
    if (!end) return (Style){0};
    return (Style){begin, end + strlen("</style>")};
}

// a picture; its style sheet only if the picture before has another one, since one serves the page
static void put_svg(Page *page, const char *svg) {
    Style style = style_of(svg), *last = &page->last;
    size_t n = style.begin ? (size_t)(style.end - style.begin) : 0;
    bool known = n > 0 && last->begin && n == (size_t)(last->end - last->begin) &&
                 strncmp(style.begin, last->begin, n) == 0;
    if (known) {
        sl_text_put(page->out, svg, (size_t)(style.begin - svg));
        svg = style.end;
    }
    sl_text_add(page->out, "%s", svg);
    if (n > 0) *last = style;
}

static void put_figure(Page *page, const SlDocNode *node) {
    SlText *out = page->out;
    sl_text_add(out, "<figure class=\"wide\" id=\"%s\"><div class=\"picture\" tabindex=\"0\">\n",
                node->key);
    put_svg(page, node->svg);
    sl_text_add(out, "</div><figcaption>");
    sl_words_html(node->text, out);
    sl_text_add(out, "</figcaption></figure>\n");
}

// ---- values ----

// a line from the first number down to the last, on a log scale where all are above 0
static void put_spark(const SlDocNode *node, SlText *out) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < node->n; i++) {
        if (!isfinite(node->numbers[i])) continue;
        low = fmin(low, node->numbers[i]);
        high = fmax(high, node->numbers[i]);
    }
    double span = low > 0 ? log(high / low) : high - low;
    sl_text_add(out,
                "<svg class=\"spark\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"img\" aria-label=\"%s\"><path d=\"",
                SPARK_WIDTH, SPARK_HEIGHT, SPARK_WIDTH, SPARK_HEIGHT, "best so far");
    for (int i = 0, begun = 0; i < node->n; i++) {
        double y = node->numbers[i];
        if (!isfinite(y)) continue;
        double share = span > 1e-9 ? (low > 0 ? log(y / low) : y - low) / span : 0;
        double x = node->n > 1 ? (double)i * (SPARK_WIDTH - 1) / (node->n - 1) : 0;
        sl_text_add(out, "%c%.3g %.1f", begun++ ? 'L' : 'M', x,
                    SPARK_HEIGHT - 2 - share * (SPARK_HEIGHT - 4));
    }
    sl_text_add(out, "\"/></svg>");
}

static void put_bar(const SlDocNode *node, SlText *out) {
    double from = sl_docnode_share(node->number), to = fmax(sl_docnode_share(node->end), from);
    sl_text_add(out,
                "<div class=\"bar track\"><i style=\"width:%.2f%%\"></i><i "
                "style=\"background:var(--floor);width:%.2f%%\"></i></div>",
                100 * from, 100 * (to - from));
}

static void put_value(const SlDocNode *node, SlUnit unit, SlText *out) {
    if (node->marked) sl_text_add(out, "<strong>");
    if (node->kind == SL_DOC_SPARK) {
        put_spark(node, out);
    } else if (node->kind == SL_DOC_BAR) {
        put_bar(node, out);
    } else {
        const char *shown = sl_docnode_shown(node, unit, out->arena);
        if (node->target) {
            sl_text_add(out, "<a href=\"");
            sl_page_text(node->target, out);
            sl_text_add(out, "\">");
        }
        sl_page_text(shown ? shown : "", out);
        if (node->target) sl_text_add(out, "</a>");
        out->failed |= !shown;
    }
    if (node->marked) sl_text_add(out, "</strong>");
}

// a value with its label; on a card, or in a list of facts
static void put_fact(const SlDocNode *node, bool card, SlText *out) {
    sl_text_add(out, card ? "<div class=\"card\"><span>" : "<dt>");
    sl_page_text(node->label, out);
    sl_text_add(out, card ? "</span><b>" : "</dt><dd>");
    put_value(node, SL_UNIT_PLAIN, out);
    sl_text_add(out, card ? "</b><span>" : "");
    if (node->remark) {
        const char *join = card || strchr(",;: (", node->remark[0]) ? "" : ", ";
        sl_text_add(out, "%s", join);
        sl_words_html(node->remark + (card ? strspn(node->remark, ",;: ") : 0), out);
    }
    sl_text_add(out, card ? "</span></div>\n" : "</dd>\n");
}

// the run of values that begins here; returns the last of them
static const SlDocNode *put_facts(Page *page, const SlDocNode *node, bool cards) {
    const SlDocNode *last = node;
    sl_text_add(page->out, cards ? "<section class=\"cards\">\n" : "<dl class=\"facts\">\n");
    for (; node && sl_docnode_is_value(node); node = node->next) {
        if (node->label) put_fact(node, cards, page->out);
        last = node;
    }
    sl_text_add(page->out, cards ? "</section>\n" : "</dl>\n");
    return last;
}

// ---- tables ----

static void put_head(const SlDocNode *table, int n, const SlColumn **shown, SlText *out) {
    sl_text_add(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"named\">\n<thead><tr>");
    for (int c = 0; c < n; c++) {
        sl_text_add(out, "<th scope=\"col\"%s>",
                    sl_docnode_is_left(table, shown[c]) ? " class=\"t\"" : "");
        sl_page_text(shown[c]->label, out);
        sl_text_add(out, "</th>");
    }
    sl_text_add(out, "</tr></thead>\n<tbody>\n");
}

static void put_row(const SlDocNode *table, const SlDocNode *row, int n, const SlColumn **shown,
                    SlText *out) {
    sl_text_add(out, "<tr>");
    for (int c = 0; c < n; c++) {
        const SlDocNode *node = sl_docnode_at(row, shown[c]);
        sl_text_add(out, sl_docnode_is_left(table, shown[c]) ? "<td class=\"t\">" : "<td>");
        if (node) put_value(node, shown[c]->unit, out);
        sl_text_add(out, "</td>");
    }
    sl_text_add(out, "</tr>\n");
}

static void put_table(Page *page, const SlDocNode *table) {
    SlText *out = page->out;
    const SlColumn **shown = SL_NEW(out->arena, table->n > 0 ? table->n : 1, const SlColumn *);
    out->failed |= !shown;
    int n = shown ? sl_docnode_columns(table, true, shown) : 0;
    if (n == 0 || !sl_docnode_is_shown(table, true)) return;
    if (heading_of(table)) put_slug_heading(page, table->label);
    put_head(table, n, shown, out);
    bool foot = false;
    for (const SlDocNode *row = table->first; row; row = row->next) {
        if (row->kind == SL_DOC_RULE) {
            sl_text_add(out, "</tbody><tbody>\n");
            continue;
        }
        if (row->marked && !foot) sl_text_add(out, "</tbody>\n<tfoot>\n");
        foot |= row->marked;
        put_row(table, row, n, shown, out);
    }
    sl_text_add(out, "</%s></table></div>\n", foot ? "tfoot" : "tbody");
}

// ---- the rest ----

static void put_listing(const SlDocNode *node, SlText *out) {
    bool folded = node->detail && node->label && *node->label;
    if (folded) sl_text_add(out, "<details><summary>");
    if (!folded && *node->label) sl_text_add(out, "<p>");
    sl_words_html(node->label, out);
    if (!folded && *node->label) sl_text_add(out, "</p>\n");
    sl_text_add(out, folded ? "</summary><pre>" : "<pre>");
    sl_page_text(node->text, out);
    sl_text_add(out, folded ? "</pre></details>\n" : "</pre>\n");
}

static void put_words(const SlDocNode *node, SlText *out) {
    sl_text_add(out, node->lead     ? "<p class=\"verdict\">"
                     : node->marked ? "<p class=\"warn\">"
                                    : "<p>");
    sl_words_html(node->text, out);
    sl_text_add(out, "</p>\n");
}

static void put_inside(Page *page, const SlDocNode *group);

static void put_group(Page *page, const SlDocNode *node) {
    bool headed = heading_of(node);
    if (headed) put_slug_heading(page, node->label);
    page->depth += headed;
    put_inside(page, node);
    page->depth -= headed;
}

static void put_node(Page *page, const SlDocNode *node) {
    switch (node->kind) {
    case SL_DOC_HEADING:
        put_slug_heading(page, node->text);
        return;
    case SL_DOC_WORDS:
        put_words(node, page->out);
        return;
    case SL_DOC_LISTING:
        if (node->label && !node->marked) put_listing(node, page->out);
        return;
    case SL_DOC_FIGURE:
        put_figure(page, node);
        return;
    case SL_DOC_GRID:
        sl_table_html(node->table, page->out);
        return;
    case SL_DOC_TABLE:
        put_table(page, node);
        return;
    case SL_DOC_GROUP:
        put_group(page, node);
        return;
    default:
        return;
    }
}

static void put_inside(Page *page, const SlDocNode *group) {
    for (const SlDocNode *node = group->first; node; node = node->next) {
        if (sl_docnode_is_value(node) && node->label)
            node = put_facts(page, node, group->kind == SL_DOC_GROUP && group->marked);
        else
            put_node(page, node);
    }
}

void sl_form_html(const SlDoc *doc, SlText *out) {
    Page page = {.out = out};
    sl_page_begin(doc->title ? doc->title : doc->kind, out);
    put_contents(doc, out);
    put_inside(&page, &doc->root);
    sl_page_end(doc->footer, out);
}
