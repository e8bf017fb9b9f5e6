// test_store.c - records go into a store and come back as they were; bad files are refused.
#include "support/check.h"

#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/store_inside.h"
#include "support/store_help.h"

static const SlCurvePoint curve[] = {{1, 3.5e12}, {7, 0x1.123456789abcdp-3}, {20000, 1e-300}};
static const SlWindow windows[] = {{10, 0}, {20, 1.25e-9}};
static const float trace[] = {0, 1, 0.25F, 0.5F, 1.0F / 3, 0.75F};

static SlCellRecord full_record(const char *key) {
    return (SlCellRecord){.key = key,
                          .fingerprint = "0123456789abcdef",
                          .kind = SL_CELL_RUN,
                          .task = "t\xC3\xA4sk 'quoted'; DROP TABLE cells",
                          .layer = "l",
                          .workload = "conv:K=1",
                          .accel = "eyeriss",
                          .objective = "edp",
                          .space = "native",
                          .row = "marl, \"no\" critic",
                          .method = "marl",
                          .settings = "{}",
                          .n_agents = 6,
                          .seed = UINT64_C(9000000000000000),
                          .budget = 20000,
                          .version = "0.1.0",
                          .value = 1.0 / 3,
                          .floor = NAN,
                          .latency_cycles = 4096,
                          .energy_pj = 1e300,
                          .area_um2 = 5e-324,
                          .power_mw = INFINITY,
                          .samples = 20000,
                          .found_at = 7,
                          .assign_samples = 2000,
                          .stopped = "samples",
                          .mapping = "C:1 @7 K:1",
                          .n_curve = 3,
                          .n_windows = 2,
                          .n_params = 3,
                          .curve = curve,
                          .windows = windows,
                          .trace = trace,
                          .detail = "{\"a\": 1}",
                          .seconds = 1.5,
                          .machine = "a machine",
                          .finished = "2026-01-31T23:59:59Z"};
}

// nothing but what every record has
static SlCellRecord bare_record(const char *key) {
    SlCellRecord record = full_record(key);
    record.kind = SL_CELL_SPACE;
    record.n_curve = record.n_windows = 0;
    record.curve = NULL;
    record.windows = NULL;
    record.trace = NULL;
    record.reason = "it is broken";
    record.detail = record.mapping = record.row = "";
    return record;
}

static void put(SlStore *store, const SlCellRecord *record) {
    SlError err = {0};
    if (sl_store_put(store, record, &err) != SL_OK) fail_msg("%s", err.text);
}

// SQL on a closed store, as a vandal would
static void vandalise(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

typedef struct {
    Folder folder;
    char path[TEMP_ROOM], other[TEMP_ROOM];
    SlArena arena;
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    folder_make(&fixture.folder);
    folder_path(&fixture.folder, "a.study", fixture.path);
    folder_path(&fixture.folder, "b.study", fixture.other);
    sl_arena_init(&fixture.arena, 0);
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    Fixture *fixture = *state;
    sl_arena_free(&fixture->arena);
    folder_remove(&fixture->folder);
    return 0;
}

static void records_come_back_as_they_were(void **state) {
    Fixture *fixture = *state;
    SlCellRecord full = full_record("run/b"), bare = bare_record("run/a"), *records = NULL;
    SlStore *store = open_store(fixture->path);
    int n = 0;
    put(store, &full);
    put(store, &bare);
    sl_store_close(store);
    assert_int_equal(sl_store_open(fixture->path, false, &store, NULL), SL_OK);
    assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, NULL), SL_OK);
    assert_int_equal(n, 2);
    assert_string_equal(records[0].key, "run/a"); // in the order of keys
    assert_true(sl_record_same(&records[0], &bare));
    assert_true(sl_record_same(&records[1], &full));
    assert_false(sl_record_same(&records[0], &full));
    // and in words, where sl_record_same might be blind
    const SlCellRecord *back = &records[1];
    assert_string_equal(back->task, full.task);
    assert_true(back->seed == full.seed);
    assert_true(isnan(back->floor) && isinf(back->power_mw));
    assert_memory_equal(back->curve, curve, sizeof curve);
    assert_memory_equal(back->windows, windows, sizeof windows);
    assert_memory_equal(back->trace, trace, sizeof trace);
    assert_null(back->reason);
    assert_string_equal(records[0].reason, "it is broken");
    assert_true(back->seconds == 1.5);
    assert_string_equal(back->machine, "a machine");
    assert_string_equal(back->finished, full.finished);
    sl_store_close(store);
}

