// log_read.c - lines of the log, read back; every line is a JSON document of its
// own.
#include <math.h>
#include <string.h>

#include "log_inside.h"

enum {
    MAX_LINE = 1 << 20,
    KNOB_NAME_ROOM = 16,
    LOG_KEY_ROOM = 1024,
    MOST_KNOBS = 12,
    MOST_VALUES = 96,
};

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

static SlStatus read_vta(const SlNode *root, SlVtaOptions *setup, SlError *err) {
    int hardware = 0;
    SlStatus status = read_core(root, &setup->core, err);
    if (status == SL_OK) status = need_choice(root, "hardware", sl_hardware_names, &hardware, err);
    if (status == SL_OK) status = need_bool(root, "bias", &setup->bias, err);
    if (status == SL_OK) status = need_bool(root, "strict", &setup->core.strict, err);
    if (status == SL_OK) status = read_limits(root, &setup->budget, err);
    setup->hardware = (SlHardware)hardware;
    return status;
}

static SlStatus read_cpu(const SlNode *root, SlCpuOptions *setup, SlError *err) {
    int type = 0;
    int64_t threads = 1;
    SlStatus status = need_choice(root, "type", sl_kernel_type_names, &type, err);
    if (status == SL_OK) status = need_int(root, "threads", 1, 1024, &threads, err);
    setup->type = (SlKernelType)type;
    setup->threads = (int)threads;
    return status;
}

static SlStatus read_program(const SlNode *root, SlLogTask *task, SlError *err) {
    char layer[512];
    SlError why;
    SlStatus status = need_text(root, "layer", sizeof layer, layer, err);
    if (status != SL_OK) return status;
    if (sl_layer_parse(layer, &task->layer, &why) != SL_OK)
        return sl_node_fail(sl_node_get(root, "layer"), err, "%s", why.text);
    return task->kind == &sl_kind_vta ? read_vta(root, &task->vta, err)
                                      : read_cpu(root, &task->cpu, err);
}

static SlStatus read_values(const SlNode *list, SlArena *arena, SlParam *param, SlError *err) {
    int64_t last = INT32_MIN;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, list->key, err);
    if (status != SL_OK) return status;
    if (list->n < 1 || list->n > MOST_VALUES)
        return sl_node_fail(list, err, "expected 1 to %d values", MOST_VALUES);
    int64_t *sizes = SL_NEW(arena, list->n, int64_t);
    if (!sizes) return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
    for (const SlNode *node = list->first; node; node = node->next) {
        if (sl_node_int(node, last, INT32_MAX, &sizes[param->n], NULL) != SL_OK)
            return sl_node_fail(node, err, "%s: expected whole numbers that ascend", param->name);
        last = sizes[param->n++] + 1;
    }
    param->sizes = sizes;
    return SL_OK;
}

static SlStatus read_param(const SlNode *node, bool values, SlArena *arena, SlSpace *space,
                           SlError *err) {
    int64_t n = 0;
    size_t length = strlen(node->key);
    size_t most = values ? KNOB_NAME_ROOM : sizeof space->params->name;
    if (length == 0 || length >= most)
        return sl_node_fail(node, err, "expected a name of 1 to %d bytes", (int)most - 1);
    SlParam *param = sl_space_add(space, node->key, SL_AGENT_HARDWARE);
    if (!param) return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
    if (values) return read_values(node, arena, param, err);
    SlStatus status = sl_node_int(node, 1, INT32_MAX, &n, err);
    param->n = (int32_t)n;
    return status;
}

static SlStatus read_space(const SlNode *root, bool values, SlArena *arena, SlSpace *space,
                           SlError *err) {
    const SlNode *map;
    const char *name = values ? "knobs" : "parameters";
    SlStatus status = sl_node_need(root, name, &map, err);
    if (status == SL_OK) status = sl_node_expect(map, SL_NODE_MAP, name, err);
    if (status != SL_OK) return status;
    int most = values ? MOST_KNOBS : SL_MAX_PARAMS;
    if (map->n < 1 || map->n > most)
        return sl_node_fail(map, err, "expected 1 to %d %s", most, name);
    sl_space_open(space, NULL, arena);
    for (const SlNode *node = map->first; node && status == SL_OK; node = node->next)
        status = read_param(node, values, arena, space, err);
    if (status != SL_OK) return status;
    if (!sl_space_close(space)) return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
    if (values && space->n_points == 0)
        return sl_node_fail(map, err, "the knobs have 2^62 points or more");
    return SL_OK;
}

static SlStatus read_kind(const SlNode *root, SlLogTask *task, SlError *err) {
    char text[64];
    SlStatus status = need_text(root, "schema", sizeof text, text, err);
    if (status != SL_OK) return status;
    bool first = strcmp(text, "starling.tune-log/1") == 0;
    if (!first && strcmp(text, "starling.tune-log/2") != 0)
        return sl_node_fail(sl_node_get(root, "schema"), err,
                            "expected \"starling.tune-log/1\" or \"/2\", got \"%.40s\"", text);
    status = need_text(root, "target", sizeof text, text, err);
    if (status != SL_OK) return status;
    task->kind = sl_task_kind_find(text);
    if (!task->kind || sl_log_has_values(task->kind) != first)
        return sl_node_fail(sl_node_get(root, "target"), err, "expected %s",
                            first ? "vta or cpu" : "the name of an evaluator");
    return SL_OK;
}

