// job_run.c - the tasks of a job side by side: a warm start, searches, proofs, and what programs
// are compared with.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "cell_detail.h"
#include "job_inside.h"

enum {
    HISTORY = 20000, // samples of other tasks to start from, at most
    DUEL_ROUNDS = 5,
};

// ---- watching ----

bool sl_job_say(SlJob *job, SlEvent event) {
    bool ends = job->watch && job->watch(job->context, &event);
    pthread_mutex_lock(&job->lock);
    job->asked = job->asked || ends;
    ends = job->asked;
    pthread_mutex_unlock(&job->lock);
    return ends;
}

bool sl_job_asked(SlJob *job) {
    pthread_mutex_lock(&job->lock);
    bool asked = job->asked;
    pthread_mutex_unlock(&job->lock);
    return asked;
}

// what a run or a proof of one task says, with its place in the job
typedef struct {
    SlJob *job;
    SlJobTask *task;
    int worker;
} Watcher;

static bool tell(const Watcher *watcher, SlEvent event) {
    SlJob *job = watcher->job;
    event.task = watcher->task->layer->name;
    for (int i = 0; i < job->n_tasks; i++)
        if (job->given[i].first == watcher->task->first) event.index = i;
    event.worker = watcher->worker;
    event.n_all = job->n_all;
    pthread_mutex_lock(&job->lock);
    event.n_done = job->n_done;
    pthread_mutex_unlock(&job->lock);
    return sl_job_say(job, event);
}

static bool watch_cell(void *context, const SlEvent *event) {
    SlEvent told = *event;
    if (told.kind == SL_EVENT_END) told.kind = SL_EVENT_SAMPLE; // the job says when a task ends
    return tell(context, told);
}

static SlEvent plain_event(SlEventKind kind, const SlJobTask *task) {
    return (SlEvent){.kind = kind,
                     .samples = task->record.samples,
                     .value = task->record.best.sample ? task->record.best.outcome.value : INFINITY,
                     .bound = NAN,
                     .floor = NAN};
}

// ---- items ----

void sl_job_each(SlJob *job, int n, SlWork *work) {
    // what is timed runs alone; a program of the user's has copies of its own
    bool alone = !job->pool || job->setup.kind->noisy || job->setup.kind->wide;
    if (!alone) sl_pool_run(job->pool, n, work, job);
    for (int i = 0; alone && i < n; i++) work(job, i, 0);
}

typedef SlStatus TaskWork(SlJob *job, SlJobTask *task, int worker, SlError *err);

static void work_on(SlJob *job, int item, int worker, TaskWork *work) {
    SlJobTask *task = job->todo[item];
    Watcher watcher = {job, task, worker};
    tell(&watcher, plain_event(SL_EVENT_BEGIN, task));
    task->status = work(job, task, worker, &task->err);
    pthread_mutex_lock(&job->lock);
    job->n_done++;
    pthread_mutex_unlock(&job->lock);
    tell(&watcher, plain_event(SL_EVENT_END, task));
}

// the first error in order
static SlStatus first_error(const SlJob *job, SlError *err) {
    for (int i = 0; i < job->n_todo; i++) {
        const SlJobTask *task = job->todo[i];
        if (task->status == SL_OK) continue;
        if (err) *err = task->err;
        return task->status;
    }
    return SL_OK;
}

static SlStatus keep(SlJob *job, SlJobTask *task, const SlProveSetup *proof, SlError *err) {
    return job->keep ? job->keep(job->context, task, proof, err) : SL_OK;
}

// ---- one search ----

// an even share of what is left of the time, as many tasks running side by side as there are
// threads
static double time_share(SlJob *job) {
    if (job->deadline <= 0) return job->setup.task_seconds;
    pthread_mutex_lock(&job->lock);
    int left = job->n_todo - job->n_begun++;
    pthread_mutex_unlock(&job->lock);
    int n_threads = job->pool ? sl_pool_threads(job->pool) : 1;
    int rounds = (left + n_threads - 1) / n_threads;
    double share = (job->deadline - sl_clock_seconds()) / rounds;
    if (job->setup.task_seconds > 0) share = fmin(share, job->setup.task_seconds);
    return share > 1e-3 ? share : 1e-3;
}

