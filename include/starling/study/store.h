// store.h - records of a study in one SQLite file (docs/formats/store.md), and the study that fills
// it.
//
// Flow: sl_store_open -> sl_study_run (only cells that are missing) -> sl_store_cells -> compare.h.
#pragma once

#include "starling/study/study_plan.h"

// What came of a cell. Everything but the last three is the same for the same plan and version.
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
    const char *machine;
    const char *finished; // "2026-01-31T23:59:59Z"
} SlCellRecord;

typedef struct SlStore SlStore;

// `create`: a new file if there is none. SL_EINPUT if it is no store, or one of another schema.
SlStatus sl_store_open(const char *path, bool create, SlStore **store, SlError *err);
void sl_store_close(SlStore *store); // NULL is fine

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

// Take over the records of another store; equal ones are fine. SL_EINPUT, and nothing is changed,
// if both hold a cell of one key with different fingerprints or results.
SlStatus sl_store_merge(SlStore *store, SlStore *from, int *n_new, SlError *err);

// A number that two stores share if their records are the same, times and machines apart.
SlStatus sl_store_digest(SlStore *store, uint64_t *digest, SlError *err);

// --- Running a study

typedef struct {
    int n_cells, n_done, n_failed; // of the plan; done: also those that the store had before
    int n_before;                  // of them
    const char *key;               // cell that has just ended, NULL = a sign of life
    double seconds, eta_seconds;   // since the start; NAN = not known yet
    double work;                   // share of the work done, by samples
} SlStudyProgress;
typedef bool SlStudyWatch(void *context, const SlStudyProgress *progress); // true = stop soon

// SL_EINPUT if running the plan would replace results of another version: they are not of the same
// program, and what they took is not thrown away. Nothing is written.
SlStatus sl_study_check(const SlPlan *plan, SlStore *store, SlError *err);

// Run what the store does not have yet, on a pool (NULL = this thread). A broken cell is a record
// with a reason; it is tried again by the next run. A cell that was stopped leaves no record.
// `watch` is called by one thread at a time, first before anything is run. SL_ENOMEM, SL_EINPUT
// (also where sl_study_check has a reason), or SL_EIO where the store cannot be written.
SlStatus sl_study_run(const SlPlan *plan, SlStore *store, SlPool *pool, SlStudyWatch *watch,
                      void *context, SlError *err);
