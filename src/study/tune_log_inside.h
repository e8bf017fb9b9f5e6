// tune_log_inside.h - what the files of the measurement log share: its tasks in memory.
#pragma once

#include <pthread.h>

#include "starling/study/tune.h"

// A task and where its points stand.
typedef struct {
    SlTuneTask shown;
    SlTuneEntry *entries; // (room), the same as shown.entries
    int64_t room;
    int32_t *slots; // (n_slots) number of an entry + 1 by the hash of its index; 0 = free
    int64_t n_slots;
} LogTask;

struct SlTuneLog {
    pthread_mutex_t lock; // around tasks, entries and the file
    SlArena *arena;
    const char *path;
    int fd;        // -1 = to read alone
    int64_t bytes; // of whole lines in the file
    LogTask **tasks;
    int n_tasks, room;
};

// The task of that name, NULL if there is none.
LogTask *sl_log_named(const SlTuneLog *log, const char *key);
// A new one without entries; `task->key` is copied. NULL without memory.
LogTask *sl_log_new_task(SlTuneLog *log, const SlTuneTask *task);
// One more entry; false without memory.
bool sl_log_new_entry(SlTuneLog *log, LogTask *task, int64_t index, const SlMeasured *measured);
bool sl_log_same_knobs(const SlKnobs *a, const SlKnobs *b);

// Whole lines of `text` (n) into the log; *whole (NULL = not wanted) is how many bytes they are.
SlStatus sl_log_read_lines(SlTuneLog *log, const char *name, const char *text, size_t n,
                           size_t *whole, SlError *err);

// One line of the file, with its line break.
void sl_log_write_task(const SlTuneTask *task, SlText *out);
typedef struct {
    const SlMeasured *measured;
    const char *method;
    uint64_t seed;
    int64_t time; // seconds since 1970
} LogLine;
void sl_log_write_entry(const SlTuneTask *task, const int32_t *point, const LogLine *line,
                        SlText *out);
