// tune_run.c - the job of `starling tune` as people see it: progress, Ctrl-C, and what is shown
// beside every layer's result.
#include <stdio.h>

#include "interrupt.h"
#include "job_progress.h"
#include "show.h"
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
    char text[SHOW_ROOM], count[32];
    if (tune_is_vta(tune))
        snprintf(out, n, "%s cycles", sl_show_count(value, count));
    else
        snprintf(out, n, "%s", show_seconds(value, text));
}

// ---- what came of it ----

static SlStatus fill_layer(const Tune *tune, TuneLayer *layer, SlError *err) {
    const SlJobTask *task = layer->job;
    if (!task->searched) return SL_OK;
    layer->best = tune_value(tune, task->best_value);
    layer->untuned = tune_value(tune, task->untuned_value);
    if (!tune_is_vta(tune) || task->record.best.sample == 0) return SL_OK;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    sl_task_vta(task->task, task->record.best.point, &layer->task, &layer->schedule);
    SlStatus status = sl_vta_time(&layer->task, &layer->schedule, &scratch, &layer->time, err);
    sl_arena_free(&scratch);
    return status;
}

// what a layer alone would take
static const SlVtaCore *preferred_core(const Tune *tune, int i) {
    const SlJobCore *best = NULL;
    for (int c = 0; c < tune->n_cores && tune->layers[i].job->task; c++)
        if (!best || tune->cores[c].drafts[i] < best->drafts[i]) best = &tune->cores[c];
    return best ? &best->core : NULL;
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
    SlStatus status = SL_OK;
    const SlJobCore *chosen = sl_job_core(tune->job);
    tune->cores = sl_job_cores(tune->job, &tune->n_cores);
    if (chosen) tune->core = chosen->core;
    for (int i = 0; i < tune->n_layers && status == SL_OK; i++) {
        TuneLayer *layer = &tune->layers[i];
        layer->job = sl_job_task(tune->job, i);
        layer->preferred = preferred_core(tune, i);
        status = fill_layer(tune, layer, err);
    }
    if (tune->n_cores == 0) count_effort(tune, sl_job_task(tune->job, 0));
    for (int c = 0; c < tune->n_cores; c++)
        if (tune->cores[c].tasks) count_effort(tune, tune->cores[c].tasks);
    return status;
}

static void measure_peak(Tune *tune) {
    SlKernelResult peak;
    sl_kernel_peak(&tune->bench, (SlKernelType)tune->options->type, sl_kernel_vector_bytes(),
                   &peak);
    tune->peak_gops = peak.error == SL_KERNEL_OK ? peak.gops : 0;
}

SlStatus tune_run(Tune *tune, SlError *err) {
    Interrupt interrupt;
    double begun = sl_clock_seconds();
    // programs on a cpu are timed one after the other
    int workers = tune_is_vta(tune) ? (int)tune->options->threads : 1;
    SlPool *pool = command_need(sl_pool_make(workers));
    ProgressSetup setup = {.quiet = tune->options->common.quiet,
                           .items = tune->shortlist ? "runs" : "layers",
                           .show = show_value,
                           .context = tune};
    Progress *progress = progress_make(&setup, sl_pool_threads(pool), tune->arena);
    interrupt_begin(&interrupt);
    SlStatus status = sl_job_run(tune->job, pool, watch, NULL, progress, err);
    if (status == SL_OK) status = finish(tune, err);
    if (!tune_is_vta(tune) && !interrupt_caught()) measure_peak(tune);
    tune->signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(progress);
    sl_pool_free(pool);
    tune->seconds = sl_clock_seconds() - begun;
    return status;
}
