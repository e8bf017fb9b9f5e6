// tune.h - tuning runs: a tuner on a task within a budget of measurements, the log of what was
// measured, and the exact optimum.
//
// Flow: SlTuneSetup -> sl_tune_run -> SlTuneRecord. With a log (sl_tune_log_open) every measurement
//       is written down as it comes; running again takes what the log has instead of measuring, so
//       a run that was killed goes on to the same end. sl_tune_log_history makes what other tasks
//       have shown into something to start from.
#pragma once

#include "starling/study/run.h"
#include "starling/task/tuning.h"

const SlTuner *sl_tuner_find(const char *name); // of all tables; NULL if there is none
const SlTuner *sl_tuner_at(int i);              // 0, 1, ...; NULL behind the last

// --- The log (docs/formats/tune-log.md)

// One measurement as it was written down.
typedef struct {
    int64_t index; // of the point among the knobs of its task
    SlMeasured measured;
} SlTuneEntry;

// A task that a log knows.
typedef struct {
    const char *key;     // sl_tuning_key
    SlTuningSetup setup; // as it was; no bench, the layer without its name
    SlKnobs knobs;
    int64_t n;                  // measurements
    const SlTuneEntry *entries; // (n) in the order of the file
} SlTuneTask;

// Runs of different tasks may share a log from different threads.
typedef struct SlTuneLog SlTuneLog;

// Read the log at `path` and go on writing at its end; an empty one is made where there is none. A
// last line that was cut short is removed. SL_EINPUT with file, line and column for a file that is
// no log, or that another process writes; SL_EIO. Close it in the end, also after a failed run.
SlStatus sl_tune_log_open(const char *path, SlArena *arena, SlTuneLog **log, SlError *err);
void sl_tune_log_close(SlTuneLog *log); // NULL is fine; what was read stays until the arena goes

// The same to read alone: the file stays as it is, nothing can be added. `name` stands in errors.
SlStatus sl_tune_log_read(const char *path, SlArena *arena, SlTuneLog **log, SlError *err);
SlStatus sl_tune_log_parse(const char *name, const char *text, size_t n, SlArena *arena,
                           SlTuneLog **log, SlError *err);

int sl_tune_log_n_tasks(const SlTuneLog *log);
const SlTuneTask *sl_tune_log_task(const SlTuneLog *log, int i);
// The task with its knobs, NULL if the log does not have it.
const SlTuneTask *sl_tune_log_find(SlTuneLog *log, const SlTuning *tuning);
// The first measurement of a point, NULL if there is none.
const SlMeasured *sl_tune_log_measured(const SlTuneLog *log, const SlTuneTask *task, int64_t index);

// Write one measurement down. SL_EIO where the file cannot be written, SL_EINPUT where the log
// knows the task with other knobs, SL_ENOMEM.
SlStatus sl_tune_log_add(SlTuneLog *log, const SlTuning *tuning, const int32_t *point,
                         const SlMeasured *measured, const char *method, uint64_t seed,
                         SlError *err);

// What a log has of other tasks of the same target as `tuning`, at most `most` measurements (the
// last ones of every task, evenly), 0 = all. SL_ENOMEM. n = 0 where there is nothing.
SlStatus sl_tune_log_history(const SlTuneLog *log, const SlTuning *tuning, int most, SlArena *arena,
                             SlTuningHistory *history, SlError *err);

// --- Runs

typedef struct {
    SlTuning *tuning; // for this run alone
    const SlTuner *tuner;
    const void *options; // of the tuner, NULL = its defaults
    uint64_t seed;
    const char *stream;   // names the random numbers, for example the layer's inline form
    int64_t measurements; // at most; 0 = SL_TUNE_MOST (then seconds must be given)
    double seconds;       // wall time, 0 = no limit. What was found then depends on the machine
    double target;        // stop once a value is at most this; 0 = never
    SlTuneLog *log;       // NULL = none
    const SlTuningHistory *history; // NULL = none
} SlTuneSetup;

// Runs without a number of measurements end here; those of a small space at its last point.
enum { SL_TUNE_MOST = 100000 };

extern const char *const sl_tune_stop_names[6]; // of SlStopReason: "budget", "seconds", "target",
                                                // "interrupted", "space exhausted", NULL

// What came of a run. Everything but the seconds is the same for the same setup, log or not, where
// measurements have no noise.
typedef struct {
    bool found; // anything that works
    int32_t best[SL_MAX_KNOBS];
    double value, spread; // of it; INFINITY where nothing was found
    int64_t found_at;     // its measurement, from 1; 0 = none
    int64_t measurements; // replayed ones included
    int64_t replayed;     // of them, taken from the log
    int64_t failures;     // of them, without a value
    SlStopReason stopped;
    bool proven; // no point of the space is below: the oracle came to its end, or all were
                 // measured; only where measurements have no noise
    int n_curve;
    SlCurvePoint *curve; // (n_curve) every improvement, the last measurement at the end
    double seconds;      // wall time in all
    double method_seconds, measure_seconds; // of it, inside the tuner, and measuring
} SlTuneRecord;

// Called now and then from the thread that runs, and at the end; true = stop soon. May be NULL.
typedef struct {
    int64_t measurements, replayed, failures;
    double value; // best so far, INFINITY = none yet
    bool finished;
} SlTuneProgress;
typedef bool SlTuneWatch(void *context, const SlTuneProgress *progress);

// One run. `arena` gets the curve; scratch is given back. SL_ENOMEM; SL_EINPUT for a budget without
// limits or a log that does not suit the task; SL_EIO where the log cannot be written.
SlStatus sl_tune_run(const SlTuneSetup *setup, SlTuneWatch *watch, void *context, SlArena *arena,
                     SlTuneRecord *record, SlError *err);

// The least value of a task without noise, by the oracle, within limits (0 = none of the kind).
// record->proven says whether it came to its end: else it is only the best that was seen.
typedef struct {
    int64_t measurements;
    double seconds;
} SlTuneLimit;
SlStatus sl_tune_optimum(SlTuning *tuning, SlTuneLimit limit, SlTuneWatch *watch, void *context,
                         SlArena *arena, SlTuneRecord *record, SlError *err);
