// kind_vta.c - schedules of VTA's convolution template, on one core or on all that a chip has space
// for: simulated cycles.
//
// With the core fixed there are the seven knobs of the template, shared by the agents as the paper
// names them: tiles of batch and channels (hardware), threads (scheduling), rows and columns
// (mapping). With the core searched there are ten: BATCH, BLOCK_IN and BLOCK_OUT belong to the
// hardware agent, all tiles to the mapping agent. A tile's values are then the divisors of its
// extent on any of the cores; those that do not divide it on the core at hand are invalid.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "starling/task/programs.h"
#include "task_inside.h"

const char *const sl_hardware_names[3] = {"fixed", "search", NULL};

enum {
    BATCH,
    BLOCK_IN,
    BLOCK_OUT,
    TILE_B,
    TILE_H,
    TILE_W,
    TILE_CI,
    TILE_CO,
    OC_THREADS,
    H_THREADS
};

enum { MAX_VALUES = 96 };

// A knob in the making.
typedef struct {
    int n;
    int32_t values[MAX_VALUES]; // ascending
} Values;

typedef struct {
    SlVtaOptions options;
    int place[H_THREADS + 1]; // of each knob among the task's, -1 = there is none
    SlVtaTask fixed;          // of the core as given
} Vta;

static const Vta *vta_of(const SlTask *task) {
    return task->state;
}

const SlVtaOptions *sl_task_vta_options(const SlTask *task) {
    return &vta_of(task)->options;
}

// ---- knobs ----

static void add_value(Values *list, int32_t value) {
    int at = list->n;
    for (int i = 0; i < list->n; i++)
        if (list->values[i] == value) return;
    if (list->n == MAX_VALUES) return;
    for (; at > 0 && list->values[at - 1] > value; at--) list->values[at] = list->values[at - 1];
    list->values[at] = value;
    list->n++;
}

static void add_divisors(Values *list, int extent) {
    for (int i = 1; i <= extent; i++)
        if (extent % i == 0) add_value(list, i);
}

static void add_knob(SlTask *task, int which, const char *name, SlProfession agent,
                     const Values *list) {
    Vta *vta = task->state;
    vta->place[which] = task->own.n_params;
    sl_space_add_sizes(&task->own, name, agent, list->n, list->values, task->arena);
}

// a block size, and the divisors of an extent in such blocks
static void add_blocks(SlTask *task, int block, const char *name, int most) {
    Values list = {0};
    for (int size = block == BATCH ? 1 : 4; size <= most; size *= 2) add_value(&list, size);
    add_knob(task, block, name, SL_AGENT_HARDWARE, &list);
}

static void add_tile(SlTask *task, int tile, const char *name, SlProfession agent, int64_t extent,
                     int block) {
    Values list = {0};
    int place = block < 0 ? -1 : vta_of(task)->place[block];
    const SlParam *blocks = place < 0 || !task->own.params ? NULL : &task->own.params[place];
    if (!blocks) add_divisors(&list, (int)extent);
    for (int i = 0; blocks && i < blocks->n; i++)
        add_divisors(&list, (int)((extent + blocks->sizes[i] - 1) / blocks->sizes[i]));
    add_knob(task, tile, name, agent, &list);
}

static void add_threads(SlTask *task, int which, const char *name) {
    const Values list = {.n = 2, .values = {1, 2}};
    add_knob(task, which, name, SL_AGENT_SCHEDULING, &list);
}

static void add_knobs(SlTask *task) {
    const Vta *vta = vta_of(task);
    const SlVtaTask *fixed = &vta->fixed;
    const int64_t *e = task->layer.dims;
    bool search = vta->options.hardware == SL_HARDWARE_SEARCH;
    SlProfession channels = search ? SL_AGENT_MAPPING : SL_AGENT_HARDWARE;
    if (search) {
        add_blocks(task, BATCH, "batch", 8);
        add_blocks(task, BLOCK_IN, "block_in", 64);
        add_blocks(task, BLOCK_OUT, "block_out", 64);
    }
    add_tile(task, TILE_B, "tile_b", channels, search ? e[SL_N] : fixed->n, search ? BATCH : -1);
    add_tile(task, TILE_H, "tile_h", SL_AGENT_MAPPING, fixed->rows, -1);
    add_tile(task, TILE_W, "tile_w", SL_AGENT_MAPPING, fixed->columns, -1);
    add_tile(task, TILE_CI, "tile_ci", channels, search ? e[SL_C] : fixed->ci,
             search ? BLOCK_IN : -1);
    add_tile(task, TILE_CO, "tile_co", channels, search ? e[SL_K] : fixed->co,
             search ? BLOCK_OUT : -1);
    add_threads(task, OC_THREADS, "oc_threads");
    add_threads(task, H_THREADS, "h_threads");
}

