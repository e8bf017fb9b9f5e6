// test_plan_estimate.c - the estimate behind the default mapping against the cost model.
#include "support/check.h"

#include <math.h>

#include "mapping/plan.h"
#include "nest_cases.h"
#include "starling/cost.h"

static const char *const presets[] = {"eyeriss", "golden", "nvdla", "tpu", "gemmini", "simba"};
enum { N_PRESETS = sizeof presets / sizeof presets[0] };

// a legal plan with random tiles: powers of two if `exact`, else anything
static void sample_plan(const World *world, SlRng *rng, bool exact, Plan *plan) {
    Plan layouts[4];
    int n = sl_layouts_find(world, 4, layouts);
    *plan = layouts[sl_rng_below(rng, (uint64_t)n)];
    for (int s = 0; s < world->n; s++) plan->order[s] = (uint8_t)sl_rng_below(rng, N_ORDERS);
    for (int i = 0; i < 30; i++) {
        Plan next = *plan;
        PlanCounts counts;
        int b = (int)sl_rng_below(rng, (uint64_t)world->n - 1);
        int d = (int)sl_rng_below(rng, SL_N_DIMS);
        int64_t whole = world->layer->dims[d], size = sl_rng_range(rng, 1, whole);
        if (exact)
            for (size = 1; size < whole && sl_rng_below(rng, 4);) size *= 2;
        sl_plan_set_tile(world, b, d, size, &next);
        sl_plan_count(world, &next, SL_SPREAD_ALL, &counts);
        if (sl_plan_is_legal(world, &next, &counts)) *plan = next;
    }
}

// estimate / cost model, both of latency and energy
static Estimate compare(const World *world, const Plan *plan) {
    PlanCounts counts;
    SlMapping mapping;
    SlCost cost;
    SlFit fit;
    sl_plan_count(world, plan, SL_SPREAD_ALL, &counts);
    sl_plan_write(world, plan, &mapping);
    assert_null(sl_mapping_check(world->layer, &mapping));
    assert_true(sl_mapping_fit(world->layer, world->accel, &mapping, &fit));
    sl_cost_eval(world->layer, world->accel, &mapping, &cost);
    assert_true(fabs(counts.steps / cost.counts.cycles - 1) < 1e-9);
    Estimate estimate = sl_plan_estimate(world, plan, &counts);
    estimate.latency_cycles /= cost.latency_cycles;
    estimate.energy_pj /= cost.energy_pj;
    return estimate;
}

static void products_with_exact_tiles_are_estimated_exactly(void **state) {
    (void)state;
    SlRng rng;
    SlLayer layer = layer_of("gemm:M=256,N=512,K=128,batch=4");
    sl_rng_init(&rng, 1, "estimate");
    for (int i = 0; i < 600; i++) {
        // all but eyeriss, whose 168 PEs are no power of two
        SlAccel accel = accel_of(presets[1 + i % (N_PRESETS - 1)]);
        World world;
        Plan plan;
        sl_plan_world_init(&world, &layer, &accel);
        sample_plan(&world, &rng, true, &plan);
        Estimate ratio = compare(&world, &plan);
        assert_true(fabs(ratio.energy_pj - 1) < 1e-9);
        assert_true(fabs(ratio.latency_cycles - 1) < 1e-3); // parts of cycles are rounded up
    }
}

static void steps_are_exact_and_the_rest_is_near_for_any_tiles(void **state) {
    (void)state;
    SlRng rng;
    double energy = 0, latency = 0;
    sl_rng_init(&rng, 2, "estimate");
    for (int i = 0; i < 1200; i++) {
        SlAccel accel = accel_of(presets[i % N_PRESETS]);
        SlLayer layer;
        World world;
        Plan plan;
        layer_sample(&rng, &layer);
        sl_plan_world_init(&world, &layer, &accel);
        sample_plan(&world, &rng, false, &plan);
        Estimate ratio = compare(&world, &plan);
        energy += fabs(log(ratio.energy_pj)) / 1200;
        latency += fabs(log(ratio.latency_cycles)) / 1200;
    }
    // measured: 0.037 and 0.028
    assert_true(energy < 0.05);
    assert_true(latency < 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_with_exact_tiles_are_estimated_exactly),
        cmocka_unit_test(steps_are_exact_and_the_rest_is_near_for_any_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
