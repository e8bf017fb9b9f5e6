// report_records.c - the records of a store as CSV, line by line, or as a document.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "starling/report/records.h"

// ---- columns of a cell ----

typedef enum { COLUMN_TEXT, COLUMN_REAL, COLUMN_WHOLE, COLUMN_INT, COLUMN_SEED } ColumnKind;

typedef struct {
    const char *name;
    ColumnKind kind;
    size_t offset;
    bool time; // differs from run to run
} Column;

#define TEXT(field)                                                                                \
    { #field, COLUMN_TEXT, offsetof(SlCellRecord, field), false }
#define REAL(field)                                                                                \
    { #field, COLUMN_REAL, offsetof(SlCellRecord, field), false }
#define WHOLE(field)                                                                               \
    { #field, COLUMN_WHOLE, offsetof(SlCellRecord, field), false }
static const Column columns[] = {
    TEXT(key),
    TEXT(task),
    TEXT(layer),
    TEXT(workload),
    TEXT(accel),
    TEXT(objective),
    TEXT(space),
    TEXT(row),
    TEXT(method),
    TEXT(settings),
    {"agents", COLUMN_INT, offsetof(SlCellRecord, n_agents), false},
    {"seed", COLUMN_SEED, offsetof(SlCellRecord, seed), false},
    WHOLE(budget),
    TEXT(version),
    TEXT(reason),
    REAL(value),
    REAL(floor),
    REAL(latency_cycles),
    REAL(energy_pj),
    REAL(area_um2),
    REAL(power_mw),
    WHOLE(samples),
    WHOLE(found_at),
    WHOLE(assign_samples),
    TEXT(stopped),
    TEXT(mapping),
    TEXT(detail),
    TEXT(fingerprint),
    {"seconds", COLUMN_REAL, offsetof(SlCellRecord, seconds), true},
    {"machine", COLUMN_TEXT, offsetof(SlCellRecord, machine), true},
    {"finished", COLUMN_TEXT, offsetof(SlCellRecord, finished), true},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static const void *at(const SlCellRecord *record, const Column *column) {
    return (const char *)record + column->offset;
}

static const char *text_at(const SlCellRecord *record, const Column *column) {
    const char *text;
    memcpy(&text, at(record, column), sizeof(char *));
    return text ? text : "";
}

static double real_at(const SlCellRecord *record, const Column *column) {
    double value;
    memcpy(&value, at(record, column), sizeof value);
    return value;
}

static int64_t whole_at(const SlCellRecord *record, const Column *column) {
    int64_t value = 0;
    if (column->kind == COLUMN_INT) {
        int small;
        memcpy(&small, at(record, column), sizeof small);
        return small;
    }
    memcpy(&value, at(record, column), sizeof value);
    return value;
}

// ---- CSV ----

static void add_real(double value, SlText *out) {
    if (isfinite(value)) sl_text_add(out, "%.17g", value);
}

static void add_cell(const SlCellRecord *record, const Column *column, SlText *out) {
    if (column->kind == COLUMN_TEXT)
        sl_csv_put(text_at(record, column), out);
    else if (column->kind == COLUMN_REAL)
        add_real(real_at(record, column), out);
    else if (column->kind == COLUMN_SEED)
        sl_text_add(out, "%llu", (unsigned long long)whole_at(record, column));
    else
        sl_text_add(out, "%lld", (long long)whole_at(record, column));
}

static void add_cells_csv(const SlRecords *all, SlText *out) {
    sl_text_add(out, "kind");
    for (int c = 0; c < N_COLUMNS; c++)
        if (all->times || !columns[c].time) sl_text_add(out, ",%s", columns[c].name);
    sl_text_add(out, "\n");
    for (int i = 0; i < all->n; i++) {
        const SlCellRecord *record = &all->records[i];
        sl_text_add(out, "%s", sl_cell_names[record->kind]);
        for (int c = 0; c < N_COLUMNS; c++) {
            if (!all->times && columns[c].time) continue;
            sl_text_add(out, ",");
            add_cell(record, &columns[c], out);
        }
        sl_text_add(out, "\n");
    }
}

// the cell that a line belongs to
static void add_lead(const SlCellRecord *record, SlText *out) {
    sl_csv_put(record->task, out);
    sl_text_add(out, ",");
    sl_csv_put(record->row, out);
    sl_text_add(out, ",%llu,", (unsigned long long)record->seed);
}

static void add_curves_csv(const SlRecords *all, SlText *out) {
    sl_text_add(out, "task,row,seed,sample,best\n");
    for (int i = 0; i < all->n; i++) {
        const SlCellRecord *record = &all->records[i];
        for (int k = 0; record->kind == SL_CELL_RUN && k < record->n_curve; k++) {
            add_lead(record, out);
            sl_text_add(out, "%lld,%.17g\n", (long long)record->curve[k].sample,
                        record->curve[k].value);
        }
    }
}

static void add_windows_csv(const SlRecords *all, SlText *out) {
    sl_text_add(out, "task,row,seed,last_sample,mean_inverse\n");
    for (int i = 0; i < all->n; i++) {
        const SlCellRecord *record = &all->records[i];
        for (int k = 0; record->kind == SL_CELL_RUN && k < record->n_windows; k++) {
            add_lead(record, out);
            sl_text_add(out, "%lld,%.17g\n", (long long)record->windows[k].last,
                        record->windows[k].mean_inverse);
        }
    }
}

void sl_records_csv(const SlRecords *all, SlText *out) {
    if (all->part == SL_RECORDS_CURVES)
        add_curves_csv(all, out);
    else if (all->part == SL_RECORDS_WINDOWS)
        add_windows_csv(all, out);
    else
        add_cells_csv(all, out);
}

// ---- a document ----

static void put_column(SlDoc *doc, const SlCellRecord *record, const Column *column) {
    const char *text = column->kind == COLUMN_TEXT ? text_at(record, column) : "";
    // settings and details are JSON already
    if (strcmp(column->name, "settings") == 0 || strcmp(column->name, "detail") == 0)
        sl_doc_json(doc, column->name, text);
    else if (strcmp(column->name, "reason") == 0)
        sl_doc_string(doc, "reason", NULL, text[0] ? text : NULL);
    else if (column->kind == COLUMN_TEXT)
        sl_doc_string(doc, column->name, NULL, text);
    else if (column->kind == COLUMN_REAL)
        sl_doc_number(doc, column->name, NULL, SL_UNIT_PLAIN, real_at(record, column));
    else
        sl_doc_number(doc, column->name, NULL, SL_UNIT_PLAIN, (double)whole_at(record, column));
}

static void put_pair(SlDoc *doc, int64_t sample, double value) {
    sl_doc_numbers(doc, NULL, 2, (const double[]){(double)sample, value});
}

static void put_part(const SlRecords *all, const SlCellRecord *record, SlDoc *doc) {
    bool curves = all->part == SL_RECORDS_CURVES;
    if (all->part == SL_RECORDS_CELLS) return;
    sl_doc_list(doc, curves ? "curve" : "windows");
    for (int i = 0; curves && i < record->n_curve; i++)
        put_pair(doc, record->curve[i].sample, record->curve[i].value);
    for (int i = 0; !curves && i < record->n_windows; i++)
        put_pair(doc, record->windows[i].last, record->windows[i].mean_inverse);
    sl_doc_close(doc);
}

SlDoc *sl_report_records(const SlRecords *all, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "study-export", 1);
    sl_doc_string(doc, "study", NULL, all->study);
    sl_doc_list(doc, "cells");
    for (int i = 0; i < all->n; i++) {
        const SlCellRecord *record = &all->records[i];
        sl_doc_open(doc, NULL, NULL);
        sl_doc_string(doc, "kind", NULL, sl_cell_names[record->kind]);
        for (int c = 0; c < N_COLUMNS; c++)
            if (all->times || !columns[c].time) put_column(doc, record, &columns[c]);
        put_part(all, record, doc);
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
    return doc;
}
