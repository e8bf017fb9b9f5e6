// test_plan.c - regular nests: their form, their limits, where they start.
#include "support/check.h"

#include <string.h>

#include "mapping/plan.h"
#include "nest_cases.h"

// no spread, tiles of one
static Plan bare_plan(void) {
    Plan plan = {0};
    for (int s = 0; s < SL_MAX_LEVELS; s++)
        for (int d = 0; d < SL_N_DIMS; d++) plan.tile[s][d] = plan.spread[s][d] = 1;
    return plan;
}

static void expect_plan(const World *world, const Plan *plan, const char *nest) {
    SlMapping mapping;
    char text[SL_NEST_TEXT_MAX];
    sl_plan_write(world, plan, &mapping);
    assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), nest);
}

static void a_segment_has_temporal_loops_in_order_then_spatial_ones(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:G=2,K=64,C=8,P=14,Q=14,R=3,S=3");
    SlAccel eyeriss = accel_of("eyeriss");
    World world;
    Plan plan = bare_plan();
    sl_plan_world_init(&world, &layer, &eyeriss);
    plan.spread[1][SL_K] = 4;
    plan.spread[1][SL_P] = 14;
    plan.order[1] = 4; // N P Q, then C R S, then K
    memcpy(plan.tile[0], ((int64_t[]){1, 1, 32, 8, 14, 14, 3, 3}), sizeof plan.tile[0]);
    memcpy(plan.tile[1], ((int64_t[]){1, 1, 2, 1, 1, 7, 1, 3}), sizeof plan.tile[1]);
    expect_plan(&world, &plan, "G:1 K:32 @7 Q:7 C:1 R:1 K:8 K*2 P*1 @7 K:1 Q:1 S:1");
    plan.order[1] = 0; // K, then N P Q, then C R S
    expect_plan(&world, &plan, "G:1 K:32 @7 K:8 Q:7 C:1 R:1 K*2 P*1 @7 K:1 Q:1 S:1");
}

static void plans_of_more_than_40_loops_are_not_legal(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:N=64,G=64,K=64,C=64,P=64,Q=64,R=64,S=64");
    SlAccel simba = accel_of("simba");
    World world;
    Plan plan = bare_plan();
    PlanCounts counts;
    for (int l = 1; l < simba.n_levels; l++) simba.levels[l].capacity_bytes = INT64_C(1) << 50;
    sl_plan_world_init(&world, &layer, &simba);
    for (int n = 1; n < 6; n++) {
        for (int d = 0; d < SL_N_DIMS; d++) plan.tile[n - 1][d] = 64 >> n;
        sl_plan_count(&world, &plan, SL_SPREAD_ALL, &counts);
        assert_int_equal(sl_plan_is_legal(&world, &plan, &counts), 8 * (n + 1) <= SL_MAX_LOOPS);
    }
}

static void set_tile_keeps_tiles_nested_and_instances_busy(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=100");
    SlAccel simba = accel_of("simba");
    World world;
    Plan plan = bare_plan();
    sl_plan_world_init(&world, &layer, &simba);
    plan.spread[3][SL_K] = 4;
    sl_plan_set_tile(&world, 3, SL_K, 6, &plan);
    static const int64_t grown[] = {24, 24, 24, 6, 1, 1};
    for (int s = 0; s < 6; s++) assert_int_equal(plan.tile[s][SL_K], grown[s]);
    sl_plan_set_tile(&world, 1, SL_K, 5, &plan);
    static const int64_t cut[] = {24, 5, 5, 5, 1, 1};
    for (int s = 0; s < 6; s++) assert_int_equal(plan.tile[s][SL_K], cut[s]);
    sl_plan_set_tile(&world, 3, SL_K, 60, &plan);
    assert_int_equal(plan.tile[0][SL_K], 100);
}

static void the_start_gives_up_instances_that_storage_cannot_feed(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=128,C=1,P=1");
    SlAccel eyeriss = accel_of("eyeriss");
    World world;
    Plan plan = bare_plan();
    eyeriss.levels[1].capacity_bytes = 100; // W, O of 49 channels and one I
    sl_plan_world_init(&world, &layer, &eyeriss);
    plan.spread[1][SL_K] = 128;
    sl_plan_start(&world, &plan);
    assert_int_equal(plan.spread[1][SL_K], 32);
    assert_int_equal(plan.tile[0][SL_K], 32);
}

static void a_dim_lies_on_one_axis_of_a_grid(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=256");
    SlAccel gemmini = accel_of("gemmini");
    SlFanout *grid = &gemmini.fanouts[2];
    grid->axes[0].dims = grid->axes[1].dims = 1 << SL_K;
    World world;
    Plan layouts[4];
    sl_plan_world_init(&world, &layer, &gemmini);
    int n = sl_layouts_find(&world, 4, layouts);
    for (int i = 0; i < n; i++) {
        SlMapping mapping;
        SlFit fit;
        sl_plan_write(&world, &layouts[i], &mapping);
        assert_true(sl_mapping_fit(&layer, &gemmini, &mapping, &fit));
    }
    assert_int_equal(layouts[0].spread[2][SL_K], 16);
}

static void clusters_are_split_over_two_dims_where_that_fills_them(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=12,P=14,C=64");
    SlAccel eyeriss = accel_of("eyeriss");
    eyeriss.fanouts[1].axes[0].dims = 1 << SL_K | 1 << SL_P;
    World world;
    Plan layout;
    sl_plan_world_init(&world, &layer, &eyeriss);
    assert_int_equal(sl_layouts_find(&world, 1, &layout), 1);
    assert_int_equal(layout.spread[1][SL_K], 12);
    assert_int_equal(layout.spread[1][SL_P], 14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_has_temporal_loops_in_order_then_spatial_ones),
        cmocka_unit_test(plans_of_more_than_40_loops_are_not_legal),
        cmocka_unit_test(set_tile_keeps_tiles_nested_and_instances_busy),
        cmocka_unit_test(the_start_gives_up_instances_that_storage_cannot_feed),
        cmocka_unit_test(a_dim_lies_on_one_axis_of_a_grid),
        cmocka_unit_test(clusters_are_split_over_two_dims_where_that_fills_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
