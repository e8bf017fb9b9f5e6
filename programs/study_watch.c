// study_watch.c - running a study for people: one line on a terminal, Ctrl-C ends it in good order.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "study_command.h"

#define LIVE_SECONDS 0.2   // between two lines on a terminal
#define SPARSE_SECONDS 30. // between two lines elsewhere

typedef struct {
    const Study *study;
    bool live, drawn;
    double last;
    SlStudyProgress now;
} Watch;

static void make_line(const SlPlan *plan, const SlStudyProgress *now, size_t n, char *out) {
    char left[SL_UNIT_ROOM], passed[SL_UNIT_ROOM];
    int used = snprintf(out, n, "%d/%d runs, %.0f %% of the %s, %s", now->n_done, now->n_cells,
                        100 * now->work, plan->kind->maps ? "samples" : "measurements",
                        sl_unit_wait(now->seconds, passed));
    if (isfinite(now->eta_seconds))
        used += snprintf(out + used, n - (size_t)used, ", %s left",
                         sl_unit_wait(now->eta_seconds, left));
    if (now->n_failed > 0)
        used += snprintf(out + used, n - (size_t)used, ", %d failed", now->n_failed);
    if (now->key) snprintf(out + used, n - (size_t)used, " | %.60s", now->key);
}

static bool watch_study(void *context, const SlStudyProgress *progress) {
    Watch *watch = context;
    bool quiet = watch->study->call->common->quiet;
    watch->now = *progress;
    if (!quiet &&
        progress->seconds - watch->last >= (watch->live ? LIVE_SECONDS : SPARSE_SECONDS)) {
        char line[512];
        make_line(&watch->study->plan, progress, sizeof line, line);
        watch->last = progress->seconds;
        watch->drawn = watch->live;
        fprintf(stderr, watch->live ? "\r%.78s\033[K" : "%s\n", line);
        fflush(stderr);
    }
    return interrupt_caught() != 0;
}

static void tell_begin(const Study *study) {
    const SlPlan *plan = &study->plan;
    const char *quick = plan->quick ? " (quick)" : "";
    if (plan->n_rows > 0)
        call_note(study->call, "Study %s%s: %d task%s x %d row%s x %d seed%s = %d runs", plan->name,
                  quick, plan->n_tasks, plan->n_tasks == 1 ? "" : "s", plan->n_rows,
                  plan->n_rows == 1 ? "" : "s", plan->n_seeds, plan->n_seeds == 1 ? "" : "s",
                  plan->n_tasks * plan->n_rows * plan->n_seeds);
    else
        call_note(study->call, "Study %s%s: %d task%s", plan->name, quick, plan->n_tasks,
                  plan->n_tasks == 1 ? "" : "s");
    if (plan->minutes >= 1 && !plan->quick)
        call_note(
            study->call,
            "It takes about %.3g minutes on two cores; after Ctrl-C, rerun the command to resume",
            plan->minutes);
}

static void tell_end(const Study *study, const Watch *watch) {
    const SlStudyProgress *now = &watch->now;
    char seconds[SL_UNIT_ROOM];
    if (watch->drawn) fputs("\r\033[K", stderr);
    if (now->n_before > 0)
        call_note(study->call, "%d of %d runs were finished before", now->n_before, now->n_cells);
    call_note(study->call, "%d run%s in %s", now->n_done - now->n_before,
              now->n_done - now->n_before == 1 ? "" : "s", sl_unit_wait(now->seconds, seconds));
    if (now->n_failed > 0)
        call_note(study->call, "%d run%s failed; see the report", now->n_failed,
                  now->n_failed == 1 ? "" : "s");
    if (study->signal)
        call_note(study->call, "Interrupted; resume by 'starling study resume %s'", study->dir);
}

SlStatus study_run(Study *study, SlError *err) {
    Watch watch = {.study = study, .live = isatty(STDERR_FILENO)};
    Interrupt interrupt;
    SlPool *pool = call_need(sl_pool_make((int)study->options->threads));
    tell_begin(study);
    interrupt_begin(&interrupt);
    SlStatus status = sl_study_run(&study->plan, study->store, pool, watch_study, &watch, err);
    study->signal = interrupt_caught();
    interrupt_end(&interrupt);
    sl_pool_free(pool);
    if (status == SL_OK) tell_end(study, &watch);
    return status;
}