static void a_closed_store_is_one_file(void **state) {
    Fixture *fixture = *state;
    SlCellRecord full = full_record("run/b");
    struct stat info;
    char log[TEMP_ROOM + 8];
    SlStore *store = open_store(fixture->path);
    put(store, &full);
    sl_store_close(store);
    snprintf(log, sizeof log, "%s-wal", fixture->path);
    assert_int_not_equal(stat(log, &info), 0);
    // and can be read where nothing may be written: it does not ask for a log (its bytes 18 and 19)
    char *bytes = NULL;
    size_t n = 0;
    assert_int_equal(sl_file_read(fixture->path, 1 << 20, &fixture->arena, &bytes, &n, NULL),
                     SL_OK);
    assert_true(bytes[18] == 1 && bytes[19] == 1);
    assert_int_equal(chmod(fixture->path, 0444), 0);
    assert_int_equal(sl_store_open(fixture->path, false, &store, NULL), SL_OK);
    uint64_t digest = 0;
    assert_int_equal(sl_store_digest(store, &digest, NULL), SL_OK);
    sl_store_close(store);
}

static void a_record_takes_the_place_of_an_older_one(void **state) {
    Fixture *fixture = *state;
    SlCellRecord record = full_record("run/b"), *records = NULL;
    SlStore *store = open_store(fixture->path);
    int n = 0;
    put(store, &record);
    record.value = 5;
    record.n_curve = 1;
    put(store, &record);
    assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, NULL), SL_OK);
    assert_int_equal(n, 1);
    assert_true(records[0].value == 5);
    assert_int_equal(records[0].n_curve, 1);
    sl_store_close(store);
}

static void texts_are_kept_by_name(void **state) {
    Fixture *fixture = *state;
    const char *text = "x";
    SlStore *store = open_store(fixture->path);
    assert_int_equal(sl_store_get(store, "plan", &fixture->arena, &text, NULL), SL_OK);
    assert_null(text);
    assert_int_equal(sl_store_set(store, "plan", "old", NULL), SL_OK);
    assert_int_equal(sl_store_set(store, "plan", "study: a\n# \xE2\x9C\x93\n", NULL), SL_OK);
    sl_store_close(store);
    store = open_store(fixture->path);
    assert_int_equal(sl_store_get(store, "plan", &fixture->arena, &text, NULL), SL_OK);
    assert_string_equal(text, "study: a\n# \xE2\x9C\x93\n");
    sl_store_close(store);
}

