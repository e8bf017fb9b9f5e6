// doc_write.c - a document in one of its forms, and the files that belong to it.
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the report");
}

static SlStatus whole(const SlDoc *doc, const SlText *out, SlError *err) {
    return !doc || doc->failed || out->failed ? no_memory(err) : SL_OK;
}

// a table for machines with a column for CSV
static bool has_csv(const SlDocNode *node) {
    bool any = false;
    for (int c = 0; node->kind == SL_DOC_TABLE && node->key && c < node->n; c++) {
        const SlColumn *column = &node->columns[c];
        any |= column->key && !(column->csv && !*column->csv);
    }
    return any;
}

// the first such table of that key, in order; NULL key = any
static const SlDocNode *find_table(const SlDocNode *node, const char *key) {
    for (; node; node = node->next) {
        if (has_csv(node) && (!key || strcmp(node->key, key) == 0)) return node;
        const SlDocNode *inside = node->kind == SL_DOC_GROUP ? find_table(node->first, key) : NULL;
        if (inside) return inside;
    }
    return NULL;
}

// the first table of formatted cells
static const SlDocNode *find_grid(const SlDocNode *node) {
    for (; node; node = node->next) {
        if (node->kind == SL_DOC_GRID) return node;
        const SlDocNode *inside = node->kind == SL_DOC_GROUP ? find_grid(node->first) : NULL;
        if (inside) return inside;
    }
    return NULL;
}

bool sl_doc_csv(const SlDoc *doc, const char *key, SlText *out) {
    const SlDocNode *table = doc ? find_table(doc->root.first, key) : NULL;
    return table && sl_form_csv(table, out);
}

static bool write_csv(const SlDoc *doc, SlText *out) {
    const SlDocNode *grid = find_grid(doc->root.first);
    if (sl_doc_csv(doc, NULL, out) || out->failed) return true;
    if (grid) sl_table_csv(grid->table, out);
    return grid;
}

SlStatus sl_doc_markdown(const SlDoc *doc, const char *folder, SlText *out, SlError *err) {
    if (doc && !doc->failed) sl_form_markdown(doc, folder, out);
    return whole(doc, out, err);
}

SlStatus sl_doc_write(const SlDoc *doc, SlForm form, SlText *out, SlError *err) {
    if (!doc || doc->failed) return no_memory(err);
    switch (form) {
    case SL_FORM_JSON:
        sl_form_json(doc, out);
        break;
    case SL_FORM_HTML:
        sl_form_html(doc, out);
        break;
    case SL_FORM_MARKDOWN:
        sl_form_markdown(doc, "", out);
        break;
    case SL_FORM_CSV:
        if (!write_csv(doc, out)) return sl_fail(err, SL_EINPUT, "csv: this result has no table");
        break;
    default:
        return sl_doc_write_text(doc, &(SlTextLook){.width = SL_WIDTH_USUAL}, out, err);
    }
    return whole(doc, out, err);
}

SlStatus sl_doc_write_text(const SlDoc *doc, const SlTextLook *look, SlText *out, SlError *err) {
    if (!doc || doc->failed) return no_memory(err);
    sl_form_text(doc, look, out);
    return whole(doc, out, err);
}

// ---- files ----

typedef struct {
    SlDocVisit *visit;
    void *context;
    SlArena *arena;
} Visitor;

// a picture, or a table
static SlStatus visit_one(const Visitor *visitor, const SlDocNode *node, SlError *err) {
    char file[160];
    SlText bytes;
    bool picture = node->kind == SL_DOC_FIGURE;
    size_t mark = sl_arena_mark(visitor->arena);
    sl_text_init(&bytes, visitor->arena);
    if (picture)
        sl_text_put(&bytes, node->svg, strlen(node->svg));
    else if (node->kind == SL_DOC_GRID)
        sl_table_csv(node->table, &bytes);
    else
        sl_form_csv(node, &bytes);
    snprintf(file, sizeof file, picture ? "%.120s.svg" : "%.120s.csv", node->key);
    SlStatus status = bytes.failed ? no_memory(err) : SL_OK;
    if (status == SL_OK) status = visitor->visit(visitor->context, file, &bytes, err);
    sl_arena_rewind(visitor->arena, mark);
    return status;
}

static SlStatus visit_all(const Visitor *visitor, const SlDocNode *node, SlError *err) {
    SlStatus status = SL_OK;
    for (; node && status == SL_OK; node = node->next) {
        bool file = has_csv(node) || node->kind == SL_DOC_FIGURE || node->kind == SL_DOC_GRID;
        if (file) status = visit_one(visitor, node, err);
        if (status == SL_OK && node->kind == SL_DOC_GROUP)
            status = visit_all(visitor, node->first, err);
    }
    return status;
}

SlStatus sl_doc_files(const SlDoc *doc, SlDocVisit *visit, void *context, SlError *err) {
    if (!doc || doc->failed) return no_memory(err);
    Visitor visitor = {.visit = visit, .context = context, .arena = doc->arena};
    return visit_all(&visitor, doc->root.first, err);
}
