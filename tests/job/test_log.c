// test_log.c - the log of samples reads back as it was written, survives an end at any byte,
// says where it is wrong, and lets a run go on to the same end.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job/log_inside.h"
#include "job_help.h"
#include "support/folder.h"

static const char small_layer[] = "conv:K=32,C=32,P=8,Q=8,R=3,S=3,pad=1";
static const char other_layer[] = "conv:K=64,C=16,P=8,Q=4,R=1,S=1,stride=2";

static Folder folder;

// a path in a folder of this process; valid until the next call
static const char *path_of(const char *name) {
    static char path[TEMP_ROOM];
    if (!folder.dir[0]) folder_make(&folder);
    return folder_path(&folder, name, path);
}

static int remove_folder(void **state) {
    (void)state;
    if (folder.dir[0]) folder_remove(&folder);
    return 0;
}

static SlLog *open_log(const char *path, SlArena *arena) {
    SlLog *log;
    SlError err;
    char text[1024];
    if (sl_log_open(path, arena, &log, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof text, text));
    return log;
}

static void write_text(const char *path, const char *text) {
    assert_int_equal(sl_file_write(path, text, strlen(text), NULL), SL_OK);
}

static char *read_text(const char *path, SlArena *arena) {
    char *text;
    size_t n;
    assert_int_equal(sl_file_read(path, 1 << 30, arena, &text, &n, NULL), SL_OK);
    return text;
}

static SlTask *vta_task(const char *layer, SlArena *arena) {
    Job job = vta_job(layer, SL_HARDWARE_FIXED, "random", 1);
    return job_task(&job, arena);
}

// a run of a method with a log
static SlRecord logged(const char *path, const char *layer, const char *method, int64_t budget,
                       SlArena *arena) {
    Job job = vta_job(layer, SL_HARDWARE_FIXED, method, budget);
    job.run.log = open_log(path, arena);
    SlRecord record = job_run(&job, arena);
    sl_log_close(job.run.log);
    return record;
}

static SlStatus parse_log(const char *path, SlArena *arena, SlLog **log, SlError *err) {
    char *text;
    size_t n;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    assert_int_equal(sl_file_read(path, (size_t)1 << 30, &scratch, &text, &n, err), SL_OK);
    SlStatus status = sl_log_parse(path, text, n, arena, log, err);
    sl_arena_free(&scratch);
    return status;
}

static SlLog *read_log(const char *path, SlArena *arena) {
    SlLog *log;
    SlError err;
    if (parse_log(path, arena, &log, &err) != SL_OK) fail_msg("%s", err.text);
    return log;
}

static void what_was_written_reads_back(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("round");
    logged(path, small_layer, "random", 30, &arena);
    SlRecord record = logged(path, other_layer, "random", 20, &arena);
    SlLog *log = read_log(path, &arena);
    assert_int_equal(sl_log_n_tasks(log), 2);
    const SlLogTask *first = sl_log_task(log, 0), *second = sl_log_task(log, 1);
    assert_int_equal(first->n, 30);
    assert_int_equal(second->n, 20);
    SlTask *task = vta_task(other_layer, &arena);
    assert_ptr_equal(sl_log_find(log, task), second);
    assert_string_equal(second->name, sl_task_name(task));
    assert_ptr_equal(second->kind, &sl_kind_vta);
    assert_true(sl_layer_same(&second->layer, sl_task_layer(task)));
    assert_int_equal(second->vta.core.bus_bits, 64);
    double least = INFINITY;
    for (int64_t i = 0; i < second->n; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlSample again;
        sl_space_at(&second->space, (int64_t)second->entries[i].key, point);
        sl_task_eval(task, 1, point, &again);
        assert_true(again.value == second->entries[i].sample.value);
        assert_int_equal(again.error, second->entries[i].sample.error);
        least = fmin(least, again.value);
        assert_ptr_equal(sl_log_sample(second, task, point), &second->entries[i].sample);
    }
    assert_true(least == record.best.outcome.value);
    sl_arena_free(&arena);
}

static void searches_of_other_chips_are_other_tasks(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("chips");
    SlLog *log = open_log(path, &arena);
    int32_t point[SL_MAX_PARAMS];
    for (int i = 0; i < 2; i++) {
        Job job = vta_job(small_layer, SL_HARDWARE_SEARCH, "random", 1);
        SlSample sample;
        job.vta.budget.macs = i ? 256 : 64;
        SlTask *task = job_task(&job, &arena);
        sl_task_start(task, point);
        sl_task_eval(task, 1, point, &sample);
        assert_int_equal(isfinite(sample.value) != 0, i);
        assert_int_equal(sl_log_add(log, task, point, &sample, "x", 1, NULL), SL_OK);
    }
    sl_log_close(log);
    log = read_log(path, &arena);
    assert_int_equal(sl_log_n_tasks(log), 2);
    assert_int_equal(sl_log_task(log, 0)->vta.budget.macs, 64);
    assert_int_equal(sl_log_task(log, 1)->vta.hardware, SL_HARDWARE_SEARCH);
    sl_arena_free(&arena);
}