// everything that decides a measurement
static void write_name(SlTask *task) {
    char layer[384], core[64], search[128] = "";
    const SlVtaOptions *options = sl_task_vta_options(task);
    const SlVtaBudget *budget = &options->budget;
    sl_layer_write(&task->layer, sizeof layer, layer);
    sl_vta_core_write(&options->core, sizeof core, core);
    if (options->hardware == SL_HARDWARE_SEARCH)
        snprintf(search, sizeof search, " or within macs=%lld,dsp=%d,bram=%d,lut=%d,sram=%lld",
                 (long long)budget->macs, budget->dsp, budget->bram36, budget->lut,
                 (long long)budget->sram_bytes);
    snprintf(task->name, sizeof task->name, "vta %s%s %s bus=%d %s%s%s", core, search,
             options->core.timing.name, options->core.bus_bits, layer, options->bias ? " bias" : "",
             options->core.strict ? " strict" : "");
}

// without the layer: the core, and the chip where cores are searched
static void platform(const SlTask *task, size_t n, char *out) {
    char core[64];
    const SlVtaOptions *options = sl_task_vta_options(task);
    sl_vta_core_write(&options->core, sizeof core, core);
    snprintf(out, n, "%s, bus of %d bits, %s%s%s%s", core, options->core.bus_bits,
             options->core.timing.name, options->bias ? ", bias" : "",
             options->core.strict ? ", strict" : "",
             options->hardware == SL_HARDWARE_SEARCH ? ", core searched" : "");
}

// every MAC of the core, or of what the budget allows, at work in every cycle
static double least_cycles(const SlTask *task) {
    const SlVtaOptions *options = sl_task_vta_options(task);
    const SlVtaCore *core = &options->core;
    double lanes = (double)core->batch * core->block_in * core->block_out;
    if (options->hardware == SL_HARDWARE_SEARCH) lanes = (double)options->budget.macs;
    return lanes > 0 ? (double)sl_layer_macs(&task->layer) / lanes : NAN;
}

static SlStatus make(SlTask *task, SlArena *arena, SlError *err) {
    Vta *vta = SL_NEW(arena, 1, Vta);
    if (!vta) return sl_fail(err, SL_ENOMEM, "not enough memory");
    task->state = vta;
    if (task->setup.options)
        vta->options = *(const SlVtaOptions *)task->setup.options;
    else
        sl_vta_core_init(&vta->options.core);
    const char *reason = sl_vta_core_check(&vta->options.core);
    if (!reason) reason = sl_vta_task(&vta->options.core, &task->layer, &vta->fixed);
    if (reason) return sl_fail(err, SL_EINPUT, "%s: %s", task->layer.name, reason);
    for (int i = 0; i <= H_THREADS; i++) vta->place[i] = -1;
    sl_space_open(&task->own, &task->layer, arena);
    add_knobs(task);
    if (!sl_space_close(&task->own)) return sl_fail(err, SL_ENOMEM, "not enough memory");
    task->space = &task->own;
    task->setup.options = &vta->options;
    task->unit = "cycles";
    task->floor = least_cycles(task);
    task->beyond = isnan(task->floor) ? 0 : log(task->floor) + 16;
    write_name(task);
    return SL_OK;
}

// ---- points ----

// the task on the point's core; NULL, or why there is no such core
static const char *task_at(const SlTask *task, const int32_t *point, SlVtaTask *at) {
    const Vta *vta = vta_of(task);
    const char *reason = NULL;
    if (vta->place[BATCH] < 0) {
        *at = vta->fixed;
    } else {
        SlVtaCore core = vta->options.core;
        core.batch = (int)sl_knob_at(task, point, vta->place[BATCH]);
        core.block_in = (int)sl_knob_at(task, point, vta->place[BLOCK_IN]);
        core.block_out = (int)sl_knob_at(task, point, vta->place[BLOCK_OUT]);
        reason = sl_vta_task(&core, &task->layer, at);
        if (!reason) reason = sl_vta_core_check(&core);
    }
    at->bias = vta->options.bias;
    return reason;
}

static int knob(const SlTask *task, const int32_t *point, int which) {
    return (int)sl_knob_at(task, point, vta_of(task)->place[which]);
}

static void schedule_at(const SlTask *task, const int32_t *point, SlVtaSchedule *schedule) {
    *schedule = (SlVtaSchedule){.b = knob(task, point, TILE_B),
                                .h = knob(task, point, TILE_H),
                                .w = knob(task, point, TILE_W),
                                .ci = knob(task, point, TILE_CI),
                                .co = knob(task, point, TILE_CO),
                                .oc_threads = knob(task, point, OC_THREADS),
                                .h_threads = knob(task, point, H_THREADS)};
}

