// network_job.h - a job: the layers of a network, each a task, searched by a method and proven.
//
// Flow: SlJobSetup -> sl_job_open (a store: what an earlier run left) -> sl_job_run ->
//       sl_job_result -> sl_job_close. Equal layers are one task. What comes of a task depends on
//       the task alone (and, with a warm start, on the other tasks), never on threads or order;
//       time limits are the exception.
#pragma once

#include "starling/job/cell.h"
#include "starling/learn/flock.h"
#include "starling/task/programs.h"

SL_API_BEGIN

typedef struct {
    const SlNetwork *net;     // kept
    const SlTaskKind *kind;   // who evaluates; NULL = native
    const void *kind_options; // NULL = its defaults; kept
    uint64_t seed;

    // kinds that price mappings
    const SlAccel *accel; // kept
    SlGoal goal;
    SlSpaceOptions space; // preset, opened dims, constraints
    SlIllegal illegal;

    // the search
    const SlMethod *method; // NULL = nothing but proofs
    const void *options;    // of the method, NULL = its defaults
    SlAgentChoice agents;   // the seed of their assignment is the job's
    int64_t warm;           // first samples of every task whose lessons all tasks start with
    SlBudget budget;        // samples and target of a task; seconds of the whole job, shared evenly
    double task_seconds;    // wall time of one task, 0 = no limit
    SlStart start;
    const SlFlock *flock;  // taught before, for methods that use one; NULL = none
    const SlLog *transfer; // what other tasks have shown, for methods that learn from it; NULL =
                           // nothing

    // what follows it
    bool prove;           // how far every result is from the best of its space
    double epsilon;       // mappings: the gap to prove
    double prove_seconds; // time limit per proof, 0 = none
    int64_t prove_points; // programs: spaces of more points are not proven; 0 = all are
    bool compare;         // programs: evaluate the untuned one too

    // programs
    bool skip_first; // leave the first layer to the host
    int n_cores;     // vta, a network: choose a core; so many candidates are tuned on. 0 = as given
} SlJobSetup;

enum { SL_TASK_TEXT_MAX = 768, SL_LEFT_OUT_MAX = 256 };

// One distinct layer.
typedef struct {
    int first, count;             // of the network's layers that it is
    const SlLayer *layer;         // the first of them
    char reason[SL_LEFT_OUT_MAX]; // programs: why it is left out; "" = it is not
    char text[SL_TASK_TEXT_MAX];  // names its random numbers: the layer inline without its name, or
                                  // sl_task_name
    SlSpace space;                // not where it is left out
    SlTask *task; // programs: what is free of its points; runs have tasks of their own
    SlAgents agents;
    int64_t assign_samples, warm_samples; // counted apart
    int n_history;                        // samples of other tasks it learned from
    SlArena arena;                        // of what follows

    bool searched;   // there is a record
    bool resumed;    // it was in the store; clear it to search again
    SlRecord record; // best.sample = 0: nothing was found

    bool proven, proof_resumed; // the same of proofs
    SlProof proof;              // mappings, where proven; without branches and points where resumed
    SlRecord optimum;           // programs, where proven: of the oracle

    // programs, with `compare`: values of the best and of the untuned one (NAN = not known). Where
    // times are noisy both were measured again in turns (duelled), and where nothing better was
    // found the best is the untuned one (untuned_won).
    double best_value, untuned_value;
    bool duelled, untuned_won;

    SlStatus status;
    SlError err;
} SlJobTask;

// A core that a network was tuned on, or might have been.
typedef struct {
    SlVtaCore core;
    double *drafts;   // (n_tasks) cycles of a task's layer: the least of all schedules
    double draft;     // the sum over the network
    double cycles;    // as tuned; NAN = it was not
    SlJobTask *tasks; // (n_tasks) NULL = not tuned
} SlJobCore;

typedef struct SlJob SlJob;

// Find the tasks and build their spaces; with a `store` (a path, NULL = none) take over what an
// earlier run of the same task finished. SL_EINPUT where a layer cannot run at all (programs: where
// none can), the method does not suit, or the file is no store; SL_ENOMEM, SL_EIO. Close it in the
// end, also after a failed open (NULL is fine).
SlStatus sl_job_open(const SlJobSetup *setup, const char *store, SlArena *arena, SlJob **job,
                     SlError *err);
void sl_job_close(SlJob *job);

// The same store for a job that is open already: where it lies may depend on the tasks.
SlStatus sl_job_set_store(SlJob *job, const char *store, SlError *err);

const SlJobSetup *sl_job_setup(const SlJob *job); // as opened, with defaults for what was NULL
int sl_job_n_tasks(const SlJob *job);
SlJobTask *sl_job_task(SlJob *job, int i); // after a choice of cores: on the core chosen
// Keep samples of dear kinds there, and ask for nothing that it has; NULL = none.
void sl_job_set_log(SlJob *job, SlLog *log);

// What a caller does with every task that is through: searched (`proof` NULL), then proven. Called
// from any thread, before the store gets its record; anything but SL_OK ends the job with that
// error.
typedef SlStatus SlJobKeep(void *context, SlJobTask *task, const SlProveSetup *proof, SlError *err);

// Search, prove and compare what is not resumed, as many tasks side by side as the pool has threads
// (one where evaluating is noisy or has copies of its own). `watch` is told of every task as it
// goes, from any thread; when it asks for an end every task keeps its best so far. `watch` and
// `keep` may be NULL.
SlStatus sl_job_run(SlJob *job, SlPool *pool, SlWatch *watch, SlJobKeep *keep, void *context,
                    SlError *err);

// The mapping of a task in the end, that of the proof where it is the better one; NULL = none.
const SlMapping *sl_job_mapping(const SlJobTask *task);
bool sl_job_has_bound(const SlJobTask *task);

// The candidates of a network that chose a core, by their drafts, and which one it was; NULL where
// nothing was chosen.
const SlJobCore *sl_job_cores(const SlJob *job, int *n);
const SlJobCore *sl_job_core(const SlJob *job);

// Sums over the network's layers that have a result (starling/network.h).
typedef struct {
    int n_tasks, n_layers;            // layers: without those left out
    double latency_cycles, energy_pj; // mappings, by the native model
    double value; // of the goal; programs: the sum in the task's unit. NAN where a task has no
                  // result, or a sum says nothing
    double bound; // nothing in the tasks' spaces gives less; NAN where a task has no bound
    double gap;   // value / bound - 1
    int64_t samples;
    int n_proven; // tasks with a bound
} SlNetworkResult;
SlNetworkResult sl_job_result(const SlJob *job);

// What the searches took, on all cores that were tried.
typedef struct {
    int64_t samples;
    int64_t replayed; // of them, from the log or the store
    int64_t failures; // of them, without a value
    double method_seconds, eval_seconds;
} SlJobEffort;
SlJobEffort sl_job_effort(const SlJob *job);

// No mappings of the tasks' spaces give the network less (sl_network_bound_value); NAN where a task
// has no bound.
double sl_job_bound(const SlJob *job);

SL_API_END
