// kind_native.c - mappings priced by Starling's own model (cost): microseconds, exact counts.
#include "task_inside.h"

typedef struct {
    SlPricer *pricer;
    SlCost cost; // of the last nest that was priced
    bool has_cost;
} Native;

static SlStatus make(SlTask *task, SlArena *arena, SlError *err) {
    const SlSpace *space = task->space;
    Native *native = SL_NEW(arena, 1, Native);
    if (native) native->pricer = sl_pricer_make(space->layer, space->accel, arena);
    if (!native || !native->pricer) return sl_fail(err, SL_ENOMEM, "not enough memory for a task");
    task->state = native;
    task->floor = sl_kind_floor(task->kind, &task->setup.goal, space->layer, space->accel);
    sl_nest_floors(task);
    sl_nest_name(task);
    return SL_OK;
}

static void price(SlTask *task, const SlMapping *mapping, SlSample *sample) {
    Native *native = task->state;
    sl_pricer_set_nest(native->pricer, mapping);
    sl_pricer_eval(native->pricer, &native->cost);
    native->has_cost = true;
    sl_sample_cost(&task->setup.goal, &native->cost, sample);
}

const SlCost *sl_task_cost(const SlTask *task) {
    const Native *native = task->state;
    return task->kind == &sl_kind_native && native->has_cost ? &native->cost : NULL;
}

static const SlTaskRow row = {.make = make,
                              .start = sl_nest_start,
                              .check = sl_nest_check,
                              .view = sl_nest_view,
                              .draft = sl_nest_draft,
                              .n_features = sl_nest_n_features,
                              .n_estimates = SL_N_ESTIMATES,
                              .group = sl_nest_group,
                              .features = sl_nest_features,
                              .eval = sl_eval_nests,
                              .price = price};

const SlTaskKind sl_kind_native = {.name = "native",
                                   .title = "Starling's model of a mapping, with exact counts",
                                   .maps = true,
                                   .us = 3,
                                   .row = &row};
