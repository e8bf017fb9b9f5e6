// tune_history.c - what a log has of other tasks, as features and labels that mean the same for all
// tasks of a target.
#include <math.h>
#include <string.h>

#include "tune_log_inside.h"

typedef struct {
    const SlTuneLog *log;
    const SlTuning *tuning;
    int64_t most; // per task
    float *features, *labels;
    int n, n_features;
} Gather;

// another task of the target that can be made again with the knobs that it had
static bool is_wanted(const Gather *gather, const SlTuneTask *task) {
    return task->setup.target == sl_tuning_setup(gather->tuning)->target && task->n > 0 &&
           strcmp(task->key, sl_tuning_key(gather->tuning)) != 0;
}

static double least_value(const SlTuneTask *task) {
    double least = INFINITY;
    for (int64_t i = 0; i < task->n; i++) least = fmin(least, task->entries[i].measured.value);
    return least;
}

static SlStatus add_task(Gather *gather, const SlTuneTask *task, SlArena *scratch, SlError *err) {
    SlTuning *made;
    int32_t point[SL_MAX_KNOBS];
    SlStatus status = sl_tuning_make(&task->setup, scratch, &made, err);
    if (status == SL_EINPUT) return SL_OK; // the target of this version does not do it any more
    if (status != SL_OK) return status;
    if (!sl_log_same_knobs(&task->knobs, sl_tuning_knobs(made))) return SL_OK;
    double least = least_value(task);
    // the last ones where there are too many
    for (int64_t i = task->n > gather->most ? task->n - gather->most : 0; i < task->n; i++) {
        const SlTuneEntry *entry = &task->entries[i];
        sl_knobs_point(sl_tuning_knobs(made), entry->index, point);
        sl_tuning_features(made, SL_SEE_PROGRAM, point,
                           gather->features + (ptrdiff_t)gather->n * gather->n_features);
        bool right = isfinite(entry->measured.value) && entry->measured.value > 0;
        gather->labels[gather->n++] = right ? (float)(least / entry->measured.value) : 0;
    }
    return SL_OK;
}

static int64_t count(const Gather *gather, int *n_tasks) {
    int64_t n = 0;
    *n_tasks = 0;
    for (int i = 0; i < gather->log->n_tasks; i++) {
        const SlTuneTask *task = &gather->log->tasks[i]->shown;
        if (!is_wanted(gather, task)) continue;
        n += task->n < gather->most ? task->n : gather->most;
        ++*n_tasks;
    }
    return n;
}

SlStatus sl_tune_log_history(const SlTuneLog *log, const SlTuning *tuning, int most, SlArena *arena,
                             SlTuningHistory *history, SlError *err) {
    int n_tasks;
    Gather gather = {.log = log, .tuning = tuning, .most = INT64_MAX};
    gather.n_features = sl_tuning_n_features(tuning, SL_SEE_PROGRAM);
    int64_t n = count(&gather, &n_tasks);
    if (most > 0 && n > most) {
        gather.most = most / n_tasks > 0 ? most / n_tasks : 1;
        n = count(&gather, &n_tasks);
    }
    gather.features = SL_NEW(arena, n * gather.n_features, float);
    gather.labels = SL_NEW(arena, n, float);
    if (!gather.features || !gather.labels || n > INT32_MAX / 2)
        return sl_fail(err, SL_ENOMEM, "not enough memory for the history");
    SlArena scratch;
    SlStatus status = SL_OK;
    sl_arena_init(&scratch, 0);
    for (int i = 0; i < log->n_tasks && status == SL_OK; i++) {
        const SlTuneTask *task = &log->tasks[i]->shown;
        size_t mark = sl_arena_mark(&scratch);
        if (is_wanted(&gather, task)) status = add_task(&gather, task, &scratch, err);
        sl_arena_rewind(&scratch, mark);
    }
    sl_arena_free(&scratch);
    *history = (SlTuningHistory){gather.n, gather.n_features, gather.features, gather.labels};
    return status;
}