static SlStatus learn_from_others(SlJob *job, SlJobTask *task, SlHistory *history, SlError *err) {
    SlStatus status = SL_OK;
    if (job->setup.transfer && task->task)
        status =
            sl_log_history(job->setup.transfer, task->task, HISTORY, &task->arena, history, err);
    task->n_history = history->n;
    return status;
}

static void take_over(SlJobTask *task, const SlCellFound *found, const SlCellRecord *record) {
    task->agents = found->agents;
    task->assign_samples = record->assign_samples;
    task->record = found->run;
    task->searched = true;
    task->best_value = task->record.best.sample ? task->record.best.outcome.value : INFINITY;
}

static SlStatus search_task(SlJob *job, SlJobTask *task, int worker, SlError *err) {
    Watcher watcher = {job, task, worker};
    SlHistory history = {0};
    SlCell cell;
    SlCellFound found;
    SlCellRecord record;
    bool asked = sl_job_asked(job);
    // without a mapping a layer has no result at all; a program may go without
    if (asked && task->task) return SL_OK;
    SlStatus status = learn_from_others(job, task, &history, err);
    if (status == SL_OK) status = sl_job_cell(job, task, SL_CELL_RUN, &cell, err);
    if (status != SL_OK) return status;
    if (asked) cell.agents = (SlAgentChoice){0}; // no dataset for what ends at once
    if (history.n > 0) cell.history = &history;
    cell.budget.seconds = time_share(job);
    status = sl_cell_run(&cell, watch_cell, &watcher, &task->arena, &found, &record, err);
    if (status != SL_OK) return status;
    take_over(task, &found, &record);
    // a task that was cut short is searched again by the next run
    if (found.stopped) return SL_OK;
    status = keep(job, task, NULL, err);
    return status == SL_OK ? sl_job_put(job, task, &cell, &record, err) : status;
}

static void search_item(void *context, int item, int worker) {
    work_on(context, item, worker, search_task);
}

SlStatus sl_job_search(SlJob *job, int n, SlJobTask *tasks, SlError *err) {
    job->n_todo = job->n_begun = 0;
    for (int i = 0; i < n && job->setup.method; i++)
        if (!tasks[i].resumed && !tasks[i].reason[0]) job->todo[job->n_todo++] = &tasks[i];
    if (job->n_cores == 0) job->n_all = job->n_todo;
    sl_job_each(job, job->n_todo, search_item);
    return first_error(job, err);
}

// ---- a warm start ----

static SlStatus warm_task(SlJob *job, SlJobTask *task, SlError *err) {
    Watcher watcher = {job, task, 0};
    char stream[SL_TASK_TEXT_MAX + 8] = "warm ";
    SlRecord record;
    SlTaskSetup setup = sl_job_task_setup(job, task);
    SlAgents each;
    sl_agents_each(&task->space, &each);
    strncat(stream, task->text, sizeof stream - 6);
    SlRunSetup run = {.method = job->setup.method,
                      .options = job->setup.options,
                      .agents = &each,
                      .memory = job->memory,
                      .seed = job->setup.seed,
                      .stream = stream,
                      .budget = {.samples = job->setup.warm},
                      .start = job->setup.start,
                      .log = job->log};
    tell(&watcher, plain_event(SL_EVENT_BEGIN, task));
    SlStatus status = sl_task_make(&setup, &task->arena, &run.task, err);
    if (status == SL_OK) status = sl_run(&run, watch_cell, &watcher, job->arena, &record, err);
    sl_task_close(run.task);
    if (status != SL_OK) return status;
    task->warm_samples = record.samples;
    job->memory = record.memory;
    return SL_OK;
}

