// run.h - one run: a method on a task within a budget, and what came of it.
//
// Flow: sl_task_make -> SlRunSetup -> sl_run -> SlRecord. With a log (job/log.h) every sample is
//       written down as it comes; running again takes what the log has instead of evaluating, so a
//       run that was killed goes on to the same end.
#pragma once

#include "starling/job/log.h"
#include "starling/learn.h"
#include "starling/search.h"

SL_API_BEGIN

// --- Methods of all tables

const SlMethod *sl_method_find(const char *name); // NULL if there is none
const SlMethod *sl_method_at(int i);              // 0, 1, ...; NULL behind the last

// A method from outside: a shared object that exports a plugin by this name (docs/methods/own.md).
#define SL_METHOD_ENTRY "sl_plugin_method"
enum { SL_METHOD_VERSION = 2 };
typedef struct {
    int version;      // SL_METHOD_VERSION
    size_t row_bytes; // sizeof(SlMethod)
    const SlMethod *method;
} SlMethodPlugin;

// "marl", or a path with '/' in it: "./mine.so", which stays loaded. SL_EINPUT with the reason: the
// nearest name; no such file, no plugin, another version.
SlStatus sl_method_open(const char *name, const SlMethod **method, SlError *err);

// Its options: the defaults, changed by "NAME=VALUE,NAME=VALUE..." (NULL = by nothing). SL_EINPUT
// with what was expected, names with the nearest one.
SlStatus sl_method_options(const SlMethod *method, const char *set, SlArena *arena, void **options,
                           SlError *err);
bool sl_method_has_option(const SlMethod *method, const char *name);
// All of them as one line of JSON in the arena; NULL without memory.
const char *sl_method_settings(const SlMethod *method, const void *options, SlArena *arena);

// --- What happens, as it happens: runs, proofs and jobs tell it

typedef enum {
    SL_EVENT_BEGIN,  // a task
    SL_EVENT_SAMPLE, // now and then
    SL_EVENT_BOUND,  // of a proof, now and then
    SL_EVENT_END,    // of a task
    SL_EVENT_PROOFS, // of a job: searches are over, n_all proofs follow; of no task
    SL_EVENT_TRY,    // of a comparison: `task`, number n_done of n_all, begins (job/variants.h)
    SL_EVENT_CORES,  // of a job: n_done of n_all candidates for a core are drafted; of no task
} SlEventKind;

typedef struct {
    SlEventKind kind;
    const char *task;                    // its name for people
    int index;                           // of the task in the job
    int worker;                          // 0, 1, ...: who works on it
    int n_done, n_all;                   // tasks of the job
    int64_t samples, replayed, failures; // of the task so far
    double value;                        // best so far, INFINITY = none yet
    double bound, floor;                 // NAN = none
    double seconds;                      // since the task began
} SlEvent;
// Called from the threads that work; true = stop soon. May be NULL.
typedef bool SlWatch(void *context, const SlEvent *event);

// --- Runs

typedef struct {
    int64_t samples; // at most; 0 = no limit (then seconds must be given)
    double seconds;  // wall time; 0 = no limit. What was found then depends on the machine
    double target;   // stop once value <= target * floor; 0 = never. Without a floor: never
} SlBudget;

typedef enum {
    SL_STOP_SAMPLES,
    SL_STOP_SECONDS,
    SL_STOP_TARGET,
    SL_STOP_ASKED,
    SL_STOP_SPACE
} SlStopReason;
extern const char *const sl_stop_names[6]; // "samples", "seconds", "target", "interrupted",
                                           // "space exhausted", NULL
// The same as records of a kind name it: where samples are dear they are a "budget".
const char *sl_stop_text(const SlTaskKind *kind, SlStopReason reason);

