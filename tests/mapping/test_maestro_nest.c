// test_maestro_nest.c - nests as MAESTRO's directive lists and back, and what has no such form.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "nest_cases.h"
#include "starling/cost/maestro.h"

enum { ALL_NETS = 255 };

static SlMaestroLayer shape_of(const SlLayer *layer) {
    SlMaestroLayer shape;
    const char *reason = sl_maestro_shape(layer, &shape);
    if (reason) fail_msg("%s: %s", layer->name, reason);
    return shape;
}

static SlCounts counts_of(const SlLayer *layer, const SlMapping *nest) {
    SlCounts counts;
    memset(&counts, 0, sizeof counts);
    sl_counts_eval(layer, (SlNet){.multicast = ALL_NETS, .reduction = ALL_NETS}, nest, &counts);
    return counts;
}

// a level of counts is numbers alone
static bool same_counts(const SlCounts *a, const SlCounts *b) {
    bool same = a->n_levels == b->n_levels && a->macs == b->macs && a->cycles == b->cycles;
    for (int l = 0; l <= a->n_levels && same; l++) {
        const SlCount *x = (const SlCount *)&a->level[l], *y = (const SlCount *)&b->level[l];
        for (size_t i = 0; i < sizeof(SlLevelCounts) / sizeof(SlCount); i++) same &= x[i] == y[i];
    }
    return same;
}

// ---- round trips ----

// The list of the nest describes the same nest. False if the nest has no list.
static bool expect_round_trip(const SlLayer *layer, const SlMaestroLayer *shape,
                              const SlMapping *nest) {
    SlMaestroMapping list;
    SlMapping back;
    int32_t used = 0;
    if (sl_maestro_of_nest(layer, nest, 0, shape, &list, &used)) return false;
    const char *reason = sl_maestro_nest(shape, &list, used, layer, &back);
    if (reason) fail_msg("%s: %s", layer->name, reason);
    assert_null(sl_mapping_check(layer, &back));
    SlCounts a = counts_of(layer, nest), b = counts_of(layer, &back);
    bool same = sl_mapping_key(layer, nest) == sl_mapping_key(layer, &back) && same_counts(&a, &b);
    if (same) return true;
    char x[SL_NEST_TEXT_MAX], y[SL_NEST_TEXT_MAX];
    fail_msg("%s: %s became %s", layer->name, sl_mapping_write(nest, sizeof x, x),
             sl_mapping_write(&back, sizeof y, y));
    return false;
}

// how many of n random points of a space went there and back
static int round_trips(const char *layer_text, const char *accel_name, SlSpacePreset preset,
                       int n) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = accel_of(accel_name);
    SlMaestroLayer shape = shape_of(&layer);
    SlSpaceOptions options = {.preset = preset};
    SlArena arena;
    SlSpace space;
    SlRng rng;
    int n_made = 0;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 5, layer_text);
    assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, NULL), SL_OK);
    for (int i = 0; i < n; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping nest;
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &nest);
        n_made += expect_round_trip(&layer, &shape, &nest);
    }
    sl_arena_free(&arena);
    return n_made;
}

static void nests_of_layers_with_one_tap_all_come_back(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=128,C=64,P=56,Q=56",   "conv:K=64,C=48,P=14,Q=14,stride=2",
        "conv:N=3,K=40,C=24,P=13,Q=9", "conv:N=2,G=4,K=13,C=7,P=11,Q=17",
        "dw:G=96,P=31,Q=28",           "gemm:M=512,N=768,K=700",
        "linear:K=1000,C=2048,N=8",    "linear:K=10,C=84",
    };
    for (int i = 0; i < 8; i++)
        for (int p = 0; p < 2; p++) {
            assert_int_equal(round_trips(layers[i], "flex256", (SlSpacePreset)p, 200), 200);
            assert_int_equal(round_trips(layers[i], "eyeriss", (SlSpacePreset)p, 200), 200);
        }
}

static void nests_with_whole_filters_come_back(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=64,C=32,P=28,Q=28,R=3,S=3",
        "conv:K=24,C=3,P=56,Q=56,R=3,S=3,stride=2",
        "dw:G=96,P=56,Q=56,R=3,S=3,stride=2",
        "conv:N=4,G=2,K=13,C=7,P=11,Q=17,R=3,S=5",
    };
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int p = 0; p < 2; p++) n += round_trips(layers[i], "flex256", (SlSpacePreset)p, 1000);
    // most points cut the filters, and have no list
    assert_true(500 <= n && n <= 4000);
}

