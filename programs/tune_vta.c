// tune_vta.c - the VTA tensor core as a target of `starling tune`: which core, on which chip.
#include <string.h>

#include "tune_command.h"

enum { EASY_POINTS = 10000 }; // spaces up to this size are proven unless it is not wanted

static const char *conflict(const TuneOptions *options) {
    return options->iso_resource && options->resources
               ? "--iso-resource: not together with --resources"
               : NULL;
}

static SlStatus read_core(const TuneOptions *options, SlVtaCore *core, SlError *err) {
    sl_vta_core_init(core);
    core->bus_bits = (int)options->bus;
    core->timing = sl_vta_timings[options->profile];
    if (!options->core) {
        const char *fault = sl_vta_core_check(core);
        return fault ? sl_fail(err, SL_EINPUT, "--bus: %s", fault) : SL_OK;
    }
    SlError inside;
    SlStatus status = sl_vta_core_parse(options->core, core, &inside);
    return status == SL_OK ? SL_OK : sl_fail(err, status, "--core: %s", inside.text);
}

static SlStatus read_budget(const TuneOptions *options, const SlVtaCore *core, SlVtaBudget *budget,
                            SlError *err) {
    bool search = options->hw == SL_HARDWARE_SEARCH;
    if (options->resources && strcmp(options->resources, "none") != 0) {
        SlError inside;
        SlStatus status = sl_vta_budget_parse(options->resources, budget, &inside);
        if (status != SL_OK) return sl_fail(err, status, "--resources: %s", inside.text);
    } else if (!options->resources && (search || options->iso_resource)) {
        *budget = sl_vta_budget_equal(core, "the core as given");
    }
    const char *which;
    double fill = sl_vta_fill(core, budget, &which);
    if (search || fill <= 1) return SL_OK;
    return sl_fail(
        err, SL_EINPUT,
        "the core needs %.2f times the %s of --resources; --hw search looks for one that fits",
        fill, which);
}

// one layer: the core is searched with the schedule; more: the job chooses one for all
static SlStatus plan(Tune *tune, int n, SlError *err) {
    const TuneOptions *options = tune->options;
    SlJobSetup *setup = &tune->setup;
    SlVtaOptions *vta = call_need(SL_NEW(tune->arena, 1, SlVtaOptions));
    bool search = options->hw == SL_HARDWARE_SEARCH;
    vta->bias = options->bias;
    vta->hardware = search && n == 1 ? SL_HARDWARE_SEARCH : SL_HARDWARE_FIXED;
    setup->kind_options = vta;
    setup->prove = options->optimum != OPTIMUM_OFF;
    setup->prove_points = options->optimum == OPTIMUM_AUTO ? EASY_POINTS : 0;
    setup->n_cores = search && n > 1 ? (int)options->cores : 0;
    tune->tuned.limits = options->resources;
    SlStatus status = read_core(options, &vta->core, err);
    return status == SL_OK ? read_budget(options, &vta->core, &vta->budget, err) : status;
}

const TuneTarget tune_vta = {
    .kind = &sl_kind_vta,
    .idle = "type",
    .conflict = conflict,
    .plan = plan,
};
