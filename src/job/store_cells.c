// store_cells.c - records written to and read from the tables of a store.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "store_inside.h"

// ---- which machine, which day ----

static void find_machine(SlStore *store) {
    struct utsname info;
    if (store->machine[0]) return;
    sl_processor_name(sizeof store->machine, store->machine);
    if (!store->machine[0] && uname(&info) == 0)
        snprintf(store->machine, sizeof store->machine, "%.200s", info.machine);
}

static void write_date(char out[static 32]) {
    time_t now = time(NULL);
    struct tm parts;
    out[0] = '\0';
    if (gmtime_r(&now, &parts)) strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

// ---- writing ----

static void bind_blob(sqlite3_stmt *statement, int at, SlColumnKind kind,
                      const SlCellRecord *record, SlArena *scratch, bool *failed) {
    SlBlob blob;
    *failed |= !sl_blob_write(kind, record, scratch, &blob);
    if (!*failed && blob.n)
        *failed |=
            sqlite3_bind_blob64(statement, at, blob.bytes, blob.n, SQLITE_STATIC) != SQLITE_OK;
}

// what is not bound stays NULL; `scratch` must live until the statement has run
static bool bind_record(sqlite3_stmt *statement, const SlCellRecord *record, SlArena *scratch) {
    bool failed = false;
    int at = 1;
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++, at++) {
        const char *field = (const char *)record + column->offset;
        switch (column->kind) {
        case SL_COLUMN_TEXT:
        case SL_COLUMN_REASON:
            sqlite3_bind_text(statement, at, *(const char *const *)field, -1, SQLITE_STATIC);
            break;
        case SL_COLUMN_KIND:
            sqlite3_bind_text(statement, at, sl_cell_names[record->kind], -1, SQLITE_STATIC);
            break;
        case SL_COLUMN_INT:
            sqlite3_bind_int64(statement, at, *(const int *)field);
            break;
        case SL_COLUMN_INT64:
        case SL_COLUMN_SEED:
            sqlite3_bind_int64(statement, at, *(const int64_t *)field);
            break;
        case SL_COLUMN_REAL:
            sqlite3_bind_double(statement, at, *(const double *)field); // a NaN becomes NULL
            break;
        case SL_COLUMN_CURVE:
        case SL_COLUMN_WINDOWS:
        case SL_COLUMN_TRACE:
            bind_blob(statement, at, column->kind, record, scratch, &failed);
            break;
        }
    }
    return !failed;
}

static SlStatus write_cell(SlStore *store, const SlCellRecord *record, SlArena *scratch,
                           SlError *err) {
    SlText sql;
    sqlite3_stmt *statement = NULL;
    sl_text_init(&sql, scratch);
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++)
        sl_text_add(&sql,
                    column == sl_store_columns ? "INSERT OR REPLACE INTO cells VALUES (?" : ", ?");
    sl_text_add(&sql, ")");
    if (sql.failed) return sl_fail(err, SL_ENOMEM, "not enough memory for the store");
    SlStatus status = sl_store_prepare(store, sql.data, &statement, err);
    if (status != SL_OK) return status;
    if (!bind_record(statement, record, scratch))
        status = sl_fail(err, SL_ENOMEM, "not enough memory for the store");
    else if (sqlite3_step(statement) != SQLITE_DONE)
        status = sl_store_fail(store, SL_EIO, err);
    sqlite3_finalize(statement);
    return status;
}

static SlStatus write_timing(SlStore *store, const SlCellRecord *record, SlError *err) {
    sqlite3_stmt *statement = NULL;
    SlStatus status = sl_store_prepare(store, "INSERT OR REPLACE INTO timing VALUES (?, ?, ?, ?)",
                                       &statement, err);
    if (status != SL_OK) return status;
    sqlite3_bind_text(statement, 1, record->key, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, isnan(record->seconds) ? 0 : record->seconds);
    sqlite3_bind_text(statement, 3, record->machine ? record->machine : "", -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, record->finished ? record->finished : "", -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE) status = sl_store_fail(store, SL_EIO, err);
    sqlite3_finalize(statement);
    return status;
}

