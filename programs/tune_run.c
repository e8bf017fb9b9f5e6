// tune_run.c - the job of `starling tune` as people see it: progress, Ctrl-C.
#include <stdio.h>

#include "interrupt.h"
#include "job_progress.h"
#include "tune_command.h"

void tune_free(Tune *tune) {
    sl_job_close(tune->tuned.job);
    sl_log_close(tune->log);
}

static bool watch(void *context, const SlEvent *event) {
    progress_event(context, event);
    return interrupt_caught() != 0;
}

static void show_value(const void *context, double value, size_t n, char *out) {
    const Tune *tune = context;
    char text[SL_UNIT_ROOM];
    snprintf(out, n, "%s", sl_unit_show(sl_tuned_unit(&tune->tuned), value, text));
}

SlStatus tune_run(Tune *tune, SlError *err) {
    Interrupt interrupt;
    double begun = sl_clock_seconds();
    // what is timed is timed alone
    int workers = tune->target->kind->noisy ? 1 : (int)tune->options->threads;
    SlPool *pool = call_need(sl_pool_make(workers));
    ProgressSetup setup = {.quiet = tune->options->common.quiet,
                           .items = tune->setup.n_cores > 0 ? "runs" : "layers",
                           .show = show_value,
                           .context = tune};
    Progress *progress = progress_make(&setup, sl_pool_threads(pool), tune->arena);
    interrupt_begin(&interrupt);
    SlStatus status = sl_job_run(tune->tuned.job, pool, watch, NULL, progress, err);
    if (status == SL_OK && tune->target->finish) tune->target->finish(tune);
    tune->signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(progress);
    sl_pool_free(pool);
    tune->tuned.interrupted = tune->signal != 0;
    tune->tuned.seconds = sl_clock_seconds() - begun;
    return status;
}
