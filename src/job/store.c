// store.c - records in one SQLite file: opening, its tables, texts, transactions.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store_inside.h"

enum {
    APPLICATION = 0x53746C67, // "Stlg", PRAGMA application_id
    SCHEMA = 1,               // PRAGMA user_version
    BUSY_MS = 60000,          // how long to wait for another process
};

const char *sl_store_library(void) {
    return sqlite3_libversion();
}

// ---- statements ----

SlStatus sl_store_fail(SlStore *store, SlStatus status, SlError *err) {
    int code = sqlite3_errcode(store->db) & 0xff;
    if (code == SQLITE_NOMEM) return sl_fail(err, SL_ENOMEM, "not enough memory for the store");
    if (code == SQLITE_NOTADB)
        return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                          "expected a store of records (study.db, records.db)");
    return sl_fail_at(err, status, store->path, 0, 0, "the store cannot be %s: %s",
                      status == SL_EIO ? "written" : "read", sqlite3_errmsg(store->db));
}

SlStatus sl_store_exec(SlStore *store, SlStatus failure, const char *sql, SlError *err) {
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK) return SL_OK;
    return sl_store_fail(store, failure, err);
}

SlStatus sl_store_prepare(SlStore *store, const char *sql, sqlite3_stmt **statement, SlError *err) {
    *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK) return SL_OK;
    return sl_store_fail(store, SL_EINPUT, err);
}

// the one number that a statement gives
static SlStatus read_number(SlStore *store, const char *sql, int64_t *out, SlError *err) {
    sqlite3_stmt *statement = NULL;
    SlStatus status = sl_store_prepare(store, sql, &statement, err);
    if (status != SL_OK) return status;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        status = sl_store_fail(store, SL_EINPUT, err);
    sqlite3_finalize(statement);
    return status;
}

// ---- transactions ----

