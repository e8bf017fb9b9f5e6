// log.c - the log of samples in memory and its file: every line is one write, so that an end
// at any time leaves whole lines and at most one that is cut short.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log_inside.h"

enum { FIRST_ROOM = 64, MOST_BYTES = 1 << 30 };

// ---- tasks and entries ----

LogTask *sl_log_named(const SlLog *log, const char *name) {
    for (int i = 0; i < log->n_tasks; i++)
        if (strcmp(log->tasks[i]->shown.name, name) == 0) return log->tasks[i];
    return NULL;
}

bool sl_log_has_values(const SlTaskKind *kind) {
    return kind == &sl_kind_vta || kind == &sl_kind_cpu;
}

bool sl_log_same_space(const SlTaskKind *kind, const SlSpace *a, const SlSpace *b) {
    bool same = a->n_params == b->n_params && a->params && b->params;
    for (int k = 0; k < a->n_params && same; k++) {
        const SlParam *x = &a->params[k], *y = &b->params[k];
        same = strcmp(x->name, y->name) == 0 && x->n == y->n;
        if (same && sl_log_has_values(kind))
            same = x->sizes && y->sizes &&
                   memcmp(x->sizes, y->sizes, (size_t)x->n * sizeof *x->sizes) == 0;
    }
    return same;
}

uint64_t sl_log_key(const SlSpace *space, const int32_t *point) {
    if (space->n_points > 0) return (uint64_t)sl_space_index(space, point);
    uint64_t key = SL_FNV_START;
    for (int i = 0; i < space->n_params; i++) key = sl_fnv_add(key, (uint32_t)point[i]);
    return key;
}

LogTask *sl_log_new_task(SlLog *log, const SlLogTask *task) {
    if (log->n_tasks == log->room) {
        int room = log->room ? 2 * log->room : FIRST_ROOM;
        LogTask **tasks = SL_NEW(log->arena, room, LogTask *);
        if (!tasks) return NULL;
        if (log->n_tasks) memcpy(tasks, log->tasks, (size_t)log->n_tasks * sizeof *tasks);
        log->tasks = tasks;
        log->room = room;
    }
    LogTask *made = SL_NEW(log->arena, 1, LogTask);
    char *name = sl_arena_text(log->arena, task->name, strlen(task->name));
    if (!made || !name) return NULL;
    made->shown = *task;
    made->shown.name = name;
    made->shown.n = 0;
    made->shown.entries = NULL;
    log->tasks[log->n_tasks++] = made;
    return made;
}

// where a key stands, or the free place where it would
static int64_t slot_of(const LogTask *task, uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    int64_t at = (int64_t)(hash >> 32) & (task->n_slots - 1);
    while (task->slots[at] && task->entries[task->slots[at] - 1].key != key)
        at = (at + 1) & (task->n_slots - 1);
    return at;
}

static bool grow(SlLog *log, LogTask *task) {
    int64_t room = task->room ? 2 * task->room : FIRST_ROOM;
    SlLogEntry *entries = SL_NEW(log->arena, room, SlLogEntry);
    int32_t *slots = SL_NEW(log->arena, 2 * room, int32_t);
    if (!entries || !slots || room > INT32_MAX / 2) return false;
    if (task->shown.n) memcpy(entries, task->entries, (size_t)task->shown.n * sizeof *entries);
    task->entries = entries;
    task->shown.entries = entries;
    task->room = room;
    task->slots = slots;
    task->n_slots = 2 * room;
    for (int32_t i = 0; i < (int32_t)task->shown.n; i++) {
        int64_t at = slot_of(task, entries[i].key);
        if (!slots[at]) slots[at] = i + 1;
    }
    return true;
}

