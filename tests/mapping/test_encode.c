// test_encode.c - from a nest back to the point it comes from, or to the nearest one.
#include "support/check.h"

#include <string.h>

#include "nest_cases.h"
#include "starling/cost.h"

static const char *const accels[] = {"eyeriss", "golden", "nvdla", "tpu", "simba"};
static const char *const layers[] = {
    "conv:K=128,C=64,P=112,Q=112,R=3,S=3",
    "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
    "dw:G=96,P=112,Q=112,R=3,S=3",
    "gemm:M=512,N=768,K=768",
    "linear:K=1000,C=2048,N=8",
    "conv:N=4,G=2,K=13,C=7,P=11,Q=17,R=3,S=5",
};
enum { N_LAYERS = 6 };

static SlSpace space_of(const SlLayer *layer, const SlAccel *accel, SlSpacePreset preset,
                        SlArena *arena) {
    SlSpace space;
    SlError err;
    SlSpaceOptions options = {.preset = preset};
    SlStatus status = sl_space_make(layer, accel, &options, arena, &space, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    return space;
}

// nests of a space come back as they were
static void expect_round_trips(const char *layer_text, const char *accel_name, SlSpacePreset preset,
                               int n) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = accel_of(accel_name);
    SlArena arena;
    SlRng rng;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 11, layer_text);
    SlSpace space = space_of(&layer, &accel, preset, &arena);
    for (int i = 0; i < n; i++) {
        int32_t point[SL_MAX_PARAMS], back[SL_MAX_PARAMS];
        SlMapping mapping, again;
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &mapping);
        sl_space_encode(&space, &mapping, back);
        sl_space_mapping(&space, back, true, &again);
        if (sl_mapping_key(&layer, &mapping) == sl_mapping_key(&layer, &again)) continue;
        char a[SL_NEST_TEXT_MAX], b[SL_NEST_TEXT_MAX];
        fail_msg("%s on %s: %s became %s", layer_text, accel_name,
                 sl_mapping_write(&mapping, sizeof a, a), sl_mapping_write(&again, sizeof b, b));
    }
    sl_arena_free(&arena);
}

static void native_nests_come_back_as_they_were(void **state) {
    (void)state;
    for (int a = 0; a < 5; a++)
        for (int l = 0; l < N_LAYERS; l++)
            expect_round_trips(layers[l], accels[a], SL_SPACE_NATIVE, 40);
}

static void nests_of_any_size_come_back_as_they_were(void **state) {
    (void)state;
    for (int a = 0; a < 5; a++)
        for (int l = 0; l < 3; l++) expect_round_trips(layers[l], accels[a], SL_SPACE_ALL, 15);
}

static void paper_nests_come_back_as_they_were(void **state) {
    (void)state;
    for (int l = 0; l < 3; l++) {
        expect_round_trips(layers[l], "eyeriss", SL_SPACE_PAPER, 15);
        expect_round_trips(layers[l], "eyeriss", SL_SPACE_PAPER10, 15);
    }
}

static void the_default_mapping_is_nearly_in_the_space(void **state) {
    (void)state;
    int n_near = 0, n = 0;
    for (int a = 0; a < 5; a++) {
        for (int l = 0; l < N_LAYERS; l++, n++) {
            SlLayer layer = layer_of(layers[l]);
            SlAccel accel = accel_of(accels[a]);
            SlArena arena;
            SlMapping mapping, back;
            SlCost cost, near;
            SlError err;
            int32_t point[SL_MAX_PARAMS];
            sl_arena_init(&arena, 0);
            SlSpace space = space_of(&layer, &accel, SL_SPACE_NATIVE, &arena);
            assert_int_equal(sl_mapping_default(&layer, &accel, &mapping, &err), SL_OK);
            sl_space_encode(&space, &mapping, point);
            sl_space_mapping(&space, point, true, &back);
            sl_cost_eval(&layer, &accel, &mapping, &cost);
            sl_cost_eval(&layer, &accel, &back, &near);
            double ratio = sl_cost_value(&near, SL_EDP) / sl_cost_value(&cost, SL_EDP);
            // three dims spread at once are not in the space of a flexible array
            if (ratio > 4) fail_msg("%s on %s: EDP x %.2f", layers[l], accels[a], ratio);
            n_near += ratio < 1.05;
            sl_arena_free(&arena);
        }
    }
    if (n_near < n * 8 / 10) fail_msg("only %d of %d are near", n_near, n);
}

static void any_nest_has_a_nearest_point(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 12, "any nest");
    SlAccel accel = accel_of("eyeriss");
    for (int i = 0; i < 300; i++) {
        SlLayer layer;
        SlMapping mapping;
        SlArena arena;
        SlSpace space;
        SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
        layer_sample(&rng, &layer);
        do nest_sample(&rng, &layer, &mapping);
        while (mapping.n_boundaries != 2);
        sl_arena_init(&arena, 0);
        if (sl_space_make(&layer, &accel, &options, &arena, &space, NULL) == SL_OK) {
            int32_t point[SL_MAX_PARAMS];
            sl_space_encode(&space, &mapping, point);
            for (int p = 0; p < space.n_params; p++)
                assert_true(0 <= point[p] && point[p] < space.params[p].n);
        }
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_nests_come_back_as_they_were),
        cmocka_unit_test(nests_of_any_size_come_back_as_they_were),
        cmocka_unit_test(paper_nests_come_back_as_they_were),
        cmocka_unit_test(the_default_mapping_is_nearly_in_the_space),
        cmocka_unit_test(any_nest_has_a_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
