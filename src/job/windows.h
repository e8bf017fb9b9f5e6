// windows.h - inside job: a run in equal stretches of its budget.
//
// Flow: sl_windows_fault -> sl_windows_init -> sl_windows_add (every sample) -> sl_windows_finish.
#pragma once

#include "starling/job.h"

enum { SL_MAX_WINDOWS = 10000 };

typedef struct {
    const SlSpace *space;
    SlArena *work;
    int64_t budget;
    int n; // windows of the whole budget, 0 = not asked for
    bool trace;
    int n_begun;
    SlWindow *windows;  // (n)
    int64_t *n_samples; // (n) in each window
    int64_t *n_points;  // (n) of them those that are points of the space
    int32_t *points;    // (room, n_params) all of them in order
    int64_t kept, room;
} Windows;

// NULL, or why the setup cannot have the windows it asks for.
const char *sl_windows_fault(const SlRunSetup *setup);

// `work` is kept. No more windows than samples. false without memory.
bool sl_windows_init(Windows *windows, const SlRunSetup *setup, SlArena *work);

// Sample number `sample` (1, 2, ...); `point` NULL: outside the space. false without memory.
bool sl_windows_add(Windows *windows, int64_t sample, const int32_t *point, double value);

// Windows and trace of the record in the arena; `best` NULL: nothing legal. false without memory.
bool sl_windows_finish(const Windows *windows, const SlBest *best, SlArena *arena,
                       SlRecord *record);
