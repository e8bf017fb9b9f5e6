// test_constraints.c - dataflows: read from YAML, and holding in every nest of their spaces.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "nest_cases.h"

static const char *const flexible[] = {"eyeriss", "flex256", "golden"};
static const char *const layers[] = {
    "conv:K=128,C=64,P=112,Q=112,R=3,S=3",
    "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
    "dw:G=96,P=112,Q=112,R=3,S=3",
    "gemm:M=512,N=768,K=768",
    "linear:K=1000,C=2048,N=8",
    "conv:N=4,G=2,K=13,C=7,P=11,Q=17,R=3,S=5",
    "conv:K=1",
};
enum { N_FLEXIBLE = 3, N_LAYERS = 7, BATCH = 5 };

static SlConstraints constraints_of(const char *name) {
    SlArena arena;
    SlConstraints constraints;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_constraints_find(name, &arena, &constraints, &err);
    sl_arena_free(&arena);
    if (status != SL_OK) fail_msg("%s: %s", name, err.text);
    return constraints;
}

static SlStatus parse(const char *text, SlConstraints *out, SlError *err) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_constraints_parse("flow.yaml", text, strlen(text), &arena, out, err);
    assert_int_equal(arena.used, 0);
    sl_arena_free(&arena);
    return status;
}

// --- reading

static void every_bundled_dataflow_is_read_and_says_where_it_is_from(void **state) {
    (void)state;
    const char *names[64];
    int n = sl_bundle_names("constraints", 64, names);
    assert_true(n >= 8);
    for (int i = 0; i < n; i++) {
        SlConstraints constraints = constraints_of(names[i]);
        assert_string_equal(constraints.name, names[i]);
        assert_true(constraints.title[0] && constraints.source[0] && constraints.n_rules > 0);
    }
}

static void all_keys_are_read(void **state) {
    (void)state;
    SlConstraints c;
    SlError err;
    const char *text = "constraints: mine\n"
                       "title: Mine\n"
                       "source: nowhere\n"
                       "rules:\n"
                       "  - level: L1\n"
                       "    order: \"C * P Q\"\n"
                       "    tiles: {K: 4, R: whole, C: {most: 8}, P: {least: 2, most: 6}}\n"
                       "  - {level: L2, parallel: [K, [C, P], any], cluster: {least: 2}}\n";
    if (parse(text, &c, &err) != SL_OK) fail_msg("%s", err.text);
    assert_string_equal(c.name, "mine");
    assert_int_equal(c.n_rules, 2);
    const SlRuleSet *one = &c.rules[0], *two = &c.rules[1];
    assert_string_equal(one->level, "L1");
    assert_true(one->has_order && one->n_before == 1 && one->before[0] == SL_C);
    assert_true(one->n_after == 2 && one->after[0] == SL_P && one->after[1] == SL_Q);
    assert_true(one->least[SL_K] == 4 && one->most[SL_K] == 4 && one->most[SL_R] == -1);
    assert_true(one->least[SL_C] == 0 && one->most[SL_C] == 8);
    assert_true(one->least[SL_P] == 2 && one->most[SL_P] == 6 && one->most[SL_Q] == 0);
    assert_true(two->n_parallel == 3 && two->parallel[0] == 1 << SL_K);
    assert_true(two->parallel[1] == (1 << SL_C | 1 << SL_P) && two->parallel[2] == SL_SPREAD_ALL);
    assert_true(two->cluster_least == 2 && two->cluster_most == 0 && !two->has_order);
}

