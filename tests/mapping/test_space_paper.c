// test_space_paper.c - the spaces of the published mapper.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "nest_cases.h"

static SlStatus make(const SlLayer *layer, const SlAccel *accel, SlSpacePreset preset,
                     SlArena *arena, SlSpace *space, SlError *err) {
    SlSpaceOptions options = {.preset = preset};
    return sl_space_make(layer, accel, &options, arena, space, err);
}

static void expect_names(const SlSpace *space, int n, const char *const *names) {
    assert_int_equal(space->n_params, n);
    for (int i = 0; i < n; i++) assert_string_equal(space->params[i].name, names[i]);
}

static void seventeen_parameters_over_every_value(void **state) {
    (void)state;
    static const char *const names[] = {"L2 order", "L2 parallel", "L2 S", "L2 R",        "L2 K",
                                        "L2 C",     "L2 Q",        "L2 P", "L1 parallel", "L1 S",
                                        "L1 R",     "L1 K",        "L1 C", "L1 Q",        "L1 P",
                                        "L1 order", "L2 cluster"};
    static const int32_t n[] = {720, 4, 3, 3, 32, 16, 14, 28, 4, 3, 3, 32, 16, 14, 28, 720, 168};
    SlLayer layer = layer_of("conv:K=32,C=16,P=28,Q=14,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    sl_arena_init(&arena, 0);
    assert_int_equal(make(&layer, &accel, SL_SPACE_PAPER, &arena, &space, NULL), SL_OK);
    expect_names(&space, 17, names);
    double log10_size = 0;
    for (int i = 0; i < 17; i++) {
        assert_int_equal(space.params[i].n, n[i]);
        log10_size += log10(n[i]);
        if (space.params[i].kind != SL_ORDINAL) continue;
        for (int v = 0; v < n[i]; v++) assert_int_equal(space.params[i].sizes[v], v + 1);
    }
    assert_true(fabs(space.log10_size - log10_size) < 1e-9);
    sl_arena_free(&arena);
}

static void ten_parameters_of_the_figures(void **state) {
    (void)state;
    static const char *const names[] = {"L2 order",    "L2 parallel", "L2 S", "L2 R",
                                        "L2 K",        "L2 C",        "L2 Q", "L2 P",
                                        "L1 parallel", "L1 order"};
    SlLayer layer = layer_of("conv:K=32,C=16,P=28,Q=14,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    sl_arena_init(&arena, 0);
    assert_int_equal(make(&layer, &accel, SL_SPACE_PAPER10, &arena, &space, NULL), SL_OK);
    expect_names(&space, 10, names);
    sl_arena_free(&arena);
}

// in L1 the inner parallel dim is cut over the cluster of 12 PEs, everything else is as outside
static void inner_tiles_follow_from_outer_ones(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=32,C=16,P=28,Q=14,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    SlScheme scheme;
    sl_arena_init(&arena, 0);
    assert_int_equal(make(&layer, &accel, SL_SPACE_PAPER10, &arena, &space, NULL), SL_OK);
    // parallel C and K; tiles S 3, R 3, K 30, C 4, Q 2, P 1
    int32_t point[10] = {0, 1, 2, 2, 29, 3, 1, 0, 0, 0};
    sl_space_decode(&space, point, &scheme);
    assert_int_equal(scheme.axis[1][0], 12);
    assert_int_equal(scheme.n_clusters[1], 14);
    assert_int_equal(scheme.clusters[1], SL_C);
    assert_int_equal(scheme.tile[2][SL_K], 3);
    assert_int_equal(scheme.tile[2][SL_C], 4);
    assert_int_equal(scheme.tile[2][SL_S], 3);
    sl_arena_free(&arena);
}

static void a_cluster_wastes_little_even_of_a_prime_array(void **state) {
    (void)state;
    static const int64_t sizes[][2] = {{168, 12}, {256, 16}, {1024, 32}, {127, 14}, {1, 1}, {2, 1}};
    SlLayer layer = layer_of("conv:K=32,C=16,P=28,Q=14,R=3,S=3");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        SlAccel accel = accel_of("eyeriss");
        SlArena arena;
        SlSpace space;
        SlScheme scheme;
        int32_t point[SL_MAX_PARAMS] = {0};
        accel.fanouts[1].axes[0].size = sizes[i][0];
        sl_arena_init(&arena, 0);
        assert_int_equal(make(&layer, &accel, SL_SPACE_PAPER10, &arena, &space, NULL), SL_OK);
        sl_space_decode(&space, point, &scheme);
        assert_int_equal(scheme.axis[1][0], sizes[i][1]);
        sl_arena_free(&arena);
    }
}

static void other_machines_and_huge_dims_are_refused(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=32"), huge = layer_of("linear:K=2000000,C=1");
    SlAccel tpu = accel_of("tpu"), eyeriss = accel_of("eyeriss"), lanes = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(make(&layer, &tpu, SL_SPACE_PAPER, &arena, &space, &err), SL_EINPUT);
    assert_string_equal(err.text,
                        "the paper space needs two storage levels on chip, tpu has 4; use native");
    lanes.fanouts[2] = lanes.fanouts[1];
    assert_int_equal(make(&layer, &lanes, SL_SPACE_PAPER10, &arena, &space, &err), SL_EINPUT);
    assert_string_equal(err.text,
                        "the paper10 space needs one flexible fan-out (clusters) below L2 "
                        "and no other, eyeriss has not; use native");
    assert_int_equal(make(&huge, &eyeriss, SL_SPACE_PAPER, &arena, &space, &err), SL_EINPUT);
    assert_string_equal(err.text, "the paper space lists every tile size, and K = 2000000 is above "
                                  "1048576; use native");
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seventeen_parameters_over_every_value),
        cmocka_unit_test(ten_parameters_of_the_figures),
        cmocka_unit_test(inner_tiles_follow_from_outer_ones),
        cmocka_unit_test(a_cluster_wastes_little_even_of_a_prime_array),
        cmocka_unit_test(other_machines_and_huge_dims_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
