// log.h - the log of samples (docs/formats/tune-log.md): every one is written down as it comes, and
// nothing that stands there is evaluated again.
//
// Flow: sl_log_open -> a run with it (job/run.h) -> sl_log_close. sl_log_history makes what other
//       tasks have shown into something to start from.
#pragma once

#include "starling/task/programs.h"

SL_API_BEGIN

// One sample as it was written down.
typedef struct {
    uint64_t key; // of the point: its number where the space has numbers
    SlSample sample;
} SlLogEntry;

// A task that a log knows.
typedef struct {
    const char *name; // sl_task_name
    const SlTaskKind *kind;
    SlLayer layer;    // vta, cpu: without its name
    SlVtaOptions vta; // as it was
    SlCpuOptions cpu; // without the bench
    SlSpace space;    // vta, cpu: knobs with their values; others: names and numbers of values
    int64_t n;        // samples
    const SlLogEntry *entries; // (n) in the order of the file
} SlLogTask;

// Runs of different tasks may share a log from different threads.
typedef struct SlLog SlLog;

// Read the log at `path` and go on writing at its end; an empty one is made where there is none. A
// last line that was cut short is removed. SL_EINPUT with file, line and column for a file that is
// no log, or that another process writes; SL_EIO. Close it in the end, also after a failed run.
SlStatus sl_log_open(const char *path, SlArena *arena, SlLog **log, SlError *err);
void sl_log_close(SlLog *log); // NULL is fine; what was read stays until the arena goes

// The text (n) of a log to read alone: nothing can be added. `name` stands in errors.
SlStatus sl_log_parse(const char *name, const char *text, size_t n, SlArena *arena, SlLog **log,
                      SlError *err);

int sl_log_n_tasks(const SlLog *log);
const SlLogTask *sl_log_task(const SlLog *log, int i);
// The task with its parameters, NULL if the log does not have it.
const SlLogTask *sl_log_find(SlLog *log, const SlTask *task);
// The first sample of a point, NULL if there is none.
const SlSample *sl_log_sample(const SlLogTask *known, const SlTask *task, const int32_t *point);

// What a log has of other tasks of the same kind as `task`, at most `most` samples (the last ones
// of every task, evenly), 0 = all. SL_ENOMEM. n = 0 where there is nothing.
SlStatus sl_log_history(const SlLog *log, const SlTask *task, int most, SlArena *arena,
                        SlHistory *history, SlError *err);

SL_API_END