static void expect_used(const char *layer_text, const char *nest_text, int32_t expected) {
    SlLayer layer = layer_of(layer_text);
    SlMaestroLayer shape = shape_of(&layer);
    SlMapping nest = nest_of(nest_text);
    SlMaestroMapping list;
    int32_t used = 0;
    assert_null(sl_maestro_of_nest(&layer, &nest, 0, &shape, &list, &used));
    assert_int_equal(used, expected);
    assert_true(expect_round_trip(&layer, &shape, &nest));
}

static void a_level_without_a_spread_spreads_over_one_instance(void **state) {
    (void)state;
    expect_used("conv:K=4,C=4,P=4,Q=4", "K:2 C:2 P:2 Q:2 @7 K:1 C:1 P:1 Q:1 @7", 1);
    expect_used("conv:K=4,C=4,P=4,Q=4", "@7 @7 K:1 C:1 P:1 Q:1", 1);
}

static void a_spread_that_is_no_whole_step_of_the_outer_level_is_inside_a_cluster(void **state) {
    (void)state;
    expect_used("conv:K=8,C=6", "K:6 @7 K*2 @7 K:1 C:1", 3);
    expect_used("conv:K=8,C=6", "K:5 @7 K*2 @7 K:1 C:1", 3);
}

// ---- tilings that divide ----

static int64_t draw_divisor(SlRng *rng, int64_t n) {
    int64_t d = sl_rng_range(rng, 1, n);
    while (n % d) d--;
    return d;
}

static void add_loop(SlMapping *nest, int dim, bool spatial, int64_t tile) {
    nest->loops[nest->n_loops++] = (SlLoop){.tile = tile, .dim = (uint8_t)dim, .spatial = spatial};
}

// loops in time of a level over `dims` in random order
static void add_walks(SlMapping *nest, SlRng *rng, int n, int *dims, int64_t *tile) {
    sl_rng_shuffle(rng, n, dims);
    for (int i = 0; i < n; i++) {
        tile[dims[i]] = draw_divisor(rng, tile[dims[i]]);
        add_loop(nest, dims[i], false, tile[dims[i]]);
    }
}

// every tile divides the one outside, and no PE is idle
static void draw_dividing(const SlLayer *layer, SlRng *rng, SlMapping *nest) {
    int dims[SL_N_DIMS], n = 0;
    int64_t tile[SL_N_DIMS];
    memcpy(tile, layer->dims, sizeof tile);
    for (int d = 0; d < SL_R; d++)
        if (layer->dims[d] > 1) dims[n++] = d;
    *nest = (SlMapping){.n_boundaries = 2, .keep = {SL_KEEP_ALL, SL_KEEP_ALL}};
    for (int b = 0; b < 2; b++) {
        add_walks(nest, rng, n, dims, tile);
        if (b == 0) nest->at[0] = nest->n_loops;
        int spread = dims[sl_rng_below(rng, (uint64_t)n)];
        tile[spread] = draw_divisor(rng, tile[spread]);
        add_loop(nest, spread, true, tile[spread]);
    }
    nest->at[1] = nest->n_loops;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (tile[d] > 1) add_loop(nest, d, false, 1);
}

static void expect_all_macs(const SlLayer *layer, const SlMaestroLayer *shape,
                            const SlMapping *nest) {
    SlMaestroMapping list;
    SlMaestroHardware hardware;
    SlMaestroCost cost;
    SlMaestroFault fault;
    SlMaestroGuard guard;
    char text[SL_NEST_TEXT_MAX];
    sl_mapping_write(nest, sizeof text, text);
    sl_maestro_hardware_init(&hardware);
    const char *reason = sl_maestro_of_nest(layer, nest, 0, shape, &list, &hardware.num_pes);
    if (reason) fail_msg("%s: %s: %s", layer->name, text, reason);
    if (!sl_maestro_eval(shape, &list, &hardware, NULL, &cost, &fault))
        fail_msg("%s: %s: fault %d", layer->name, text, fault.kind);
    // at stride 1 inside a tile, which the guard knows
    bool strided = layer->stride[0] > 1;
    if (!strided && (double)cost.macs != (double)sl_layer_macs(layer))
        fail_msg("%s: %s: %lld MACs", layer->name, text, (long long)cost.macs);
    SlCounts counts = counts_of(layer, nest);
    if ((double)cost.runtime_cycles < counts.cycles)
        fail_msg("%s: %s: %lld cycles, not %.0f", layer->name, text, (long long)cost.runtime_cycles,
                 counts.cycles);
    assert_true(sl_maestro_guard(shape, &list, &hardware, &cost, layer, nest, &guard));
}