static void the_example_of_the_documentation_reads_a_store(void **state) {
    static const char expected[] = "run/a\t1\t3500000000000.0\n"
                                   "run/a\t7\t0.13388888888888886\n"
                                   "run/a\t20000\t1e-300\n";
    Fixture *fixture = *state;
    SlCellRecord full = full_record("run/a"), bare = bare_record("run/b");
    char command[2 * TEMP_ROOM + 256], out[sizeof expected + 64];
    SlStore *store = open_store(fixture->path);
    put(store, &full);
    put(store, &bare);
    sl_store_close(store);
    snprintf(command, sizeof command, "python3 '%s' '%s' '%s'",
             SL_SOURCE_DIR "/tests/study/store_doc.py", SL_SOURCE_DIR "/docs/formats/store.md",
             fixture->path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = fread(out, 1, sizeof out - 1, pipe);
    out[n] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(out, expected);
}

// ---- many threads ----

enum { THREADS = 4, EACH = 25 };

typedef struct {
    SlStore *store;
    int number;
} Putter;

static void *put_many(void *context) {
    const Putter *putter = context;
    for (int i = 0; i < EACH; i++) {
        char key[32];
        snprintf(key, sizeof key, "run/%d/%d", putter->number, i);
        SlCellRecord record = full_record(key);
        if (sl_store_put(putter->store, &record, NULL) != SL_OK) return "failed";
    }
    return NULL;
}

static void many_threads_may_put_records(void **state) {
    Fixture *fixture = *state;
    SlStore *store = open_store(fixture->path);
    pthread_t threads[THREADS];
    Putter putters[THREADS];
    SlCellRecord *records = NULL;
    int n = 0;
    for (int t = 0; t < THREADS; t++) {
        putters[t] = (Putter){store, t};
        assert_int_equal(pthread_create(&threads[t], NULL, put_many, &putters[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        void *failed = NULL;
        pthread_join(threads[t], &failed);
        assert_null(failed);
    }
    assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, NULL), SL_OK);
    assert_int_equal(n, THREADS * EACH);
    sl_store_close(store);
}

// ---- other files ----

static void expect_refused(const char *path, bool create, const char *sentence) {
    SlStore *store = NULL;
    SlError err = {0};
    assert_int_equal(sl_store_open(path, create, &store, &err), SL_EINPUT);
    assert_null(store);
    if (!strstr(err.text, sentence)) fail_msg("%s", err.text);
    assert_string_equal(err.file, path);
}

static void files_that_are_no_stores_are_refused_and_left_alone(void **state) {
    Fixture *fixture = *state;
    char text[4096];
    char *back = NULL;
    size_t n = 0;
    expect_refused(fixture->path, false, "no such store");
    expect_refused(fixture->folder.dir, false, "expected a file");
    memset(text, 'x', sizeof text);
    assert_int_equal(sl_file_write(fixture->path, text, sizeof text, NULL), SL_OK);
    expect_refused(fixture->path, true, "expected a store of records");
    assert_int_equal(sl_file_read(fixture->path, 1 << 20, &fixture->arena, &back, &n, NULL), SL_OK);
    assert_memory_equal(back, text, sizeof text);
    assert_int_equal(sl_file_write(fixture->path, "", 0, NULL), SL_OK);
    expect_refused(fixture->path, false, "the file is empty");
    vandalise(fixture->other, "CREATE TABLE people (name TEXT)");
    expect_refused(fixture->other, true, "another SQLite file");
}

static void a_store_of_another_schema_is_refused(void **state) {
    Fixture *fixture = *state;
    sl_store_close(open_store(fixture->path));
    vandalise(fixture->path, "PRAGMA user_version=7");
    expect_refused(fixture->path, true, "the store has schema 7, this program reads 1");
}

typedef struct {
    const char *sql, *sentence;
} Damage;

static void damage_is_named_never_a_crash(void **state) {
    static const Damage damages[] = {
        {"UPDATE cells SET curve = NULL", "'curve' of 'run/b': it is missing"},
        {"UPDATE cells SET curve = x'00'", "'curve' of 'run/b': it does not unpack"},
        {"UPDATE cells SET n_curve = 2", "'curve' of 'run/b': it does not unpack"},
        {"UPDATE cells SET n_curve = 4", "'curve' of 'run/b': it does not unpack"},
        {"UPDATE cells SET n_curve = 0", "'curve' of 'run/b': it should be empty"},
        {"UPDATE cells SET n_curve = 100000000", "'curve' of 'run/b': it is too short"},
        {"UPDATE cells SET n_curve = -1", "'n_curve' of 'run/b': it is no count"},
        {"UPDATE cells SET n_params = 1 << 40", "'n_params' of 'run/b': it is no count"},
        {"UPDATE cells SET windows = substr(windows, 1, 10)", "'windows' of 'run/b'"},
        {"UPDATE cells SET trace = curve", "'trace' of 'run/b'"},
        {"UPDATE cells SET windows = curve, n_windows = 3", "'trace' of 'run/b'"},
        {"UPDATE cells SET kind = 'walk'", "'kind' of 'run/b': there is no such kind"},
        {"UPDATE cells SET mapping = 'a' || char(0) || 'b'", "'mapping' of 'run/b'"},
        {"UPDATE cells SET samples = -1", "'samples' of 'run/b'"},
        {"ALTER TABLE cells RENAME COLUMN value TO worth", "no such column"},
        {"DROP TABLE cells", "no such table"},
    };
    Fixture *fixture = *state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        SlCellRecord record = full_record("run/b"), *records = NULL;
        SlError err = {0};
        int n = 0;
        SlStore *store = open_store(fixture->path);
        put(store, &record);
        sl_store_close(store);
        vandalise(fixture->path, damages[i].sql);
        store = open_store(fixture->path);
        assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, &err), SL_EINPUT);
        if (!strstr(err.text, damages[i].sentence)) fail_msg("%s: %s", damages[i].sql, err.text);
        sl_store_close(store);
        assert_int_equal(unlink(fixture->path), 0);
    }
}

