// cell.h - the unit of work: a method on a task, a proof, an assignment, and the record it leaves.
//
// Flow: SlCell -> sl_cell_fingerprint (does a store have it?) -> sl_cell_run -> SlCellRecord ->
//       sl_store_put. A job is the cells of a network (job/network_job.h), a study those of a plan.
#pragma once

#include "starling/job/agents.h"
#include "starling/job/store.h"
#include "starling/prove.h"

SL_API_BEGIN

typedef struct {
    SlCellKind kind;
    const char *key; // names it in a store: "run/TASK/ROW/SEED", "proof/TASK", ...
    const char *task, *layer, *workload, *accel, *objective, *space; // as the record names them
    SlTaskSetup setup;
    SlSpacePreset preset; // mappings
    const char *stream;   // names the random numbers
    int64_t n_points;     // programs: of the space
    double floor;         // no value is below, NAN = nothing is known
    uint64_t seed;
    const char *more; // what else decides the result, for the fingerprint; NULL = nothing

    // RUN
    const char *row, *settings; // settings: all options of the method as one line of JSON
    const SlMethod *method;
    const void *options;
    SlAgentChoice agents; // the seed of its assignment is the cell's
    SlBudget budget;
    SlStart start;
    int n_windows;
    bool trace;
    bool footprint;           // weights and memory of the method's state in the record's detail
    const SlMemory *memory;   // from other tasks, NULL = none
    const SlHistory *history; // from a log of other tasks, NULL = none
    const SlFlock *flock;     // taught before, NULL = none; `more` tells it from others
    SlLog *log;               // NULL = none

    // PROOF
    double gap;                 // to prove
    double seconds;             // limit, 0 = none
    int64_t nodes;              // limit; of programs: of simulations. 0 = none
    const SlMapping *incumbent; // a mapping known already, NULL = none
    SlPool *pool;               // for the one proof, NULL = this thread

    // ASSIGN
    SlAssignSetup assign;
    int n_budgets;
    const int *budgets; // (n_budgets) numbers of agents to cut to
} SlCell;

// A hash of everything that decides what comes of a cell, 16 digits in the arena; NULL without
// memory.
const char *sl_cell_fingerprint(const SlCell *cell, SlArena *arena);

// What came of a cell beyond its record.
typedef struct {
    bool stopped;    // the watch ended it: there is no record
    bool empty;      // nothing that works was found; the record says so as its reason
    SlAgents agents; // RUN
    SlRecord run;    // RUN; PROOF of programs: of the oracle
    SlProof proof;   // PROOF of mappings
} SlCellFound;

// Run it. The texts of the record belong to the cell and the arena, its reason to `why`; seconds
// are set, fingerprint, machine and finished are not. Anything but SL_OK is the record's reason
// too.
SlStatus sl_cell_run(const SlCell *cell, SlWatch *watch, void *context, SlArena *arena,
                     SlCellFound *found, SlCellRecord *record, SlError *why);

SL_API_END
