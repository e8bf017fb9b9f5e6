// 01_default_mapping.c - a whole network with default mappings, and how far it is from the limit.
//
// Example 00 priced a mapping of our own. Here the library makes one for every layer of ResNet-18,
// without search, and the physical floors say what a search could still gain.
#include <stdio.h>

#include "starling/cost.h"

// map and price one layer; false with the reason printed
static bool price(const SlLayer *layer, const SlAccel *accel, SlCost *cost) {
    SlMapping mapping;
    SlError err;
    if (sl_mapping_default(layer, accel, &mapping, &err) != SL_OK) {
        fprintf(stderr, "%s: %s\n", layer->name, err.text);
        return false;
    }
    sl_cost_eval(layer, accel, &mapping, cost);
    return true;
}

int main(void) {
    SlArena arena;
    SlError err;
    SlNetwork net;
    SlAccel accel;
    sl_arena_init(&arena, 0);

    // networks come by name, from files, or as "resnet18:conv2_1"; their layers live in the arena
    SlStatus status = sl_workload_find("resnet18", 1, &arena, &net, &err);
    if (status == SL_OK) status = sl_accel_find("eyeriss", &arena, &accel, &err);
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }

    // a floor is what no mapping can be below: every MAC busy, every word moved once
    double cycles = 0, energy_pj = 0, floor_cycles = 0;
    for (int i = 0; i < net.n_layers; i++) {
        SlCost cost;
        SlFloor floor;
        if (!price(&net.layers[i], &accel, &cost)) return 1;
        sl_floor_eval(&net.layers[i], &accel, &floor);
        printf("%-12s %9.0f cycles, %.2f x the floor\n", net.layers[i].name, cost.latency_cycles,
               sl_floor_multiple(&floor, &cost, SL_LATENCY));
        cycles += cost.latency_cycles;
        energy_pj += cost.energy_pj;
        floor_cycles += floor.value[SL_LATENCY];
    }
    printf("%s: %.1f ms, %.1f mJ, %.2f x the floor\n", net.name, cycles / (accel.clock_mhz * 1e3),
           energy_pj * 1e-9, cycles / floor_cycles);
    sl_arena_free(&arena);
    return 0;
}
