// task_run.h - drive a method on any task, as a run does, and check what every method promises.
#pragma once

#include "search/method_run.h"
#include "support/check.h"
#include "support/toy_task.h"

typedef struct {
    SlArena arena;
    SlTask *task;
    const SlMethod *method;
    void *state;
    double *table; // (n_points) values that were measured before, 0 = not yet; NULL = none
    bool repeats;  // points may be asked for again
    SlKeySet *asked;
    int64_t n;          // samples
    int64_t n_failed;   // of them
    int64_t n_repeated; // of them
    int32_t *points;    // (n, n_params)
    double *values;     // (n)
    double best;        // least value
    bool over;          // asking returned 0
} TaskRun;

enum { TASK_RUN_MOST = 4096 }; // samples

// The method with its defaults and `changes` ("name=value ..."), which may be NULL.
void task_run_begin(TaskRun *run, SlTask *task, const char *name, const char *changes,
                    uint64_t seed, const SlHistory *history);
// Ask with at most `room` points at a time, evaluate, tell, for up to n samples or until there are
// none left. Points must be within the space, new (but with `repeats`), and no more than there is
// space for.
void task_run_continue(TaskRun *run, int64_t n, int room);
void task_run_end(TaskRun *run);
