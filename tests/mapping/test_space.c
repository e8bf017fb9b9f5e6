// test_space.c - spaces of all layers on all accelerators: every point is a nest that fits.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "nest_cases.h"
#include "starling/cost.h"

static const char *const accels[] = {"eyeriss",   "flex256", "flex1024", "golden", "gamma168",
                                     "gamma1024", "gemmini", "nvdla",    "simba",  "tpu"};
enum { N_ACCELS = 10, N_FLEXIBLE = 6 }; // the flexible ones come first

static SlSpace space_of(const SlLayer *layer, const SlAccel *accel, SlSpacePreset preset,
                        SlArena *arena) {
    SlSpace space;
    SlError err;
    SlSpaceOptions options = {.preset = preset};
    SlStatus status = sl_space_make(layer, accel, &options, arena, &space, &err);
    if (status != SL_OK) fail_msg("%s on %s: %s", layer->name, accel->name, err.text);
    return space;
}

// a nest of the layer that fits, from any point
static void expect_good(const SlSpace *space, const int32_t *point) {
    SlMapping mapping, again;
    SlFit fit;
    assert_true(sl_space_mapping(space, point, true, &mapping));
    const char *why = sl_mapping_check(space->layer, &mapping);
    if (!why && !sl_mapping_fit(space->layer, space->accel, &mapping, &fit)) {
        char text[256];
        fail_msg("%s on %s: %s", space->layer->name, space->accel->name,
                 sl_violation_text(space->accel, &fit.list[0], sizeof text, text));
    }
    if (why) fail_msg("%s on %s: %s", space->layer->name, space->accel->name, why);
    sl_space_mapping(space, point, true, &again);
    assert_memory_equal(&mapping, &again, sizeof mapping);
}

static void expect_good_points(const SlSpace *space, SlRng *rng, int n) {
    static const int32_t odd[] = {INT32_MIN, -1, 0, INT32_MAX};
    int32_t point[SL_MAX_PARAMS];
    for (int i = 0; i < n; i++) {
        sl_space_sample(space, rng, point);
        for (int p = 0; p < space->n_params; p++)
            assert_true(0 <= point[p] && point[p] < space->params[p].n);
        // some garbage as well
        if (i % 4 == 0) point[sl_rng_below(rng, (uint64_t)space->n_params)] = odd[i / 4 % 4];
        expect_good(space, point);
    }
    for (int k = 0; k < 4; k++) {
        for (int p = 0; p < space->n_params; p++) point[p] = odd[k];
        expect_good(space, point);
    }
}

// refused by the space that lists every size, such as heads of language models
static bool is_long(const SlLayer *layer) {
    int64_t longest = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] > longest) longest = layer->dims[d];
    return longest > 65536;
}

// every distinct layer of the zoo on an accelerator
static void expect_good_zoo(const char *accel_name, SlSpacePreset preset, int n) {
    const char *networks[64];
    SlAccel accel = accel_of(accel_name);
    SlRng rng;
    sl_rng_init(&rng, 7, accel_name);
    sl_bundle_names("networks", 64, networks);
    for (int k = 0; networks[k]; k++) {
        SlArena arena;
        SlNetwork net;
        int first[SL_NETWORK_MAX_LAYERS];
        sl_arena_init(&arena, 0);
        assert_int_equal(sl_workload_find(networks[k], 1, &arena, &net, NULL), SL_OK);
        sl_network_distinct(&net, first);
        for (int i = 0; i < net.n_layers; i++) {
            if (first[i] != i || (preset == SL_SPACE_ALL && is_long(&net.layers[i]))) continue;
            size_t mark = sl_arena_mark(&arena);
            SlSpace space = space_of(&net.layers[i], &accel, preset, &arena);
            expect_good_points(&space, &rng, n);
            sl_arena_rewind(&arena, mark);
        }
        sl_arena_free(&arena);
    }
}

static void every_native_point_of_the_zoo_is_a_nest_that_fits(void **state) {
    (void)state;
    for (int a = 0; a < N_ACCELS; a++) expect_good_zoo(accels[a], SL_SPACE_NATIVE, 16);
}

static void every_point_of_the_zoo_with_all_sizes_is_a_nest_that_fits(void **state) {
    (void)state;
    for (int a = 0; a < N_ACCELS; a++) expect_good_zoo(accels[a], SL_SPACE_ALL, 6);
}

