// log_history.c - what a log has of other tasks, as features and labels that mean the same for all
// tasks of a kind.
#include <math.h>
#include <string.h>

#include "log_inside.h"

typedef struct {
    const SlLog *log;
    const SlTask *own;
    int64_t most; // per task
    float *features, *labels;
    int n, n_features;
} Gather;

// another task of the kind that can be made again with the knobs that it had
static bool is_wanted(const Gather *gather, const SlLogTask *task) {
    return task->kind == sl_task_kind(gather->own) && sl_log_has_values(task->kind) &&
           task->n > 0 && strcmp(task->name, sl_task_name(gather->own)) != 0;
}

static double least_value(const SlLogTask *task) {
    double least = INFINITY;
    for (int64_t i = 0; i < task->n; i++) least = fmin(least, task->entries[i].sample.value);
    return least;
}

static SlStatus add_task(Gather *gather, const SlLogTask *task, SlArena *scratch, SlError *err) {
    SlTask *made;
    int32_t point[SL_MAX_PARAMS];
    bool vta = task->kind == &sl_kind_vta;
    SlTaskSetup setup = {.kind = task->kind,
                         .layer = &task->layer,
                         .options = vta ? (const void *)&task->vta : &task->cpu};
    SlStatus status = sl_task_make(&setup, scratch, &made, err);
    if (status == SL_EINPUT) return SL_OK; // the target of this version does not do it any more
    if (status != SL_OK) return status;
    if (!sl_log_same_space(task->kind, &task->space, sl_task_space(made))) return SL_OK;
    double least = least_value(task);
    // the last ones where there are too many
    for (int64_t i = task->n > gather->most ? task->n - gather->most : 0; i < task->n; i++) {
        const SlLogEntry *entry = &task->entries[i];
        sl_space_at(sl_task_space(made), (int64_t)entry->key, point);
        sl_task_see(made, SL_SEE_PROGRAM, point,
                    gather->features + (ptrdiff_t)gather->n * gather->n_features);
        bool right = isfinite(entry->sample.value) && entry->sample.value > 0;
        gather->labels[gather->n++] = right ? (float)(least / entry->sample.value) : 0;
    }
    return SL_OK;
}

static int64_t count(const Gather *gather, int *n_tasks) {
    int64_t n = 0;
    *n_tasks = 0;
    for (int i = 0; i < gather->log->n_tasks; i++) {
        const SlLogTask *task = &gather->log->tasks[i]->shown;
        if (!is_wanted(gather, task)) continue;
        n += task->n < gather->most ? task->n : gather->most;
        ++*n_tasks;
    }
    return n;
}

SlStatus sl_log_history(const SlLog *log, const SlTask *task, int most, SlArena *arena,
                        SlHistory *history, SlError *err) {
    int n_tasks;
    Gather gather = {.log = log, .own = task, .most = INT64_MAX};
    gather.n_features = sl_task_n_seen(task, SL_SEE_PROGRAM);
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
        const SlLogTask *other = &log->tasks[i]->shown;
        size_t mark = sl_arena_mark(&scratch);
        if (is_wanted(&gather, other)) status = add_task(&gather, other, &scratch, err);
        sl_arena_rewind(&scratch, mark);
    }
    sl_arena_free(&scratch);
    *history = (SlHistory){gather.n, gather.n_features, gather.features, gather.labels};
    return status;
}