SlStatus sl_store_write(SlStore *store, const SlCellRecord *record, SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = write_cell(store, record, &scratch, err);
    if (status == SL_OK) status = write_timing(store, record, err);
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_store_put(SlStore *store, const SlCellRecord *record, SlError *err) {
    SlCellRecord signed_record = *record;
    char date[32];
    pthread_mutex_lock(&store->lock);
    find_machine(store);
    write_date(date);
    if (!record->machine) signed_record.machine = store->machine;
    if (!record->finished) signed_record.finished = date;
    SlStatus status = sl_store_begin(store, err);
    if (status == SL_OK)
        status = sl_store_end(store, sl_store_write(store, &signed_record, err), err);
    pthread_mutex_unlock(&store->lock);
    return status;
}

// ---- reading ----

typedef struct {
    SlStore *store;
    sqlite3_stmt *statement;
    SlArena *arena;
    SlError *err;
} Reader;

// "the store is damaged: 'curve' of 'run/...': it is missing"
static SlStatus damaged(const Reader *reader, int at, const char *why) {
    const char *key = (const char *)sqlite3_column_text(reader->statement, 0);
    if (why == sl_blob_no_memory) return sl_fail(reader->err, SL_ENOMEM, "%s", why);
    return sl_fail_at(reader->err, SL_EINPUT, reader->store->path, 0, 0,
                      "the store is damaged: '%s' of '%s': %s",
                      sqlite3_column_name(reader->statement, at), key ? key : "", why);
}

static SlStatus get_text(const Reader *reader, int at, const char **out) {
    const char *text = (const char *)sqlite3_column_text(reader->statement, at);
    int n = sqlite3_column_bytes(reader->statement, at);
    if (sqlite3_column_type(reader->statement, at) != SQLITE_TEXT || !text)
        return damaged(reader, at, "it is no text");
    if (strlen(text) != (size_t)n) return damaged(reader, at, "it has a zero byte");
    *out = sl_arena_text(reader->arena, text, (size_t)n);
    return *out ? SL_OK : damaged(reader, at, sl_blob_no_memory);
}

static SlStatus get_whole(const Reader *reader, int at, int64_t most, int64_t *out) {
    *out = sqlite3_column_int64(reader->statement, at);
    if (sqlite3_column_type(reader->statement, at) != SQLITE_INTEGER || *out < 0 || *out > most)
        return damaged(reader, at, "it is no count");
    return SL_OK;
}

static SlStatus get_real(const Reader *reader, int at, double *out) {
    int type = sqlite3_column_type(reader->statement, at);
    *out = type == SQLITE_NULL ? NAN : sqlite3_column_double(reader->statement, at);
    if (type == SQLITE_NULL || type == SQLITE_FLOAT) return SL_OK;
    return damaged(reader, at, "it is no number");
}

static SlStatus get_kind(const Reader *reader, int at, SlCellKind *out) {
    const char *name = "";
    SlStatus status = get_text(reader, at, &name);
    if (status != SL_OK) return status;
    for (int kind = 0; kind < SL_N_CELLS; kind++) {
        *out = (SlCellKind)kind;
        if (strcmp(name, sl_cell_names[kind]) == 0) return SL_OK;
    }
    return damaged(reader, at, "there is no such kind of cell");
}

static SlStatus get_blob(const Reader *reader, int at, SlColumnKind kind, SlCellRecord *record) {
    SlBlob blob = {.bytes = sqlite3_column_blob(reader->statement, at)};
    blob.n = (size_t)sqlite3_column_bytes(reader->statement, at);
    const char *fault = sl_blob_read(kind, &blob, reader->arena, record);
    return fault ? damaged(reader, at, fault) : SL_OK;
}

static SlStatus get_column(const Reader *reader, int at, const SlStoreColumn *column,
                           SlCellRecord *record) {
    char *field = (char *)record + column->offset;
    int64_t number = 0;
    SlStatus status = SL_OK;
    switch (column->kind) {
    case SL_COLUMN_REASON:
        if (sqlite3_column_type(reader->statement, at) == SQLITE_NULL) return SL_OK;
        return get_text(reader, at, (const char **)field);
    case SL_COLUMN_TEXT:
        return get_text(reader, at, (const char **)field);
    case SL_COLUMN_KIND:
        return get_kind(reader, at, &record->kind);
    case SL_COLUMN_INT:
        status = get_whole(reader, at, INT_MAX / 16, &number);
        *(int *)field = (int)number;
        return status;
    case SL_COLUMN_INT64:
        return get_whole(reader, at, INT64_MAX, (int64_t *)field);
    case SL_COLUMN_SEED:
        *(uint64_t *)field = (uint64_t)sqlite3_column_int64(reader->statement, at);
        return SL_OK;
    case SL_COLUMN_REAL:
        return get_real(reader, at, (double *)field);
    case SL_COLUMN_CURVE:
    case SL_COLUMN_WINDOWS:
    case SL_COLUMN_TRACE:
        return get_blob(reader, at, column->kind, record);
    }
    return SL_OK;
}

static SlStatus get_record(const Reader *reader, SlCellRecord *record) {
    int at = 0;
    SlStatus status = SL_OK;
    *record = (SlCellRecord){.machine = "", .finished = ""};
    for (const SlStoreColumn *column = sl_store_columns; column->name && status == SL_OK; column++)
        status = get_column(reader, at++, column, record);
    // a record may be there without its time
    if (status == SL_OK) status = get_real(reader, at, &record->seconds);
    if (status != SL_OK || isnan(record->seconds)) return status;
    status = get_text(reader, at + 1, &record->machine);
    return status == SL_OK ? get_text(reader, at + 2, &record->finished) : status;
}

static SlStatus count_cells(SlStore *store, int *n, SlError *err) {
    sqlite3_stmt *statement = NULL;
    SlStatus status = sl_store_prepare(store, "SELECT count(*) FROM cells", &statement, err);
    if (status != SL_OK) return status;
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int64(statement, 0) < INT_MAX)
        *n = sqlite3_column_int(statement, 0);
    else
        status = sl_store_fail(store, SL_EINPUT, err);
    sqlite3_finalize(statement);
    return status;
}

