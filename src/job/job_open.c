// job_open.c - the layers of a network as tasks of one job: equal ones once, their spaces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job_inside.h"

SlStatus sl_job_no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the job");
}

// ---- tasks ----

static SlStatus list_tasks(SlJob *job, SlError *err) {
    const SlNetwork *net = job->setup.net;
    int *first = SL_NEW(job->arena, net->n_layers, int);
    if (!first) return sl_job_no_memory(err);
    int n = sl_network_distinct(net, first);
    job->given = job->tasks = SL_NEW(job->arena, n, SlJobTask);
    job->todo = SL_NEW(job->arena, n, SlJobTask *);
    if (!job->tasks || !job->todo) return sl_job_no_memory(err);
    for (int i = 0; i < net->n_layers; i++) {
        if (first[i] == i) {
            SlJobTask *task = &job->tasks[job->n_tasks++];
            *task = (SlJobTask){
                .first = i, .layer = &net->layers[i], .best_value = NAN, .untuned_value = NAN};
            sl_arena_init(&task->arena, 0);
        }
        for (int t = 0; t < job->n_tasks; t++)
            job->tasks[t].count += job->tasks[t].first == first[i];
    }
    return SL_OK;
}

SlTaskSetup sl_job_task_setup(const SlJob *job, const SlJobTask *task) {
    const SlJobSetup *setup = &job->setup;
    if (setup->kind->maps)
        return (SlTaskSetup){.kind = setup->kind,
                             .space = &task->space,
                             .goal = setup->goal,
                             .illegal = setup->illegal,
                             .options = setup->kind_options};
    bool candidate = setup->n_cores > 0;
    return (SlTaskSetup){.kind = setup->kind,
                         .layer = task->layer,
                         .options = candidate ? &job->vta : setup->kind_options};
}

// ---- mappings ----