static void every_paper_point_of_the_zoo_is_a_nest_that_fits(void **state) {
    (void)state;
    for (int a = 0; a < N_FLEXIBLE; a++) {
        expect_good_zoo(accels[a], SL_SPACE_PAPER, 16);
        expect_good_zoo(accels[a], SL_SPACE_PAPER10, 16);
    }
}

static void edge_layers_have_spaces(void **state) {
    (void)state;
    static const char *const layers[] = {
        "conv:K=1",                                           // one MAC
        "conv:K=127,C=131,P=113,Q=109,R=7,S=5",               // primes
        "gemm:M=16384,N=8192,K=8192",                         // 2^40 MACs
        "linear:K=1,C=1048576",                               // one long dim
        "conv:K=2,C=2,P=5,Q=5,R=11,S=11,stride=4,dilation=3", // gaps
        "conv:N=64,G=4,K=16,C=16,P=14,Q=14,R=3,S=3",          // batch and groups
        "dw:G=7,R=3,S=3",                                     // no space to slide
        "conv:K=3,C=3,P=7,Q=7,R=3,S=3,bytes=1x4x8",           // wide words
    };
    SlRng rng;
    sl_rng_init(&rng, 8, "edges");
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        SlLayer layer = layer_of(layers[i]);
        for (int a = 0; a < N_ACCELS; a++) {
            for (int preset = 0; preset < (a < N_FLEXIBLE ? SL_N_SPACES : 2); preset++) {
                SlArena arena;
                SlAccel accel = accel_of(accels[a]);
                if (preset == SL_SPACE_ALL && layer.dims[SL_C] > 1 << 16) continue;
                sl_arena_init(&arena, 0);
                SlSpace space = space_of(&layer, &accel, (SlSpacePreset)preset, &arena);
                expect_good_points(&space, &rng, 100);
                sl_arena_free(&arena);
            }
        }
    }
}

// any machine: a space whose points fit, or a sentence
static void random_machines_have_a_space_or_a_reason(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 9, "machines");
    int n_spaces = 0;
    for (int i = 0; i < 1500; i++) {
        SlLayer layer;
        SlAccel accel;
        SlArena arena;
        SlSpace space;
        SlError err = {0};
        SlSpaceOptions options = {.preset = i % 3 ? SL_SPACE_NATIVE : SL_SPACE_ALL};
        layer_sample(&rng, &layer);
        accel_sample(&rng, &accel);
        sl_arena_init(&arena, 0);
        SlStatus status = sl_space_make(&layer, &accel, &options, &arena, &space, &err);
        if (status == SL_OK)
            expect_good_points(&space, &rng, 20);
        else
            assert_true(status == SL_EINPUT && err.text[0]);
        n_spaces += status == SL_OK;
        sl_arena_free(&arena);
    }
    assert_true(n_spaces > 300);
}

static void too_small_a_level_is_named_with_the_inequality(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=4,C=4,P=4,Q=4,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    SlError err;
    accel.levels[2].capacity_bytes = 2;
    sl_arena_init(&arena, 0);
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        SlSpaceOptions options = {.preset = (SlSpacePreset)preset};
        assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, &err), SL_EINPUT);
        assert_string_equal(err.text,
                            "L1 needs 3 B (W 1, I 1, O 1), has 2 B even for the smallest tile");
    }
    sl_arena_free(&arena);
}

static void no_memory_is_no_space(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=64,C=64,P=56,Q=56,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        SlSpaceOptions options = {.preset = (SlSpacePreset)preset};
        SlStatus status = SL_ENOMEM;
        for (size_t limit = 64; status != SL_OK; limit += 512) {
            SlArena arena;
            SlSpace space;
            sl_arena_init(&arena, limit);
            status = sl_space_make(&layer, &accel, &options, &arena, &space, NULL);
            assert_true(status == SL_OK || status == SL_ENOMEM);
            sl_arena_free(&arena);
            assert_true(limit < 1 << 20);
        }
    }
}

// --- what the parameters are

