// fuzz_store.c - stores of studies from outside: a whole SQLite file, or a table whose cells hold
// anything. Refused with a sentence, or records that hash, merge and come back.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "../../src/job/store_inside.h"

static void require(bool truth) {
    if (!truth) abort();
}

// ---- what must hold of a store that opens ----

static void walk_curves(const SlCellRecord *record) {
    for (int i = 1; i < record->n_curve; i++)
        require(record->curve[i - 1].sample < record->curve[i].sample);
    for (int i = 1; i < record->n_windows; i++)
        require(record->windows[i - 1].last < record->windows[i].last);
    for (size_t i = 0; record->trace && i < (size_t)record->n_windows * (size_t)record->n_params;
         i++)
        require(record->trace[i] >= 0 && record->trace[i] <= 1);
}

static void read_store(SlStore *store) {
    SlArena arena;
    SlError err = {0};
    SlCellRecord *records = NULL;
    SlStoreEntry *entries = NULL;
    const char *text = NULL;
    uint64_t digest = 0;
    int n = 0, n_entries = 0;
    sl_arena_init(&arena, 64 << 20);
    SlStatus status = sl_store_cells(store, &arena, &n, &records, &err);
    require(status == SL_OK || err.text[0] != '\0');
    for (int i = 0; i < n && status == SL_OK; i++) {
        walk_curves(&records[i]);
        require(sl_record_same(&records[i], &records[i]));
    }
    if (sl_store_index(store, &arena, &n_entries, &entries, &err) == SL_OK && status == SL_OK)
        require(n == n_entries);
    require((sl_store_digest(store, &digest, &err) == SL_OK) == (status == SL_OK));
    sl_store_get(store, "plan", &arena, &text, &err);
    sl_arena_free(&arena);
}

// a file of this process's own
static const char *file_path(void) {
    static char path[64];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/fuzz_store.%ld", folder, (long)getpid());
    return path;
}

static void remove_file(void) {
    unlink(file_path());
}

static void open_and_read(void) {
    SlStore *store = NULL;
    SlError err = {0};
    SlStatus status = sl_store_open(file_path(), false, &store, &err);
    require(status == SL_OK ? store != NULL : err.text[0] != '\0');
    if (status == SL_OK) read_store(store);
    sl_store_close(store);
}

// ---- a whole file ----

static void read_file(const uint8_t *data, size_t n) {
    FILE *file = fopen(file_path(), "wb");
    require(file != NULL);
    require(fwrite(data, 1, n, file) == n);
    require(fclose(file) == 0);
    open_and_read();
    remove_file();
}

// ---- a table, column by column ----

typedef struct {
    const uint8_t *at, *end;
} Input;

static uint8_t take_byte(Input *in) {
    return in->at < in->end ? *in->at++ : 0;
}

static size_t take_bytes(Input *in, const uint8_t **bytes) {
    size_t n = take_byte(in), left = (size_t)(in->end - in->at);
    if (n > left) n = left;
    *bytes = in->at;
    in->at += n;
    return n;
}

static uint64_t take_number(Input *in) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)take_byte(in) << 8 * i;
    return bits;
}

static void bind_packed(sqlite3_stmt *row, int at, const uint8_t *plain, size_t n) {
    unsigned char packed[512];
    uLongf room = sizeof packed;
    require(compress2(packed, &room, plain, n, 1) == Z_OK);
    sqlite3_bind_blob(row, at, packed, (int)room, SQLITE_TRANSIENT);
}

// what a sound record has: two points in the curve, no windows
static void bind_sound(sqlite3_stmt *row, int at, const SlStoreColumn *column) {
    static const uint8_t pairs[32] = {[0] = 1, [8] = 2}; // samples 1 and 3, values 0
    if (column->kind == SL_COLUMN_KIND)
        sqlite3_bind_text(row, at, sl_cell_names[SL_CELL_RUN], -1, SQLITE_STATIC);
    else if (column->kind == SL_COLUMN_TEXT)
        sqlite3_bind_text(row, at, column->name, -1, SQLITE_STATIC);
    else if (column->kind <= SL_COLUMN_SEED && column->kind != SL_COLUMN_REASON)
        sqlite3_bind_int64(row, at, strcmp(column->name, "n_curve") == 0 ? 2 : 0);
    else if (column->kind == SL_COLUMN_CURVE)
        bind_packed(row, at, pairs, sizeof pairs);
}

static void bind_drawn(sqlite3_stmt *row, int at, const SlStoreColumn *column, Input *in) {
    const uint8_t *bytes = NULL;
    uint64_t bits = 0;
    double real = 0;
    size_t n = 0;
    switch (take_byte(in)) {
    case 'n': // NULL
        break;
    case 'i':
        sqlite3_bind_int64(row, at, (int64_t)take_number(in));
        break;
    case 'r':
        bits = take_number(in);
        memcpy(&real, &bits, sizeof real);
        sqlite3_bind_double(row, at, real);
        break;
    case 't':
        n = take_bytes(in, &bytes);
        sqlite3_bind_text(row, at, (const char *)bytes, (int)n, SQLITE_TRANSIENT);
        break;
    case 'b':
        n = take_bytes(in, &bytes);
        sqlite3_bind_blob(row, at, bytes, (int)n, SQLITE_TRANSIENT);
        break;
    case 'p': // packed
        n = take_bytes(in, &bytes);
        bind_packed(row, at, bytes, n);
        break;
    default:
        bind_sound(row, at, column);
    }
}

// tables as docs/formats/store.md has them, but without types: a file from outside may lack them
static sqlite3 *make_table(void) {
    char sql[4096];
    sqlite3 *db = NULL;
    size_t n = 0;
    require(sqlite3_open(file_path(), &db) == SQLITE_OK);
    n += (size_t)snprintf(sql, sizeof sql, "PRAGMA synchronous=OFF; CREATE TABLE cells (");
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++)
        n += (size_t)snprintf(sql + n, sizeof sql - n, "%s, ", column->name);
    snprintf(sql + n, sizeof sql - n,
             "fuzz); CREATE TABLE timing (key, seconds, machine, finished);"
             "CREATE TABLE texts (name, text);"
             "PRAGMA application_id=%d; PRAGMA user_version=1",
             0x53746C67);
    require(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    return db;
}

static void insert_row(sqlite3 *db, Input *in) {
    char sql[256] = "INSERT INTO cells VALUES (";
    sqlite3_stmt *row = NULL;
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++) strcat(sql, "?, ");
    strcat(sql, "0)");
    require(sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK);
    int at = 1;
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++)
        bind_drawn(row, at++, column, in);
    require(sqlite3_step(row) == SQLITE_DONE);
    sqlite3_finalize(row);
}

static void read_table(const uint8_t *data, size_t n) {
    Input in = {data, data + n};
    remove_file();
    sqlite3 *db = make_table();
    insert_row(db, &in);
    if (in.at < in.end) insert_row(db, &in);
    sqlite3_close(db);
    open_and_read();
    remove_file();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n >= 16 && memcmp(data, "SQLite format 3", 16) == 0)
        read_file(data, n);
    else
        read_table(data, n);
    return 0;
}
