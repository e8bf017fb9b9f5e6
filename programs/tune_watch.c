// tune_watch.c - what people see while layers are tuned: one line on a terminal, rewritten.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "map_progress.h"
#include "show.h"
#include "tune_command.h"

#define LIVE_SECONDS 0.1   // between two lines on a terminal
#define SPARSE_SECONDS 30. // between two lines elsewhere

// What a worker is at.
typedef struct {
    TuneProgress *progress;
    const char *what, *layer; // layer NULL = nothing
    SlEvent now;
} At;

struct TuneProgress {
    const Tune *tune;
    int n_todo, n_done, n_workers;
    bool live, drawn;
    double begun, shown;
    pthread_mutex_t lock;
    At at[]; // (n_workers)
};

TuneProgress *tune_progress_make(const Tune *tune, int n_todo, int n_workers) {
    const char *term = getenv("TERM");
    size_t bytes = sizeof(TuneProgress) + (size_t)n_workers * sizeof(At);
    TuneProgress *progress = command_need(sl_arena_alloc(tune->arena, 1, bytes));
    progress->tune = tune;
    progress->n_todo = n_todo;
    progress->n_workers = n_workers;
    progress->live = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    progress->begun = progress->shown = seconds_now();
    pthread_mutex_init(&progress->lock, NULL);
    return progress;
}

// " | optimum of conv2_1 417: 511,344 cycles"
static int add_worker(const Tune *tune, const At *at, size_t n, char *out) {
    char count[32], value[SHOW_ROOM] = "-", cycles[32];
    if (isfinite(at->now.value) && tune_is_vta(tune))
        snprintf(value, sizeof value, "%s cycles", sl_show_count(at->now.value, cycles));
    else if (isfinite(at->now.value))
        show_seconds(at->now.value, value);
    return snprintf(out, n, " | %s%.24s %s: %s", at->what, at->layer,
                    sl_show_count((double)at->now.samples, count), value);
}

// under the lock
static void show_line(TuneProgress *progress) {
    double time = seconds_now();
    double pause = progress->live ? LIVE_SECONDS : SPARSE_SECONDS;
    if (progress->tune->options->common.quiet || time - progress->shown < pause) return;
    char line[512];
    size_t used =
        (size_t)snprintf(line, sizeof line, "%d/%d runs", progress->n_done, progress->n_todo);
    for (int w = 0; w < progress->n_workers && used < sizeof line; w++)
        if (progress->at[w].layer)
            used += (size_t)add_worker(progress->tune, &progress->at[w], sizeof line - used,
                                       line + used);
    progress->shown = time;
    progress->drawn = progress->live;
    fprintf(stderr, progress->live ? "\r%.78s\033[K" : "%s\n", line);
    fflush(stderr);
}

void *tune_progress_begin(TuneProgress *progress, int worker, const char *what, const char *layer) {
    At *at = &progress->at[worker];
    pthread_mutex_lock(&progress->lock);
    *at = (At){.progress = progress, .what = what, .layer = layer, .now = {.value = INFINITY}};
    pthread_mutex_unlock(&progress->lock);
    return at;
}

bool tune_progress_watch(void *context, const SlEvent *now) {
    At *at = context;
    pthread_mutex_lock(&at->progress->lock);
    at->now = *now;
    show_line(at->progress);
    pthread_mutex_unlock(&at->progress->lock);
    return interrupt_caught() != 0;
}

void tune_progress_end(TuneProgress *progress, int worker, bool counts) {
    pthread_mutex_lock(&progress->lock);
    progress->at[worker].layer = NULL;
    progress->n_done += counts;
    pthread_mutex_unlock(&progress->lock);
}

void tune_progress_close(TuneProgress *progress) {
    if (progress->drawn) fputs("\r\033[K", stderr);
    pthread_mutex_destroy(&progress->lock);
}