static void wrong_files_are_refused_with_the_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *sentence;
    } cases[] = {
        {"constraints: a\n", 1, 1, "missing key 'rules'"},
        {"constraints: a\nrules: []\n", 2, 8, "rules: expected 1 to 16, got 0"},
        {"constraints: a\nrules:\n  - level: L1\n", 3, 5,
         "expected 'order', 'parallel', 'tiles' or 'cluster'"},
        {"constraints: a\nrules:\n  - level: L1\n    order: \"P Q\"\n", 4, 12,
         "order: expected a * where the other dims may stand, got 'P Q'"},
        {"constraints: a\nrules:\n  - {level: L1, order: \"* P P\"}\n", 3, 24,
         "order: expected dims (N G K C P Q R S), each once, and one * for all others, got '* P "
         "P'"},
        {"constraints: a\nrules:\n  - {level: L1, tiles: {K: 0}}\n", 3, 28,
         "K: expected a whole number from 1 to 9007199254740992, got '0'"},
        {"constraints: a\nrules:\n  - {level: L1, tiles: {K: {least: 4, most: 2}}}\n", 3, 45,
         "most: expected a whole number from 4 to 9007199254740992, got '2'"},
        {"constraints: a\nrules:\n  - {level: L1, tiles: {Z: 1}}\n", 3, 25, "unknown key 'Z'"},
        {"constraints: a\nrules:\n  - {level: L1, parallel: [[X]]}\n", 3, 29, NULL},
        {"constraints: a\nrules:\n  - {level: L1, cluster: {}}\n", 3, 26,
         "cluster: expected 'least', 'most' or both"},
        {"constraints: a\nrule: 1\n", 2, 1, NULL},
        {"constraints: a b\nrules: [{level: L1, cluster: 1}]\n", 1, 14, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SlConstraints c;
        SlError err = {0};
        assert_int_equal(parse(cases[i].text, &c, &err), SL_EINPUT);
        assert_string_equal(err.file, "flow.yaml");
        if (cases[i].sentence) {
            if (strncmp(err.text, cases[i].sentence, strlen(cases[i].sentence)) != 0)
                fail_msg("case %d: %s", (int)i, err.text);
        }
        if (err.line != cases[i].line || err.column != cases[i].column)
            fail_msg("case %d: %d:%d %s", (int)i, err.line, err.column, err.text);
    }
}

static void unknown_names_get_a_hint(void **state) {
    (void)state;
    SlArena arena;
    SlConstraints c;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_constraints_find("weight-stationery", &arena, &c, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "did you mean 'weight-stationary'?"));
    assert_int_equal(sl_constraints_find("no/such.yaml", &arena, &c, &err), SL_EINPUT);
    sl_arena_free(&arena);
}

// --- do the rules hold?

static int dim_meant(const SlLayer *layer, int d) {
    if (d == SL_K && layer->dims[SL_K] == 1 && layer->dims[SL_C] == 1 && layer->dims[SL_G] > 1)
        return SL_G;
    return d == SL_P && layer->dims[SL_P] == 1 && layer->dims[SL_N] > 1 ? SL_N : d;
}

static int level_of(const SlAccel *accel, const char *name) {
    if (strcmp(name, "inner") == 0) return accel->n_levels - 1;
    if (strcmp(name, "outer") == 0 || strcmp(name, "array") == 0) return 1; // on flexible arrays
    for (int l = 0; l < accel->n_levels; l++)
        if (strcmp(name, accel->levels[l].name) == 0) return l;
    return -1;
}

// loops in time just above a level: the fixed ones that iterate stand innermost, in order
static void expect_order(const SlLayer *layer, const SlMapping *mapping, int level,
                         const SlRuleSet *rule) {
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    int begin = level > 1 ? mapping->at[level - 2] : 0, last = -1;
    for (int i = begin; i < mapping->at[level - 1]; i++) {
        const SlLoop *loop = &mapping->loops[i];
        if (loop->spatial || foot.trips[i] == 1) continue;
        int place = -1;
        for (int k = 0; k < rule->n_after; k++)
            if (dim_meant(layer, rule->after[k]) == loop->dim) place = k;
        if (place < last) {
            char text[SL_NEST_TEXT_MAX];
            fail_msg("level %d: %s", level, sl_mapping_write(mapping, sizeof text, text));
        }
        last = place;
    }
}

