// test_genome.c - each operator of GAMMA changes what it should and nothing else.
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "../src/search/genome.h"
#include "support/world.h"

static const char *const LAYER = "conv:K=64,C=48,P=28,Q=28,R=3,S=3";

enum { N_DRAWS = 2000 };

typedef struct {
    World world;
    SlGenome genome;
    SlRng rng;
    int n;
    const SlParam *params;
} Setup;

static void begin(Setup *setup, const char *layer, const char *accel) {
    world_make(&setup->world, layer, accel);
    sl_genome_init(&setup->genome, &setup->world.space);
    sl_rng_init(&setup->rng, 1, "test");
    setup->n = setup->world.space.n_params;
    setup->params = setup->world.space.params;
}

static void copy(const Setup *setup, int32_t *to, const int32_t *from) {
    memcpy(to, from, (size_t)setup->n * sizeof *to);
}

// parameters that differ; the last of them in `which`
static int differing(const Setup *setup, const int32_t *a, const int32_t *b, int *which) {
    int n = 0;
    for (int i = 0; i < setup->n; i++) {
        if (a[i] == b[i]) continue;
        *which = i;
        n++;
    }
    return n;
}

static void a_start_has_random_outer_tiles_and_the_smallest_inner_ones(void **state) {
    (void)state;
    Setup setup;
    int32_t point[SL_MAX_PARAMS];
    int64_t outer = 0, inner = 0;
    begin(&setup, LAYER, "eyeriss");
    for (int ones = 0; ones < 2; ones++) {
        outer = inner = 0;
        for (int draw = 0; draw < 100; draw++) {
            sl_genome_start(&setup.genome, ones, &setup.rng, point);
            for (int i = 0; i < setup.n; i++) {
                assert_in_range(point[i], 0, setup.params[i].n - 1);
                if (setup.params[i].role != SL_ROLE_TILE) continue;
                *(setup.params[i].level == 1 ? &outer : &inner) += point[i];
            }
        }
        assert_true(outer > 1000);
        assert_int_equal(inner > 0, !ones);
    }
    world_free(&setup.world);
}

static void crossing_exchanges_the_tiles_of_one_dim_at_all_levels(void **state) {
    (void)state;
    Setup setup;
    int32_t a[SL_MAX_PARAMS], b[SL_MAX_PARAMS], old_a[SL_MAX_PARAMS], old_b[SL_MAX_PARAMS];
    unsigned seen = 0;
    begin(&setup, LAYER, "simba");
    for (int draw = 0; draw < N_DRAWS; draw++) {
        sl_space_sample(&setup.world.space, &setup.rng, a);
        sl_space_sample(&setup.world.space, &setup.rng, b);
        copy(&setup, old_a, a);
        copy(&setup, old_b, b);
        sl_genome_cross(&setup.genome, &setup.rng, a, b);
        int which = -1;
        if (differing(&setup, a, old_a, &which) == 0) continue; // the same tiles
        const int dim = setup.params[which].dim;
        seen |= 1u << dim;
        for (int i = 0; i < setup.n; i++) {
            bool crossed = setup.params[i].role == SL_ROLE_TILE && setup.params[i].dim == dim;
            assert_int_equal(a[i], crossed ? old_b[i] : old_a[i]);
            assert_int_equal(b[i], crossed ? old_a[i] : old_b[i]);
        }
    }
    assert_int_equal(seen, setup.world.space.dims);
    world_free(&setup.world);
}

