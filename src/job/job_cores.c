// job_cores.c - one core for a whole network: all cores that fit the chip by drafts, which are
// free; every layer tuned on the best few of them; the least sum wins.
#include <math.h>
#include <stdlib.h>

#include "job_inside.h"
#include "starling/network.h"

enum { MAX_BATCH = 8, MIN_BLOCK = 4, MAX_BLOCK = 64, MOST_CORES = 128 };

// ---- drafts ----

// the least draft of a task's layer on a core, in cycles; INFINITY where nothing fits
static double least_draft(const SlJob *job, const SlJobTask *task, const SlVtaCore *core) {
    SlArena scratch;
    SlTask *candidate = NULL;
    double least = INFINITY;
    SlVtaOptions options = job->vta;
    options.core = *core;
    SlTaskSetup setup = {.kind = job->setup.kind, .layer = task->layer, .options = &options};
    sl_arena_init(&scratch, 0);
    if (sl_task_make(&setup, &scratch, &candidate, NULL) == SL_OK) {
        int32_t point[SL_MAX_PARAMS];
        const SlSpace *knobs = sl_task_space(candidate);
        for (int64_t i = 0; i < knobs->n_points; i++) {
            sl_space_at(knobs, i, point);
            least = fmin(least, sl_task_draft(candidate, point));
        }
    }
    sl_task_close(candidate);
    sl_arena_free(&scratch);
    return least;
}

static void draft_core(void *context, int item, int worker) {
    SlJob *job = context;
    SlJobCore *row = &job->cores[item];
    SlNetworkCost sum;
    sl_network_cost_init(&sum, NULL);
    for (int i = 0; i < job->n_tasks && !sl_job_asked(job); i++) {
        const SlJobTask *task = &job->given[i];
        SlNetworkPart part = sl_network_part(task->count);
        if (!task->task) continue;
        part.value = row->drafts[i] = least_draft(job, task, &row->core);
        sl_network_cost_add(&sum, &part);
    }
    row->draft = sum.value;
    pthread_mutex_lock(&job->lock);
    int n_done = ++job->n_done;
    pthread_mutex_unlock(&job->lock);
    sl_job_say(job, (SlEvent){.kind = SL_EVENT_CORES,
                              .index = -1,
                              .worker = worker,
                              .n_done = n_done,
                              .n_all = job->n_cores,
                              .value = INFINITY,
                              .bound = NAN,
                              .floor = NAN});
}

// smaller cores first where drafts are equal
static int by_draft(const void *a, const void *b) {
    const SlJobCore *x = a, *y = b;
    if (x->draft != y->draft) return x->draft < y->draft ? -1 : 1;
    int64_t p = (int64_t)x->core.batch * x->core.block_in * x->core.block_out;
    int64_t q = (int64_t)y->core.batch * y->core.block_in * y->core.block_out;
    if (p != q) return p < q ? -1 : 1;
    if (x->core.batch != y->core.batch) return x->core.batch < y->core.batch ? -1 : 1;
    return (x->core.block_in > y->core.block_in) - (x->core.block_in < y->core.block_in);
}

// false without memory
static bool add_core(SlJob *job, int batch, int block_in, int block_out) {
    SlVtaCore core = job->vta.core;
    core.batch = batch;
    core.block_in = block_in;
    core.block_out = block_out;
    if (sl_vta_core_check(&core) || sl_vta_fill(&core, &job->vta.budget, NULL) > 1) return true;
    SlJobCore *row = &job->cores[job->n_cores++];
    *row = (SlJobCore){.core = core, .cycles = NAN};
    row->drafts = SL_NEW(job->arena, job->n_tasks, double);
    return row->drafts != NULL;
}

static SlStatus list_cores(SlJob *job, SlError *err) {
    job->cores = SL_NEW(job->arena, MOST_CORES, SlJobCore);
    bool made = job->cores != NULL;
    for (int b = 1; b <= MAX_BATCH; b *= 2)
        for (int i = MIN_BLOCK; i <= MAX_BLOCK; i *= 2)
            for (int o = MIN_BLOCK; o <= MAX_BLOCK; o *= 2) made = made && add_core(job, b, i, o);
    if (!made) return sl_job_no_memory(err);
    sl_job_each(job, job->n_cores, draft_core);
    job->n_done = 0;
    int n = 0;
    for (int c = 0; c < job->n_cores; c++)
        if (isfinite(job->cores[c].draft) && !sl_job_asked(job)) job->cores[n++] = job->cores[c];
    job->n_cores = n;
    qsort(job->cores, (size_t)n, sizeof *job->cores, by_draft);
    if (n > 0 || sl_job_asked(job)) return SL_OK;
    return sl_fail(err, SL_EINPUT, "no core fits --resources and runs every layer");
}

// ---- the best few ----

static SlStatus make_tasks(SlJob *job, SlJobCore *row, SlError *err) {
    SlStatus status = SL_OK;
    row->tasks = SL_NEW(job->arena, job->n_tasks, SlJobTask);
    if (!row->tasks) return sl_job_no_memory(err);
    for (int i = 0; i < job->n_tasks; i++) {
        row->tasks[i] = job->given[i];
        row->tasks[i].task = NULL;
        sl_arena_init(&row->tasks[i].arena, 0);
    }
    for (int i = 0; i < job->n_tasks && status == SL_OK; i++)
        if (!row->tasks[i].reason[0]) status = sl_job_make_program(job, &row->tasks[i], err);
    return status;
}

static SlStatus tune_on(SlJob *job, SlJobCore *row, SlError *err) {
    job->vta.core = row->core;
    SlStatus status = make_tasks(job, row, err);
    if (status == SL_OK && job->store) status = sl_job_recall(job, job->n_tasks, row->tasks, err);
    if (status == SL_OK) status = sl_job_search(job, job->n_tasks, row->tasks, err);
    SlNetworkCost sum;
    sl_network_cost_init(&sum, NULL);
    for (int i = 0; i < job->n_tasks && status == SL_OK; i++) {
        const SlJobTask *task = &row->tasks[i];
        SlNetworkPart part = sl_network_part(task->count);
        if (!task->task) continue;
        bool found = task->searched && task->record.best.sample > 0;
        part.value = found ? task->record.best.outcome.value : NAN;
        sl_network_cost_add(&sum, &part);
    }
    row->cycles = sum.value;
    return status;
}

static int n_runs(const SlJob *job) {
    int n = 0;
    for (int i = 0; i < job->n_tasks; i++) n += job->given[i].task != NULL;
    return n;
}

SlStatus sl_job_choose_core(SlJob *job, SlError *err) {
    SlStatus status = list_cores(job, err);
    int most = job->setup.n_cores;
    int n = job->n_cores < most ? job->n_cores : most;
    int64_t budget = job->setup.budget.samples;
    if (budget > 0 && n > 0) job->samples = budget > n ? budget / n : 1;
    job->n_all = n * n_runs(job);
    for (int i = 0; i < n && status == SL_OK && !sl_job_asked(job); i++) {
        SlJobCore *row = &job->cores[i];
        status = tune_on(job, row, err);
        if (!job->chosen || isnan(job->chosen->cycles) || row->cycles < job->chosen->cycles)
            job->chosen = row;
    }
    if (status != SL_OK || !job->chosen) return status;
    job->vta.core = job->chosen->core;
    job->tasks = job->chosen->tasks;
    return SL_OK;
}

const SlJobCore *sl_job_cores(const SlJob *job, int *n) {
    *n = job->n_cores;
    return job->cores;
}

const SlJobCore *sl_job_core(const SlJob *job) {
    return job->chosen;
}
