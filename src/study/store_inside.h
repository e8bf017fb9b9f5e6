// store_inside.h - inside study: the store's connection, the columns of a record, its blobs.
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "starling/study.h"

struct SlStore {
    char path[1024];
    sqlite3 *db;
    pthread_mutex_t lock; // around every use of db
    bool writing;         // something was written: the log is settled when it ends
};

// ---- columns of a record ----

typedef enum {
    SL_COLUMN_TEXT,
    SL_COLUMN_REASON, // text or NULL
    SL_COLUMN_KIND,   // sl_cell_names
    SL_COLUMN_INT,    // int, 0 or more
    SL_COLUMN_INT64,  // int64_t, 0 or more
    SL_COLUMN_SEED,   // uint64_t
    SL_COLUMN_REAL,   // NAN = NULL
    SL_COLUMN_CURVE,
    SL_COLUMN_WINDOWS,
    SL_COLUMN_TRACE,
} SlColumnKind;

typedef struct {
    const char *name;
    SlColumnKind kind;
    size_t offset; // in SlCellRecord
} SlStoreColumn;

extern const SlStoreColumn sl_store_columns[]; // in order; the last has name NULL

bool sl_record_same(const SlCellRecord *a, const SlCellRecord *b); // times and machines apart
uint64_t sl_record_hash(uint64_t sum, const SlCellRecord *record);

// ---- blobs (docs/formats/store.md) ----

// zlib of the curve, the windows or the trace of a record; n = 0 where there is none. In the arena;
// false without memory.
typedef struct {
    size_t n;
    const unsigned char *bytes;
} SlBlob;
bool sl_blob_write(SlColumnKind kind, const SlCellRecord *record, SlArena *arena, SlBlob *blob);

// Into the record, whose counts are set already. NULL, or what is wrong with the blob; SL_ENOMEM is
// the sentence sl_blob_no_memory.
extern const char *const sl_blob_no_memory;
const char *sl_blob_read(SlColumnKind kind, const SlBlob *blob, SlArena *arena,
                         SlCellRecord *record);

// ---- statements ----

// Run SQL without results. The lock must be held, here and below.
SlStatus sl_store_exec(SlStore *store, SlStatus failure, const char *sql, SlError *err);
SlStatus sl_store_prepare(SlStore *store, const char *sql, sqlite3_stmt **statement, SlError *err);

// "cannot be read: ...", with what SQLite says.
SlStatus sl_store_fail(SlStore *store, SlStatus status, SlError *err);

// Before the first write: readers and the writer no longer wait for each other.
SlStatus sl_store_begin(SlStore *store, SlError *err);
SlStatus sl_store_end(SlStore *store, SlStatus status, SlError *err); // commit, or undo
SlStatus sl_store_write(SlStore *store, const SlCellRecord *record, SlError *err);

// After a study: what is in the log moves into the one file.
void sl_store_settle(SlStore *store);

// ---- what is there, without curves ----

typedef struct {
    const char *key, *fingerprint, *version;
    bool broken;
    int64_t samples;
    double seconds; // NAN = not known
} SlStoreEntry;
SlStatus sl_store_index(SlStore *store, SlArena *arena, int *n, SlStoreEntry **entries,
                        SlError *err); // in the order of their keys
// The one of that key, NULL = there is none.
const SlStoreEntry *sl_store_entry(int n, const SlStoreEntry *entries, const char *key);