static void reordering_swaps_two_loops_of_one_order(void **state) {
    (void)state;
    Setup setup;
    int32_t point[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
    bool moved_last = false;
    begin(&setup, LAYER, "eyeriss");
    for (int draw = 0; draw < N_DRAWS; draw++) {
        sl_space_sample(&setup.world.space, &setup.rng, point);
        copy(&setup, old, point);
        sl_genome_reorder(&setup.genome, &setup.rng, point);
        int which = -1, moved = 0;
        assert_int_equal(differing(&setup, point, old, &which), 1);
        const SlParam *param = &setup.params[which];
        assert_int_equal(param->role, SL_ROLE_ORDER);
        uint8_t now[SL_N_DIMS], before[SL_N_DIMS];
        sl_permutation(param->n_items, point[which], now);
        sl_permutation(param->n_items, old[which], before);
        for (int k = 0; k < param->n_items; k++) moved += now[k] != before[k];
        assert_int_equal(moved, 2);
        moved_last |= now[param->n_items - 1] != before[param->n_items - 1];
    }
    assert_true(moved_last);
    world_free(&setup.world);
}

// the tile outside that of a parameter, or the layer
static int64_t tile_outside(const Setup *setup, const SlParam *param, const int32_t *point) {
    int64_t size = setup->world.layer.dims[param->dim];
    for (int i = 0; i < setup->n; i++) {
        const SlParam *other = &setup->params[i];
        if (other->role == SL_ROLE_TILE && other->dim == param->dim &&
            other->level == param->level - 1)
            size = other->sizes[point[i]];
    }
    return size;
}

static void mutation_draws_one_gene_anew_and_never_an_order(void **state) {
    (void)state;
    Setup setup;
    int32_t point[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
    int hits[SL_MAX_PARAMS] = {0};
    const SlMutation any = {.fine = 0};
    begin(&setup, LAYER, "eyeriss");
    for (int draw = 0; draw < N_DRAWS; draw++) {
        sl_space_sample(&setup.world.space, &setup.rng, point);
        copy(&setup, old, point);
        sl_genome_mutate(&setup.genome, &any, &setup.rng, point);
        int which = -1;
        int n = differing(&setup, point, old, &which);
        assert_in_range(n, 0, 1);
        if (n == 0) continue;
        hits[which]++;
        const SlParam *param = &setup.params[which];
        assert_in_range(point[which], 0, param->n - 1);
        if (param->role == SL_ROLE_TILE)
            assert_true(param->sizes[point[which]] <= tile_outside(&setup, param, point));
        if (param->role == SL_ROLE_CLUSTER) {
            // as many clusters as a size that divides the PEs has
            int64_t pes = param->sizes[param->n - 1], n_clusters = pes / param->sizes[point[which]];
            assert_int_equal(pes % n_clusters, 0);
        }
    }
    for (int i = 0; i < setup.n; i++)
        assert_int_equal(hits[i] > 0, setup.params[i].role != SL_ROLE_ORDER);
    world_free(&setup.world);
}

static void fine_mutation_stays_within_its_range(void **state) {
    (void)state;
    Setup setup;
    int32_t point[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
    const SlMutation fine = {.fine = 1, .range = 0.15};
    int longest = 0;
    begin(&setup, LAYER, "eyeriss");
    // the largest tiles everywhere, so that none is bound by another
    for (int i = 0; i < setup.n; i++) old[i] = setup.params[i].n - 1;
    for (int draw = 0; draw < N_DRAWS; draw++) {
        copy(&setup, point, old);
        sl_genome_mutate(&setup.genome, &fine, &setup.rng, point);
        int which = -1;
        if (differing(&setup, point, old, &which) == 0) continue;
        const SlParam *param = &setup.params[which];
        if (param->role != SL_ROLE_TILE) continue;
        int steps = abs(point[which] - old[which]);
        assert_true(steps == 1 || steps <= 0.15 * param->n);
        if (steps > longest) longest = steps;
    }
    assert_int_equal(longest, 2);
    world_free(&setup.world);
}

static void swapping_exchanges_two_parallel_dims(void **state) {
    (void)state;
    static const char *const accels[] = {"eyeriss", "flex256", "simba"};
    for (int a = 0; a < 3; a++) {
        Setup setup;
        int32_t point[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
        int n_swaps = 0;
        begin(&setup, LAYER, accels[a]);
        for (int draw = 0; draw < N_DRAWS; draw++) {
            sl_space_sample(&setup.world.space, &setup.rng, point);
            copy(&setup, old, point);
            sl_genome_swap(&setup.genome, &setup.rng, point);
            int changed[SL_MAX_PARAMS] = {0}, n = 0;
            for (int i = 0; i < setup.n; i++)
                if (point[i] != old[i]) changed[n++] = i;
            if (n == 0) continue; // equal dims, or one that the other does not take
            assert_int_equal(n, 2);
            const SlParam *one = &setup.params[changed[0]], *two = &setup.params[changed[1]];
            assert_true(one->role == SL_ROLE_PARALLEL && two->role == SL_ROLE_PARALLEL);
            assert_int_equal(one->spreads[point[changed[0]]], two->spreads[old[changed[1]]]);
            assert_int_equal(two->spreads[point[changed[1]]], one->spreads[old[changed[0]]]);
            n_swaps++;
        }
        if (a < 2) assert_true(n_swaps > N_DRAWS / 2);
        world_free(&setup.world);
    }
}

static void growth_makes_clusters_and_aging_unmakes_them(void **state) {
    (void)state;
    Setup setup;
    int32_t point[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
    int n_grown = 0, n_aged = 0;
    begin(&setup, LAYER, "eyeriss");
    int cluster = setup.genome.clusters[0], which = -1;
    const int32_t last = setup.params[cluster].n - 1;
    for (int draw = 0; draw < N_DRAWS; draw++) {
        sl_space_sample(&setup.world.space, &setup.rng, point);
        copy(&setup, old, point);
        bool flat = old[cluster] == 0 || old[cluster] == last;
        if (draw % 2)
            sl_genome_grow(&setup.genome, &setup.rng, point);
        else
            sl_genome_age(&setup.genome, &setup.rng, point);
        bool expected = draw % 2 ? flat : !flat;
        assert_int_equal(differing(&setup, point, old, &which), expected);
        if (!expected) continue;
        assert_int_equal(which, cluster);
        bool ends = point[cluster] == 0 || point[cluster] == last;
        assert_int_equal(ends, draw % 2 == 0);
        *(draw % 2 ? &n_grown : &n_aged) += 1;
    }
    assert_true(n_grown > 30 && n_aged > 300);
    world_free(&setup.world);
}

// all operators on points of a space; returns how many parameters changed in all
static int exercise(Setup *setup) {
    int32_t a[SL_MAX_PARAMS], b[SL_MAX_PARAMS], old[SL_MAX_PARAMS];
    const SlMutation mutation = {.fine = 0.5, .range = 0.5};
    int n = 0, which = -1;
    for (int draw = 0; draw < 200; draw++) {
        sl_genome_start(&setup->genome, true, &setup->rng, a);
        sl_genome_start(&setup->genome, false, &setup->rng, b);
        copy(setup, old, b);
        sl_genome_cross(&setup->genome, &setup->rng, a, b);
        sl_genome_reorder(&setup->genome, &setup->rng, b);
        sl_genome_mutate(&setup->genome, &mutation, &setup->rng, b);
        sl_genome_swap(&setup->genome, &setup->rng, b);
        sl_genome_grow(&setup->genome, &setup->rng, b);
        sl_genome_age(&setup->genome, &setup->rng, b);
        for (int i = 0; i < setup->n; i++) assert_in_range(b[i], 0, setup->params[i].n - 1);
        n += differing(setup, b, old, &which);
    }
    return n;
}

static void operators_that_find_no_parameter_do_nothing(void **state) {
    (void)state;
    Setup setup;
    begin(&setup, "conv:K=1", "eyeriss");
    for (int i = 0; i < setup.n; i++) setup.world.space.params[i].n = 1;
    sl_genome_init(&setup.genome, &setup.world.space);
    assert_int_equal(exercise(&setup), 0);
    world_free(&setup.world);
    static const char *const accels[] = {"simba", "tpu", "nvdla", "gemmini"};
    for (int a = 0; a < 4; a++) {
        begin(&setup, LAYER, accels[a]);
        assert_true(exercise(&setup) > 200);
        world_free(&setup.world);
    }
}

static void the_paper_spaces_are_varied_too(void **state) {
    (void)state;
    for (int preset = SL_SPACE_ALL; preset <= SL_SPACE_PAPER10; preset++) {
        Setup setup;
        SlError err;
        begin(&setup, LAYER, "eyeriss");
        const SlSpaceOptions options = {.preset = (SlSpacePreset)preset};
        assert_int_equal(sl_space_make(&setup.world.layer, &setup.world.accel, &options,
                                       &setup.world.arena, &setup.world.space, &err),
                         SL_OK);
        sl_genome_init(&setup.genome, &setup.world.space);
        setup.n = setup.world.space.n_params;
        setup.params = setup.world.space.params;
        assert_true(exercise(&setup) > 200);
        world_free(&setup.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_has_random_outer_tiles_and_the_smallest_inner_ones),
        cmocka_unit_test(crossing_exchanges_the_tiles_of_one_dim_at_all_levels),
        cmocka_unit_test(reordering_swaps_two_loops_of_one_order),
        cmocka_unit_test(mutation_draws_one_gene_anew_and_never_an_order),
        cmocka_unit_test(fine_mutation_stays_within_its_range),
        cmocka_unit_test(swapping_exchanges_two_parallel_dims),
        cmocka_unit_test(growth_makes_clusters_and_aging_unmakes_them),
        cmocka_unit_test(operators_that_find_no_parameter_do_nothing),
        cmocka_unit_test(the_paper_spaces_are_varied_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