static void expect_tiles(const SlLayer *layer, const SlMapping *mapping, int level, bool inner,
                         const SlRuleSet *rule) {
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    for (int k = 0; k < SL_N_DIMS; k++) {
        int d = dim_meant(layer, k);
        int64_t extent = foot.extent[level - 1][d], whole = layer->dims[d];
        if (rule->most[k] == -1) assert_int_equal(extent, whole);
        if (inner && rule->most[k] > 0) assert_true(extent <= rule->most[k]);
        if (rule->least[k] > 0)
            assert_true(extent >= (rule->least[k] < whole ? rule->least[k] : whole));
    }
}

static void expect_spread(const SlLayer *layer, const SlMapping *mapping, int level,
                          const SlRuleSet *rule) {
    unsigned allowed = 0;
    for (int a = 0; a < rule->n_parallel; a++)
        for (int d = 0; d < SL_N_DIMS; d++)
            if (rule->parallel[a] >> d & 1) allowed |= 1u << dim_meant(layer, d);
    for (int i = mapping->at[level - 1]; i < mapping->at[level]; i++)
        if (mapping->loops[i].spatial) assert_true(allowed >> mapping->loops[i].dim & 1);
}

static void expect_rules(const SlSpace *space, const SlConstraints *constraints,
                         const SlMapping *mapping) {
    int last = space->accel->n_levels - 1;
    for (int r = 0; r < constraints->n_rules; r++) {
        const SlRuleSet *rule = &constraints->rules[r];
        bool all = strcmp(rule->level, "all") == 0;
        for (int l = 1; l <= last; l++) {
            if (!all && level_of(space->accel, rule->level) != l) continue;
            if (rule->has_order) expect_order(space->layer, mapping, l, rule);
            expect_tiles(space->layer, mapping, l, l == last, rule);
            if (rule->n_parallel > 0) expect_spread(space->layer, mapping, l, rule);
        }
    }
}

// points of the constrained space; 0 if there is none
static int try_space(const char *layer_text, const char *accel_name, SlSpacePreset preset,
                     const SlConstraints *constraints, SlError *err) {
    SlLayer layer = layer_of(layer_text);
    SlAccel accel = accel_of(accel_name);
    SlArena arena;
    SlSpace space;
    SlRng rng;
    SlSpaceOptions options = {.preset = preset, .constraints = constraints};
    int n = 0;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 13, layer_text);
    if (sl_space_make(&layer, &accel, &options, &arena, &space, err) == SL_OK) {
        for (; n < 100; n++) {
            int32_t point[SL_MAX_PARAMS];
            SlMapping mapping;
            SlFit fit;
            sl_space_sample(&space, &rng, point);
            sl_space_mapping(&space, point, true, &mapping);
            assert_null(sl_mapping_check(&layer, &mapping));
            assert_true(sl_mapping_fit(&layer, &accel, &mapping, &fit));
            expect_rules(&space, constraints, &mapping);
        }
    }
    sl_arena_free(&arena);
    return n;
}

static void bundled_dataflows_hold_in_every_nest_of_a_flexible_array(void **state) {
    (void)state;
    const char *names[64];
    sl_bundle_names("constraints", 64, names);
    for (int i = 0; names[i]; i++) {
        SlConstraints constraints = constraints_of(names[i]);
        for (int a = 0; a < N_FLEXIBLE; a++)
            for (int l = 0; l < N_LAYERS; l++) {
                SlError err;
                if (!try_space(layers[l], flexible[a], SL_SPACE_NATIVE, &constraints, &err))
                    fail_msg("%s, %s on %s: %s", names[i], layers[l], flexible[a], err.text);
                // the paper's spaces spread no filter rows and tile no batch
                if (strcmp(names[i], "eyeriss-style") == 0 || l == BATCH) continue;
                assert_true(try_space(layers[l], flexible[a], SL_SPACE_PAPER, &constraints, &err));
                assert_true(
                    try_space(layers[l], flexible[a], SL_SPACE_PAPER10, &constraints, &err));
            }
    }
}