static void a_run_with_a_log_is_the_same_as_one_without(void **state) {
    (void)state;
    // those that go by scores need to know how much a point is too large
    static const char *const names[] = {"random", "grid", "autotvm-ga", "draft", "oracle",
                                        "local",  "ga",   "anneal",     "cmaes", "marl-paper"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        SlArena arena;
        sl_arena_init(&arena, 0);
        snprintf(name, sizeof name, "same-%s", names[i]);
        Job job = vta_job(small_layer, SL_HARDWARE_FIXED, names[i], 100);
        SlRecord plain = job_run(&job, &arena);
        SlRecord fresh = logged(path_of(name), small_layer, names[i], 100, &arena);
        assert_same_record(&plain, &fresh);
        assert_int_equal(fresh.replayed, 0);
        SlRecord again = logged(path_of(name), small_layer, names[i], 100, &arena);
        assert_same_record(&plain, &again);
        assert_int_equal(again.replayed, again.samples - again.repeats);
        sl_arena_free(&arena);
    }
}

// cut the log at many bytes, as kill -9 might; going on gives the same record and the same lines
static void a_run_goes_on_from_a_log_that_was_cut_anywhere(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("cut");
    SlRecord whole = logged(path, small_layer, "autotvm-ga", 24, &arena);
    char *text = read_text(path, &arena);
    size_t n = strlen(text);
    for (size_t cut = 0; cut < n; cut += 397) {
        SlArena own;
        sl_arena_init(&own, 0);
        assert_int_equal(sl_file_write(path, text, cut, NULL), SL_OK);
        SlRecord record = logged(path, small_layer, "autotvm-ga", 24, &own);
        assert_same_record(&whole, &record);
        SlLog *log = read_log(path, &own);
        assert_int_equal(sl_log_task(log, 0)->n, 24);
        if (cut > n / 2) assert_in_range(record.replayed, 8, 24);
        sl_arena_free(&own);
    }
    sl_arena_free(&arena);
}

static void a_torn_last_line_is_ignored_and_cut_off(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("torn");
    logged(path, small_layer, "random", 5, &arena);
    char *text = read_text(path, &arena);
    char *torn = sl_arena_alloc(&arena, strlen(text) + 64, 1);
    sprintf(torn, "%s%s", text, "{\"task\": \"vta 1x16x16_i8w8a32_15_15_");
    write_text(path, torn);
    assert_int_equal(sl_log_task(read_log(path, &arena), 0)->n, 5);
    assert_string_equal(read_text(path, &arena), torn);
    SlLog *log = open_log(path, &arena);
    assert_int_equal(sl_log_task(log, 0)->n, 5);
    sl_log_close(log);
    assert_string_equal(read_text(path, &arena), text);
    sl_arena_free(&arena);
}

static void a_longer_run_takes_the_shorter_one_from_the_log(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("longer");
    logged(path, small_layer, "random", 10, &arena);
    SlRecord record = logged(path, small_layer, "random", 25, &arena);
    assert_int_equal(record.samples, 25);
    assert_int_equal(record.replayed, 10);
    sl_arena_free(&arena);
}

typedef struct {
    const char *from, *to; // replaced in a good log
    int line;
    const char *says;
} Wrong;

static char *replaced(const char *text, const Wrong *wrong, SlArena *arena) {
    SlText out;
    const char *at = strstr(text, wrong->from);
    assert_non_null(at);
    sl_text_init(&out, arena);
    sl_text_put(&out, text, (size_t)(at - text));
    sl_text_add(&out, "%s%s", wrong->to, at + strlen(wrong->from));
    return out.data;
}

