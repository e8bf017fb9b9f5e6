// tune_log.c - the measurement log in memory and its file: every line is one write, so that an end
// at any time leaves whole lines and at most one that is cut short.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tune_log_inside.h"

enum { FIRST_ROOM = 64, MOST_BYTES = 1 << 30 };

// ---- tasks and entries ----

LogTask *sl_log_named(const SlTuneLog *log, const char *key) {
    for (int i = 0; i < log->n_tasks; i++)
        if (strcmp(log->tasks[i]->shown.key, key) == 0) return log->tasks[i];
    return NULL;
}

bool sl_log_same_knobs(const SlKnobs *a, const SlKnobs *b) {
    bool same = a->n_knobs == b->n_knobs;
    for (int k = 0; k < a->n_knobs && same; k++) {
        const SlKnob *x = &a->knobs[k], *y = &b->knobs[k];
        same = strcmp(x->name, y->name) == 0 && x->n == y->n &&
               memcmp(x->values, y->values, (size_t)x->n * sizeof *x->values) == 0;
    }
    return same;
}

LogTask *sl_log_new_task(SlTuneLog *log, const SlTuneTask *task) {
    if (log->n_tasks == log->room) {
        int room = log->room ? 2 * log->room : FIRST_ROOM;
        LogTask **tasks = SL_NEW(log->arena, room, LogTask *);
        if (!tasks) return NULL;
        if (log->n_tasks) memcpy(tasks, log->tasks, (size_t)log->n_tasks * sizeof *tasks);
        log->tasks = tasks;
        log->room = room;
    }
    LogTask *made = SL_NEW(log->arena, 1, LogTask);
    char *key = sl_arena_text(log->arena, task->key, strlen(task->key));
    if (!made || !key) return NULL;
    made->shown = *task;
    made->shown.key = key;
    made->shown.n = 0;
    made->shown.entries = NULL;
    log->tasks[log->n_tasks++] = made;
    return made;
}

// where an index stands, or the free place where it would
static int64_t slot_of(const LogTask *task, int64_t index) {
    uint64_t hash = (uint64_t)index * UINT64_C(0x9e3779b97f4a7c15);
    int64_t at = (int64_t)(hash >> 32) & (task->n_slots - 1);
    while (task->slots[at] && task->entries[task->slots[at] - 1].index != index)
        at = (at + 1) & (task->n_slots - 1);
    return at;
}

static bool grow(SlTuneLog *log, LogTask *task) {
    int64_t room = task->room ? 2 * task->room : FIRST_ROOM;
    SlTuneEntry *entries = SL_NEW(log->arena, room, SlTuneEntry);
    int32_t *slots = SL_NEW(log->arena, 2 * room, int32_t);
    if (!entries || !slots || room > INT32_MAX / 2) return false;
    if (task->shown.n) memcpy(entries, task->entries, (size_t)task->shown.n * sizeof *entries);
    task->entries = entries;
    task->shown.entries = entries;
    task->room = room;
    task->slots = slots;
    task->n_slots = 2 * room;
    for (int32_t i = 0; i < (int32_t)task->shown.n; i++) {
        int64_t at = slot_of(task, entries[i].index);
        if (!slots[at]) slots[at] = i + 1;
    }
    return true;
}

bool sl_log_new_entry(SlTuneLog *log, LogTask *task, int64_t index, const SlMeasured *measured) {
    if (task->shown.n == task->room && !grow(log, task)) return false;
    task->entries[task->shown.n++] = (SlTuneEntry){.index = index, .measured = *measured};
    int64_t at = slot_of(task, index);
    if (!task->slots[at]) task->slots[at] = (int32_t)task->shown.n;
    return true;
}

int sl_tune_log_n_tasks(const SlTuneLog *log) {
    return log->n_tasks;
}

const SlTuneTask *sl_tune_log_task(const SlTuneLog *log, int i) {
    return &log->tasks[i]->shown;
}

