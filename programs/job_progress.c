// job_progress.c - one line on a terminal, rewritten a few times a second.
#include "job_progress.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "starling/report/unit.h"

#define LIVE_SECONDS 0.1   // between two lines on a terminal
#define SPARSE_SECONDS 30. // between two lines elsewhere

// What a worker is at.
typedef struct {
    const char *layer; // NULL = nothing
    int64_t samples;
    double value, floor;
    bool bounded;          // the last word was that of a proof
    double bound, seconds; // of it
} At;

struct Progress {
    ProgressSetup setup;
    bool live, drawn;
    bool proving;
    char trying[64]; // what is compared, "" = nothing
    int n_all, n_done, n_workers;
    int n_cores, n_drafted; // candidates for a core; 0 = none
    int64_t samples;        // of tasks that are done
    double begun, last;
    pthread_mutex_t lock;
    At at[]; // (n_workers)
};

Progress *progress_make(const ProgressSetup *setup, int n_workers, SlArena *arena) {
    size_t bytes = sizeof(Progress) + (size_t)n_workers * sizeof(At);
    Progress *progress = call_need(sl_arena_alloc(arena, 1, bytes));
    const char *term = getenv("TERM");
    progress->setup = *setup;
    progress->n_workers = n_workers;
    progress->live = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    progress->begun = progress->last = sl_clock_seconds();
    pthread_mutex_init(&progress->lock, NULL);
    return progress;
}

// ---- the line ----

static int columns(void) {
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

static int64_t samples_so_far(const Progress *progress) {
    int64_t sum = progress->samples;
    for (int w = 0; w < progress->n_workers; w++)
        if (progress->at[w].layer) sum += progress->at[w].samples;
    return sum;
}

// by the samples there are still to take, or by the clock; NAN = nobody knows
static double seconds_left(const Progress *progress, int64_t samples, double elapsed) {
    const ProgressSetup *setup = &progress->setup;
    double left = NAN;
    if (setup->samples > 0 && samples > 0) {
        double all = setup->samples * progress->n_all;
        left = fmax(elapsed * (all - (double)samples) / (double)samples, 0);
    }
    if (setup->seconds > 0) left = fmin(left, fmax(setup->seconds - elapsed, 0));
    return left;
}

// " | conv1 1,904: 725,716 cycles, 1.03 × floor"
static int add_worker(const Progress *progress, const At *at, size_t n, char *out) {
    char value[SL_UNIT_ROOM] = "-", multiple[SL_UNIT_ROOM] = "", count[32];
    if (isfinite(at->value))
        progress->setup.show(progress->setup.context, at->value, sizeof value, value);
    if (isfinite(at->value / at->floor))
        sl_unit_show(SL_UNIT_TIMES, at->value / at->floor, multiple);
    return snprintf(out, n, " | %.24s %s: %s%s%s%s", at->layer,
                    sl_show_count((double)at->samples, count), value, multiple[0] ? ", " : "",
                    multiple, multiple[0] ? " floor" : "");
}

// " | conv1: gap 1.2 %, 4 s"
static int add_proof(const At *at, size_t n, char *out) {
    char gap[SL_UNIT_ROOM] = "-";
    if (at->bound > 0) sl_gap_show(at->value / at->bound - 1, gap);
    return snprintf(out, n, " | %.24s: gap %s, %.0f s", at->layer, gap, at->seconds);
}

static size_t add_head(const Progress *progress, double now, size_t n, char *out) {
    char count[32];
    const char *items = progress->setup.items;
    int64_t samples = samples_so_far(progress);
    double left = seconds_left(progress, samples, now - progress->begun);
    const char *trying = progress->trying, *colon = *trying ? ": " : "";
    if (progress->proving)
        return (size_t)snprintf(out, n, "%s%sproving %d/%d %s", trying, colon, progress->n_done,
                                progress->n_all, items);
    if (progress->n_all == 0 && progress->n_cores > 0)
        return (size_t)snprintf(out, n, "drafts of %d/%d cores", progress->n_drafted,
                                progress->n_cores);
    size_t used =
        (size_t)snprintf(out, n, "%s%s%d/%d %s, %s samples", trying, colon, progress->n_done,
                         progress->n_all, items, sl_show_count((double)samples, count));
    if (!isnan(left) && used < n)
        used += (size_t)snprintf(out + used, n - used, ", %.0f s left", left);
    return used;
}

static void make_line(const Progress *progress, double now, size_t n, char *out) {
    size_t used = add_head(progress, now, n, out);
    for (int w = 0; w < progress->n_workers && used < n; w++) {
        const At *at = &progress->at[w];
        if (!at->layer) continue;
        used += (size_t)(at->bounded ? add_proof(at, n - used, out + used)
                                     : add_worker(progress, at, n - used, out + used));
    }
}

// at most `width` columns, so that the line does not wrap
static void cut(char *line, int width) {
    int seen = 0;
    for (char *at = line; *at; at++) {
        if (((unsigned char)*at & 0xC0) == 0x80) continue;
        if (++seen <= width) continue;
        *at = '\0';
        return;
    }
}

// under the lock
static void show_line(Progress *progress) {
    double now = sl_clock_seconds();
    double pause = progress->live ? LIVE_SECONDS : SPARSE_SECONDS;
    if (progress->setup.quiet || now - progress->last < pause) return;
    char line[1024];
    progress->last = now;
    make_line(progress, now, sizeof line, line);
    if (!progress->live) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    cut(line, columns() - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    progress->drawn = true;
}

// ---- events ----

static void update(Progress *progress, const SlEvent *event) {
    At *at = &progress->at[event->worker];
    at->bounded = event->kind == SL_EVENT_BOUND;
    at->samples = event->samples;
    at->value = event->value;
    at->floor = event->floor;
    at->bound = event->bound;
    at->seconds = event->seconds;
    if (at->layer) show_line(progress);
}

static void end(Progress *progress, const SlEvent *event) {
    progress->at[event->worker].layer = NULL;
    if (!progress->proving) progress->samples += event->samples;
    progress->n_done = event->n_done;
}

// another network begins: "nvdla-style, 1 of 3"
static void begin_try(Progress *progress, const SlEvent *event) {
    snprintf(progress->trying, sizeof progress->trying, "%.40s, %d of %d", event->task,
             event->n_done + 1, event->n_all);
    progress->proving = false;
    progress->n_all = progress->n_done = 0;
    progress->samples = 0;
    progress->begun = sl_clock_seconds();
    for (int w = 0; w < progress->n_workers; w++) progress->at[w].layer = NULL;
}

static void take(Progress *progress, const SlEvent *event) {
    switch (event->kind) {
    case SL_EVENT_BEGIN:
        progress->n_all = event->n_all;
        progress->at[event->worker] = (At){.layer = event->task, .value = INFINITY, .floor = NAN};
        break;
    case SL_EVENT_SAMPLE:
    case SL_EVENT_BOUND:
        update(progress, event);
        break;
    case SL_EVENT_END:
        end(progress, event);
        break;
    case SL_EVENT_PROOFS:
        progress->proving = true;
        progress->n_all = event->n_all;
        progress->n_done = 0;
        break;
    case SL_EVENT_TRY:
        begin_try(progress, event);
        break;
    case SL_EVENT_CORES:
        progress->n_cores = event->n_all;
        progress->n_drafted = event->n_done;
        show_line(progress);
        break;
    }
}

void progress_event(Progress *progress, const SlEvent *event) {
    pthread_mutex_lock(&progress->lock);
    take(progress, event);
    pthread_mutex_unlock(&progress->lock);
}

void progress_close(Progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    pthread_mutex_destroy(&progress->lock);
}
