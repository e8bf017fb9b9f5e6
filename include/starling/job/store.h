// store.h - records of runs and proofs in one SQLite file (docs/formats/store.md).
//
// Flow: sl_store_open -> sl_store_index (what is there) -> sl_store_put ... -> sl_store_cells. Jobs
//       (job/network_job.h) and studies (study.h) keep their records in one.
#pragma once

#include "starling/job/run.h"

SL_API_BEGIN

// What a record is of.
typedef enum {
    SL_CELL_RUN,    // a method on a task with a seed
    SL_CELL_PROOF,  // of a task: its optimum
    SL_CELL_SPACE,  // of a task: the size of its spaces
    SL_CELL_ASSIGN, // of a task: correlations, dendrogram, agents
    SL_N_CELLS
} SlCellKind;
extern const char *const sl_cell_names[SL_N_CELLS + 1]; // "run", "proof", "space", "assign", NULL

// What came of a cell. Everything but the last three is the same for the same cell and version.
typedef struct {
    const char *key;         // of the cell
    const char *fingerprint; // of everything that decides the result
    SlCellKind kind;
    const char *task, *layer, *workload, *accel, *objective, *space; // of its task
    const char *row, *method, *settings;                             // RUN; else ""
    int n_agents;                                                    // RUN; 0 = one per parameter
    uint64_t seed;
    int64_t budget;
    const char *version; // of the program
    const char *reason;  // why it is broken; NULL = done
    double value, floor; // PROOF: the lower bound is in detail. NAN = none
    double latency_cycles, energy_pj, area_um2, power_mw;
    int64_t samples, found_at, assign_samples;
    const char *stopped; // sl_stop_names or sl_proof_names
    const char *mapping; // the nest, "" = none
    int n_curve, n_windows, n_params;
    const SlCurvePoint *curve;
    const SlWindow *windows;
    const float *trace; // (n_windows, n_params) or NULL
    const char *detail; // JSON, "" = none (docs/formats/store.md)

    double seconds;
    const char *machine;  // NULL: sl_store_put names this one
    const char *finished; // "2026-01-31T23:59:59Z"; NULL: now
} SlCellRecord;

typedef struct SlStore SlStore;

const char *sl_store_library(void); // the version of SQLite at run time

// `create`: a new file if there is none. SL_EINPUT if it is no store, or one of another schema.
SlStatus sl_store_open(const char *path, bool create, SlStore **store, SlError *err);
void sl_store_close(SlStore *store); // NULL is fine
const char *sl_store_path(const SlStore *store);

// Named texts: "plan" (YAML), "study" (name), what the command line changed
// (docs/formats/store.md).
SlStatus sl_store_set(SlStore *store, const char *name, const char *text, SlError *err);
SlStatus sl_store_get(SlStore *store, const char *name, SlArena *arena, const char **text,
                      SlError *err); // NULL = not there

// One record, in one transaction: it is there as a whole or not at all. From any thread.
SlStatus sl_store_put(SlStore *store, const SlCellRecord *record, SlError *err);

// All of them in the order of their keys.
SlStatus sl_store_cells(SlStore *store, SlArena *arena, int *n, SlCellRecord **records,
                        SlError *err);

// The same without curves and results: which cells are there.
typedef struct {
    const char *key, *fingerprint, *version;
    bool broken;
    int64_t samples;
    double seconds; // NAN = not known
} SlStoreEntry;
SlStatus sl_store_index(SlStore *store, SlArena *arena, int *n, SlStoreEntry **entries,
                        SlError *err); // in the order of their keys
// The one of that key, NULL = there is none.
const SlStoreEntry *sl_store_entry(int n, const SlStoreEntry *entries, const char *key);

// Take over the records of another store; equal ones are fine. SL_EINPUT, and nothing is changed,
// if both hold a cell of one key with different fingerprints or results.
SlStatus sl_store_merge(SlStore *store, SlStore *from, int *n_new, SlError *err);

// A number that two stores share if their records are the same, times and machines apart.
SlStatus sl_store_digest(SlStore *store, uint64_t *digest, SlError *err);

// After many records: what is in SQLite's log moves into the one file.
void sl_store_settle(SlStore *store);

SL_API_END