SlStatus sl_store_begin(SlStore *store, SlError *err) {
    if (!store->writing) {
        // where the file system has no shared memory, SQLite stays with its other journal
        SlStatus status =
            sl_store_exec(store, SL_EIO, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", err);
        if (status != SL_OK) return status;
        store->writing = true;
    }
    return sl_store_exec(store, SL_EIO, "BEGIN IMMEDIATE", err);
}

SlStatus sl_store_end(SlStore *store, SlStatus status, SlError *err) {
    if (status == SL_OK) status = sl_store_exec(store, SL_EIO, "COMMIT", err);
    if (status != SL_OK) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

void sl_store_settle(SlStore *store) {
    pthread_mutex_lock(&store->lock);
    sqlite3_exec(store->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    pthread_mutex_unlock(&store->lock);
}

// ---- tables ----

static const char *column_type(SlColumnKind kind) {
    switch (kind) {
    case SL_COLUMN_TEXT:
    case SL_COLUMN_KIND:
        return "TEXT NOT NULL";
    case SL_COLUMN_REASON:
        return "TEXT";
    case SL_COLUMN_INT:
    case SL_COLUMN_INT64:
    case SL_COLUMN_SEED:
        return "INTEGER NOT NULL";
    case SL_COLUMN_REAL:
        return "REAL";
    case SL_COLUMN_CURVE:
    case SL_COLUMN_WINDOWS:
    case SL_COLUMN_TRACE:
        break;
    }
    return "BLOB";
}

static SlStatus make_tables(SlStore *store, SlError *err) {
    SlArena scratch;
    SlText sql;
    sl_arena_init(&scratch, 0);
    sl_text_init(&sql, &scratch);
    sl_text_add(&sql, "CREATE TABLE cells (");
    for (const SlStoreColumn *column = sl_store_columns; column->name; column++)
        sl_text_add(&sql, "\n  %s %s,", column->name, column_type(column->kind));
    sl_text_add(&sql,
                "\n  PRIMARY KEY (key)) STRICT, WITHOUT ROWID;\n"
                "CREATE TABLE timing (\n  key TEXT NOT NULL,\n  seconds REAL NOT NULL,\n"
                "  machine TEXT NOT NULL,\n  finished TEXT NOT NULL,\n  PRIMARY KEY (key)) "
                "STRICT, WITHOUT ROWID;\n"
                "CREATE TABLE texts (\n  name TEXT NOT NULL,\n  text TEXT NOT NULL,\n"
                "  PRIMARY KEY (name)) STRICT, WITHOUT ROWID;\n"
                "PRAGMA application_id=%d;\nPRAGMA user_version=%d",
                APPLICATION, SCHEMA);
    SlStatus status = sql.failed ? sl_fail(err, SL_ENOMEM, "not enough memory for the store")
                                 : sl_store_exec(store, SL_EIO, sql.data, err);
    sl_arena_free(&scratch);
    return status;
}

// what kind of file it is; *fresh: one without anything in it
static SlStatus check_file(SlStore *store, bool *fresh, SlError *err) {
    int64_t application = 0, schema = 0, tables = 0;
    SlStatus status = read_number(store, "PRAGMA application_id", &application, err);
    if (status == SL_OK) status = read_number(store, "PRAGMA user_version", &schema, err);
    if (status == SL_OK)
        status = read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (status != SL_OK) return status;
    *fresh = tables == 0 && application == 0;
    if (*fresh) return SL_OK;
    if (application != APPLICATION)
        return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                          "expected a store of records, found another SQLite file");
    if (schema != SCHEMA)
        return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                          "the store has schema %lld, this program reads %d", (long long)schema,
                          SCHEMA);
    return SL_OK;
}

// another process may be making the same file: look again inside the transaction
static SlStatus make_file(SlStore *store, SlError *err) {
    bool fresh = false;
    SlStatus status = sl_store_begin(store, err);
    if (status != SL_OK) return status;
    status = check_file(store, &fresh, err);
    if (status == SL_OK && fresh) status = make_tables(store, err);
    return sl_store_end(store, status, err);
}

// ---- opening ----

static SlStatus open_file(SlStore *store, bool create, SlError *err) {
    struct stat info;
    bool fresh = false;
    bool there = stat(store->path, &info) == 0;
    if (!there && !create) return sl_fail_at(err, SL_EINPUT, store->path, 0, 0, "no such store");
    if (there && !S_ISREG(info.st_mode))
        return sl_fail_at(err, SL_EINPUT, store->path, 0, 0, "expected a file");
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return sl_store_fail(store, there ? SL_EINPUT : SL_EIO, err);
    sqlite3_busy_timeout(store->db, BUSY_MS);
    sqlite3_extended_result_codes(store->db, 1);
    SlStatus status = check_file(store, &fresh, err);
    if (status != SL_OK || !fresh) return status;
    if (create) return make_file(store, err);
    return sl_fail_at(err, SL_EINPUT, store->path, 0, 0,
                      "expected a store of records, the file is empty");
}

SlStatus sl_store_open(const char *path, bool create, SlStore **store, SlError *err) {
    SlStore *fresh = calloc(1, sizeof *fresh);
    *store = NULL;
    if (!fresh) return sl_fail(err, SL_ENOMEM, "not enough memory for the store");
    pthread_mutex_init(&fresh->lock, NULL);
    SlStatus status = SL_OK;
    if (strlen(path) < sizeof fresh->path && path[0])
        memcpy(fresh->path, path, strlen(path) + 1);
    else
        status = sl_fail(err, SL_EINPUT, "expected the path of a store of 1 to 1023 bytes");
    if (status == SL_OK) status = open_file(fresh, create, err);
    if (status == SL_OK)
        *store = fresh;
    else
        sl_store_close(fresh);
    return status;
}

const char *sl_store_path(const SlStore *store) {
    return store->path;
}

void sl_store_close(SlStore *store) {
    if (!store) return;
    if (store->writing) {
        // at rest it is one file that can be read from anywhere; not while others have it open
        sl_store_settle(store);
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_exec(store->db, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->db);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

// ---- texts ----

static SlStatus write_text(SlStore *store, const char *name, const char *text, SlError *err) {
    sqlite3_stmt *statement = NULL;
    SlStatus status =
        sl_store_prepare(store, "INSERT OR REPLACE INTO texts VALUES (?, ?)", &statement, err);
    if (status != SL_OK) return status;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE) status = sl_store_fail(store, SL_EIO, err);
    sqlite3_finalize(statement);
    return status;
}

SlStatus sl_store_set(SlStore *store, const char *name, const char *text, SlError *err) {
    pthread_mutex_lock(&store->lock);
    SlStatus status = sl_store_begin(store, err);
    if (status == SL_OK) status = sl_store_end(store, write_text(store, name, text, err), err);
    pthread_mutex_unlock(&store->lock);
    return status;
}

static SlStatus read_text(SlStore *store, const char *name, SlArena *arena, const char **text,
                          SlError *err) {
    sqlite3_stmt *statement = NULL;
    SlStatus status =
        sl_store_prepare(store, "SELECT text FROM texts WHERE name = ?", &statement, err);
    if (status != SL_OK) return status;
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(statement, 0);
        *text = found ? sl_arena_text(arena, found, strlen(found)) : NULL;
        if (!*text) status = sl_fail(err, SL_ENOMEM, "not enough memory to read the store");
    } else if (step != SQLITE_DONE) {
        status = sl_store_fail(store, SL_EINPUT, err);
    }
    sqlite3_finalize(statement);
    return status;
}

SlStatus sl_store_get(SlStore *store, const char *name, SlArena *arena, const char **text,
                      SlError *err) {
    *text = NULL;
    pthread_mutex_lock(&store->lock);
    SlStatus status = read_text(store, name, arena, text, err);
    pthread_mutex_unlock(&store->lock);
    return status;
}
