// test_footprint.c - largest tiles against sets of elements collected by walking the nest.
#include "support/check.h"

#include <string.h>

#include "nest_cases.h"

enum { MAX_EXTENT = 6, SIDE = 64 };

// One piece of the iteration space.
typedef struct {
    int64_t start[SL_N_DIMS], extent[SL_N_DIMS];
} Box;

// the most iterations that loop i has in any context; and the most words that any box at a boundary
// touches
typedef struct {
    const SlLayer *layer;
    const SlMapping *mapping;
    SlFootprint most;
} Walk;

static int64_t count_rows(const Box *box, int axis, const SlLayer *layer) {
    bool touched[SIDE] = {false};
    int64_t n = 0;
    for (int64_t p = 0; p < box->extent[SL_P + axis]; p++) {
        for (int64_t r = 0; r < box->extent[SL_R + axis]; r++) {
            int64_t h = p * layer->stride[axis] + r * layer->dilation[axis];
            n += !touched[h];
            touched[h] = true;
        }
    }
    return n;
}

static void raise(int64_t *most, int64_t value) {
    if (*most < value) *most = value;
}

static void visit_box(Walk *walk, const Box *box, int b) {
    const int64_t *e = box->extent;
    int64_t *words = walk->most.words[b];
    for (int d = 0; d < SL_N_DIMS; d++) raise(&walk->most.extent[b][d], e[d]);
    raise(&words[SL_W], e[SL_G] * e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S]);
    raise(&words[SL_O], e[SL_N] * e[SL_G] * e[SL_K] * e[SL_P] * e[SL_Q]);
    raise(&words[SL_I], e[SL_N] * e[SL_G] * e[SL_C] * count_rows(box, 0, walk->layer) *
                            count_rows(box, 1, walk->layer));
}

static void walk_loops(Walk *walk, int i, int b, Box box) {
    for (; b < walk->mapping->n_boundaries && walk->mapping->at[b] == i; b++)
        visit_box(walk, &box, b);
    if (i == walk->mapping->n_loops) {
        visit_box(walk, &box, b);
        return;
    }
    SlLoop loop = walk->mapping->loops[i];
    int64_t whole = box.extent[loop.dim], trips = 0;
    for (int64_t at = 0; at < whole; at += loop.tile, trips++) {
        box.extent[loop.dim] = whole - at < loop.tile ? whole - at : loop.tile;
        walk_loops(walk, i + 1, b, box);
    }
    raise(&walk->most.trips[i], trips);
}

// small enough to walk
static void sample_small(SlRng *rng, SlLayer *layer, SlMapping *mapping) {
    layer_sample(rng, layer);
    int64_t macs = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        layer->dims[d] = layer->dims[d] > MAX_EXTENT ? MAX_EXTENT : layer->dims[d];
        if (macs * layer->dims[d] > 300) layer->dims[d] = 1;
        macs *= layer->dims[d];
    }
    nest_sample(rng, layer, mapping);
}

static void footprints_equal_the_walked_nest(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "footprint");
    for (int i = 0; i < 3000; i++) {
        SlLayer layer;
        SlMapping mapping;
        sample_small(&rng, &layer, &mapping);
        Walk walk = {.layer = &layer, .mapping = &mapping};
        Box box = {{0}, {0}};
        memcpy(box.extent, layer.dims, sizeof box.extent);
        walk_loops(&walk, 0, 0, box);

        SlFootprint foot;
        sl_mapping_footprint(&layer, &mapping, &foot);
        int64_t grid = 1;
        for (int b = 0, l = 0; b <= mapping.n_boundaries; b++) {
            int end = b < mapping.n_boundaries ? mapping.at[b] : mapping.n_loops;
            for (; l < end; l++)
                if (mapping.loops[l].spatial) grid *= walk.most.trips[l];
            assert_memory_equal(foot.extent[b], walk.most.extent[b], sizeof foot.extent[b]);
            assert_memory_equal(foot.words[b], walk.most.words[b], sizeof foot.words[b]);
            assert_int_equal(foot.grid[b], grid);
        }
        assert_memory_equal(foot.trips, walk.most.trips, mapping.n_loops * sizeof foot.trips[0]);
    }
}

static void the_worked_example_has_its_tiles(void **state) {
    (void)state;
    // native model, section 7
    SlLayer layer = layer_of("conv:K=3,C=2,P=5,R=3");
    SlMapping mapping = nest_of("C:1 P:2 @7 K*2 K:1 R:1 @7 P:1");
    SlFootprint foot;
    sl_mapping_footprint(&layer, &mapping, &foot);
    assert_memory_equal(foot.words[0], ((int64_t[]){9, 4, 6}), sizeof foot.words[0]);
    assert_memory_equal(foot.words[1], ((int64_t[]){1, 2, 2}), sizeof foot.words[1]);
    assert_memory_equal(foot.words[2], ((int64_t[]){1, 1, 1}), sizeof foot.words[2]);
    assert_memory_equal(foot.trips, ((int64_t[]){2, 3, 2, 2, 3, 2}), 6 * sizeof foot.trips[0]);
    assert_int_equal(foot.grid[0], 1);
    assert_int_equal(foot.grid[1], 2);
}

static void absurd_grids_stop_at_the_top(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=1000000000000");
    SlMapping mapping = {.n_loops = SL_MAX_LOOPS};
    for (int i = 0; i < SL_MAX_LOOPS; i++)
        mapping.loops[i] = (SlLoop){layer.dims[SL_K] - i - 1, SL_K, true};
    mapping.loops[SL_MAX_LOOPS - 1].tile = 1;
    SlFootprint foot;
    sl_mapping_footprint(&layer, &mapping, &foot);
    assert_true(foot.grid[0] == INT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(footprints_equal_the_walked_nest),
        cmocka_unit_test(the_worked_example_has_its_tiles),
        cmocka_unit_test(absurd_grids_stop_at_the_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
