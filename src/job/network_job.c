// network_job.c - the layers of a network as tasks of one job: spaces, agents, a warm start,
// searches and proofs side by side.
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "starling/job.h"
#include "starling/network.h"

struct SlJob {
    SlJobSetup setup;
    SlArena *arena;
    SlConstraints constraints; // of the kind
    SlLog *log;                // NULL = none
    int n_tasks;
    SlJobTask *tasks;

    // while it runs
    SlPool *pool, *inside; // inside: threads for one proof, NULL = one
    SlWatch *watch;
    SlJobKeep *keep;
    void *context;
    SlJobTask **todo; // (n_todo)
    int n_todo, n_begun, n_done;
    const SlMemory *memory; // from the warm start
    double deadline;        // 0 = none
    bool asked;             // the watch wants an end
    pthread_mutex_t lock;
};

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- opening ----

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the job");
}

static SlStatus list_tasks(SlJob *job, SlError *err) {
    const SlNetwork *net = job->setup.net;
    int *first = SL_NEW(job->arena, net->n_layers, int);
    if (!first) return no_memory(err);
    int n = sl_network_distinct(net, first);
    job->tasks = SL_NEW(job->arena, n, SlJobTask);
    job->todo = SL_NEW(job->arena, n, SlJobTask *);
    if (!job->tasks || !job->todo) return no_memory(err);
    for (int i = 0; i < net->n_layers; i++) {
        if (first[i] == i) {
            SlJobTask *task = &job->tasks[job->n_tasks++];
            SlLayer nameless = net->layers[i];
            nameless.name[0] = '\0';
            *task = (SlJobTask){.first = i, .layer = &net->layers[i]};
            sl_layer_write(&nameless, sizeof task->text, task->text);
            sl_arena_init(&task->arena, 0);
        }
        for (int t = 0; t < job->n_tasks; t++)
            job->tasks[t].count += job->tasks[t].first == first[i];
    }
    return SL_OK;
}

static SlStatus make_spaces(SlJob *job, SlError *err) {
    const SlAccel *accel = job->setup.accel;
    SlSpaceOptions options = job->setup.space;
    SlError inside;
    SlStatus status = sl_kind_space(job->setup.kind, job->arena, &job->constraints, &options, err);
    for (int i = 0; i < job->n_tasks && status == SL_OK; i++) {
        SlJobTask *task = &job->tasks[i];
        const char *reason = sl_kind_check(job->setup.kind, task->layer, accel);
        if (reason)
            return sl_fail(err, SL_EINPUT, "%s: %s on %s: %s", job->setup.kind->name,
                           task->layer->name, accel->name, reason);
        status = sl_space_make(task->layer, accel, &options, job->arena, &task->space, &inside);
        if (status != SL_OK)
            return sl_fail(err, status, "%s on %s: %s", task->layer->name, accel->name,
                           inside.text);
        sl_agents_each(&task->space, &task->agents);
    }
    return status;
}

SlStatus sl_job_open(const SlJobSetup *setup, SlArena *arena, SlJob **job, SlError *err) {
    SlJob *made = SL_NEW(arena, 1, SlJob);
    *job = made;
    if (!made) return no_memory(err);
    made->setup = *setup;
    made->arena = arena;
    if (!made->setup.kind) made->setup.kind = &sl_kind_native;
    pthread_mutex_init(&made->lock, NULL);
    SlStatus status = list_tasks(made, err);
    return status == SL_OK ? make_spaces(made, err) : status;
}

void sl_job_close(SlJob *job) {
    if (!job) return;
    for (int i = 0; i < job->n_tasks; i++) sl_arena_free(&job->tasks[i].arena);
    pthread_mutex_destroy(&job->lock);
}

int sl_job_n_tasks(const SlJob *job) {
    return job->n_tasks;
}

void sl_job_set_log(SlJob *job, SlLog *log) {
    job->log = log;
}

SlJobTask *sl_job_task(SlJob *job, int i) {
    return &job->tasks[i];
}

// ---- watching ----