static void tilings_that_divide_have_all_macs_and_take_their_time(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=64,C=32,P=28,Q=28,R=3,S=3",
        "conv:N=4,K=16,C=12,P=6,Q=10,R=1,S=5",
        "dw:G=96,P=56,Q=56,R=3,S=3",
        "gemm:M=64,N=96,K=72",
        "linear:K=1000,C=64,N=8",
        "conv:K=16,C=8,P=28,Q=28,R=3,S=3,stride=2",
        "conv:K=8,C=3,P=54,Q=54,R=11,S=11,stride=4",
        "dw:G=32,P=28,Q=28,R=2,S=2,stride=2",
    };
    for (int i = 0; i < 8; i++) {
        SlRng rng;
        SlLayer layer = layer_of(layers[i]);
        SlMaestroLayer shape = shape_of(&layer);
        sl_rng_init(&rng, 3, layers[i]);
        for (int k = 0; k < 250; k++) {
            SlMapping nest;
            draw_dividing(&layer, &rng, &nest);
            assert_null(sl_mapping_check(&layer, &nest));
            expect_all_macs(&layer, &shape, &nest);
        }
    }
}

// ---- nests without a list ----

static void expect_no_list(const char *layer_text, const char *nest_text, int32_t num_pes,
                           const char *expected) {
    SlLayer layer = layer_of(layer_text);
    SlMaestroLayer shape = shape_of(&layer);
    SlMapping nest = nest_of(nest_text);
    SlMaestroMapping list;
    const char *reason = sl_maestro_of_nest(&layer, &nest, num_pes, &shape, &list, NULL);
    if (!reason) fail_msg("%s has a list", nest_text);
    assert_string_equal(reason, expected);
}

static void a_nest_that_maestro_cannot_say_is_refused_with_the_reason(void **state) {
    (void)state;
    static const char conv[] = "conv:K=8,C=6,P=4,Q=4,R=3,S=3";
    expect_no_list(conv, "K:1 @7 C:1 P:1 Q:1 R:1 S:1", 0, "MAESTRO has two levels on chip");
    expect_no_list(conv, "K:4 @7 C:3 @3 K:1 C:1 P:1 Q:1 R:1 S:1", 0,
                   "MAESTRO keeps every tensor in both levels");
    expect_no_list(conv, "R:1 @7 @7 K:1 C:1 P:1 Q:1 S:1", 0,
                   "MAESTRO keeps filters whole: R or S has a loop outside L1");
    expect_no_list(conv, "@7 S*1 @7 K:1 C:1 P:1 Q:1 R:1", 0,
                   "MAESTRO keeps filters whole: R or S is spread");
    expect_no_list(conv, "K:4 C:2 K:2 @7 @7 K:1 C:1 P:1 Q:1 R:1 S:1", 0,
                   "two loops in time over one dim stand between the same levels");
    expect_no_list(conv, "@7 K*4 C*2 C:1 @7 K:1 P:1 Q:1 R:1 S:1", 0,
                   "a spread dim has a loop in time inside the spread");
    expect_no_list(conv, "@7 K*4 C*2 P*2 @7 K:1 C:1 P:1 Q:1 R:1 S:1", 0,
                   "more than two dims are spread");
    expect_no_list(conv, "K*4 @7 @7 K:1 C:1 P:1 Q:1 R:1 S:1", 0, "a loop outside L2 is spread");
    expect_no_list(conv, "@7 @7 K*4 K:1 C:1 P:1 Q:1 R:1 S:1", 0, "a loop inside L1 is spread");
    expect_no_list(conv, "K:5 @7 K*2 C*3 @7 K:1 C:1 P:1 Q:1 R:1 S:1", 0,
                   "a step of a spread dim is no whole number of tiles");
    expect_no_list("conv:K=70000,C=70000", "@7 K*1 C*1 @7", 0,
                   "the nest needs more PEs than MAESTRO counts");
}

