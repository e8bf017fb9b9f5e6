// flock_lesson.c - what was evaluated of a task, as a critic of many tasks sees it.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "flock_inside.h"

// kinds that write programs describe them to trees in numbers that mean the same for all tasks;
// nests and own spaces have features
static int n_seen(const SlTask *task) {
    return sl_task_n_seen(task, SL_SEE_PROGRAM);
}

// the machine that a nest is mapped onto, NULL = none
static const SlAccel *machine_of(const SlTask *task) {
    return sl_task_kind(task)->maps ? sl_task_space(task)->accel : NULL;
}

int sl_flock_n_inputs(const SlTask *task) {
    const SlAccel *accel = machine_of(task);
    return sl_task_n_context(task) + n_seen(task) + (accel ? sl_lines_n(accel) : 0);
}

// behind what all critics see: what a critic of caches sees too
static void see_lines(const SlTask *task, const int32_t *point, const SlView *view, float *out) {
    const SlAccel *accel = machine_of(task);
    SlView own;
    if (!accel || sl_lines_n(accel) == 0) return;
    if (!view) {
        sl_task_view(task, point, &own);
        view = &own;
    }
    sl_mapping_lines(sl_task_layer(task), accel, &view->mapping, out);
}

void sl_flock_see(const SlTask *task, const int32_t *point, const SlView *view, float *inputs) {
    float *seen = inputs + sl_task_n_context(task);
    sl_task_context(task, inputs);
    if (sl_task_kind(task)->maps && view)
        sl_task_features(task, point, view, seen);
    else
        sl_task_see(task, SL_SEE_PROGRAM, point, seen);
    see_lines(task, point, view, seen + n_seen(task));
}

bool sl_lesson_make(const SlTask *task, int room, SlArena *arena, SlLesson *lesson) {
    size_t rows = (size_t)room;
    *lesson = (SlLesson){.task = task, .room = room, .n_inputs = sl_flock_n_inputs(task)};
    lesson->inputs = SL_NEW(arena, rows * (size_t)lesson->n_inputs, float);
    lesson->values = SL_NEW(arena, rows, double);
    lesson->points = SL_NEW(arena, rows * (size_t)sl_task_space(task)->n_params, int32_t);
    lesson->placed = SL_NEW(arena, rows, bool);
    return lesson->inputs && lesson->values && lesson->points && lesson->placed;
}

static float *next_row(SlLesson *lesson, double value) {
    int at = lesson->n++;
    lesson->values[at] = value > 0 && isfinite(value) ? value : INFINITY;
    return lesson->inputs + (size_t)at * (size_t)lesson->n_inputs;
}

void sl_lesson_add(SlLesson *lesson, const int32_t *point, const SlSample *sample) {
    const int n_params = sl_task_space(lesson->task)->n_params, at = lesson->n;
    SlView view;
    if (at == lesson->room || sample->free) return;
    sl_task_view(lesson->task, point, &view);
    sl_flock_see(lesson->task, point, &view, next_row(lesson, sample->value));
    memcpy(lesson->points + (size_t)at * (size_t)n_params, point, (size_t)n_params * sizeof *point);
    lesson->placed[at] = true;
}

void sl_lesson_add_nest(SlLesson *lesson, const SlMapping *nest, double value) {
    assert(sl_task_kind(lesson->task)->maps);
    SlView view = {.mapping = *nest};
    if (lesson->n == lesson->room) return;
    sl_flock_see(lesson->task, NULL, &view, next_row(lesson, value));
}
