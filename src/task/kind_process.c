// kind_process.c - mappings, or points of a space of the user's own, evaluated by a program of the
// user's: one JSON line for a request, one for a reply (docs/formats/evaluator.md).
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "process_request.h"
#include "starling/task/own_space.h"
#include "task_inside.h"

enum { REASON_ROOM = 320 };

typedef struct {
    SlProcessOptions options;
    char command[512];
    SlEvaluator *own;  // opened by the task
    const char *world; // what all requests say: objective, layer, accelerator
} Process;

static bool maps(const SlTask *task) {
    return task->space->accel != NULL;
}

// ---- making ----

// a hash of all that may differ between two spaces
static uint64_t space_hash(const SlTask *task, SlArena *scratch) {
    SlText text;
    sl_text_init(&text, scratch);
    if (maps(task)) {
        sl_space_describe(task->space, &text);
    } else {
        char value[256];
        for (int i = 0; i < task->space->n_params; i++) {
            const SlParam *param = &task->space->params[i];
            sl_text_add(&text, "%s %d %d", param->name, (int)param->kind, param->n);
            for (int32_t v = 0; v < param->n && v < 64; v++)
                sl_text_add(&text, " %s", sl_param_text(param, v, sizeof value, value));
        }
    }
    return sl_fnv_bytes(SL_FNV_START, text.data, text.n);
}

static void write_name(SlTask *task, SlArena *scratch) {
    const Process *process = task->state;
    char layer[384] = "", goal[128] = "";
    if (maps(task)) {
        sl_goal_text(&task->setup.goal, sizeof goal, goal);
        sl_layer_write(task->space->layer, sizeof layer, layer);
    }
    snprintf(task->name, sizeof task->name, "process %.200s | %s %s %016" PRIx64, process->command,
             goal, layer, space_hash(task, scratch));
}

static SlStatus make(SlTask *task, SlArena *arena, SlError *err) {
    Process *process = SL_NEW(arena, 1, Process);
    SlText world;
    sl_text_init(&world, arena);
    if (!process) return sl_fail(err, SL_ENOMEM, "not enough memory for a task");
    task->state = process;
    process->options = *(const SlProcessOptions *)task->setup.options;
    snprintf(process->command, sizeof process->command, "%s", process->options.program.command);
    process->options.program.command = process->command;
    task->setup.options = &process->options;
    if (maps(task)) sl_request_world(task, &world);
    process->world = world.data;
    if (world.failed) return sl_fail(err, SL_ENOMEM, "not enough memory for a task");
    task->unit = maps(task) ? sl_goal_unit(&task->setup.goal) : "";
    // of a stranger nothing is known before the first value: beyond stays 0
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    write_name(task, &scratch);
    sl_arena_free(&scratch);
    return SL_OK;
}

static void close_own(SlTask *task) {
    Process *process = task->state;
    sl_evaluator_close(process->own);
    process->own = NULL;
}

// ---- what is free ----

static void start(const SlTask *task, int32_t *point) {
    if (maps(task))
        sl_nest_start(task, point);
    else
        memset(point, 0, (size_t)task->space->n_params * sizeof *point);
}

static bool check(const SlTask *task, const int32_t *point, SlFault *fault) {
    if (maps(task)) return sl_nest_check(task, point, fault);
    const Process *process = task->state;
    const char *broken = sl_rules_broken(process->options.rules, task->space, point);
    if (broken && fault) {
        fault->structure = true;
        snprintf(fault->text, sizeof fault->text, "breaks the rule %.140s", broken);
    }
    return !broken;
}

static void view(const SlTask *task, const int32_t *point, SlView *out) {
    (maps(task) ? sl_nest_view : sl_knob_view)(task, point, out);
}

static int n_features(const SlTask *task) {
    return maps(task) ? sl_nest_n_features(task) : sl_knob_n_features(task);
}

static SlFeatureGroup group(const SlTask *task, int feature) {
    return maps(task) ? sl_nest_group(task, feature) : sl_knob_group(task, feature);
}

static void features(const SlTask *task, const int32_t *point, const SlView *seen, float *out) {
    (maps(task) ? sl_nest_features : sl_knob_features)(task, point, seen, out);
}

// ---- evaluating ----

// what is asked for a point: the members of a request without version and id
static void request_of(const SlTask *task, const int32_t *point, SlText *out) {
    const Process *process = task->state;
    sl_text_add(out, "%s", process->world);
    if (!maps(task)) {
        sl_request_point(task->space, point, out);
        return;
    }
    SlView seen;
    sl_nest_view(task, point, &seen);
    sl_request_mapping(task, &seen.mapping, out);
}

static SlKernelError error_of(const char *reason) {
    if (strcmp(reason, "interrupted") == 0) return SL_KERNEL_UNKNOWN;
    if (strncmp(reason, "no reply", 8) == 0) return SL_KERNEL_RUN_TIMEOUT;
    if (strncmp(reason, "the evaluator", 13) == 0) return SL_KERNEL_CRASHED;
    return strncmp(reason, "expected", 8) == 0 ? SL_KERNEL_WRONG : SL_KERNEL_UNFIT;
}