// what a run or a proof of one task says, with its place in the job
typedef struct {
    SlJob *job;
    SlJobTask *task;
    int worker;
} Watcher;

static bool tell(const Watcher *watcher, SlEvent event) {
    SlJob *job = watcher->job;
    event.task = watcher->task->layer->name;
    event.index = (int)(watcher->task - job->tasks);
    event.worker = watcher->worker;
    event.n_all = job->n_todo;
    pthread_mutex_lock(&job->lock);
    event.n_done = job->n_done;
    pthread_mutex_unlock(&job->lock);
    bool ends = job->watch && job->watch(job->context, &event);
    pthread_mutex_lock(&job->lock);
    job->asked = job->asked || ends;
    ends = job->asked;
    pthread_mutex_unlock(&job->lock);
    return ends;
}

static bool is_asked(SlJob *job) {
    pthread_mutex_lock(&job->lock);
    bool asked = job->asked;
    pthread_mutex_unlock(&job->lock);
    return asked;
}

static bool watch_run(void *context, const SlEvent *event) {
    SlEvent told = *event;
    if (told.kind == SL_EVENT_END) told.kind = SL_EVENT_SAMPLE; // the job says when a task ends
    return tell(context, told);
}

static bool watch_proof(void *context, const SlProofPoint *now) {
    return tell(context, (SlEvent){.kind = SL_EVENT_BOUND,
                                   .value = now->value,
                                   .bound = now->lower_bound,
                                   .floor = NAN,
                                   .seconds = now->seconds});
}

static SlEvent plain_event(SlEventKind kind, const SlJobTask *task) {
    return (SlEvent){.kind = kind,
                     .samples = task->record.samples,
                     .value = task->record.best.sample ? task->record.best.outcome.value : INFINITY,
                     .bound = NAN,
                     .floor = NAN};
}

// ---- one search ----

static SlTaskSetup task_setup(const SlJob *job, const SlJobTask *task) {
    return (SlTaskSetup){.kind = job->setup.kind,
                         .space = &task->space,
                         .goal = job->setup.goal,
                         .illegal = job->setup.illegal,
                         .options = job->setup.kind_options};
}

static SlStatus assign_agents(SlJob *job, SlJobTask *task, SlError *err) {
    if (is_asked(job)) return SL_OK;
    SlTaskSetup setup = task_setup(job, task);
    SlAssignSetup assign = sl_assign_defaults();
    if (job->setup.dataset > 0) assign.samples = job->setup.dataset;
    assign.seed = job->setup.seed;
    return sl_agents_assign(&setup, &assign, job->setup.n_agents, &task->arena, &task->agents,
                            &task->assign_samples, err);
}

// an even share of what is left of the time, as many tasks running side by side as there are
// threads
static double time_share(SlJob *job) {
    if (job->deadline <= 0) return 0;
    pthread_mutex_lock(&job->lock);
    int left = job->n_todo - job->n_begun++;
    pthread_mutex_unlock(&job->lock);
    int n_threads = sl_pool_threads(job->pool);
    int rounds = (left + n_threads - 1) / n_threads;
    double share = (job->deadline - now_seconds()) / rounds;
    return share > 1e-3 ? share : 1e-3;
}

static SlRunSetup run_setup(const SlJob *job, const SlJobTask *task) {
    const SlJobSetup *setup = &job->setup;
    return (SlRunSetup){
        .method = setup->method,
        .options = setup->options,
        .agents = &task->agents,
        .memory = job->memory,
        .seed = setup->seed,
        .stream = task->text,
        .budget = {.samples = setup->budget.samples, .target = setup->budget.target},
        .start = setup->start,
        .log = job->log};
}

static SlStatus run_task(SlJob *job, SlJobTask *task, SlRunSetup *run, Watcher *watcher,
                         SlArena *arena, SlRecord *record, SlError *err) {
    SlTaskSetup setup = task_setup(job, task);
    SlStatus status = sl_task_make(&setup, &task->arena, &run->task, err);
    if (status == SL_OK) status = sl_run(run, watch_run, watcher, arena, record, err);
    sl_task_close(run->task);
    return status;
}

