// cmd_bench.c - `starling bench`: its parts.
#include "bench.h"

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static const Command *const parts[] = {
    &bench_cost,   &bench_maestro, &bench_map, &bench_prove,  &bench_particles,
    &bench_replay, &bench_dense,   &bench_vta, &bench_kernel, &bench_schedules,
    NULL};

// without a part
static int run(Call *call) {
    return call_refuse(call, "bench: expected what to measure: cost, maestro, map, prove, "
                             "particles, replay, dense, vta, kernel or schedules");
}

const Command cmd_bench = {
    .name = "bench",
    .summary = "how fast this machine evaluates costs, maps, and moves particles",
    .usage = "bench cost [OPTION...]\nbench maestro [OPTION...]\nbench map [OPTION...]\n"
             "bench prove [WORKLOAD...] [OPTION...]\nbench particles [OPTION...]\n"
             "bench replay [OPTION...]\nbench dense [OPTION...]\nbench vta [OPTION...]\n"
             "bench kernel [WORKLOAD...] [OPTION...]\nbench schedules LAYER FILE [OPTION...]",
    .about = "Measures how fast this machine does the work of the other commands. 'starling bench "
             "PART --help'\nshows what a part measures, and its options.",
    .examples = "starling bench cost\nstarling bench map --json\nstarling bench prove --threads 1\n"
                "starling bench kernel resnet18:conv2_1 --trials 200",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .run = run,
    .parts = parts,
};
