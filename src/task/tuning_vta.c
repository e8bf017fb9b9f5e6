// tuning_vta.c - schedules of VTA's convolution template as a tuning task, on one core or on all
// that a chip has room for.
//
// With the core fixed there are the seven knobs of the template, shared by the agents as the paper
// names them: tiles of batch and channels (hardware), threads (scheduling), rows and columns
// (mapping). With the core searched there are ten: BATCH, BLOCK_IN and BLOCK_OUT belong to the
// hardware agent, all tiles to the mapping agent. A tile's values are then the divisors of its
// extent on any of the cores; those that do not divide it on the core at hand are invalid.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning_inside.h"

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

typedef struct {
    int place[H_THREADS + 1]; // of each knob among the task's, -1 = there is none
    SlVtaTask fixed;          // of the core as given
} VtaState;

// ---- knobs ----

static void add_value(SlKnob *knob, int32_t value) {
    int at = knob->n;
    for (int i = 0; i < knob->n; i++)
        if (knob->values[i] == value) return;
    if (knob->n == SL_KNOB_MAX_VALUES) return;
    for (; at > 0 && knob->values[at - 1] > value; at--) knob->values[at] = knob->values[at - 1];
    knob->values[at] = value;
    knob->n++;
}

static void add_divisors(SlKnob *knob, int extent) {
    for (int i = 1; i <= extent; i++)
        if (extent % i == 0) add_value(knob, i);
}

static SlKnob *add_knob(SlTuning *tuning, int which, const char *name, int agent) {
    VtaState *state = tuning->state;
    state->place[which] = tuning->knobs.n_knobs;
    return sl_knobs_add(&tuning->knobs, name, agent);
}

// a block size, and the divisors of an extent in such blocks
static void add_blocks(SlTuning *tuning, int block, const char *name, int most) {
    SlKnob *knob = add_knob(tuning, block, name, SL_AGENT_HARDWARE);
    for (int size = block == BATCH ? 1 : 4; size <= most; size *= 2) add_value(knob, size);
}

static void add_tile(SlTuning *tuning, int tile, const char *name, int agent, int64_t extent,
                     int block) {
    const VtaState *state = tuning->state;
    SlKnob *knob = add_knob(tuning, tile, name, agent);
    int place = block < 0 ? -1 : state->place[block];
    if (place < 0) {
        add_divisors(knob, (int)extent);
        return;
    }
    const SlKnob *blocks = &tuning->knobs.knobs[place];
    for (int i = 0; i < blocks->n; i++)
        add_divisors(knob, (int)((extent + blocks->values[i] - 1) / blocks->values[i]));
}

static void add_threads(SlTuning *tuning, int which, const char *name) {
    SlKnob *knob = add_knob(tuning, which, name, SL_AGENT_SCHEDULING);
    add_value(knob, 1);
    add_value(knob, 2);
}

static void add_knobs(SlTuning *tuning) {
    const SlVtaTask *task = &((VtaState *)tuning->state)->fixed;
    const int64_t *e = tuning->setup.layer.dims;
    bool search = tuning->setup.hardware == SL_HARDWARE_SEARCH;
    int channels = search ? SL_AGENT_MAPPING : SL_AGENT_HARDWARE;
    if (search) {
        add_blocks(tuning, BATCH, "batch", 8);
        add_blocks(tuning, BLOCK_IN, "block_in", 64);
        add_blocks(tuning, BLOCK_OUT, "block_out", 64);
    }
    add_tile(tuning, TILE_B, "tile_b", channels, search ? e[SL_N] : task->n, search ? BATCH : -1);
    add_tile(tuning, TILE_H, "tile_h", SL_AGENT_MAPPING, task->rows, -1);
    add_tile(tuning, TILE_W, "tile_w", SL_AGENT_MAPPING, task->columns, -1);
    add_tile(tuning, TILE_CI, "tile_ci", channels, search ? e[SL_C] : task->ci,
             search ? BLOCK_IN : -1);
    add_tile(tuning, TILE_CO, "tile_co", channels, search ? e[SL_K] : task->co,
             search ? BLOCK_OUT : -1);
    add_threads(tuning, OC_THREADS, "oc_threads");
    add_threads(tuning, H_THREADS, "h_threads");
}

// everything that decides a measurement
static void write_key(SlTuning *tuning) {
    char layer[384], core[64], search[128] = "";
    const SlTuningSetup *setup = &tuning->setup;
    const SlVtaBudget *budget = &setup->budget;
    sl_layer_write(&setup->layer, sizeof layer, layer);
    sl_vta_core_write(&setup->core, sizeof core, core);
    if (setup->hardware == SL_HARDWARE_SEARCH)
        snprintf(search, sizeof search, " or within macs=%lld,dsp=%d,bram=%d,lut=%d,sram=%lld",
                 (long long)budget->macs, budget->dsp, budget->bram36, budget->lut,
                 (long long)budget->sram_bytes);
    snprintf(tuning->key, sizeof tuning->key, "vta %s%s %s bus=%d %s%s%s", core, search,
             setup->core.timing.name, setup->core.bus_bits, layer, setup->bias ? " bias" : "",
             setup->core.strict ? " strict" : "");
}

