// tune_log_read.c - lines of the measurement log, read back; every line is a JSON document of its
// own.
#include <math.h>
#include <string.h>

#include "tune_log_inside.h"

enum { MAX_LINE = 1 << 20, NAME_ROOM = 16, LOG_KEY_ROOM = 1024 };

// ---- the line of a task ----

static SlStatus need_text(const SlNode *map, const char *name, size_t room, char *out,
                          SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, name, &node, err);
    return status == SL_OK ? sl_node_copy_text(node, room, out, err) : status;
}

static SlStatus need_choice(const SlNode *map, const char *name, const char *const *names, int *out,
                            SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, name, &node, err);
    return status == SL_OK ? sl_node_choice(node, names, out, err) : status;
}

static SlStatus need_int(const SlNode *map, const char *name, int64_t lo, int64_t hi, int64_t *out,
                         SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, name, &node, err);
    return status == SL_OK ? sl_node_int(node, lo, hi, out, err) : status;
}

static SlStatus need_bool(const SlNode *map, const char *name, bool *out, SlError *err) {
    const SlNode *node;
    SlStatus status = sl_node_need(map, name, &node, err);
    return status == SL_OK ? sl_node_bool(node, out, err) : status;
}

static SlStatus read_limits(const SlNode *root, SlVtaBudget *budget, SlError *err) {
    const SlNode *map;
    int64_t dsp = 0, bram = 0, lut = 0;
    SlStatus status = sl_node_need(root, "limits", &map, err);
    if (status == SL_OK) status = sl_node_expect(map, SL_NODE_MAP, "limits", err);
    if (status == SL_OK) status = need_int(map, "macs", 0, INT64_C(1) << 52, &budget->macs, err);
    if (status == SL_OK) status = need_int(map, "dsp", 0, INT32_MAX, &dsp, err);
    if (status == SL_OK) status = need_int(map, "bram", 0, INT32_MAX, &bram, err);
    if (status == SL_OK) status = need_int(map, "lut", 0, INT32_MAX, &lut, err);
    if (status == SL_OK)
        status = need_int(map, "sram", 0, INT64_C(1) << 52, &budget->sram_bytes, err);
    budget->dsp = (int)dsp;
    budget->bram36 = (int)bram;
    budget->lut = (int)lut;
    return status;
}

static SlStatus read_core(const SlNode *root, SlVtaCore *core, SlError *err) {
    char text[96];
    int64_t bus = 64;
    SlError why;
    sl_vta_core_init(core);
    SlStatus status = need_text(root, "core", sizeof text, text, err);
    if (status == SL_OK && sl_vta_core_parse(text, core, &why) != SL_OK)
        return sl_node_fail(sl_node_get(root, "core"), err, "%s", why.text);
    if (status == SL_OK) status = need_int(root, "bus", 1, 4096, &bus, err);
    core->bus_bits = (int)bus;
    if (status == SL_OK) status = need_text(root, "timing", sizeof text, text, err);
    if (status != SL_OK) return status;
    const SlVtaTiming *timing = sl_vta_timing(text);
    if (!timing) return sl_node_fail(sl_node_get(root, "timing"), err, "there is no such timing");
    core->timing = *timing;
    const char *fault = sl_vta_core_check(core);
    return fault ? sl_node_fail(root, err, "%s", fault) : SL_OK;
}

static SlStatus read_vta(const SlNode *root, SlTuningSetup *setup, SlError *err) {
    int hardware = 0;
    SlStatus status = read_core(root, &setup->core, err);
    if (status == SL_OK) status = need_choice(root, "hardware", sl_hardware_names, &hardware, err);
    if (status == SL_OK) status = need_bool(root, "bias", &setup->bias, err);
    if (status == SL_OK) status = need_bool(root, "strict", &setup->core.strict, err);
    if (status == SL_OK) status = read_limits(root, &setup->budget, err);
    setup->hardware = (SlHardware)hardware;
    return status;
}

static SlStatus read_cpu(const SlNode *root, SlTuningSetup *setup, SlError *err) {
    int type = 0;
    int64_t threads = 1;
    SlStatus status = need_choice(root, "type", sl_kernel_type_names, &type, err);
    if (status == SL_OK) status = need_int(root, "threads", 1, 1024, &threads, err);
    setup->type = (SlKernelType)type;
    setup->threads = (int)threads;
    return status;
}

