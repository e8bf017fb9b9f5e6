// study_run.h - the cells of a plan, run side by side into a store (job/store.h).
//
// Flow: sl_plan_find -> sl_store_open -> sl_study_check -> sl_study_keep -> sl_study_run (only
// cells
//       that are missing) -> compare.h. Later: sl_store_open -> sl_study_recall -> the same.
#pragma once

#include "starling/study/study_plan.h"

SL_API_BEGIN

typedef struct {
    int n_cells, n_done, n_failed; // of the plan; done: also those that the store had before
    int n_before;                  // of them
    const char *key;               // cell that has just ended, NULL = a sign of life
    double seconds, eta_seconds;   // since the start; NAN = not known yet
    double work;                   // share of the work done, by samples
} SlStudyProgress;
typedef bool SlStudyWatch(void *context, const SlStudyProgress *progress); // true = stop soon

// SL_EINPUT if the store is that of another study, or running the plan would replace results of
// another version: they are not of the same program, and what they took is not thrown away. Nothing
// is written.
SlStatus sl_study_check(const SlPlan *plan, SlStore *store, SlError *err);

// Keep the plan, and what was changed of it, in the store; make the plan from that again. A plan
// without a name: the store holds the records of a run, not of a study.
SlStatus sl_study_keep(const SlPlan *plan, const SlPlanChanges *changes, SlStore *store,
                       SlError *err);
SlStatus sl_study_recall(SlStore *store, SlArena *arena, SlPlan *plan, SlError *err);

// Add the records of a study to another one (sl_store_merge); a store without a plan takes over
// that of the first.
SlStatus sl_study_merge(SlStore *to, SlStore *from, int *n_new, SlError *err);

// Run what the store does not have yet, on a pool (NULL = this thread). A broken cell is a record
// with a reason; it is tried again by the next run. A cell that was stopped leaves no record.
// `watch` is called by one thread at a time, first before anything is run. SL_ENOMEM, SL_EINPUT
// (also where sl_study_check has a reason), or SL_EIO where the store cannot be written.
SlStatus sl_study_run(const SlPlan *plan, SlStore *store, SlPool *pool, SlStudyWatch *watch,
                      void *context, SlError *err);

SL_API_END
