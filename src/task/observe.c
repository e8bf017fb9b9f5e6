// observe.c - what agents see of the last mapping: latency, power, energy, area as normalised logs.
#include "starling/task/env.h"

#include <math.h>

const char *const sl_observe_names[3] = {"paper", "extended", NULL};

void sl_observer_init(SlObserver *observer, const SlTask *task) {
    const SlSpace *space = sl_task_space(task);
    SlFloor floor = {0};
    if (space->accel) sl_floor_eval(space->layer, space->accel, &floor);
    *observer = (SlObserver){
        .reference = {floor.value[SL_LATENCY], 0, floor.value[SL_ENERGY], 0},
    };
}

// log2(value / reference) / 8 within -1..1
static float normalised(double value, double reference) {
    if (!(value > 0) || !(reference > 0)) return 0;
    double octaves = log2(value / reference) / 8;
    return (float)fmax(-1, fmin(1, octaves));
}

void sl_observe(SlObserver *observer, const SlSample *outcome, float out[static SL_N_OBSERVED]) {
    // an evaluator that tells no parts: the value stands for the latency
    double latency = outcome->latency_cycles > 0 ? outcome->latency_cycles : outcome->value;
    const double values[SL_N_OBSERVED] = {latency, outcome->power_mw, outcome->energy_pj,
                                          outcome->area_um2};
    bool legal = isfinite(outcome->value);
    for (int i = 0; i < SL_N_OBSERVED; i++) {
        double *reference = &observer->reference[i];
        if (legal && *reference == 0) *reference = values[i];
        out[i] = legal ? normalised(values[i], *reference) : 1;
    }
}
