// tune_log_write.c - lines of the measurement log: what a task is, what a measurement said.
#include <inttypes.h>
#include <math.h>

#include "tune_log_inside.h"

// a JSON string; names and keys are printable
static void put_string(SlText *out, const char *text) {
    sl_text_put(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') sl_text_put(out, "\\", 1);
        sl_text_put(out, text, 1);
    }
    sl_text_put(out, "\"", 1);
}

static void put_member(SlText *out, const char *name, const char *text) {
    sl_text_add(out, ", \"%s\": ", name);
    put_string(out, text);
}

static void put_vta(const SlTuningSetup *setup, SlText *out) {
    char core[96];
    const SlVtaBudget *limits = &setup->budget;
    put_member(out, "core", sl_vta_core_write(&setup->core, sizeof core, core));
    sl_text_add(out, ", \"bus\": %d", setup->core.bus_bits);
    put_member(out, "timing", setup->core.timing.name);
    put_member(out, "hardware", sl_hardware_names[setup->hardware]);
    sl_text_add(out, ", \"bias\": %s, \"strict\": %s", setup->bias ? "true" : "false",
                setup->core.strict ? "true" : "false");
    sl_text_add(out,
                ", \"limits\": {\"macs\": %" PRId64 ", \"dsp\": %d, \"bram\": %d, \"lut\": %d, "
                "\"sram\": %" PRId64 "}",
                limits->macs, limits->dsp, limits->bram36, limits->lut, limits->sram_bytes);
}

void sl_log_write_task(const SlTuneTask *task, SlText *out) {
    char layer[384];
    const SlTuningSetup *setup = &task->setup;
    sl_text_add(out, "{\"schema\": \"starling.tune-log/1\", \"task\": ");
    put_string(out, task->key);
    put_member(out, "target", sl_target_names[setup->target]);
    put_member(out, "layer", sl_layer_write(&setup->layer, sizeof layer, layer));
    if (setup->target == SL_TARGET_VTA) {
        put_vta(setup, out);
    } else {
        put_member(out, "type", sl_kernel_type_names[setup->type]);
        sl_text_add(out, ", \"threads\": %d", setup->threads);
    }
    sl_text_add(out, ", \"knobs\": {");
    for (int k = 0; k < task->knobs.n_knobs; k++) {
        const SlKnob *knob = &task->knobs.knobs[k];
        sl_text_add(out, "%s\"%s\": [", k ? ", " : "", knob->name);
        for (int i = 0; i < knob->n; i++)
            sl_text_add(out, "%s%" PRId32, i ? ", " : "", knob->values[i]);
        sl_text_add(out, "]");
    }
    sl_text_add(out, "}}\n");
}

void sl_log_write_entry(const SlTuneTask *task, const int32_t *point, const LogLine *line,
                        SlText *out) {
    const SlMeasured *measured = line->measured;
    sl_text_add(out, "{\"task\": ");
    put_string(out, task->key);
    sl_text_add(out, ", \"knobs\": {");
    for (int k = 0; k < task->knobs.n_knobs; k++)
        sl_text_add(out, "%s\"%s\": %" PRId32, k ? ", " : "", task->knobs.knobs[k].name,
                    task->knobs.knobs[k].values[point[k]]);
    if (isfinite(measured->value))
        sl_text_add(out, "}, \"value\": %.17g", measured->value);
    else
        sl_text_add(out, "}, \"value\": null");
    sl_text_add(out, ", \"error\": %d, \"spread\": %.17g", (int)measured->error, measured->spread);
    put_member(out, "method", line->method);
    sl_text_add(out, ", \"seed\": %" PRIu64 ", \"time\": %" PRId64 "}\n", line->seed, line->time);
}
