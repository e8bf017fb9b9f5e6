// variants_run.c - other dataflows and machines, searched and proven like the network they stand
// beside.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "variants_inside.h"

// What a variant's job needs while it runs.
typedef struct {
    SlVariants *variants;
    const SlMapped *mapped;
    const char *store;
    SlPool *pool;
    SlWatch *watch;
    void *context;
    bool asked; // the watch wants an end
} Runner;

static bool watch_all(void *context, const SlEvent *event) {
    Runner *runner = context;
    bool ends = runner->watch && runner->watch(runner->context, event);
    if (ends) runner->asked = true;
    return ends;
}

// ---- what came of one ----

static double tolerance_of(const Runner *runner, const SlVariant *variant) {
    double gap = isnan(variant->gap) ? 0 : variant->gap;
    return fmax(runner->variants->tolerance, gap);
}

// What a larger resource allows the smaller one forbids: it cannot hurt, nor can less of it help.
// Where it seems so, searches and proofs left that much open.
static double clamp(double ratio, double factor) {
    if (factor > 1) return fmin(ratio, 1);
    return factor < 1 ? fmax(ratio, 1) : ratio;
}

// the layers of both networks are distinct in the order of the whole network
static const SlMappedLayer *base_of(const Runner *runner, const SlJobTask *task) {
    const SlMapped *mapped = runner->mapped;
    for (int i = 0; i < mapped->n_layers; i++)
        if (sl_layer_same(mapped->layers[i].task->layer, task->layer)) return &mapped->layers[i];
    return NULL;
}

static int place_of(const Runner *runner, const SlMappedLayer *layer) {
    int k = 0;
    while (&runner->mapped->layers[runner->variants->layers[k]] != layer) k++;
    return k;
}

static void take_layers(const Runner *runner, const SlAccel *accel, SlJob *job,
                        SlVariant *variant) {
    for (int i = 0; i < sl_job_n_tasks(job); i++) {
        const SlJobTask *task = sl_job_task(job, i);
        const SlMappedLayer *base = base_of(runner, task);
        SlCost cost;
        variant->samples += task->record.samples;
        if (!base) continue;
        sl_cost_eval(task->layer, accel, sl_job_mapping(task), &cost);
        double value = sl_goal_value(&runner->mapped->setup.goal, &cost);
        variant->layer_ratio[place_of(runner, base)] = clamp(value / base->value, variant->factor);
    }
}

static void take(const Runner *runner, const SlAccel *accel, SlJob *job, SlVariant *variant) {
    const SlVariants *variants = runner->variants;
    SlNetworkResult result = sl_job_result(job);
    variant->done = true;
    variant->latency_cycles = result.latency_cycles;
    variant->energy_pj = result.energy_pj;
    variant->value = result.value;
    variant->bound = result.bound;
    variant->gap = result.gap;
    variant->ratio = clamp(result.value / variants->value, variant->factor);
    variant->latency_ratio = result.latency_cycles / variants->latency_cycles;
    variant->energy_ratio = result.energy_pj / variants->energy_pj;
    variant->differs = fabs(variant->ratio - 1) > tolerance_of(runner, variant);
    take_layers(runner, accel, job, variant);
}

// ---- one ----

// "conv1 on eyeriss.nvdla-style: 3 levels ..." with the machine's own name
static void keep_reason(const char *text, const SlAccel *accel, const SlAccel *given,
                        SlVariant *variant) {
    size_t n = strlen(accel->name), room = sizeof variant->reason, used = 0;
    for (const char *at = text; *at && used + 1 < room;) {
        bool named = strncmp(at, accel->name, n) == 0;
        int wrote = named ? snprintf(variant->reason + used, room - used, "%s", given->name)
                          : snprintf(variant->reason + used, room - used, "%c", *at);
        used += (size_t)wrote;
        at += named ? n : 1;
    }
}

static const char *unmapped(SlJob *job) {
    for (int i = 0; i < sl_job_n_tasks(job); i++)
        if (!sl_job_mapping(sl_job_task(job, i))) return sl_job_task(job, i)->layer->name;
    return NULL;
}

static SlStatus settle(Runner *runner, const SlAccel *accel, SlJob *job, SlStatus status,
                       SlVariant *variant, SlError *err) {
    if (status == SL_EINPUT) {
        keep_reason(err->text, accel, &runner->mapped->eval.accel, variant);
        return SL_OK;
    }
    if (status != SL_OK || runner->asked) return status;
    const char *left = unmapped(job);
    if (left)
        snprintf(variant->reason, sizeof variant->reason, "%s: no mapping fits", left);
    else
        take(runner, accel, job, variant);
    return SL_OK;
}

static SlStatus run_one(Runner *runner, SlVariant *variant, SlError *err) {
    SlVariants *variants = runner->variants;
    SlArena *arena = variants->arena;
    SlJobSetup setup = runner->mapped->setup;
    SlAccel *accel = SL_NEW(arena, 1, SlAccel);
    SlConstraints *constraints = SL_NEW(arena, 1, SlConstraints);
    SlJob *job = NULL;
    variant->layer_ratio = SL_NEW(arena, variants->n_layers, double);
    if (!accel || !constraints || !variant->layer_ratio) return sl_variants_no_memory(err);
    for (int i = 0; i < variants->n_layers; i++) variant->layer_ratio[i] = NAN;
    *accel = runner->mapped->eval.accel;
    const char *fault = sl_variant_machine(variant, accel);
    if (fault) {
        snprintf(variant->reason, sizeof variant->reason, "%s", fault);
        return SL_OK;
    }
    setup.net = &variants->net;
    setup.accel = accel;
    SlStatus status = SL_OK;
    if (variant->kind == SL_VARIANT_STYLE) {
        status = sl_constraints_find(variant->name, arena, constraints, err);
        setup.space.constraints = constraints;
    }
    if (status == SL_OK) status = sl_job_open(&setup, runner->store, arena, &job, err);
    if (status == SL_OK) status = sl_job_run(job, runner->pool, watch_all, NULL, runner, err);
    status = settle(runner, accel, job, status, variant, err);
    sl_job_close(job);
    return status;
}

// ---- all ----

SlStatus sl_variants_run(SlVariants *variants, const SlMapped *mapped, const char *store,
                         SlPool *pool, SlWatch *watch, void *context, SlError *err) {
    Runner runner = {variants, mapped, store, pool, watch, context, false};
    SlStatus status = SL_OK;
    for (int i = 0; i < variants->n && status == SL_OK; i++) {
        SlVariant *variant = &variants->list[i];
        SlEvent event = {.kind = SL_EVENT_TRY,
                         .task = variant->name,
                         .n_done = i,
                         .n_all = variants->n,
                         .value = INFINITY,
                         .bound = NAN,
                         .floor = NAN};
        if (runner.asked || watch_all(&runner, &event)) break;
        status = run_one(&runner, variant, err);
    }
    variants->interrupted = runner.asked;
    return status;
}