static SlStatus read_task(SlLog *log, const SlNode *root, SlError *err) {
    char name[LOG_KEY_ROOM];
    SlLogTask task = {.name = name};
    SlStatus status = read_kind(root, &task, err);
    bool values = status == SL_OK && sl_log_has_values(task.kind);
    if (status == SL_OK) status = need_text(root, "task", sizeof name, name, err);
    if (status == SL_OK && values) status = read_program(root, &task, err);
    if (status == SL_OK) status = read_space(root, values, log->arena, &task.space, err);
    if (status != SL_OK) return status;
    const LogTask *known = sl_log_named(log, name);
    if (known && !sl_log_same_space(task.kind, &known->shown.space, &task.space))
        return sl_node_fail(root, err, "the task stands further up with other knobs");
    if (known || sl_log_new_task(log, &task)) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

// ---- the line of a measurement ----

static SlStatus read_value_of(const SlNode *map, const SlParam *knob, int32_t *place,
                              SlError *err) {
    int64_t value;
    SlStatus status = need_int(map, knob->name, INT32_MIN, INT32_MAX, &value, err);
    for (int i = 0; i < knob->n && status == SL_OK; i++) {
        *place = i;
        if (knob->sizes[i] == value) return SL_OK;
    }
    if (status != SL_OK) return status;
    return sl_node_fail(sl_node_get(map, knob->name), err, "%s has no value %lld", knob->name,
                        (long long)value);
}

static SlStatus read_knobs(const SlNode *root, const SlSpace *space, int32_t *point, SlError *err) {
    const SlNode *map;
    SlStatus status = sl_node_need(root, "knobs", &map, err);
    if (status == SL_OK) status = sl_node_expect(map, SL_NODE_MAP, "knobs", err);
    for (int k = 0; k < space->n_params && status == SL_OK; k++)
        status = read_value_of(map, &space->params[k], &point[k], err);
    if (status == SL_OK && map->n != space->n_params)
        return sl_node_fail(map, err, "expected the %d knobs of the task", space->n_params);
    return status;
}

static SlStatus read_numbers(const SlNode *root, const SlSpace *space, int32_t *point,
                             SlError *err) {
    const SlNode *list;
    int k = 0;
    SlStatus status = sl_node_need(root, "point", &list, err);
    if (status == SL_OK) status = sl_node_expect(list, SL_NODE_LIST, "point", err);
    if (status != SL_OK) return status;
    if (list->n != space->n_params)
        return sl_node_fail(list, err, "expected the %d parameters of the task", space->n_params);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next, k++) {
        int64_t value = 0;
        status = sl_node_int(node, 0, space->params[k].n - 1, &value, err);
        point[k] = (int32_t)value;
    }
    return status;
}

static SlStatus read_parts(const SlNode *root, SlSample *sample, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < SL_N_LOG_PARTS && status == SL_OK; i++) {
        const SlNode *node = sl_node_get(root, sl_log_parts[i].name);
        double *part = (double *)((char *)sample + sl_log_parts[i].offset);
        if (node) status = sl_node_real(node, 0, 1e300, part, err);
    }
    return status;
}

static SlStatus read_sample(const SlNode *root, SlSample *measured, SlError *err) {
    const SlNode *value, *spread;
    int64_t error = 0;
    *measured = (SlSample){.value = INFINITY};
    SlStatus status = sl_node_need(root, "value", &value, err);
    if (status == SL_OK) status = need_int(root, "error", 0, 255, &error, err);
    if (status == SL_OK) status = sl_node_need(root, "spread", &spread, err);
    if (status == SL_OK) status = sl_node_real(spread, 0, 1e300, &measured->spread, err);
    if (status == SL_OK) status = read_parts(root, measured, err);
    if (status != SL_OK) return status;
    measured->error = (SlKernelError)error;
    bool none = value->kind == SL_NODE_SCALAR && !value->quoted && !strcmp(value->text, "null");
    if (none != (error != 0))
        return sl_node_fail(value, err, "expected a value where the error is 0, else null");
    return none ? SL_OK : sl_node_real(value, 0, 1e300, &measured->value, err);
}

static SlStatus read_entry(SlLog *log, const SlNode *root, SlError *err) {
    char name[LOG_KEY_ROOM];
    int32_t point[SL_MAX_PARAMS];
    SlSample sample;
    SlStatus status = need_text(root, "task", sizeof name, name, err);
    if (status != SL_OK) return status;
    LogTask *task = sl_log_named(log, name);
    if (!task)
        return sl_node_fail(sl_node_get(root, "task"), err,
                            "no line further up says what this task is");
    const SlSpace *space = &task->shown.space;
    status = sl_log_has_values(task->shown.kind) ? read_knobs(root, space, point, err)
                                                 : read_numbers(root, space, point, err);
    if (status == SL_OK) status = read_sample(root, &sample, err);
    if (status != SL_OK) return status;
    const SlNode *reason = sl_node_get(root, "reason");
    if (reason && reason->text)
        sample.reason = sl_arena_text(log->arena, reason->text, strlen(reason->text));
    if (sl_log_new_entry(log, task, sl_log_key(space, point), &sample)) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory for the log");
}

// ---- lines ----

static SlStatus read_line(SlLog *log, const char *name, const char *text, size_t n,
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

SlStatus sl_log_read_lines(SlLog *log, const char *name, const char *text, size_t n, size_t *whole,
                           SlError *err) {
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
