// network.h - a job: the layers of a network, each a task, searched by a method and proven.
//
// Flow: SlJobSetup -> sl_job_open -> sl_job_run -> sl_job_result -> sl_job_close. Equal layers are
//       one task. What comes of a task depends on the task alone (and, with a warm start, on the
//       other tasks), never on threads or order; time limits are the exception.
#pragma once

#include "starling/job/assign.h"
#include "starling/job/run.h"
#include "starling/prove.h"

typedef struct {
    const SlNetwork *net;   // kept
    const SlAccel *accel;   // kept
    const SlTaskKind *kind; // that maps; NULL = native
    const void *kind_options;
    SlGoal goal;
    SlSpaceOptions space; // preset, opened dims, constraints
    SlIllegal illegal;
    const SlMethod *method; // NULL = nothing but proofs
    const void *options;    // of the method, NULL = its defaults
    int n_agents;           // 0 = one per parameter, else by assignment
    int64_t dataset;        // samples of that assignment; 0 = as many as sl_assign_defaults has
    int64_t warm;           // first samples of every task whose lessons all tasks start with
    SlBudget budget;        // samples and target of a task; seconds of the whole job, shared evenly
    SlStart start;
    bool prove;                    // how far every mapping is from the best of its space
    double epsilon, prove_seconds; // the gap to prove; time limit per proof, 0 = none
    uint64_t seed;
} SlJobSetup;

enum { SL_TASK_TEXT_MAX = 384 };

// One distinct layer. `resumed` and `proof_resumed` may be set before sl_job_run, together with
// what an earlier run found: such a task is not searched, or not proven, again.
typedef struct {
    int first, count;            // of the network's layers that it is
    const SlLayer *layer;        // the first of them
    char text[SL_TASK_TEXT_MAX]; // the layer inline without its name: names its random numbers
    SlSpace space;
    SlAgents agents;
    int64_t assign_samples, warm_samples; // counted apart
    SlArena arena;                        // of what follows
    bool resumed;
    SlRecord record; // best.sample = 0: nothing was found, or nothing searched
    bool proven, proof_resumed;
    SlProof proof; // where proven; without branches and points where resumed
    SlStatus status;
    SlError err;
} SlJobTask;

typedef struct SlJob SlJob;

// Find the tasks and build their spaces. SL_EINPUT where a layer cannot run at all, or the method
// does not suit; SL_ENOMEM. Close it in the end, also after a failed open (NULL is fine).
SlStatus sl_job_open(const SlJobSetup *setup, SlArena *arena, SlJob **job, SlError *err);
void sl_job_close(SlJob *job);

int sl_job_n_tasks(const SlJob *job);
// Keep samples of dear kinds there, and ask for nothing that it has; NULL = none.
void sl_job_set_log(SlJob *job, SlLog *log);
SlJobTask *sl_job_task(SlJob *job, int i);

// What a caller does with every task that is through: searched, then proven (where it is). Called
// from any thread; anything but SL_OK ends the job with that error.
typedef SlStatus SlJobKeep(void *context, SlJobTask *task, const SlProveSetup *proof, SlError *err);

// Search and prove what is not resumed. `watch` is told of every task as it goes, from any thread;
// when it asks for an end every task keeps its best so far. `keep` may be NULL.
SlStatus sl_job_run(SlJob *job, SlPool *pool, SlWatch *watch, SlJobKeep *keep, void *context,
                    SlError *err);

// The mapping of a task in the end, that of the proof where it is the better one; NULL = none.
const SlMapping *sl_job_mapping(const SlJobTask *task);
bool sl_job_has_bound(const SlJobTask *task);

// Sums over the whole network (starling/network.h), by the native model; of the tasks that have a
// mapping, and without a value where one has none.
typedef struct {
    int n_tasks, n_layers;
    double latency_cycles, energy_pj, value; // value: of the goal; NAN where a sum says nothing
    double bound; // no mappings of the tasks' spaces give less; NAN where a task has no bound
    double gap;   // value / bound - 1
    int64_t samples;
    int n_proven; // tasks with a bound
} SlNetworkResult;
SlNetworkResult sl_job_result(const SlJob *job);

// No mappings of the tasks' spaces give the network less (sl_network_bound_value); NAN where a task
// has no bound.
double sl_job_bound(const SlJob *job);