static SlStatus read_setup(const SlNode *root, SlTuningSetup *setup, SlError *err) {
    char layer[512];
    int target = 0;
    SlError why;
    *setup = (SlTuningSetup){0};
    SlStatus status = need_choice(root, "target", sl_target_names, &target, err);
    if (status == SL_OK) status = need_text(root, "layer", sizeof layer, layer, err);
    if (status != SL_OK) return status;
    setup->target = (SlTarget)target;
    if (sl_layer_parse(layer, &setup->layer, &why) != SL_OK)
        return sl_node_fail(sl_node_get(root, "layer"), err, "%s", why.text);
    return target == SL_TARGET_VTA ? read_vta(root, setup, err) : read_cpu(root, setup, err);
}

static SlStatus read_knob(const SlNode *list, SlKnob *knob, SlError *err) {
    int64_t value, last = INT32_MIN;
    size_t n = strlen(list->key);
    if (n == 0 || n >= NAME_ROOM)
        return sl_node_fail(list, err, "expected a name of 1 to %d bytes", NAME_ROOM - 1);
    memcpy(knob->name, list->key, n + 1);
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, list->key, err);
    if (status != SL_OK) return status;
    if (list->n < 1 || list->n > SL_KNOB_MAX_VALUES)
        return sl_node_fail(list, err, "expected 1 to %d values", SL_KNOB_MAX_VALUES);
    for (const SlNode *node = list->first; node; node = node->next) {
        if (sl_node_int(node, last, INT32_MAX, &value, NULL) != SL_OK)
            return sl_node_fail(node, err, "%s: expected whole numbers that ascend", knob->name);
        knob->values[knob->n++] = (int32_t)value;
        last = value + 1;
    }
    return SL_OK;
}

static SlStatus read_knobs(const SlNode *root, SlKnobs *knobs, SlError *err) {
    const SlNode *map;
    *knobs = (SlKnobs){.n_points = 1};
    SlStatus status = sl_node_need(root, "knobs", &map, err);
    if (status == SL_OK) status = sl_node_expect(map, SL_NODE_MAP, "knobs", err);
    if (status != SL_OK) return status;
    if (map->n < 1 || map->n > SL_MAX_KNOBS)
        return sl_node_fail(map, err, "expected 1 to %d knobs", SL_MAX_KNOBS);
    for (const SlNode *node = map->first; node; node = node->next) {
        SlKnob *knob = &knobs->knobs[knobs->n_knobs++];
        status = read_knob(node, knob, err);
        if (status != SL_OK || knob->n < 1) return status;
        if (knobs->n_points > (INT64_C(1) << 62) / knob->n)
            return sl_node_fail(map, err, "the knobs have 2^62 points or more");
        knobs->n_points *= knob->n;
    }
    return SL_OK;
}

