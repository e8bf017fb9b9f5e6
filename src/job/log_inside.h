// log_inside.h - what the files of the log share: its tasks in memory.
#pragma once

#include <pthread.h>
#include <stddef.h>

#include "starling/job.h"

// A task and where its points stand.
typedef struct {
    SlLogTask shown;
    SlLogEntry *entries; // (room), the same as shown.entries
    int64_t room;
    int32_t *slots; // (n_slots) number of an entry + 1 by the hash of its key; 0 = free
    int64_t n_slots;
} LogTask;

struct SlLog {
    pthread_mutex_t lock; // around tasks, entries and the file
    SlArena *arena;
    const char *path;
    int fd;        // -1 = to read alone
    int64_t bytes; // of whole lines in the file
    LogTask **tasks;
    int n_tasks, room;
};

// The task of that name, NULL if there is none.
LogTask *sl_log_named(const SlLog *log, const char *name);
// A new one without entries; `task->name` is copied, the parameters are not. NULL without memory.
LogTask *sl_log_new_task(SlLog *log, const SlLogTask *task);
// One more entry; false without memory.
bool sl_log_new_entry(SlLog *log, LogTask *task, uint64_t key, const SlSample *sample);
// Names and values of all parameters are the same; of kinds that keep no values, their numbers.
bool sl_log_same_space(const SlTaskKind *kind, const SlSpace *a, const SlSpace *b);
// Vta and cpu keep the values of knobs, other kinds points as numbers in lists.
bool sl_log_has_values(const SlTaskKind *kind);
// Key of a point by its parameters alone.
uint64_t sl_log_key(const SlSpace *space, const int32_t *point);

// Whole lines of `text` (n) into the log; *whole (NULL = not wanted) is how many bytes they are.
SlStatus sl_log_read_lines(SlLog *log, const char *name, const char *text, size_t n, size_t *whole,
                           SlError *err);

// Numbers of a sample that a line has only where they are not 0.
typedef struct {
    const char *name;
    size_t offset; // of a double in SlSample
} LogPart;
enum { SL_N_LOG_PARTS = 5 };
extern const LogPart sl_log_parts[SL_N_LOG_PARTS];

// One line of the file, with its line break.
void sl_log_write_task(const SlLogTask *task, SlText *out);
typedef struct {
    const SlSample *sample;
    const char *method;
    uint64_t seed;
    int64_t time; // seconds since 1970
} LogLine;
void sl_log_write_entry(const SlLogTask *task, const int32_t *point, const LogLine *line,
                        SlText *out);

// Write one sample down. SL_EIO where the file cannot be written, SL_EINPUT where the log knows the
// task with other parameters, SL_ENOMEM.
SlStatus sl_log_add(SlLog *log, const SlTask *task, const int32_t *point, const SlSample *sample,
                    const char *method, uint64_t seed, SlError *err);
