// run.h - runs: a method on a task within a budget, and what came of it.
//
// Flow: SlRunSetup -> sl_run -> SlRecord; sl_run_all does many in parallel, each as if it were
//       alone.
#pragma once

#include "starling/assign.h"
#include "starling/learn.h"
#include "starling/prove.h"
#include "starling/search.h"

const SlMethod *sl_method_find(const char *name); // of all method tables; NULL if there is none
const SlMethod *sl_method_at(int i);              // 0, 1, ...; NULL behind the last

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

// Where the first samples come from.
typedef enum {
    SL_START_DEFAULT, // the default mapping, first sample of every method; where the space has no
                      // equal of it, the point nearest to it is the second one (the only one if
                      // constraints forbid the default mapping)
    SL_START_NONE,
} SlStart;
extern const char *const sl_start_names[3]; // "default", "none", NULL

typedef struct {
    const SlSpace *space;
    SlGoal goal;
    SlIllegal illegal;
    SlModel model;
    const SlMethod *method;
    const void *options;    // of the method, NULL = its defaults
    const SlAgents *agents; // NULL = one per parameter
    const SlMemory *memory; // from other layers, NULL = none
    uint64_t seed;
    const char *stream; // names the random numbers, for example the layer's name
    SlBudget budget;
    SlStart start;
    int n_windows; // equal stretches of budget.samples to sum up, 0 = none
    bool trace;    // what the points chose in them too
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

// What came of a run. Everything but `seconds` is the same for the same setup.
typedef struct {
    SlBest best;                  // of the task; best.sample = 0 if nothing legal was found
    SlCost cost;                  // of best.mapping, by the native model whatever priced it
    double floor, floor_multiple; // NAN without a floor
    int64_t samples;
    SlStopReason stopped;
    int n_curve;
    SlCurvePoint *curve; // (n_curve) every improvement, the last sample at the end
    double seconds;
    SlMemory *memory; // what the method hands on, or NULL
    int n_windows;
    SlWindow *windows; // (n_windows) those that were begun
    float *trace;      // (n_windows, n_params), NULL = not asked for. Sizes: the mean place of the
                       // values chosen, 0 = smallest, 1 = largest. Others: the share of the samples
                       // that chose what the best mapping of the run has
} SlRecord;

// Called now and then from the thread that runs; true = stop soon. May be NULL.
typedef struct {
    int run;
    int64_t samples;
    double value, floor; // best so far (INFINITY = none yet), floor (NAN = none)
    bool finished;
} SlProgress;
typedef bool SlWatch(void *context, const SlProgress *progress);

// One run. `arena` gets the curve and the memory; scratch is given back. SL_ENOMEM, or SL_EINPUT if
// the agents do not suit the space, or the model not the layer and the accelerator.
SlStatus sl_run(const SlRunSetup *setup, SlWatch *watch, void *context, SlArena *arena,
                SlRecord *record, SlError *err);

// `n` runs in parallel, results in order; each as sl_run would alone, whatever the threads. Every
// run has an arena of its own, arenas (n), for its record. `watch` is called from many threads.
// The first error in order is returned.
SlStatus sl_run_all(int n, const SlRunSetup *setups, SlPool *pool, SlWatch *watch, void *context,
                    SlArena *arenas, SlRecord *records, SlError *err);

// --- Agent assignment: Algorithm 1

typedef struct {
    const SlMethod *policy; // that collects the dataset; NULL = random
    int64_t samples;        // of the dataset
    double share;           // best share that enters the correlations
    SlMetric metric;
    SlLinkage linkage;
    uint64_t seed;
    SlModel model;
} SlAssignSetup;

typedef struct {
    int n;                // parameters
    double *r, *distance; // (n, n)
    SlMerge *tree;        // (n - 1)
    int64_t samples;      // counted
    int n_rows;           // that entered the correlations
} SlAssignment;

SlStatus sl_assign_run(const SlSpace *space, const SlGoal *goal, const SlAssignSetup *setup,
                       SlArena *arena, SlAssignment *out, SlError *err);
// Cut to a number of agents (1..n).
void sl_assign_agents(const SlAssignment *assignment, int n_agents, SlAgents *agents);