static void fail(SlTask *task, SlKernelError error, const char *reason, SlSample *sample) {
    *sample = (SlSample){.value = INFINITY,
                         .error = error,
                         .reason = sl_arena_text(task->arena, reason, strlen(reason))};
}

static void take_reply(SlTask *task, const SlReply *reply, SlSample *sample) {
    char reason[REASON_ROOM];
    if (reply->reason[0]) {
        fail(task, error_of(reply->reason), reply->reason, sample);
    } else if (!(reply->value > 0)) {
        snprintf(reason, sizeof reason, "expected a value above 0, got %g", reply->value);
        fail(task, SL_KERNEL_WRONG, reason, sample);
    } else {
        *sample = (SlSample){.value = reply->value};
    }
}

// those of n points that pass the check, as requests; `asked` are their numbers
static int make_requests(SlTask *task, int n, const int32_t *points, SlArena *scratch,
                         const char **requests, int *asked, SlSample *samples) {
    int n_asked = 0;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * task->space->n_params;
        SlFault fault;
        SlText text;
        if (!sl_task_check(task, point, &fault)) {
            fail(task, SL_KERNEL_UNFIT, fault.text, &samples[i]);
            samples[i].excess = sl_fault_excess(&fault);
            samples[i].free = !maps(task);
            continue;
        }
        sl_text_init(&text, scratch);
        request_of(task, point, &text);
        requests[n_asked] = text.data;
        asked[n_asked++] = i;
    }
    return n_asked;
}

static SlStatus ask(SlTask *task, int n, const char *const *requests, SlReply *replies,
                    SlError *err) {
    Process *process = task->state;
    SlEvaluator *evaluator = process->options.shared ? process->options.shared : process->own;
    SlStatus status = SL_OK;
    if (!evaluator) {
        status = sl_evaluator_open(&process->options.program, &process->own, err);
        evaluator = process->own;
    }
    return status == SL_OK ? sl_evaluator_ask(evaluator, n, requests, task->stop,
                                              task->stop_context, replies, err)
                           : status;
}

static void mark_broken(SlTask *task, const SlError *err) {
    snprintf(task->broken, sizeof task->broken, "%.100s%s%.380s", err->file,
             err->file[0] ? ": " : "", err->text[0] ? err->text : "not enough memory");
}

static void eval(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    SlArena scratch;
    SlError err = {0};
    sl_arena_init(&scratch, 0);
    const char **requests = SL_NEW(&scratch, n, const char *);
    int *asked = SL_NEW(&scratch, n, int);
    SlReply *replies = SL_NEW(&scratch, n, SlReply);
    int n_asked = 0;
    SlStatus status = requests && asked && replies ? SL_OK : SL_ENOMEM;
    if (status == SL_OK)
        n_asked = make_requests(task, n, points, &scratch, requests, asked, samples);
    for (int i = 0; i < n && status == SL_ENOMEM; i++)
        samples[i] = (SlSample){.value = INFINITY, .error = SL_KERNEL_UNKNOWN};
    if (status == SL_OK && n_asked > 0) status = ask(task, n_asked, requests, replies, &err);
    for (int i = 0; i < n_asked; i++) take_reply(task, &replies[i], &samples[asked[i]]);
    if (status != SL_OK) mark_broken(task, &err);
    sl_arena_free(&scratch);
}

// any nest that fits
static void price(SlTask *task, const SlMapping *mapping, SlSample *sample) {
    SlArena scratch;
    SlError err = {0};
    SlReply reply = {0};
    SlText text;
    sl_arena_init(&scratch, 0);
    sl_text_init(&text, &scratch);
    sl_text_add(&text, "%s", ((const Process *)task->state)->world);
    sl_request_mapping(task, mapping, &text);
    SlStatus status = ask(task, 1, (const char *const[]){text.data}, &reply, &err);
    take_reply(task, &reply, sample);
    if (status != SL_OK) mark_broken(task, &err);
    sl_arena_free(&scratch);
}

static void platform(const SlTask *task, size_t n, char *out) {
    const SlProcessOptions *options = task->setup.options;
    const char *command = options ? options->program.command : NULL;
    snprintf(out, n, "%s", command ? command : "");
}

static const SlTaskRow row = {.make = make,
                              .platform = platform,
                              .close = close_own,
                              .start = start,
                              .check = check,
                              .view = view,
                              .n_features = n_features,
                              .n_estimates = SL_N_ESTIMATES,
                              .group = group,
                              .features = features,
                              .eval = eval,
                              .price = price};

const SlTaskKind sl_kind_process = {.name = "process",
                                    .title = "a program of your own: one JSON line per request",
                                    .maps = true,
                                    .dear = true,
                                    .wide = true,
                                    .us = 1e6,
                                    .row = &row};
