// kind_cpu.c - schedules of the C kernels of a layer: each sample is a program that is written,
// built, checked and timed on this machine.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "starling/core/processor.h"
#include "starling/task/programs.h"
#include "task_inside.h"

typedef struct {
    SlCpuOptions options;
    SlKernelTask kernel;
} Cpu;

static const Cpu *cpu_of(const SlTask *task) {
    return task->state;
}

const SlCpuOptions *sl_task_cpu_options(const SlTask *task) {
    return &cpu_of(task)->options;
}

static void write_name(SlTask *task) {
    const Cpu *cpu = cpu_of(task);
    char layer[384], compiler[32] = ""; // and what its flags mean on this machine
    sl_layer_write(&task->layer, sizeof layer, layer);
    if (cpu->options.bench)
        snprintf(compiler, sizeof compiler, " compiler=%016llx",
                 (unsigned long long)cpu->options.bench->compiler.identity[0]);
    snprintf(task->name, sizeof task->name, "cpu %s threads=%d vector=%d%s %s",
             sl_kernel_type_names[cpu->options.type], cpu->options.threads,
             cpu->kernel.vector_bytes, compiler, layer);
}

static void platform(const SlTask *task, size_t n, char *out) {
    char name[160];
    const Cpu *cpu = cpu_of(task);
    sl_processor_name(sizeof name, name);
    snprintf(out, n, "%s, %s, threads=%d, vector=%d", name[0] ? name : "unknown processor",
             sl_kernel_type_names[cpu->options.type], cpu->options.threads,
             cpu->kernel.vector_bytes);
}

static SlStatus make(SlTask *task, SlArena *arena, SlError *err) {
    Cpu *cpu = SL_NEW(arena, 1, Cpu);
    if (!cpu) return sl_fail(err, SL_ENOMEM, "not enough memory");
    task->state = cpu;
    cpu->options = (SlCpuOptions){.threads = 1};
    if (task->setup.options) cpu->options = *(const SlCpuOptions *)task->setup.options;
    cpu->kernel = (SlKernelTask){.layer = task->layer,
                                 .type = cpu->options.type,
                                 .threads = cpu->options.threads,
                                 .vector_bytes = sl_kernel_vector_bytes()};
    const char *reason = sl_kernel_task_check(&cpu->kernel);
    if (reason) return sl_fail(err, SL_EINPUT, "%s: %s", task->layer.name, reason);
    sl_space_open(&task->own, &task->layer, arena);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        int32_t values[SL_KERNEL_MAX_VALUES];
        int n = sl_kernel_values(&cpu->kernel, k, values);
        sl_space_add_sizes(&task->own, sl_kernel_knobs[k].name, sl_kernel_knobs[k].agent, n, values,
                           arena);
    }
    if (!sl_space_close(&task->own)) return sl_fail(err, SL_ENOMEM, "not enough memory");
    task->space = &task->own;
    task->setup.options = &cpu->options;
    task->unit = "s";
    write_name(task);
    return SL_OK;
}

void sl_task_cpu(const SlTask *task, const int32_t *point, SlKernelTask *kernel,
                 SlKernelSchedule *schedule) {
    *kernel = cpu_of(task)->kernel;
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++)
        schedule->values[k] = (int32_t)sl_knob_at(task, point, k);
}

// the point nearest to the default, knob by knob
static void start(const SlTask *task, int32_t *point) {
    SlKernelSchedule schedule;
    sl_kernel_default(&cpu_of(task)->kernel, &schedule);
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++) {
        const SlParam *param = &task->space->params[k];
        int best = 0;
        for (int i = 1; i < param->n; i++) {
            int64_t off = llabs((long long)param->sizes[i] - schedule.values[k]);
            if (off < llabs((long long)param->sizes[best] - schedule.values[k])) best = i;
        }
        point[k] = best;
    }
}

static bool check(const SlTask *task, const int32_t *point, SlFault *fault) {
    SlKernelTask kernel;
    SlKernelSchedule schedule;
    sl_task_cpu(task, point, &kernel, &schedule);
    const char *reason = sl_kernel_check(&kernel, &schedule);
    if (fault && reason) {
        fault->structure = true;
        snprintf(fault->text, sizeof fault->text, "%s", reason);
    }
    return !reason;
}

static double draft(const SlTask *task, const int32_t *point) {
    SlKernelTask kernel;
    SlKernelSchedule schedule;
    sl_task_cpu(task, point, &kernel, &schedule);
    return sl_kernel_draft(&kernel, &schedule);
}

static void program(const SlTask *task, const int32_t *point, float *out) {
    SlKernelTask kernel;
    SlKernelSchedule schedule;
    sl_task_cpu(task, point, &kernel, &schedule);
    sl_kernel_features(&kernel, &schedule, out);
}

// ---- measuring ----

// programs of a batch are built side by side, then run one after the other
static void eval(SlTask *task, int n, const int32_t *points, SlSample *samples) {
    enum { BATCH = 16 };
    const SlKernelBench *bench = cpu_of(task)->options.bench;
    SlKernelTask kernel;
    SlKernelSchedule schedules[BATCH];
    SlKernelResult results[BATCH];
    for (int first = 0; first < n; first += BATCH) {
        int m = n - first < BATCH ? n - first : BATCH;
        for (int i = 0; i < m; i++)
            sl_task_cpu(task, points + (ptrdiff_t)(first + i) * task->space->n_params, &kernel,
                        &schedules[i]);
        sl_kernel_build_all(bench, &kernel, m, schedules, 0, results);
        for (int i = 0; i < m; i++) {
            SlKernelResult *result = &results[i];
            if (result->error == SL_KERNEL_OK)
                sl_kernel_measure(bench, &kernel, &schedules[i], result);
            bool right = result->error == SL_KERNEL_OK;
            samples[first + i] = (SlSample){.value = right ? result->median_s : INFINITY,
                                            .error = result->error,
                                            .spread = right ? result->spread : 0};
        }
    }
}

static const SlTaskRow row = {.make = make,
                              .platform = platform,
                              .start = start,
                              .check = check,
                              .view = sl_knob_view,
                              .draft = draft,
                              .n_features = sl_program_n_features,
                              .n_estimates = 1,
                              .group = sl_program_group,
                              .features = sl_program_features,
                              .n_program = SL_N_KERNEL_FEATURES,
                              .program = program,
                              .eval = eval};

const SlTaskKind sl_kind_cpu = {.name = "cpu",
                                .title = "seconds of generated C programs on this processor",
                                .noisy = true,
                                .dear = true,
                                .us = 100000,
                                .row = &row};
