// kind_maestro.c - mappings priced by MAESTRO's model: as a directive list of two levels, alone
// in its file, behind the strict guard.
#include <math.h>

#include "starling/cost/maestro.h"
#include "task_inside.h"

// Where MAESTRO has no list or no result there is nothing to grade: e^8, three thousand times too
// much, is worse than what the guard refuses of any sensible mapping.
static const double no_result = 8;

typedef struct {
    const SlLayer *layer;
    SlMaestroLayer shape;
    SlMaestroHardware hardware;
    SlMaestroMapping list; // of the last nest
    SlMaestroCost cost;
} Maestro;

static const char *pair(const SlLayer *layer, const SlAccel *accel) {
    SlMaestroLayer shape;
    SlMaestroHardware hardware;
    const char *reason = sl_maestro_hardware_of(accel, &hardware);
    return reason ? reason : sl_maestro_shape(layer, &shape);
}

static SlStatus make(SlTask *task, SlArena *arena, SlError *err) {
    const SlSpace *space = task->space;
    Maestro *maestro = SL_NEW(arena, 1, Maestro);
    if (!maestro) return sl_fail(err, SL_ENOMEM, "not enough memory for a task");
    maestro->layer = space->layer;
    const char *reason = sl_maestro_hardware_of(space->accel, &maestro->hardware);
    if (!reason) reason = sl_maestro_shape(space->layer, &maestro->shape);
    if (reason) return sl_fail(err, SL_EINPUT, "%s", reason);
    task->state = maestro;
    task->floor = sl_kind_floor(task->kind, &task->setup.goal, space->layer, space->accel);
    sl_nest_floors(task);
    sl_nest_name(task);
    return SL_OK;
}

// latency, energy, smallest area and power; false where MAESTRO has no directive list or no result,
// or where the strict guard refuses the result: then *excess is the log of how far off it is
static bool find_cost(Maestro *maestro, const SlMapping *mapping, SlCost *cost, double *excess) {
    SlMaestroFault fault;
    SlMaestroGuard guard;
    *excess = no_result;
    if (sl_maestro_of_nest(maestro->layer, mapping, maestro->hardware.num_pes, &maestro->shape,
                           &maestro->list, NULL))
        return false;
    if (!sl_maestro_eval(&maestro->shape, &maestro->list, &maestro->hardware, NULL, &maestro->cost,
                         &fault))
        return false;
    bool physical = sl_maestro_guard(&maestro->shape, &maestro->list, &maestro->hardware,
                                     &maestro->cost, maestro->layer, mapping, &guard);
    *excess = guard.excess;
    *cost = (SlCost){.latency_cycles = (double)maestro->cost.runtime_cycles,
                     .energy_pj = 1000 * maestro->cost.energy_nj,
                     .area_min_um2 = maestro->cost.area_um2,
                     .power_mw = maestro->cost.power_mw};
    return physical;
}

static void price(SlTask *task, const SlMapping *mapping, SlSample *sample) {
    SlCost cost;
    double excess;
    if (find_cost(task->state, mapping, &cost, &excess))
        sl_sample_cost(&task->setup.goal, &cost, sample);
    else
        sample->excess = excess;
}

static const SlTaskRow row = {.make = make,
                              .pair = pair,
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

const SlTaskKind sl_kind_maestro = {
    .name = "maestro",
    .title = "MAESTRO's model of a mapping; impossible results are rejected",
    .maps = true,
    .us = 20,
    .row = &row};
