// form_csv.c - one table of a document as CSV: the columns with keys, numbers in full.
#include "doc_inside.h"

static void put_name(const SlColumn *column, SlText *out) {
    if (column->csv) {
        sl_csv_put(column->csv, out);
        return;
    }
    for (const char *c = column->key; *c; c++) sl_text_put(out, *c == '.' ? "_" : c, 1);
}

static void put_value(const SlDocNode *node, double scale, SlText *out) {
    if (!node || node->kind == SL_DOC_NULL) return;
    if (node->kind == SL_DOC_NUMBER) {
        sl_csv_number(scale != 0 ? node->number * scale : node->number, out);
    } else if (node->kind == SL_DOC_FLAG) {
        sl_text_add(out, "%s", node->number != 0 ? "true" : "false");
    } else {
        sl_csv_put(node->text ? node->text : "", out);
    }
}

bool sl_form_csv(const SlDocNode *table, SlText *out) {
    const SlColumn **shown = SL_NEW(out->arena, table->n > 0 ? table->n : 1, const SlColumn *);
    if (!shown) {
        out->failed = true;
        return false;
    }
    int n = sl_docnode_columns(table, false, shown);
    for (int c = 0; c < n; c++) {
        sl_text_add(out, "%s", c > 0 ? "," : "");
        put_name(shown[c], out);
    }
    sl_text_put(out, "\n", 1);
    for (const SlDocNode *row = table->first; row; row = row->next) {
        if (row->kind != SL_DOC_ROW || row->marked) continue;
        for (int c = 0; c < n; c++) {
            sl_text_add(out, "%s", c > 0 ? "," : "");
            put_value(sl_docnode_at(row, shown[c]), shown[c]->csv_scale, out);
        }
        sl_text_put(out, "\n", 1);
    }
    return true;
}
