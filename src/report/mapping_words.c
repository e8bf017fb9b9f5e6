// mapping_words.c - layers, objectives and what binds them, for people.
#include <math.h>
#include <stdio.h>

#include "evaluation_parts.h"

const char *sl_objective_show(SlObjective objective, double value, double clock_mhz,
                              char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    static const SlUnit units[SL_N_OBJECTIVES] = {SL_UNIT_CYCLES, SL_UNIT_PJ, SL_UNIT_JS,
                                                  SL_UNIT_UM2, SL_UNIT_MW};
    // energy times cycles becomes energy times time
    if (objective == SL_EDP) value *= 1e-18 / clock_mhz;
    return sl_unit_show(units[objective], value, out);
}

const char *sl_goal_show(const SlGoal *goal, double value, double clock_mhz,
                         char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    SlObjective only = sl_goal_objective(goal);
    if (only != SL_N_OBJECTIVES) return sl_objective_show(only, value, clock_mhz, out);
    snprintf(out, SL_UNIT_ROOM, isnan(value) ? "-" : "%.4g", value);
    return out;
}

const char *sl_binder_show(const SlAccel *accel, SlBinder binder,
                           char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    const char *level = accel->levels[binder.level].name;
    if (binder.kind == SL_BIND_COMPUTE)
        snprintf(out, SL_UNIT_ROOM, "compute");
    else
        snprintf(out, SL_UNIT_ROOM, "%s %s", level, binder.kind == SL_BIND_PORT ? "port" : "link");
    return out;
}

// the window of a convolution: outputs, taps, stride and dilation
static int add_window(const SlLayer *layer, int used, char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    const int64_t *d = layer->dims;
    used +=
        snprintf(out + used, (size_t)(SL_UNIT_ROOM - used), " %lldx%lld %lldx%lld",
                 (long long)d[SL_P], (long long)d[SL_Q], (long long)d[SL_R], (long long)d[SL_S]);
    const int32_t *pairs[] = {layer->stride, layer->dilation};
    for (int i = 0; i < 2 && used < SL_UNIT_ROOM; i++) {
        if (pairs[i][0] == 1 && pairs[i][1] == 1) continue;
        const char *mark = i == 0 ? "/" : "d";
        used += snprintf(out + used, (size_t)(SL_UNIT_ROOM - used),
                         pairs[i][0] == pairs[i][1] ? " %s%d" : " %s%dx%d", mark, pairs[i][0],
                         pairs[i][1]);
    }
    return used;
}

const char *sl_layer_shape(const SlLayer *layer, char out[SL_AT_LEAST(SL_UNIT_ROOM)]) {
    const int64_t *d = layer->dims;
    long long n = d[SL_N], g = d[SL_G], k = d[SL_K], c = d[SL_C], p = d[SL_P];
    int used = 0;
    switch (layer->type) {
    case SL_GEMM:
        snprintf(out, SL_UNIT_ROOM, "%lldx%lldx%lld", p * n, k, c);
        return out;
    case SL_BMM:
        snprintf(out, SL_UNIT_ROOM, "%lld*%lldx%lldx%lld", g * n, p, k, c);
        return out;
    case SL_LINEAR:
        snprintf(out, SL_UNIT_ROOM, "%lldx%lld", k, c);
        if (n > 1) snprintf(out, SL_UNIT_ROOM, "%lld*%lldx%lld", n, k, c);
        return out;
    default:
        break;
    }
    if (n > 1) used += snprintf(out, SL_UNIT_ROOM, "%lld*", n);
    const bool depthwise = layer->type == SL_DEPTHWISE && k * c == 1; // the groups say it all
    if (g > 1 || depthwise) used += snprintf(out + used, (size_t)(SL_UNIT_ROOM - used), "g%lld", g);
    if (!depthwise)
        used += snprintf(out + used, (size_t)(SL_UNIT_ROOM - used), "%s%lldx%lld", g > 1 ? " " : "",
                         k, c);
    if (used < SL_UNIT_ROOM) add_window(layer, used, out);
    return out;
}
