// context.c - a task beside others of its kind: its layer and its machine as numbers of order one.
#include <math.h>
#include <string.h>

#include "task_inside.h"

enum { LAYER_NUMBERS = SL_N_DIMS + 8, LEVEL_NUMBERS = 5 };

// half a logarithm, as features have them; what has no end counts as 1e9
static float half_log(double x) {
    return (float)(0.5 * log(fmin(fmax(x, 1e-9), 1e9)));
}

static float *put_layer(const SlLayer *layer, float *out) {
    double macs = (double)sl_layer_macs(layer);
    for (int d = 0; d < SL_N_DIMS; d++) *out++ = half_log((double)layer->dims[d]);
    *out++ = half_log(macs);
    for (int t = 0; t < SL_N_TENSORS; t++)
        *out++ = half_log(macs / (double)sl_layer_words(layer, (SlTensor)t));
    for (int k = 0; k < 2; k++) *out++ = half_log(layer->stride[k]);
    for (int k = 0; k < 2; k++) *out++ = half_log(layer->dilation[k]);
    return out;
}

static double room_of(const SlLevel *level) {
    return level->capacity_bytes > 0 ? (double)level->capacity_bytes : 1e9;
}

static void put_machine(const SlAccel *accel, float *out) {
    *out++ = half_log((double)sl_accel_macs(accel));
    for (int l = 1; l < accel->n_levels; l++) {
        const SlLevel *level = &accel->levels[l];
        *out++ = half_log(room_of(level));
        *out++ = half_log((double)sl_accel_instances(accel, l));
        *out++ = half_log(level->port_words);
        *out++ = half_log(level->link_words);
        *out++ = half_log(accel->mac_pj > 0 ? level->read_pj / accel->mac_pj : 1);
    }
    *out++ = half_log(accel->levels[0].port_words);
    *out = half_log(accel->mac_pj > 0 ? accel->levels[0].read_pj / accel->mac_pj : 1);
}

int sl_context_n(const SlAccel *accel) {
    return LAYER_NUMBERS + (accel ? 3 + LEVEL_NUMBERS * (accel->n_levels - 1) : 0);
}

int sl_task_n_context(const SlTask *task) {
    return sl_task_layer(task) ? sl_context_n(task->space->accel) : 0;
}

void sl_context(const SlLayer *layer, const SlAccel *accel, float *out) {
    out = put_layer(layer, out);
    if (accel) put_machine(accel, out);
}

void sl_task_context(const SlTask *task, float *out) {
    const SlLayer *layer = sl_task_layer(task);
    if (layer) sl_context(layer, task->space->accel, out);
}