bool sl_log_new_entry(SlLog *log, LogTask *task, uint64_t key, const SlSample *sample) {
    if (task->shown.n == task->room && !grow(log, task)) return false;
    task->entries[task->shown.n++] = (SlLogEntry){.key = key, .sample = *sample};
    int64_t at = slot_of(task, key);
    if (!task->slots[at]) task->slots[at] = (int32_t)task->shown.n;
    return true;
}

int sl_log_n_tasks(const SlLog *log) {
    return log->n_tasks;
}

const SlLogTask *sl_log_task(const SlLog *log, int i) {
    return &log->tasks[i]->shown;
}

const SlLogTask *sl_log_find(SlLog *log, const SlTask *task) {
    pthread_mutex_lock(&log->lock);
    const LogTask *known = sl_log_named(log, sl_task_name(task));
    pthread_mutex_unlock(&log->lock);
    bool same =
        known && sl_log_same_space(sl_task_kind(task), &known->shown.space, sl_task_space(task));
    return same ? &known->shown : NULL;
}

const SlSample *sl_log_sample(const SlLogTask *known, const SlTask *task, const int32_t *point) {
    const LogTask *own = (const LogTask *)known; // its first member
    if (!own->n_slots) return NULL;
    int32_t entry = own->slots[slot_of(own, sl_log_key(sl_task_space(task), point))];
    return entry ? &own->entries[entry - 1].sample : NULL;
}

// ---- reading ----

static SlStatus fail_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

static SlLog *new_log(SlArena *arena, const char *path) {
    SlLog *log = SL_NEW(arena, 1, SlLog);
    char *copy = sl_arena_text(arena, path, strlen(path));
    if (!log || !copy) return NULL;
    *log = (SlLog){.arena = arena, .path = copy, .fd = -1};
    pthread_mutex_init(&log->lock, NULL);
    return log;
}

SlStatus sl_log_parse(const char *name, const char *text, size_t n, SlArena *arena, SlLog **log,
                      SlError *err) {
    SlLog *made = new_log(arena, name);
    if (!made) return fail_memory(err);
    SlStatus status = sl_log_read_lines(made, name, text, n, NULL, err);
    if (status == SL_OK) *log = made;
    return status;
}

static SlStatus fail_file(const SlLog *log, SlStatus status, const char *what, SlError *err) {
    return sl_fail_at(err, status, log->path, 0, 0, "%s: %s", what, strerror(errno));
}

// The lock goes when any descriptor of the file is closed, so the file is read by this one.
static SlStatus read_all(SlLog *log, SlArena *scratch, char **text, size_t *n, SlError *err) {
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

static SlStatus lock(const SlLog *log, SlError *err) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(log->fd, F_SETLK, &whole) == 0) return SL_OK;
    if (errno != EACCES && errno != EAGAIN) return SL_OK; // a file system without locks
    return sl_fail_at(err, SL_EINPUT, log->path, 0, 0, "another run is writing this log");
}

