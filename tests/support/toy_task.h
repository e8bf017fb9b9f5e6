// toy_task.h - tasks of programs for tests: any values, drafts, floors and rules on a few knobs.
#pragma once

#include "starling/task/programs.h"
#include "task/task_inside.h"

typedef double ToyValue(const SlSpace *space, const int32_t *point);

enum { TOY_MAX_KNOBS = 12, TOY_MAX_VALUES = 96 };

// NULL: drafts are values, floors are 0, all points are valid. Trees see the indices of a point, as
// numbers.
typedef struct {
    ToyValue *value, *draft, *floor;
    bool (*valid)(const SlSpace *space, const int32_t *point);
    SlTask task;
    SlTaskKind kind;
    SlTaskRow row;
    SlSpace space;
    SlParam params[TOY_MAX_KNOBS];
    int64_t sizes[TOY_MAX_VALUES];
} ToyTask;

// Knobs of so many values each, 1, 2, 3 ... The functions are set by the caller. Do not copy it: it
// points into itself.
void toy_task_init(ToyTask *toy, int n_knobs, const int *n_values);

// Tasks of the default VTA core, in the arena. `options` NULL = those of that core.
SlTask *vta_layer_task(const char *layer, const SlVtaOptions *options, SlArena *arena);