static void stationary_dataflows_hold_on_fixed_grids(void **state) {
    (void)state;
    static const char *const names[] = {"weight-stationary", "output-stationary",
                                        "input-stationary"};
    static const char *const grids[] = {"gemmini", "nvdla", "simba", "tpu"};
    for (int i = 0; i < 3; i++) {
        SlConstraints constraints = constraints_of(names[i]);
        for (int a = 0; a < 4; a++)
            for (int l = 0; l < N_LAYERS; l++) {
                SlError err;
                if (!try_space(layers[l], grids[a], SL_SPACE_NATIVE, &constraints, &err))
                    fail_msg("%s, %s on %s: %s", names[i], layers[l], grids[a], err.text);
            }
    }
}

// the dataflow of a fixed grid suits the grid, whichever axis comes first
static void styles_of_grids_suit_grids(void **state) {
    (void)state;
    static const char *const names[] = {"nvdla-style", "tpu-style"};
    static const char *const grids[] = {"gemmini", "nvdla", "simba", "tpu"};
    for (int i = 0; i < 2; i++) {
        for (int a = 0; a < 4; a++) {
            for (int l = 0; l < N_LAYERS; l++) {
                SlConstraints constraints = constraints_of(names[i]);
                SlLayer layer = layer_of(layers[l]);
                SlAccel accel = accel_of(grids[a]);
                SlArena arena;
                SlSpace space;
                SlError err;
                SlSpaceOptions options = {.preset = SL_SPACE_NATIVE, .constraints = &constraints};
                sl_arena_init(&arena, 0);
                SlStatus status = sl_space_make(&layer, &accel, &options, &arena, &space, &err);
                sl_arena_free(&arena);
                if (status != SL_OK)
                    fail_msg("%s, %s on %s: %s", names[i], layers[l], grids[a], err.text);
            }
        }
    }
}

static void rules_of_ones_own_hold_too(void **state) {
    (void)state;
    static const char *const texts[] = {
        "constraints: a\nrules: [{level: inner, tiles: {K: {least: 3}, Q: {most: 5}, S: whole}}]",
        "constraints: a\nrules: [{level: L2, tiles: {P: 7, K: 20}, order: \"C * K\"}]",
        "constraints: a\nrules: [{level: all, tiles: {R: 1}}]",
        "constraints: a\nrules: [{level: L2, parallel: [[N, G], [S]], cluster: 13}]",
        "constraints: a\nrules: [{level: L2, parallel: [[], [Q]]}]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SlConstraints c;
        SlError err;
        if (parse(texts[i], &c, &err) != SL_OK) fail_msg("%s", err.text);
        for (int l = 0; l < N_LAYERS; l++)
            if (!try_space(layers[l], "eyeriss", SL_SPACE_NATIVE, &c, &err))
                fail_msg("%s: %s: %s", texts[i], layers[l], err.text);
    }
}

// K in tiles of 26 would be rounded up to 28, four whole waves of 7 PEs
static void rounding_to_whole_waves_stays_inside_the_bounds(void **state) {
    (void)state;
    SlConstraints c;
    SlLayer layer = layer_of("conv:K=256,C=48,P=27,Q=27,R=5,S=5");
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    SlRng rng;
    SlError err;
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE, .constraints = &c};
    const char *rules = "constraints: a\n"
                        "rules: [{level: L2, parallel: [C, K], cluster: 7, tiles: {K: 26}}, "
                        "{level: L1, tiles: {K: 1}}]";
    assert_int_equal(parse(rules, &c, &err), SL_OK);
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, 14, "rounding");
    assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, &err), SL_OK);
    for (int i = 0; i < 100; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlMapping mapping;
        SlFootprint foot;
        sl_space_sample(&space, &rng, point);
        sl_space_mapping(&space, point, true, &mapping);
        sl_mapping_footprint(&layer, &mapping, &foot);
        assert_int_equal(foot.extent[0][SL_K], 26);
    }
    sl_arena_free(&arena);
}

