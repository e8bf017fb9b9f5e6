// model.c - who prices mappings: the native model, or MAESTRO's.
#include <math.h>

#include "starling/cost/maestro.h"
#include "starling/task.h"

const char *const sl_model_names[SL_N_MODELS + 1] = {"native", "maestro", NULL};

const char *sl_model_check(SlModel model, const SlLayer *layer, const SlAccel *accel) {
    SlMaestroLayer shape;
    SlMaestroHardware hardware;
    if (model == SL_MODEL_NATIVE) return NULL;
    const char *reason = sl_maestro_hardware_of(accel, &hardware);
    return reason ? reason : sl_maestro_shape(layer, &shape);
}

SlStatus sl_model_space(SlModel model, SlArena *scratch, SlConstraints *constraints,
                        SlSpaceOptions *options, SlError *err) {
    options->maestro = model == SL_MODEL_MAESTRO;
    if (model == SL_MODEL_NATIVE || options->constraints) return SL_OK;
    SlStatus status = sl_constraints_find("maestro", scratch, constraints, err);
    if (status == SL_OK) options->constraints = constraints;
    return status;
}

double sl_model_floor(SlModel model, const SlGoal *goal, const SlLayer *layer,
                      const SlAccel *accel) {
    SlFloor floor = {.value = {NAN, NAN, NAN, NAN, NAN}};
    if (model == SL_MODEL_NATIVE)
        sl_floor_eval(layer, accel, &floor);
    else
        floor.value[SL_LATENCY] = (double)sl_layer_macs(layer) / (double)sl_accel_macs(accel);
    return sl_goal_floor(goal, &floor);
}