void sl_task_vta(const SlTask *task, const int32_t *point, SlVtaTask *vta,
                 SlVtaSchedule *schedule) {
    task_at(task, point, vta);
    schedule_at(task, point, schedule);
}

// every tile 1, no threads, on the core as given (or the one nearest to it)
static void start(const SlTask *task, int32_t *point) {
    const Vta *vta = vta_of(task);
    const SlVtaCore *core = &vta->options.core;
    const int blocks[3] = {core->batch, core->block_in, core->block_out};
    memset(point, 0, (size_t)task->space->n_params * sizeof *point);
    for (int i = BATCH; i <= BLOCK_OUT; i++) {
        int place = vta->place[i];
        if (place < 0) continue;
        const SlParam *param = &task->space->params[place];
        while (point[place] < param->n - 1 && param->sizes[point[place]] < blocks[i])
            point[place]++;
    }
}

static bool check(const SlTask *task, const int32_t *point, SlFault *fault) {
    const SlVtaOptions *options = sl_task_vta_options(task);
    SlVtaTask vta;
    SlVtaSchedule schedule;
    SlVtaFault why;
    const char *which, *reason = task_at(task, point, &vta);
    schedule_at(task, point, &schedule);
    double fill = 0;
    if (options->hardware == SL_HARDWARE_SEARCH)
        fill = sl_vta_fill(&vta.core, &options->budget, &which);
    bool fits = sl_vta_check(&vta, &schedule, fault ? &why : NULL);
    if (fault && !fits) {
        fault->structure = why.rule <= SL_VTA_THREADS || why.rule >= SL_VTA_FIELD;
        fault->buffers = fault->structure ? 0 : why.excess;
        snprintf(fault->text, sizeof fault->text, "%s", why.text);
    }
    if (fault && reason) {
        fault->structure = true;
        snprintf(fault->text, sizeof fault->text, "%s", reason);
    }
    if (fault && fill > 1) {
        fault->resources = fill - 1;
        snprintf(fault->text, sizeof fault->text, "the core needs %.2f times the %s of the budget",
                 fill, which);
    }
    return fits && !reason && fill <= 1;
}

static double draft(const SlTask *task, const int32_t *point) {
    SlVtaTask vta;
    SlVtaSchedule schedule;
    sl_task_vta(task, point, &vta, &schedule);
    return sl_vta_draft(&vta, &schedule);
}

static double floor_of(const SlTask *task, const int32_t *point) {
    SlVtaTask vta;
    SlVtaSchedule schedule;
    sl_task_vta(task, point, &vta, &schedule);
    return sl_vta_floor(&vta, &schedule);
}

static void program(const SlTask *task, const int32_t *point, float *out) {
    SlVtaTask vta;
    SlVtaSchedule schedule;
    sl_task_vta(task, point, &vta, &schedule);
    sl_vta_features(&vta, &schedule, out);
}

// ---- measuring ----

static void measure(SlTask *task, const int32_t *point, SlSample *sample) {
    SlVtaTask vta;
    SlVtaSchedule schedule;
    SlVtaTime time;
    SlFault fault;
    *sample = (SlSample){.value = INFINITY, .error = SL_KERNEL_UNFIT};
    if (!check(task, point, NULL)) {
        sl_task_check(task, point, &fault);
        sample->excess = sl_fault_excess(&fault);
        return;
    }
    sl_task_vta(task, point, &vta, &schedule);
    SlError err;
    SlStatus status = sl_vta_time(&vta, &schedule, task->arena, &time, &err);
    *sample = (SlSample){.value = status == SL_OK ? time.cycles : INFINITY,
                         .error = status == SL_OK       ? SL_KERNEL_OK
                                  : status == SL_ENOMEM ? SL_KERNEL_UNKNOWN
                                                        : SL_KERNEL_CRASHED};
    if (status == SL_OK) sample->latency_cycles = time.cycles;
}

static void eval(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    for (ptrdiff_t i = 0; i < n; i++)
        measure(task, points + i * task->space->n_params, &samples[i]);
}

static const SlTaskRow row = {.make = make,
                              .platform = platform,
                              .start = start,
                              .check = check,
                              .view = sl_knob_view,
                              .draft = draft,
                              .floor = floor_of,
                              .n_features = sl_program_n_features,
                              .n_estimates = 1,
                              .group = sl_program_group,
                              .features = sl_program_features,
                              .n_program = SL_N_VTA_FEATURES,
                              .program = program,
                              .eval = eval};

const SlTaskKind sl_kind_vta = {.name = "vta",
                                .title = "simulated cycles of a VTA tensor core",
                                .dear = true,
                                .us = 60,
                                .row = &row};
