// map_progress.c - one line on a terminal, rewritten a few times a second.
#include "map_progress.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "proof_show.h"
#include "show.h"

#define LIVE_SECONDS 0.1   // between two lines on a terminal
#define SPARSE_SECONDS 30. // between two lines elsewhere

// What a worker is at.
typedef struct {
    const char *layer; // NULL = nothing
    int64_t samples;
    double value, floor;
    double bound, seconds; // of a proof
} At;

struct Progress {
    const Map *map;
    bool shown, live, drawn;
    bool proving;
    int n_todo, n_done, n_workers;
    int64_t samples; // of layers that are done
    double begun, last;
    pthread_mutex_t lock;
    At at[]; // (n_workers)
};

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Progress *progress_make(const Map *map, int n_todo, int n_workers) {
    size_t bytes = sizeof(Progress) + (size_t)n_workers * sizeof(At);
    Progress *progress = command_need(sl_arena_alloc(map->arena, 1, bytes));
    const char *term = getenv("TERM");
    progress->map = map;
    progress->n_todo = n_todo;
    progress->n_workers = n_workers;
    progress->shown = !map->options->common.quiet;
    progress->live = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    progress->begun = progress->last = seconds_now();
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
    const Map *map = progress->map;
    double left = NAN;
    if (map->samples > 0 && samples > 0) {
        double all = (double)map->samples * progress->n_todo;
        left = fmax(elapsed * (all - (double)samples) / (double)samples, 0);
    }
    if (map->options->time > 0) left = fmin(left, fmax(map->options->time - elapsed, 0));
    return left;
}

// " | conv1 1,904: 725,716 cycles, 1.03 × floor"
static int add_worker(const Map *map, const At *at, size_t n, char *out) {
    char value[SHOW_ROOM] = "-", multiple[SHOW_ROOM] = "", count[32];
    if (isfinite(at->value)) show_goal(&map->goal, at->value, map->eval.accel.clock_mhz, value);
    if (isfinite(at->value / at->floor)) show_multiple(at->value / at->floor, multiple);
    return snprintf(out, n, " | %.24s %s: %s%s%s%s", at->layer,
                    sl_show_count((double)at->samples, count), value, multiple[0] ? ", " : "",
                    multiple, multiple[0] ? " floor" : "");
}

// " | conv1: gap 1.2 %, 4 s"
static int add_proof(const At *at, size_t n, char *out) {
    char gap[SHOW_ROOM] = "-";
    if (at->bound > 0) show_gap(at->value / at->bound - 1, gap);
    return snprintf(out, n, " | %.24s: gap %s, %.0f s", at->layer, gap, at->seconds);
}

static void make_proof_line(const Progress *progress, size_t n, char *out) {
    size_t used =
        (size_t)snprintf(out, n, "proving %d/%d layers", progress->n_done, progress->n_todo);
    for (int w = 0; w < progress->n_workers && used < n; w++)
        if (progress->at[w].layer)
            used += (size_t)add_proof(&progress->at[w], n - used, out + used);
}

static void make_line(const Progress *progress, double now, size_t n, char *out) {
    char count[32];
    double elapsed = now - progress->begun;
    int64_t samples = samples_so_far(progress);
    double left = seconds_left(progress, samples, elapsed);
    size_t used = (size_t)snprintf(out, n, "%d/%d layers, %s samples", progress->n_done,
                                   progress->n_todo, sl_show_count((double)samples, count));
    if (!isnan(left) && used < n)
        used += (size_t)snprintf(out + used, n - used, ", %.0f s left", left);
    for (int w = 0; w < progress->n_workers && used < n; w++)
        if (progress->at[w].layer)
            used += (size_t)add_worker(progress->map, &progress->at[w], n - used, out + used);
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
    double now = seconds_now();
    double pause = progress->live ? LIVE_SECONDS : SPARSE_SECONDS;
    if (!progress->shown || now - progress->last < pause) return;
    char line[1024];
    progress->last = now;
    if (progress->proving)
        make_proof_line(progress, sizeof line, line);
    else
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

void progress_begin(Progress *progress, const SlEvent *event) {
    pthread_mutex_lock(&progress->lock);
    progress->at[event->worker] = (At){.layer = event->task, .value = INFINITY, .floor = NAN};
    pthread_mutex_unlock(&progress->lock);
}

void progress_update(Progress *progress, const SlEvent *event) {
    pthread_mutex_lock(&progress->lock);
    At *at = &progress->at[event->worker];
    at->samples = event->samples;
    at->value = event->value;
    at->floor = event->floor;
    if (at->layer) show_line(progress);
    pthread_mutex_unlock(&progress->lock);
}

void progress_end(Progress *progress, const SlEvent *event) {
    pthread_mutex_lock(&progress->lock);
    progress->at[event->worker].layer = NULL;
    if (!progress->proving) progress->samples += event->samples;
    progress->n_done++;
    pthread_mutex_unlock(&progress->lock);
}

void progress_prove(Progress *progress, int n_todo) {
    pthread_mutex_lock(&progress->lock);
    progress->proving = true;
    progress->n_todo = n_todo;
    progress->n_done = 0;
    pthread_mutex_unlock(&progress->lock);
}

void progress_bound(Progress *progress, const SlEvent *event) {
    pthread_mutex_lock(&progress->lock);
    At *at = &progress->at[event->worker];
    at->value = event->value;
    at->bound = event->bound;
    at->seconds = event->seconds;
    if (at->layer) show_line(progress);
    pthread_mutex_unlock(&progress->lock);
}

void progress_close(Progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    pthread_mutex_destroy(&progress->lock);
}