static void the_number_of_pes_must_give_the_clusters_of_the_nest(void **state) {
    (void)state;
    static const char conv[] = "conv:K=64,C=8";
    expect_no_list(conv, "K:16 @7 K*4 C*2 @7 K:1 C:1", 15,
                   "the nest needs more PEs than there are");
    // a step of 16 takes 4 clusters of 2 PEs; MAESTRO makes 4 of 8 or 9 PEs, and 5 of 10
    SlLayer layer = layer_of(conv);
    SlMaestroLayer shape = shape_of(&layer);
    SlMaestroMapping list;
    int32_t used;
    SlMapping nest = nest_of("K:16 @7 K*4 C:4 C*2 @7 K:1 C:1");
    assert_null(sl_maestro_of_nest(&layer, &nest, 0, &shape, &list, &used));
    assert_int_equal(used, 8);
    assert_null(sl_maestro_of_nest(&layer, &nest, 9, &shape, &list, &used));
    expect_no_list(conv, "K:16 @7 K*4 C:4 C*2 @7 K:1 C:1", 10,
                   "MAESTRO would make another number of clusters of these PEs");
}

static void a_matrix_product_has_rows_or_a_batch(void **state) {
    (void)state;
    SlLayer layer = layer_of("gemm:M=8,N=6,K=4");
    SlMaestroLayer shape = shape_of(&layer);
    SlMapping nest = nest_of("@7 @7 K:1 C:1 P:1");
    SlMaestroMapping list;
    assert_null(sl_maestro_of_nest(&layer, &nest, 0, &shape, &list, NULL));
    layer.dims[SL_N] = 2;
    assert_string_equal(sl_maestro_of_nest(&layer, &nest, 0, &shape, &list, NULL),
                        "MAESTRO's GEMM has rows or a batch, not both");
}

// ---- lists ----

// The only layer of a file.
typedef struct {
    SlArena arena;
    SlMaestroNetwork net;
    SlLayer layer;
} File;

static void file_open(File *file, const char *type, const char *maps) {
    char text[2048];
    SlError err;
    snprintf(text, sizeof text, "Network n { Layer l { Type: %s Dataflow { %s } } }", type, maps);
    sl_arena_init(&file->arena, 0);
    if (sl_maestro_parse("x.m", text, strlen(text), &file->arena, &file->net, &err) != SL_OK)
        fail_msg("%s", err.text);
    assert_null(sl_maestro_layer(file->net.layers, &file->layer));
}

#define CONV "CONV Dimensions { K: 12, C: 6, R: 3, S: 3, Y: 10, X: 10 }"

static void expect_nest(const char *type, const char *maps, int32_t num_pes, const char *expected) {
    File file;
    SlMapping nest, wanted = nest_of(expected);
    char text[SL_NEST_TEXT_MAX];
    file_open(&file, type, maps);
    const char *reason =
        sl_maestro_nest(file.net.layers, file.net.mappings, num_pes, &file.layer, &nest);
    if (reason) fail_msg("%s", reason);
    assert_null(sl_mapping_check(&file.layer, &nest));
    if (sl_mapping_key(&file.layer, &nest) != sl_mapping_key(&file.layer, &wanted))
        fail_msg("%s instead of %s", sl_mapping_write(&nest, sizeof text, text), expected);
    sl_arena_free(&file.arena);
}

static void expect_no_nest(const char *type, const char *maps, int32_t num_pes,
                           const char *expected) {
    File file;
    SlMapping nest;
    file_open(&file, type, maps);
    const char *reason =
        sl_maestro_nest(file.net.layers, file.net.mappings, num_pes, &file.layer, &nest);
    assert_non_null(reason);
    assert_string_equal(reason, expected);
    sl_arena_free(&file.arena);
}