static void errors_name_the_line(void **state) {
    (void)state;
    static const Wrong wrongs[] = {
        {"tune-log/1", "tune-log/9", 1, "expected \"starling.tune-log/1\""},
        {"\"target\": \"vta\"", "\"target\": \"gpu\"", 1, "vta"},
        {"\"core\": \"1x16", "\"core\": \"x16", 1, "expected BATCHxBLOCK_INxBLOCK_OUT"},
        {"\"timing\": \"tsim\"", "\"timing\": \"tsin\"", 1, "there is no such timing"},
        {"\"bus\": 64", "\"bus\": 65", 1, "64, 128, 256 or 512"},
        {"\"tile_b\": [1]", "\"tile_b\": [2, 1]", 1, "tile_b: expected"},
        {"\"tile_b\": [1]", "\"tile_b\": []", 1, "expected 1 to"},
        {"\"layer\": \"conv:K=32", "\"layer\": \"conv:K=0", 1, "K"},
        {"{\"task\": \"vta ", "{\"task\": \"cpu ", 2, "no line further up"},
        {"\"tile_b\": 1", "\"tile_b\": 3", 2, "tile_b has no value 3"},
        {"\"tile_b\": 1, ", "", 2, "missing key 'tile_b'"},
        {"\"tile_b\": 1", "\"tile_x\": 1, \"tile_b\": 1", 2, "expected the 7 knobs"},
        {"\"spread\": 0", "\"spread\": -1", 2, "spread"},
        {"\"latency_cycles\": ", "\"latency_cycles\": -", 0, "latency_cycles"},
        {"\"error\": 0", "\"error\": 5", 0, "else null"},
        {"}\n{\"task\"", "}\n[1, 2]\n{\"task\"", 2, "expected a line of a measurement log"},
        {"}\n{\"task\"", "}\n{\"task\n{\"task\"", 2, ""},
    };
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("wrong");
    logged(path, small_layer, "random", 12, &arena);
    char *text = read_text(path, &arena);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        SlLog *log = NULL;
        SlError err = {0};
        const char *bad = replaced(text, &wrongs[i], &arena);
        SlStatus status = sl_log_parse("my.log", bad, strlen(bad), &arena, &log, &err);
        if (status != SL_EINPUT) fail_msg("%s was taken", wrongs[i].to);
        assert_string_equal(err.file, "my.log");
        if (wrongs[i].line) assert_int_equal(err.line, wrongs[i].line);
        if (!strstr(err.text, wrongs[i].says))
            fail_msg("'%s' does not say '%s'", err.text, wrongs[i].says);
    }
    sl_arena_free(&arena);
}

static void a_file_that_is_no_log_is_refused_and_stays(void **state) {
    (void)state;
    static const char *const texts[] = {"hello\n", "{\"a\": 1}\n", "{\"task\": \"x\"}\n"};
    for (int i = 0; i < 3; i++) {
        SlArena arena;
        SlLog *log = NULL;
        SlError err;
        sl_arena_init(&arena, 0);
        const char *path = path_of("no-log");
        write_text(path, texts[i]);
        assert_int_equal(sl_log_open(path, &arena, &log, &err), SL_EINPUT);
        assert_int_equal(err.line, 1);
        assert_string_equal(read_text(path, &arena), texts[i]);
        sl_arena_free(&arena);
    }
}