// what was written before; a last line that was cut short goes
static SlStatus take_over(SlLog *log, SlError *err) {
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

SlStatus sl_log_open(const char *path, SlArena *arena, SlLog **log, SlError *err) {
    SlLog *made = new_log(arena, path);
    if (!made) return fail_memory(err);
    made->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (made->fd < 0) return fail_file(made, SL_EIO, "cannot be written", err);
    SlStatus status = take_over(made, err);
    if (status == SL_OK)
        *log = made;
    else
        sl_log_close(made);
    return status;
}

void sl_log_close(SlLog *log) {
    if (!log || log->fd < 0) return;
    close(log->fd);
    log->fd = -1;
}

// ---- writing ----

// one write; what came of a short one is taken back
static SlStatus put_line(SlLog *log, const SlText *line, SlError *err) {
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

// a copy of names and numbers of values, and of the values where they are kept
static bool copy_space(const SlTaskKind *kind, const SlSpace *from, SlArena *arena, SlSpace *to) {
    *to = *from;
    to->layer = NULL;
    to->accel = NULL;
    to->params = SL_NEW(arena, from->n_params, SlParam);
    for (int i = 0; to->params && i < from->n_params; i++) {
        SlParam *param = &to->params[i];
        *param = from->params[i];
        param->labels = NULL;
        param->sizes = NULL;
        if (!sl_log_has_values(kind)) continue;
        int64_t *sizes = SL_NEW(arena, param->n, int64_t);
        if (!sizes) return false;
        memcpy(sizes, from->params[i].sizes, (size_t)param->n * sizeof *sizes);
        param->sizes = sizes;
    }
    return to->params;
}

static SlStatus describe(SlLog *log, const SlTask *task, SlLogTask *shown, SlError *err) {
    *shown = (SlLogTask){.name = sl_task_name(task), .kind = sl_task_kind(task)};
    if (sl_log_has_values(shown->kind)) shown->layer = *sl_task_layer(task);
    if (shown->kind == &sl_kind_vta) shown->vta = *sl_task_vta_options(task);
    if (shown->kind == &sl_kind_cpu) shown->cpu = *sl_task_cpu_options(task);
    shown->cpu.bench = NULL;
    if (shown->kind == &sl_kind_vta && !sl_vta_timing(shown->vta.core.timing.name))
        return sl_fail(err, SL_EINPUT, "unknown timing '%.40s' in the log",
                       shown->vta.core.timing.name);
    bool copied = copy_space(shown->kind, sl_task_space(task), log->arena, &shown->space);
    return copied ? SL_OK : fail_memory(err);
}

static SlStatus begin_task(SlLog *log, const SlTask *task, LogTask **made, SlError *err) {
    SlLogTask shown;
    SlStatus status = describe(log, task, &shown, err);
    if (status != SL_OK) return status;
    *made = sl_log_new_task(log, &shown);
    if (!*made) return fail_memory(err);
    size_t mark = sl_arena_mark(log->arena);
    SlText line;
    sl_text_init(&line, log->arena);
    sl_log_write_task(&shown, &line);
    status = line.failed ? fail_memory(err) : put_line(log, &line, err);
    sl_arena_rewind(log->arena, mark);
    return status;
}

static SlStatus add_line(SlLog *log, const SlTask *task, const int32_t *point, const LogLine *line,
                         SlError *err) {
    SlStatus status = SL_OK;
    LogTask *known = sl_log_named(log, sl_task_name(task));
    if (!known) status = begin_task(log, task, &known, err);
    if (status != SL_OK || !known) return status;
    if (!sl_log_same_space(known->shown.kind, &known->shown.space, sl_task_space(task)))
        return sl_fail_at(err, SL_EINPUT, log->path, 0, 0,
                          "was written by another version, whose knobs of this layer had other "
                          "values: choose another log");
    size_t mark = sl_arena_mark(log->arena);
    SlText text;
    sl_text_init(&text, log->arena);
    sl_log_write_entry(&known->shown, point, line, &text);
    status = text.failed ? fail_memory(err) : put_line(log, &text, err);
    sl_arena_rewind(log->arena, mark);
    if (status != SL_OK) return status;
    SlSample kept = *line->sample;
    if (kept.reason) kept.reason = sl_arena_text(log->arena, kept.reason, strlen(kept.reason));
    bool added = sl_log_new_entry(log, known, sl_log_key(&known->shown.space, point), &kept);
    return added ? SL_OK : fail_memory(err);
}

SlStatus sl_log_add(SlLog *log, const SlTask *task, const int32_t *point, const SlSample *sample,
                    const char *method, uint64_t seed, SlError *err) {
    LogLine line = {sample, method, seed, (int64_t)time(NULL)};
    if (log->fd < 0) return sl_fail(err, SL_EINPUT, "the log was opened to be read alone");
    pthread_mutex_lock(&log->lock);
    SlStatus status = add_line(log, task, point, &line, err);
    pthread_mutex_unlock(&log->lock);
    return status;
}