static void lists_of_one_to_four_levels_become_nests(void **state) {
    (void)state;
    expect_nest(CONV, "SpatialMap(1,1) K; TemporalMap(2,2) C;", 4,
                "K:4 C:2 @7 K*1 @7 C:1 P:1 Q:1 R:1 S:1");
    expect_nest(CONV,
                "TemporalMap(2,2) Y'; SpatialMap(3,3) K; Cluster(2,P); "
                "TemporalMap(2,2) K; SpatialMap(1,1) C;",
                4, "P:2 K:6 @7 K*3 K:2 C:2 C*1 @7 K:1 P:1 Q:1 R:1 S:1");
    expect_nest(CONV,
                "SpatialMap(3,3) K; Cluster(4,P); SpatialMap(2,2) X'; Cluster(2,P); "
                "SpatialMap(1,1) K; TemporalMap(1,1) X';",
                8, "K:3 @7 K*3 Q*2 K:2 K*1 Q:1 @7 C:1 P:1 R:1 S:1");
    expect_nest(CONV,
                "SpatialMap(6,6) K; Cluster(2,P); SpatialMap(3,3) C; Cluster(2,P); "
                "SpatialMap(4,4) Y'; Cluster(2,P); SpatialMap(1,1) X';",
                16, "@7 K*6 C*3 P*4 Q:2 Q*1 @7 K:1 C:1 P:1 R:1 S:1");
}

static void maps_of_inputs_count_windows(void **state) {
    (void)state;
    expect_nest(CONV, "SpatialMap(1,1) K; TemporalMap(4,2) Y;", 12,
                "P:2 @7 K*1 @7 C:1 P:1 Q:1 R:1 S:1");
    expect_nest("CONV Stride { X: 2, Y: 2 } Dimensions { K: 12, C: 6, R: 3, S: 3, Y: 9, X: 9 }",
                "SpatialMap(1,1) K; TemporalMap(5,1) Y; TemporalMap(4,1) X;", 12,
                "P:2 Q:1 @7 K*1 @7 C:1 P:1 R:1 S:1");
}

static void maps_larger_than_their_dim_are_whole(void **state) {
    (void)state;
    expect_nest(CONV, "SpatialMap(1,1) K; TemporalMap(8,3) C; TemporalMap(10,9) Y';", 12,
                "@7 K*1 @7 C:1 P:1 Q:1 R:1 S:1");
}

static void a_list_that_is_no_nest_is_refused_with_the_reason(void **state) {
    (void)state;
    expect_no_nest(CONV, "SpatialMap(1,1) K; Cluster(8,P); SpatialMap(1,1) C;", 7,
                   "the clusters need more PEs than there are");
    expect_no_nest(CONV, "SpatialMap(2,1) K;", 4, "steps overlap or leave gaps");
    expect_no_nest(CONV, "SpatialMap(1,1) K; TemporalMap(2,3) C;", 4,
                   "steps overlap or leave gaps");
    expect_no_nest(CONV, "SpatialMap(1,1) K; TemporalMap(2,2) Y;", 4,
                   "steps overlap or leave gaps");
    expect_no_nest(CONV, "SpatialMap(1,1) K; SpatialMap(1,1) C;", 4, "a level spreads two dims");
    expect_no_nest(CONV, "SpatialMap(1,1) R;", 4, "a filter is spread");
    expect_no_nest(CONV, "SpatialMap(1,1) K; TemporalMap(2,2) C; TemporalMap(1,1) C;", 4,
                   "a level maps one dim twice");
    expect_no_nest("DSCONV Dimensions { K: 4, C: 6, R: 3, S: 3, Y: 10, X: 10 }",
                   "SpatialMap(1,1) C; TemporalMap(1,1) K;", 4,
                   "a mapped dim is none of the layer");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nests_of_layers_with_one_tap_all_come_back),
        cmocka_unit_test(nests_with_whole_filters_come_back),
        cmocka_unit_test(a_level_without_a_spread_spreads_over_one_instance),
        cmocka_unit_test(a_spread_that_is_no_whole_step_of_the_outer_level_is_inside_a_cluster),
        cmocka_unit_test(tilings_that_divide_have_all_macs_and_take_their_time),
        cmocka_unit_test(a_nest_that_maestro_cannot_say_is_refused_with_the_reason),
        cmocka_unit_test(the_number_of_pes_must_give_the_clusters_of_the_nest),
        cmocka_unit_test(a_matrix_product_has_rows_or_a_batch),
        cmocka_unit_test(lists_of_one_to_four_levels_become_nests),
        cmocka_unit_test(maps_of_inputs_count_windows),
        cmocka_unit_test(maps_larger_than_their_dim_are_whole),
        cmocka_unit_test(a_list_that_is_no_nest_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
