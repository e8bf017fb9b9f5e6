// tuning_cpu.c - schedules of the C kernels of a layer as a tuning task: each measurement is a
// program that is written, built, checked and timed on this machine.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tuning_inside.h"

static SlKernelTask *task_of(const SlTuning *tuning) {
    return tuning->state;
}

static SlStatus make(SlTuning *tuning, SlArena *arena, SlError *err) {
    SlKernelTask *task = SL_NEW(arena, 1, SlKernelTask);
    if (!task) return sl_fail(err, SL_ENOMEM, "not enough memory");
    const SlTuningSetup *setup = &tuning->setup;
    *task = (SlKernelTask){.layer = setup->layer,
                           .type = setup->type,
                           .threads = setup->threads,
                           .vector_bytes = sl_kernel_vector_bytes()};
    tuning->state = task;
    const char *reason = sl_kernel_task_check(task);
    if (reason) return sl_fail(err, SL_EINPUT, "%s: %s", setup->layer.name, reason);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        SlKnob *knob =
            sl_knobs_add(&tuning->knobs, sl_kernel_knobs[k].name, sl_kernel_knobs[k].agent);
        knob->n = sl_kernel_values(task, k, knob->values);
    }
    char layer[384];
    sl_layer_write(&setup->layer, sizeof layer, layer);
    char compiler[32] = ""; // and what its flags mean on this machine
    if (setup->bench)
        snprintf(compiler, sizeof compiler, " compiler=%016llx",
                 (unsigned long long)setup->bench->compiler.identity[0]);
    snprintf(tuning->key, sizeof tuning->key, "cpu %s threads=%d vector=%d%s %s",
             sl_kernel_type_names[setup->type], setup->threads, task->vector_bytes, compiler,
             layer);
    return SL_OK;
}

void sl_tuning_cpu(const SlTuning *tuning, const int32_t *point, SlKernelTask *task,
                   SlKernelSchedule *schedule) {
    *task = *task_of(tuning);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) schedule->values[k] = sl_knob_at(tuning, point, k);
}

// the point nearest to the default, knob by knob
static void untuned(const SlTuning *tuning, int32_t *point) {
    SlKernelSchedule schedule;
    sl_kernel_default(task_of(tuning), &schedule);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        const SlKnob *knob = &tuning->knobs.knobs[k];
        int best = 0;
        for (int i = 1; i < knob->n; i++) {
            int off = abs(knob->values[i] - schedule.values[k]);
            if (off < abs(knob->values[best] - schedule.values[k])) best = i;
        }
        point[k] = best;
    }
}

static bool check(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault) {
    SlKernelTask task;
    SlKernelSchedule schedule;
    sl_tuning_cpu(tuning, point, &task, &schedule);
    const char *reason = sl_kernel_check(&task, &schedule);
    if (fault && reason) {
        fault->structure = true;
        snprintf(fault->text, sizeof fault->text, "%s", reason);
    }
    return !reason;
}

static double draft(const SlTuning *tuning, const int32_t *point) {
    SlKernelTask task;
    SlKernelSchedule schedule;
    sl_tuning_cpu(tuning, point, &task, &schedule);
    return sl_kernel_draft(&task, &schedule);
}

static double floor_of(const SlTuning *tuning, const int32_t *point) {
    (void)tuning, (void)point;
    return 0;
}

static void features(const SlTuning *tuning, const int32_t *point, float *out) {
    SlKernelTask task;
    SlKernelSchedule schedule;
    sl_tuning_cpu(tuning, point, &task, &schedule);
    sl_kernel_features(&task, &schedule, out);
}

// ---- measuring ----

// programs of a batch are built side by side, then run one after the other
static void measure(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured) {
    enum { BATCH = 16 };
    const SlKernelBench *bench = tuning->setup.bench;
    SlKernelTask task;
    SlKernelSchedule schedules[BATCH];
    SlKernelResult results[BATCH];
    for (int first = 0; first < n; first += BATCH) {
        int m = n - first < BATCH ? n - first : BATCH;
        for (int i = 0; i < m; i++)
            sl_tuning_cpu(tuning, points + (ptrdiff_t)(first + i) * tuning->knobs.n_knobs, &task,
                          &schedules[i]);
        sl_kernel_build_all(bench, &task, m, schedules, 0, results);
        for (int i = 0; i < m; i++) {
            SlKernelResult *result = &results[i];
            if (result->error == SL_KERNEL_OK)
                sl_kernel_measure(bench, &task, &schedules[i], result);
            bool right = result->error == SL_KERNEL_OK;
            measured[first + i] = (SlMeasured){.value = right ? result->median_s : INFINITY,
                                               .error = result->error,
                                               .spread = right ? result->spread : 0};
        }
    }
}

const SlTargetRow sl_target_cpu = {.make = make,
                                   .untuned = untuned,
                                   .check = check,
                                   .draft = draft,
                                   .floor = floor_of,
                                   .n_features = SL_N_KERNEL_FEATURES,
                                   .features = features,
                                   .measure = measure,
                                   .unit = "s"};
