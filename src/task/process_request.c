// process_request.c - requests to a program of the user's (docs/formats/evaluator.md).
#include "process_request.h"

#include <inttypes.h>
#include <stdio.h>

// ---- the world ----

static void put_pair(SlText *out, const char *name, int64_t a, int64_t b) {
    sl_text_add(out, ",\"%s\":[%" PRId64 ",%" PRId64 "]", name, a, b);
}

static void put_layer(const SlSpace *space, SlText *out) {
    const SlLayer *layer = space->layer;
    char text[384];
    SlLayer plain = *layer;
    sl_text_add(out, "\"layer\":{\"name\":");
    sl_text_quote(out, layer->name);
    sl_text_add(out, ",\"type\":\"%s\",\"inline\":", sl_layer_type_names[layer->type]);
    plain.name[0] = '\0';
    sl_text_quote(out, sl_layer_write(&plain, sizeof text, text));
    sl_text_add(out, ",\"dims\":{");
    for (int d = 0; d < SL_N_DIMS; d++)
        sl_text_add(out, "%s\"%s\":%" PRId64, d ? "," : "", sl_dim_names[d], layer->dims[d]);
    sl_text_add(out, "}");
    put_pair(out, "stride", layer->stride[0], layer->stride[1]);
    put_pair(out, "dilation", layer->dilation[0], layer->dilation[1]);
    put_pair(out, "pad", layer->pad[0], layer->pad[1]);
    sl_text_add(out, ",\"word_bytes\":{");
    for (int t = 0; t < SL_N_TENSORS; t++)
        sl_text_add(out, "%s\"%s\":%.17g", t ? "," : "", sl_tensor_names[t],
                    sl_word_bytes(layer, space->accel, (SlTensor)t));
    sl_text_add(out, "}}");
}

static void put_level(const SlAccel *accel, int l, SlText *out) {
    const SlLevel *level = &accel->levels[l];
    sl_text_add(out, "%s{\"name\":", l ? "," : "");
    sl_text_quote(out, level->name);
    if (level->capacity_bytes > 0)
        sl_text_add(out, ",\"capacity_bytes\":%" PRId64, level->capacity_bytes);
    else
        sl_text_add(out, ",\"capacity_bytes\":null");
    sl_text_add(out, ",\"keep\":\"");
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (level->keep >> t & 1) sl_text_add(out, "%s", sl_tensor_names[t]);
    sl_text_add(out, "\",\"instances\":%" PRId64 "}", sl_accel_instances(accel, l));
}

void sl_request_world(const SlTask *task, SlText *out) {
    const SlSpace *space = sl_task_space(task);
    char goal[128];
    sl_text_add(out, "\"objective\":");
    sl_text_quote(out, sl_goal_text(&sl_task_setup(task)->goal, sizeof goal, goal));
    sl_text_add(out, ",");
    put_layer(space, out);
    sl_text_add(out, ",\"accel\":{\"name\":");
    sl_text_quote(out, space->accel->name);
    sl_text_add(out, ",\"clock_mhz\":%.17g,\"macs\":%" PRId64 ",\"levels\":[",
                space->accel->clock_mhz, sl_accel_macs(space->accel));
    for (int l = 0; l < space->accel->n_levels; l++) put_level(space->accel, l, out);
    sl_text_add(out, "]},");
}

// ---- a mapping ----

static int level_of(const SlMapping *mapping, int loop) {
    int level = 0;
    while (level < mapping->n_boundaries && mapping->at[level] <= loop) level++;
    return level;
}

static void put_loops(const SlMapping *mapping, const SlFootprint *footprint, SlText *out) {
    sl_text_add(out, ",\"loops\":[");
    for (int i = 0; i < mapping->n_loops; i++) {
        const SlLoop *loop = &mapping->loops[i];
        sl_text_add(out,
                    "%s{\"dim\":\"%s\",\"tile\":%" PRId64 ",\"trips\":%" PRId64
                    ",\"spatial\":%s,\"level\":%d}",
                    i ? "," : "", sl_dim_names[loop->dim], (int64_t)loop->tile, footprint->trips[i],
                    loop->spatial ? "true" : "false", level_of(mapping, i));
    }
    sl_text_add(out, "]");
}

void sl_request_mapping(const SlTask *task, const SlMapping *mapping, SlText *out) {
    const SlSpace *space = sl_task_space(task);
    char nest[SL_NEST_TEXT_MAX];
    SlFootprint footprint;
    sl_mapping_footprint(space->layer, mapping, &footprint);
    sl_text_add(out, "\"nest\":\"%s\"", sl_mapping_write(mapping, sizeof nest, nest));
    put_loops(mapping, &footprint, out);
    sl_text_add(out, ",\"tiles\":[");
    for (int b = 0; b < mapping->n_boundaries; b++) {
        sl_text_add(out, "%s{\"level\":", b ? "," : "");
        sl_text_quote(out, space->accel->levels[b + 1].name);
        for (int d = 0; d < SL_N_DIMS; d++)
            sl_text_add(out, ",\"%s\":%" PRId64, sl_dim_names[d], footprint.extent[b][d]);
        sl_text_add(out, "}");
    }
    sl_text_add(out, "]");
}

// ---- a point of an own space ----

static void put_value(const SlParam *param, int32_t value, SlText *out) {
    if (param->kind == SL_PERMUTATION) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(param->n_items, value, order);
        for (int i = 0; i < param->n_items; i++) {
            sl_text_add(out, i ? "," : "[");
            sl_text_quote(out, param->labels[order[i]]);
        }
        sl_text_add(out, "]");
    } else if (param->kind == SL_ORDINAL && param->labels) {
        sl_text_add(out, "%s", param->labels[value]); // a number as it was written
    } else if (param->labels) {
        sl_text_quote(out, param->labels[value]);
    } else {
        sl_text_add(out, "%" PRId64, param->sizes[value]);
    }
}

void sl_request_point(const SlSpace *space, const int32_t *point, SlText *out) {
    sl_text_add(out, "\"point\":{");
    for (int i = 0; i < space->n_params; i++) {
        if (i) sl_text_add(out, ",");
        sl_text_quote(out, space->params[i].name);
        sl_text_add(out, ":");
        put_value(&space->params[i], point[i], out);
    }
    sl_text_add(out, "}");
}
