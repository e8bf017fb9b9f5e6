// train_watch.c - training for people: one line on a terminal, checkpoints now and then, Ctrl-C
// ends it in good order.
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "interrupt.h"
#include "train.h"

#define LIVE_SECONDS 0.2   // between two lines on a terminal
#define SPARSE_SECONDS 30. // between two lines elsewhere

typedef struct {
    Train *train;
    bool live, drawn;
    double begun, shown, saved; // times
    int64_t saved_episodes;
    SlStatus status; // of the checkpoints
    SlError *err;
} Watch;

static void make_line(const Watch *watch, const SlEngineState *now, double seconds, size_t n,
                      char *out) {
    const Train *train = watch->train;
    char done[SL_UNIT_ROOM], all[SL_UNIT_ROOM], speed[SL_UNIT_ROOM], left[SL_UNIT_ROOM];
    double episodes = (double)(now->episodes - train->result.resumed);
    double steps = (double)(now->steps - train->result.first_step);
    double to_go = (double)(train->options->episodes - now->episodes);
    double eta = episodes > 0 ? seconds * fmax(to_go, 0) / episodes : (double)NAN;
    int used = snprintf(out, n, "%s/%s episodes, %s steps/s",
                        sl_unit_show(SL_UNIT_COUNT, (double)now->episodes, done),
                        sl_unit_show(SL_UNIT_COUNT, (double)train->options->episodes, all),
                        sl_unit_show(SL_UNIT_SHORT, steps / seconds, speed));
    for (int t = 0; t < SL_ENGINE_TEAMS && isfinite(now->recent[t]); t++)
        used += snprintf(out + used, n - (size_t)used, t == 0 ? ", return %.2f" : " and %.2f",
                         now->recent[t]);
    if (isfinite(eta)) snprintf(out + used, n - (size_t)used, ", %s left", sl_unit_wait(eta, left));
}

static void show(Watch *watch, const SlEngineState *now, double time) {
    char line[512];
    if (watch->train->call->common->quiet) return;
    if (time - watch->shown < (watch->live ? LIVE_SECONDS : SPARSE_SECONDS)) return;
    make_line(watch, now, time - watch->begun, sizeof line, line);
    watch->shown = time;
    watch->drawn = watch->live;
    fprintf(stderr, watch->live ? "\r%.78s\033[K" : "%s\n", line);
    fflush(stderr);
}

static bool is_due(const Watch *watch, const SlEngineState *now, double time) {
    const Train *train = watch->train;
    if (!train->dir) return false;
    if (train->every_episodes > 0)
        return now->episodes - watch->saved_episodes >= train->every_episodes;
    return time - watch->saved >= train->every_seconds;
}

static bool watch_engine(void *context, const SlEngine *engine) {
    Watch *watch = context;
    SlEngineState now;
    sl_engine_state(engine, &now);
    double time = sl_clock_seconds();
    show(watch, &now, time);
    if (is_due(watch, &now, time)) {
        watch->status = train_save(watch->train, watch->err);
        watch->saved = sl_clock_seconds();
        watch->saved_episodes = now.episodes;
    }
    return watch->status != SL_OK || interrupt_caught() != 0;
}

SlStatus train_run(Train *train, SlError *err) {
    Interrupt interrupt;
    SlPool *pool = call_need(sl_pool_make((int)train->options->threads));
    double begun = sl_clock_seconds();
    Watch watch = {.train = train,
                   .live = isatty(STDERR_FILENO),
                   .begun = begun,
                   .shown = begun,
                   .saved = begun,
                   .saved_episodes = train->result.resumed,
                   .err = err};
    interrupt_begin(&interrupt);
    sl_engine_run(train->engine, train->options->episodes, pool, watch_engine, &watch);
    train->result.seconds = sl_clock_seconds() - begun;
    sl_engine_state(train->engine, &train->result.now);
    if (watch.status == SL_OK) watch.status = train_save(train, err);
    // one that comes when all is done interrupts nothing
    train->signal = sl_training_is_finished(&train->result) ? 0 : interrupt_caught();
    interrupt_end(&interrupt);
    sl_pool_free(pool);
    if (watch.drawn) fputs("\r\033[K", stderr);
    if (watch.status == SL_OK && !train->signal && !sl_training_is_finished(&train->result))
        return sl_fail(err, SL_ENOMEM, "no memory for the returns of more episodes");
    if (watch.status == SL_OK) sl_training_evaluate(&train->result);
    return watch.status;
}