static SlStatus make_spaces(SlJob *job, SlError *err) {
    const SlAccel *accel = job->setup.accel;
    SlSpaceOptions options = job->setup.space;
    SlError inside;
    SlStatus status = sl_kind_space(job->setup.kind, job->arena, &job->constraints, &options, err);
    for (int i = 0; i < job->n_tasks && status == SL_OK; i++) {
        SlJobTask *task = &job->tasks[i];
        SlLayer nameless = *task->layer;
        nameless.name[0] = '\0';
        sl_layer_write(&nameless, sizeof task->text, task->text);
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

// ---- programs ----

SlStatus sl_job_make_program(SlJob *job, SlJobTask *task, SlError *err) {
    SlTaskSetup setup = sl_job_task_setup(job, task);
    SlError why;
    SlStatus status = sl_task_make(&setup, &task->arena, &task->task, &why);
    if (status != SL_OK && status != SL_EINPUT) return sl_fail(err, status, "%s", why.text);
    if (status == SL_OK) {
        task->space = *sl_task_space(task->task);
        sl_agents_each(&task->space, &task->agents);
        snprintf(task->text, sizeof task->text, "%s", sl_task_name(task->task));
        return SL_OK;
    }
    // the reason begins with the layer's name
    size_t n = strlen(task->layer->name);
    bool named = strncmp(why.text, task->layer->name, n) == 0 && why.text[n] == ':';
    task->task = NULL;
    snprintf(task->reason, sizeof task->reason, "%.200s", why.text + (named ? n + 2 : 0));
    return SL_OK;
}

static SlStatus make_programs(SlJob *job, SlError *err) {
    int n = 0;
    SlStatus status = SL_OK;
    if (job->setup.n_cores > 0) job->vta = *(const SlVtaOptions *)job->setup.kind_options;
    for (int i = 0; i < job->n_tasks && status == SL_OK; i++) {
        SlJobTask *task = &job->tasks[i];
        if (job->setup.skip_first && task->first == 0)
            snprintf(task->reason, sizeof task->reason, "--skip-first");
        else
            status = sl_job_make_program(job, task, err);
        n += task->task != NULL;
    }
    if (status != SL_OK || n > 0) return status;
    return sl_fail(err, SL_EINPUT, "%s: nothing to tune: %s", job->setup.net->name,
                   job->tasks[0].reason);
}

// ---- what decides results, as text ----

static SlStatus find_options(SlJob *job, SlError *err) {
    const SlMethod *method = job->setup.method;
    void *made;
    if (!method) return SL_OK;
    if (!job->setup.options) {
        SlStatus status = sl_method_options(method, NULL, job->arena, &made, err);
        if (status != SL_OK) return status;
        job->setup.options = made;
    }
    job->settings = sl_method_settings(method, job->setup.options, job->arena);
    return job->settings ? SL_OK : sl_job_no_memory(err);
}

static uint64_t hash_log(const SlLog *log) {
    uint64_t sum = SL_FNV_START;
    for (int i = 0; i < sl_log_n_tasks(log); i++) {
        const SlLogTask *task = sl_log_task(log, i);
        sum = sl_fnv_bytes(sum, task->name, strlen(task->name));
        for (int64_t k = 0; k < task->n; k++) {
            sum = sl_fnv_bytes(sum, &task->entries[k].key, sizeof task->entries[k].key);
            sum = sl_fnv_bytes(sum, &task->entries[k].sample.value, sizeof(double));
        }
    }
    return sum;
}

static SlStatus describe(SlJob *job, SlError *err) {
    const SlJobSetup *setup = &job->setup;
    SlText text;
    sl_text_init(&text, job->arena);
    sl_text_add(&text, "seconds %.17g %.17g target %.17g\n", setup->budget.seconds,
                setup->task_seconds, setup->budget.target);
    if (setup->transfer)
        sl_text_add(&text, "transfer %016llx\n", (unsigned long long)hash_log(setup->transfer));
    if (setup->flock)
        sl_text_add(&text, "flock %016llx\n", (unsigned long long)sl_flock_digest(setup->flock));
    // a warm start ties every task to all of them
    if (setup->warm > 0) sl_text_add(&text, "warm %lld\n", (long long)setup->warm);
    for (int i = 0; i < job->n_tasks; i++) {
        const SlJobTask *task = &job->tasks[i];
        if (setup->warm > 0) sl_text_add(&text, "%s\n", task->text);
        if (task->task)
            snprintf(job->objective, sizeof job->objective, "%s", sl_task_unit(task->task));
    }
    job->more = text.data;
    if (setup->kind->maps) sl_goal_text(&setup->goal, sizeof job->objective, job->objective);
    return text.failed ? sl_job_no_memory(err) : SL_OK;
}

// ---- opening ----

// NULL, or what cannot be asked of the kind
static const char *setup_fault(const SlJobSetup *setup, const SlTaskKind *kind) {
    if (setup->n_cores > 0 && (kind != &sl_kind_vta || !setup->kind_options))
        return "a core can be chosen for vta alone, with the core to begin with as its options";
    if (setup->prove && kind->maps && kind != &sl_kind_native)
        return "proofs hold for the native model only";
    if (kind->maps && !setup->accel) return "mappings need an accelerator";
    return NULL;
}

SlStatus sl_job_open(const SlJobSetup *setup, const char *store, SlArena *arena, SlJob **job,
                     SlError *err) {
    SlJob *made = SL_NEW(arena, 1, SlJob);
    *job = made;
    if (!made) return sl_job_no_memory(err);
    made->setup = *setup;
    made->arena = arena;
    made->samples = setup->budget.samples;
    if (!made->setup.kind) made->setup.kind = &sl_kind_native;
    pthread_mutex_init(&made->lock, NULL);
    const char *fault = setup_fault(setup, made->setup.kind);
    if (fault) return sl_fail(err, SL_EINPUT, "%s: %s", made->setup.kind->name, fault);
    SlStatus status = list_tasks(made, err);
    if (status == SL_OK)
        status = made->setup.kind->maps ? make_spaces(made, err) : make_programs(made, err);
    if (status == SL_OK) status = find_options(made, err);
    if (status == SL_OK) status = describe(made, err);
    return status == SL_OK && store ? sl_job_set_store(made, store, err) : status;
}

SlStatus sl_job_set_store(SlJob *job, const char *store, SlError *err) {
    SlStatus status = sl_store_open(store, true, &job->store, err);
    // of a network that chooses a core the tasks are not known yet
    if (status != SL_OK || job->setup.n_cores > 0) return status;
    return sl_job_recall(job, job->n_tasks, job->tasks, err);
}

static void close_tasks(int n, SlJobTask *tasks) {
    for (int i = 0; i < n; i++) {
        sl_task_close(tasks[i].task);
        sl_arena_free(&tasks[i].arena);
    }
}

void sl_job_close(SlJob *job) {
    if (!job) return;
    for (int c = 0; c < job->n_cores; c++)
        if (job->cores[c].tasks) close_tasks(job->n_tasks, job->cores[c].tasks);
    close_tasks(job->n_tasks, job->given);
    sl_store_close(job->store);
    pthread_mutex_destroy(&job->lock);
}

const SlJobSetup *sl_job_setup(const SlJob *job) {
    return &job->setup;
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
