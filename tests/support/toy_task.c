// toy_task.c - tasks of programs for tests.
#include "support/toy_task.h"

#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ToyTask *toy_of(const SlTask *task) {
    return task->state;
}

static void start(const SlTask *task, int32_t *point) {
    memset(point, 0, (size_t)task->space->n_params * sizeof *point);
}

static bool check(const SlTask *task, const int32_t *point, SlFault *fault) {
    (void)fault;
    const ToyTask *toy = toy_of(task);
    return !toy->valid || toy->valid(task->space, point);
}

static double draft(const SlTask *task, const int32_t *point) {
    const ToyTask *toy = toy_of(task);
    return (toy->draft ? toy->draft : toy->value)(task->space, point);
}

static double least(const SlTask *task, const int32_t *point) {
    const ToyTask *toy = toy_of(task);
    return toy->floor ? toy->floor(task->space, point) : 0;
}

static void program(const SlTask *task, const int32_t *point, float *out) {
    for (int k = 0; k < task->space->n_params; k++) out[k] = (float)point[k];
}

static void eval(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    for (int i = 0; i < n; i++, points += task->space->n_params) {
        const bool fits = check(task, points, NULL);
        const double value = fits ? toy_of(task)->value(task->space, points) : INFINITY;
        samples[i] = (SlSample){.value = value, .error = isfinite(value) ? 0 : 1};
    }
}

static void add_knobs(ToyTask *toy, int n_knobs, const int *n_values) {
    assert_in_range(n_knobs, 1, TOY_MAX_KNOBS);
    for (int i = 0; i < TOY_MAX_VALUES; i++) toy->sizes[i] = i + 1;
    toy->space = (SlSpace){.params = toy->params};
    for (int k = 0; k < n_knobs; k++) {
        char name[16];
        assert_in_range(n_values[k], 1, TOY_MAX_VALUES);
        snprintf(name, sizeof name, "knob%d", k);
        SlParam *param = sl_space_add(&toy->space, name, SL_AGENT_HARDWARE);
        param->n = n_values[k];
        param->sizes = toy->sizes;
    }
    assert_true(sl_space_close(&toy->space));
}

void toy_task_init(ToyTask *toy, int n_knobs, const int *n_values) {
    *toy = (ToyTask){0};
    add_knobs(toy, n_knobs, n_values);
    toy->row = (SlTaskRow){.start = start,
                           .check = check,
                           .view = sl_knob_view,
                           .draft = draft,
                           .floor = least,
                           .n_features = sl_program_n_features,
                           .n_estimates = 1,
                           .group = sl_program_group,
                           .features = sl_program_features,
                           .n_program = n_knobs,
                           .program = program,
                           .eval = eval};
    toy->kind =
        (SlTaskKind){.name = "toy", .title = "toy", .dear = true, .us = 60, .row = &toy->row};
    toy->task = (SlTask){.kind = &toy->kind,
                         .space = &toy->space,
                         .name = "toy",
                         .unit = "cycles",
                         .floor = NAN,
                         .state = toy};
}

SlTask *vta_layer_task(const char *text, const SlVtaOptions *options, SlArena *arena) {
    SlVtaOptions plain = {0};
    SlLayer layer;
    SlTask *task = NULL;
    SlError err;
    sl_vta_core_init(&plain.core);
    assert_int_equal(sl_layer_parse(text, &layer, &err), SL_OK);
    const SlTaskSetup setup = {
        .kind = &sl_kind_vta, .layer = &layer, .options = options ? options : &plain};
    assert_int_equal(sl_task_make(&setup, arena, &task, &err), SL_OK);
    return task;
}
