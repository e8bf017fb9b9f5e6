// form_json.c - a document for machines: everything that has a key.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"

// "1.5e-7" for "1.5e-07", "1.0" for "1": as JSON is written elsewhere in the tree
static void put_real(double value, SlText *out) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.15g", value);
    char *e = strchr(digits, 'e');
    sl_text_add(out, "%.*s%s", e ? (int)(e - digits) : 40, digits,
                e || strchr(digits, '.') ? "" : ".0");
    if (!e) return;
    int power = 0;
    sscanf(e + 1, "%d", &power);
    sl_text_add(out, "e%d", power);
}

void sl_docnode_put_number(double value, SlText *out) {
    if (!isfinite(value))
        sl_text_add(out, "null");
    else if (value == trunc(value) && fabs(value) < 0x1p53)
        sl_text_add(out, "%.0f", value == 0 ? 0.0 : value);
    else
        put_real(value, out);
}

static void indent(int depth, SlText *out) {
    sl_text_add(out, "\n%*s", 2 * depth, "");
}

static void put_numbers(const SlDocNode *node, SlText *out) {
    sl_text_put(out, "[", 1);
    for (int i = 0; i < node->n; i++) {
        if (i > 0) sl_text_put(out, ", ", 2);
        sl_docnode_put_number(node->numbers[i], out);
    }
    sl_text_put(out, "]", 1);
}

static bool is_data(const SlDocNode *node) {
    switch (node->kind) {
    case SL_DOC_NUMBER:
    case SL_DOC_TEXT:
    case SL_DOC_FLAG:
    case SL_DOC_NULL:
        return node->key || node->parent->kind == SL_DOC_LIST;
    case SL_DOC_NUMBERS:
    case SL_DOC_JSON:
    case SL_DOC_ROW:
        return !node->people;
    case SL_DOC_LISTING:
    case SL_DOC_GROUP:
    case SL_DOC_LIST:
    case SL_DOC_TABLE:
        return !node->people;
    default:
        return false;
    }
}

static void put_node(const SlDocNode *node, int depth, SlText *out);

static void put_member(const SlDocNode *node, bool keys, int depth, bool *any, SlText *out) {
    sl_text_add(out, "%s", *any ? "," : "");
    *any = true;
    indent(depth, out);
    if (keys) {
        sl_text_quote(out, node->key);
        sl_text_put(out, ": ", 2);
    }
    put_node(node, depth, out);
}

// rows of sums are no items of their table: those with keys stand beside it
static void put_sums(const SlDocNode *table, int depth, bool *any, SlText *out) {
    for (const SlDocNode *row = table->first; row; row = row->next)
        if (row->marked && row->key) put_member(row, true, depth, any, out);
}

// members of an object, or items; groups for people alone give theirs to what they are in
static void put_members(const SlDocNode *parent, bool keys, int depth, bool *any, SlText *out) {
    for (const SlDocNode *node = parent->first; node; node = node->next) {
        if (!is_data(node)) {
            if (node->kind == SL_DOC_GROUP) put_members(node, keys, depth, any, out);
            continue;
        }
        put_member(node, keys, depth, any, out);
        if (keys && node->kind == SL_DOC_TABLE) put_sums(node, depth, any, out);
    }
}

static void put_inside(const SlDocNode *node, bool object, int depth, SlText *out) {
    bool any = false;
    sl_text_put(out, object ? "{" : "[", 1);
    put_members(node, object, depth + 1, &any, out);
    if (any) indent(depth, out);
    sl_text_put(out, object ? "}" : "]", 1);
}

static void put_node(const SlDocNode *node, int depth, SlText *out) {
    switch (node->kind) {
    case SL_DOC_NUMBER:
        sl_docnode_put_number(node->number, out);
        return;
    case SL_DOC_FLAG:
        sl_text_add(out, "%s", node->number != 0 ? "true" : "false");
        return;
    case SL_DOC_NULL:
        sl_text_add(out, "null");
        return;
    case SL_DOC_NUMBERS:
        put_numbers(node, out);
        return;
    case SL_DOC_JSON:
        sl_text_add(out, "%s", node->text);
        return;
    case SL_DOC_GROUP:
    case SL_DOC_ROW:
        put_inside(node, true, depth, out);
        return;
    case SL_DOC_LIST:
    case SL_DOC_TABLE:
        put_inside(node, false, depth, out);
        return;
    default:
        sl_text_quote(out, node->text ? node->text : "");
        return;
    }
}

void sl_form_json(const SlDoc *doc, SlText *out) {
    bool any = true;
    sl_text_add(out, "{\n  \"schema\": \"starling.%s/%d\",\n  \"version\": \"" SL_VERSION "\"",
                doc->kind, doc->version);
    put_members(&doc->root, true, 1, &any, out);
    sl_text_add(out, "\n}\n");
}
