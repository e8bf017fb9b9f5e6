// mapped.c - networks mapped by a job: what was found, priced and summed up.
#include "starling/job/mapped.h"

#include <math.h>

#include "starling/cost/bound.h"
#include "starling/job/run.h"

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the network");
}

// ---- opening ----

// what follows from the rest of the setup
static SlStatus complete(SlMapped *mapped, SlError *err) {
    SlJobSetup *setup = &mapped->setup;
    SlObjective only = sl_goal_objective(&setup->goal);
    void *options = NULL;
    if (!setup->kind) setup->kind = &sl_kind_native;
    if (!setup->kind->maps)
        return sl_fail(err, SL_EINPUT, "%s measures programs, not mappings", setup->kind->name);
    if (!mapped->evaluator) mapped->evaluator = setup->kind->name;
    setup->net = &mapped->eval.net;
    setup->accel = &mapped->eval.accel;
    if (mapped->target_percent > 0) setup->budget.target = 1 + mapped->target_percent / 100;
    mapped->eval.arena = mapped->arena;
    mapped->eval.objective = only == SL_N_OBJECTIVES ? SL_LATENCY : only;
    mapped->eval.mapping_from = "run";
    mapped->base = mapped->eval;
    mapped->base.mapping_from = "default";
    if (!setup->method || setup->options) return SL_OK;
    SlStatus status = sl_method_options(setup->method, NULL, mapped->arena, &options, err);
    setup->options = options;
    return status;
}

// how far the layers are from what the flock was taught on
static void find_distances(SlMapped *mapped) {
    const SlJobSetup *setup = &mapped->setup;
    float context[SL_FLOCK_MAX_INPUTS];
    SlFlockSpread spread;
    if (!setup->flock || sl_flock_suits(setup->flock, setup->kind, &setup->goal, setup->accel))
        return;
    sl_flock_spread(setup->flock, &spread);
    for (int i = 0; i < mapped->n_layers; i++) {
        SlMappedLayer *layer = &mapped->layers[i];
        sl_context(&layer->found->layer, setup->accel, context);
        layer->taught_distance = sl_flock_distance(setup->flock, context);
        layer->taught_share = sl_flock_spread_share(&spread, layer->taught_distance);
    }
}

// the tasks of the job are the distinct layers, in the order in which they are priced
static SlStatus gather(SlMapped *mapped, SlPool *pool, SlError *err) {
    const SlJobSetup *setup = &mapped->setup;
    SlPriced *base = sl_evaluation_gather(&mapped->base);
    SlPriced *found = sl_evaluation_gather(&mapped->eval);
    mapped->n_layers = sl_job_n_tasks(mapped->job);
    mapped->layers = SL_NEW(mapped->arena, mapped->n_layers, SlMappedLayer);
    if (!base || !found || !mapped->layers) return no_memory(err);
    for (int i = 0; i < mapped->n_layers; i++) {
        double floor = sl_kind_floor(setup->kind, &setup->goal, &found[i].layer, setup->accel);
        mapped->layers[i] = (SlMappedLayer){.task = sl_job_task(mapped->job, i),
                                            .base = &base[i],
                                            .found = &found[i],
                                            .floor = floor,
                                            .taught_distance = NAN,
                                            .taught_share = NAN};
    }
    find_distances(mapped);
    return sl_evaluation_default(&mapped->base, pool, base, err);
}

SlStatus sl_mapped_open(SlMapped *mapped, SlPool *pool, SlError *err) {
    SlStatus status = complete(mapped, err);
    if (status == SL_OK)
        status = sl_job_open(&mapped->setup, NULL, mapped->arena, &mapped->job, err);
    if (status == SL_OK) status = gather(mapped, pool, err);
    if (status == SL_OK) sl_evaluation_sum(&mapped->base);
    return status;
}

// ---- prices ----

// MAESTRO's, only for mappings that its guard let pass
static SlStatus ask_maestro(const SlMapped *mapped, SlMappedLayer *layer, SlError *err) {
    const SlLayer *shape = &layer->found->layer;
    SlMaestroHardware hardware;
    SlMaestroFault fault;
    SlMappedMaestro *seen = SL_NEW(mapped->arena, 1, SlMappedMaestro);
    if (!seen) return no_memory(err);
    sl_maestro_hardware_of(&mapped->eval.accel, &hardware);
    sl_maestro_shape(shape, &seen->shape);
    sl_maestro_of_nest(shape, &layer->found->mapping, hardware.num_pes, &seen->shape, &seen->list,
                       NULL);
    sl_maestro_eval(&seen->shape, &seen->list, &hardware, NULL, &seen->maestro, &fault);
    seen->cost = (SlCost){.latency_cycles = (double)seen->maestro.runtime_cycles,
                          .energy_pj = 1000 * seen->maestro.energy_nj,
                          .area_min_um2 = seen->maestro.area_um2,
                          .power_mw = seen->maestro.power_mw};
    layer->maestro = seen;
    layer->cost = &seen->cost;
    return SL_OK;
}