// call `get` for every row of a statement, at most `most` times
static SlStatus each_row(Reader *reader, const char *sql, int most,
                         SlStatus (*get)(const Reader *, int, void *), void *out) {
    SlStatus status = sl_store_prepare(reader->store, sql, &reader->statement, reader->err);
    if (status != SL_OK) return status;
    int step = sqlite3_step(reader->statement);
    for (int i = 0; i < most && step == SQLITE_ROW && status == SL_OK; i++) {
        status = get(reader, i, out);
        if (status == SL_OK) step = sqlite3_step(reader->statement);
    }
    if (status == SL_OK && step != SQLITE_ROW && step != SQLITE_DONE)
        status = sl_store_fail(reader->store, SL_EINPUT, reader->err);
    sqlite3_finalize(reader->statement);
    return status;
}

static SlStatus get_nth(const Reader *reader, int i, void *records) {
    return get_record(reader, (SlCellRecord *)records + i);
}

static SlStatus read_cells(Reader *reader, int *n, SlCellRecord **records) {
    SlText sql;
    SlStatus status = count_cells(reader->store, n, reader->err);
    if (status != SL_OK) return status;
    sl_text_init(&sql, reader->arena);
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++)
        sl_text_add(&sql, "%s cells.%s", column == sl_store_columns ? "SELECT" : ",", column->name);
    sl_text_add(&sql, ", seconds, machine, finished FROM cells LEFT JOIN timing USING (key) "
                      "ORDER BY cells.key");
    *records = SL_NEW(reader->arena, *n, SlCellRecord);
    if (sql.failed || !*records) return sl_fail(reader->err, SL_ENOMEM, "%s", sl_blob_no_memory);
    return each_row(reader, sql.data, *n, get_nth, *records);
}

// several statements see the same rows, whoever writes
static SlStatus open_view(SlStore *store, SlError *err) {
    pthread_mutex_lock(&store->lock);
    SlStatus status = sl_store_exec(store, SL_EINPUT, "BEGIN", err);
    if (status != SL_OK) pthread_mutex_unlock(&store->lock);
    return status;
}

static void close_view(SlStore *store) {
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    pthread_mutex_unlock(&store->lock);
}

SlStatus sl_store_cells(SlStore *store, SlArena *arena, int *n, SlCellRecord **records,
                        SlError *err) {
    Reader reader = {.store = store, .arena = arena, .err = err};
    *n = 0;
    *records = NULL;
    SlStatus status = open_view(store, err);
    if (status != SL_OK) return status;
    status = read_cells(&reader, n, records);
    close_view(store);
    return status;
}

// ---- the index ----

static SlStatus get_entry(const Reader *reader, int i, void *entries) {
    SlStoreEntry *entry = (SlStoreEntry *)entries + i;
    SlStatus status = get_text(reader, 0, &entry->key);
    if (status == SL_OK) status = get_text(reader, 1, &entry->fingerprint);
    if (status == SL_OK) status = get_text(reader, 2, &entry->version);
    entry->broken = sqlite3_column_int(reader->statement, 3) != 0;
    if (status == SL_OK) status = get_whole(reader, 4, INT64_MAX, &entry->samples);
    return status == SL_OK ? get_real(reader, 5, &entry->seconds) : status;
}

static SlStatus read_index(Reader *reader, int *n, SlStoreEntry **entries) {
    static const char sql[] =
        "SELECT cells.key, fingerprint, version, reason IS NOT NULL, samples, seconds "
        "FROM cells LEFT JOIN timing USING (key) ORDER BY cells.key";
    SlStatus status = count_cells(reader->store, n, reader->err);
    if (status != SL_OK) return status;
    *entries = SL_NEW(reader->arena, *n, SlStoreEntry);
    if (!*entries) return sl_fail(reader->err, SL_ENOMEM, "%s", sl_blob_no_memory);
    return each_row(reader, sql, *n, get_entry, *entries);
}

SlStatus sl_store_index(SlStore *store, SlArena *arena, int *n, SlStoreEntry **entries,
                        SlError *err) {
    Reader reader = {.store = store, .arena = arena, .err = err};
    *n = 0;
    SlStatus status = open_view(store, err);
    if (status != SL_OK) return status;
    status = read_index(&reader, n, entries);
    close_view(store);
    return status;
}

static int by_key(const void *key, const void *entry) {
    return strcmp(key, ((const SlStoreEntry *)entry)->key);
}

const SlStoreEntry *sl_store_entry(int n, const SlStoreEntry *entries, const char *key) {
    return bsearch(key, entries, (size_t)n, sizeof *entries, by_key);
}
