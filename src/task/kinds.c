// kinds.c - the table of evaluators, and what they ask of layers, accelerators and spaces.
#include <math.h>
#include <string.h>

#include "task_inside.h"

const SlTaskKind *const sl_task_kinds[] = {&sl_kind_native, &sl_kind_maestro, &sl_kind_vta,
                                           &sl_kind_cpu,    &sl_kind_process, NULL};

const SlTaskKind *sl_task_kind_find(const char *name) {
    for (const SlTaskKind *const *kind = sl_task_kinds; *kind; kind++)
        if (strcmp((*kind)->name, name) == 0) return *kind;
    return NULL;
}

const char *sl_kind_check(const SlTaskKind *kind, const SlLayer *layer, const SlAccel *accel) {
    return kind && kind->row->pair ? kind->row->pair(layer, accel) : NULL;
}

SlStatus sl_kind_space(const SlTaskKind *kind, SlArena *scratch, SlConstraints *constraints,
                       SlSpaceOptions *options, SlError *err) {
    options->maestro = kind == &sl_kind_maestro;
    if (!options->maestro || options->constraints) return SL_OK;
    SlStatus status = sl_constraints_find("maestro", scratch, constraints, err);
    if (status == SL_OK) options->constraints = constraints;
    return status;
}

double sl_kind_floor(const SlTaskKind *kind, const SlGoal *goal, const SlLayer *layer,
                     const SlAccel *accel) {
    SlFloor floor = {.value = {NAN, NAN, NAN, NAN, NAN}};
    if (!kind || kind == &sl_kind_native)
        sl_floor_eval(layer, accel, &floor);
    else if (kind == &sl_kind_maestro)
        floor.value[SL_LATENCY] = (double)sl_layer_macs(layer) / (double)sl_accel_macs(accel);
    return sl_goal_floor(goal, &floor);
}