static void a_flexible_array_has_fifteen_parameters(void **state) {
    (void)state;
    static const char *const names[] = {
        "L2 order", "L2 parallel", "L2 K", "L2 C", "L2 P", "L2 Q", "L1 order",  "L1 parallel",
        "L1 K",     "L1 C",        "L1 P", "L1 Q", "L1 R", "L1 S", "L2 cluster"};
    SlLayer layer = layer_of("conv:K=256,C=48,P=27,Q=27,R=5,S=5");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlSpace space = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
    assert_int_equal(space.n_params, 15);
    double log10_size = 0;
    for (int i = 0; i < 15; i++) {
        assert_string_equal(space.params[i].name, names[i]);
        log10_size += log10(space.params[i].n);
    }
    assert_true(fabs(space.log10_size - log10_size) < 1e-9);
    sl_arena_free(&arena);
}

// the parameters of the native space, every size of tiles and clusters
static void all_sizes_are_those_of_native_and_those_between(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=25,C=48,P=27,Q=13,R=5,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlSpace native = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
    SlSpace all = space_of(&layer, &accel, SL_SPACE_ALL, &arena);
    assert_int_equal(all.n_params, native.n_params);
    for (int i = 0; i < all.n_params; i++) {
        const SlParam *param = &all.params[i];
        assert_string_equal(param->name, native.params[i].name);
        if (param->kind != SL_ORDINAL) {
            assert_memory_equal(param, &native.params[i], sizeof *param);
            continue;
        }
        int64_t n = param->role == SL_ROLE_TILE ? layer.dims[param->dim] : 168;
        assert_int_equal(param->n, n);
        for (int v = 0; v < param->n; v++) assert_int_equal(param->sizes[v], v + 1);
    }
    assert_true(all.log10_size > native.log10_size);
    sl_arena_free(&arena);
}

// a point as it stands, if it fits
static void all_sizes_are_not_rounded_to_waves(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=25,C=48,P=27,Q=13,R=5,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlRng rng;
    int n_fit = 0;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 11, "as it stands");
    SlSpace space = space_of(&layer, &accel, SL_SPACE_ALL, &arena);
    for (int i = 0; i < 4000; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping plain, repaired;
        sl_space_sample(&space, &rng, point);
        if (!sl_space_mapping(&space, point, false, &plain)) continue;
        SlScheme scheme;
        sl_space_decode(&space, point, &scheme);
        sl_scheme_mapping(&space, &scheme, &plain);
        sl_space_mapping(&space, point, true, &repaired);
        assert_memory_equal(&plain, &repaired, sizeof plain);
        n_fit++;
    }
    assert_true(n_fit > 40);
    sl_arena_free(&arena);
}

static void lists_of_every_size_have_a_limit(void **state) {
    (void)state;
    SlLayer layer = layer_of("linear:K=7,C=3"), huge = layer_of("linear:K=65537,C=1");
    SlAccel eyeriss = accel_of("eyeriss"), wide = accel_of("eyeriss");
    SlSpaceOptions options = {.preset = SL_SPACE_ALL};
    SlArena arena;
    SlSpace space;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_space_make(&huge, &eyeriss, &options, &arena, &space, &err), SL_EINPUT);
    assert_string_equal(err.text, "the all space lists every tile size, and K = 65537 is above "
                                  "65536; use native");
    huge.dims[SL_K]--;
    assert_int_equal(sl_space_make(&huge, &eyeriss, &options, &arena, &space, &err), SL_OK);
    wide.fanouts[1].axes[0].size = 65537;
    assert_int_equal(sl_space_make(&layer, &wide, &options, &arena, &space, &err), SL_EINPUT);
    assert_string_equal(err.text, "the all space lists every cluster size, and the 65537 instances "
                                  "below L2 are more than 65536; use native");
    sl_arena_free(&arena);
}

static void groups_take_the_place_of_channels_where_those_are_one(void **state) {
    (void)state;
    SlLayer layer = layer_of("dw:G=96,P=112,Q=112,R=3,S=3");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        SlSpace space = space_of(&layer, &accel, (SlSpacePreset)preset, &arena);
        int n_found = 0;
        for (int i = 0; i < space.n_params; i++) {
            const SlParam *param = &space.params[i];
            if (param->role == SL_ROLE_TILE && param->dim == SL_G) n_found++;
            assert_false(param->role == SL_ROLE_TILE && param->dim == SL_K);
            if (param->role == SL_ROLE_PARALLEL) assert_true(param->spreads[0] == 1 << SL_G);
        }
        assert_true(n_found >= 1);
        assert_int_equal(space.outermost, 0);
    }
    sl_arena_free(&arena);
}

