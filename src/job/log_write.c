// log_write.c - lines of the log: what a task is, what a sample said.
#include <inttypes.h>
#include <math.h>

#include "log_inside.h"

static void put_member(SlText *out, const char *name, const char *text) {
    sl_text_add(out, ", \"%s\": ", name);
    sl_text_quote(out, text);
}

static void put_vta(const SlVtaOptions *setup, SlText *out) {
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

static void put_values(const SlSpace *space, SlText *out) {
    for (int k = 0; k < space->n_params; k++) {
        const SlParam *param = &space->params[k];
        sl_text_add(out, "%s\"%s\": [", k ? ", " : "", param->name);
        for (int i = 0; i < param->n; i++)
            sl_text_add(out, "%s%" PRId64, i ? ", " : "", param->sizes[i]);
        sl_text_add(out, "]");
    }
}

static void put_program(const SlLogTask *task, SlText *out) {
    char layer[384];
    put_member(out, "layer", sl_layer_write(&task->layer, sizeof layer, layer));
    if (task->kind == &sl_kind_vta) {
        put_vta(&task->vta, out);
    } else {
        put_member(out, "type", sl_kernel_type_names[task->cpu.type]);
        sl_text_add(out, ", \"threads\": %d", task->cpu.threads);
    }
    sl_text_add(out, ", \"knobs\": {");
    put_values(&task->space, out);
    sl_text_add(out, "}}\n");
}

void sl_log_write_task(const SlLogTask *task, SlText *out) {
    bool values = sl_log_has_values(task->kind);
    sl_text_add(out, "{\"schema\": \"starling.tune-log/%d\", \"task\": ", values ? 1 : 2);
    sl_text_quote(out, task->name);
    put_member(out, "target", task->kind->name);
    if (values) {
        put_program(task, out);
        return;
    }
    sl_text_add(out, ", \"parameters\": {");
    for (int k = 0; k < task->space.n_params; k++) {
        if (k) sl_text_add(out, ", ");
        sl_text_quote(out, task->space.params[k].name);
        sl_text_add(out, ": %" PRId32, task->space.params[k].n);
    }
    sl_text_add(out, "}}\n");
}

// the point: values of knobs, or numbers of values
static void put_point(const SlLogTask *task, const int32_t *point, SlText *out) {
    const SlSpace *space = &task->space;
    bool values = sl_log_has_values(task->kind);
    sl_text_add(out, values ? ", \"knobs\": {" : ", \"point\": [");
    for (int k = 0; k < space->n_params; k++) {
        if (values)
            sl_text_add(out, "%s\"%s\": %" PRId64, k ? ", " : "", space->params[k].name,
                        space->params[k].sizes[point[k]]);
        else
            sl_text_add(out, "%s%" PRId32, k ? ", " : "", point[k]);
    }
    sl_text_add(out, values ? "}" : "]");
}

const LogPart sl_log_parts[SL_N_LOG_PARTS] = {
    {"latency_cycles", offsetof(SlSample, latency_cycles)},
    {"energy_pj", offsetof(SlSample, energy_pj)},
    {"area_um2", offsetof(SlSample, area_um2)},
    {"power_mw", offsetof(SlSample, power_mw)},
    {"excess", offsetof(SlSample, excess)},
};

static void put_parts(const SlSample *sample, SlText *out) {
    for (int i = 0; i < SL_N_LOG_PARTS; i++) {
        double part = *(const double *)((const char *)sample + sl_log_parts[i].offset);
        if (part != 0 && isfinite(part))
            sl_text_add(out, ", \"%s\": %.17g", sl_log_parts[i].name, part);
    }
}

void sl_log_write_entry(const SlLogTask *task, const int32_t *point, const LogLine *line,
                        SlText *out) {
    const SlSample *sample = line->sample;
    sl_text_add(out, "{\"task\": ");
    sl_text_quote(out, task->name);
    put_point(task, point, out);
    if (isfinite(sample->value))
        sl_text_add(out, ", \"value\": %.17g", sample->value);
    else
        sl_text_add(out, ", \"value\": null");
    sl_text_add(out, ", \"error\": %d, \"spread\": %.17g", (int)sample->error, sample->spread);
    put_parts(sample, out);
    if (sample->reason) put_member(out, "reason", sample->reason);
    put_member(out, "method", line->method);
    sl_text_add(out, ", \"seed\": %" PRIu64 ", \"time\": %" PRId64 "}\n", line->seed, line->time);
}