static SlStatus read_task(SlTuneLog *log, const SlNode *root, SlError *err) {
    char schema[64], key[LOG_KEY_ROOM];
    SlTuneTask task = {.key = key};
    SlStatus status = need_text(root, "schema", sizeof schema, schema, err);
    if (status == SL_OK && strcmp(schema, "starling.tune-log/1") != 0)
        return sl_node_fail(sl_node_get(root, "schema"), err,
                            "expected \"starling.tune-log/1\", got \"%.40s\"", schema);
    if (status == SL_OK) status = need_text(root, "task", sizeof key, key, err);
    if (status == SL_OK) status = read_setup(root, &task.setup, err);
    if (status == SL_OK) status = read_knobs(root, &task.knobs, err);
    if (status != SL_OK) return status;
    const LogTask *known = sl_log_named(log, key);
    if (known && !sl_log_same_knobs(&known->shown.knobs, &task.knobs))
        return sl_node_fail(root, err, "the task stands further up with other knobs");
    if (known || sl_log_new_task(log, &task)) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

// ---- the line of a measurement ----

static SlStatus read_value_of(const SlNode *map, const SlKnob *knob, int32_t *place, SlError *err) {
    int64_t value;
    SlStatus status = need_int(map, knob->name, INT32_MIN, INT32_MAX, &value, err);
    for (int i = 0; i < knob->n && status == SL_OK; i++) {
        *place = i;
        if (knob->values[i] == value) return SL_OK;
    }
    if (status != SL_OK) return status;
    return sl_node_fail(sl_node_get(map, knob->name), err, "%s has no value %lld", knob->name,
                        (long long)value);
}

static SlStatus read_point(const SlNode *root, const SlKnobs *knobs, int64_t *index, SlError *err) {
    const SlNode *map;
    int32_t point[SL_MAX_KNOBS];
    SlStatus status = sl_node_need(root, "knobs", &map, err);
    if (status == SL_OK) status = sl_node_expect(map, SL_NODE_MAP, "knobs", err);
    for (int k = 0; k < knobs->n_knobs && status == SL_OK; k++)
        status = read_value_of(map, &knobs->knobs[k], &point[k], err);
    if (status != SL_OK) return status;
    if (map->n != knobs->n_knobs)
        return sl_node_fail(map, err, "expected the %d knobs of the task", knobs->n_knobs);
    *index = sl_knobs_index(knobs, point);
    return SL_OK;
}

static SlStatus read_measured(const SlNode *root, SlMeasured *measured, SlError *err) {
    const SlNode *value, *spread;
    int64_t error = 0;
    *measured = (SlMeasured){.value = INFINITY};
    SlStatus status = sl_node_need(root, "value", &value, err);
    if (status == SL_OK) status = need_int(root, "error", 0, 255, &error, err);
    if (status == SL_OK) status = sl_node_need(root, "spread", &spread, err);
    if (status == SL_OK) status = sl_node_real(spread, 0, 1e300, &measured->spread, err);
    if (status != SL_OK) return status;
    measured->error = (SlKernelError)error;
    bool none = value->kind == SL_NODE_SCALAR && !value->quoted && !strcmp(value->text, "null");
    if (none != (error != 0))
        return sl_node_fail(value, err, "expected a value where the error is 0, else null");
    return none ? SL_OK : sl_node_real(value, 0, 1e300, &measured->value, err);
}

static SlStatus read_entry(SlTuneLog *log, const SlNode *root, SlError *err) {
    char key[LOG_KEY_ROOM];
    int64_t index = 0;
    SlMeasured measured;
    SlStatus status = need_text(root, "task", sizeof key, key, err);
    if (status != SL_OK) return status;
    LogTask *task = sl_log_named(log, key);
    if (!task)
        return sl_node_fail(sl_node_get(root, "task"), err,
                            "no line further up says what this task is");
    status = read_point(root, &task->shown.knobs, &index, err);
    if (status == SL_OK) status = read_measured(root, &measured, err);
    if (status != SL_OK) return status;
    if (sl_log_new_entry(log, task, index, &measured)) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

// ---- lines ----

static SlStatus read_line(SlTuneLog *log, const char *name, const char *text, size_t n,
                          SlArena *scratch, SlError *err) {
    const SlNode *root;
    if (n > MAX_LINE)
        return sl_fail_at(err, SL_EINPUT, name, 1, 1, "a line of the log has more than 1 MiB");
    SlStatus status = sl_tree_parse(name, text, n, scratch, &root, err);
    if (status == SL_OK && root->kind != SL_NODE_MAP)
        status = sl_node_fail(root, err, "expected a line of a measurement log");
    if (status != SL_OK) return status;
    if (sl_node_get(root, "schema")) return read_task(log, root, err);
    if (log->n_tasks == 0)
        return sl_node_fail(root, err,
                            "expected a log that begins with \"schema\": "
                            "\"starling.tune-log/1\"");
    return read_entry(log, root, err);
}

SlStatus sl_log_read_lines(SlTuneLog *log, const char *name, const char *text, size_t n,
                           size_t *whole, SlError *err) {
    SlArena scratch;
    SlError why;
    SlStatus status = SL_OK;
    const char *at = text, *end;
    sl_arena_init(&scratch, 0);
    for (int line = 1; status == SL_OK && (end = memchr(at, '\n', n - (size_t)(at - text)));
         line++, at = end + 1) {
        size_t mark = sl_arena_mark(&scratch);
        size_t length = (size_t)(end - at);
        if (length > 0) status = read_line(log, name, at, length, &scratch, &why);
        // every line was parsed as the first one of its document
        if (status == SL_EINPUT) why.line = line;
        sl_arena_rewind(&scratch, mark);
    }
    sl_arena_free(&scratch);
    if (status != SL_OK && err) *err = why;
    if (whole) *whole = (size_t)(at - text);
    return status;
}