// the better mapping of AlexNet's second layer that sizes by trip count alone do not hold: tiles of
// 28 make 10 trips as tiles of 26 do, but whole waves over 7 PEs
static void tiles_in_whole_waves_can_be_reached(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=256,C=48,P=27,Q=27,R=5,S=5");
    SlAccel accel = accel_of("eyeriss");
    SlMapping nest = nest_of("K:28 @7 C*2 Q:9 P:9 K:7 K*1 @7 C:1 P:1 Q:1 R:1 S:1"), found;
    SlArena arena;
    int32_t point[SL_MAX_PARAMS];
    sl_arena_init(&arena, 0);
    SlSpace space = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
    assert_null(sl_mapping_check(&layer, &nest));
    sl_space_encode(&space, &nest, point);
    sl_space_mapping(&space, point, true, &found);
    assert_int_equal(sl_mapping_key(&layer, &nest), sl_mapping_key(&layer, &found));

    // the published optimum has rows of 10, 10 and 7 where useful sizes have 9, 9 and 9
    SlMapping published = nest_of("K:28 @7 C*2 Q:9 P:10 K:7 K*1 @7 C:1 P:1 Q:1 R:1 S:1");
    SlCost cost, best;
    sl_cost_eval(&layer, &accel, &found, &cost);
    sl_cost_eval(&layer, &accel, &published, &best);
    assert_true(sl_cost_value(&cost, SL_EDP) <= sl_cost_value(&best, SL_EDP));
    sl_arena_free(&arena);
}

static void values_are_shown_as_text(void **state) {
    (void)state;
    SlLayer layer = layer_of("conv:K=256,C=48,P=27,Q=27,R=5,S=5");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    char text[64];
    sl_arena_init(&arena, 0);
    SlSpace space = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
    const SlParam *order = &space.params[6], *parallel = &space.params[1], *tile = &space.params[2];
    assert_string_equal(sl_param_text(order, 0, sizeof text, text), "K C P Q R S");
    assert_string_equal(sl_param_text(order, 719, sizeof text, text), "S R Q P C K");
    assert_string_equal(sl_param_text(parallel, 1, sizeof text, text), "C");
    assert_string_equal(sl_param_text(tile, INT32_MAX, sizeof text, text), "256");
    assert_string_equal(sl_param_text(tile, -7, sizeof text, text), "1");
    assert_string_equal(sl_param_text(order, 0, 4, text), "K C");
    sl_arena_free(&arena);
}

static void samples_are_uniform(void **state) {
    (void)state;
    enum { N = 12000 };
    SlLayer layer = layer_of("conv:K=8,C=8,P=5,Q=5");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlRng rng;
    int count[4] = {0};
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 10, "uniform");
    SlSpace space = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
    assert_int_equal(space.params[1].n, 4);
    for (int i = 0; i < N; i++) {
        int32_t point[SL_MAX_PARAMS];
        sl_space_sample(&space, &rng, point);
        count[point[1]]++;
    }
    for (int i = 0; i < 4; i++) assert_in_range(count[i], N / 4 - 200, N / 4 + 200);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_native_point_of_the_zoo_is_a_nest_that_fits),
        cmocka_unit_test(every_point_of_the_zoo_with_all_sizes_is_a_nest_that_fits),
        cmocka_unit_test(every_paper_point_of_the_zoo_is_a_nest_that_fits),
        cmocka_unit_test(edge_layers_have_spaces),
        cmocka_unit_test(random_machines_have_a_space_or_a_reason),
        cmocka_unit_test(too_small_a_level_is_named_with_the_inequality),
        cmocka_unit_test(no_memory_is_no_space),
        cmocka_unit_test(a_flexible_array_has_fifteen_parameters),
        cmocka_unit_test(all_sizes_are_those_of_native_and_those_between),
        cmocka_unit_test(all_sizes_are_not_rounded_to_waves),
        cmocka_unit_test(lists_of_every_size_have_a_limit),
        cmocka_unit_test(groups_take_the_place_of_channels_where_those_are_one),
        cmocka_unit_test(tiles_in_whole_waves_can_be_reached),
        cmocka_unit_test(values_are_shown_as_text),
        cmocka_unit_test(samples_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
