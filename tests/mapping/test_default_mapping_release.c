// test_default_mapping_release.c - how near to the floors the default mapping comes, and how fast.
#include "support/check.h"

#include <math.h>
#include <time.h>

#include "nest_cases.h"
#include "starling/cost.h"

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// shortest of three runs
static double time_default(const SlLayer *layer, const SlAccel *accel, SlMapping *mapping) {
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        SlError err;
        double start = cpu_seconds();
        assert_int_equal(sl_mapping_default(layer, accel, mapping, &err), SL_OK);
        best = fmin(best, cpu_seconds() - start);
    }
    return best;
}

// every distinct layer of a network: latency within `most` of its floor, energy within 1.5 times of
// its floor plus four accesses of L1 per MAC, which no mapping on this machine can avoid
static void expect_near(const char *network, const SlAccel *accel, double most) {
    SlArena arena;
    SlNetwork net;
    SlError err;
    int first[SL_NETWORK_MAX_LAYERS];
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_workload_find(network, 1, &arena, &net, &err), SL_OK);
    sl_network_distinct(&net, first);
    for (int i = 0; i < net.n_layers; i++) {
        const SlLayer *layer = &net.layers[i];
        SlMapping mapping;
        SlCost cost;
        SlFloor floors;
        if (first[i] != i) continue;
        double seconds = time_default(layer, accel, &mapping);
        sl_cost_eval(layer, accel, &mapping, &cost);
        sl_floor_eval(layer, accel, &floors);
        double latency = sl_floor_multiple(&floors, &cost, SL_LATENCY);
        double least_pj = floors.value[SL_ENERGY] + 4 * cost.counts.macs * accel->levels[2].read_pj;
        if (latency > most || cost.energy_pj > 1.5 * least_pj || seconds > 0.01)
            fail_msg("%s:%s latency x %.2f, energy x %.2f, %.1f ms", network, layer->name, latency,
                     cost.energy_pj / least_pj, seconds * 1e3);
    }
    sl_arena_free(&arena);
}

static void convolutions_come_near_the_floors(void **state) {
    (void)state;
    SlAccel eyeriss = accel_of("eyeriss"), flex1024 = accel_of("flex1024");
    static const char *const networks[] = {"alexnet",  "vgg16",    "vgg19",       "resnet18",
                                           "resnet34", "resnet50", "mobilenet_v2"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        expect_near(networks[i], &eyeriss, 1.2);
        expect_near(networks[i], &flex1024, 1.25);
    }
}

static void products_come_near_the_floors(void **state) {
    (void)state;
    SlAccel eyeriss = accel_of("eyeriss"), flex1024 = accel_of("flex1024");
    static const char *const networks[] = {"mlp", "bert_base", "gpt2", "vit_b16"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        expect_near(networks[i], &eyeriss, 1.2);
        expect_near(networks[i], &flex1024, 1.2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_come_near_the_floors),
        cmocka_unit_test(products_come_near_the_floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
