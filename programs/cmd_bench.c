// cmd_bench.c - `starling bench`: its parts.
#include "bench.h"

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static const Command *const parts[] = {
    &bench_cost,      &bench_maestro,   &bench_map,   &bench_prove,
    &bench_particles, &bench_replay,    &bench_dense, &bench_vta,
    &bench_kernel,    &bench_schedules, NULL};

// without a part
static int run(Call *call) {
    return call_refuse(call, "bench: expected a part: cost, maestro, map, prove, particles, "
                             "replay, dense, vta, kernel or schedules");
}

const Command cmd_bench = {
    .name = "bench",
    .summary = "measure the speed of this machine at the work of the other commands",
    .usage = "bench cost [OPTION...]\n"
             "bench maestro [OPTION...]\n"
             "bench map [OPTION...]\n"
             "bench prove [WORKLOAD...] [OPTION...]\n"
             "bench particles [OPTION...]\n"
             "bench replay [OPTION...]\n"
             "bench dense [OPTION...]\n"
             "bench vta [OPTION...]\n"
             "bench kernel [WORKLOAD...] [OPTION...]\n"
             "bench schedules LAYER FILE [OPTION...]",
    .about = "Measures how fast this machine does the work of the other commands. 'starling bench "
             "PART --help'\n"
             "shows what one part measures, and its options.",
    .examples = "starling bench cost\n"
                "starling bench map --json\n"
                "starling bench prove --threads 1\n"
                "starling bench kernel resnet18:conv2_1 --trials 200",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .run = run,
    .parts = parts,
};
