// study_export.c - the records of a study as CSV or JSON.
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "curve_json.h"
#include "study_command.h"

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

static void add_cells_csv(const Study *study, SlText *out) {
    bool times = study->options->times;
    sl_text_add(out, "kind");
    for (int c = 0; c < N_COLUMNS; c++)
        if (times || !columns[c].time) sl_text_add(out, ",%s", columns[c].name);
    sl_text_add(out, "\n");
    for (int i = 0; i < study->n_records; i++) {
        const SlCellRecord *record = &study->records[i];
        sl_text_add(out, "%s", sl_cell_names[record->kind]);
        for (int c = 0; c < N_COLUMNS; c++) {
            if (!times && columns[c].time) continue;
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

static void add_curves_csv(const Study *study, SlText *out) {
    sl_text_add(out, "task,row,seed,sample,best\n");
    for (int i = 0; i < study->n_records; i++) {
        const SlCellRecord *record = &study->records[i];
        for (int k = 0; record->kind == SL_CELL_RUN && k < record->n_curve; k++) {
            add_lead(record, out);
            sl_text_add(out, "%lld,%.17g\n", (long long)record->curve[k].sample,
                        record->curve[k].value);
        }
    }
}

static void add_windows_csv(const Study *study, SlText *out) {
    sl_text_add(out, "task,row,seed,last_sample,mean_inverse\n");
    for (int i = 0; i < study->n_records; i++) {
        const SlCellRecord *record = &study->records[i];
        for (int k = 0; record->kind == SL_CELL_RUN && k < record->n_windows; k++) {
            add_lead(record, out);
            sl_text_add(out, "%lld,%.17g\n", (long long)record->windows[k].last,
                        record->windows[k].mean_inverse);
        }
    }
}

// ---- JSON ----

static json_t *windows_json(const SlCellRecord *record) {
    json_t *list = command_need(json_array());
    for (int i = 0; i < record->n_windows; i++) {
        json_t *pair = command_need(json_array());
        json_add(pair, json_integer(record->windows[i].last));
        json_add(pair, sl_json_number(record->windows[i].mean_inverse));
        json_add(list, pair);
    }
    return list;
}

// settings and details are JSON already; null where there are none
static json_t *inner_json(const char *text) {
    json_t *json = text[0] ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    return json ? json : json_null();
}

static void put_column(json_t *to, const SlCellRecord *record, const Column *column) {
    const char *text = column->kind == COLUMN_TEXT ? text_at(record, column) : "";
    if (strcmp(column->name, "settings") == 0 || strcmp(column->name, "detail") == 0)
        json_put(to, column->name, inner_json(text));
    else if (strcmp(column->name, "reason") == 0 && !text[0])
        json_put(to, "reason", json_null());
    else if (column->kind == COLUMN_TEXT)
        json_put_text(to, column->name, text);
    else if (column->kind == COLUMN_REAL)
        json_put_number(to, column->name, real_at(record, column));
    else
        json_put(to, column->name, json_integer(whole_at(record, column)));
}

static json_t *record_json(const Study *study, const SlCellRecord *record) {
    json_t *to = command_need(json_object());
    json_put_text(to, "kind", sl_cell_names[record->kind]);
    for (int c = 0; c < N_COLUMNS; c++)
        if (study->options->times || !columns[c].time) put_column(to, record, &columns[c]);
    if (study->options->what == STUDY_CURVES)
        json_put(to, "curve", curve_json(record->n_curve, record->curve, sl_json_number));
    if (study->options->what == STUDY_WINDOWS) json_put(to, "windows", windows_json(record));
    return to;
}

static json_t *export_json(const Study *study) {
    json_t *json = command_need(sl_json_document("study-export", 1));
    json_t *cells = command_need(json_array());
    for (int i = 0; i < study->n_records; i++)
        json_add(cells, record_json(study, &study->records[i]));
    json_put(json, "study", study->plan.name ? json_string(study->plan.name) : json_null());
    json_put(json, "cells", cells);
    return json;
}

int study_export(const Study *study) {
    SlText text;
    SlError err;
    sl_text_init(&text, study->arena);
    if (study->options->format == STUDY_JSON || study->options->common.json) {
        SlStatus status = sl_json_print(export_json(study), &text, &err);
        if (status != SL_OK) return command_fail(status, &err);
    } else if (study->options->what == STUDY_CURVES) {
        add_curves_csv(study, &text);
    } else if (study->options->what == STUDY_WINDOWS) {
        add_windows_csv(study, &text);
    } else {
        add_cells_csv(study, &text);
    }
    if (text.failed) command_no_memory();
    return command_print(text.data, text.n, CODE_DONE);
}
