// tune_plan.c - what the options of `starling tune` name: a tuner, a core, a chip; the job.
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "tune_command.h"

enum { EASY_POINTS = 10000 }; // spaces up to this size are proven unless it is not wanted

bool tune_is_vta(const Tune *tune) {
    return tune->kind == &sl_kind_vta;
}

int tune_threads(const Tune *tune) {
    return tune->options->threads > 0 ? (int)tune->options->threads : 1;
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

// ---- the target ----

static SlStatus read_core(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    sl_vta_core_init(&tune->core);
    tune->core.bus_bits = (int)options->bus;
    tune->core.timing = sl_vta_timings[options->profile];
    if (!options->core) {
        const char *fault = sl_vta_core_check(&tune->core);
        return fault ? sl_fail(err, SL_EINPUT, "--bus: %s", fault) : SL_OK;
    }
    SlError inside;
    SlStatus status = sl_vta_core_parse(options->core, &tune->core, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--core: %s", inside.text);
}

static SlStatus read_budget(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    bool search = options->hw == SL_HARDWARE_SEARCH;
    if (options->resources && strcmp(options->resources, "none") != 0) {
        SlError inside;
        SlStatus status = sl_vta_budget_parse(options->resources, &tune->vta.budget, &inside);
        if (status != SL_OK) return sl_fail(err, status, "--resources: %s", inside.text);
    } else if (!options->resources && (search || options->iso_resource)) {
        tune->vta.budget = sl_vta_budget_equal(&tune->core, "the core as given");
    }
    const char *which;
    double fill = sl_vta_fill(&tune->core, &tune->vta.budget, &which);
    if (search || fill <= 1) return SL_OK;
    return sl_fail(
        err, SL_EINPUT,
        "the core needs %.2f times the %s of --resources; --hw search looks for one that "
        "fits",
        fill, which);
}

static SlStatus read_vta(Tune *tune, SlError *err) {
    SlStatus status = read_core(tune, err);
    tune->given = tune->core;
    return status == SL_OK ? read_budget(tune, err) : status;
}

static SlStatus read_cpu(Tune *tune, SlError *err) {
    return sl_compiler_init(&tune->bench.compiler, NULL, err);
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
    run_digest(text, n, tune->transfer_digest);
    return SL_OK;
}

// ---- the job ----

static void read_kind(Tune *tune) {
    const TuneOptions *options = tune->options;
    tune->vta.core = tune->core;
    tune->vta.bias = options->bias;
    tune->vta.hardware = tune->joint ? SL_HARDWARE_SEARCH : SL_HARDWARE_FIXED;
    tune->cpu = (SlCpuOptions){
        .type = (SlKernelType)options->type, .threads = tune_threads(tune), .bench = &tune->bench};
}

static SlStatus open_job(Tune *tune, SlError *err) {
    const TuneOptions *options = tune->options;
    bool vta = tune_is_vta(tune), search = vta && options->hw == SL_HARDWARE_SEARCH;
    int *first = command_need(SL_NEW(tune->arena, tune->net.n_layers, int));
    int n = sl_network_distinct(&tune->net, first);
    tune->joint = search && n == 1;
    tune->shortlist = search && n > 1;
    read_kind(tune);
    SlJobSetup setup = {.net = &tune->net,
                        .kind = tune->kind,
                        .kind_options = vta ? (const void *)&tune->vta : &tune->cpu,
                        .seed = (uint64_t)options->seed,
                        .method = tune->tuner,
                        .options = tune->tuner_options,
                        .budget = {.samples = options->budget},
                        .task_seconds = options->time,
                        .start = SL_START_NONE,
                        .transfer = tune->transfer,
                        .prove = vta && options->optimum != OPTIMUM_OFF,
                        .prove_points = options->optimum == OPTIMUM_AUTO ? EASY_POINTS : 0,
                        .compare = true,
                        .skip_first = options->skip_first,
                        .n_cores = tune->shortlist ? (int)options->cores : 0};
    SlStatus status = sl_job_open(&setup, NULL, tune->arena, &tune->job, err);
    if (status != SL_OK) return status;
    tune->n_layers = sl_job_n_tasks(tune->job);
    tune->layers = command_need(SL_NEW(tune->arena, tune->n_layers, TuneLayer));
    for (int i = 0; i < tune->n_layers; i++) tune->layers[i].job = sl_job_task(tune->job, i);
    return SL_OK;
}

static SlStatus find_evaluator(Tune *tune, SlError *err) {
    tune->kind = sl_task_kind_find(tune->options->evaluator);
    if (tune->kind == &sl_kind_vta || tune->kind == &sl_kind_cpu) return SL_OK;
    return sl_fail(err, SL_EINPUT, "--evaluator: expected vta or cpu, got '%.60s'",
                   tune->options->evaluator);
}

SlStatus tune_plan(const TuneOptions *options, const char *workload, Tune *tune, SlError *err) {
    SlStatus status = sl_workload_find(workload, options->batch, tune->arena, &tune->net, err);
    if (status != SL_OK) return status;
    clean_text(tune->net.name);
    for (int i = 0; i < tune->net.n_layers; i++) clean_text(tune->net.layers[i].name);
    status = find_evaluator(tune, err);
    if (status == SL_OK) status = read_tuner(tune, err);
    if (status == SL_OK) status = tune_is_vta(tune) ? read_vta(tune, err) : read_cpu(tune, err);
    if (status == SL_OK) status = read_transfer(tune, err);
    return status == SL_OK ? open_job(tune, err) : status;
}
