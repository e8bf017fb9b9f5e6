// tune_plan.c - what the options of `starling tune` name: a tuner, a core, a chip, and a task for
// every distinct layer.
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "tune_command.h"

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
        SlStatus status = sl_vta_budget_parse(options->resources, &tune->budget, &inside);
        if (status != SL_OK) return sl_fail(err, status, "--resources: %s", inside.text);
    } else if (!options->resources && (search || options->iso_resource)) {
        tune->budget = sl_vta_budget_equal(&tune->core, "the core as given");
    }
    const char *which;
    double fill = sl_vta_fill(&tune->core, &tune->budget, &which);
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

// ---- layers ----

SlStatus tune_task(const Tune *tune, const SlLayer *layer, const SlVtaCore *core,
                   SlHardware hardware, SlArena *arena, SlTask **tuning, SlError *err) {
    const TuneOptions *options = tune->options;
    SlVtaOptions vta = {
        .core = *core, .hardware = hardware, .budget = tune->budget, .bias = options->bias};
    SlCpuOptions cpu = {
        .type = (SlKernelType)options->type, .threads = tune_threads(tune), .bench = &tune->bench};
    SlTaskSetup setup = {.kind = tune->kind,
                         .layer = layer,
                         .options = tune_is_vta(tune) ? (const void *)&vta : &cpu};
    return sl_task_make(&setup, arena, tuning, err);
}

// one layer: a task, or the reason why there is none
static SlStatus make_layer(Tune *tune, TuneLayer *layer, SlError *err) {
    SlError why;
    SlHardware hardware = tune->joint ? SL_HARDWARE_SEARCH : SL_HARDWARE_FIXED;
    if (tune->options->skip_first && layer->first == 0) {
        snprintf(layer->reason, sizeof layer->reason, "--skip-first");
        return SL_OK;
    }
    layer->arena = tune_new_arena(tune);
    SlStatus status =
        tune_task(tune, &layer->layer, &tune->core, hardware, layer->arena, &layer->tuning, &why);
    if (status == SL_OK) return SL_OK;
    if (status != SL_EINPUT) return sl_fail(err, status, "%s", why.text);
    // it begins with the layer's name
    size_t n = strlen(layer->layer.name);
    bool named = strncmp(why.text, layer->layer.name, n) == 0 && why.text[n] == ':';
    snprintf(layer->reason, sizeof layer->reason, "%.200s", why.text + (named ? n + 2 : 0));
    return SL_OK;
}

static SlStatus list_layers(Tune *tune, SlError *err) {
    const SlNetwork *net = &tune->net;
    int *first = command_need(SL_NEW(tune->arena, net->n_layers, int)), n_tasks = 0;
    int n = sl_network_distinct(net, first);
    tune->layers = command_need(SL_NEW(tune->arena, n, TuneLayer));
    tune->joint = tune_is_vta(tune) && tune->options->hw == SL_HARDWARE_SEARCH && n == 1;
    tune->shortlist = tune_is_vta(tune) && tune->options->hw == SL_HARDWARE_SEARCH && n > 1;
    for (int i = 0; i < net->n_layers; i++) {
        if (first[i] == i)
            tune->layers[tune->n_layers++] = (TuneLayer){.first = i, .layer = net->layers[i]};
        for (int l = 0; l < tune->n_layers; l++)
            if (tune->layers[l].first == first[i]) tune->layers[l].count++;
    }
    for (int l = 0; l < n; l++) {
        SlStatus status = make_layer(tune, &tune->layers[l], err);
        if (status != SL_OK) return status;
        n_tasks += tune->layers[l].tuning != NULL;
    }
    if (n_tasks > 0) return SL_OK;
    return sl_fail(err, SL_EINPUT, "%s: nothing to tune: %s", net->name, tune->layers[0].reason);
}

static bool learns_from_others(const SlMethod *tuner) {
    for (const SlOption *option = tuner->options; option->name; option++)
        if (strcmp(option->name, "transfer") == 0) return true;
    return false;
}

static SlStatus read_transfer(Tune *tune, SlError *err) {
    char *text;
    size_t n;
    const char *path = tune->options->transfer;
    if (!path) return SL_OK;
    if (!learns_from_others(tune->tuner))
        return sl_fail(err, SL_EINPUT, "--transfer: %s learns nothing from other layers",
                       tune->tuner->name);
    SlStatus status = sl_file_read(path, (size_t)1 << 30, tune->arena, &text, &n, err);
    if (status == SL_OK) status = sl_log_parse(path, text, n, tune->arena, &tune->transfer, err);
    if (status != SL_OK) return status;
    run_digest(text, n, tune->transfer_digest);
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
    return status == SL_OK ? list_layers(tune, err) : status;
}