static SlStatus search_task(SlJob *job, SlJobTask *task, int worker, SlError *err) {
    Watcher watcher = {job, task, worker};
    SlStatus status = assign_agents(job, task, err);
    if (status != SL_OK) return status;
    SlRunSetup run = run_setup(job, task);
    run.budget.seconds = time_share(job);
    status = run_task(job, task, &run, &watcher, &task->arena, &task->record, err);
    // a task that was cut short is searched again by the next run
    bool whole = status == SL_OK && task->record.stopped != SL_STOP_ASKED;
    return whole && job->keep ? job->keep(job->context, task, NULL, err) : status;
}

// ---- one proof ----

static bool has_found(const SlJobTask *task) {
    return task->record.best.sample > 0;
}

// nothing is proven of a task whose turn did not come, or that was stopped before it had any
// mapping; without a search it has its default mapping
static void leave_open(const SlJob *job, SlJobTask *task) {
    const SlAccel *accel = job->setup.accel;
    SlMapping mapping = task->record.best.mapping;
    double value = task->record.best.outcome.value;
    if (!has_found(task)) {
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

static SlStatus prove_task(SlJob *job, SlJobTask *task, int worker, SlError *err) {
    Watcher watcher = {job, task, worker};
    SlProveSetup setup = {.space = &task->space,
                          .finder = sl_method_find("local"),
                          .goal = job->setup.goal,
                          .epsilon = job->setup.epsilon,
                          .seconds = job->setup.prove_seconds,
                          .incumbent = has_found(task) ? &task->record.best.mapping : NULL,
                          .seed = job->setup.seed,
                          .pool = job->inside};
    task->proven = true;
    if (is_asked(job)) {
        leave_open(job, task);
        return SL_OK;
    }
    SlStatus status = sl_prove(&setup, watch_proof, &watcher, &task->arena, &task->proof, err);
    if (status != SL_OK) return status;
    if (!isfinite(task->proof.value)) leave_open(job, task);
    // a proof that was cut short is begun again by the next run
    bool whole = task->proof.status != SL_PROOF_STOPPED || !is_asked(job);
    return whole && job->keep ? job->keep(job->context, task, &setup, err) : SL_OK;
}

// ---- all tasks ----

static void work_on(SlJob *job, int item, int worker,
                    SlStatus (*work)(SlJob *, SlJobTask *, int, SlError *)) {
    SlJobTask *task = job->todo[item];
    Watcher watcher = {job, task, worker};
    tell(&watcher, plain_event(SL_EVENT_BEGIN, task));
    task->status = work(job, task, worker, &task->err);
    pthread_mutex_lock(&job->lock);
    job->n_done++;
    pthread_mutex_unlock(&job->lock);
    tell(&watcher, plain_event(SL_EVENT_END, task));
}

static void search_item(void *context, int item, int worker) {
    work_on(context, item, worker, search_task);
}

static void prove_item(void *context, int item, int worker) {
    work_on(context, item, worker, prove_task);
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

// Every task in turn for a few samples, each remembering what those before it remembered. In turn,
// so that the memory does not depend on threads.
static SlStatus warm_up(SlJob *job, SlError *err) {
    if (job->setup.warm == 0 || job->n_tasks < 2 || job->n_todo == 0) return SL_OK;
    for (int i = 0; i < job->n_tasks; i++) {
        SlJobTask *task = &job->tasks[i];
        Watcher watcher = {job, task, 0};
        char stream[SL_TASK_TEXT_MAX + 8] = "warm ";
        SlRecord record;
        SlAgents each;
        SlRunSetup run = run_setup(job, task);
        sl_agents_each(&task->space, &each);
        strncat(stream, task->text, sizeof stream - 6);
        run.agents = &each;
        run.stream = stream;
        run.budget = (SlBudget){.samples = job->setup.warm};
        tell(&watcher, plain_event(SL_EVENT_BEGIN, task));
        SlStatus status = run_task(job, task, &run, &watcher, job->arena, &record, err);
        if (status != SL_OK) return status;
        task->warm_samples = record.samples;
        job->memory = record.memory;
    }
    return SL_OK;
}

static SlStatus search_all(SlJob *job, SlError *err) {
    job->n_todo = job->n_done = job->n_begun = 0;
    for (int i = 0; i < job->n_tasks && job->setup.method; i++)
        if (!job->tasks[i].resumed) job->todo[job->n_todo++] = &job->tasks[i];
    SlStatus status = warm_up(job, err);
    if (status != SL_OK) return status;
    sl_pool_run(job->pool, job->n_todo, search_item, job);
    return first_error(job, err);
}

// Tasks are proven side by side; where there are fewer of them than threads, one after the other by
// all threads. What is proven does not depend on it, unless time ends it.
static SlStatus prove_all(SlJob *job, SlError *err) {
    job->n_todo = job->n_done = 0;
    for (int i = 0; i < job->n_tasks; i++)
        if (!job->tasks[i].proof_resumed) job->todo[job->n_todo++] = &job->tasks[i];
    SlEvent event = {.kind = SL_EVENT_PROOFS, .index = -1, .n_all = job->n_todo, .floor = NAN};
    if (job->watch && job->watch(job->context, &event)) job->asked = true;
    if (job->n_todo >= sl_pool_threads(job->pool)) {
        sl_pool_run(job->pool, job->n_todo, prove_item, job);
    } else {
        job->inside = job->pool;
        for (int i = 0; i < job->n_todo; i++) prove_item(job, i, 0);
        job->inside = NULL;
    }
    return first_error(job, err);
}

SlStatus sl_job_run(SlJob *job, SlPool *pool, SlWatch *watch, SlJobKeep *keep, void *context,
                    SlError *err) {
    job->pool = pool;
    job->watch = watch;
    job->keep = keep;
    job->context = context;
    job->asked = false;
    if (job->setup.budget.seconds > 0) job->deadline = now_seconds() + job->setup.budget.seconds;
    SlStatus status = search_all(job, err);
    return status == SL_OK && job->setup.prove ? prove_all(job, err) : status;
}

// ---- what came of it ----

const SlMapping *sl_job_mapping(const SlJobTask *task) {
    bool found = has_found(task);
    if (found && !(task->proven && task->proof.improved)) return &task->record.best.mapping;
    bool made = task->proven && task->proof.status != SL_PROOF_UNCOVERED;
    return made ? &task->proof.mapping : NULL;
}

bool sl_job_has_bound(const SlJobTask *task) {
    return task->proven && task->proof.status != SL_PROOF_UNCOVERED && task->proof.lower_bound > 0;
}

double sl_job_bound(const SlJob *job) {
    SlNetworkBound bound;
    sl_network_bound_init(&bound, &job->setup.goal);
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        bool has = sl_job_has_bound(task);
        sl_network_bound_add(&bound, task->count, has ? task->proof.lower_bound : NAN);
    }
    return sl_network_bound_value(&bound);
}

SlNetworkResult sl_job_result(const SlJob *job) {
    SlNetworkResult result = {.n_tasks = job->n_tasks, .n_layers = job->setup.net->n_layers};
    SlNetworkCost sums;
    sl_network_cost_init(&sums, job->setup.accel);
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        const SlMapping *mapping = sl_job_mapping(task);
        result.samples += task->record.samples;
        result.n_proven += sl_job_has_bound(task);
        if (!mapping) continue;
        SlCost cost;
        SlNetworkPart part = sl_network_part(task->count);
        sl_cost_eval(task->layer, job->setup.accel, mapping, &cost);
        part.latency_cycles = cost.latency_cycles;
        part.energy_pj = cost.energy_pj;
        part.area_um2 = cost.area_min_um2;
        sl_network_cost_add(&sums, &part);
    }
    bool all = sums.n_distinct == job->n_tasks;
    result.latency_cycles = sums.latency_cycles;
    result.energy_pj = sums.energy_pj;
    result.value = all ? sl_network_goal_value(&job->setup.goal, &sums) : NAN;
    result.bound = sl_job_bound(job);
    result.gap = sl_network_gap(result.value, result.bound);
    return result;
}