static void later_orders_go_inside_earlier_ones(void **state) {
    (void)state;
    SlConstraints c;
    SlLayer layer = layer_of(layers[0]);
    SlAccel accel = accel_of("eyeriss");
    SlArena arena;
    SlSpace space;
    SlError err;
    char text[64];
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE, .constraints = &c};
    const char *rules =
        "constraints: a\n"
        "rules: [{level: inner, order: \"S * Q\"}, {level: L1, order: \"R * P Q\"}]";
    assert_int_equal(parse(rules, &c, &err), SL_OK);
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_space_make(&layer, &accel, &options, &arena, &space, &err), SL_OK);
    const SlParam *order = &space.params[6];
    assert_string_equal(order->name, "L1 order");
    assert_int_equal(order->n, 2);
    assert_string_equal(sl_param_text(order, 0, sizeof text, text), "S R K C P Q");
    assert_string_equal(sl_param_text(order, 1, sizeof text, text), "S R C K P Q");
    sl_arena_free(&arena);
}

static void rules_that_do_not_suit_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const struct {
        const char *rule, *layer, *accel, *sentence;
    } cases[] = {
        {"{level: array, parallel: [[P], [Q]]}", "conv:K=8,C=8,P=8,Q=8", "nvdla",
         "mine, rule 1: P cannot be spread over 'channels' below CACC of nvdla, which takes C"},
        {"{level: L3, tiles: {K: 1}}", "conv:K=8", "eyeriss",
         "mine, rule 1: eyeriss has no level 'L3', expected one of DRAM, L2, L1, or inner, outer, "
         "array, all"},
        {"{level: L1, parallel: [K]}", "conv:K=8", "eyeriss",
         "mine, rule 1: eyeriss has no fan-out below L1 to spread dims over"},
        {"{level: CACC, cluster: 4}", "conv:K=8", "nvdla",
         "mine, rule 1: below CACC of nvdla there are no clusters to size"},
        {"{level: L1, tiles: {K: whole}}, {level: L2, tiles: {K: 2}}", "conv:K=8", "eyeriss",
         "mine: the tile of K in L2 must be at least 8 and at most 2"},
        {"{level: L1, tiles: {K: whole, C: whole}}", "conv:K=512,C=512", "eyeriss",
         "L2 needs 263,168 B (W 262,144, I 512, O 512), has 108,000 B even for the smallest tile "
         "that the constraints allow: mine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        SlConstraints c;
        SlError err;
        snprintf(text, sizeof text, "constraints: mine\nrules: [%s]", cases[i].rule);
        if (parse(text, &c, &err) != SL_OK) fail_msg("%s", err.text);
        assert_int_equal(try_space(cases[i].layer, cases[i].accel, SL_SPACE_NATIVE, &c, &err), 0);
        assert_string_equal(err.text, cases[i].sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bundled_dataflow_is_read_and_says_where_it_is_from),
        cmocka_unit_test(all_keys_are_read),
        cmocka_unit_test(wrong_files_are_refused_with_the_place),
        cmocka_unit_test(unknown_names_get_a_hint),
        cmocka_unit_test(bundled_dataflows_hold_in_every_nest_of_a_flexible_array),
        cmocka_unit_test(stationary_dataflows_hold_on_fixed_grids),
        cmocka_unit_test(styles_of_grids_suit_grids),
        cmocka_unit_test(rules_of_ones_own_hold_too),
        cmocka_unit_test(rounding_to_whole_waves_stays_inside_the_bounds),
        cmocka_unit_test(later_orders_go_inside_earlier_ones),
        cmocka_unit_test(rules_that_do_not_suit_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
