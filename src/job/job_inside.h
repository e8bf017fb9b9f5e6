// job_inside.h - inside job: a job while it is open.
#pragma once

#include <pthread.h>

#include "starling/job/network_job.h"

struct SlJob {
    SlJobSetup setup;
    SlArena *arena;
    SlConstraints constraints; // of the kind
    SlVtaOptions vta;          // where candidates for a core are tuned on: of the one at work
    const char *settings;      // options of the method as text
    const char *more;          // what else decides results: limits, a warm start, transfer
    char objective[256];
    SlStore *store; // NULL = none
    SlLog *log;     // NULL = none
    int n_tasks;
    SlJobTask *given; // (n_tasks) as opened
    SlJobTask *tasks; // (n_tasks) the same, or those on the core chosen
    int n_cores;
    SlJobCore *cores; // (n_cores) by draft
    const SlJobCore *chosen;

    // while it runs
    SlPool *pool;   // NULL = this thread
    SlPool *inside; // threads for one proof, NULL = one
    SlWatch *watch;
    SlJobKeep *keep;
    void *context;
    SlJobTask **todo; // (n_todo)
    int n_todo, n_begun, n_done, n_all;
    int64_t samples;        // of a task: the budget, or a core's share of it
    const SlMemory *memory; // from the warm start
    double deadline;        // 0 = none
    bool asked;             // the watch wants an end
    pthread_mutex_t lock;   // around counters and `asked`
};

SlStatus sl_job_no_memory(SlError *err);

// --- Tasks (job_open.c)

SlTaskSetup sl_job_task_setup(const SlJob *job, const SlJobTask *task);
// The task of a program: its space and its name, or the reason why it is left out.
SlStatus sl_job_make_program(SlJob *job, SlJobTask *task, SlError *err);

// --- Cells and the store (job_keep.c)

// The unit of work that searches or proves a task; SL_ENOMEM.
SlStatus sl_job_cell(SlJob *job, SlJobTask *task, SlCellKind kind, SlCell *cell, SlError *err);
// What is through goes to the store, if there is one.
SlStatus sl_job_put(SlJob *job, SlJobTask *task, const SlCell *cell, SlCellRecord *record,
                    SlError *err);
// Take over what the store has of tasks (n).
SlStatus sl_job_recall(SlJob *job, int n, SlJobTask *tasks, SlError *err);

// --- Running (job_run.c)

bool sl_job_asked(SlJob *job);
bool sl_job_say(SlJob *job, SlEvent event); // to the watch; true = an end was asked for
// Do items 0..n-1, side by side where the kind allows it.
void sl_job_each(SlJob *job, int n, SlWork *work);
// Search what is not resumed of tasks (n).
SlStatus sl_job_search(SlJob *job, int n, SlJobTask *tasks, SlError *err);

// --- A core for all layers (job_cores.c)

SlStatus sl_job_choose_core(SlJob *job, SlError *err);