const SlTuneTask *sl_tune_log_find(SlTuneLog *log, const SlTuning *tuning) {
    pthread_mutex_lock(&log->lock);
    const LogTask *task = sl_log_named(log, sl_tuning_key(tuning));
    pthread_mutex_unlock(&log->lock);
    bool same = task && sl_log_same_knobs(&task->shown.knobs, sl_tuning_knobs(tuning));
    return same ? &task->shown : NULL;
}

const SlMeasured *sl_tune_log_measured(const SlTuneLog *log, const SlTuneTask *task,
                                       int64_t index) {
    (void)log;
    const LogTask *own = (const LogTask *)task; // its first member
    if (!own->n_slots) return NULL;
    int32_t entry = own->slots[slot_of(own, index)];
    return entry ? &own->entries[entry - 1].measured : NULL;
}

// ---- reading ----

static SlStatus fail_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

static SlTuneLog *new_log(SlArena *arena, const char *path) {
    SlTuneLog *log = SL_NEW(arena, 1, SlTuneLog);
    char *copy = sl_arena_text(arena, path, strlen(path));
    if (!log || !copy) return NULL;
    *log = (SlTuneLog){.arena = arena, .path = copy, .fd = -1};
    pthread_mutex_init(&log->lock, NULL);
    return log;
}

SlStatus sl_tune_log_parse(const char *name, const char *text, size_t n, SlArena *arena,
                           SlTuneLog **log, SlError *err) {
    SlTuneLog *made = new_log(arena, name);
    if (!made) return fail_memory(err);
    SlStatus status = sl_log_read_lines(made, name, text, n, NULL, err);
    if (status == SL_OK) *log = made;
    return status;
}

SlStatus sl_tune_log_read(const char *path, SlArena *arena, SlTuneLog **log, SlError *err) {
    char *text;
    size_t n;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_file_read(path, MOST_BYTES, &scratch, &text, &n, err);
    if (status == SL_OK) status = sl_tune_log_parse(path, text, n, arena, log, err);
    sl_arena_free(&scratch);
    return status;
}

static SlStatus fail_file(const SlTuneLog *log, SlStatus status, const char *what, SlError *err) {
    return sl_fail_at(err, status, log->path, 0, 0, "%s: %s", what, strerror(errno));
}

// The lock goes when any descriptor of the file is closed, so the file is read by this one.
static SlStatus read_all(SlTuneLog *log, SlArena *scratch, char **text, size_t *n, SlError *err) {
    struct stat state;
    if (fstat(log->fd, &state) != 0) return fail_file(log, SL_EINPUT, "cannot be read", err);
    if (!S_ISREG(state.st_mode))
        return sl_fail_at(err, SL_EINPUT, log->path, 0, 0, "expected a file to write to");
    if (state.st_size > MOST_BYTES)
        return sl_fail_at(err, SL_EINPUT, log->path, 0, 0, "the log has more than 1 GiB");
    *text = SL_NEW(scratch, state.st_size + 1, char);
    if (!*text) return fail_memory(err);
    for (*n = 0; *n < (size_t)state.st_size;) {
        ssize_t got = read(log->fd, *text + *n, (size_t)state.st_size - *n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_file(log, SL_EINPUT, "cannot be read", err);
        if (got == 0) break;
        *n += (size_t)got;
    }
    return SL_OK;
}

static SlStatus lock(const SlTuneLog *log, SlError *err) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(log->fd, F_SETLK, &whole) == 0) return SL_OK;
    if (errno != EACCES && errno != EAGAIN) return SL_OK; // a file system without locks
    return sl_fail_at(err, SL_EINPUT, log->path, 0, 0, "another run is writing this log");
}

// what was written before; a last line that was cut short goes
static SlStatus take_over(SlTuneLog *log, SlError *err) {
    SlArena scratch;
    char *text = NULL;
    size_t n = 0, whole = 0;
    sl_arena_init(&scratch, 0);
    SlStatus status = lock(log, err);
    if (status == SL_OK) status = read_all(log, &scratch, &text, &n, err);
    if (status == SL_OK) status = sl_log_read_lines(log, log->path, text, n, &whole, err);
    sl_arena_free(&scratch);
    if (status != SL_OK) return status;
    log->bytes = (int64_t)whole;
    if (whole < n && ftruncate(log->fd, (off_t)whole) != 0)
        return fail_file(log, SL_EIO, "cannot be cut", err);
    return SL_OK;
}