static void a_log_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    SlArena arena;
    SlLog *log;
    SlError err;
    SlRecord record;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_log_open("/no/such/folder/log", &arena, &log, &err), SL_EIO);
    const char *path = path_of("read-alone");
    logged(path, small_layer, "random", 3, &arena);
    Job job = vta_job(small_layer, SL_HARDWARE_FIXED, "random", 4);
    job.run.log = read_log(path, &arena);
    assert_int_equal(job_try(&job, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    job.run.budget.samples = 3; // all there
    assert_int_equal(job_try(&job, NULL, NULL, &arena, &record, &err), SL_OK);
    sl_arena_free(&arena);
}

static void another_process_cannot_write_the_same_log(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("locked");
    SlLog *log = open_log(path, &arena);
    pid_t child = fork();
    if (child == 0) {
        SlLog *mine;
        SlError err;
        SlStatus got = sl_log_open(path, &arena, &mine, &err);
        _exit(got == SL_EINPUT && strstr(err.text, "another run") ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    sl_log_close(log);
    sl_arena_free(&arena);
}

static void log_item(void *context, int item, int worker) {
    static const char *const layers[] = {small_layer, other_layer};
    SlArena arena;
    (void)worker;
    sl_arena_init(&arena, 0);
    Job job = vta_job(layers[item], SL_HARDWARE_FIXED, "random", 60);
    job.run.log = context;
    job_run(&job, &arena);
    sl_arena_free(&arena);
}

static void threads_may_share_a_log(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *path = path_of("shared");
    SlLog *log = open_log(path, &arena);
    SlPool *pool = sl_pool_make(2);
    sl_pool_run(pool, 2, log_item, log);
    sl_pool_free(pool);
    sl_log_close(log);
    log = read_log(path, &arena);
    assert_int_equal(sl_log_n_tasks(log), 2);
    for (int i = 0; i < 2; i++) assert_int_equal(sl_log_task(log, i)->n, 60);
    sl_arena_free(&arena);
}

static void out_of_memory_while_reading_is_an_error(void **state) {
    (void)state;
    SlArena arena;
    int failed = 0;
    sl_arena_init(&arena, 0);
    const char *path = path_of("memory");
    logged(path, small_layer, "random", 200, &arena);
    SlStatus status = SL_ENOMEM;
    for (size_t limit = 1; status != SL_OK; limit += 2999) {
        SlArena own;
        SlLog *log;
        SlError err;
        sl_arena_init(&own, limit);
        status = parse_log(path, &own, &log, &err);
        if (status != SL_OK) assert_int_equal(status, SL_ENOMEM);
        failed += status != SL_OK;
        sl_arena_free(&own);
    }
    assert_in_range(failed, 2, 100);
    sl_arena_free(&arena);
}

// ---- history ----

static void other_tasks_become_a_history(void **state) {
    (void)state;
    SlArena arena;
    SlHistory history;
    SlError err;
    sl_arena_init(&arena, 0);
    const char *path = path_of("history");
    logged(path, small_layer, "random", 40, &arena);
    logged(path, other_layer, "random", 30, &arena);
    SlLog *log = read_log(path, &arena);
    SlTask *task = vta_task(small_layer, &arena), *other = vta_task(other_layer, &arena);
    assert_int_equal(sl_log_history(log, task, 0, &arena, &history, &err), SL_OK);
    // every point of the other task with its features; 0 where there is no program
    const SlLogTask *known = sl_log_find(log, other);
    int at = 0, n = sl_task_n_seen(other, SL_SEE_PROGRAM);
    float best = 0;
    assert_int_equal(history.n_features, n);
    for (int64_t i = 0; i < known->n; i++) {
        int32_t point[SL_MAX_PARAMS];
        float features[SL_MAX_FEATURES];
        sl_space_at(&known->space, (int64_t)known->entries[i].key, point);
        sl_task_see(other, SL_SEE_PROGRAM, point, features);
        assert_memory_equal(features, history.features + (ptrdiff_t)at * n, (size_t)n * 4);
        bool right = known->entries[i].sample.error == SL_KERNEL_OK;
        assert_true(right ? history.labels[at] > 0 : history.labels[at] == 0);
        best = fmaxf(best, history.labels[at++]);
    }
    assert_int_equal(history.n, at);
    assert_true(best == 1);
    // a limit takes the last ones
    assert_int_equal(sl_log_history(log, task, 5, &arena, &history, &err), SL_OK);
    assert_int_equal(history.n, 5);
    // nothing of another kind
    Job cpu = cpu_job("conv:K=8,C=8,P=4,Q=4");
    SlTask *kernel = job_task(&cpu, &arena);
    assert_int_equal(sl_log_history(log, kernel, 0, &arena, &history, &err), SL_OK);
    assert_int_equal(history.n, 0);
    sl_arena_free(&arena);
}

static void logs_may_be_joined(void **state) {
    (void)state;
    SlArena arena;
    SlLog *log;
    sl_arena_init(&arena, 0);
    logged(path_of("a"), small_layer, "random", 10, &arena);
    char *a = read_text(path_of("a"), &arena);
    SlText both;
    sl_text_init(&both, &arena);
    sl_text_add(&both, "%s%s", a, a);
    assert_int_equal(sl_log_parse("both", both.data, both.n, &arena, &log, NULL), SL_OK);
    assert_int_equal(sl_log_n_tasks(log), 1);
    assert_int_equal(sl_log_task(log, 0)->n, 20);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back),
        cmocka_unit_test(searches_of_other_chips_are_other_tasks),
        cmocka_unit_test(a_run_with_a_log_is_the_same_as_one_without),
        cmocka_unit_test(a_run_goes_on_from_a_log_that_was_cut_anywhere),
        cmocka_unit_test(a_torn_last_line_is_ignored_and_cut_off),
        cmocka_unit_test(a_longer_run_takes_the_shorter_one_from_the_log),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(a_file_that_is_no_log_is_refused_and_stays),
        cmocka_unit_test(a_log_that_cannot_be_written_is_an_error),
        cmocka_unit_test(another_process_cannot_write_the_same_log),
        cmocka_unit_test(threads_may_share_a_log),
        cmocka_unit_test(out_of_memory_while_reading_is_an_error),
        cmocka_unit_test(other_tasks_become_a_history),
        cmocka_unit_test(logs_may_be_joined),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
