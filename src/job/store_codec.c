// store_codec.c - curves, windows and traces as bytes: little-endian, columns one after the other,
// whole numbers as differences, packed by zlib.
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

#include "store_inside.h"

const char *const sl_blob_no_memory = "not enough memory to read the store";

enum { PAIR_BYTES = 16, MOST_PACKING = 1040 }; // zlib shrinks to 1/1032 at most

static void put_bytes(unsigned char *at, uint64_t bits, int n) {
    for (int i = 0; i < n; i++) at[i] = (unsigned char)(bits >> 8 * i);
}

static uint64_t get_bytes(const unsigned char *at, int n) {
    uint64_t bits = 0;
    for (int i = 0; i < n; i++) bits |= (uint64_t)at[i] << 8 * i;
    return bits;
}

static void put_real(unsigned char *at, double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(at, bits, 8);
}

static double get_real(const unsigned char *at) {
    uint64_t bits = get_bytes(at, 8);
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- plain bytes ----

// number i of a curve or of windows
static SlCurvePoint pair_of(SlColumnKind kind, const SlCellRecord *record, int i) {
    if (kind == SL_COLUMN_CURVE) return record->curve[i];
    return (SlCurvePoint){record->windows[i].last, record->windows[i].mean_inverse};
}

// all differences, then all values
static void put_pairs(SlColumnKind kind, const SlCellRecord *record, int n, unsigned char *out) {
    int64_t before = 0;
    for (int i = 0; i < n; i++) {
        SlCurvePoint pair = pair_of(kind, record, i);
        put_bytes(out + 8 * (ptrdiff_t)i, (uint64_t)(pair.sample - before), 8);
        put_real(out + 8 * ((ptrdiff_t)n + i), pair.value);
        before = pair.sample;
    }
}

static const char *get_pairs(const unsigned char *bytes, int n, SlCurvePoint *pairs) {
    int64_t before = 0;
    for (int i = 0; i < n; i++) {
        int64_t step = (int64_t)get_bytes(bytes + 8 * (ptrdiff_t)i, 8);
        double value = get_real(bytes + 8 * ((ptrdiff_t)n + i));
        if (step <= 0 || step > INT64_MAX - before) return "its samples do not ascend";
        if (isnan(value)) return "a value is no number";
        before += step;
        pairs[i] = (SlCurvePoint){before, value};
    }
    return NULL;
}

static size_t n_floats(const SlCellRecord *record) {
    return (size_t)record->n_windows * (size_t)record->n_params;
}

static void put_floats(const SlCellRecord *record, unsigned char *out) {
    for (size_t i = 0; i < n_floats(record); i++) {
        uint32_t bits = 0;
        memcpy(&bits, &record->trace[i], sizeof bits);
        put_bytes(out + 4 * i, bits, 4);
    }
}

static const char *get_floats(const unsigned char *bytes, SlArena *arena, SlCellRecord *record) {
    float *trace = SL_NEW(arena, n_floats(record), float);
    if (!trace) return sl_blob_no_memory;
    for (size_t i = 0; i < n_floats(record); i++) {
        uint32_t bits = (uint32_t)get_bytes(bytes + 4 * i, 4);
        memcpy(&trace[i], &bits, sizeof bits);
        if (!(trace[i] >= 0 && trace[i] <= 1)) return "a share is not between 0 and 1";
    }
    record->trace = trace;
    return NULL;
}

static size_t plain_bytes(SlColumnKind kind, const SlCellRecord *record) {
    if (kind == SL_COLUMN_CURVE) return (size_t)record->n_curve * PAIR_BYTES;
    if (kind == SL_COLUMN_WINDOWS) return (size_t)record->n_windows * PAIR_BYTES;
    return n_floats(record) * 4;
}

// ---- packed ----

static bool is_absent(SlColumnKind kind, const SlCellRecord *record) {
    return plain_bytes(kind, record) == 0 || (kind == SL_COLUMN_TRACE && !record->trace);
}

bool sl_blob_write(SlColumnKind kind, const SlCellRecord *record, SlArena *arena, SlBlob *blob) {
    size_t n = plain_bytes(kind, record);
    *blob = (SlBlob){0};
    if (is_absent(kind, record)) return true;
    uLongf packed = compressBound(n);
    unsigned char *plain = SL_NEW(arena, n, unsigned char);
    unsigned char *bytes = SL_NEW(arena, packed, unsigned char);
    if (!plain || !bytes) return false;
    if (kind == SL_COLUMN_TRACE)
        put_floats(record, plain);
    else
        put_pairs(kind, record, (int)(n / PAIR_BYTES), plain);
    if (compress2(bytes, &packed, plain, n, Z_BEST_COMPRESSION) != Z_OK) return false;
    *blob = (SlBlob){packed, bytes};
    return true;
}

static const char *keep_pairs(SlColumnKind kind, const unsigned char *plain, int n, SlArena *arena,
                              SlCellRecord *record) {
    SlCurvePoint *pairs = SL_NEW(arena, n, SlCurvePoint);
    if (!pairs) return sl_blob_no_memory;
    const char *fault = get_pairs(plain, n, pairs);
    if (fault || kind == SL_COLUMN_CURVE) {
        record->curve = pairs;
        return fault;
    }
    SlWindow *windows = SL_NEW(arena, n, SlWindow);
    if (!windows) return sl_blob_no_memory;
    for (int i = 0; i < n; i++) windows[i] = (SlWindow){pairs[i].sample, pairs[i].value};
    record->windows = windows;
    return NULL;
}

const char *sl_blob_read(SlColumnKind kind, const SlBlob *blob, SlArena *arena,
                         SlCellRecord *record) {
    size_t n = plain_bytes(kind, record);
    if (blob->n == 0) return n && kind != SL_COLUMN_TRACE ? "it is missing" : NULL;
    if (n == 0) return "it should be empty";
    if (n / MOST_PACKING > blob->n) return "it is too short";
    unsigned char *plain = SL_NEW(arena, n, unsigned char);
    if (!plain) return sl_blob_no_memory;
    uLongf unpacked = n;
    int result = uncompress(plain, &unpacked, blob->bytes, blob->n);
    if (result == Z_MEM_ERROR) return sl_blob_no_memory;
    if (result != Z_OK || unpacked != n) return "it does not unpack to what its row says";
    if (kind == SL_COLUMN_TRACE) return get_floats(plain, arena, record);
    return keep_pairs(kind, plain, (int)(n / PAIR_BYTES), arena, record);
}
