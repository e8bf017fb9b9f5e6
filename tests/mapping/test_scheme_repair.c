// test_scheme_repair.c - what is made to fit keeps as many clusters as it can.
#include "support/check.h"

#include "mapping/space_inside.h"
#include "support/world.h"

enum { POINTS = 2000 };

// a random scheme and what repair makes of it
static void draw(const World *world, SlRng *rng, SlScheme *drawn, SlScheme *repaired) {
    int32_t point[SL_MAX_PARAMS];
    sl_space_sample(&world->space, rng, point);
    sl_space_decode(&world->space, point, drawn);
    *repaired = *drawn;
    sl_scheme_repair(&world->space, repaired);
}

static bool fits_with(const World *world, SlScheme scheme, int level, int64_t n_clusters) {
    scheme.n_clusters[level] = n_clusters;
    return sl_scheme_bytes(&world->space, &scheme, level) <=
           (double)world->accel.levels[level].capacity_bytes;
}

static void no_cluster_is_dropped_that_would_fit(void **state) {
    (void)state;
    World world;
    SlRng rng;
    int n_dropped = 0;
    world_make(&world, "conv:K=300,C=40,P=50,Q=50,R=3,S=3", "eyeriss");
    world.accel.fanouts[1].axes[0].size = 954192;
    world.accel.levels[1].capacity_bytes = 1000;
    world.accel.levels[2].capacity_bytes = 16;
    world_remake(&world);
    sl_rng_init(&rng, 1, "clusters");
    for (int i = 0; i < POINTS; i++) {
        SlScheme drawn, repaired;
        draw(&world, &rng, &drawn, &repaired);
        int64_t n = repaired.n_clusters[1];
        assert_true(sl_scheme_fits(&world.space, &repaired));
        assert_true(1 <= n && n <= drawn.n_clusters[1]);
        if (n == drawn.n_clusters[1]) continue;
        n_dropped++;
        assert_false(fits_with(&world, repaired, 1, n + 1));
    }
    assert_true(n_dropped > POINTS / 20);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_cluster_is_dropped_that_would_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
