// programs.h - tasks whose points are programs: schedules of a VTA core, kernels in C for this
// processor.
//
// Flow: SlVtaOptions or SlCpuOptions as the options of an SlTaskSetup -> sl_task_make; sl_task_vta,
//       sl_task_cpu say what a point stands for.
#pragma once

#include "starling/task.h"
#include "starling/vta.h"

SL_API_BEGIN

typedef enum {
    SL_HARDWARE_FIXED,  // the core as given
    SL_HARDWARE_SEARCH, // BATCH, BLOCK_IN, BLOCK_OUT are knobs too, within the budget
} SlHardware;
extern const char *const sl_hardware_names[3]; // "fixed", "search", NULL

typedef struct {
    SlVtaCore core; // with SEARCH: its buffers, bus and timing; its blocks are where search starts
    SlHardware hardware;
    SlVtaBudget budget; // of the chip, zeros = no limits; only SEARCH can go beyond
    bool bias;
} SlVtaOptions;

typedef struct {
    SlKernelType type;
    int threads;                // most
    const SlKernelBench *bench; // kept; NULL where nothing will be measured
} SlCpuOptions;

// The options of a task of such a kind.
const SlVtaOptions *sl_task_vta_options(const SlTask *task);
const SlCpuOptions *sl_task_cpu_options(const SlTask *task);

// What a point stands for: a schedule on a core, a schedule of a kernel.
void sl_task_vta(const SlTask *task, const int32_t *point, SlVtaTask *vta, SlVtaSchedule *schedule);
void sl_task_cpu(const SlTask *task, const int32_t *point, SlKernelTask *kernel,
                 SlKernelSchedule *schedule);

SL_API_END
