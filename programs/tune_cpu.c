// tune_cpu.c - this processor as a target of `starling tune`: C programs, built and timed.
#include <math.h>

#include "interrupt.h"
#include "tune_command.h"

static const char *conflict(const TuneOptions *options) {
    if (options->hw == SL_HARDWARE_SEARCH)
        return "--hw search: does not apply to cpu; expected --evaluator vta";
    if (options->core || options->resources || options->iso_resource)
        return "--core, --resources, --iso-resource: expected --evaluator vta";
    if (options->optimum == OPTIMUM_ON)
        return "--optimum: measured times allow no proof; expected --evaluator vta";
    return NULL;
}

static SlStatus plan(Tune *tune, int n, SlError *err) {
    const TuneOptions *options = tune->options;
    SlCpuOptions *cpu = call_need(SL_NEW(tune->arena, 1, SlCpuOptions));
    SlKernelBench *bench = call_need(SL_NEW(tune->arena, 1, SlKernelBench));
    (void)n;
    *cpu = (SlCpuOptions){.type = (SlKernelType)options->type,
                          .threads = options->threads > 0 ? (int)options->threads : 1,
                          .bench = bench};
    tune->setup.kind_options = cpu;
    return sl_compiler_init(&bench->compiler, NULL, err);
}

static void measure_peak(Tune *tune) {
    const SlCpuOptions *cpu = tune->setup.kind_options;
    SlKernelResult peak;
    tune->tuned.peak_gops = NAN;
    if (interrupt_caught()) return;
    sl_kernel_peak(cpu->bench, cpu->type, sl_kernel_vector_bytes(), &peak);
    if (peak.error == SL_KERNEL_OK && peak.gops > 0) tune->tuned.peak_gops = peak.gops;
}

const TuneTarget tune_cpu = {
    .kind = &sl_kind_cpu,
    .idle = "profile bus cores bias",
    .conflict = conflict,
    .plan = plan,
    .finish = measure_peak,
};