static void a_file_with_torn_pages_is_refused(void **state) {
    Fixture *fixture = *state;
    char *bytes = NULL;
    size_t n = 0;
    int n_refused = 0;
    SlStore *store = open_store(fixture->path);
    for (int i = 0; i < 40; i++) {
        char key[32];
        snprintf(key, sizeof key, "run/%d", i);
        SlCellRecord record = full_record(key);
        put(store, &record);
    }
    sl_store_close(store);
    assert_int_equal(sl_file_read(fixture->path, 1 << 24, &fixture->arena, &bytes, &n, NULL),
                     SL_OK);
    for (size_t at = 100; at < n; at += n / 37) {
        char *torn = sl_arena_text(&fixture->arena, bytes, n);
        SlCellRecord *records = NULL;
        SlError err = {0};
        int n_records = 0;
        memset(torn + at, 0xA5, n - at < 512 ? n - at : 512);
        assert_int_equal(sl_file_write(fixture->path, torn, n, NULL), SL_OK);
        SlStatus status = sl_store_open(fixture->path, false, &store, &err);
        if (status == SL_OK)
            status = sl_store_cells(store, &fixture->arena, &n_records, &records, &err);
        assert_true(status == SL_OK || err.text[0] != '\0');
        n_refused += status != SL_OK;
        sl_store_close(store);
        store = NULL;
    }
    assert_true(n_refused > 5);
}

// ---- merge and digest ----

static void a_merge_takes_what_is_new(void **state) {
    Fixture *fixture = *state;
    SlCellRecord a = full_record("run/a"), b = full_record("run/b"), c = full_record("run/c");
    SlCellRecord *records = NULL;
    SlStore *store = open_store(fixture->path), *from = open_store(fixture->other);
    int n = 0, n_new = 0;
    put(store, &a);
    put(store, &b);
    b.seconds = 99; // times may differ
    b.machine = "another";
    put(from, &b);
    put(from, &c);
    assert_int_equal(sl_store_merge(store, from, &n_new, NULL), SL_OK);
    assert_int_equal(n_new, 1);
    assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, NULL), SL_OK);
    assert_int_equal(n, 3);
    assert_true(records[1].seconds == 1.5); // ours stayed
    assert_true(sl_record_same(&records[2], &c));
    assert_int_equal(sl_store_merge(store, from, &n_new, NULL), SL_OK);
    assert_int_equal(n_new, 0);
    sl_store_close(from);
    sl_store_close(store);
}

static void a_merge_with_a_conflict_changes_nothing(void **state) {
    Fixture *fixture = *state;
    SlCellRecord a = full_record("run/a"), b = full_record("run/b");
    SlError err = {0};
    SlStore *store = open_store(fixture->path), *from = open_store(fixture->other);
    uint64_t before = 0, after = 0;
    int n_new = 7;
    put(store, &b);
    put(from, &a);
    b.value = nextafter(b.value, 1);
    put(from, &b);
    assert_int_equal(sl_store_digest(store, &before, NULL), SL_OK);
    assert_int_equal(sl_store_merge(store, from, &n_new, &err), SL_EINPUT);
    assert_string_equal(err.text, "both stores hold 'run/b', with different results");
    b.fingerprint = "fedcba9876543210";
    put(from, &b);
    assert_int_equal(sl_store_merge(store, from, &n_new, &err), SL_EINPUT);
    assert_memory_equal(err.text, "both stores hold 'run/b', of different plans or versions (", 57);
    assert_int_equal(n_new, 0);
    assert_int_equal(sl_store_digest(store, &after, NULL), SL_OK);
    assert_true(before == after);
    sl_store_close(from);
    sl_store_close(store);
}

