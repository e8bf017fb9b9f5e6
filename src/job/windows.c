// windows.c - a run in equal stretches of its budget: mean returns, and what the points chose.
//
// Points are kept as they were proposed and summed up at the end, when the best mapping is known.
#include "windows.h"

#include <string.h>

const char *sl_windows_fault(const SlRunSetup *setup) {
    if (setup->n_windows < 0 || setup->n_windows > SL_MAX_WINDOWS)
        return "a run has 0 to 10,000 windows";
    if (setup->n_windows && setup->budget.samples == 0) return "windows need a budget of samples";
    if (setup->trace && !setup->n_windows) return "a trace needs windows";
    return NULL;
}

bool sl_windows_init(Windows *windows, const SlRunSetup *setup, SlArena *work) {
    int64_t budget = setup->budget.samples;
    int n = setup->n_windows < budget ? setup->n_windows : (int)budget;
    *windows = (Windows){.space = sl_task_space(setup->task),
                         .work = work,
                         .budget = budget,
                         .n = n,
                         .trace = setup->trace && n > 0};
    if (n == 0) return true;
    windows->windows = SL_NEW(work, n, SlWindow);
    windows->n_samples = SL_NEW(work, n, int64_t);
    windows->n_points = SL_NEW(work, n, int64_t);
    return windows->windows && windows->n_samples && windows->n_points;
}

// the last sample of window w: (w + 1) budget / n, without overflow
static int64_t end_of(const Windows *windows, int w) {
    int64_t n = windows->n, whole = windows->budget / n, rest = windows->budget % n;
    return whole * (w + 1) + rest * (w + 1) / n;
}

// space for one more point; false without memory
static bool make_room(Windows *windows) {
    if (windows->kept < windows->room) return true;
    int64_t room = windows->room ? 2 * windows->room : 256;
    if (room > windows->budget) room = windows->budget;
    int n = windows->space->n_params;
    int32_t *points = SL_NEW(windows->work, room * n, int32_t);
    if (!points) return false;
    if (windows->kept)
        memcpy(points, windows->points, (size_t)(windows->kept * n) * sizeof *points);
    windows->points = points;
    windows->room = room;
    return true;
}

static bool keep_point(Windows *windows, int w, const int32_t *point) {
    if (!make_room(windows)) return false;
    int n = windows->space->n_params;
    memcpy(windows->points + windows->kept * n, point, (size_t)n * sizeof *point);
    windows->kept++;
    windows->n_points[w]++;
    return true;
}

bool sl_windows_add(Windows *windows, int64_t sample, const int32_t *point, double value) {
    if (windows->n == 0) return true;
    if (windows->n_begun == 0) windows->n_begun = 1;
    while (sample > end_of(windows, windows->n_begun - 1)) windows->n_begun++;
    int w = windows->n_begun - 1;
    SlWindow *window = &windows->windows[w];
    window->last = sample;
    window->mean_inverse += 1 / value; // a sum until the end
    windows->n_samples[w]++;
    return !windows->trace || !point || keep_point(windows, w, point);
}

// what a point says of one parameter, 0..1
static double share(const SlParam *param, int32_t value, const int32_t *best) {
    int32_t last = param->n - 1;
    value = value < 0 ? 0 : value > last ? last : value;
    if (param->kind == SL_ORDINAL) return last > 0 ? (double)value / last : 0;
    return best && value == *best;
}

// the row of one window: means over its points; zeros without points
static void trace_window(const Windows *windows, int64_t first, int64_t n, const int32_t *best,
                         float *row) {
    int n_params = windows->space->n_params;
    for (int p = 0; p < n_params; p++) {
        const SlParam *param = &windows->space->params[p];
        double sum = 0;
        for (int64_t i = first; i < first + n; i++)
            sum += share(param, windows->points[i * n_params + p], best ? &best[p] : NULL);
        row[p] = n ? (float)(sum / (double)n) : 0;
    }
}

bool sl_windows_finish(const Windows *windows, const SlBest *best, SlArena *arena,
                       SlRecord *record) {
    int n = windows->n_begun, n_params = windows->space->n_params;
    record->windows = SL_NEW(arena, n, SlWindow);
    if (!record->windows) return false;
    record->n_windows = n;
    for (int w = 0; w < n; w++) {
        record->windows[w] = windows->windows[w];
        record->windows[w].mean_inverse /= (double)windows->n_samples[w];
    }
    if (!windows->trace) return true;
    record->trace = SL_NEW(arena, n * n_params, float);
    if (!record->trace) return false;
    int32_t chosen[SL_MAX_PARAMS];
    if (best && windows->space->accel)
        sl_space_encode(windows->space, &best->mapping, chosen);
    else if (best)
        memcpy(chosen, best->point, sizeof chosen);
    int64_t first = 0;
    for (int w = 0; w < n; w++) {
        float *row = record->trace + (ptrdiff_t)w * n_params;
        trace_window(windows, first, windows->n_points[w], best ? chosen : NULL, row);
        first += windows->n_points[w];
    }
    return true;
}