// Every task in turn for a few samples, each remembering what those before it remembered. In turn,
// so that the memory does not depend on threads.
static SlStatus warm_up(SlJob *job, SlError *err) {
    SlStatus status = SL_OK;
    int n_todo = 0;
    for (int i = 0; i < job->n_tasks; i++) n_todo += !job->tasks[i].resumed;
    job->n_all = n_todo;
    bool wanted = job->setup.warm > 0 && job->n_tasks > 1 && n_todo > 0;
    for (int i = 0; i < job->n_tasks && wanted && status == SL_OK; i++)
        if (!job->tasks[i].reason[0]) status = warm_task(job, &job->tasks[i], err);
    return status;
}

// ---- one proof ----

// nothing is proven of a task whose turn did not come, or that was stopped before it had any
// mapping; without a search it has its default mapping
static void leave_open(const SlJob *job, SlJobTask *task) {
    const SlAccel *accel = job->setup.accel;
    SlMapping mapping = task->record.best.mapping;
    double value = task->record.best.outcome.value;
    if (task->record.best.sample == 0) {
        SlCost cost;
        if (sl_mapping_default(task->layer, accel, &mapping, NULL) != SL_OK) return;
        sl_cost_eval(task->layer, accel, &mapping, &cost);
        value = sl_goal_value(&job->setup.goal, &cost);
    }
    task->proof = (SlProof){.status = SL_PROOF_STOPPED,
                            .value = value,
                            .start = value,
                            .gap = INFINITY,
                            .mapping = mapping};
}

// no mapping anyone finds is below a bound
static void check_bound(const SlJob *job, const SlJobTask *task) {
    const SlProof *proof = &task->proof;
    double most = proof->value * (1 + 1e-9), found = task->record.best.outcome.value;
    SlCost cost;
    if (job->setup.kind != &sl_kind_native || proof->status == SL_PROOF_UNCOVERED) return;
    sl_cost_eval(task->layer, job->setup.accel, &proof->mapping, &cost);
    // not as a quotient: a value may be 0, such as the area where nothing takes any
    assert(fabs(sl_goal_value(&job->setup.goal, &cost) - proof->value) <= 1e-9 * proof->value);
    assert(proof->status == SL_PROOF_OUTSIDE || proof->lower_bound <= most);
    assert(task->record.best.sample == 0 || proof->value <= found * (1 + 1e-9));
    (void)most, (void)found;
}

static SlStatus prove_task(SlJob *job, SlJobTask *task, int worker, SlError *err) {
    Watcher watcher = {job, task, worker};
    SlCell cell;
    SlCellFound found;
    SlCellRecord record;
    bool maps = job->setup.kind->maps;
    if (sl_job_asked(job)) {
        task->proven = maps;
        if (maps) leave_open(job, task);
        return SL_OK;
    }
    SlStatus status = sl_job_cell(job, task, SL_CELL_PROOF, &cell, err);
    if (status != SL_OK) return status;
    cell.pool = job->inside;
    status = sl_cell_run(&cell, watch_cell, &watcher, &task->arena, &found, &record, err);
    if (status != SL_OK) return status;
    task->proven = true;
    task->proof = found.proof;
    task->optimum = found.run;
    if (maps && !isfinite(task->proof.value)) leave_open(job, task);
    // a proof that was cut short is begun again by the next run
    if (found.stopped) return SL_OK;
    check_bound(job, task);
    SlProveSetup proof = sl_cell_proof(&cell);
    if (maps) status = keep(job, task, &proof, err);
    return status == SL_OK ? sl_job_put(job, task, &cell, &record, err) : status;
}

static void prove_item(void *context, int item, int worker) {
    work_on(context, item, worker, prove_task);
}

static bool is_provable(const SlJob *job, const SlJobTask *task) {
    int64_t most = job->setup.prove_points;
    if (task->reason[0] || task->proof_resumed) return false;
    if (job->setup.kind->maps) return true;
    return task->searched && sl_task_has_floors(task->task) &&
           (most == 0 || task->space.n_points <= most);
}

