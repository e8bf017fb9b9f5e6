// task_maestro.c - a nest priced by MAESTRO's model: as a directive list of two levels, alone in
// its file, behind the strict guard.
#include "starling/cost/maestro.h"
#include "task_inside.h"

// Where MAESTRO has no list or no result there is nothing to grade: e^8, three thousand times too
// much, is worse than what the guard refuses of any sensible mapping.
static const double no_result = 8;

struct SlMaestroTask {
    const SlLayer *layer;
    SlMaestroLayer shape;
    SlMaestroHardware hardware;
    SlMaestroMapping list; // of the last nest
    SlMaestroCost cost;
};

SlMaestroTask *sl_maestro_task_make(const SlLayer *layer, const SlAccel *accel, SlArena *arena) {
    SlMaestroTask *task = SL_NEW(arena, 1, SlMaestroTask);
    if (!task) return NULL;
    task->layer = layer;
    const char *reason = sl_maestro_shape(layer, &task->shape);
    if (!reason) reason = sl_maestro_hardware_of(accel, &task->hardware);
    return reason ? NULL : task;
}

bool sl_maestro_task_eval(SlMaestroTask *task, const SlMapping *mapping, SlCost *cost,
                          double *excess) {
    SlMaestroFault fault;
    SlMaestroGuard guard;
    *excess = no_result;
    if (sl_maestro_of_nest(task->layer, mapping, task->hardware.num_pes, &task->shape, &task->list,
                           NULL))
        return false;
    if (!sl_maestro_eval(&task->shape, &task->list, &task->hardware, NULL, &task->cost, &fault))
        return false;
    bool physical = sl_maestro_guard(&task->shape, &task->list, &task->hardware, &task->cost,
                                     task->layer, mapping, &guard);
    *excess = guard.excess;
    cost->latency_cycles = (double)task->cost.runtime_cycles;
    cost->energy_pj = 1000 * task->cost.energy_nj;
    cost->area_min_um2 = task->cost.area_um2;
    cost->power_mw = task->cost.power_mw;
    return physical;
}
