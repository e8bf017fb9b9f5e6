// form_markdown.c - a document in Markdown; pictures are files beside it.
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"

typedef struct {
    const char *folder; // of pictures
    SlText *out;
    int depth; // of headings
} Sheet;

// headings, labels and captions: what would be a mark is text, in one line
static void put_escaped(const char *text, SlText *out) {
    for (; *text; text++) {
        if (strchr("*<[]`\\", *text)) sl_text_put(out, "\\", 1);
        sl_text_put(out, *text == '\n' ? " " : text, 1);
    }
}

// words have their marks; what would be HTML is text
static void put_words(const char *text, SlText *out) {
    bool code = false;
    for (; *text; text++) {
        // a backquote without its partner is text
        if (*text == '`' && (code || strchr(text + 1, '`'))) code = !code;
        if (*text == '<' && !code) sl_text_put(out, "\\", 1);
        sl_text_put(out, text, 1);
    }
}

static void put_heading(const Sheet *sheet, const char *text) {
    sl_text_add(sheet->out, "\n%s ", sheet->depth > 0 ? "###" : "##");
    put_escaped(text, sheet->out);
    sl_text_put(sheet->out, "\n", 1);
}

static void put_figure(const Sheet *sheet, const SlDocNode *node) {
    SlText *out = sheet->out;
    sl_text_add(out, "\n![");
    put_escaped(node->text, out);
    sl_text_add(out, "](%s%s%s.svg)\n\n*", sheet->folder, *sheet->folder ? "/" : "", node->key);
    put_escaped(node->text, out);
    sl_text_add(out, "*\n");
}

static void put_fact(const SlDocNode *node, SlText *out) {
    const char *shown = sl_docnode_shown(node, SL_UNIT_PLAIN, out->arena);
    sl_text_add(out, "- ");
    put_escaped(node->label, out);
    sl_text_add(out, ": ");
    put_escaped(shown ? shown : "", out);
    if (node->remark) {
        sl_text_add(out, "%s", strchr(",;: (", node->remark[0]) ? "" : ", ");
        put_words(node->remark, out);
    }
    sl_text_put(out, "\n", 1);
    out->failed |= !shown;
}

// the run of values that begins here; returns the last of them
static const SlDocNode *put_facts(const Sheet *sheet, const SlDocNode *node) {
    const SlDocNode *last = node;
    sl_text_put(sheet->out, "\n", 1);
    for (; node && sl_docnode_is_value(node); node = node->next) {
        if (node->label) put_fact(node, sheet->out);
        last = node;
    }
    return last;
}

// a fence that the text cannot close: longer than every run of backquotes in it
static void put_fence(const char *text, SlText *out) {
    size_t longest = 2;
    for (const char *at = text; (at = strchr(at, '`'));) {
        size_t n = strspn(at, "`");
        if (n > longest) longest = n;
        at += n;
    }
    for (size_t i = 0; i <= longest; i++) sl_text_put(out, "`", 1);
    sl_text_put(out, "\n", 1);
}

static void put_listing(const SlDocNode *node, SlText *out) {
    size_t n = strlen(node->text);
    sl_text_put(out, "\n", 1);
    if (*node->label) {
        put_escaped(node->label, out);
        sl_text_add(out, "\n\n");
    }
    put_fence(node->text, out);
    sl_text_add(out, "%s%s", node->text, n > 0 && node->text[n - 1] != '\n' ? "\n" : "");
    put_fence(node->text, out);
}

static void put_table(const Sheet *sheet, const SlDocNode *node) {
    if (!sl_docnode_is_shown(node, true)) return;
    const SlTable *table = sl_docnode_table(node, true, sheet->out->arena);
    if (node->label && *node->label) put_heading(sheet, node->label);
    sl_text_put(sheet->out, "\n", 1);
    sl_table_markdown(table, sheet->out);
}

static void put_inside(Sheet *sheet, const SlDocNode *group);

static void put_node(Sheet *sheet, const SlDocNode *node) {
    switch (node->kind) {
    case SL_DOC_HEADING:
        put_heading(sheet, node->text);
        return;
    case SL_DOC_WORDS:
        if (node->screen) return;
        sl_text_put(sheet->out, "\n", 1);
        put_words(node->text, sheet->out);
        sl_text_put(sheet->out, "\n", 1);
        return;
    case SL_DOC_LISTING:
        if (node->label && !node->marked) put_listing(node, sheet->out);
        return;
    case SL_DOC_FIGURE:
        put_figure(sheet, node);
        return;
    case SL_DOC_GRID:
        sl_text_put(sheet->out, "\n", 1);
        sl_table_markdown(node->table, sheet->out);
        return;
    case SL_DOC_TABLE:
        put_table(sheet, node);
        return;
    case SL_DOC_GROUP:
        if (node->label && *node->label && node->first) put_heading(sheet, node->label);
        sheet->depth++;
        put_inside(sheet, node);
        sheet->depth--;
        return;
    default:
        return;
    }
}

static void put_inside(Sheet *sheet, const SlDocNode *group) {
    for (const SlDocNode *node = group->first; node; node = node->next) {
        if (sl_docnode_is_value(node) && node->label)
            node = put_facts(sheet, node);
        else
            put_node(sheet, node);
    }
}

void sl_form_markdown(const SlDoc *doc, const char *folder, SlText *out) {
    Sheet sheet = {.folder = folder, .out = out};
    sl_text_add(out, "# ");
    put_escaped(doc->title ? doc->title : doc->kind, out);
    sl_text_put(out, "\n", 1);
    put_inside(&sheet, &doc->root);
}
