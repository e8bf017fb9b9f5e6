// tuned_view.c - a tuned network to be described: its kind, what its layers come to, sums.
#include <assert.h>
#include <math.h>

#include "tuned_inside.h"

static const SlTunedKind *const kinds[] = {&sl_tuned_vta, &sl_tuned_cpu};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const SlTunedKind *kind_of(const SlTuned *tuned) {
    const SlTaskKind *kind = sl_job_setup(tuned->job)->kind;
    for (int i = 0; i < N_KINDS; i++)
        if (kinds[i]->kind == kind) return kinds[i];
    assert(!"a kind of task for tuning");
    return NULL;
}

SlUnit sl_tuned_unit(const SlTuned *tuned) {
    return kind_of(tuned)->unit;
}

// ---- programs ----

const char *sl_tuned_ending(const SlTuned *tuned) {
    return kind_of(tuned)->ending;
}

void sl_tuned_program(const SlTuned *tuned, const SlJobTask *task, SlText *out) {
    kind_of(tuned)->write_program(task, out);
}

// ---- layers ----

bool sl_tuned_has_result(const SlJobTask *task) {
    return task->searched && task->record.best.sample > 0;
}

double sl_tuned_found(const SlRecord *record) {
    return record->best.sample > 0 ? record->best.outcome.value : INFINITY;
}

double sl_tuned_gops(const SlTunedLayer *layer, double seconds) {
    return 2e-9 * (double)sl_layer_macs(layer->task->layer) / seconds;
}

double sl_tuned_regret(const SlTunedLayer *layer) {
    const SlJobTask *task = layer->task;
    bool known = task->proven && task->optimum.proven && sl_tuned_has_result(task);
    return known ? layer->best.value / sl_tuned_found(&task->optimum) - 1 : NAN;
}

static bool runs_untuned(const SlTunedLayer *layer) {
    return layer->untuned.value > 0 && isfinite(layer->untuned.value);
}

double sl_tuned_speed_up(const SlTunedLayer *layer) {
    return runs_untuned(layer) ? layer->untuned.seconds / layer->best.seconds : NAN;
}

bool sl_tuned_is_finished(const SlTuned *tuned) {
    for (int i = 0; i < sl_job_n_tasks(tuned->job); i++) {
        const SlJobTask *task = sl_job_task(tuned->job, i);
        bool done = task->searched && task->record.stopped != SL_STOP_ASKED;
        if (task->task && !done) return false;
    }
    return !tuned->interrupted;
}

// ---- sums ----

static void add_sums(SlTunedView *view) {
    SlNetworkCost untuned;
    sl_network_cost_init(&view->sums, NULL);
    sl_network_cost_init(&untuned, NULL);
    for (int i = 0; i < view->n_layers; i++) {
        const SlTunedLayer *layer = &view->layers[i];
        if (!layer->task->task) continue;
        bool found = sl_tuned_has_result(layer->task);
        SlNetworkPart part = sl_network_part(layer->task->count);
        part.macs = (double)sl_layer_macs(layer->task->layer);
        part.value = found ? layer->best.value : NAN;
        part.seconds = found ? layer->best.seconds : NAN;
        sl_network_cost_add(&view->sums, &part);
        part.seconds = runs_untuned(layer) ? layer->untuned.seconds : NAN;
        sl_network_cost_add(&untuned, &part);
    }
    view->untuned_seconds = untuned.seconds;
    view->effort = sl_job_effort(view->given->job);
}

// ---- views ----

SlStatus sl_tuned_open(const SlTuned *tuned, SlTunedView *view) {
    *view = (SlTunedView){.given = tuned,
                          .setup = sl_job_setup(tuned->job),
                          .kind = kind_of(tuned),
                          .arena = tuned->arena,
                          .n_layers = sl_job_n_tasks(tuned->job)};
    view->cores = sl_job_cores(tuned->job, &view->n_cores);
    return view->kind->open(view);
}

static SlTunedValue value_of(const SlTunedView *view, double value) {
    return (SlTunedValue){.value = value, .seconds = view->kind->seconds(view, value)};
}

SlStatus sl_tuned_look(SlTunedView *view) {
    SlStatus status = SL_OK;
    view->layers = SL_NEW(view->arena, view->n_layers, SlTunedLayer);
    if (!view->layers) return SL_ENOMEM;
    for (int i = 0; i < view->n_layers && status == SL_OK; i++) {
        SlTunedLayer *layer = &view->layers[i];
        const SlJobTask *task = layer->task = sl_job_task(view->given->job, i);
        if (!task->searched) continue;
        layer->best = value_of(view, task->best_value);
        layer->untuned = value_of(view, task->untuned_value);
        if (view->kind->look && sl_tuned_has_result(task)) status = view->kind->look(view, layer);
    }
    if (status == SL_OK) add_sums(view);
    return status;
}