static double first_value(const SlRecord *record) {
    bool any = record->n_curve > 0 && record->curve[0].sample == 1;
    return any ? record->curve[0].value : (double)NAN;
}

static SlStatus price(const SlMapped *mapped, SlMappedLayer *layer, SlError *err) {
    const SlJobSetup *setup = &mapped->setup;
    const SlRecord *record = &layer->task->record;
    bool native = setup->kind == &sl_kind_native, process = setup->kind == &sl_kind_process;
    SlStatus status = SL_OK;
    sl_priced_eval(setup->accel, layer->found);
    layer->cost = &layer->found->cost;
    if (setup->kind == &sl_kind_maestro) status = ask_maestro(mapped, layer, err);
    layer->value = process ? record->best.outcome.value : sl_goal_value(&setup->goal, layer->cost);
    layer->first = first_value(record);
    layer->base_value = native ? sl_goal_value(&setup->goal, &layer->base->cost) : (double)NAN;
    layer->gain = (process ? layer->first : layer->base_value) / layer->value;
    return status;
}

// ---- sums ----

static const SlGoal latency = {.weight = {[SL_LATENCY] = 1}};

// by an evaluator that says more or less than the native model
static SlNetworkPart own_part(const SlMapped *mapped, const SlMappedLayer *layer) {
    SlNetworkPart part = sl_network_part(layer->task->count);
    if (!layer->maestro) {
        part.value = layer->value;
        return part;
    }
    part.latency_cycles = layer->cost->latency_cycles;
    part.energy_pj = layer->cost->energy_pj;
    part.floor_cycles =
        sl_kind_floor(&sl_kind_maestro, &latency, &layer->found->layer, &mapped->eval.accel);
    part.area_um2 = layer->cost->area_min_um2;
    return part;
}

static void sum_own(SlMapped *mapped) {
    sl_network_cost_init(&mapped->sums, NULL);
    for (int i = 0; i < mapped->n_layers; i++) {
        SlNetworkPart part = own_part(mapped, &mapped->layers[i]);
        sl_network_cost_add(&mapped->sums, &part);
    }
    // MAESTRO's power is of the hardware, not energy over time: that of several layers is not known
    if (mapped->n_layers == 1 && mapped->layers->maestro)
        mapped->sums.power_mw = mapped->layers->cost->power_mw;
}

SlStatus sl_mapped_finish(SlMapped *mapped, SlError *err) {
    const SlJobSetup *setup = &mapped->setup;
    bool native = setup->kind == &sl_kind_native;
    for (int i = 0; i < mapped->n_layers; i++) {
        SlMappedLayer *layer = &mapped->layers[i];
        const SlMapping *mapping = sl_job_mapping(layer->task);
        if (!mapping)
            return sl_fail(err, SL_EINPUT, "%s: no sample has a value", layer->task->layer->name);
        layer->found->mapping = *mapping;
        SlStatus status = price(mapped, layer, err);
        if (status != SL_OK) return status;
    }
    sl_evaluation_sum(&mapped->eval);
    mapped->sums = mapped->eval.totals;
    if (!native) sum_own(mapped);
    mapped->totals = mapped->layers->maestro ? &mapped->sums : &mapped->eval.totals;
    mapped->value = sl_network_goal_value(&setup->goal, &mapped->sums);
    mapped->base_value =
        native ? sl_network_goal_value(&setup->goal, &mapped->base.totals) : (double)NAN;
    return SL_OK;
}

// ---- what follows from the layers ----

int64_t sl_mapped_samples(const SlMapped *mapped) {
    int64_t sum = 0;
    for (int i = 0; i < mapped->n_layers; i++) sum += mapped->layers[i].task->record.samples;
    return sum;
}

const char *sl_mapped_uncovered(const SlMapped *mapped) {
    const char *reason = NULL;
    for (int i = 0; i < mapped->n_layers && mapped->setup.prove; i++) {
        reason = sl_bounds_reason(&mapped->layers[i].task->space, &mapped->setup.goal);
        if (!reason) return NULL;
    }
    return reason;
}

const SlMappedLayer *sl_mapped_layer(const SlMapped *mapped, int i) {
    const SlMappedLayer *layer = mapped->layers;
    while (layer->found != mapped->eval.layers[i]) layer++;
    return layer;
}
