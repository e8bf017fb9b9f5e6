// tune_run.c - the job of `starling tune` as people see it: progress, Ctrl-C, and what its results
// come to.
#include <stdio.h>

#include "interrupt.h"
#include "job_progress.h"
#include "tune_command.h"

void tune_free(Tune *tune) {
    sl_job_close(tune->job);
    sl_log_close(tune->log);
}

// ---- events ----

static bool watch(void *context, const SlEvent *event) {
    progress_event(context, event);
    return interrupt_caught() != 0;
}

static void show_value(const void *context, double value, size_t n, char *out) {
    const Tune *tune = context;
    char text[SL_UNIT_ROOM];
    snprintf(out, n, "%s", sl_unit_show(tune->target->unit, value, text));
}

// ---- what came of it ----

static TuneValue value_of(const Tune *tune, double value) {
    return (TuneValue){.value = value, .seconds = tune->target->seconds(tune, value)};
}

static void count_effort(Tune *tune, const SlJobTask *tasks) {
    for (int i = 0; i < tune->n_layers; i++) {
        const SlRecord *record = &tasks[i].record;
        if (!tasks[i].searched) continue;
        int64_t replayed = tasks[i].resumed ? record->samples : record->replayed;
        tune->replayed += replayed;
        tune->measured += record->samples - replayed;
        tune->method_seconds += record->method_seconds;
        tune->measure_seconds += record->eval_seconds;
    }
}

static SlStatus finish(Tune *tune, SlError *err) {
    tune->cores = sl_job_cores(tune->job, &tune->n_cores);
    for (int i = 0; i < tune->n_layers; i++) tune->layers[i].job = sl_job_task(tune->job, i);
    SlStatus status = tune->target->finish ? tune->target->finish(tune, err) : SL_OK;
    for (int i = 0; i < tune->n_layers; i++) {
        TuneLayer *layer = &tune->layers[i];
        if (!layer->job->searched) continue;
        layer->best = value_of(tune, layer->job->best_value);
        layer->untuned = value_of(tune, layer->job->untuned_value);
    }
    if (tune->n_cores == 0) count_effort(tune, sl_job_task(tune->job, 0));
    for (int c = 0; c < tune->n_cores; c++)
        if (tune->cores[c].tasks) count_effort(tune, tune->cores[c].tasks);
    return status;
}

SlStatus tune_run(Tune *tune, SlError *err) {
    Interrupt interrupt;
    double begun = sl_clock_seconds();
    // what is timed is timed alone
    int workers = tune->target->kind->noisy ? 1 : (int)tune->options->threads;
    SlPool *pool = call_need(sl_pool_make(workers));
    ProgressSetup setup = {.quiet = tune->options->common.quiet,
                           .items = tune_chooses_core(tune) ? "runs" : "layers",
                           .show = show_value,
                           .context = tune};
    Progress *progress = progress_make(&setup, sl_pool_threads(pool), tune->arena);
    interrupt_begin(&interrupt);
    SlStatus status = sl_job_run(tune->job, pool, watch, NULL, progress, err);
    if (status == SL_OK) status = finish(tune, err);
    tune->signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(progress);
    sl_pool_free(pool);
    tune->seconds = sl_clock_seconds() - begun;
    return status;
}