SlStatus sl_tune_log_open(const char *path, SlArena *arena, SlTuneLog **log, SlError *err) {
    SlTuneLog *made = new_log(arena, path);
    if (!made) return fail_memory(err);
    made->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (made->fd < 0) return fail_file(made, SL_EIO, "cannot be written", err);
    SlStatus status = take_over(made, err);
    if (status == SL_OK)
        *log = made;
    else
        sl_tune_log_close(made);
    return status;
}

void sl_tune_log_close(SlTuneLog *log) {
    if (!log || log->fd < 0) return;
    close(log->fd);
    log->fd = -1;
}

// ---- writing ----

// one write; what came of a short one is taken back
static SlStatus put_line(SlTuneLog *log, const SlText *line, SlError *err) {
    ssize_t put;
    do {
        put = write(log->fd, line->data, line->n);
    } while (put < 0 && errno == EINTR);
    if (put == (ssize_t)line->n) {
        log->bytes += put;
        return SL_OK;
    }
    if (put >= 0) errno = ENOSPC;
    SlStatus status = fail_file(log, SL_EIO, "cannot be written", err);
    if (put > 0 && ftruncate(log->fd, (off_t)log->bytes) != 0) return status;
    return status;
}

static SlStatus begin_task(SlTuneLog *log, const SlTuning *tuning, LogTask **task, SlError *err) {
    const SlTuningSetup *setup = sl_tuning_setup(tuning);
    if (setup->target == SL_TARGET_VTA && !sl_vta_timing(setup->core.timing.name))
        return sl_fail(err, SL_EINPUT,
                       "a log names timings, and '%.40s' is none of those there are",
                       setup->core.timing.name);
    SlTuneTask shown = {
        .key = sl_tuning_key(tuning), .setup = *setup, .knobs = *sl_tuning_knobs(tuning)};
    shown.setup.bench = NULL;
    *task = sl_log_new_task(log, &shown);
    if (!*task) return fail_memory(err);
    size_t mark = sl_arena_mark(log->arena);
    SlText line;
    sl_text_init(&line, log->arena);
    sl_log_write_task(&shown, &line);
    SlStatus status = line.failed ? fail_memory(err) : put_line(log, &line, err);
    sl_arena_rewind(log->arena, mark);
    return status;
}

static SlStatus add_line(SlTuneLog *log, const SlTuning *tuning, const int32_t *point,
                         const LogLine *line, SlError *err) {
    SlStatus status = SL_OK;
    LogTask *task = sl_log_named(log, sl_tuning_key(tuning));
    if (!task) status = begin_task(log, tuning, &task, err);
    if (status != SL_OK || !task) return status;
    if (!sl_log_same_knobs(&task->shown.knobs, sl_tuning_knobs(tuning)))
        return sl_fail_at(err, SL_EINPUT, log->path, 0, 0,
                          "was written by another version, whose knobs of this layer had other "
                          "values: choose another log");
    size_t mark = sl_arena_mark(log->arena);
    SlText text;
    sl_text_init(&text, log->arena);
    sl_log_write_entry(&task->shown, point, line, &text);
    status = text.failed ? fail_memory(err) : put_line(log, &text, err);
    sl_arena_rewind(log->arena, mark);
    if (status != SL_OK) return status;
    int64_t index = sl_knobs_index(sl_tuning_knobs(tuning), point);
    bool kept = sl_log_new_entry(log, task, index, line->measured);
    return kept ? SL_OK : fail_memory(err);
}

SlStatus sl_tune_log_add(SlTuneLog *log, const SlTuning *tuning, const int32_t *point,
                         const SlMeasured *measured, const char *method, uint64_t seed,
                         SlError *err) {
    LogLine line = {measured, method, seed, (int64_t)time(NULL)};
    if (log->fd < 0) return sl_fail(err, SL_EINPUT, "the log was opened to be read alone");
    pthread_mutex_lock(&log->lock);
    SlStatus status = add_line(log, tuning, point, &line, err);
    pthread_mutex_unlock(&log->lock);
    return status;
}
