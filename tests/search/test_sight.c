// test_sight.c - what a model sees of a point.
#include "search/sight.h"
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "support/world.h"

static const char *const LAYER = "conv:K=64,C=48,P=28,Q=28,R=3,S=3";

static void begin(World *world, SlSight *sight, SlSightKind kind, const char *layer,
                  const char *accel) {
    SlRng rng;
    world_make(world, layer, accel);
    sl_rng_init(&rng, 1, "sight");
    const SlTask *task = world_task(world, "edp", SL_ILLEGAL_REPAIR);
    sl_sight_init(sight, kind, task, &rng);
    assert_in_range(sight->n, 0, sl_sight_most(kind, task));
}

static uint64_t look(const SlSight *sight, const int32_t *point, double *x) {
    SlView view;
    sl_task_view(sight->task, point, &view);
    sl_sight_numbers(sight, point, &view, x);
    return view.key;
}

// distances between what is seen are those of the relaxed columns, spreads apart
static void a_point_is_seen_relaxed(void **state) {
    (void)state;
    World world;
    SlSight sight;
    SlRng rng;
    begin(&world, &sight, SL_SIGHT_POINT, LAYER, "eyeriss");
    sl_rng_init(&rng, 2, "points");
    for (int k = 0; k < 50; k++) {
        int32_t point[SL_MAX_PARAMS];
        double x[SL_MAX_RELAXED], columns[SL_MAX_RELAXED];
        sl_space_sample(&world.space, &rng, point);
        look(&sight, point, x);
        sl_relax_point(&sight.relax, point, columns);
        int at = 0, group = 0;
        for (int i = 0; i < world.space.n_params; i++) {
            const SlParam *param = &world.space.params[i];
            if (param->n < 2) continue;
            bool label = param->kind == SL_CATEGORICAL;
            int n = label ? 1 : sight.relax.first[i + 1] - sight.relax.first[i];
            for (int j = 0; j < n; j++, at++) {
                assert_true(x[at] == (label ? point[i] : columns[sight.relax.first[i] + j]));
                assert_int_equal(sight.group[at], group);
                assert_int_equal(sight.label[at], label);
            }
            group++;
        }
        assert_int_equal(at, sight.n);
    }
    world_free(&world);
}

static void more_is_seen_from_sight_to_sight(void **state) {
    (void)state;
    int last = 0;
    for (int kind = SL_SIGHT_PLAIN; kind <= SL_SIGHT_ESTIMATE; kind++) {
        World world;
        SlSight sight;
        begin(&world, &sight, (SlSightKind)kind, LAYER, "eyeriss");
        assert_true(sight.n > last);
        for (int i = 0; i < sight.n; i++) {
            assert_int_equal(sight.group[i], i);
            SlFeatureGroup group = sl_feature_group(world.space.accel, sight.source[i]);
            assert_true((int)group <= kind - SL_SIGHT_PLAIN);
        }
        last = sight.n;
        world_free(&world);
    }
}

// a product has no filter: its features are left out
static void what_never_changes_is_not_seen(void **state) {
    (void)state;
    World world;
    SlSight conv, gemm, none;
    begin(&world, &conv, SL_SIGHT_PLAIN, LAYER, "eyeriss");
    world_free(&world);
    begin(&world, &gemm, SL_SIGHT_PLAIN, "gemm:M=64,N=64,K=64", "eyeriss");
    world_free(&world);
    assert_true(gemm.n < conv.n - 5);
    begin(&world, &none, SL_SIGHT_PLAIN, "conv:K=1", "eyeriss");
    assert_int_equal(none.n, 0);
    world_free(&world);
}

// points of the same nest look the same as features; the key is that of the nest
static void equal_nests_look_the_same(void **state) {
    (void)state;
    World world;
    SlSight sight;
    SlRng rng;
    int same = 0;
    begin(&world, &sight, SL_SIGHT_PLAIN, "conv:K=3,C=2", "eyeriss");
    sl_rng_init(&rng, 2, "points");
    int32_t points[2][SL_MAX_PARAMS];
    double x[2][SL_MAX_RELAXED];
    for (int k = 0; k < 3000; k++) {
        uint64_t keys[2];
        for (int i = 0; i < 2; i++) {
            SlMapping mapping;
            sl_space_sample(&world.space, &rng, points[i]);
            keys[i] = look(&sight, points[i], x[i]);
            sl_space_mapping(&world.space, points[i], true, &mapping);
            assert_true(keys[i] == sl_mapping_key(&world.layer, &mapping));
        }
        if (keys[0] != keys[1]) continue;
        same++;
        for (int i = 0; i < sight.n; i++) assert_true(fabs(x[0][i] - x[1][i]) < 1e-6);
    }
    assert_true(same > 10);
    world_free(&world);
}

static void many_levels_are_seen(void **state) {
    (void)state;
    for (int kind = SL_SIGHT_POINT; kind <= SL_SIGHT_ESTIMATE; kind++) {
        World world;
        SlSight sight;
        int32_t point[SL_MAX_PARAMS] = {0};
        double x[SL_MAX_RELAXED];
        begin(&world, &sight, (SlSightKind)kind, LAYER, "simba");
        look(&sight, point, x);
        assert_true(sight.n > 20);
        for (int i = 0; i < sight.n; i++) assert_true(isfinite(x[i]) && fabs(x[i]) < 100);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_seen_relaxed),
        cmocka_unit_test(more_is_seen_from_sight_to_sight),
        cmocka_unit_test(what_never_changes_is_not_seen),
        cmocka_unit_test(equal_nests_look_the_same),
        cmocka_unit_test(many_levels_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
