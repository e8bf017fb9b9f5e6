// store_columns.c - a record column by column: its table, and records compared.
#include <math.h>
#include <string.h>

#include "store_inside.h"

#define COLUMN(name, kind)                                                                         \
    { #name, SL_COLUMN_##kind, offsetof(SlCellRecord, name) }
const SlStoreColumn sl_store_columns[] = {
    COLUMN(key, TEXT),        COLUMN(fingerprint, TEXT),
    COLUMN(kind, KIND),       COLUMN(task, TEXT),
    COLUMN(layer, TEXT),      COLUMN(workload, TEXT),
    COLUMN(accel, TEXT),      COLUMN(objective, TEXT),
    COLUMN(space, TEXT),      COLUMN(row, TEXT),
    COLUMN(method, TEXT),     COLUMN(settings, TEXT),
    COLUMN(n_agents, INT),    COLUMN(seed, SEED),
    COLUMN(budget, INT64),    COLUMN(version, TEXT),
    COLUMN(reason, REASON),   COLUMN(value, REAL),
    COLUMN(floor, REAL),      COLUMN(latency_cycles, REAL),
    COLUMN(energy_pj, REAL),  COLUMN(area_um2, REAL),
    COLUMN(power_mw, REAL),   COLUMN(samples, INT64),
    COLUMN(found_at, INT64),  COLUMN(assign_samples, INT64),
    COLUMN(stopped, TEXT),    COLUMN(mapping, TEXT),
    COLUMN(n_curve, INT),     COLUMN(n_windows, INT),
    COLUMN(n_params, INT),    COLUMN(curve, CURVE),
    COLUMN(windows, WINDOWS), COLUMN(trace, TRACE),
    COLUMN(detail, TEXT),     {0},
};
#undef COLUMN

// ---- a column as bytes that are equal where its values are ----

typedef struct {
    const void *bytes; // NULL = none
    size_t n;
    double room[1];
    int64_t number[1];
} Bytes;

static void text_bytes(const char *text, Bytes *out) {
    out->bytes = text;
    out->n = text ? strlen(text) : 0;
}

static void number_bytes(int64_t number, Bytes *out) {
    out->number[0] = number;
    out->bytes = out->number;
    out->n = sizeof out->number;
}

// one NaN, one zero
static void real_bytes(double value, Bytes *out) {
    out->room[0] = value == 0 ? 0 : value;
    out->bytes = isnan(value) ? NULL : out->room;
    out->n = isnan(value) ? 0 : sizeof out->room;
}

static void column_bytes(const SlStoreColumn *column, const SlCellRecord *record, Bytes *out) {
    const char *field = (const char *)record + column->offset;
    *out = (Bytes){0};
    switch (column->kind) {
    case SL_COLUMN_TEXT:
    case SL_COLUMN_REASON:
        text_bytes(*(const char *const *)field, out);
        break;
    case SL_COLUMN_KIND:
        text_bytes(sl_cell_names[record->kind], out);
        break;
    case SL_COLUMN_INT:
        number_bytes(*(const int *)field, out);
        break;
    case SL_COLUMN_INT64:
    case SL_COLUMN_SEED:
        number_bytes(*(const int64_t *)field, out);
        break;
    case SL_COLUMN_REAL:
        real_bytes(*(const double *)field, out);
        break;
    case SL_COLUMN_CURVE:
        out->bytes = record->n_curve ? record->curve : NULL;
        if (out->bytes) out->n = (size_t)record->n_curve * sizeof *record->curve;
        break;
    case SL_COLUMN_WINDOWS:
        out->bytes = record->n_windows ? record->windows : NULL;
        if (out->bytes) out->n = (size_t)record->n_windows * sizeof *record->windows;
        break;
    case SL_COLUMN_TRACE:
        out->bytes = record->trace;
        if (out->bytes)
            out->n = (size_t)record->n_windows * (size_t)record->n_params * sizeof *record->trace;
        break;
    }
}

bool sl_record_same(const SlCellRecord *a, const SlCellRecord *b) {
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++) {
        Bytes one, other;
        column_bytes(column, a, &one);
        column_bytes(column, b, &other);
        if (one.n != other.n || !one.bytes != !other.bytes) return false;
        if (one.bytes && other.bytes && memcmp(one.bytes, other.bytes, one.n) != 0) return false;
    }
    return true;
}

// every column with its length, so that they cannot run into each other
uint64_t sl_record_hash(uint64_t sum, const SlCellRecord *record) {
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++) {
        Bytes bytes;
        column_bytes(column, record, &bytes);
        sum = sl_fnv_add(sum, bytes.bytes ? bytes.n + 1 : 0);
        if (bytes.bytes) sum = sl_fnv_bytes(sum, bytes.bytes, bytes.n);
    }
    return sum;
}