static void a_whole_record_takes_the_place_of_a_broken_one(void **state) {
    Fixture *fixture = *state;
    SlCellRecord good = full_record("run/a"), broken = bare_record("run/a"), *records = NULL;
    SlStore *store = open_store(fixture->path), *from = open_store(fixture->other);
    int n = 0, n_new = 0;
    put(store, &broken);
    put(from, &good);
    assert_int_equal(sl_store_merge(store, from, &n_new, NULL), SL_OK);
    assert_int_equal(n_new, 1);
    put(from, &broken); // and not the other way round
    assert_int_equal(sl_store_merge(store, from, &n_new, NULL), SL_OK);
    assert_int_equal(n_new, 0);
    assert_int_equal(sl_store_cells(store, &fixture->arena, &n, &records, NULL), SL_OK);
    assert_true(n == 1 && sl_record_same(&records[0], &good));
    sl_store_close(from);
    sl_store_close(store);
}

static uint64_t digest_of_one(const Fixture *fixture, const SlCellRecord *record) {
    SlStore *store = open_store(fixture->path);
    uint64_t digest = 0;
    put(store, record);
    assert_int_equal(sl_store_digest(store, &digest, NULL), SL_OK);
    sl_store_close(store);
    return digest;
}

static void the_digest_sees_results_and_not_times(void **state) {
    Fixture *fixture = *state;
    SlCellRecord record = full_record("run/a");
    uint64_t digest = digest_of_one(fixture, &record);
    record.seconds = 77;
    record.machine = "another";
    record.finished = "";
    assert_true(digest_of_one(fixture, &record) == digest);
    // any column that is changed is seen
    SlCurvePoint bent[3];
    SlWindow moved[2];
    float other[6];
    memcpy(bent, curve, sizeof bent);
    memcpy(moved, windows, sizeof moved);
    memcpy(other, trace, sizeof other);
    bent[1].value = 2;
    moved[1].last++;
    other[5] = 0;
    SlCellRecord changed[6];
    for (int i = 0; i < 6; i++) changed[i] = full_record("run/a");
    changed[0].curve = bent;
    changed[1].windows = moved;
    changed[2].trace = other;
    changed[3].reason = "";
    changed[4].floor = 0;
    changed[5].n_agents++;
    for (int i = 0; i < 6; i++) assert_true(digest_of_one(fixture, &changed[i]) != digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_come_back_as_they_were, begin, end),
        cmocka_unit_test_setup_teardown(a_closed_store_is_one_file, begin, end),
        cmocka_unit_test_setup_teardown(a_record_takes_the_place_of_an_older_one, begin, end),
        cmocka_unit_test_setup_teardown(texts_are_kept_by_name, begin, end),
        cmocka_unit_test_setup_teardown(the_example_of_the_documentation_reads_a_store, begin, end),
        cmocka_unit_test_setup_teardown(many_threads_may_put_records, begin, end),
        cmocka_unit_test_setup_teardown(files_that_are_no_stores_are_refused_and_left_alone, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_store_of_another_schema_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(damage_is_named_never_a_crash, begin, end),
        cmocka_unit_test_setup_teardown(a_file_with_torn_pages_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_merge_takes_what_is_new, begin, end),
        cmocka_unit_test_setup_teardown(a_merge_with_a_conflict_changes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_whole_record_takes_the_place_of_a_broken_one, begin, end),
        cmocka_unit_test_setup_teardown(the_digest_sees_results_and_not_times, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
