// 06_maestro.c - a mapping of MAESTRO's priced in both models: its numbers, and the exact ones.
#include <stdio.h>
#include <string.h>

#include "starling/cost/maestro.h"

// more rows than the clusters take: MAESTRO forgets the last partial one
static const char text[] = "Network net { Layer gemm { Type: GEMM\n"
                           "  Dimensions { M: 11, N: 1, K: 2 }\n"
                           "  Dataflow { SpatialMap(3,3) M; TemporalMap(1,1) N;\n"
                           "             TemporalMap(2,2) K; } } }\n";

int main(void) {
    SlArena arena;
    SlMaestroNetwork net;
    SlMaestroHardware hardware;
    SlMaestroCost cost;
    SlMaestroFault fault;
    SlLayer layer;
    SlMapping nest;
    SlError err;
    int code = 1;
    sl_arena_init(&arena, 0);
    sl_maestro_hardware_init(&hardware);
    hardware.num_pes = 2;
    hardware.noc_bw = 4;
    if (sl_maestro_parse("example", text, strlen(text), &arena, &net, &err) != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        goto done;
    }
    if (!sl_maestro_eval(net.layers, net.mappings, &hardware, NULL, &cost, &fault)) goto done;
    printf("MAESTRO: %lld MACs, %lld cycles\n", (long long)cost.macs,
           (long long)cost.runtime_cycles);

    // the same as a loop nest on the same machine
    SlAccel accel;
    SlCost exact;
    sl_maestro_accel(&hardware, &accel);
    const char *reason = sl_maestro_layer(net.layers, &layer);
    if (!reason)
        reason = sl_maestro_nest(net.layers, net.mappings, hardware.num_pes, &layer, &nest);
    if (reason) goto done;
    sl_cost_eval(&layer, &accel, &nest, &exact);
    printf("exact:   %.0f MACs, %.0f cycles\n", exact.counts.macs, exact.latency_cycles);

    // not to be made an objective
    SlMaestroGuard guard;
    char why[128];
    bool physical =
        sl_maestro_guard(net.layers, net.mappings, &hardware, &cost, &layer, &nest, &guard);
    if (!physical)
        printf("refused: %s\n", sl_maestro_guard_text(&guard, SL_GUARD_MACS, sizeof why, why));
    code = physical; // this one must be refused
done:
    sl_arena_free(&arena);
    return code;
}