static SlStatus make(SlTuning *tuning, SlArena *arena, SlError *err) {
    VtaState *state = SL_NEW(arena, 1, VtaState);
    if (!state) return sl_fail(err, SL_ENOMEM, "not enough memory");
    tuning->state = state;
    const char *reason = sl_vta_core_check(&tuning->setup.core);
    if (!reason) reason = sl_vta_task(&tuning->setup.core, &tuning->setup.layer, &state->fixed);
    if (reason) return sl_fail(err, SL_EINPUT, "%s: %s", tuning->setup.layer.name, reason);
    for (int i = 0; i <= H_THREADS; i++) state->place[i] = -1;
    add_knobs(tuning);
    write_key(tuning);
    return SL_OK;
}

// ---- points ----

// the task on the point's core; NULL, or why there is no such core
static const char *task_at(const SlTuning *tuning, const int32_t *point, SlVtaTask *task) {
    const VtaState *state = tuning->state;
    const char *reason = NULL;
    if (state->place[BATCH] < 0) {
        *task = state->fixed;
    } else {
        SlVtaCore core = tuning->setup.core;
        core.batch = sl_knob_at(tuning, point, state->place[BATCH]);
        core.block_in = sl_knob_at(tuning, point, state->place[BLOCK_IN]);
        core.block_out = sl_knob_at(tuning, point, state->place[BLOCK_OUT]);
        reason = sl_vta_task(&core, &tuning->setup.layer, task);
        if (!reason) reason = sl_vta_core_check(&core);
    }
    task->bias = tuning->setup.bias;
    return reason;
}

static void schedule_at(const SlTuning *tuning, const int32_t *point, SlVtaSchedule *schedule) {
    const int *place = ((const VtaState *)tuning->state)->place;
    *schedule = (SlVtaSchedule){.b = sl_knob_at(tuning, point, place[TILE_B]),
                                .h = sl_knob_at(tuning, point, place[TILE_H]),
                                .w = sl_knob_at(tuning, point, place[TILE_W]),
                                .ci = sl_knob_at(tuning, point, place[TILE_CI]),
                                .co = sl_knob_at(tuning, point, place[TILE_CO]),
                                .oc_threads = sl_knob_at(tuning, point, place[OC_THREADS]),
                                .h_threads = sl_knob_at(tuning, point, place[H_THREADS])};
}

void sl_tuning_vta(const SlTuning *tuning, const int32_t *point, SlVtaTask *task,
                   SlVtaSchedule *schedule) {
    task_at(tuning, point, task);
    schedule_at(tuning, point, schedule);
}

// every tile 1, no threads, on the core as given (or the one nearest to it)
static void untuned(const SlTuning *tuning, int32_t *point) {
    const VtaState *state = tuning->state;
    const SlVtaCore *core = &tuning->setup.core;
    const int blocks[3] = {core->batch, core->block_in, core->block_out};
    memset(point, 0, (size_t)tuning->knobs.n_knobs * sizeof *point);
    for (int i = BATCH; i <= BLOCK_OUT; i++) {
        int place = state->place[i];
        if (place < 0) continue;
        const SlKnob *knob = &tuning->knobs.knobs[place];
        while (point[place] < knob->n - 1 && knob->values[point[place]] < blocks[i]) point[place]++;
    }
}

static bool check(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault) {
    SlVtaTask task;
    SlVtaSchedule schedule;
    SlVtaFault why;
    const char *which, *reason = task_at(tuning, point, &task);
    schedule_at(tuning, point, &schedule);
    double fill = 0;
    if (tuning->setup.hardware == SL_HARDWARE_SEARCH)
        fill = sl_vta_fill(&task.core, &tuning->setup.budget, &which);
    bool fits = sl_vta_check(&task, &schedule, fault ? &why : NULL);
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

static double draft(const SlTuning *tuning, const int32_t *point) {
    SlVtaTask task;
    SlVtaSchedule schedule;
    sl_tuning_vta(tuning, point, &task, &schedule);
    return sl_vta_draft(&task, &schedule);
}

static double floor_of(const SlTuning *tuning, const int32_t *point) {
    SlVtaTask task;
    SlVtaSchedule schedule;
    sl_tuning_vta(tuning, point, &task, &schedule);
    return sl_vta_floor(&task, &schedule);
}

static void features(const SlTuning *tuning, const int32_t *point, float *out) {
    SlVtaTask task;
    SlVtaSchedule schedule;
    sl_tuning_vta(tuning, point, &task, &schedule);
    sl_vta_features(&task, &schedule, out);
}

// ---- measuring ----

static void measure_one(SlTuning *tuning, const int32_t *point, SlMeasured *measured) {
    SlVtaTask task;
    SlVtaSchedule schedule;
    SlVtaTime time;
    *measured = (SlMeasured){.value = INFINITY, .error = SL_KERNEL_UNFIT};
    if (!check(tuning, point, NULL)) return;
    sl_tuning_vta(tuning, point, &task, &schedule);
    SlError err;
    SlStatus status = sl_vta_time(&task, &schedule, tuning->arena, &time, &err);
    *measured = (SlMeasured){.value = status == SL_OK ? time.cycles : INFINITY,
                             .error = status == SL_OK       ? SL_KERNEL_OK
                                      : status == SL_ENOMEM ? SL_KERNEL_UNKNOWN
                                                            : SL_KERNEL_CRASHED};
}

static void measure(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured) {
    for (ptrdiff_t i = 0; i < n; i++)
        measure_one(tuning, points + i * tuning->knobs.n_knobs, &measured[i]);
}

const SlTargetRow sl_target_vta = {.make = make,
                                   .untuned = untuned,
                                   .check = check,
                                   .draft = draft,
                                   .floor = floor_of,
                                   .n_features = SL_N_VTA_FEATURES,
                                   .features = features,
                                   .measure = measure,
                                   .unit = "cycles"};
