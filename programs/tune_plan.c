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

bool tune_chooses_core(const Tune *tune) {
    return tune->options->hw == SL_HARDWARE_SEARCH && tune->n_layers > 1;
}

// ---- the tuner ----

static SlStatus read_tuner(Tune *tune, SlError *err) {
    SlError inside;
    SlStatus status = sl_method_open(tune->options->method, &tune->tuner, err);
    if (status != SL_OK) return status;
    status = sl_method_options(tune->tuner, tune->options->set, tune->arena, &tune->tuner_options,
                               &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--set: %s", inside.text);
}

static SlStatus read_transfer(Tune *tune, SlError *err) {
    char *text;
    size_t n;
    const char *path = tune->options->transfer;
    if (!path) return SL_OK;
    if (!sl_method_has_option(tune->tuner, "transfer"))
        return sl_fail(err, SL_EINPUT, "--transfer: %s learns nothing from other layers",
                       tune->tuner->name);
    SlStatus status = sl_file_read(path, (size_t)1 << 30, tune->arena, &text, &n, err);
    if (status == SL_OK) status = sl_log_parse(path, text, n, tune->arena, &tune->transfer, err);
    if (status != SL_OK) return status;
    sl_folder_digest(text, n, tune->transfer_digest);
    return SL_OK;
}

// ---- the job ----

static SlStatus open_job(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    SlJobSetup setup = {.net = &tune->net,
                        .kind = tune->target->kind,
                        .seed = (uint64_t)options->seed,
                        .method = tune->tuner,
                        .options = tune->tuner_options,
                        .budget = {.samples = options->budget},
                        .task_seconds = options->time,
                        .start = SL_START_NONE,
                        .transfer = tune->transfer,
                        .compare = true,
                        .skip_first = options->skip_first};
    int *first = call_need(SL_NEW(tune->arena, tune->net.n_layers, int));
    tune->target->set_job(tune, sl_network_distinct(&tune->net, first), &setup);
    SlStatus status = sl_job_open(&setup, NULL, tune->arena, &tune->job, err);
    if (status != SL_OK) return status;
    tune->n_layers = sl_job_n_tasks(tune->job);
    tune->layers = call_need(SL_NEW(tune->arena, tune->n_layers, TuneLayer));
    for (int i = 0; i < tune->n_layers; i++) tune->layers[i].job = sl_job_task(tune->job, i);
    return SL_OK;
}

SlStatus tune_plan(const char *workload, Tune *tune, SlError *err) {
    SlNetwork *net = &tune->net;
    SlStatus status = sl_workload_find(workload, tune->options->batch, tune->arena, net, err);
    if (status != SL_OK) return status;
    sl_text_clean(net->name, false);
    for (int i = 0; i < net->n_layers; i++) sl_text_clean(net->layers[i].name, false);
    status = read_tuner(tune, err);
    if (status == SL_OK) status = tune->target->plan(tune, err);
    if (status == SL_OK) status = read_transfer(tune, err);
    return status == SL_OK ? open_job(tune, err) : status;
}
