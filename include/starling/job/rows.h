// rows.h - measured nests from a CSV file, as lessons for a flock (docs/formats/eval-csv.md).
//
// Flow: sl_rows_read -> sl_flock_teach(rows.n_tasks, rows.lessons, ...) -> sl_flock_write.
//       sl_rows_close once the lessons are not needed any more.
//
// Somebody has measured mappings: on a board, in RTL, in a simulator of their own. What evaluates
// is the file; nothing is priced here. The tasks are native ones, for what they say of a nest for
// free (context, features).
#pragma once

#include "starling/learn/flock.h"

SL_API_BEGIN

typedef struct {
    const char *path;     // of the file, which gzip may have packed
    const char *column;   // that holds the values; NULL = the last one that holds numbers
    const SlAccel *accel; // that was measured; kept. Its networks count, not those of the rows
    SlGoal goal;          // what the values are; all weights 0 = latency
} SlRowsSetup;

typedef struct {
    int n_rows, n_tasks;
    const char *column; // that the values came from; in the arena
    SlTask **tasks;     // (n_tasks) one per distinct layer, in the order of the file
    SlLesson *lessons;  // (n_tasks) its rows, in the order of the file
} SlRows;

// Read the columns ext, conv, net, nest and id as `starling eval --nests` does, and the values,
// which must be finite and above 0; every nest has as many boundaries as the accelerator has
// on-chip levels, but need not fit. SL_EINPUT with file, line and what was expected; SL_ENOMEM.
// The arena keeps tasks and lessons.
SlStatus sl_rows_read(const SlRowsSetup *setup, SlArena *arena, SlRows *rows, SlError *err);
void sl_rows_close(SlRows *rows);

SL_API_END
