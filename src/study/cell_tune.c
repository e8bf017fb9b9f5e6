// cell_tune.c - cells of plans of tuners: a tuner on a task, and the oracle.
#include <math.h>
#include <string.h>

#include "cell_inside.h"

double sl_tuning_task_floor(const SlTuningSetup *setup) {
    const SlVtaCore *core = &setup->core;
    double lanes = (double)core->batch * core->block_in * core->block_out;
    if (setup->hardware == SL_HARDWARE_SEARCH) lanes = (double)setup->budget.macs;
    return lanes > 0 ? (double)sl_layer_macs(&setup->layer) / lanes : NAN;
}

static bool watch_tuning(void *context, const SlTuneProgress *progress) {
    SlCellState *run = context;
    return run->watch && run->watch(run->context, progress->measurements);
}

// what was found, with the knobs where a mapping's nest would stand
static SlStatus keep_best(SlCellState *run, const SlTuning *tuning, const SlTuneRecord *found) {
    char knobs[512];
    SlCellRecord *record = run->record;
    record->value = found->value;
    record->latency_cycles = found->value;
    sl_knobs_show(sl_tuning_knobs(tuning), found->best, sizeof knobs, knobs);
    return sl_cell_keep_text(run, knobs, &record->mapping);
}

static SlStatus keep_detail(SlCellState *run, const SlText *detail) {
    if (detail->failed) return sl_cell_no_memory(run);
    run->record->detail = detail->data;
    return SL_OK;
}

static SlStatus make_task(SlCellState *run, SlTuning **tuning) {
    SlStatus status = sl_tuning_make(run->task->tuning, run->arena, tuning, run->why);
    if (status == SL_OK) run->record->n_params = sl_tuning_knobs(*tuning)->n_knobs;
    return status;
}

static SlStatus keep_run(SlCellState *run, const SlTuning *tuning, const SlTuneRecord *found) {
    SlCellRecord *record = run->record;
    SlText detail;
    sl_text_init(&detail, run->arena);
    sl_text_add(&detail, "{\"failures\": %lld}", (long long)found->failures);
    SlStatus status = keep_detail(run, &detail);
    if (status != SL_OK) return status;
    record->samples = found->measurements;
    record->found_at = found->found_at;
    record->stopped = sl_tune_stop_names[found->stopped];
    record->n_curve = found->n_curve;
    record->curve = found->curve;
    if (!found->found)
        return sl_fail(run->why, SL_EINPUT, "none of %lld measurements works on %s",
                       (long long)found->measurements, run->task->accel);
    return keep_best(run, tuning, found);
}

SlStatus sl_cell_tune(SlCellState *run) {
    const SlPlanRow *row = &run->plan->rows[run->cell->row];
    SlCellRecord *record = run->record;
    SlTuning *tuning = NULL;
    SlTuneRecord found;
    record->row = row->name;
    record->method = row->tuner->name;
    record->settings = row->settings;
    record->budget = row->samples;
    SlStatus status = make_task(run, &tuning);
    if (status != SL_OK) return status;
    SlTuneSetup setup = {.tuning = tuning,
                         .tuner = row->tuner,
                         .options = row->options,
                         .seed = run->cell->seed,
                         .stream = run->task->tuning_key, // as starling tune
                         .measurements = row->samples};
    status = sl_tune_run(&setup, watch_tuning, run, run->arena, &found, run->why);
    if (status != SL_OK) return status;
    run->stopped = found.stopped == SL_STOP_ASKED;
    return run->stopped ? SL_OK : keep_run(run, tuning, &found);
}

// the exact optimum: where the oracle came to its end, the value is its own bound
SlStatus sl_cell_oracle(SlCellState *run) {
    SlTuning *tuning = NULL;
    SlTuneRecord found;
    SlText detail;
    SlTuneLimit limit = {run->plan->prove_nodes, run->plan->prove_seconds};
    SlStatus status = make_task(run, &tuning);
    if (status == SL_OK)
        status = sl_tune_optimum(tuning, limit, watch_tuning, run, run->arena, &found, run->why);
    if (status != SL_OK) return status;
    run->stopped = found.stopped == SL_STOP_ASKED;
    if (run->stopped) return SL_OK;
    SlProofStatus proof = found.proven ? SL_PROOF_OPTIMAL : SL_PROOF_STOPPED;
    run->record->stopped = sl_proof_names[proof];
    run->record->samples = found.measurements;
    sl_text_init(&detail, run->arena);
    sl_text_add(&detail, "{\"status\": \"%s\", \"lower_bound\": ", sl_proof_names[proof]);
    if (found.proven && found.found)
        sl_text_add(&detail, "%.17g, \"gap\": 0", found.value);
    else
        sl_text_add(&detail, "null, \"gap\": null");
    sl_text_add(&detail, ", \"points\": %lld, \"measurements\": %lld}",
                (long long)run->task->n_points, (long long)found.measurements);
    status = keep_detail(run, &detail);
    if (status != SL_OK || found.found)
        return status == SL_OK ? keep_best(run, tuning, &found) : status;
    return sl_fail(run->why, SL_EINPUT, "no schedule works on %s", run->task->accel);
}
