// tune_plan.c - what the options of `starling tune` name: a target, a tuner, a log of other layers;
// the job.
#include <stdio.h>
#include <string.h>

#include "tune_command.h"

#define DECLARE(name) extern const TuneTarget tune_##name;
TUNE_TARGETS(DECLARE)
#define POINT(name) &tune_##name,
static const TuneTarget *const targets[] = {TUNE_TARGETS(POINT)};
enum { N_TARGETS = sizeof targets / sizeof *targets };

const TuneTarget *tune_target_find(const char *name, SlError *err) {
    char names[256] = "";
    for (int i = 0; i < N_TARGETS; i++) {
        size_t n = strlen(names);
        if (strcmp(targets[i]->kind->name, name) == 0) return targets[i];
        snprintf(names + n, sizeof names - n, "%s%s", i > 0 ? " or " : "", targets[i]->kind->name);
    }
    sl_fail(err, SL_EINPUT, "--evaluator: expected %s, got '%.60s'", names, name);
    return NULL;
}

// ---- the tuner ----

// --flock, and who may not do without one
static SlStatus find_flock(Tune *tune, SlError *err) {
    const char *name = tune->options->flock;
    SlJobSetup *setup = &tune->setup;
    SlFlock *flock = NULL;
    bool needs = setup->method->needs & SL_NEEDS_FLOCK;
    if (needs && !name)
        return sl_fail(
            err, SL_EINPUT,
            "--method %s: expected --flock too; see 'starling list flocks' and 'starling learn'",
            setup->method->name);
    if (!name) return SL_OK;
    if (!needs)
        return sl_fail(err, SL_EINPUT, "--flock: method %s takes no flock; expected --method flock",
                       setup->method->name);
    SlStatus status = sl_flock_find(name, tune->arena, &flock, err);
    setup->flock = flock;
    tune->tuned.flock = name;
    return status;
}

// the flock suits the layers' tasks
static SlStatus check_flock(const Tune *tune, SlError *err) {
    const char *name = tune->options->flock;
    for (int i = 0; tune->setup.flock && i < sl_job_n_tasks(tune->tuned.job); i++) {
        const SlTask *task = sl_job_task(tune->tuned.job, i)->task;
        const char *reason = task ? sl_flock_check(tune->setup.flock, task) : NULL;
        if (reason)
            return sl_fail(err, SL_EINPUT, "--flock %.100s: %s; see 'starling list flocks %.100s'",
                           name, reason, name);
    }
    return SL_OK;
}

static SlStatus read_tuner(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    SlJobSetup *setup = &tune->setup;
    SlError inside;
    void *made;
    const char *usual = options->flock ? "flock" : "dcoc";
    SlStatus status =
        sl_method_open(options->method ? options->method : usual, &setup->method, err);
    if (status == SL_OK) status = find_flock(tune, err);
    if (status != SL_OK) return status;
    status = sl_method_options(setup->method, tune->options->set, tune->arena, &made, &inside);
    if (status != SL_OK) return sl_fail(err, status, "--set: %s", inside.text);
    setup->options = made;
    return SL_OK;
}

static SlStatus read_transfer(Tune *tune, SlError *err) {
    char *text;
    size_t n;
    SlLog *log;
    const char *path = tune->options->transfer;
    if (!path) return SL_OK;
    if (!sl_method_has_option(tune->setup.method, "transfer"))
        return sl_fail(err, SL_EINPUT, "--transfer: method %s does not learn from other layers",
                       tune->setup.method->name);
    SlStatus status = sl_file_read(path, (size_t)1 << 30, tune->arena, &text, &n, err);
    if (status == SL_OK) status = sl_log_parse(path, text, n, tune->arena, &log, err);
    if (status != SL_OK) return status;
    sl_folder_digest(text, n, tune->transfer_digest);
    tune->setup.transfer = log;
    tune->tuned.transfer = tune->transfer_digest;
    return SL_OK;
}

// ---- the job ----

static SlStatus read_workload(const char *workload, Tune *tune, SlError *err) {
    SlNetwork *net = &tune->net;
    SlStatus status = sl_workload_find(workload, tune->options->batch, tune->arena, net, err);
    if (status != SL_OK) return status;
    sl_text_clean(net->name, false);
    for (int i = 0; i < net->n_layers; i++) sl_text_clean(net->layers[i].name, false);
    return SL_OK;
}

static void set_job(Tune *tune) {
    const TuneOptions *options = tune->options;
    tune->setup = (SlJobSetup){.net = &tune->net,
                               .kind = tune->target->kind,
                               .seed = (uint64_t)options->seed,
                               .budget = {.samples = options->budget},
                               .task_seconds = options->time,
                               .start = SL_START_NONE,
                               .compare = true,
                               .skip_first = options->skip_first};
    tune->tuned = (SlTuned){.arena = tune->arena, .batch = options->batch, .key = tune->key};
}

SlStatus tune_plan(const char *workload, Tune *tune, SlError *err) {
    set_job(tune);
    SlStatus status = read_workload(workload, tune, err);
    if (status != SL_OK) return status;
    int *first = call_need(SL_NEW(tune->arena, tune->net.n_layers, int));
    status = read_tuner(tune, err);
    if (status == SL_OK)
        status = tune->target->plan(tune, sl_network_distinct(&tune->net, first), err);
    if (status == SL_OK) status = read_transfer(tune, err);
    if (status != SL_OK) return status;
    status = sl_job_open(&tune->setup, NULL, tune->arena, &tune->tuned.job, err);
    return status == SL_OK ? check_flock(tune, err) : status;
}