// Tasks are proven side by side; where there are fewer of them than threads, one after the other by
// all threads. What is proven does not depend on it, unless time ends it.
static SlStatus prove_all(SlJob *job, SlError *err) {
    job->n_todo = job->n_done = 0;
    for (int i = 0; i < job->n_tasks; i++)
        if (is_provable(job, &job->tasks[i])) job->todo[job->n_todo++] = &job->tasks[i];
    job->n_all = job->n_todo;
    sl_job_say(job, (SlEvent){.kind = SL_EVENT_PROOFS,
                              .index = -1,
                              .n_all = job->n_todo,
                              .value = INFINITY,
                              .bound = NAN,
                              .floor = NAN});
    bool many = !job->pool || job->n_todo >= sl_pool_threads(job->pool);
    if (many || !job->setup.kind->maps) {
        sl_job_each(job, job->n_todo, prove_item);
    } else {
        job->inside = job->pool;
        for (int i = 0; i < job->n_todo; i++) prove_item(job, i, 0);
        job->inside = NULL;
    }
    return first_error(job, err);
}

// ---- what programs are compared with ----

static void measure_untuned(SlJobTask *task) {
    int32_t point[SL_MAX_PARAMS];
    SlSample measured;
    sl_task_start(task->task, point);
    sl_task_eval(task->task, 1, point, &measured);
    task->untuned_value = measured.value;
}

// the best of many noisy times is better than true: both again, in turns
static void duel(SlJobTask *task) {
    const SlKernelBench *bench = sl_task_cpu_options(task->task)->bench;
    int32_t point[SL_MAX_PARAMS] = {0};
    SlKernelTask kernel;
    SlKernelSchedule best, untuned;
    SlKernelResult best_result, untuned_result;
    if (task->record.best.sample == 0) return;
    sl_task_start(task->task, point);
    sl_task_cpu(task->task, point, &kernel, &untuned);
    sl_task_cpu(task->task, task->record.best.point, &kernel, &best);
    sl_kernel_duel(bench, &kernel, &best, &untuned, DUEL_ROUNDS, &best_result, &untuned_result);
    if (best_result.error || untuned_result.error) return;
    task->duelled = true;
    task->best_value = best_result.median_s;
    task->untuned_value = untuned_result.median_s;
    if (!(task->untuned_value < task->best_value)) return;
    // nothing better was found: the layer keeps what it had
    task->untuned_won = true;
    task->best_value = task->untuned_value;
    memcpy(task->record.best.point, point, sizeof point);
}

static void compare_item(void *context, int item, int worker) {
    SlJob *job = context;
    SlJobTask *task = &job->tasks[item];
    (void)worker;
    if (!task->searched || task->reason[0]) return;
    if (job->setup.kind != &sl_kind_cpu)
        measure_untuned(task);
    else if (!sl_job_asked(job))
        duel(task);
}

// ---- the job ----

SlStatus sl_job_run(SlJob *job, SlPool *pool, SlWatch *watch, SlJobKeep *keep_task, void *context,
                    SlError *err) {
    job->pool = pool;
    job->watch = watch;
    job->keep = keep_task;
    job->context = context;
    job->asked = false;
    job->n_done = 0;
    if (job->setup.budget.seconds > 0)
        job->deadline = sl_clock_seconds() + job->setup.budget.seconds;
    SlStatus status = warm_up(job, err);
    if (status != SL_OK) return status;
    status = job->setup.n_cores > 0 ? sl_job_choose_core(job, err)
                                    : sl_job_search(job, job->n_tasks, job->tasks, err);
    if (status == SL_OK && job->setup.compare && !job->setup.kind->maps)
        sl_job_each(job, job->n_tasks, compare_item);
    return status == SL_OK && job->setup.prove ? prove_all(job, err) : status;
}