// Where the first samples come from.
typedef enum {
    SL_START_DEFAULT, // the default, first sample of every method. Of mappings: where the space has
                      // no equal of the default mapping, the point nearest to it is the second one
                      // (the only one if constraints forbid the default mapping)
    SL_START_NONE,
} SlStart;
extern const char *const sl_start_names[3]; // "default", "none", NULL

// Told of every sample of a point as it comes, in the order of asking.
typedef void SlHear(void *context, int n, const int32_t *points, const SlSample *samples);

typedef struct {
    SlTask *task; // for this run alone
    const SlMethod *method;
    const void *options;      // of the method, NULL = its defaults
    const SlAgents *agents;   // NULL = one per parameter
    const SlMemory *memory;   // from other layers, NULL = none
    const SlHistory *history; // from a log of other tasks, NULL = none
    const SlFlock *flock;     // taught before; NULL, or one that suits the task
    uint64_t seed;
    const char *stream; // names the random numbers, for example the layer's name
    SlBudget budget;
    SlStart start;
    int n_windows; // equal stretches of budget.samples to sum up, 0 = none
    bool trace;    // what the points chose in them too
    SlLog *log;    // NULL = none
    SlHear *hear;  // NULL = nobody listens
    void *hearing; // its context
} SlRunSetup;

// A point of the best-so-far curve: after `sample` samples the best value was `value`.
typedef struct {
    int64_t sample;
    double value;
} SlCurvePoint;

// A stretch of samples, the start's included: the mean return of the paper is that of 1 / value.
typedef struct {
    int64_t last;        // sample at its end
    double mean_inverse; // of 1 / value over its samples; 0 where illegal
} SlWindow;

// What came of a run. Everything but seconds is the same for the same setup, log or not, where
// samples have no noise.
typedef struct {
    SlBest best;                  // of the task; best.sample = 0 if nothing legal was found
    SlCost cost;                  // of best.mapping, by the native model whatever priced it
    double floor, floor_multiple; // NAN without a floor
    int64_t samples;
    int64_t replayed; // of them, taken from the log
    int64_t repeats;  // of them, points evaluated before in this run: answered from memory
    int64_t failures; // of them, without a value
    int64_t refused;  // points besides that broke a rule of the space: not evaluated, not counted
    SlStopReason stopped;
    bool proven; // no point of the space is below: the method proved it, or all were evaluated;
                 // only where samples have no noise
    int n_curve;
    SlCurvePoint *curve;                 // (n_curve) every improvement, the last sample at the end
    double seconds;                      // wall time in all
    double method_seconds, eval_seconds; // of it, inside the method, and evaluating; of dear kinds
    SlMemory *memory;                    // what the method hands on, or NULL
    int64_t n_weights;                   // numbers that the method trains
    int64_t state_bytes;                 // memory of its state when the run begins
    int n_windows;
    SlWindow *windows; // (n_windows) those that were begun
    float *trace;      // (n_windows, n_params), NULL = not asked for. Sizes: the mean place of the
                       // values chosen, 0 = smallest, 1 = largest. Others: the share of the samples
                       // that chose what the best mapping of the run has
} SlRecord;

// One run. `arena` gets the curve and the memory; scratch is given back. SL_ENOMEM; SL_EINPUT if
// the agents do not suit the space, the method not the task, or the log not the task, or if an
// evaluator cannot go on; SL_EIO where the log cannot be written.
SlStatus sl_run(const SlRunSetup *setup, SlWatch *watch, void *context, SlArena *arena,
                SlRecord *record, SlError *err);

// Runs without a number of samples on dear kinds end here; those of a small space at its last
// point.
enum { SL_RUN_MOST = 100000 };

// The least value of a task with floors of all points, by `oracle`, within limits (0 = none of the
// kind). record->proven says whether it came to its end: else it is only the best that was seen.
SlStatus sl_run_optimum(SlTask *task, const SlBudget *limit, SlWatch *watch, void *context,
                        SlArena *arena, SlRecord *record, SlError *err);

SL_API_END
